"""short_keys: the traces of calls by short keys, which generated functions make.

A call goes the long way (`signature_of`) until the same form of call is met once more:
so many arguments, these keywords and structures, these kinds of leaves. From then on a
function made for that form finds the trace, and one made for the trace runs it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import starmap
from typing import TYPE_CHECKING, Any

import numpy as np

from tracer import tree
from tracer.generated import MISS

if TYPE_CHECKING:
    from tracer.concrete import ConcreteFunction
    from tracer.leaf_keys import LeafKey
    from tracer.reader import Root
    from tracer.signature import Bound

# Short keys of one form of call that are kept: many sizes may share one trace.
MOST_KEYS = 1_000
# Structures and kinds of leaves that calls with as many arguments get functions for.
MOST_READERS = 16
# Calls of one trace that no function could be made for, before few are tried.
MOST_TRIES = 4

# The call, of those that have one trace, that makes the functions: many traces are
# called once. The tests have the first one make them.
MADE_AT = 2

Quick = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Call:
    """A call that has found its trace the long way.

    owner:  the Function, or the trace itself
    bound:  the arguments, bound to the parameters
    places: gives what stands in their places for where they are in the call
    first:  the number of the argument from which on only defaults may be passed
    """

    owner: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    bound: Bound
    places: Callable[[], Bound]
    first: int | None = None

    @property
    def form(self) -> Any:
        """What stands for the numbers of arguments and the keywords."""
        count = len(self.args)
        return (count, *self.kwargs) if self.kwargs else count


class ShortKeys:
    """What a Function, or a trace, knows of quick ways for its calls."""

    def __init__(self) -> None:
        # For each form of call the functions that give its result, or MISS.
        self.readers: dict[Any, tuple[Quick, ...]] = {}
        self._known: dict[Any, tuple[Quick, dict[Any, Quick]]] = {}
        self._runs: dict[Any, Quick] = {}
        # Of each trace, those that went the long way, and those in vain.
        self._calls: Counter[ConcreteFunction | None] = Counter()
        self._failures: Counter[ConcreteFunction | None] = Counter()

    def clear(self) -> None:
        """Forget all: a trace has gone, or an object that was an argument."""
        self.readers.clear()
        self._known.clear()
        self._runs.clear()
        self._calls.clear()
        self._failures.clear()

    def remember(
        self, call: Call, concrete: ConcreteFunction, leaves: Sequence[Any]
    ) -> None:
        """Let calls like this one find the trace quickly, if they can.

        leaves: of the arguments, as the trace takes them
        """
        # A trace does not hold itself.
        trace = None if call.owner is concrete else concrete
        self._calls[trace] += 1
        count, failures = self._calls[trace], self._failures[trace]
        is_tried = failures < MOST_TRIES or count & (count - 1) == 0
        if (
            count >= MADE_AT
            and is_tried
            and not self._remembered(call, concrete, leaves)
        ):
            self._failures[trace] += 1

    def _remembered(
        self, call: Call, concrete: ConcreteFunction, fitted: Sequence[Any]
    ) -> bool:
        from tracer.leaf_keys import leaf_key

        leaves, structure = tree.flatten(call.bound)
        signature = concrete.signature
        if structure != signature.structure:
            # An input_signature has made an array of a list, say.
            return False
        found = list(map(leaf_key, leaves, signature.leaves))
        keys = tuple(key for key in found if key is not None)
        if len(keys) < len(found):
            return False
        aliases = _aliases(leaves)
        form = call.form, structure, tree.orders(structure), keys, aliases
        read, runs = self._known.get(form) or (None, {})
        if read is None:
            read = self._reader(call, keys, aliases, runs)
            if read is None:
                return False
        noted = read(call.owner, call.args, call.kwargs, _Note(fitted))
        if not isinstance(noted, _Noted):
            return False
        if len(runs) >= MOST_KEYS:
            runs.clear()
        runs[noted.key] = self._run(call, concrete, aliases, noted)
        if form not in self._known:
            self._known[form] = read, runs
            others = self.readers.get(call.form, ())
            self.readers[call.form] = (read, *others)
        return True

    def _reader(
        self,
        call: Call,
        keys: Sequence[LeafKey],
        aliases: Sequence[int],
        runs: dict[Any, Quick],
    ) -> Quick | None:
        from tracer.reader import Unreadable, reader

        if len(self.readers.get(call.form, ())) >= MOST_READERS:
            return None
        try:
            return reader(_roots(call), keys, aliases, call.bound, runs.get)
        except Unreadable:
            return None

    def _run(
        self, call: Call, concrete: ConcreteFunction, aliases: Any, noted: _Noted
    ) -> Quick:
        is_strict = call.owner is concrete
        trace = None if is_strict else concrete
        known = trace, aliases, noted.found, noted.arrays
        if known not in self._runs:
            from tracer.straight import straight

            arrays = [i for i, a in enumerate(aliases) if i == a and noted.arrays[i]]
            self._runs[known] = straight(
                concrete, arrays, len(aliases), noted.found, is_strict
            )
        return self._runs[known]


class Given:
    """Stands for an argument of a call. where: the text that gives it"""

    def __init__(self, where: str) -> None:
        self.where = where


def given(args: Sequence[Any], kwargs: dict[str, Any]) -> Bound:
    """What stands for the arguments of a call."""
    places = tuple(Given(f"args[{i}]") for i in range(len(args)))
    return places, {name: Given(f"kwargs[{name!r}]") for name in kwargs}


def _roots(call: Call) -> list[Root]:
    """Where the bound arguments are in the call, in the order of a signature."""
    from tracer.reader import Unreadable

    (args, kwargs), (passed, named) = call.places(), call.bound
    pairs = [*zip(args, passed, strict=True)]
    rest = len(pairs) if call.first is None else call.first
    pairs += [(kwargs[name], named[name]) for name in sorted(named)]
    if any(isinstance(place, Given) for place, _ in pairs[rest:]) and call.first:
        raise Unreadable("only the default itself can be passed")
    return [
        (place.where if isinstance(place, Given) else None, thing)
        for place, thing in pairs
    ]


def _aliases(leaves: Sequence[Any]) -> tuple[int, ...]:
    first: dict[int, int] = {}
    return tuple(
        first.setdefault(id(leaf), i) if isinstance(leaf, np.ndarray) else i
        for i, leaf in enumerate(leaves)
    )


@dataclass(frozen=True, slots=True)
class _Noted:
    """What a reader has found: the key, and how many containers."""

    key: tuple[Any, ...]
    found: int
    arrays: tuple[bool, ...]


class _Note:
    """Looks whether a reader finds the leaves that the long way has found."""

    def __init__(self, leaves: Sequence[Any]) -> None:
        self._leaves = leaves

    def __call__(self, key: Any, leaves: Sequence[Any], found: Sequence[Any]) -> Any:
        if not all(starmap(_same, zip(leaves, self._leaves, strict=True))):
            return MISS
        arrays = tuple(isinstance(leaf, np.ndarray) for leaf in leaves)
        return _Noted(key, len(found), arrays)


def _same(leaf: Any, known: Any) -> bool:
    """One object; or equal scalars, since an input_signature makes new ones."""
    if leaf is known:
        return True
    alike = type(leaf) is type(known) and isinstance(leaf, np.generic)
    return alike and leaf.dtype == known.dtype and bool(leaf == known)
