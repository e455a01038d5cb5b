"""placed: results that are computed where the program says that they are to be.

`np.matmul(a, b, out=x)` is a product and a store of it in the graph, and `np.cumsum(x,
out=x)` a value that x holds from then on. Sharing has found that nobody reads what lies
there later (`numpy/placing.py`); of a product the run looks whether what is read lies
there, and an array of its own is made for the result only where it does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from runtime.backends.llvm.arrays import give_array, place_in
from runtime.backends.llvm.blocks import choice, compute_into, new_array
from runtime.backends.llvm.in_place import is_put_back, note_written, place_of
from runtime.backends.llvm.loops import BIT, Array, Operand
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.maps import is_surely_same, meet
from runtime.backends.llvm.pieces import all_of, is_one_piece
from runtime.backends.llvm.stack import result_array
from runtime.backends.numpy.program import Step
from runtime.structs import replace, struct


@struct(eq=False)
class Result:
    """What a step gives.

    reads:   the arrays that it is computed of
    in_turn: each element is written after what lies there was read, by any strides;
             else it is to be in one piece
    """

    dtype: np.dtype[np.generic]
    dims: Sequence[Operand]
    reads: Sequence[Array]
    in_turn: bool = False


def give_computed(
    lowering: Lowering, step: Step, made: Result, compute: Callable[[Array], None]
) -> None:
    """Give what `compute(array)` writes: where it is to be, or as a new array."""
    place = _operand(lowering, step, made) or _stored(lowering, step, made)
    if place is None:
        array = result_array(lowering, step.outputs[0], made.dtype, made.dims)
        compute(array)
        give_array(lowering, step, array)
        return
    for size, known in zip(made.dims, place.dims, strict=True):
        if size is not known:
            lowering.leave_unless_equal(size, known)
    meets = _meets(lowering, place, made)
    beside = partial(_beside, lowering, place, compute)
    choice(lowering, meets, beside, partial(compute, place))()
    if step.into is not None:
        note_written(lowering, step, step.into)
        return
    assert step.stored is not None
    (variable,) = step.outputs
    lowering.values[variable] = replace(place, is_view=True)
    lowering.join(variable, step.stored.inputs[0])


def _meets(lowering: Lowering, place: Array, made: Result) -> Operand:
    """Whether it may not be computed there.

    Sharing has found that nothing but a ufunc reads what lies there, or it itself.
    """
    if made.in_turn:
        return False
    apart = [is_one_piece(lowering, place)]
    for one in made.reads:
        both = meet(lowering, place, one)
        apart.append(lowering.compute("xor", BIT, both, True, type=BIT))
    found = all_of(lowering, apart)
    return lowering.compute("xor", BIT, found, True, type=BIT)


def _beside(lowering: Lowering, place: Array, compute: Callable[[Array], None]) -> None:
    array = new_array(lowering, place.dtype, place.dims)
    compute(array)
    compute_into(lowering, place, array)
    lowering.emit("release", array.object)


def _operand(lowering: Lowering, step: Step, made: Result) -> Array | None:
    """The operand whose memory the result is to be in, which it is computed of."""
    into = step.into
    if into is None or not made.in_turn or place_of(lowering, step) is not into:
        return None
    array = lowering.array_of(into)
    if array.is_view and step.stored is None and not is_put_back(step):
        return None
    if not (_fits(array, made) and any(is_surely_same(array, x) for x in made.reads)):
        return None
    return array


def _stored(lowering: Lowering, step: Step, made: Result) -> Array | None:
    """The place where the next step stores the result."""
    store, (variable,) = step.stored, step.outputs
    if store is None or step.into is not None or store.node.op.name != "store":
        return None
    body, at = variable.home, variable.index + 1
    if at >= min(lowering.end_of(body), len(body.steps)) or body.steps[at] is not store:
        return None
    array = lowering.array_of(store.inputs[0])
    if array.is_view and not (store.in_place and is_put_back(store)):
        return None
    place = place_in(lowering, array, store)
    return place if _fits(place, made) else None


def _fits(array: Array, made: Result) -> bool:
    return array.dtype == made.dtype and len(array.dims) == len(made.dims)
