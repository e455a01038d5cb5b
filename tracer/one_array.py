"""one_array: names that are always all of one array from outside, or a part of it.

Where each of the arrays that a name may be lies in the same memory, only the place in
it depends on data: the name is a view of that array, whose place the run knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runtime.graph import Value
from runtime.picked import Own, Pick, Side, select
from runtime.places import WHOLE, NoPlacesError, part_view, places
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
    """The same of what the two sides of an `if` have left in one place.

    None, too, where it is known without them how each of the two is taken.
    """
    leaves = [*_leaves(found[0]), *_leaves(found[1])]
    parts = [one for one in leaves if isinstance(one, Part)]
    if not parts or not all(isinstance(one, (Part, Tensor)) for one in leaves):
        return None
    root, locked = parts[0].root, parts[0].locked
    for one in leaves:
        assert isinstance(one, (Part, Tensor))
        mine = one.locked if isinstance(one, Part) else one.is_locked
        if one.root is not root or mine is not locked:
            return None
        if not is_of_dtype(spec, one.spec):
            return None
    try:
        where = [_where(one, made) for one in found]
    except NoPlacesError:
        return None
    at = select(chosen.value, *where)
    view = part_view(root, at, spec, locked)
    return replace(view, which=Pick(chosen, *(_which(one, made) for one in found)))


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
    if isinstance(found, Part):
        return made[found.index]
    assert isinstance(found, Tensor)
    return places(found, lambda _: WHOLE).value


def _which(found: Reference, made: Sequence[Value]) -> Side:
    """The arrays of which it may be all, which are known without the sides."""
    if isinstance(found, Several):
        sides = [_which(one, made) for one in (found.then, found.orelse)]
        return Pick(Tensor(made[found.index]), *sides)
    return found if isinstance(found, Tensor) else Own.WRITABLE
