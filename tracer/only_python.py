"""only_python: the calls that no graph serves, or none serves well: made as Python.

A trace takes some hundred times as long as Python for what it computes of constants.
One that goes on so without a node of its graph is given up: with the numbers among the
arguments as inputs there may be a graph after all, else Python is faster.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from runtime import build
from runtime.errors import OnlyPythonError, alone
from tracer.signature import Signature

# Turns of loops, and calls, of one trace that may add no node to its graph; and nodes
# that it may make in all, those that it drops again included: fewer in a trace that is
# tried after another one was given up, which is to find the loop that this one ran.
MOST_IDLE, MOST_NODES, MOST_NODES_AGAIN = 10_000, 20_000, 4_000
# Leaves of options of choices that the ends of its bodies may leave, each of which is
# joined with others: some 3,000 a second. Programs of a few choices leave up to 300.
MOST_CHOSEN, MOST_CHOSEN_AGAIN = 2_000, 1_000


class IdleError(OnlyPythonError):
    """A trace takes long for what Python does soon.

    It computes of constants alone, makes an operation of each of very many, or joins
    very many things that a place may hold.
    """

    why = "it computes long of constants alone, or has very many operations or choices"


class _State(threading.local):
    is_patient = False
    is_again = False


_state = _State()


@contextmanager
def patient() -> Iterator[None]:
    """For the block a trace may take as long as it takes: it is asked for by name."""
    before, _state.is_patient = _state.is_patient, True
    try:
        yield
    finally:
        _state.is_patient = before


@contextmanager
def again() -> Iterator[None]:
    """For the block a trace is tried after another one was given up."""
    _state.is_again = True
    try:
        yield
    finally:
        _state.is_again = False


def note_turn(frame: build.Frame, nodes: int) -> None:
    """A turn or call that began with so many nodes has ended.

    IdleError: too many have; PutOff: for long without a node, and as Python it is short
    """
    trace = frame.trace
    trace.idle += len(frame.nodes) == nodes
    if _state.is_patient:
        return
    if trace.clock is not None:
        trace.clock.look(trace)
    if trace.idle > MOST_IDLE:
        raise IdleError("this computes of constants alone for long")
    if trace.made > (MOST_NODES_AGAIN if _state.is_again else MOST_NODES):
        raise IdleError("this has very many operations")


def note_call(trace: build.Trace) -> None:
    """A call begins: of one within another, in loops and branches of data, none ends.

    PutOff, IdleError: as for a turn that ends, by the clock alone
    """
    if trace.clock is not None and not _state.is_patient:
        trace.clock.look(trace)


def note_chosen(trace: build.Trace, leaves: int) -> None:
    """A body leaves a choice of so many leaves. IdleError: too many were left."""
    trace.chosen += leaves
    if _state.is_patient:
        return
    if trace.chosen > (MOST_CHOSEN_AGAIN if _state.is_again else MOST_CHOSEN):
        raise IdleError("a place may hold very many things here")


def turns(items: Iterable[Any], frame: build.Frame) -> Iterator[Any]:
    """The items, for a loop each of whose turns is one that may be idle."""
    for item in items:
        nodes = len(frame.nodes)
        yield item
        note_turn(frame, nodes)


# What a call is like, to a trace: its signature, or that of a call with long lists.
Known = dict[Signature | tuple[Any, ...], OnlyPythonError]


@contextmanager
def noted(
    known: Known, signature: Signature | tuple[Any, ...], is_asked: bool = False
) -> Iterator[None]:
    """Raise at once what a trace for this signature raised before; note what it raises.

    So each call but the first goes straight to Python.
    is_asked: the trace is asked for by name, so it is tried again
    """
    if signature in known and not is_asked:
        raise alone(known[signature])
    try:
        yield
    except OnlyPythonError as error:
        known[signature] = alone(error)
        raise


# Items of a list among the arguments that make it a long one, and those that no trace
# is made of: each is a constant, or an input, and 10 to 200 us of every call.
LONG, TOO_LONG = 256, 1_000
_PLAIN = frozenset({bool, int, float, complex, str, bytes, type(None)})


class LongListError(OnlyPythonError):
    """An argument is a list of numbers that a trace takes one by one."""

    why = "it is given a list of many numbers"


@contextmanager
def noted_long(
    known: Known, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> Iterator[None]:
    """`noted`, of all calls with long lists at the same places.

    Their signature takes longer to make than most functions take as Python.
    """
    given = (*args, *kwargs.values())
    counts = [_count(one) for one in given]
    if all(count < LONG for count in counts):
        yield
        return
    if max(counts) >= TOO_LONG:
        raise LongListError("a list of so many numbers is traced one by one")
    pairs = zip(given, counts, strict=True)
    kinds = [list if count >= LONG else type(one) for one, count in pairs]
    with noted(known, (*kinds, *kwargs)):
        yield


# Items of a tuple or dict that no trace is made of, which takes 30 us for each until
# that is known. Fewer may be a table of constants.
HUGE = 10_000
# A list of these is no input as it is, whatever else it holds.
_NO_NUMBERS = frozenset({bool, str, bytes, type(None)})


def refuse_huge(given: Iterable[Any]) -> None:
    """LongListError: one is a tuple or dict of very many, or a long list of texts.

    Asked before anybody goes through them.
    """
    for one in given:
        kind = type(one)
        if kind is list and len(one) >= TOO_LONG and type(one[0]) in _NO_NUMBERS:
            raise LongListError("a list of so many is traced one by one")
        if kind in (tuple, dict) and len(one) >= HUGE:
            raise LongListError(f"a {kind.__name__} of so many is traced one by one")


def _count(given: Any) -> int:
    """How many numbers or texts a list, or one of such lists, holds: a first look."""
    if type(given) is not list or not given:
        return 0
    first = given[0]
    if type(first) in (list, tuple) and first:
        return len(given) * len(first) if type(first[0]) in _PLAIN else 0
    return len(given) if type(first) in _PLAIN else 0
