"""library: calls of NumPy's functions that are no ops, where there is machine code.

The graph has one op for all of them, a call of Python's; which functions have a row
here, `having.py` knows.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from runtime.backends.llvm.having import HOST_CALL, library_name
from runtime.backends.llvm.loops import Array, Map, Number, Operand
from runtime.backends.llvm.lowering import LOWER, OF_ARRAYS, OTHERS, Lower, Lowering
from runtime.backends.llvm.number_calls import number_call
from runtime.backends.llvm.quiet_calls import quiet_call
from runtime.backends.llvm.slices import index_of
from runtime.backends.llvm.values import NotLowered
from runtime.backends.numpy.program import Step, Variable
from runtime.ops.template import Input
from runtime.structs import struct


@struct
class Call:
    """A call of a function of NumPy's.

    step: it; args: what it is called with, by the names of the function's parameters:
          a variable, or what the graph holds
    """

    lowering: Lowering
    step: Step
    args: dict[str, Any]

    def operand(self, name: str) -> Number | Array | Map:
        """An array, or a number, of the program's or of the graph's."""
        found = self.args[name]
        if isinstance(found, Variable):
            return self.lowering.operand(found)
        return number_of(found)

    def size(self, name: str, usual: Any = None) -> Operand:
        """An int: of Python's, or NumPy's."""
        found = self.args.get(name, usual)
        if isinstance(found, Variable):
            spec = self.step.inputs[self.step.inputs.index(found)].spec
            if spec.shape != () or spec.dtype is None or spec.dtype.kind != "i":
                raise NotLowered("a size that is no int")
            index = index_of(self.lowering, Input(0), [found])
        else:
            index = found if type(found) is int else None
        if index is None:
            raise NotLowered("a size that is no int")
        return index


Row = Callable[[Call], None]
# The functions that have machine code: the names of their parameters, and the row,
# filled when a program has one; and the rows of the ops below, filled by their modules.
ROWS: dict[str, tuple[tuple[str, ...], Row]] = {}
OPS: dict[str, Lower] = {}
# By the module that has their rows, ops that few programs have: it is loaded when one
# comes. Those that give numbers, and those that give arrays.
NUMBERS = {
    "casts": "round",
    "composed": "clip",
    "countings": "count_nonzero",
    "middles": "median",
    "row_sums": "ptp std trace var",
    "searches": "searchsorted",
}
ARRAYS = {
    "casts": "cast round",
    "composed": "clip cross diff kron outer",
    "counted": "arange cumprod cumsum linspace",
    "countings": "bincount flatnonzero nonzero",
    "gathers": "index take",
    "laid": "eye repeat roll tile tril triu",
    "middles": "unique",
    "searches": "searchsorted",
}
# By the op.
MODULES = {
    word: f"runtime.backends.llvm.{module}"
    for table in (NUMBERS, ARRAYS)
    for module, words in table.items()
    for word in words.split()
}


def number_of(found: Any) -> Number:
    """A number of Python's that the graph holds."""
    if type(found) not in (bool, int, float):
        raise NotLowered("what is no number")
    dtype = np.asarray(found).dtype
    return Number(dtype, True, (found,))


def host_call(lowering: Lowering, step: Step) -> None:
    """A call, by the row of its function."""
    name = library_name(step)
    if name is None and (number_call(lowering, step) or quiet_call(lowering, step)):
        return
    if name is None:
        # Of SciPy's functions of elements some are ours.
        table = OF_ARRAYS if any(v.spec.shape for v in step.outputs) else LOWER
        table[OTHERS](lowering, step)
        return
    load()
    names, row = ROWS[name]
    known = step.node.attributes
    if len(known["args"]) > len(names) or not known["kwargs"].keys() <= {*names}:
        raise NotLowered(f"{name} with more arguments")
    given = dict(zip(names, known["args"], strict=False)) | known["kwargs"]
    args = {
        word: step.inputs[one.k] if isinstance(one, Input) else one
        for word, one in given.items()
    }
    row(Call(lowering, step, args))


def op(lowering: Lowering, step: Step) -> None:
    """An op, by the row of its module."""
    name = step.node.op.name
    import_module(MODULES[name])
    OPS[name](lowering, step)


def load() -> None:
    """Fill the tables: it takes 15 ms, and few programs have any of these."""
    from runtime.backends.llvm import library_rows

    assert library_rows.FILLED


for _table, _rows in ((NUMBERS, LOWER), (ARRAYS, OF_ARRAYS)):
    _rows |= {HOST_CALL: host_call}
    _rows |= dict.fromkeys(" ".join(_table.values()).split(), op)
