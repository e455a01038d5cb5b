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
from runtime.objects import is_object
from runtime.tensor import Tensor
from tracer.choice import Choice, Varying, varying
from tracer.exits import Exit
from tracer.picking import ask, each, each_body, over
from tracer.state import State
from tracer.truth import truth
from tracer.varied import with_all, with_each, with_each_body
from tracer.words import IF_WORDS, Words


def truth_of(value: Any) -> Any:
    """What `if value:` asks: a staged bool, or a Python one."""
    if isinstance(value, Choice):
        return ask(value, truth_of)
    if staging_of(value) is None:
        return bool(value)
    # Of a list whose length depends on data, or a text: whether it is not empty.
    if isinstance(value, Tensor) and not is_object(value):
        # Of an array the bool: one of several is asked no further.
        return value if value.scalar else truth(value)
    return logical.not_(logical.not_(value))


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
        if isinstance(of, Choice):
            return each(of, lambda option: stores.get_item(option, key))
        return over(lambda option: stores.get_item(of, option), key)

    def set_item(self, value: Any, of: Any, key: Any) -> None:
        """Into the option that it is, or by the key that it is."""
        over(lambda new, at: stores.set_item(new, of, at), value, key)

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


class VaryingStaging(ChoiceStaging):
    """Stages what depends on a list, dict or set that holds one of several contents."""

    def if_stmt(
        self,
        condition: Any,
        body: Body,
        orelse: Body,
        state: State,
        words: Words = IF_WORDS,
    ) -> Exit:
        """By the truth of the content that it holds."""
        return super().if_stmt(varying(condition), body, orelse, state, words)

    def while_stmt(
        self, test: Callable[[], Any], body: Body, state: State, orelse: Body | None
    ) -> Exit:
        """A loop whose test asks the content that it holds."""
        return super().while_stmt(lambda: _held(test()), body, state, orelse)

    def for_stmt(
        self,
        iterable: Any,
        body: Callable[[Any], Exit],
        state: State,
        orelse: Body | None,
    ) -> Exit:
        """A loop for each content."""
        return with_each_body(
            iterable, lambda: for_.iterate(iterable, body, state, orelse), state
        )

    def if_exp(
        self,
        condition: Any,
        body: Callable[[], Any],
        orelse: Callable[[], Any],
        state: State,
    ) -> Any:
        """By the truth of the content that it holds."""
        return super().if_exp(varying(condition), body, orelse, state)

    def not_(self, operand: Any) -> Any:
        """Of the content that it holds."""
        return super().not_(varying(operand))

    def assert_stmt(
        self, condition: Any, message: Callable[[], Any] | None, state: State
    ) -> None:
        """Of the content that it holds."""
        super().assert_stmt(varying(condition), message, state)

    def get_item(self, of: Any, key: Any) -> Any:
        """Of the content that it holds."""
        return with_each(of, lambda: stores.get_item(of, key))

    def set_item(self, value: Any, of: Any, key: Any) -> None:
        """Into the content that it holds."""
        with_each(of, lambda: stores.set_item(value, of, key))

    def contains(self, item: Any, container: Any) -> Any:
        """Of the contents that they hold."""
        return with_all((item, container), lambda: in_(item, container))


def _held(thing: Any) -> Any:
    content = varying(thing)
    return thing if content is None else content


register(Choice, ChoiceStaging())
register(Varying, VaryingStaging())
