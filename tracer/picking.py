"""picking: something done to a choice, as branches, one for each of its options."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from runtime import build
from runtime.ops.template import Remade
from runtime.structs import struct
from runtime.tensor import Tensor
from tracer import choice
from tracer.choice import Choice, Test, narrowed, note_tests, options_of, tag_of
from tracer.cond import Body, Unreachable, choose, cond
from tracer.exits import Exit
from tracer.places import ContainerSlot
from tracer.state import State


def each(chosen: Choice, function: Callable[[Any], Any]) -> Any:
    """What `function` gives of the option that `chosen` is; staged for each of them."""
    left = chosen._ag_left

    def among(index: int) -> Any:
        if index == len(left) - 1:
            return only(index)
        here = tag_of(chosen) == left[index]
        return choose(here, lambda: only(index), lambda: among(index + 1))

    def only(index: int) -> Any:
        with narrowed(chosen, (left[index],)):
            return function(chosen._ag_options[left[index]])

    return among(0)


def each_body(chosen: Choice, body: Callable[[Any], Exit], state: State) -> Exit:
    """As `each`, for statements, which may change names and leave."""
    left = chosen._ag_left

    def among(index: int) -> Exit:
        if index == len(left) - 1:
            return only(index)()
        here = tag_of(chosen) == left[index]
        return cond(here, only(index), lambda: among(index + 1), state)

    def only(index: int) -> Body:
        def run() -> Exit:
            with narrowed(chosen, (left[index],)):
                return body(chosen._ag_options[left[index]])

        return run

    return among(0)


def ask(chosen: Choice, question: Callable[[Any], Any]) -> Any:
    """`question` of the option that it is, where the answer is a bool.

    A question that is answered while tracing (is it None?) tells the options apart:
    under an `if` of the answer only those are left that give it.
    """
    answers = _answers(chosen, question)
    if not all(type(answer) is bool for answer in answers):
        return each(chosen, question)
    left = chosen._ag_left
    if_true = tuple(i for i, answer in zip(left, answers, strict=True) if answer)
    if_false = tuple(i for i in left if i not in if_true)
    if not if_true or not if_false:
        return bool(if_true)
    found: Any = tag_of(chosen) == if_true[0]
    for i in if_true[1:]:
        found = _either(found, tag_of(chosen) == i)
    note_tests(found, [Test(chosen, if_true, if_false)])
    return found


def over(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """`function(*args, **kwargs)` of the options that the choices in them are.

    Choices in tuples, lists and dicts too: a list or dict holds the option meanwhile.
    """
    found = _first((args, tuple(kwargs.items())))
    if found is None:
        return function(*args, **kwargs)
    put = found.put

    def with_option(option: Any) -> Any:
        args, named = put(option)
        return over(function, *args, **dict(named))

    return each(found.choice, with_option)


@struct(eq=False)
class _Found:
    """A choice in an argument; `put` gives the argument with an option instead."""

    choice: Choice
    put: Callable[[Any], Any]


def _first(argument: Any) -> _Found | None:
    kind = type(argument)
    if kind is Choice:
        return _Found(argument, _itself)
    if kind is Remade:
        parts = _first(argument.parts)
        return parts and _Found(parts.choice, partial(_with_parts, argument, parts.put))
    if kind not in (tuple, list, dict):
        return None
    pairs = argument.items() if kind is dict else enumerate(argument)
    for key, part in pairs:
        inner = _first(part)
        if inner is not None:
            return _Found(inner.choice, partial(_with_part, argument, key, inner.put))
    return None


def _itself(option: Any) -> Any:
    return option


def _with_parts(whole: Remade, put: Callable[[Any], Any], option: Any) -> Remade:
    return Remade(whole.kind, put(option))


def _with_part(whole: Any, key: Any, put: Callable[[Any], Any], option: Any) -> Any:
    part = put(option)
    if isinstance(whole, tuple):
        return (*whole[:key], part, *whole[key + 1 :])
    held = whole.copy()
    held[key] = part
    ContainerSlot(whole).change(build.require_current("a choice"), held)
    return whole


def holds_choice(*values: Any) -> bool:
    """True when a value is a choice, or a tuple, list or dict with one in it."""
    return any(_holds_choice(value) for value in values)


def _holds_choice(value: Any) -> bool:
    kind = type(value)
    if kind is tuple or kind is list:
        return any(map(_holds_choice, value))
    if kind is dict:
        return any(map(_holds_choice, value.values()))
    if kind is Remade:
        return any(map(_holds_choice, value.parts))
    return kind is Choice


def _answers(chosen: Choice, question: Callable[[Any], Any]) -> list[Any]:
    """The answer for each option; what fails is no answer, and fails at the run."""
    frame = build.require_current("a test")
    mark = frame.mark()
    found = []
    for option in options_of(chosen):
        try:
            answer = question(option)
        except (Exception, Unreachable):
            answer = None
        if type(answer) is not bool:
            frame.go_back(mark)
        found.append(answer)
    return found


def _either(a: Tensor, b: Tensor) -> Any:
    return choose(a, lambda: True, lambda: b)


choice.set_dispatch(each)
