"""one_array: names that are always all of one array from outside, or a part of it.

Where each of the arrays that a name may be lies in the same memory, only the place in
it depends on data: the name is a view of that array, whose place the run knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

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
    tensor: Tensor, arrays: Sequence[Tensor | Own], found: Sequence[Value]
) -> Tensor:
    """What a loop carries as a part of an array, or of one of several; returns it.

    arrays: what it is, or is a part of; found: the number of that, and where it lies
    """
    spec = tensor._value.spec
    known = [one for one in arrays if isinstance(one, Tensor)]
    roots = {(id(one.root), one.is_locked): one for one in known}
    number = Tensor(found[0])
    which: Pick | None = None
    for at, one in enumerate(known, 1):
        which = Pick(number == at, one, which or Own.WRITABLE)
    side: Pick | Tensor | None = None
    for one in roots.values():
        view = part_view(one.root, found[-1], spec, one.is_locked)
        view = replace(view, which=which)
        if len(roots) == 1:
            tensor._view, tensor.sources = view, ()
            return tensor
        of = Tensor(view.read(one.root).value, scalar=False, view=view)
        of._cache = one.root.value
        side = of if side is None else Pick(_is_of(number, known, one), of, side)
    assert isinstance(side, Pick)
    tensor._pick = side
    return tensor


def _is_of(number: Tensor, arrays: Sequence[Tensor], one: Tensor) -> Tensor:
    """Whether a number is that of an array in the memory of one, or a part of it."""
    found: Tensor | None = None
    for at, array in enumerate(arrays, 1):
        if array.root is one.root and array.is_locked is one.is_locked:
            mine = abs(number) == at
            found = mine if found is None else found | mine
    assert found is not None
    return found


def known_view(one: Tensor) -> View | None:
    """How a view is taken that nothing of the run is needed for; None for others."""
    view = one._view
    if view is None or (view.how is None and (view.key is None or view.key.dynamic)):
        return None
    return view


def is_same(a: Tensor | Own, b: Any) -> bool:
    """True for one array, or for two views that are one."""
    if a is b or not isinstance(a, Tensor) or not isinstance(b, Tensor):
        return a is b
    mine, other = known_view(a), known_view(b)
    if mine is None or other is None:
        return False
    if mine.base is not other.base or mine.how != other.how:
        return False
    return mine.how is not None or bool(mine.key.same(other.key))


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
