"""passing: the arguments of a recursive call, level by level.

An argument that is the same object at every level, or an equal constant, is no part of
the recursive graph; the others are its inputs, leaf by leaf. Sizes and Python numbers
that differ from level to level are carried without their value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from runtime import objects, shapes
from runtime import spec as specs
from runtime.dtypes import same_dtype
from runtime.graph import Value
from runtime.spec import ListSpec, ObjectSpec, TensorSpec
from runtime.structs import struct
from runtime.tensor import Tensor
from tracer import tree
from tracer.contents import Carried, Static
from tracer.frozen import freeze_split, objects_in
from tracer.item_type import flatten_own
from tracer.leaves import is_numeric, is_text, leaf_spec, same_constant
from tracer.places import created_of


@struct(eq=False)
class Opened:
    """A nested argument of the first level: the object, and what it held then."""

    content: Any
    structure: tree.Structure
    leaves: tuple[Any, ...]


@struct(eq=False)
class Parts:
    """An argument whose leaves are carried, or the same at each level."""

    structure: tree.Structure
    leaves: tuple[Static | Carried, ...]


# Of one argument: the same at each level, or nested leaves of both kinds.
Kind = Static | Opened | Parts
Kinds = tuple[Kind, ...]


@struct
class Fit:
    """The kinds that serve another level too.

    widens: a constant or a size that was known is not any longer
    """

    kinds: Kinds
    widens: bool


# They hold nothing, so each is its own kind.
SIMPLE = (Tensor, np.generic, np.ndarray, int, float, str, type(None))


def first_kind(argument: Any) -> Kind:
    """The kind of an argument of which one level is known."""
    if isinstance(argument, SIMPLE):
        return Static(argument)
    leaves, structure = flatten_own(argument)
    if structure.is_leaf():
        return Static(argument)
    return Opened(argument, structure, tuple(leaves))


def fit(
    kinds: Kinds, first: Sequence[Any], given: Sequence[Any], texts: bool = False
) -> Fit | None:
    """The kinds for `given` beside the levels so far; None when it is another call.

    first: the arguments of the first level
    texts: constant texts may differ, too: the graph takes texts of the run
    """
    if len(kinds) != len(given):
        return None
    found = [_fit(*pair, texts) for pair in zip(kinds, given, strict=True)]
    joined = tuple(one.kinds[0] for one in found if one is not None)
    if len(joined) < len(kinds):
        return None
    if _aliases(joined, first) != _aliases(joined, given):
        return None
    return Fit(joined, any(one is not None and one.widens for one in found))


def _fit(kind: Kind, argument: Any, texts: bool) -> Fit | None:
    if not isinstance(kind, Parts):
        if kind.content is argument:
            return Fit((kind,), False)
        kind = _leaf_by_leaf(kind)
    given, structure = flatten_own(argument)
    if structure != kind.structure:
        return None
    pairs = [_fit_leaf(*pair, texts) for pair in zip(kind.leaves, given, strict=True)]
    found = [pair for pair in pairs if pair is not None]
    if len(found) < len(pairs):
        return None
    joined = Parts(structure, tuple(leaf for leaf, _ in found))
    return Fit((joined,), any(widens for _, widens in found))


def _leaf_by_leaf(kind: Static | Opened) -> Parts:
    if isinstance(kind, Opened):
        return Parts(kind.structure, tuple(map(Static, kind.leaves)))
    _, structure = flatten_own(kind.content)
    return Parts(structure, (Static(kind.content),))


def _fit_leaf(
    kind: Static | Carried, leaf: Any, texts: bool
) -> tuple[Static | Carried, bool] | None:
    constant = False
    if isinstance(kind, Static):
        if same_constant(kind.content, leaf):
            return kind, False
        if not is_numeric(kind.content) and not (texts and is_text(kind.content)):
            return None
        constant = not isinstance(kind.content, (Tensor, np.ndarray))
        kind = _carried(kind.content)
    if not is_numeric(leaf) and not is_text(leaf):
        return None
    a, other = kind.spec, _carried(leaf)
    b = other.spec
    whole = any(isinstance(spec, (ListSpec, ObjectSpec)) for spec in (a, b))
    if whole or a.kinds or b.kinds:
        joined = _fit_whole(kind, b)
        return joined and (joined[0], constant or joined[1])
    alike = (a.weak, a.rank, kind.scalar) == (b.weak, b.rank, other.scalar)
    if not alike or not same_dtype(a.dtype, b.dtype):
        return None
    spec = TensorSpec(shapes.join(a.shape, b.shape), a.dtype, a.weak)
    return Carried(spec, kind.scalar), constant or spec != a


def _fit_whole(kind: Carried, given: TensorSpec) -> tuple[Carried, bool] | None:
    """Texts, mixed numbers, and lists: parts of a tuple of data's own length."""
    try:
        spec = specs.join(kind.spec, given)
    except TypeError:
        return None
    return Carried(spec, kind.scalar), spec != kind.spec


def _carried(leaf: Any) -> Carried:
    if isinstance(leaf, Tensor):
        return Carried(leaf.spec, leaf.scalar)
    return Carried(leaf_spec(leaf), not isinstance(leaf, np.ndarray))


def anew(kinds: Kinds, arguments: Sequence[Any]) -> list[Any]:
    """The arguments that each level makes; the others are the same at each."""
    pairs = zip(kinds, arguments, strict=True)
    return [argument for kind, argument in pairs if isinstance(kind, Parts)]


def same(a: Kinds, b: Kinds) -> bool:
    """True when two kinds need the same inputs."""
    return len(a) == len(b) and all(_same(*pair) for pair in zip(a, b, strict=True))


def _same(a: Kind, b: Kind) -> bool:
    if not isinstance(a, Parts) or not isinstance(b, Parts):
        return a is b
    pairs = zip(a.leaves, b.leaves, strict=True)
    return all(type(x) is type(y) and _carries_same(x, y) for x, y in pairs)


def _carries_same(a: Static | Carried, b: Static | Carried) -> bool:
    both = isinstance(a, Carried) and isinstance(b, Carried)
    return not both or a.spec == b.spec  # type: ignore[union-attr] # both are carried


def carried(kinds: Kinds, given: Sequence[Any]) -> list[tuple[Carried, Any]]:
    """The leaves that the graph takes, with what is given for each."""
    return [
        (leaf_kind, leaf)
        for kind, argument in zip(kinds, given, strict=True)
        if isinstance(kind, Parts)
        for leaf_kind, leaf in zip(kind.leaves, flatten_own(argument)[0], strict=True)
        if isinstance(leaf_kind, Carried)
    ]


def values(leaves: Sequence[Any]) -> list[Value]:
    """What a call gives the graph for these leaves."""
    return [objects.held(leaf).value for leaf in leaves]


def _aliases(kinds: Kinds, given: Sequence[Any]) -> list[int]:
    """For each leaf that the graph takes the first one that is the same array."""
    return aliases([leaf for _, leaf in carried(kinds, given)])


def aliases(leaves: Sequence[Any]) -> list[int]:
    """For each leaf the first one that is the same array."""
    first: dict[int, int] = {}
    return [
        first.setdefault(id(leaf), at) if is_array(leaf) else at
        for at, leaf in enumerate(leaves)
    ]


def is_array(leaf: Any) -> bool:
    """True for an argument that has memory: an array, no number."""
    return isinstance(leaf, np.ndarray) or (
        isinstance(leaf, Tensor) and not leaf.scalar
    )


def rebuilt(kinds: Kinds, leaves: Iterator[Any]) -> list[Any]:
    """The arguments, with `leaves` for those that the graph takes."""
    made = []
    for kind in kinds:
        if not isinstance(kind, Parts):
            made.append(kind.content)
            continue
        parts = [
            next(leaves) if isinstance(leaf, Carried) else leaf.content
            for leaf in kind.leaves
        ]
        whole = created_of(tree.unflatten(kind.structure, parts), parts)
        if objects_in(whole):
            # What a level changes in one, the level outside would not see.
            freeze_split(whole)
        made.append(whole)
    return made
