"""Contents: what a name or place holds where two paths meet, and one type for both.

`hold` fixes what a place holds at the end of a body, `type_of` describes it, `join`
finds the type that serves two paths. What no single kind can serve becomes a choice of
several (see `choice`). `tracer.carrying` makes graph values of a type.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from runtime import spec as specs
from runtime.build import Frame
from runtime.graph import Value
from runtime.spec import TensorSpec
from runtime.tensor import Tensor, value_of
from tracer import choice, tree
from tracer.choice import MOST_OPTIONS, Choice
from tracer.leaves import (
    describe_leaf,
    describe_spec,
    is_numeric,
    leaf_spec,
    same_constant,
)
from tracer.undefined import UNDEFINED, Maybe


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
class Chosen:
    """A leaf that is one of several forms; the graph carries which one, and all."""

    options: tuple[Form, ...]


LeafType = Static | Carried | Chosen


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """A nested structure and the type of each of its leaves."""

    structure: tree.Structure
    leaves: tuple[LeafType, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ContentType:
    """The type of a place: form None when nothing is known to be there yet.

    maybe: the place may be unbound, so a flag is carried too
    """

    form: Form | None
    maybe: bool


@dataclass(frozen=True, slots=True, eq=False)
class HeldChoice:
    """What a choice is at the end of a body: its tag's value, its options' forms."""

    tag: Value
    options: tuple[HeldForm, ...]


@dataclass(frozen=True, slots=True, eq=False)
class HeldForm:
    """A structure at the end of a body: each leaf, with its value if it has one."""

    structure: tree.Structure
    leaves: tuple[Any, ...]
    values: tuple[Value | HeldChoice | None, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """What a place holds at the end of a body; form None when it is unbound."""

    form: HeldForm | None
    defined: Any


class CannotJoin(Exception):
    """No one type serves both paths; the caller words the error."""


# Choices in choices, deeper than this, are taken for a structure without an end.
MOST_NESTED = 6
# The letters of a description in a message.
MOST_LETTERS = 60
# The structure of a place that holds one leaf.
LEAF = tree.flatten_to_choices(0)[1]


def hold(content: Any) -> Held:
    """Fix `content` as the current frame sees it now."""
    if content is UNDEFINED:
        return Held(None, False)
    defined: Any = True
    if isinstance(content, Maybe):
        defined, content = value_of(content.defined), content.content
    return Held(_hold_form(content), defined)


def _hold_form(content: Any) -> HeldForm:
    leaves, structure = tree.flatten_to_choices(choice.resolved(content))
    leaves = [choice.resolved(leaf) for leaf in leaves]
    return HeldForm(structure, tuple(leaves), tuple(map(_held_value, leaves)))


def _held_value(leaf: Any) -> Value | HeldChoice | None:
    if isinstance(leaf, Choice):
        # All of them: that some are told apart here is no affair of what follows.
        options = tuple(_hold_form(option) for option in leaf._ag_options)
        return HeldChoice(value_of(leaf._ag_tag), options)
    return leaf.value if isinstance(leaf, Tensor) else None


def parts_of(held: Held) -> Iterator[tuple[Any, Value | None]]:
    """Each leaf with its value, those of the options of choices too."""
    if held.form is not None:
        yield from _parts(held.form)


def _parts(form: HeldForm) -> Iterator[tuple[Any, Value | None]]:
    for leaf, value in zip(form.leaves, form.values, strict=True):
        if isinstance(value, HeldChoice):
            yield None, value.tag
            for option in value.options:
                yield from _parts(option)
        else:
            yield leaf, value


def same_held(a: Held, b: Held) -> bool:
    """True when both hold the very same objects and values."""
    if a.form is None or b.form is None:
        return a.form is b.form and a.defined is b.defined
    pairs = zip(parts_of(a), parts_of(b), strict=False)
    same = all(x is y and v is w for (x, v), (y, w) in pairs)
    return same and a.form.structure == b.form.structure and a.defined is b.defined


def type_of(held: Held, inner: Frame | None, carry_numbers: bool) -> ContentType:
    """The type of one path alone.

    inner:         the frame that ends here; its own tensors must be carried out of it
    carry_numbers: a Python number may change (a loop), so it is carried at once
    """
    if held.form is None:
        return ContentType(None, True)
    form = _form_of(held.form, inner, carry_numbers)
    return ContentType(form, held.defined is not True)


def _form_of(held: HeldForm, inner: Frame | None, carry_numbers: bool) -> Form:
    leaves = zip(held.leaves, held.values, strict=True)
    types = [_leaf_type(leaf, value, inner, carry_numbers) for leaf, value in leaves]
    return Form(held.structure, tuple(types))


def _leaf_type(
    leaf: Any,
    value: Value | HeldChoice | None,
    inner: Frame | None,
    carry_numbers: bool,
) -> LeafType:
    if isinstance(value, HeldChoice):
        return Chosen(tuple(_form_of(o, inner, carry_numbers) for o in value.options))
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

    CannotJoin: they are more kinds of things than a choice may have options.
    """
    maybe = known.maybe or held.defined is not True
    if held.form is None:
        return replace(known, maybe=True)
    if known.form is None:
        other = type_of(held, inner, carry_numbers=True)
        return replace(other, maybe=True)
    form = _join_forms(known.form, held.form, inner)
    if _depth(form) > MOST_NESTED:
        raise CannotJoin
    return ContentType(form, maybe)


def _depth(form: Form) -> int:
    """How deep choices are nested in it."""
    inside = [leaf.options for leaf in form.leaves if isinstance(leaf, Chosen)]
    return max((1 + _depth(o) for options in inside for o in options), default=0)


def _join_forms(known: Form, held: HeldForm, inner: Frame | None) -> Form:
    if known.structure == held.structure:
        triples = zip(known.leaves, held.leaves, held.values, strict=True)
        return Form(known.structure, tuple(_join(*t, inner) for t in triples))
    options = _options(known)
    for other in held_options(held):
        options = _with_option(options, other, inner)
    return Form(LEAF, (Chosen(options),))


def _join(
    known: LeafType, leaf: Any, value: Value | HeldChoice | None, inner: Frame | None
) -> LeafType:
    try:
        return _join_plainly(known, leaf, value, inner)
    except CannotJoin:
        options = _options(Form(LEAF, (known,)))
        for other in held_options(HeldForm(LEAF, (leaf,), (value,))):
            options = _with_option(options, other, inner)
        return Chosen(options)


def _options(form: Form) -> tuple[Form, ...]:
    """The options that the whole is a choice of; itself, if it is none."""
    if form.structure == LEAF and isinstance(form.leaves[0], Chosen):
        return form.leaves[0].options
    return (form,)


def held_options(held: HeldForm) -> tuple[HeldForm, ...]:
    """As for a form: the options of what a place holds."""
    if held.structure == LEAF and isinstance(held.values[0], HeldChoice):
        return held.values[0].options
    return (held,)


def _with_option(
    options: tuple[Form, ...], held: HeldForm, inner: Frame | None
) -> tuple[Form, ...]:
    """The options with one more, or with one of them widened to serve it."""
    for index, option in enumerate(options):
        try:
            wider = _join_forms_plainly(option, held, inner)
        except CannotJoin:
            continue
        return (*options[:index], wider, *options[index + 1 :])
    if len(options) == MOST_OPTIONS:
        raise CannotJoin
    return (*options, _form_of(held, inner, carry_numbers=False))


def _join_forms_plainly(known: Form, held: HeldForm, inner: Frame | None) -> Form:
    if known.structure != held.structure:
        raise CannotJoin
    triples = zip(known.leaves, held.leaves, held.values, strict=True)
    return Form(known.structure, tuple(_join_plainly(*t, inner) for t in triples))


def _join_plainly(
    known: LeafType, leaf: Any, value: Value | HeldChoice | None, inner: Frame | None
) -> LeafType:
    """One leaf's type with no choice that was not there. CannotJoin: there is none."""
    if isinstance(known, Chosen) and isinstance(value, HeldChoice):
        options = known.options
        for other in value.options:
            options = _with_option(options, other, inner)
        return Chosen(options)
    if isinstance(known, Chosen) or isinstance(value, HeldChoice):
        raise CannotJoin
    if isinstance(known, Static):
        if same_constant(known.content, leaf):
            return known
        if not is_numeric(known.content):
            raise CannotJoin
        known = _carry(known.content, None)
    if not is_numeric(leaf):
        raise CannotJoin
    other_type = _carry(leaf, value)
    sources = dict.fromkeys((*known.sources, *other_type.sources))
    try:
        spec = specs.join(known.spec, other_type.spec)
    except TypeError:
        raise CannotJoin from None
    return Carried(spec, known.scalar and other_type.scalar, tuple(sources))


def _carry(leaf: Any, value: Value | None) -> Carried:
    """A numeric leaf as carried; an array from outside is one of its sources."""
    if isinstance(leaf, Tensor):
        root = leaf.root
        sources = () if leaf.scalar else (root, *root.sources)
        return Carried(leaf.spec if value is None else value.spec, leaf.scalar, sources)
    return Carried(leaf_spec(leaf), getattr(leaf, "shape", ()) == ())


def fits(form: Form, held: HeldForm) -> bool:
    """True when the form serves what is held as it stands."""
    if form.structure != held.structure:
        return False
    triples = zip(form.leaves, held.leaves, held.values, strict=True)
    return all(_leaf_fits(*triple) for triple in triples)


def _leaf_fits(kind: LeafType, leaf: Any, value: Value | HeldChoice | None) -> bool:
    if isinstance(kind, Chosen):
        held = HeldForm(LEAF, (leaf,), (value,))
        return all(
            any(fits(option, other) for option in kind.options)
            for other in held_options(held)
        )
    if isinstance(value, HeldChoice):
        return False
    if isinstance(kind, Static):
        return same_constant(kind.content, leaf)
    if not is_numeric(leaf):
        return False
    spec = leaf_spec(leaf) if value is None else value.spec
    try:
        return specs.join(kind.spec, spec) == kind.spec
    except TypeError:
        return False


def same_type(a: ContentType, b: ContentType) -> bool:
    """True when two types need the same placeholders."""
    if a.form is None or b.form is None or a.maybe != b.maybe:
        return a.form is b.form and a.maybe == b.maybe
    return _same_form(a.form, b.form)


def _same_form(a: Form, b: Form) -> bool:
    if a.structure != b.structure:
        return False
    return all(_same_leaf(x, y) for x, y in zip(a.leaves, b.leaves, strict=True))


def _same_leaf(a: LeafType, b: LeafType) -> bool:
    if isinstance(a, Static) and isinstance(b, Static):
        return same_constant(a.content, b.content)
    if isinstance(a, Carried) and isinstance(b, Carried):
        return a.spec == b.spec and a.scalar == b.scalar
    if isinstance(a, Chosen) and isinstance(b, Chosen):
        pairs = zip(a.options, b.options, strict=False)
        same = all(_same_form(x, y) for x, y in pairs)
        return same and len(a.options) == len(b.options)
    return False


def describe(held: Held) -> str:
    """What a place holds, in a user's words, for messages."""
    text = "undefined" if held.form is None else _describe(held.form)
    return text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]}..."


def _describe(form: HeldForm) -> str:
    pairs = zip(form.leaves, form.values, strict=True)
    words = [_describe_leaf(leaf, value) for leaf, value in pairs]
    if form.structure.is_leaf():
        return words[0]
    return str(tree.unflatten(form.structure, [tree.Word(word) for word in words]))


def _describe_leaf(leaf: Any, value: Value | HeldChoice | None) -> str:
    if isinstance(value, HeldChoice):
        return " or ".join(map(_describe, value.options))
    return describe_leaf(leaf) if value is None else describe_spec(value.spec)
