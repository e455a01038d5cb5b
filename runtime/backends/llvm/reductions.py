"""reductions: sums, products, extremes and means of arrays, by NumPy's own loops.

What is reduced becomes three axes: those before, those reduced, those after. Where none
comes after, NumPy's loop runs over each row (and adds in pairs); else it puts row to
row. The same loops in the same order give the same bits. An array that NumPy would go
through in another order is reduced by Python.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from runtime.backends.llvm import abi
from runtime.backends.llvm.arrays import load, put
from runtime.backends.llvm.blocks import compute_into, new_array
from runtime.backends.llvm.elements import is_simple
from runtime.backends.llvm.fallback import call_python, whole
from runtime.backends.llvm.loops import (
    BIT,
    DOUBLE,
    INT,
    POINTER,
    Array,
    Instruction,
    List,
    Local,
    Map,
    Number,
    Numeric,
    Operand,
    operands_of,
)
from runtime.backends.llvm.lowering import LOWER, OF_ARRAYS, Lowering
from runtime.backends.llvm.maps import as_dtype
from runtime.backends.llvm.pieces import is_one_piece
from runtime.backends.llvm.references import Hold
from runtime.backends.llvm.values import NotLowered
from runtime.backends.numpy.program import Step

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
WARNED = frozenset({"sum", "mean", "prod"})
DOUBLES = np.dtype(float)


class Reduction:
    """One reduction, under construction.

    before, reduced, after: the sizes of the three axes
    """

    def __init__(self, lowering: Lowering, step: Step) -> None:
        self.lowering = lowering
        self.name = step.node.op.name
        self.ufunc, self.first = UFUNCS[self.name]
        (self.variable,) = step.outputs
        spec = self.variable.spec
        if spec.dtype is None or spec.shape is None:
            raise NotLowered(f"a reduction of {spec!r}")
        self.dtype = spec.dtype
        self.symbol = self._loop()
        first, stop = _axes(step)
        self.source, self.is_own = self._operand(step)
        dims = self.source.dims
        self.before = _product(lowering, dims[:first])
        self.reduced = _product(lowering, dims[first:stop])
        self.after = _product(lowering, dims[stop:])
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

    def _operand(self, step: Step) -> tuple[Array, bool]:
        """What is reduced, in the result's dtype; whether it was made for this."""
        (variable,) = step.inputs
        value = self.lowering.operand(variable)
        if isinstance(value, Number):
            raise NotLowered(f"{self.name} of a number")
        if value.dtype == self.dtype:
            made = whole(self.lowering, variable)
            assert isinstance(made, Array)
            return made, isinstance(value, Map)
        return self._made(self._cast(value)), True

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

    def _made(self, value: Map) -> Array:
        made = new_array(self.lowering, value.dtype, value.dims)
        compute_into(self.lowering, made, value)
        # Nothing uses it, so it is let go of at the end of the step.
        self.lowering.holds.append(Hold(made.object, self.lowering.place[0]))
        return made

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
        lowering = self.lowering
        if self.variable.spec.shape == ():
            size = str(self.dtype.itemsize)
            cell = lowering.compute("buffer", POINTER, symbol=size)
            made = Array(self.dtype, 0, cell, (), ())
            self._row(made.data, self.source.data)
            parts = load(lowering, made)
            return list(self._divided(parts) if self.name == "mean" else parts)
        made = new_array(lowering, self.dtype, self.sizes)
        self._rows(made)
        if self.name == "mean":
            self._divide_all(made)
        return list(operands_of(made))

    def _stride(self) -> Operand:
        """The bytes from one element of a row to the next."""
        if len(self.source.dims) == 1:
            return self.source.strides[0]
        return self.dtype.itemsize

    def _row(self, target: Operand, source: Operand) -> None:
        """One row, whose elements are a stride apart, into one element."""
        lowering, stride, count = self.lowering, self._stride(), self.reduced
        cell = Array(self.dtype, 0, target, (), ())
        if self.first is None:
            put(lowering, cell, load(lowering, replace(cell, data=source)))
            source = lowering.compute("address", POINTER, source, 1, stride)
            count = lowering.compute("sub", INT, count, 1, type=INT)
        else:
            put(lowering, cell, self._beginning())
        self._call(count, target, 0, source, stride)

    def _beginning(self) -> tuple[Operand, ...]:
        kind = {"b": bool, "i": int, "u": int}.get(self.dtype.kind, float)
        rest = (0.0,) if self.dtype.kind == "c" else ()
        return (kind(self.first or 0), *rest)

    def _call(
        self, count: Operand, to: Operand, step: Operand, source: Operand, by: Operand
    ) -> None:
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
        width = _times(lowering, self.after, size)
        part = _times(lowering, self.reduced, width)

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
            compute_into(lowering, row, Number(self.dtype, False, self._beginning()))

        def one(index: Operand) -> None:
            source = lowering.compute("address", POINTER, start, index, width)
            self._call(self.after, to, size, source, size)

        self._each(count, one)

    # The mean: NumPy divides in float64 and casts.

    def _divided(self, parts: Sequence[Operand]) -> tuple[Operand, ...]:
        lowering, (part,) = self.lowering, parts
        count = lowering.compute("sitofp", DOUBLE, self.reduced, type=INT)
        if self.dtype == DOUBLES:
            return (lowering.compute("fdiv", DOUBLE, part, count, type=DOUBLE),)
        wide = lowering.compute("fpext", DOUBLE, part, type="float")
        found = lowering.compute("fdiv", DOUBLE, wide, count, type=DOUBLE)
        return (lowering.compute("fptrunc", "float", found, type=DOUBLE),)

    def _divide_all(self, made: Array) -> None:
        lowering, dims = self.lowering, made.dims
        count = lowering.compute("sitofp", DOUBLE, self.reduced, type=INT)
        wide: Array | Map = made
        if self.dtype != DOUBLES:
            wide = Map(DOUBLES, dims, "cast", (made,))
        found = Map(DOUBLES, dims, "divide", (wide, Number(DOUBLES, False, (count,))))
        if self.dtype != DOUBLES:
            found = Map(self.dtype, dims, "cast", (found,))
        compute_into(lowering, made, found)


def reduction(lowering: Lowering, step: Step) -> None:
    """A reduction along axes that lie side by side."""
    found = Reduction(lowering, step)
    found.refuse_nothing()
    (variable,) = step.outputs
    made = lowering.entering(variable)
    assert not isinstance(made, List)
    known = found.is_known()

    def here() -> None:
        lowering.assign(operands_of(made), found.write())

    def there() -> None:
        call_python(lowering, step, (made,))

    if isinstance(known, Local):
        blocks = (lowering.within(here), lowering.within(there))
        lowering.emit("if", known, blocks=blocks)
    else:
        here()
    _give(lowering, step, made)


def _give(lowering: Lowering, step: Step, made: Numeric) -> None:
    (variable,) = step.outputs
    lowering.values[variable] = made
    if isinstance(made, Array):
        lowering.hold(variable, made.object, lowering.place[0])
    if made.dtype.kind in "fc" and step.node.op.name in WARNED:
        lowering.warned.append(step)


def _axes(step: Step) -> tuple[int, int]:
    """The first of the axes that are reduced, and the one after the last."""
    rank, known = len(step.inputs[0].spec.shape or ()), step.node.attributes
    axis = known.get("axis")
    axes = range(rank) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    found = sorted(one % rank for one in axes)
    if not rank or not found or found != list(range(found[0], found[-1] + 1)):
        raise NotLowered(f"a reduction along {axis}")
    return found[0], found[-1] + 1


def _product(lowering: Lowering, sizes: Sequence[Operand]) -> Operand:
    found: Operand = 1
    for size in sizes:
        found = _times(lowering, found, size)
    return found


def _times(lowering: Lowering, a: Operand, b: Operand) -> Operand:
    if isinstance(a, Local) or isinstance(b, Local):
        return lowering.compute("mul", INT, a, b, type=INT)
    return a * b


LOWER |= dict.fromkeys(UFUNCS, reduction)
OF_ARRAYS |= dict.fromkeys(UFUNCS, reduction)
