"""bands: short rows of which a loop of NumPy's is given several at once.

Such a loop takes 20 to 40 ns to begin, as long as dozens of elements: 32 rows of 64
took half as long again in `np.tanh(x + bias)`, and twice as long with a maximum. So
what the loop is given of some rows is put one row after the other, in a buffer on the
stack.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.backends.llvm.loops import (
    INT,
    POINTER,
    Array,
    Instruction,
    Local,
    Map,
    Number,
    Operand,
)
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.pieces import Expression, is_one, product, terms_of
from runtime.backends.llvm.repeats import repeated
from runtime.backends.llvm.row_block import BLOCK, BUFFERS
from runtime.backends.llvm.sharing import plus
from runtime.structs import replace

# Writes some rows of an expression: the first one, and how many.
Write = Callable[[Array, Expression, Operand, Operand], None]


def is_banded(target: Array, value: Expression) -> bool:
    """Whether these are rows so short that loops of NumPy's take several at once."""
    size = target.dims[-1]
    if len(target.dims) != 2 or isinstance(size, Local) or not 0 < 2 * size <= BLOCK:
        return False
    loops = [one for one in terms_of(value) if isinstance(one, Map) and one.symbol]
    count = sum(1 + len(one.args) for one in loops)
    return 0 < count <= BUFFERS and all(map(is_short, loops))


def in_bands(
    lowering: Lowering,
    target: Array,
    value: Expression,
    rows: tuple[Operand, Operand],
    write: Write,
) -> None:
    """Compute some rows, band by band.

    rows: the first one, and how many; write: what computes rows without such loops
    """
    (first, length), size = rows, target.dims[1]
    assert not isinstance(size, Local)
    many = BLOCK // int(size)
    if not isinstance(length, Local) and length <= many:
        _Band(lowering, first, length, write).fill(target, value)
        return
    more = plus(lowering, length, many - 1)
    count: Operand = (
        lowering.compute("sdiv", INT, more, many, type=INT)
        if isinstance(more, Local)
        else int(more) // many
    )
    index = lowering.local(INT)

    def band() -> None:
        done = lowering.compute("mul", INT, index, many, type=INT)
        rest = lowering.compute("sub", INT, length, done, type=INT)
        some = lowering.compute("smin", INT, rest, many)
        begin = plus(lowering, first, done)
        _Band(lowering, begin, some, write).fill(target, value)

    blocks = (lowering.within(band),)
    lowering.emit("for", index, count, blocks=blocks)


class _Band:
    """Some rows, from `first` on: `count` of them.

    known: what stands for a part of an expression: rows of an array, or a buffer
    """

    def __init__(
        self, lowering: Lowering, first: Operand, count: Operand, write: Write
    ) -> None:
        self.lowering, self.first, self.count = lowering, first, count
        self.write = write
        self.known: dict[int, Expression] = {}

    def fill(self, target: Array, value: Expression) -> None:
        """All that these rows are made of, the loops first."""
        target = self._rows(target)
        terms = [one for one in terms_of(value) if isinstance(one, Map)]
        loops = [arg for one in terms if one.symbol for arg in one.args]
        kept = repeated([*loops, value], lambda one: bool(one.symbol), lambda one: True)
        for one in terms:
            if one.symbol:
                is_last = one is value and _is_one_piece(target)
                made = target if is_last else self._buffer(one)
                self._loop(one, made)
                if is_last:
                    return
                self.known[id(one)] = made
            elif id(one) in kept and is_short(one):
                self._filled(one)
        self.write(target, self._of(value), 0, self.count)

    def _rows(self, array: Array) -> Array:
        """These rows of an array; all of one that is repeated for each row."""
        if len(array.dims) < 2 or is_one(array.dims[0]):
            return array
        data, step = array.data, array.strides[0]
        data = self.lowering.compute("address", POINTER, data, self.first, step)
        dims = (self.count, *array.dims[1:])
        return replace(array, data=data, dims=dims, is_view=True)

    def _of(self, value: Expression) -> Expression:
        """The expression of these rows, with what is known of it."""
        if isinstance(value, Number):
            return value
        found = self.known.get(id(value))
        if found is None:
            if isinstance(value, Array):
                found = self._rows(value)
            else:
                args: Any = tuple(map(self._of, value.args))
                found = replace(value, args=args)
            self.known[id(value)] = found
        return found

    def _buffer(self, value: Expression) -> Array:
        """Memory for what a term is in a band: all rows, or one that is repeated."""
        assert not isinstance(value, Number)
        item, (*rows, size) = value.dtype.itemsize, value.dims
        assert not isinstance(size, Local)
        data = self._memory(item)
        strides = (int(size) * item, item)[-len(value.dims) :]
        dims = (*(1 if is_one(one) else self.count for one in rows), size)
        return Array(value.dtype, 0, data, dims, strides)

    def _memory(self, item: int) -> Operand:
        room = str(BLOCK * item)
        return self.lowering.compute("buffer", POINTER, symbol=room)

    def _filled(self, value: Expression) -> Array:
        """A buffer with what an expression is."""
        made = self._buffer(value)
        self.write(made, self._of(value), 0, made.dims[0])
        self.known[id(value)] = made
        return made

    def _loop(self, value: Map, into: Array) -> None:
        """NumPy's loop over all rows of the band."""
        operands: list[Operand] = [product(self.lowering, into.dims)]
        for arg in value.args:
            operands += self._operand(arg, into)
        operands += [into.data, into.dtype.itemsize]
        made = Instruction("numpys", (), tuple(operands), symbol=value.symbol)
        self.lowering.block.instructions.append(made)

    def _operand(self, arg: Expression, into: Array) -> tuple[Operand, Operand]:
        """Where the loop finds an operand, and its step."""
        item = arg.dtype.itemsize
        if isinstance(arg, Number):
            cell = Array(arg.dtype, 0, self._memory(item), (1,), (item,))
            self.write(cell, arg, 0, 1)
            return cell.data, 0
        found = self._of(arg)
        if not isinstance(found, Array) or not _is_like(found, into):
            # What is repeated is written for each row.
            lies = (
                into.dims,
                tuple(
                    step // into.dtype.itemsize * item
                    for step in into.strides
                    if not isinstance(step, Local)
                ),
            )
            whole = Array(arg.dtype, 0, self._memory(item), *lies)
            self.write(whole, found, 0, into.dims[0])
            return whole.data, item
        return found.data, item


def is_short(value: Map) -> bool:
    """Whether it is rows of a known size, or one, for which a buffer has room."""
    if not 1 <= len(value.dims) <= 2 or isinstance(value.dims[-1], Local):
        return False
    return 0 < 2 * value.dims[-1] <= BLOCK


def _is_one_piece(array: Array) -> bool:
    """Whether the rows lie one after the other, as is known before the run."""
    item, size = array.dtype.itemsize, array.dims[-1]
    wanted = (size * item, item) if not isinstance(size, Local) else ()
    known = not any(isinstance(one, Local) for one in array.strides)
    return known and array.strides == wanted[-len(array.dims) :]


def _is_like(array: Array, target: Array) -> bool:
    """Whether it has the target's rows, none repeated, one after the other."""
    return array.dims == target.dims and _is_one_piece(array)
