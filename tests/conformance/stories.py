"""Stories: calls of functions, and what is changed between them, told both ways.

A story is a generator that gets a decorator, which does nothing in the plain telling;
what each step yields has to be the same.
"""

import copy
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import autograph as ag

Story = Callable[[Any], Iterator[Any]]


class Stories(list[Any]):
    """Stories, as pytest's parameters."""

    def __call__(self, told: Story) -> Story:
        """Decorator: note a story."""
        self.append(pytest.param(told, id=told.__name__))
        return told


def tell(told: Story) -> None:
    """Tell it plain and decorated, and compare the steps."""
    python = [shown(step) for step in told(lambda function: function)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        graph = [shown(step) for step in told(ag.function)]
    assert graph == python


def shown(step: Any) -> str:
    """What a step gives, as text that tells types apart; taken before the next one."""
    return repr(copy.deepcopy(step))
