"""sharing: loops over elements of which several threads may each take a part.

Such a loop is a block for some of its units, from `first` on: all of them where there
is little to do. Where there is more, other threads of Python's may run meanwhile; where
there is much, the crew (`crew.py`) shares it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from runtime.backends.llvm.loops import (
    BIT,
    INT,
    Array,
    Instruction,
    Local,
    Map,
    Operand,
    ufunc_named,
)
from runtime.backends.llvm.mathematics import ALL, FUNCTIONS
from runtime.backends.llvm.pieces import Expression, terms_of
from runtime.backends.llvm.references import References
from runtime.backends.llvm.switch import features

# Of so much work Python is let go of, and threads are woken; in tenths of a nanosecond.
LET_GO, SHARED = 100_000, 500_000
# What NumPy's loops take for an element, about, where it is not what most take.
_OF_MOST = 30
_OF_NUMPYS = {"absolute": 8, "sin": 80, "cos": 80, "logaddexp": 120, "logaddexp2": 120}
_OF_NUMPYS |= dict.fromkeys(("hypot", "remainder", "fmod", "floor_divide"), 60)
# Of several functions of ours, or of many operations.
_IN_PARTS = {"complex_exp": 150, "remainder": 40, "floor_divide": 60}
# The same where vectors have less than 64 bytes, for which NumPy has few functions: it
# calls the C library for each element.
_ONE_BY_ONE = _OF_NUMPYS | dict.fromkeys(FUNCTIONS, 150)
_ONE_BY_ONE |= {"exp": 60, "log": 60, "sin": 90, "cos": 90, "hypot": 100, "power": 200}


def share(
    lowering: References,
    count: Operand,
    inner: Sequence[Operand],
    cost: int,
    is_apart: Operand,
    write: Callable[[Operand, Operand], None],
) -> None:
    """The block that `write` makes, given the first unit and their number.

    inner: the sizes whose product is the elements in a unit
    cost:  of an element, in tenths of a nanosecond
    is_apart: whether no unit writes where another one does
    """
    known = [int(size) for size in (count, *inner) if not isinstance(size, Local)]
    if len(known) == 1 + len(inner) and cost * math.prod(known) < LET_GO:
        write(0, count)
        return
    each: Operand = cost
    for size in inner:
        if isinstance(size, Local) or isinstance(each, Local):
            each = lowering.compute("mul", INT, each, size, type=INT)
        else:
            each = each * size
    if isinstance(is_apart, Local):
        each = lowering.compute("select", INT, is_apart, each, 0)
    elif not is_apart:
        each = 0
    first, length = lowering.local(INT), lowering.local(INT)
    block = lowering.within(lambda: write(first, length))
    made = Instruction("share", (first, length), (count, each), (block,))
    lowering.block.instructions.append(made)


def apart(lowering: References, target: Array) -> Operand:
    """Whether each part of an array begins after the one before has ended."""
    if not target.dims:
        return True
    first, *rest = target.strides
    span: Operand = target.dtype.itemsize
    for size, stride in zip(target.dims[1:], rest, strict=True):
        if isinstance(size, Local) or isinstance(stride, Local):
            steps = lowering.compute("sub", INT, size, 1, type=INT)
            far: Operand = lowering.compute(
                "mul", INT, steps, _length(lowering, stride), type=INT
            )
            span = plus(lowering, span, far)
        else:
            span = plus(lowering, span, (int(size) - 1) * abs(int(stride)))
    if isinstance(first, Local) or isinstance(span, Local):
        far = _length(lowering, first)
        return lowering.compute("icmp sge", BIT, far, span, type=INT)
    return abs(int(first)) >= span


def is_surely_apart(target: Array) -> bool:
    """The same, where it is known before the run."""
    known = (*target.dims[1:], *target.strides)
    if any(isinstance(one, Local) for one in known):
        return False
    (first, *steps), sizes = target.strides, target.dims[1:]
    span = target.dtype.itemsize
    for size, step in zip(sizes, steps, strict=True):
        assert not isinstance(size, Local)
        assert not isinstance(step, Local)
        span += (int(size) - 1) * abs(int(step))
    return not isinstance(first, Local) and abs(int(first)) >= span


def _length(lowering: References, stride: Operand) -> Operand:
    if not isinstance(stride, Local):
        return abs(int(stride))
    other = lowering.compute("sub", INT, 0, stride, type=INT)
    return lowering.compute("smax", INT, stride, other)


def cost_of(value: Expression) -> int:
    """What an element of an expression takes, about, in tenths of a nanosecond."""
    return sum(map(own_cost, terms_of(value)))


def own_cost(value: Expression) -> int:
    """The same of its last operation alone."""
    if isinstance(value, Map) and value.dtype.kind in "fc" and value.op in _IN_PARTS:
        return _IN_PARTS[value.op]
    own = ALL.get(value.op) if isinstance(value, Map) else None
    is_wide = features().get("AVX512F", False)
    if own:
        # What has the library's bits asks it the oftener for each vector.
        return own.cost * (1 if is_wide else 3 if own.asked else 2)
    if isinstance(value, Map) and value.symbol:
        known = _OF_NUMPYS if is_wide else _ONE_BY_ONE
        return known.get(ufunc_named(value.symbol), _OF_MOST)
    return 2


def plus(lowering: References, a: Operand, b: Operand) -> Operand:
    """The sum of two ints of the machine."""
    if a == 0 and not isinstance(a, Local):
        return b
    if b == 0 and not isinstance(b, Local):
        return a
    if not isinstance(a, Local) and not isinstance(b, Local):
        return a + b
    return lowering.compute("add", INT, a, b, type=INT)
