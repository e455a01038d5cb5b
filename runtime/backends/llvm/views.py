"""views: an array's own elements: its axes in another order, or with one more.

Where nothing but further operations of elements takes what has one more, it is an
expression still: `pull[:, None]`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from runtime.backends.llvm import arrays
from runtime.backends.llvm.blocks import choice, compute_into, new_array, strides_of
from runtime.backends.llvm.chains import give, is_left
from runtime.backends.llvm.fallback import call_python, whole
from runtime.backends.llvm.loops import (
    INT,
    POINTER,
    Array,
    Local,
    Map,
    Operand,
    operands_of,
)
from runtime.backends.llvm.lowering import LOWER, OF_ARRAYS, Lowering
from runtime.backends.llvm.maps import is_surely_same, with_axis
from runtime.backends.llvm.meeting import axes_added
from runtime.backends.llvm.pieces import (
    dropped,
    inside,
    is_dropped,
    is_folded,
    is_one_piece,
    least,
    most,
    product,
    times,
)
from runtime.backends.llvm.sharing import plus
from runtime.backends.llvm.slices import index_of
from runtime.backends.llvm.values import NotLowered
from runtime.backends.numpy.program import Step, Variable
from runtime.structs import replace


def transpose(lowering: Lowering, step: Step) -> None:
    """`x.T`, `x.transpose(axes)`: a view."""
    array = lowering.array_of(step.inputs[0])
    rank, axes = len(array.dims), step.node.attributes.get("axes")
    order = [axis % rank for axis in (axes or range(rank)[::-1])]
    dims = tuple(array.dims[axis] for axis in order)
    strides = tuple(array.strides[axis] for axis in order)
    (variable,) = step.outputs
    is_turned = array.is_turned is not (order == [*range(rank)][::-1])
    view = replace(array, dims=dims, strides=strides, is_view=True, is_turned=is_turned)
    if not _is_told_apart(lowering, step):
        view = _turned_back(lowering, step.inputs[0], view)
    lowering.values[variable] = view
    lowering.join(variable, step.inputs[0])


def _is_told_apart(lowering: Lowering, step: Step) -> bool:
    """Whether the caller is given the view, and another one or the array as well.

    What was passed is with the caller in any case.
    """
    (result,) = step.outputs
    given = result.home.results
    if result.home.parent is not None or result not in given:
        return False
    held = lowering.held[step.inputs[0]].variables
    # What a loop carries enters its body, and was not passed.
    passed = (one.index < 0 and one.home is result.home for one in held)
    return given[result] > 1 or any(passed) or any(one in given for one in held)


def _turned_back(lowering: Lowering, of: Variable, view: Array) -> Array:
    """The array itself, where a view of its view lies as it does."""
    for one in lowering.held[of].variables:
        array = lowering.values.get(one)
        if isinstance(array, Array) and not array.is_view:
            if is_surely_same(array, view):
                return array
    return view


def _is_put_back(step: Step) -> bool:
    """Whether it is the first to read what a loop has changed, which it may be of.

    A later one is another object in Python.
    """
    changed = step.inputs[0]
    body, first = changed.home, changed.index
    if first < 0 or body.steps[first].node.op.name != "while":
        return False
    readers = (one for one in body.steps[first + 1 :] if changed in one.inputs)
    return next(readers) is step


def flip(lowering: Lowering, step: Step) -> None:
    """`np.flip(x, axis)`: a view of what is there, the other way round."""
    array, axis = whole(lowering, step.inputs[0]), step.node.attributes.get("axis")
    if not isinstance(array, Array):
        raise NotLowered("a flip of a number")
    rank = len(array.dims)
    axes = range(rank) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    parts = [slice(None)] * rank
    for one in axes:
        parts[one] = slice(None, None, -1)
    _give_view(lowering, step, arrays.part_of(lowering, array, tuple(parts), []))


def diagonal(lowering: Lowering, step: Step) -> None:
    """`np.diagonal(x)`, `np.diag(x)`: a view."""
    array = whole(lowering, step.inputs[0])
    if not isinstance(array, Array):
        raise NotLowered("the diagonal of a number")
    _give_view(lowering, step, diagonal_of(lowering, array, step.node.attributes))


def diagonal_of(lowering: Lowering, array: Array, known: Mapping[str, Any]) -> Array:
    """What lies in the plane of two axes under one index, as the last axis."""
    rank, offset = len(array.dims), known.get("offset", 0)
    first, second = (known.get(f"axis{n + 1}", n) % rank for n in range(2))
    rows, columns = array.dims[first], array.dims[second]
    step, other = array.strides[first], array.strides[second]
    moved, by = (columns, other) if offset >= 0 else (rows, step)
    left = plus(lowering, moved, -abs(offset)) if offset else moved
    size = least(lowering, left, rows if offset >= 0 else columns)
    if offset:
        size = most(lowering, size, 0)
        if not isinstance(size, Local) and size == 0:
            raise NotLowered("a diagonal of nothing")
    data = arrays.moved(lowering, array.data, abs(offset), by)
    kept = [axis for axis in range(rank) if axis not in (first, second)]
    dims = (*(array.dims[axis] for axis in kept), size)
    strides = (
        *(array.strides[axis] for axis in kept),
        plus(lowering, step, other),
    )
    return replace(array, data=data, dims=dims, strides=strides, is_view=True)


def _give_view(lowering: Lowering, step: Step, view: Array) -> None:
    """The result; where a branch or a loop gives it, Python makes an object of it."""
    require_inside(lowering, step)
    (variable,) = step.outputs
    lowering.values[variable] = view
    lowering.join(variable, step.inputs[0])


def require_inside(lowering: Lowering, step: Step) -> None:
    """NotLowered: a branch or a loop gives the result, which is to be a view."""
    (variable,) = step.outputs
    body = variable.home
    last = body.last_use.get(variable, -1)
    if last >= lowering.end_of(body) or variable in body.kept:
        raise NotLowered("a view that is given")


def slice_(lowering: Lowering, step: Step) -> None:
    """`x[...]`, which may be an expression where it adds axes alone."""
    if not _is_expression(lowering, step):
        arrays.slice_(lowering, step)


def expand_dims(lowering: Lowering, step: Step) -> None:
    """`np.expand_dims(x, axis)`: a view."""
    if _is_expression(lowering, step):
        return
    array = replace(lowering.array_of(step.inputs[0]), is_view=True)
    for at in axes_added(step) or ():
        dims = (*array.dims[:at], 1, *array.dims[at:])
        strides = (*array.strides[:at], 0, *array.strides[at:])
        array = replace(array, dims=dims, strides=strides)
    (variable,) = step.outputs
    lowering.values[variable] = array
    lowering.join(variable, step.inputs[0])


def reshape(lowering: Lowering, step: Step) -> None:
    """`x.reshape(sizes)`: the array's own elements where it is in one piece, else new.

    Which of them it is nobody can tell, unless an input is changed by it: then it lies
    where NumPy has it.
    """
    array, known = whole(lowering, step.inputs[0]), step.node.attributes
    if not isinstance(array, Array) or known.get("turned"):
        raise NotLowered("a reshape of no array, or of one the other way round")
    dims = _sizes(lowering, array, known.get("shape", (-1,)), step.inputs[1:])
    (variable,) = step.outputs
    if len(dims) != len(variable.spec.shape or ()):
        raise NotLowered("a reshape to any dims")
    strides = strides_of(lowering, array.dtype, dims)
    made = Array(array.dtype, array.object, array.data, dims, strides, True)
    piece = is_one_piece(lowering, array)
    if known.get("copies"):
        made = new_array(lowering, array.dtype, dims)
        steps = strides_of(lowering, array.dtype, array.dims)
        as_read = replace(made, dims=array.dims, strides=steps)
        compute_into(lowering, as_read, array)
        arrays.give_array(lowering, step, made)
        return
    if piece is True:
        is_back = _is_put_back(step)
        back = _turned_back(lowering, step.inputs[0], made) if is_back else made
        lowering.values[variable] = back
        lowering.join(variable, step.inputs[0])
        return
    if not isinstance(array.object, Local):
        raise NotLowered("a reshape of what is on the stack in another order")
    if step.shown:
        made = _as_numpys(lowering, step, array, made, piece)
    else:
        made = as_copied(lowering, array, made, piece)
    lowering.values[variable] = made
    lowering.hold(variable, made.object, lowering.place[0])


def as_copied(lowering: Lowering, array: Array, made: Array, piece: Operand) -> Array:
    """The array `made`, of the memory of `array`, or of a copy if it has gaps."""
    thing, data = lowering.local(POINTER), lowering.local(POINTER)

    def here() -> None:
        lowering.emit("hold", array.object)
        lowering.assign([thing, data], [array.object, array.data])

    def copied() -> None:
        made = new_array(lowering, array.dtype, array.dims)
        compute_into(lowering, made, array)
        lowering.assign([thing, data], [made.object, made.data])

    choice(lowering, piece, here, copied)()
    return replace(made, object=thing, data=data)


def _as_numpys(
    lowering: Lowering, step: Step, array: Array, made: Array, piece: Operand
) -> Array:
    """The reshape; of an array not in one piece NumPy says where it lies."""
    given = lowering.entering(step.outputs[0])
    assert isinstance(given, Array)
    given = replace(given, is_view=True)

    def here() -> None:
        lowering.emit("hold", array.object)
        lowering.assign(operands_of(given), operands_of(made))

    def elsewhere() -> None:
        call_python(lowering, step, (replace(given, is_view=False),))

    choice(lowering, piece, here, elsewhere)()
    return given


def _sizes(
    lowering: Lowering, array: Array, shape: tuple[Any, ...], dynamic: list[Variable]
) -> tuple[Operand, ...]:
    """The new sizes, of which one may be what is left; others are left to Python."""
    total = product(lowering, array.dims)
    sizes = [index_of(lowering, part, dynamic) for part in shape]
    known = [int(size) for size in sizes if isinstance(size, int | float)]
    if len(known) < len(sizes):
        raise NotLowered("a reshape to sizes of the run")
    others = [size for size in known if size != -1]
    rest = math.prod(others)
    if rest <= 0 or len(known) - len(others) > 1 or min(others, default=0) < 0:
        raise NotLowered("a reshape of nothing")
    if len(known) == len(others):
        lowering.leave_unless_equal(total, rest)
        return tuple(known)
    if not isinstance(total, Local):
        if total % rest:
            raise NotLowered("a reshape that does not fit")
        left: Operand = total // rest
    elif rest == 1:
        left = total
    else:
        left = lowering.compute("sdiv", INT, total, rest, type=INT)
        lowering.leave_unless_equal(times(lowering, left, rest), total)
    return tuple(left if size == -1 else size for size in known)


def _is_expression(lowering: Lowering, step: Step) -> bool:
    """Give the expression with the axes; else its operand is an array from now on."""
    value, places = lowering.values.get(step.inputs[0]), axes_added(step)
    if not isinstance(value, Map):
        return False
    made = None if places is None else _with_axes(lowering, value, places)
    if made is not None and is_left(lowering, step, made, step.inputs[:1]):
        give(lowering, step, made, step.inputs[:1])
        return True
    whole(lowering, step.inputs[0])
    return False


def _with_axes(lowering: Lowering, value: Map, places: list[int]) -> Map | None:
    """The expression with axes at these places; None where rows would be none."""
    for place in places:
        after = len(value.dims) - place
        if not is_dropped(value):
            if not after and is_folded(value):
                return None
            value = with_axis(value, after, lowering.widened)
            continue
        rows = inside(value)
        assert isinstance(rows, Map)
        if after:
            rows = dropped(with_axis(rows, after + 1, lowering.widened))
        value = rows
    return value


LOWER["slice"] = slice_
OF_ARRAYS |= {"transpose": transpose, "slice": slice_, "expand_dims": expand_dims}
OF_ARRAYS |= {"flip": flip, "diagonal": diagonal}
OF_ARRAYS |= {"reshape": reshape, "ravel": reshape}
