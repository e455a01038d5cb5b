"""Contents: what a name or place holds where two paths meet, and one type for both.

`hold` fixes what a place holds at the end of a body, `type_of` describes it, `join`
finds the type that serves two paths. A type makes placeholders (graph inputs) for a
loop, the outputs of a body, and the content that the place holds afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from runtime import spec as specs
from runtime.build import Frame, building
from runtime.graph import Value
from runtime.ops.placeholder import placeholder
from runtime.spec import TensorSpec
from runtime.tensor import Tensor, value_of
from tracer import tree
from tracer.item_type import as_spec
from tracer.leaves import (
    describe_leaf,
    describe_spec,
    is_numeric,
    leaf_spec,
    same_constant,
)
from tracer.undefined import UNDEFINED, Maybe

FLAG = TensorSpec((), bool, weak=True)


@dataclass(frozen=True, slots=True, eq=False)
class Static:
    """A leaf that is the same object on every path; it is no part of the graph."""

    content: Any


@dataclass(frozen=True, slots=True, eq=False)
class Carried:
    """A leaf that the graph carries.

    scalar:  a number, which an in-place operator rebinds, not an array
    sources: arrays from outside that it may be the same memory as
    """

    spec: TensorSpec
    scalar: bool
    sources: tuple[Tensor, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class ContentType:
    """The type of a place: structure None when nothing is known to be there yet.

    maybe: the place may be unbound, so a flag is carried too
    """

    structure: tree.Structure | None
    leaves: tuple[Static | Carried, ...]
    maybe: bool


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """What a place holds at the end of a body: each tensor leaf with its value."""

    structure: tree.Structure | None
    leaves: tuple[Any, ...]
    values: tuple[Value | None, ...]
    defined: Any


class CannotJoin(Exception):
    """No one type serves both paths; the caller words the error."""


def hold(content: Any) -> Held:
    """Fix `content` as the current frame sees it now."""
    if content is UNDEFINED:
        return Held(None, (), (), False)
    defined: Any = True
    if isinstance(content, Maybe):
        defined, content = value_of(content.defined), content.content
    leaves, structure = tree.flatten(content)
    values = [leaf.value if isinstance(leaf, Tensor) else None for leaf in leaves]
    return Held(structure, tuple(leaves), tuple(values), defined)


def type_of(held: Held, inner: Frame | None, carry_numbers: bool) -> ContentType:
    """The type of one path alone.

    inner:         the frame that ends here; its own tensors must be carried out of it
    carry_numbers: a Python number may change (a loop), so it is carried at once
    """
    if held.structure is None:
        return ContentType(None, (), True)
    leaves = zip(held.leaves, held.values, strict=True)
    types = [_leaf_type(leaf, value, inner, carry_numbers) for leaf, value in leaves]
    return ContentType(held.structure, tuple(types), held.defined is not True)


def _leaf_type(
    leaf: Any, value: Value | None, inner: Frame | None, carry_numbers: bool
) -> Static | Carried:
    if isinstance(leaf, Tensor):
        assert value is not None
        local = inner is not None and leaf._frame is inner
        if local or (leaf.scalar and carry_numbers):
            return Carried(value.spec, leaf.scalar)
        return Static(leaf)
    if carry_numbers and is_numeric(leaf) and not isinstance(leaf, np.ndarray):
        return Carried(leaf_spec(leaf), True)
    return Static(leaf)


def join(known: ContentType, held: Held, inner: Frame | None) -> ContentType:
    """The type that serves `known` and what another path, ending in `inner`, holds.

    CannotJoin: they differ in structure, or in a leaf that no graph can hold.
    """
    maybe = known.maybe or held.defined is not True
    if held.structure is None:
        return replace(known, maybe=True)
    if known.structure is None:
        other = type_of(held, inner, carry_numbers=True)
        return replace(other, maybe=True)
    if known.structure != held.structure:
        raise CannotJoin
    triples = zip(known.leaves, held.leaves, held.values, strict=True)
    return ContentType(known.structure, tuple(_join(*t) for t in triples), maybe)


def _join(known: Static | Carried, leaf: Any, value: Value | None) -> Static | Carried:
    if isinstance(known, Static):
        if same_constant(known.content, leaf):
            return known
        if not is_numeric(known.content):
            raise CannotJoin
        known = _carry(known.content, None)
    if not is_numeric(leaf):
        raise CannotJoin
    other = _carry(leaf, value)
    sources = dict.fromkeys((*known.sources, *other.sources))
    try:
        spec = specs.join(known.spec, other.spec)
    except TypeError:
        raise CannotJoin from None
    return Carried(spec, known.scalar and other.scalar, tuple(sources))


def _carry(leaf: Any, value: Value | None) -> Carried:
    """A numeric leaf as carried; an array from outside is one of its sources."""
    if isinstance(leaf, Tensor):
        root = leaf.root
        sources = () if leaf.scalar else (root, *root.sources)
        return Carried(leaf.spec if value is None else value.spec, leaf.scalar, sources)
    return Carried(leaf_spec(leaf), getattr(leaf, "shape", ()) == ())


def same_type(a: ContentType, b: ContentType) -> bool:
    """True when two types need the same placeholders."""
    if (a.structure, a.maybe) != (b.structure, b.maybe):
        return False
    return all(_same_leaf(x, y) for x, y in zip(a.leaves, b.leaves, strict=True))


def _same_leaf(a: Static | Carried, b: Static | Carried) -> bool:
    if isinstance(a, Static) or isinstance(b, Static):
        both = isinstance(a, Static) and isinstance(b, Static)
        return both and same_constant(a.content, b.content)  # type: ignore[union-attr]
    return a.spec == b.spec and a.scalar == b.scalar


def carried_specs(kind: ContentType) -> Iterator[TensorSpec]:
    """The specs that the graph carries for the place, the flag last."""
    for leaf in kind.leaves:
        if isinstance(leaf, Carried):
            yield leaf.spec
    if kind.maybe and kind.structure is not None:
        yield FLAG


def outputs(kind: ContentType, held: Held | None, frame: Frame) -> list[Value]:
    """The values that `frame` gives for the place; placeholders on a dead path."""
    with building(frame):
        if held is None or held.structure is None:
            made = [placeholder(spec=spec).value for spec in carried_specs(kind)]
            if held is not None and kind.maybe and made:
                made[-1] = value_of(False)
            return made
        made = []
        for leaf_kind, leaf, value in zip(
            kind.leaves, held.leaves, held.values, strict=True
        ):
            if isinstance(leaf_kind, Carried):
                made.append(as_spec(value or value_of(leaf), leaf_kind.spec))
        if kind.maybe:
            flag = held.defined
            made.append(flag if isinstance(flag, Value) else value_of(flag))
        return made


def content(kind: ContentType, made: Sequence[Value], take: TakeTensor) -> Any:
    """What the place holds, given the graph values for `carried_specs(kind)`."""
    if kind.structure is None:
        return UNDEFINED
    values = iter(made)
    leaves = [
        take(next(values), leaf) if isinstance(leaf, Carried) else leaf.content
        for leaf in kind.leaves
    ]
    whole = tree.unflatten(kind.structure, leaves)
    return Maybe(whole, Tensor(next(values))) if kind.maybe else whole


TakeTensor = Callable[[Value, Carried], Tensor]


def new_tensor(value: Value, kind: Carried) -> Tensor:
    """A reference to `value` that remembers which outer arrays it may be."""
    return Tensor(value, scalar=kind.scalar, sources=kind.sources)


def describe(held: Held) -> str:
    """What a place holds, in a user's words, for messages."""
    if held.structure is None:
        return "undefined"
    words = [
        describe_spec(value.spec) if value is not None else describe_leaf(leaf)
        for leaf, value in zip(held.leaves, held.values, strict=True)
    ]
    if held.structure.is_leaf():
        return words[0]
    return str(tree.unflatten(held.structure, [tree.Word(word) for word in words]))
