"""How a Choice is staged: what depends on it, in a branch for each of its options."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from autograph.operators import for_, logical, stores
from autograph.operators.assert_ import assert_stmt
from autograph.operators.compare import in_
from autograph.operators.registry import Body, register, staging_of
from autograph.operators.tensors import TENSORS
from tracer.choice import Choice
from tracer.cond import IF_WORDS, Words
from tracer.exits import Exit
from tracer.picking import ask, each_body, over
from tracer.state import State


def truth_of(value: Any) -> Any:
    """What `if value:` asks: a staged bool, or a Python one."""
    if isinstance(value, Choice):
        return ask(value, truth_of)
    return bool(value) if staging_of(value) is None else value


class ChoiceStaging:
    """Stages what depends on Choices."""

    def if_stmt(
        self,
        condition: Any,
        body: Body,
        orelse: Body,
        state: State,
        words: Words = IF_WORDS,
    ) -> Exit:
        """By the truth of the option that it is."""
        asked = truth_of(condition)
        staging = staging_of(asked)
        if staging is None:
            return body() if asked else orelse()
        return staging.if_stmt(asked, body, orelse, state, words)

    def while_stmt(
        self, test: Callable[[], Any], body: Body, state: State, orelse: Body | None
    ) -> Exit:
        """A loop whose test asks the option that it is."""
        return TENSORS.while_stmt(lambda: truth_of(test()), body, state, orelse)

    def for_stmt(
        self,
        iterable: Any,
        body: Callable[[Any], Exit],
        state: State,
        orelse: Body | None,
    ) -> Exit:
        """A loop for each option."""
        return each_body(
            iterable, lambda option: for_.iterate(option, body, state, orelse), state
        )

    def items(self, iterable: Any) -> Iterator[Any] | None:
        """Not known before the run."""
        return None

    def if_exp(
        self,
        condition: Any,
        body: Callable[[], Any],
        orelse: Callable[[], Any],
        state: State,
    ) -> Any:
        """By the truth of the option that it is."""
        asked = truth_of(condition)
        staging = staging_of(asked)
        if staging is None:
            return body() if asked else orelse()
        return staging.if_exp(asked, body, orelse, state)

    def not_(self, operand: Any) -> Any:
        """Of the option that it is."""
        return ask(operand, logical.not_)

    def assert_stmt(
        self, condition: Any, message: Callable[[], Any] | None, state: State
    ) -> None:
        """Of the option that it is."""
        assert_stmt(truth_of(condition), message, state)

    def get_item(self, of: Any, key: Any) -> Any:
        """Of the option that it is, or by the key that it is."""
        return over(stores.get_item, of, key)

    def set_item(self, value: Any, of: Any, key: Any) -> None:
        """Into the option that it is, or by the key that it is."""
        over(stores.set_item, value, of, key)

    def contains(self, item: Any, container: Any) -> Any:
        """Of the options that they are."""
        if isinstance(item, Choice):
            return ask(item, lambda option: in_(option, container))
        if isinstance(container, Choice):
            return ask(container, lambda option: in_(item, option))
        # Choices are among the items.
        found: Any = False
        for element in container:
            found = logical.or_(found, partial(operator.eq, element, item))
        return found


register(Choice, ChoiceStaging())
