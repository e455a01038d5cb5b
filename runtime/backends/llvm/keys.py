"""keys: floats as ints that are in the same order.

Two floats are compared by the processor at the price of a flag where one is NaN, of
which NumPy says nothing; ints are compared in silence.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.backends.llvm.loops import BIT, Local, Operand
from runtime.backends.llvm.references import References
from runtime.backends.llvm.values import machine_type


class Keys:
    """The keys of floats of one dtype.

    type:      the machine type of a key
    low, high: the least and the greatest; no float but NaN has them
    rest:      the bits of a float but its sign
    """

    def __init__(self, lowering: References, dtype: np.dtype[Any]) -> None:
        self.lowering = lowering
        self.width = 8 * dtype.itemsize
        self.kind, self.type = machine_type(dtype), f"i{self.width}"
        self.low, self.high = -(2 ** (self.width - 1)), 2 ** (self.width - 1) - 1
        self.rest = self.high
        self.infinite = int(np.array(np.inf, dtype).view(f"i{dtype.itemsize}"))

    def bits(self, number: Operand) -> Local:
        """A float's bits."""
        return self.lowering.compute("bitcast", self.type, number, type=self.kind)

    def float_of(self, bits: Operand) -> Local:
        """The float of these bits."""
        return self.lowering.compute("bitcast", self.kind, bits, type=self.type)

    def nan(self) -> Local:
        """A float that is none."""
        return self.float_of(self.infinite + 1)

    def key(self, bits: Operand) -> Local:
        """The key of a float's bits; or the bits of a key."""
        kind, compute = self.type, self.lowering.compute
        sign = compute("ashr", kind, bits, self.width - 1, type=kind)
        turned = compute("and", kind, sign, self.rest, type=kind)
        return compute("xor", kind, bits, turned, type=kind)

    def size(self, bits: Operand) -> Local:
        """The bits without the sign: above `infinite` they are NaN's."""
        return self.lowering.compute("and", self.type, bits, self.rest, type=self.type)

    def is_nan(self, size: Operand) -> Local:
        """Whether these are NaN's, or the greatest of them is."""
        return self.lowering.compute(
            "icmp sgt", BIT, size, self.infinite, type=self.type
        )
