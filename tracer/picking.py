"""picking: something done to a choice, as branches, one for each of its options."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime import build
from runtime.tensor import Tensor
from tracer import choice, tree
from tracer.choice import Choice, Test, narrowed, note_tests, options_of, tag_of
from tracer.cond import Body, choose, cond
from tracer.exits import Exit
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
    """`function(*args, **kwargs)` of the options that the choices in them are."""
    found, structure = tree.flatten_to_choices((args, kwargs))
    choices = [i for i, leaf in enumerate(found) if isinstance(leaf, Choice)]
    if not choices:
        return function(*args, **kwargs)
    index = choices[0]

    def with_option(option: Any) -> Any:
        leaves = [*found[:index], option, *found[index + 1 :]]
        args, kwargs = tree.unflatten(structure, leaves)
        return over(function, *args, **kwargs)

    return each(found[index], with_option)


def holds_choice(*values: Any) -> bool:
    """True when a value is a choice, or a tuple, list or dict with one in it."""
    return any(_holds_choice(value) for value in values)


def _holds_choice(value: Any) -> bool:
    kind = type(value)
    if kind is tuple or kind is list:
        return any(map(_holds_choice, value))
    if kind is dict:
        return any(map(_holds_choice, value.values()))
    return kind is Choice


def _answers(chosen: Choice, question: Callable[[Any], Any]) -> list[Any]:
    """The answer for each option; what fails is no answer, and fails at the run."""
    frame = build.require_current("a test")
    mark = frame.mark()
    found = []
    for option in options_of(chosen):
        try:
            answer = question(option)
        except Exception:
            answer = None
        if type(answer) is not bool:
            frame.go_back(mark)
        found.append(answer)
    return found


def _either(a: Tensor, b: Tensor) -> Any:
    return choose(a, lambda: True, lambda: b)


choice.set_dispatch(each)
