"""Contents: what a name or place holds where two paths meet, and one type for both.

`hold` fixes what a place holds at the end of a body, `type_of` describes it;
`tracer.joining` finds the type that serves two paths, and `tracer.carrying` makes graph
values of a type. What no single kind can serve is a choice of several (see `choice`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from runtime import build
from runtime.build import Frame
from runtime.graph import Value
from runtime.layouts import is_contiguous
from runtime.picked import possible
from runtime.spec import TensorSpec
from runtime.structs import struct
from runtime.tensor import Tensor, value_of
from tracer import choice, only_python, rows, tree
from tracer.caught_parts import ArgumentsOfCaught
from tracer.choice import TAG, Choice
from tracer.exceptions import taken_apart
from tracer.leaves import (
    describe_leaf,
    describe_spec,
    equal_sets,
    is_numeric,
    leaf_spec,
)
from tracer.marks import locked, marks, note_listed
from tracer.places import created_of
from tracer.rows import UNBORN, Births
from tracer.undefined import UNDEFINED, Maybe


@struct(eq=False)
class Static:
    """A leaf that is the same object on every path; it is no part of the graph."""

    content: Any


@struct(eq=False)
class Carried:
    """A leaf that the graph carries.

    scalar:  a number, which an in-place operator rebinds, not an array
    sources: arrays from outside that it may be the same memory as
    anyhow:  it may lie in memory otherwise than in C order without gaps
    """

    spec: TensorSpec
    scalar: bool
    sources: tuple[Tensor, ...] = ()
    anyhow: bool = False


@struct(eq=False)
class Chosen:
    """A leaf that is one of several forms; the graph carries which one, and all."""

    options: tuple[Form, ...]


LeafType = Static | Carried | Chosen


@struct(eq=False)
class Form:
    """A nested structure and the type of each of its leaves.

    births: where the lists in it were made, if lists may be rows
    """

    structure: tree.Structure
    leaves: tuple[LeafType, ...]
    births: Births = UNBORN


@struct(eq=False)
class ContentType:
    """The type of a place: form None when nothing is known to be there yet.

    maybe: the place may be unbound, so a flag is carried too
    """

    form: Form | None
    maybe: bool


@struct(eq=False)
class HeldChoice:
    """What a choice is at the end of a body: its tag's value, its options' forms."""

    tag: Value
    options: tuple[HeldForm, ...]


@struct(eq=False)
class HeldForm:
    """A structure at the end of a body: each leaf, with its value if it has one."""

    structure: tree.Structure
    leaves: tuple[Any, ...]
    values: tuple[Value | HeldChoice | None, ...]
    births: Births = UNBORN


@struct(eq=False)
class Held:
    """What a place holds at the end of a body; form None when it is unbound."""

    form: HeldForm | None
    defined: Any


class CannotJoin(Exception):
    """No one type serves both paths; the caller words the error."""


# The letters of a description in a message.
MOST_LETTERS = 60
IsReference = Callable[[Any], bool]
_CONTAINERS = (list, dict, set, deque)
# The structure of a place that holds one leaf.
LEAF = tree.flatten_to_choices(0)[1]


def hold(
    content: Any, is_reference: IsReference | None = None, place: bool = False
) -> Held:
    """Fix `content` as the current frame sees it now.

    is_reference: of a container or a plain object: hold the object itself, not what is
                  in it; without it all containers are held by that, and no objects
    place:        the content itself is a copy of what a container holds
    """
    if content is UNDEFINED:
        return Held(None, False)
    defined: Any = True
    if isinstance(content, Maybe):
        defined, content = value_of(content.defined), content.content
    return Held(_hold_form(content, is_reference or _never, place), defined)


def _never(container: Any) -> bool:
    return False


def _hold_form(content: Any, is_reference: IsReference, place: bool) -> HeldForm:
    is_itself = not place and is_reference(content)
    place = place or (choice.varying(content) is not None and not is_itself)
    opened = taken_apart(choice.resolved(content) if is_itself else _opened(content))
    found, structure = tree.flatten_where(
        opened,
        lambda node: not (place and node is opened) and is_reference(node),
        opens=is_reference is not _never,
    )
    leaves, values = [], []
    for part in found:
        varies = choice.varying(part) is not None and not is_reference(part)
        leaf = _reference(_opened(part) if varies else choice.resolved(part))
        leaves.append(leaf)
        copies = varies or (place and (part is opened or not _is_of_containers(leaf)))
        values.append(_held_value(leaf, is_reference, copies))
    lists = rows.known()
    births = UNBORN if lists is None else lists.births_of(opened)
    return HeldForm(structure, tuple(leaves), tuple(values), births)


def _is_of_containers(leaf: Any) -> bool:
    """True for one of several containers, of which each in a place is that itself."""
    options = leaf._ag_options if type(leaf) is Choice else ()
    return any(isinstance(option, _CONTAINERS) for option in options)


def _opened(content: Any) -> Any:
    """A container that varies as the choice that it holds; that as what it must be."""
    inner = choice.varying(content)
    return choice.resolved(content if inner is None else inner)


def _reference(leaf: Any) -> Any:
    """A leaf as the tensor that stands for it, where one does."""
    if type(leaf) is ArgumentsOfCaught:
        return leaf.whole()
    frame = build.current()
    if frame is None or type(leaf) is not np.ndarray:
        return leaf
    known = frame.trace.arrays.get(id(leaf))
    return leaf if known is None else known[1]


def _held_value(
    leaf: Any, is_reference: IsReference, place: bool
) -> Value | HeldChoice | None:
    if isinstance(leaf, Choice):
        # All of them: that some are told apart here is no affair of what follows.
        options = tuple(
            _hold_form(option, is_reference, place) for option in leaf._ag_options
        )
        trace = build.require_current("a choice").trace
        only_python.note_chosen(trace, sum(len(option.leaves) for option in options))
        return HeldChoice(value_of(leaf._ag_tag), options)
    if isinstance(leaf, Tensor):
        is_part = not leaf.scalar and leaf._view is not None
        # In the memory of what it is a part of, which may be the caller's. What may be
        # one of several arrays stays as it is: each says whether it is read-only.
        return leaf.looked_up() if is_part and not leaf.root._pick else leaf.value
    return None


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
    return (
        same
        and tree.same(a.form.structure, b.form.structure)
        and a.defined is b.defined
    )


def type_of(held: Held, inner: Frame | None, carry_numbers: bool) -> ContentType:
    """The type of one path alone.

    inner:         the frame that ends here; its own tensors must be carried out of it
    carry_numbers: a Python number may change (a loop), so it is carried at once
    """
    if held.form is None:
        return ContentType(None, True)
    form = form_of(held.form, inner, carry_numbers)
    return ContentType(form, held.defined is not True)


def form_of(held: HeldForm, inner: Frame | None, carry_numbers: bool) -> Form:
    """As `type_of`, of what is held for certain."""
    leaves = zip(held.leaves, held.values, strict=True)
    types = [_leaf_type(leaf, value, inner, carry_numbers) for leaf, value in leaves]
    return Form(held.structure, tuple(types), held.births)


def _leaf_type(
    leaf: Any,
    value: Value | HeldChoice | None,
    inner: Frame | None,
    carry_numbers: bool,
) -> LeafType:
    if isinstance(value, HeldChoice):
        return Chosen(tuple(form_of(o, inner, carry_numbers) for o in value.options))
    if isinstance(leaf, Tensor):
        assert value is not None
        local = inner is not None and leaf._frame is inner
        if local or (leaf.scalar and carry_numbers):
            anyhow = not leaf.scalar and not is_contiguous(leaf)
            return Carried(value.spec, leaf.scalar, _sources(leaf, inner), anyhow)
        return Static(leaf)
    if carry_numbers and is_numeric(leaf) and not isinstance(leaf, np.ndarray):
        return Carried(leaf_spec(leaf), True)
    return Static(leaf)


def _sources(leaf: Tensor, inner: Frame | None) -> tuple[Tensor, ...]:
    """The arrays from outside of a frame that one of its tensors may be."""
    outer = None if inner is None else inner.parent
    if leaf.scalar or outer is None:
        return marks(leaf)
    found = (one for one in possible(leaf) if outer.sees(one._value))
    return (*marks(leaf), *found, *locked(leaf))


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


def stand_ins(form: Form) -> Any:
    """Something that has the form."""
    leaves = [_stand_in(leaf) for leaf in form.leaves]
    return created_of(tree.unflatten(form.structure, leaves), leaves)


def _stand_in(leaf: LeafType) -> Any:
    if isinstance(leaf, Carried):
        return Tensor(Value(leaf.spec), scalar=leaf.scalar)
    if isinstance(leaf, Chosen):
        return Choice(Tensor(Value(TAG)), [*map(stand_ins, leaf.options)])
    return leaf.content


def content_of(held: HeldForm) -> Any:
    """What the place held, its tensors as they were then."""
    leaves = []
    for leaf, value in zip(held.leaves, held.values, strict=True):
        if isinstance(value, HeldChoice):
            leaf = Choice(Tensor(value.tag), [*map(content_of, value.options)])
        elif value is not None:
            note_listed(leaf)
            leaf = Tensor(value, scalar=leaf.scalar)
        leaves.append(leaf)
    return created_of(tree.unflatten(held.structure, leaves), leaves)


def is_equal_set(option: Form, held: HeldForm) -> bool:
    """True for a set, made anew by each round, that is equal to one known."""
    if option.structure != LEAF or held.structure != LEAF:
        return False
    (kind,), (leaf,) = option.leaves, held.leaves
    return isinstance(kind, Static) and equal_sets(kind.content, leaf)
