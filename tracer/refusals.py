"""refusals: calls that no trace can be made for, which are refused again at once.

A trace may take seconds before it comes to nothing. What it was made for, and what it
has read outside, says whether another one would come to the same: then the next call is
refused in the same words, or run as Python where the first one was (decision 57).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from runtime import operators
from runtime.build import Frame, Trace
from runtime.errors import (
    OnlyPythonError,
    PythonTypeError,
    StagingError,
    StagingTypeError,
    alone,
    refused_as,
)
from runtime.location import Location
from runtime.structs import field, struct
from runtime.traceback import point_along, users_lines
from tracer import containers, log
from tracer.forms import Unsettled
from tracer.identities import known_to, may_be_met
from tracer.only_python import IdleError
from tracer.reads import Noted, Reads
from tracer.signature import Signature

# Refusals that are kept: each knows what was read.
MOST_KNOWN = 100


@struct
class Tried:
    """What the traces of one call have looked at; it holds nothing that they made.

    noted: what each has read outside
    met:   the ids of containers that some has met outside
    """

    noted: list[Noted] = field(default_factory=list)
    met: set[int] = field(default_factory=set)

    def note(self, trace: Trace) -> Noted:
        """One of them is over: what it has read."""
        self.noted.append(Noted.of(trace))
        self.met.update(known_to(trace))
        return self.noted[-1]

    def reads(self, given: Any, function: Any) -> Reads | None:
        """What was read, as it is now; None: nothing."""
        found = {
            place: read
            for noted in self.noted
            for place, read in noted.reads(given, (), function, ()).items()
        }
        return Reads([*found.values()]) if found else None


@struct
class Refusal:
    """What a call was refused with.

    error: with no traceback, which would hold the trace
    lines: of the user's source that it passed, the outermost first
    reads: what was read outside; met: the containers that were
    shares: whether a container of the arguments was met by another way, too
    """

    error: StagingError | Unsettled
    lines: tuple[Location, ...]
    reads: Reads | None
    met: frozenset[int]
    shares: bool

    @classmethod
    def of(
        cls, error: StagingError | Unsettled, tried: Tried, given: Any, call: Any
    ) -> Refusal:
        """That of a call, by what was raised; given: its leaves; call: see `look`."""
        function, bound = call
        lines, met = users_lines(error), frozenset(tried.met)
        reads = tried.reads(given, function)
        return cls(alone(error), lines, reads, met, _shares(bound, met))

    def holds(self, bound: Any) -> bool:
        """Whether a trace for these arguments would come to the same."""
        if _shares(bound, self.met) != self.shares:
            return False
        return self.reads is None or self.reads.hold()

    def again(self) -> Exception:
        """The error, to be raised by another call."""
        return point_along(alone(self.error), self.lines)


class Refusals:
    """What a Function has refused, by the signatures of the calls."""

    def __init__(self) -> None:
        self._known: dict[Signature, Refusal] = {}

    def look(self, signature: Signature, bound: Any) -> None:
        """Raise what a call like this one was refused with, if it would be so again.

        bound: the arguments
        """
        known = self._known.get(signature)
        if known is None:
            return
        if known.holds(bound):
            raise known.again()
        self._known.pop(signature, None)

    @contextmanager
    def noted(
        self, signature: Signature, leaves: Any, bound: Any, function: Any
    ) -> Iterator[Tried]:
        """A trace is tried for this signature: remember what it is refused with."""
        tried = Tried()
        try:
            yield tried
        except OnlyPythonError:
            raise  # `only_python` knows these, whatever was read
        except (StagingError, Unsettled) as error:
            if tried.noted:
                made = Refusal.of(error, tried, leaves, (function, bound))
                self._keep(signature, made)
            raise

    def _keep(self, signature: Signature, made: Refusal) -> None:
        if len(self._known) >= MOST_KNOWN:
            self._known = {k: v for k, v in self._known.items() if not k.is_gone}
        while len(self._known) >= MOST_KNOWN:
            self._known.pop(next(iter(self._known)))
        self._known[signature] = made

    def clear(self) -> None:
        """Forget all: the function has another code."""
        self._known.clear()


@contextmanager
def undone_if_refused(frame: Frame, own: Sequence[Any], tried: Tried) -> Iterator[None]:
    """A trace that fails leaves the user's objects as they were: without tensors.

    Unsettled: one of the containers may be met twice, of which the trace knows nothing.
    """
    try:
        yield
    except BaseException as error:
        frame.undo_changes()
        tried.note(frame.trace)
        if not frame.trace.is_converted:
            operators.say_as_it_is(error)
        if isinstance(error, StagingError):
            frame.trace.rows.see(error)
        is_own = isinstance(error, Exception) and not isinstance(error, IdleError)
        if is_own and may_be_met(frame.trace, [*own]):
            raise Unsettled(log.SHARES) from None
        if isinstance(error, StagingError) and not frame.trace.is_converted:
            raise _final(error) from None  # `autograph=False` wants no other way
        raise


def _final(error: StagingError) -> StagingError:
    """The refusal, to be raised by calls, too."""
    if isinstance(error, PythonTypeError):
        error = refused_as(StagingTypeError, error)
    error.is_final = True
    return error


def _shares(bound: Any, met: frozenset[int]) -> bool:
    """Whether one of the containers passed is there twice, or was met outside."""
    found = containers.found_in(bound)
    return containers.repeated(found) or any(id(one) in met for one in found)
