"""references: the arrays that the two sides of an `if` leave in one place.

Where one side leaves an array from outside of the `if`, the place refers to that very
array if the run takes this side. What is joined knows it then (`runtime.picked`), so a
change through either name is seen through the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from runtime.build import Frame, building
from runtime.graph import Value
from runtime.layouts import is_contiguous
from runtime.ops.elementwise import logical_and, logical_not
from runtime.ops.placeholder import placeholder
from runtime.ops.places import where_spec
from runtime.picked import Own, Pick, Side, one_of
from runtime.places import WHOLE, NoPlacesError, Whole, is_sure, part, places
from runtime.spec import TensorSpec, holds_objects
from runtime.structs import struct
from runtime.tensor import Tensor, tensor_of_array
from tracer.tree import holds_tensor

Output = Callable[[Value], int]


class Unknown(Exception):
    """An array that may be one of several without a way to tell which."""


@struct(eq=False)
class Inner:
    """An array that a side has made, or a part of it.

    index:  the output for where the part lies; None where that is not known
    anyhow: it may lie in memory otherwise than in C order without gaps
    """

    root: Tensor
    spec: TensorSpec
    whole: bool
    index: int | None = None
    locked: bool = False
    anyhow: bool = False


@struct(eq=False)
class Several:
    """One of two, by the staged bool of a side that is the output at `index`."""

    index: int
    then: Reference
    orelse: Reference


@struct(eq=False)
class Part:
    """A part of `root`, or all of it, where an output says that it lies.

    known: what it is outside of the side; None for a view that the side has taken
    """

    root: Tensor
    spec: TensorSpec
    index: int
    locked: bool
    known: Tensor | None = None


# An Own is what a side that leaves nothing there stands for.
Reference = Tensor | Inner | Several | Part | Own


def reference(
    leaf: Any, side: Frame, output: Output, asked: Tensor | None = None
) -> Reference:
    """What a leaf refers to, at the end of `side`.

    output:  gives the index of a new output of the side
    asked:   a staged bool, false where nobody asks for it
    Unknown: that is not known
    """
    if isinstance(leaf, np.ndarray) and not holds_objects(leaf.dtype):
        leaf = tensor_of_array(leaf)
    if not isinstance(leaf, Tensor) or leaf.scalar:
        raise Unknown
    root, spec = leaf.root, leaf._value.spec
    if _is_outer(root, side):
        if _reads_anywhere(leaf, side):
            return _known(leaf, side, output)
        return Part(root, spec, _places(leaf, side, output, asked), leaf.is_locked)
    if root._pick is not None:
        is_part = leaf is not root
        lies = (_places(leaf, side, output), leaf.is_locked) if is_part else None
        return _several(root, spec, root._pick, side, output, lies, asked)
    if root.sources:
        raise Unknown
    anyhow = not is_contiguous(leaf)
    if leaf is root:
        return Inner(root, spec, True, anyhow=anyhow)
    try:
        at = _places(leaf, side, output)
    except Unknown:
        at = None
    return Inner(root, spec, False, at, leaf.is_locked, anyhow)


def _known(leaf: Tensor, side: Frame, output: Output) -> Reference:
    """What is known outside of the side: where it lies is told too, if that can be."""
    # Of one of several each of its arrays would be asked which of the two it is.
    is_nested = leaf.root._pick is not None and leaf is not leaf.root
    if not (side.trace.references or is_nested):
        return leaf
    try:
        at = _places(leaf, side, output)
    except Unknown:
        if is_nested and not side.trace.references:
            raise
        return leaf
    return Part(leaf.root, leaf._value.spec, at, leaf.is_locked, leaf)


def _several(
    root: Tensor,
    spec: TensorSpec,
    pick: Pick,
    side: Frame,
    output: Output,
    lies: tuple[int, bool] | None,
    asked: Tensor | None,
) -> Several:
    """What `root`, which is a Pick, refers to.

    spec: of that, or of the part of it that `lies`, an output, tells of
    """
    index = output(side.use(pick.predicate._value))
    found: list[Reference] = []
    for one, is_then in zip(pick.sides, (True, False), strict=True):
        here = _asked(pick, is_then, asked, side)
        if isinstance(one, Pick):
            found.append(_several(root, spec, one, side, output, lies, here))
        elif isinstance(one, Own):
            anyhow = root.layout is not None or lies is not None
            at, locked = lies or (None, False)
            locked |= one is Own.LOCKED
            found.append(Inner(root, spec, lies is None, at, locked, anyhow))
        elif lies is None:
            found.append(reference(one, side, output, here))
        elif _is_outer(one.root, side):
            locked = lies[1] or one.is_locked
            found.append(Part(one.root, spec, lies[0], locked))
        elif one.root._pick is None and not one.root.sources:
            locked = lies[1] or one.is_locked
            found.append(Inner(one.root, spec, False, lies[0], locked, anyhow=True))
        else:
            raise Unknown
    return Several(index, *found)


def _asked(pick: Pick, is_then: bool, asked: Tensor | None, side: Frame) -> Tensor:
    """Whether a side of a pick is asked for, if the whole is."""
    with building(side):
        here = Tensor(pick.predicate._value)
        here = here if is_then else logical_not(here)
        return here if asked is None else logical_and(here, asked)


def _places(
    leaf: Tensor, side: Frame, output: Output, asked: Tensor | None = None
) -> int:
    """The output for where a view lies in the arrays from outside."""
    trace = side.trace
    if not trace.references:
        trace.may_refer = True
        raise Unknown

    def known(root: Tensor) -> Whole | None:
        return WHOLE if _is_outer(root, side) else None

    try:
        with building(side):
            if asked is None or is_sure(leaf):
                return output(places(leaf, known).value)
            spec = where_spec(leaf.spec.shape)
            made = one_of(
                asked.value,
                lambda: places(leaf, known).value,
                lambda: placeholder(spec=spec).value,
            )
            return output(made)
    except NoPlacesError:
        raise Unknown from None


def _is_outer(root: Tensor, side: Frame) -> bool:
    assert side.parent is not None
    return root._frame is not side and side.parent.sees(root._value)


def _reads_anywhere(leaf: Tensor, side: Frame) -> bool:
    """True for a view that can be taken outside of the side, or for no view."""
    tensor = leaf
    while tensor._view is not None:
        view = tensor._view
        by_key = view.key is not None and not holds_tensor(view.key)
        if tensor._frame is side and not by_key and view.how is None:
            return False
        tensor = view.base
    return True


def inner_of(found: Reference | None) -> Iterator[Inner]:
    """The arrays of the side's own that it may be."""
    if isinstance(found, Inner):
        yield found
    elif isinstance(found, Several):
        yield from inner_of(found.then)
        yield from inner_of(found.orelse)


def may_be_outer(found: Reference) -> bool:
    """Whether it may be an array from outside, or a part of one."""
    if isinstance(found, Several):
        return may_be_outer(found.then) or may_be_outer(found.orelse)
    return isinstance(found, (Tensor, Part))


def resolved(
    found: Reference, made: Sequence[Value], shared: Mapping[int, Tensor]
) -> Side:
    """The side of a Pick.

    made:   the values of the outputs
    shared: what stands for an array, by id, that a side has made under several names
    """
    if isinstance(found, Inner):
        array = shared.get(id(found.root))
        if array is None:
            return Own.LOCKED if found.locked else Own.WRITABLE
        if found.index is None:
            return array
        return part(array, made[found.index], found.spec, found.locked)
    if isinstance(found, Part):
        if found.known is not None:
            return found.known
        return part(found.root, made[found.index], found.spec, found.locked)
    if isinstance(found, Several):
        sides = [resolved(one, made, shared) for one in (found.then, found.orelse)]
        return Pick(Tensor(made[found.index]), *sides)
    return found
