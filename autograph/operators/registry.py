"""The one way from generated code to staging: a table keyed by the value's type.

An operator looks at the value that decides (a condition, an iterable, an operand). If
its type is in the table, that entry stages the construct; if not, the operator runs
plain Python. runtime's Tensor is the first entry; another library's tracers can be
added by an adapter with these methods.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from typing import Any, Protocol
from weakref import WeakKeyDictionary

from runtime.errors import StagingTypeError, located
from runtime.variable import Variable
from tracer.choice import Varying, varying
from tracer.dict_objects import is_keyed
from tracer.exits import Exit
from tracer.list_objects import SEQUENCES, is_staged
from tracer.staged_list import StagedList
from tracer.state import State
from tracer.words import IF_WORDS, Words

Body = Callable[[], Exit]


class Staging(Protocol):
    """How values of one library are staged."""

    def if_stmt(
        self,
        condition: Any,
        body: Body,
        orelse: Body,
        state: State,
        words: Words = IF_WORDS,
    ) -> Exit:
        """`if condition: body() else: orelse()`; an error says it in these words."""

    def while_stmt(
        self, test: Callable[[], Any], body: Body, state: State, orelse: Body | None
    ) -> Exit:
        """`while test(): body()`, from the present state on."""

    def for_stmt(
        self,
        iterable: Any,
        body: Callable[[Any], Exit],
        state: State,
        orelse: Body | None,
    ) -> Exit:
        """`for item in iterable: body(item)`."""

    def items(self, iterable: Any) -> Iterator[Any] | None:
        """The items one by one; None if the trace cannot tell how many, or too many."""

    def if_exp(
        self,
        condition: Any,
        body: Callable[[], Any],
        orelse: Callable[[], Any],
        state: State,
    ) -> Any:
        """`body() if condition else orelse()`."""

    def not_(self, operand: Any) -> Any:
        """`not operand`."""

    def assert_stmt(
        self, condition: Any, message: Callable[[], Any] | None, state: State
    ) -> None:
        """`assert condition, message()`."""

    def get_item(self, of: Any, key: Any) -> Any:
        """`of[key]`, where `of` or a part of the key is staged."""

    def set_item(self, value: Any, of: Any, key: Any) -> None:
        """`of[key] = value`, where one of them is staged."""

    def contains(self, item: Any, container: Any) -> Any:
        """`item in container`, where one of them is staged."""


STAGINGS: dict[type, Staging] = {}
# Weak: a class made inside a function may keep tensors of the trace in its methods.
_known: WeakKeyDictionary[type, Staging | None] = WeakKeyDictionary()


def register(kind: type, staging: Staging) -> None:
    """Stage what depends on values of this type (and its subclasses) so."""
    STAGINGS[kind] = staging
    _known.clear()


def staging_of(value: Any) -> Staging | None:
    """How `value` is staged, or None for a plain Python value."""
    kind = type(value)
    if kind is bool:
        return None  # what most conditions are that no graph decides
    if (kind in SEQUENCES and is_staged(value)) or is_keyed(value):
        return STAGINGS[StagedList]
    try:
        found = _known[kind]
    except KeyError:
        found = next((STAGINGS[k] for k in kind.__mro__ if k in STAGINGS), None)
        _known[kind] = found
    if found is None and varying(value) is not None:
        return STAGINGS[Varying]
    if kind in VIEWS and _depends(gc.get_referents(value)[0]):
        raise located(
            StagingTypeError(
                "this view of a dict was taken before its keys came to depend on data"
            ),
            "Take it anew where it is needed (`d.keys()`).",
        )
    return found


def _depends(of: Any) -> bool:
    return varying(of) is not None or is_keyed(of)


VIEWS = frozenset({type({}.keys()), type({}.values()), type({}.items())})


def staging_of_any(*values: Any) -> Staging | None:
    """How the first staged one among the values is staged; looks into tuples."""
    for value in values:
        kind = type(value)
        if kind is tuple or kind is list:
            found = staging_of_any(*value)
        elif kind is slice:
            found = staging_of_any(value.start, value.stop, value.step)
        else:
            found = staging_of(value)
        if found is not None:
            return found
    return None


def staging_of_key(key: Any) -> Staging | None:
    """As `staging_of_any`, for a key: there a Variable is the object that it is."""
    parts = key if type(key) is tuple else (key,)
    return staging_of_any(*(part for part in parts if not isinstance(part, Variable)))
