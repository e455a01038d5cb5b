"""Patterns of `match`: each asks of a subject what Python asks, in Python's order.

The answer is a bool, staged where it depends on data. What is captured is kept apart
until the whole pattern has matched: a pattern that fails binds nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

import numpy as np

from autograph.operators.calls import converted_call
from autograph.operators.compare import OPERATORS
from autograph.operators.logical import and_, not_, or_
from autograph.operators.stars import unpack
from autograph.operators.stores import get_attr, get_item
from runtime.errors import PythonTypeError, located
from runtime.structs import struct
from runtime.tensor import Tensor
from runtime.unknown import refuse
from tracer import captures, places
from tracer.caught_parts import ArgumentsOfCaught
from tracer.dict_objects import is_keyed
from tracer.list_objects import is_staged
from tracer.staged_range import StagedRange
from tracer.state import State
from tracer.undefined import UNDEFINED, without_flag

Step = Callable[[], Any]
_equal, _is, _at_least = OPERATORS["=="], OPERATORS["is"], OPERATORS[">="]


def _is_sequence(subject: Any) -> bool:
    if isinstance(subject, Tensor):
        return _ARRAYS_ARE and not subject.scalar
    if type(subject) is ArgumentsOfCaught:
        refuse("the number of arguments of this exception")
    match subject:
        case [*_]:
            return True
    return False


_ARRAYS_ARE = _is_sequence(np.empty(1))


class Taken:
    """What a pattern has captured so far, by name."""

    def __init__(self, names: tuple[str, ...]) -> None:
        held: list[Any] = [UNDEFINED] * len(names)
        self._index = {name: index for index, name in enumerate(names)}
        self._held = held

        def put(contents: Any) -> None:
            held[:] = contents

        self._state = State(names, lambda: tuple(held), put)

    def take(self, name: str, content: Any) -> bool:
        """Capture; always a match."""
        self._held[self._index[name]] = content
        return True

    def contents(self) -> tuple[Any, ...]:
        """What was captured, once all of the pattern has matched."""
        return tuple(map(without_flag, self._held))

    def all(self, *steps: Step) -> Any:
        """Whether every step is true; none is run after a false one."""
        return and_(True, *steps, state=self._state)

    def any(self, *steps: Step) -> Any:
        """Whether a step is true; none is run after that."""
        return or_(False, *steps, state=self._state)


class Pattern(Protocol):
    """What stands after `case`, or a part of it."""

    def matches(self, subject: Any, taken: Taken) -> Any:
        """Whether the subject matches; captures go to `taken`."""


def _truth(answer: Any) -> Any:
    return not_(not_(answer))


@struct
class MatchValue:
    """`1`, `"text"`, `Color.RED`."""

    value: Callable[[], Any]

    def matches(self, subject: Any, taken: Taken) -> Any:
        """`subject == value`."""
        return _truth(_equal(subject, self.value()))


@struct
class MatchSingleton:
    """`None`, `True`, `False`."""

    value: bool | None

    def matches(self, subject: Any, taken: Taken) -> Any:
        """`subject is value`."""
        return _is(subject, self.value)


@struct
class MatchAs:
    """`name`, `pattern as name`, and `_`, which has no name."""

    name: str | None = None
    pattern: Pattern | None = None

    def matches(self, subject: Any, taken: Taken) -> Any:
        """Whether the pattern in it does; the name takes the subject."""
        name = self.name
        if name is None:
            return True
        if self.pattern is None:
            return taken.take(name, subject)
        inner = self.pattern
        return taken.all(
            partial(inner.matches, subject, taken), partial(taken.take, name, subject)
        )


@struct
class MatchOr:
    """`a | b`."""

    patterns: tuple[Pattern, ...]

    def matches(self, subject: Any, taken: Taken) -> Any:
        """Whether one of them does, the first that does."""
        return taken.any(*(partial(p.matches, subject, taken) for p in self.patterns))


@struct
class MatchStar:
    """`*name`, and `*_`, which has no name; only inside of a sequence."""

    name: str | None = None

    def matches(self, subject: Any, taken: Taken) -> Any:
        """The name takes the list of what the others leave."""
        return self.name is None or taken.take(self.name, subject)


@struct
class MatchSequence:
    """`[a, *b, c]`: what Python knows as a sequence; newer NumPy's arrays are."""

    patterns: tuple[Any, ...]

    def matches(self, subject: Any, taken: Taken) -> Any:
        """Its kind, its length, then its items from left to right."""
        if type(subject) is StagedRange:
            subject = converted_call(list, (subject,))
        if not _is_sequence(subject):
            return False
        patterns = self.patterns
        stars = [i for i, p in enumerate(patterns) if type(p) is MatchStar]
        if len(patterns) == len(stars) == 1:
            return self._items(subject, taken, stars[0])
        length = converted_call(len, (subject,))
        least = len(patterns) - len(stars)
        fits = _at_least(length, least) if stars else _equal(length, least)
        star = stars[0] if stars else None
        return taken.all(lambda: fits, lambda: self._items(subject, taken, star))

    def _items(self, subject: Any, taken: Taken, star: int | None) -> Any:
        patterns = self.patterns
        if all(type(p) in (MatchAs, MatchStar) and p.name is None for p in patterns):
            return True
        if star is not None and patterns[star].name is None:
            # Python asks for the others one by one, and leaves those between alone.
            places_ = [
                i if i < star else i - len(patterns) for i in range(len(patterns))
            ]
            return taken.all(
                *(
                    partial(self._item, subject, at, p, taken)
                    for at, p in zip(places_, patterns, strict=True)
                    if not (type(p) in (MatchAs, MatchStar) and p.name is None)
                )
            )
        if isinstance(subject, Tensor) and star is None:
            # As many as the length was found to be, though it may be staged.
            items: list[Any] = [get_item(subject, at) for at in range(len(patterns))]
        elif is_staged(subject):
            after = None if star is None else len(patterns) - star - 1
            items = unpack(subject, len(patterns) if star is None else star, after)
            if star is not None and after is not None:
                items[star] = places.created([items[star]])
            star = None
        else:
            items = [captures.borrow(item) for item in subject]
        if star is not None:
            end = len(items) - (len(patterns) - star - 1)
            items[star:end] = [places.created(items[star:end])]
        pairs = zip(patterns, items, strict=True)
        return taken.all(*(partial(p.matches, item, taken) for p, item in pairs))

    def _item(self, subject: Any, at: int, pattern: Pattern, taken: Taken) -> Any:
        if at < 0:
            at += converted_call(len, (subject,))
        return pattern.matches(captures.borrow(get_item(subject, at)), taken)


@struct
class MatchMapping:
    """`{key: pattern, **rest}`."""

    keys: tuple[Callable[[], Any], ...]
    patterns: tuple[Pattern, ...]
    rest: str | None = None

    def matches(self, subject: Any, taken: Taken) -> Any:
        """Its kind, its length, the keys, then what it has under them."""
        match subject:
            case {}:
                pass
            case _:
                return False
        if is_keyed(subject):
            raise located(
                PythonTypeError("a dict whose keys depend on data is matched"),
                "Ask it by `in` and `[...]`.",
            )
        if not self.keys:
            return self._rest(subject, (), taken)
        length = converted_call(len, (subject,))
        fits = _at_least(length, len(self.keys))
        return taken.all(lambda: fits, lambda: self._items(subject, taken))

    def _items(self, subject: Any, taken: Taken) -> Any:
        keys, found = [key() for key in self.keys], []
        for index, key in enumerate(keys):
            if key in keys[:index]:
                raise ValueError(f"mapping pattern checks duplicate key ({key!r})")
            # Not by subscript, which would make the item of a defaultdict.
            found.append(converted_call(subject.get, (key, UNDEFINED)))
            if found[-1] is UNDEFINED:
                return False
        pairs = zip(self.patterns, map(captures.borrow, found), strict=True)
        steps = [partial(p.matches, item, taken) for p, item in pairs]
        return taken.all(*steps, lambda: self._rest(subject, keys, taken))

    def _rest(self, subject: Any, keys: Any, taken: Taken) -> bool:
        if self.rest is None:
            return True
        rest = dict(subject)
        for key in keys:
            del rest[key]
        return taken.take(self.rest, places.created(rest))


# Classes whose one positional pattern is matched by the object itself, and their
# subclasses: CPython's Py_TPFLAGS_MATCH_SELF.
_ITSELF = 1 << 22


@struct
class MatchClass:
    """`Point(0, y=pattern)`."""

    kind: Callable[[], Any]
    patterns: tuple[Pattern, ...]
    names: tuple[str, ...] = ()
    named: tuple[Pattern, ...] = ()

    def matches(self, subject: Any, taken: Taken) -> Any:
        """Its class, then the attributes, then what they hold."""
        kind = self.kind()
        if not isinstance(kind, type):
            raise TypeError("called match pattern must be a class")
        verdict = converted_call(isinstance, (subject, kind))
        if verdict is False:
            return False
        found: list[Any] = []
        for name in (*self._positional(kind), *self.names):
            held = subject if name is None else self._attribute(subject, name)
            if held is UNDEFINED:
                return False
            found.append(held)
        pairs = zip((*self.patterns, *self.named), found, strict=True)
        rest = (partial(p.matches, held, taken) for p, held in pairs)
        # Of a number of several kinds the run tells.
        return taken.all(*([] if verdict is True else [lambda: verdict]), *rest)

    def _attribute(self, subject: Any, name: str) -> Any:
        try:
            return get_attr(subject, name)
        except AttributeError:
            return UNDEFINED

    def _positional(self, kind: type) -> tuple[str | None, ...]:
        """The attributes of the positional patterns; None is the subject itself."""
        given = len(self.patterns)
        if not given:
            return ()
        itself = kind.__flags__ & _ITSELF and not hasattr(kind, "__match_args__")
        names: Any = (None,) if itself else getattr(kind, "__match_args__", ())
        shown = kind.__name__
        if type(names) is not tuple:
            raise TypeError(
                f"{shown}.__match_args__ must be a tuple (got {type(names).__name__})"
            )
        if given > len(names):
            plural = "" if len(names) == 1 else "s"
            raise TypeError(
                f"{shown}() accepts {len(names)} positional sub-pattern{plural} "
                f"({given} given)"
            )
        for index, name in enumerate(names[:given]):
            if not (itself or isinstance(name, str)):
                raise TypeError(
                    "__match_args__ elements must be strings "
                    f"(got {type(name).__name__})"
                )
            if name in names[:index] or name in self.names:
                raise TypeError(
                    f"{shown}() got multiple sub-patterns for attribute {name!r}"
                )
        return names[:given]
