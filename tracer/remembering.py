"""remembering: functions made for a call, by which calls like it find their trace."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from itertools import starmap
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.structs import struct
from tracer import tree
from tracer.either_way import EitherWay, may_be_tried
from tracer.entering import Entering, may_enter
from tracer.generated import MISS
from tracer.leaf_keys import LeafKey, leaf_key
from tracer.parameters import Bound
from tracer.reader import Root, Unreadable, reader
from tracer.short_keys import Call, Quick, Several, ShortKeys
from tracer.signature import aliases_of
from tracer.straight import straight
from tracer.whole_lists import leaves_like

if TYPE_CHECKING:
    from tracer.concrete import ConcreteFunction

# Short keys of one form of call that are kept: many sizes may share one trace.
MOST_KEYS = 1_000
# States of what is read outside that are known for one key.
MOST_FORMS = 8
# Structures and kinds of leaves that calls with as many arguments get functions for.
MOST_READERS = 16


def remembered(
    short: ShortKeys, call: Call, concrete: ConcreteFunction, fitted: Sequence[Any]
) -> bool:
    """Let calls like this one find the trace quickly; False: there is no such way.

    fitted: the leaves of the arguments, as the trace takes them
    """
    signature = concrete.signature
    structure, leaves = signature.structure, leaves_like(signature, call.bound)
    if leaves is None:
        # An input_signature has made an array of a list, say.
        return False
    found = list(map(leaf_key, leaves, signature.leaves))
    keys = tuple(key for key in found if key is not None)
    if len(keys) < len(found):
        return False
    aliases = aliases_of(leaves)
    form = call.form, structure, tree.orders(structure), keys, aliases
    read, runs = short.known.get(form) or (None, {})
    if read is None:
        read = _reader(short, call, leaves, keys, runs)
        if read is None:
            return False
    noted = read(call.owner, call.args, call.kwargs, _Note(fitted))
    if not isinstance(noted, _Noted):
        return False
    if len(runs) >= MOST_KEYS:
        runs.clear()
    run = _run(short, call, concrete, aliases, noted)
    runs[noted.key] = _first(run, runs.get(noted.key))
    short.look_at(run)
    if form not in short.known:
        short.known[form] = read, runs
        others = short.readers.get(call.form, ())
        short.readers[call.form] = (read, *others)
    return True


def _reader(
    short: ShortKeys,
    call: Call,
    leaves: Sequence[Any],
    keys: Sequence[LeafKey],
    runs: dict[Any, Quick],
) -> Quick | None:
    if len(short.readers.get(call.form, ())) >= MOST_READERS:
        return None
    try:
        return reader(_roots(call), leaves, keys, call.bound, runs.get)
    except Unreadable:
        return None


def _run(
    short: ShortKeys, call: Call, concrete: ConcreteFunction, aliases: Any, noted: Any
) -> Quick:
    is_strict = call.owner is concrete
    trace = None if is_strict else concrete
    known = trace, aliases, noted.found, noted.arrays
    if known not in short.runs:
        arrays = [i for i, a in enumerate(aliases) if i == a and noted.arrays[i]]
        entering = Entering(trace, call.first) if may_enter(concrete) else None
        of = (concrete, arrays, len(aliases), noted.found)
        run = straight(*of, is_strict, entering)
        if not is_strict and may_be_tried(call.owner, concrete):
            run = EitherWay(
                call.owner, concrete, run, entering, len(aliases), noted.found
            )
        short.runs[known] = run
    return short.runs[known]


def _first(run: Quick, known: Quick | None) -> Quick:
    """What runs `run`, or else what is known."""
    if known is None or known is run:
        return run
    others = known.runs if isinstance(known, Several) else (known,)
    return Several((run, *(one for one in others if one is not run))[:MOST_FORMS])


class _Given:
    """Stands for an argument of a call. where: the text that gives it"""

    def __init__(self, where: str) -> None:
        self.where = where


def _given(args: Sequence[Any], kwargs: dict[str, Any]) -> Bound:
    """What stands for the arguments of a call."""
    places = tuple(_Given(f"args[{i}]") for i in range(len(args)))
    return places, {name: _Given(f"kwargs[{name!r}]") for name in kwargs}


def _roots(call: Call) -> list[Root]:
    """Where the bound arguments are in the call, in the order of a signature."""
    places = call.bind(*_given(call.args, call.kwargs))
    (args, kwargs), (passed, named) = places, call.bound
    pairs = [*zip(args, passed, strict=True)]
    pairs += [(kwargs[name], named[name]) for name in sorted(named)]
    rest = [] if call.first is None else pairs[call.first :]
    if any(isinstance(place, _Given) for place, _ in rest):
        raise Unreadable("only the default itself can be passed")
    return [
        (place.where if isinstance(place, _Given) else None, thing)
        for place, thing in pairs
    ]


@struct
class _Noted:
    """What a reader has found: a key, so many containers, which leaves are arrays."""

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
    """One object; or equal scalars, since an input_signature makes new ones.

    Of a list both are copies.
    """
    if leaf is known:
        return True
    if type(leaf) is type(known) is list:
        return len(leaf) == len(known) and all(map(operator.is_, leaf, known))
    alike = type(leaf) is type(known) and isinstance(leaf, np.generic)
    return alike and leaf.dtype == known.dtype and bool(leaf == known)
