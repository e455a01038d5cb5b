"""short_keys: the traces of calls by short keys, which generated functions make.

A call goes the long way (`signature_of`) until the same form of call is met once more:
so many arguments, these keywords and structures, these kinds of leaves. From then on a
function made for that form finds the trace, and one made for the trace runs it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from runtime.structs import struct
from tracer.generated import MISS

if TYPE_CHECKING:
    from tracer.by_python import First
    from tracer.concrete import ConcreteFunction
    from tracer.parameters import Bound

# Calls of one trace that no function could be made for, before few are tried.
MOST_TRIES = 4

# The call, of those that have one trace, that makes the functions: many traces are
# called once. The tests have the first one make them.
MADE_AT = 2

Quick = Callable[..., Any]


@struct
class Call:
    """A call that has found its trace the long way.

    owner:  the Function, or the trace itself
    bound:  the arguments, bound to the parameters
    bind:   binds arguments to the parameters
    first:  the number of the argument from which on only defaults may be passed
    """

    owner: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    bound: Bound
    bind: Callable[[tuple[Any, ...], dict[str, Any]], Bound]
    first: int | None = None

    @property
    def form(self) -> Any:
        """What stands for the numbers of arguments and the keywords."""
        return form_of(self.args, self.kwargs)


def form_of(args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """What stands for the numbers of arguments and the keywords of a call."""
    return (len(args), *kwargs) if kwargs else len(args)


class Several:
    """The runs for several states of what is read outside, the latest made first."""

    def __init__(self, runs: tuple[Quick, ...]) -> None:
        self.runs = runs

    def __call__(self, *given: Any) -> Any:
        for run in self.runs:
            result = run(*given)
            if result is not MISS:
                return result
        return MISS

    def replaced(self, run: Quick, by: Quick) -> Several:
        """The same, with another function in the place of one of them."""
        return Several(tuple(by if one is run else one for one in self.runs))


class ShortKeys:
    """What a Function, or a trace, knows of quick ways for its calls."""

    def __init__(self) -> None:
        # For each form of call the functions that give its result, or MISS.
        self.readers: dict[Any, tuple[Quick, ...]] = {}
        # Each of them with what is run for a key, and what is run for a trace.
        self.known: dict[Any, tuple[Quick, dict[Any, Quick]]] = {}
        self.runs: dict[Any, Quick] = {}
        # The machine code that calls ask first, by the trace and more: see `entering`.
        self.entries: dict[Any, Any] = {}
        # Those of the functions in `known` that make calls as Python, or few; for a
        # form of call that has no others, what is asked first.
        self._passed_over: set[Quick] = set()
        self._first: dict[Any, First] = {}
        # Of each trace, those that went the long way, and those in vain.
        self._calls: Counter[ConcreteFunction | None] = Counter()
        self._failures: Counter[ConcreteFunction | None] = Counter()

    def clear(self, gone: ConcreteFunction) -> None:
        """Forget all but other traces' entries: a trace has gone."""
        for form in [*self._first]:
            self._take_first(form)
        self.readers.clear()
        self.known.clear()
        self.runs.clear()
        self._passed_over.clear()
        for key in [key for key in self.entries if key[0] is gone]:
            del self.entries[key]
        self._calls.clear()
        self._failures.clear()

    def look(self, args: Any, kwargs: Any) -> None:
        """Find the trace of a call, and make nothing of it."""
        for read in self.readers.get(form_of(args, kwargs), ()):
            if read(None, args, kwargs, _nothing) is not MISS:
                break

    def note_seldom(self, run: Quick) -> None:
        """Calls that `run` makes are few, so far, and may be made as Python."""
        self._passed_over.add(run)

    def note_often(self, run: Quick) -> None:
        """They come often, and are no longer passed over."""
        self._passed_over.discard(run)
        self.look_at(run)

    def look_at(self, run: Quick) -> None:
        """Let calls of `run` be looked at, unless they may be passed over."""
        if run not in self._passed_over:
            for form in [*self._first]:
                self._take_first(form)

    def as_python(self, run: Quick, python: Quick) -> None:
        """Let calls that `run` makes be made by `python`, as Python."""
        self._passed_over.add(python)
        self._replace(run, python)

    def replaced(self, run: Quick, by: Quick) -> None:
        """Let calls that `run` makes be made by another function, by their graph."""
        self.note_often(run)
        self._replace(run, by)

    def put_first(self, form: Any, first: First) -> None:
        """Let this be asked first, unless calls of the form have a graph."""
        known = [runs for key, (_, runs) in [*self.known.items()] if key[0] == form]
        held = [run for runs in known for run in [*runs.values()]]
        each = (run.runs if isinstance(run, Several) else (run,) for run in held)
        found = {*chain.from_iterable(each)}
        self._take_first(form)
        if found and found <= self._passed_over:
            self._first[form] = first
            self.readers[form] = (first.read, *self.readers.get(form, ()))
        else:
            first.close()

    def _take_first(self, form: Any) -> None:
        first = self._first.pop(form, None)
        if first is not None:
            first.close()
            readers = self.readers.get(form, ())
            self.readers[form] = tuple(one for one in readers if one is not first.read)

    def _replace(self, run: Quick, by: Quick) -> None:
        for runs in [self.runs, *(runs for _, runs in [*self.known.values()])]:
            for key, held in [*runs.items()]:
                if held is run:
                    runs[key] = by
                elif isinstance(held, Several):
                    runs[key] = held.replaced(run, by)

    def note_used(self, used: dict[ConcreteFunction, None]) -> None:
        """Put the traces last whose calls nobody sees, in their order of use."""
        for trace in dict.fromkeys(key[0] for key in self.entries):
            if trace is not None:  # as it is for calls that are put off
                used.pop(trace, None)
                used[trace] = None

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
        if count < MADE_AT or not is_tried:
            return
        from tracer.remembering import remembered

        if not remembered(self, call, concrete, leaves):
            self._failures[trace] += 1


def _nothing(*found: Any) -> None:
    """What is asked of a reader of which nothing is wanted."""
