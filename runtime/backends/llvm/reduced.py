"""reduced: one reduction of an array, by NumPy's own loops or of what is computed.

What is reduced becomes three axes: those before, those reduced, those after. Where none
comes after, NumPy's loop runs over each row (and adds in pairs); else it puts row to
row. The same loops in the same order give the same bits. An array that NumPy would go
through in another order is reduced by Python.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.backends.llvm import abi
from runtime.backends.llvm.arrays import load, put
from runtime.backends.llvm.blocks import (
    MakeArray,
    compute_into,
    leave_unless_rows_first,
    new_array,
    strides_of,
)
from runtime.backends.llvm.elements import is_simple
from runtime.backends.llvm.fallback import whole
from runtime.backends.llvm.few import FEW, OPERATIONS, operations, written_out
from runtime.backends.llvm.fused_rows import first_of
from runtime.backends.llvm.fusing import Fusion
from runtime.backends.llvm.loops import (
    BIT,
    DOUBLE,
    INT,
    POINTER,
    Array,
    Instruction,
    Local,
    Map,
    Number,
    Operand,
    operands_of,
)
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.maps import as_dtype, divided, exact_sums, mean_of_ints
from runtime.backends.llvm.narrow import counted
from runtime.backends.llvm.pieces import is_one_piece, product, reduced_axes, times
from runtime.backends.llvm.references import Hold
from runtime.backends.llvm.values import NotLowered
from runtime.backends.numpy.program import Step
from runtime.structs import replace

# The ufunc of each, and what it begins with; None: with the first element.
UFUNCS: dict[str, tuple[np.ufunc, int | None]] = {
    "sum": (np.add, 0),
    "mean": (np.add, 0),
    "prod": (np.multiply, 1),
    "max": (np.maximum, None),
    "min": (np.minimum, None),
    "any": (np.logical_or, 0),
    "all": (np.logical_and, 1),
}
OF_TRUTHS = {"maximum": "logical_or", "minimum": "logical_and"}
WARNED = frozenset({"sum", "mean", "prod"})
# Elements of a row for which NumPy's loop is not called.
SHORT = 16
# The same of one row alone, which is added up where it stands.
ROW = 64


class Reduction:
    """One reduction, under construction.

    before, reduced, after: the sizes of the three axes
    counted: what a mean adds as ints, which have the same sum; None: floats
    """

    def __init__(self, lowering: Lowering, step: Step) -> None:
        self.lowering = lowering
        self.name = step.node.op.name
        self.ufunc, self.first = UFUNCS[self.name]
        (self.variable,) = step.outputs
        spec = self.variable.spec
        if spec.dtype is None or spec.shape is None or spec.kinds:
            # Of what may be of several dtypes, `spec.dtype` need not be one of them.
            raise NotLowered(f"a reduction of {spec!r}")
        self.dtype = spec.dtype
        self.symbol = self._loop()
        self.axes = first, stop = reduced_axes(step)
        self.counted: Map | None = None
        self.value, self.is_cast = self._operand(step)
        dims = self.value.dims
        self.before = product(lowering, dims[:first])
        self.reduced = product(lowering, dims[first:stop])
        self.after = product(lowering, dims[stop:])
        self.ends_rows = stop == len(dims)
        self.sizes = [
            1 if first <= axis < stop else size for axis, size in enumerate(dims)
        ]
        if not step.node.attributes.get("keepdims"):
            del self.sizes[first:stop]

    def _loop(self) -> str:
        """The name of NumPy's loop for elements of the result's dtype."""
        dtypes = (self.dtype,) * 3
        address, data = abi.ufunc_loop(self.ufunc, dtypes)
        if not address or (self.dtype.kind == "c" and self.name not in ("sum", "prod")):
            raise NotLowered(f"{self.name} of {self.dtype}")
        symbol = f"{self.ufunc.__name__}_{'_'.join(str(one.num) for one in dtypes)}"
        self.lowering.outside[symbol] = (address, data)
        return symbol

    def _operand(self, step: Step) -> tuple[Array | Map, bool]:
        """What is reduced, in the result's dtype; whether it was cast for this."""
        (variable,) = step.inputs
        value = self.lowering.operand(variable)
        if isinstance(value, Number):
            raise NotLowered(f"{self.name} of a number")
        if value.dtype == self.dtype:
            return value, False
        if self.name == "mean":
            if exact_sums(value.dtype) and self.variable.spec.shape == ():
                self.counted = counted(self.lowering, value)
            return mean_of_ints(self.lowering, value, self.dtype), False
        return self._cast(value), isinstance(value, Array)

    def _cast(self, value: Array | Map) -> Map:
        """The elements as NumPy casts them before; of ints alone, which is exact."""
        if self.dtype.kind == "b":
            zero = Number(value.dtype, False, (0,))
            args = (value, zero)
            if not is_simple("not_equal", [value.dtype] * 2 + [self.dtype], args):
                raise NotLowered(f"{self.name} of {value.dtype}")
            return Map(self.dtype, value.dims, "not_equal", args)
        if value.dtype.kind not in "biu" or self.dtype.kind not in "iu":
            raise NotLowered(f"{self.name} of {value.dtype} as {self.dtype}")
        made = as_dtype(self.lowering, value, self.dtype)
        assert isinstance(made, Map)
        return made

    def begin(self, step: Step) -> None:
        """Make an array of what is reduced, if it is none."""
        self.is_own = isinstance(self.value, Map)
        if (
            isinstance(self.value, Map)
            and self.value.dtype == step.inputs[0].spec.dtype
        ):
            made = whole(self.lowering, step.inputs[0])
            assert isinstance(made, Array)
            self.source = made
        elif isinstance(self.value, Map):
            self.source = self._made(self.value)
            # Nothing uses it, so it is let go of at the end of the step.
            hold = Hold(self.source.object, self.lowering.place[0])
            self.lowering.holds.append(hold)
        else:
            self.source = self.value

    def _made(self, value: Map) -> Array:
        made = new_array(self.lowering, value.dtype, value.dims)
        compute_into(self.lowering, made, value)
        return made

    # What is computed meanwhile.

    def fusion(self) -> Fusion | None:
        """How it may be reduced without being made; None where it is an array."""
        if not isinstance(self.value, Map):
            return None
        first, stop = self.axes
        value = self.counted or self.value
        return Fusion(
            self.lowering, self.word(), value, first, stop, single=self._single
        )

    def word(self) -> str:
        """What two elements become; the larger of two truths is either of them."""
        name = self.ufunc.__name__
        return OF_TRUTHS.get(name, name) if self.dtype.kind == "b" else name

    def _single(self, to: Operand, source: Operand, count: Operand) -> None:
        self.reduced, size = count, self.dtype.itemsize
        self.row_at(to, source, size)

    def fused(self, fusion: Fusion, make: MakeArray = new_array) -> list[Operand]:
        """The operands of the result, whose parts no array is made of."""
        lowering = self.lowering
        is_ordered = fusion.dtype.kind in "biu" and len(self.sizes) < 2
        if not (self.is_cast or is_ordered):
            leave_unless_rows_first(lowering, fusion.value)
        if self.variable.spec.shape == ():
            parts = fusion.number()
            return list(self.divided(parts) if self.name == "mean" else parts)
        made = make(lowering, self.dtype, self.sizes)
        kept = [*range(len(self.sizes))]
        if len(kept) == len(fusion.value.dims):
            del kept[fusion.first : fusion.stop]
        dims = tuple(made.dims[axis] for axis in kept)
        strides = tuple(made.strides[axis] for axis in kept)
        fusion.fill(replace(made, dims=dims, strides=strides))
        if self.name == "mean":
            self.divide_all(made)
        return list(operands_of(made))

    def apart(self) -> list[Operand]:
        """The same, of an array that is made and let go of."""
        assert isinstance(self.value, Map)
        self.is_own, self.source = True, self._made(self.value)
        found = self.write()
        self.lowering.emit("release", self.source.object)
        return found

    def written_out(self) -> Map | None:
        """An expression of the elements that are reduced; None: there are many."""
        first, stop = self.axes
        size, value = self.value.dims[first], self.value
        if isinstance(size, Local) or not 1 <= size <= FEW or stop - first > 1:
            return None
        size = int(size)
        if self.dtype.kind not in "biuf":
            return None
        name = self.word()
        if first_of(name, self.dtype) is None or operations(value) * size > OPERATIONS:
            return None
        if isinstance(value, Array) and not self._is_forward(value, first):
            return None
        keeps = len(self.sizes) == len(value.dims)
        made = written_out(self.lowering, name, value, first, size, keeps)
        return self.divided_map(made) if self.name == "mean" else made

    def _is_forward(self, value: Array, axis: int) -> bool:
        """Whether NumPy goes through an axis from its beginning on."""
        stride = value.strides[axis]
        return not isinstance(stride, Local) and stride > 0

    # What is written.

    def is_known(self) -> Operand:
        """Whether NumPy goes through the array in the order that is known here."""
        if self.is_own:
            return True
        if len(self.source.dims) == 1:
            (stride,) = self.source.strides
            return self.lowering.compute("icmp sgt", BIT, stride, 0, type=INT)
        return is_one_piece(self.lowering, self.source)

    def refuse_nothing(self) -> None:
        """Of nothing there is no largest, and a mean with a warning: Python's."""
        if self.first is None or self.name == "mean":
            test = self.lowering.compute("icmp eq", BIT, self.reduced, 0, type=INT)
            self.lowering.leave_if(test)

    def write(self) -> list[Operand]:
        """The operands of the result."""
        lowering, source = self.lowering, self.source
        strides = strides_of(lowering, self.dtype, source.dims)
        fusion = self.of_few(source.strides if len(source.dims) == 1 else strides)
        if fusion is not None:
            return self.fused(fusion)
        if self.variable.spec.shape == ():
            size = str(self.dtype.itemsize)
            cell = lowering.compute("buffer", POINTER, symbol=size)
            made = Array(self.dtype, 0, cell, (), ())
            self._row(made.data, self.source.data)
            parts = load(lowering, made)
            return list(self.divided(parts) if self.name == "mean" else parts)
        made = new_array(lowering, self.dtype, self.sizes)
        self._rows(made)
        if self.name == "mean":
            self.divide_all(made)
        return list(operands_of(made))

    def of_few(self, strides: tuple[Operand, ...]) -> Fusion | None:
        """Of rows so short that a call of NumPy's loop for each takes longer.

        strides: of the array, whose rows follow one another; None where the rows are
                 long, or may be
        """
        (first, stop), dims = self.axes, self.source.dims
        row = self.reduced if self.ends_rows else self.after
        is_row = len(dims) == 1
        is_long = isinstance(row, Local) or row > (ROW if is_row else SHORT)
        if is_long or (not is_row and self.variable.spec.shape == ()):
            return None
        source = replace(self.source, strides=strides, is_view=True)
        value, alone = Map(self.dtype, dims, "cast", (source,)), self._single
        found = Fusion(self.lowering, self.word(), value, first, stop, single=alone)
        return found if found.is_possible() is True else None

    def _stride(self) -> Operand:
        """The bytes from one element of a row to the next."""
        if len(self.source.dims) == 1:
            return self.source.strides[0]
        return self.dtype.itemsize

    def _row(self, target: Operand, source: Operand) -> None:
        """One row into one element."""
        self.row_at(target, source, self._stride())

    def row_at(
        self, target: Operand, source: Operand, stride: Operand, size: Any = None
    ) -> None:
        """One row, whose elements are a stride apart, into one element."""
        lowering, count = self.lowering, self.reduced if size is None else size
        cell = Array(self.dtype, 0, target, (), ())
        if self.first is None:
            put(lowering, cell, load(lowering, replace(cell, data=source)))
            source = lowering.compute("address", POINTER, source, 1, stride)
            count = lowering.compute("sub", INT, count, 1, type=INT)
        else:
            put(lowering, cell, self.beginning())
        self.call(count, target, 0, source, stride)

    def beginning(self) -> tuple[Operand, ...]:
        """What a fold begins with, where that is no element."""
        kind = {"b": bool, "i": int, "u": int}.get(self.dtype.kind, float)
        rest = (0.0,) if self.dtype.kind == "c" else ()
        return (kind(self.first or 0), *rest)

    def call(
        self, count: Operand, to: Operand, step: Operand, source: Operand, by: Operand
    ) -> None:
        """NumPy's loop: so many elements from one place on, put to those at another."""
        operands = (count, to, step, source, by, to, step)
        made = Instruction("numpys", (), operands, symbol=self.symbol)
        self.lowering.block.instructions.append(made)

    def _each(self, count: Operand, write: Callable[[Operand], None]) -> None:
        """Write for each index below a count."""
        if count == 1 and not isinstance(count, Local):
            write(0)
            return
        index = self.lowering.local(INT)
        blocks = (self.lowering.within(lambda: write(index)),)
        self.lowering.emit("for", index, count, blocks=blocks)

    def _rows(self, made: Array) -> None:
        """Each part of the result: of rows one by one, or of row put to row."""
        lowering, size = self.lowering, self.dtype.itemsize
        width = times(lowering, self.after, size)
        part = times(lowering, self.reduced, width)

        def one(index: Operand) -> None:
            to = lowering.compute("address", POINTER, made.data, index, width)
            start = lowering.compute("address", POINTER, self.source.data, index, part)
            if self.ends_rows:
                self._row(to, start)
                return
            # Of one column NumPy makes a row.
            single = lowering.compute("icmp eq", BIT, self.after, 1, type=INT)
            blocks = (
                lowering.within(lambda: self._row(to, start)),
                lowering.within(lambda: self._put_together(to, start, width)),
            )
            lowering.emit("if", single, blocks=blocks)

        self._each(self.before, one)

    def _put_together(self, to: Operand, start: Operand, width: Operand) -> None:
        """Row put to row, element by element, into a row of the result."""
        lowering, size = self.lowering, self.dtype.itemsize
        row = Array(self.dtype, 0, to, (self.after,), (size,), True)
        count = self.reduced
        if self.first is None:
            compute_into(lowering, row, replace(row, data=start))
            start = lowering.compute("address", POINTER, start, 1, width)
            count = lowering.compute("sub", INT, count, 1, type=INT)
        else:
            compute_into(lowering, row, Number(self.dtype, False, self.beginning()))

        def one(index: Operand) -> None:
            source = lowering.compute("address", POINTER, start, index, width)
            self.call(self.after, to, size, source, size)

        self._each(count, one)

    # The mean: NumPy divides in float64 and casts.

    def divided(self, parts: Sequence[Operand]) -> tuple[Operand, ...]:
        """The mean, of a sum."""
        lowering, (part,) = self.lowering, parts
        if self.counted is not None:
            part = lowering.compute("sitofp", DOUBLE, part, type=INT)
        count = lowering.compute("sitofp", DOUBLE, self.reduced, type=INT)
        if self.dtype == np.dtype(float):
            return (lowering.compute("fdiv", DOUBLE, part, count, type=DOUBLE),)
        wide = lowering.compute("fpext", DOUBLE, part, type="float")
        found = lowering.compute("fdiv", DOUBLE, wide, count, type=DOUBLE)
        return (lowering.compute("fptrunc", "float", found, type=DOUBLE),)

    def divide_all(self, made: Array) -> None:
        """The means, in place of sums."""
        compute_into(self.lowering, made, self.divided_map(made))

    def divided_map(self, made: Array | Map) -> Map:
        return divided(self.lowering, made, self.reduced)
