"""carrying: the graph values of a place: what a body gives for it, what it holds after.

A type (see `contents`) says which specs the graph carries for a place. A body's end
gives values of these specs, and after the node the place holds a content made of them.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any, cast

import numpy as np

from runtime import objects
from runtime.aliases import note_aliases
from runtime.build import Frame, building, require_current
from runtime.errors import OnlyPythonError, located
from runtime.graph import Value
from runtime.layouts import Unknown
from runtime.ops import control
from runtime.ops.basic import constant
from runtime.ops.placeholder import placeholder
from runtime.spec import TensorSpec
from runtime.tensor import Tensor, value_of
from tracer import rows, tree
from tracer.choice import TAG, Choice
from tracer.contents import (
    LEAF,
    Carried,
    Chosen,
    ContentType,
    Form,
    Held,
    HeldChoice,
    HeldForm,
    LeafType,
    content_of,
    is_equal_set,
)
from tracer.dict_forms import values_of
from tracer.item_type import as_spec
from tracer.joining import fits, held_options, serving_type
from tracer.list_objects import as_staged
from tracer.places import created_of
from tracer.undefined import UNDEFINED, Maybe

FLAG = TensorSpec((), bool, weak=True)

TakeTensor = Callable[[Value, Carried | None], Tensor]


def carried_specs(kind: ContentType) -> Iterator[TensorSpec]:
    """The specs that the graph carries for the place, the flag last."""
    if kind.form is not None:
        yield from _specs(kind.form)
        if kind.maybe:
            yield FLAG


def _specs(form: Form) -> Iterator[TensorSpec]:
    for leaf in form.leaves:
        if isinstance(leaf, Carried):
            yield leaf.spec
        elif isinstance(leaf, Chosen):
            yield TAG
            for option in leaf.options:
                yield from _specs(option)


def width(leaf: LeafType) -> int:
    """How many values the graph carries for a leaf."""
    return len(list(_specs(Form(LEAF, (leaf,)))))


def outputs(kind: ContentType, held: Held | None, frame: Frame) -> list[Value]:
    """The values that `frame` gives for the place; placeholders on a dead path."""
    if kind.form is None:
        return []
    with building(frame):
        if held is None or held.form is None:
            made = _placeholders(kind.form)
            flag = False
        else:
            made = _of_form(kind.form, held.form)
            flag = held.defined
        if kind.maybe:
            made.append(flag if isinstance(flag, Value) else value_of(flag))
        return made


def _placeholders(form: Form) -> list[Value]:
    return [placeholder(spec=spec).value for spec in _specs(form)]


def _of_form(form: Form, held: HeldForm) -> list[Value]:
    if not tree.same(form.structure, held.structure):
        if (made := values_of(form, held)) is not None:
            return made
        items = serving_type(form, held)
        if items is not None:
            staged = as_staged(content_of(held), items)
            return [part.value for part in staged.lists]
        # The whole is a choice, one of whose options this is.
        if form.structure == LEAF:
            return _of_choice(form.leaves[0], held)
        # Or this is one, and the form serves all its options.
        return _of_choice(Chosen((form,)), held)[1:]
    made = []
    for kind, leaf, value in zip(form.leaves, held.leaves, held.values, strict=True):
        if isinstance(kind, Chosen):
            made += _of_choice(kind, HeldForm(LEAF, (leaf,), (value,)))
        elif isinstance(value, HeldChoice):
            # Constant texts, of which the run makes one.
            whole = Chosen((Form(LEAF, (kind,)),))
            made += _of_choice(whole, HeldForm(LEAF, (leaf,), (value,)))[1:]
        elif isinstance(kind, Carried):
            made.append(as_spec(value or objects.held(leaf).value, kind.spec))
    return made


def _of_choice(kind: LeafType, held: HeldForm) -> list[Value]:
    """The tag, and the values of each option: those of the one that it is."""
    assert isinstance(kind, Chosen)
    options = held_options(held)
    serving = [_serving(kind, option) for option in options]
    made = [_tag(held, serving)]
    for index, form in enumerate(kind.options):
        served = [at for at, by in enumerate(serving) if by == index]
        if not served:
            made += _placeholders(form)
            continue
        first, *others = served
        values = _of_form(form, options[first])
        for at in others:
            # Options that were two things are one kind here: the tag says which.
            values = _either(held, at, _of_form(form, options[at]), values)
        made += values
    return made


def _either(
    held: HeldForm, at: int, values: list[Value], others: list[Value]
) -> list[Value]:
    """`values` where the choice held is its option `at`, else `others`."""
    choice = held.values[0]
    assert isinstance(choice, HeldChoice)
    outer = require_current("this choice")
    is_it: Tensor = Tensor(choice.tag) == at
    sides = (Frame("then", outer), Frame("orelse", outer))
    for side, mine in zip(sides, (values, others), strict=True):
        for value in mine:
            side.use(value)
    captures = list(dict.fromkeys([*sides[0].captures, *sides[1].captures]))
    graphs = (sides[0].close(values, captures), sides[1].close(others, captures))
    return list(outer.add(control.if_, (is_it.value, *captures), {}, graphs))


def _serving(kind: Chosen, held: HeldForm) -> int:
    """The option that stands for what is held."""
    exact = (i for i, form in enumerate(kind.options) if fits(form, held))
    equal = (i for i, form in enumerate(kind.options) if is_equal_set(form, held))
    found = next(chain(exact, equal), None)
    if found is None:
        # An option that no turn or path of the trace has come to.
        raise located(
            OnlyPythonError("this holds more kinds of things than it was traced with"),
            "Give its items one type.",
        )
    return found


def _tag(held: HeldForm, serving: list[int]) -> Value:
    value = held.values[0] if held.structure == LEAF else None
    if not isinstance(value, HeldChoice):
        return value_of(serving[0])
    if serving == list(range(len(serving))):
        return value.tag
    # Made here: the frame of a checkpoint that is being written is closed, and what is
    # outside of it cannot be brought in any more.
    table: Tensor = constant(value=_table(tuple(serving)))
    mapped = table[Tensor(value.tag)]
    return as_spec(mapped.value, TAG)


@functools.cache
def _table(serving: tuple[int, ...]) -> np.ndarray[Any, Any]:
    """One array for equal tables: a body that is traced again reads the same one."""
    return np.array(serving)


def content(kind: ContentType, made: Sequence[Value], take: TakeTensor) -> Any:
    """What the place holds, given the graph values for `carried_specs(kind)`."""
    if kind.form is None:
        return UNDEFINED
    values = iter(made)
    whole = _content(kind.form, values, take)
    return Maybe(whole, take(next(values), None)) if kind.maybe else whole


def _content(form: Form, values: Iterator[Value], take: TakeTensor) -> Any:
    leaves = [_leaf_content(leaf, values, take) for leaf in form.leaves]
    made = created_of(tree.unflatten(form.structure, leaves), leaves)
    if form.births is not rows.UNBORN and (lists := rows.known()) is not None:
        lists.note(made, form.births)
    return made


def _leaf_content(leaf: LeafType, values: Iterator[Value], take: TakeTensor) -> Any:
    if isinstance(leaf, Carried):
        return take(next(values), leaf)
    if isinstance(leaf, Chosen):
        tag = take(next(values), None)
        return Choice(tag, [_content(o, values, take) for o in leaf.options])
    return leaf.content


def new_tensor(value: Value, kind: Carried | None, alone: bool = False) -> Tensor:
    """A reference to `value` that remembers which outer arrays it may be.

    alone: it may overlap what the same node gives besides
    """
    if kind is None:
        return Tensor(value)
    made = Tensor(value, scalar=kind.scalar, sources=kind.sources)
    made.layout = Unknown.LAYOUT if kind.anyhow else None
    return cast(Tensor, note_aliases(made, alone))
