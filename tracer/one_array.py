"""one_array: names that are always all of one array from outside, or a part of it.

Where each of the arrays that a name may be lies in the same memory, only the place in
it depends on data: the name is a view of that array, whose place the run knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runtime.graph import Value
from runtime.layouts import is_contiguous
from runtime.picked import Own, Pick, Side, select
from runtime.places import part_view
from runtime.spec import TensorSpec
from runtime.structs import replace
from runtime.tensor import Tensor
from runtime.tensor_view import View
from tracer.references import Part, Reference, Several


def of_number(
    arrays: Sequence[Tensor | Own], found: Sequence[Value], spec: TensorSpec
) -> View | None:
    """How a name that a loop carries is taken; None: it may be of another array.

    found: the number of the array that it is, or is a part of, and where it lies
    """
    first = arrays[0]
    if isinstance(first, Own):
        return None
    which: Pick | None = None
    for at, one in enumerate(arrays, 1):
        if isinstance(one, Own) or one.root is not first.root:
            return None
        if one.is_locked is not first.is_locked:
            return None
        which = Pick(Tensor(found[0]) == at, one, which or Own.WRITABLE)
    view = part_view(first.root, found[-1], spec, first.is_locked)
    return replace(view, which=which)


def is_of_dtype(place: TensorSpec, array: TensorSpec) -> bool:
    """False where what a place holds is certainly not of the array's dtype."""
    return place.describes_kinds(array) or array.describes_kinds(place)


def of_sides(
    found: tuple[Reference, Reference],
    made: Sequence[Value],
    chosen: Tensor,
    spec: TensorSpec,
) -> View | None:
    """The same of what the two sides of an `if` have left in one place."""
    leaves = [*_leaves(found[0]), *_leaves(found[1])]
    parts = [one for one in leaves if isinstance(one, Part)]
    if len(parts) < len(leaves) or not _are_of_one(parts, spec):
        return None
    at = select(chosen.value, *(_where(one, made) for one in found))
    view = part_view(parts[0].root, at, spec, parts[0].locked)
    which = Pick(chosen, *(_which(one, made) for one in found))
    known = [one.known for one in parts if one.known is not None]
    in_order = len(known) == len(parts) and all(map(is_contiguous, known))
    return replace(view, which=which, contiguous=in_order)


def _are_of_one(parts: Sequence[Part], spec: TensorSpec) -> bool:
    """Whether they are of one array, and of the dtype that the place has."""
    first = parts[0]
    return all(
        one.root is first.root
        and one.locked is first.locked
        and is_of_dtype(spec, one.spec)
        for one in parts
    )


def _leaves(found: Reference) -> Iterator[Reference]:
    if isinstance(found, Several):
        yield from _leaves(found.then)
        yield from _leaves(found.orelse)
    else:
        yield found


def _where(found: Reference, made: Sequence[Value]) -> Value:
    if isinstance(found, Several):
        sides = [_where(one, made) for one in (found.then, found.orelse)]
        return select(made[found.index], *sides)
    assert isinstance(found, Part)
    return made[found.index]


def _which(found: Reference, made: Sequence[Value]) -> Side:
    """The arrays of which it may be all, which are known without the sides."""
    if isinstance(found, Several):
        sides = [_which(one, made) for one in (found.then, found.orelse)]
        return Pick(Tensor(made[found.index]), *sides)
    known = found.known if isinstance(found, Part) else None
    return Own.WRITABLE if known is None else known
