"""either_way: calls that stay without machine code, by graph or as Python.

A call may be made either way (decision 71), and where no machine code takes it a graph
may be the slower one: what it does for each operation costs more than Python's. So when
it is settled what becomes machine code some calls are made by the graph and some as
Python, by turns, and the faster way is kept (decision 85). Each call is made once.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator
from itertools import repeat
from math import inf
from operator import length_hint
from time import perf_counter
from typing import TYPE_CHECKING, Any

from runtime.backends.llvm.switch import (
    Spent,
    is_counting,
    is_making,
    seconds_awaited,
    seconds_looking,
)
from runtime.config import config
from runtime.effects import WRITES_WORLD
from runtime.graph import Graph
from tracer import log
from tracer.by_python import (
    LOOK,
    First,
    Manner,
    read_as_python,
    run_as_python,
    size_of,
    sizes_of,
)
from tracer.entering import CALLS as CALLS_ENTERING
from tracer.entering import Entering
from tracer.generated import MISS, made
from tracer.short_keys import ShortKeys, form_of

if TYPE_CHECKING:
    from tracer.concrete import ConcreteFunction

# Whether the clock decides; most tests want the graph.
TIMED = True
clock = perf_counter
# Seconds that calls by the graph take, in all, before any is made as Python: by then it
# is known which parts of it are to be compiled.
SECONDS = 0.02
# How many times the seconds that are awaited calls may take meanwhile, and where steps
# are counted in their place.
TIMES, TIMES_COUNTED = 2, 8
# Calls in a trial: G by the graph, P as Python, in an order that no two kinds of calls
# that come by turns have; and of each way those that took longest, which are left out:
# the machine had something else to do.
ORDER, DISTURBED = "GPPGPGGPPGGPGPPG", 2
# Python is taken where it takes less than this part of the graph's time.
CLEAR = 0.8
# Trials that a graph has to win.
WON = 2
# What a call as Python takes longer than the shortest one by the graph is paid for:
# calls by the graph take so many times that before there is another. And how many calls
# as Python end the trial, where each takes so many times as long.
PAID, FAR, SURE = 16, 4, DISTURBED + 1
# While machine code is being made calls are Python's where the graph takes so long,
# and Python less than this part of it.
WAITING, CLEARLY = 1e-3, CLEAR / FAR
# A call by the graph that takes so long, half of it in machine code, needs no trial; if
# others took much less it may have been disturbed, and so often it is asked anew.
LONG, HALF, MOST_DISTURBED = 1e-3, 0.5, 3
# How much longer than in the trial a call as Python, or how much larger an argument,
# may be before there is another trial.
LONGER = 4
# Calls one after the other that took so long, of those that are timed: one may have
# waited for other programs.
MOST_LONG = 2
# As Python nothing is found out of a call, but now and then: what part of the time of
# these calls that may take, and how many calls may pass meanwhile.
READING, MOST_CALLS = 1 / 32, 256
# Calls as Python before there is another trial in any case, and how that grows.
AGAIN, GROWTH = 1_000, 4
# A call by the graph that takes so long has nothing of an entry, nor has one as Python.
FELT = SHORT = 2e-5


def may_be_tried(owner: Any, concrete: ConcreteFunction) -> bool:
    """Whether calls of the Function by a trace may be made as Python as well.

    Not where a graph is asked for by name, nor where what warns looks for its caller.
    """
    asked = config.strict or config.backend != "auto" or not config.precise
    is_asked = asked or not getattr(owner, "either_way", False)
    return TIMED and not is_asked and not _calls_out(concrete.graph)


def _calls_out(graph: Graph) -> bool:
    """Whether it calls functions whose effects are not known, or that warn."""
    return any(
        (node.op.name == "host_call" and not node.effects.isdisjoint(WRITES_WORLD))
        or any(map(_calls_out, node.graphs))
        for node in graph.nodes
    )


class EitherWay:
    """The calls of a trace by a short key, until it is settled how they are made.

    run:      makes one by the graph, or gives MISS: see `straight`
    entering: has the entry made, if there may be one
    leaves, found: how many leaves and containers a call has
    """

    def __init__(
        self,
        owner: Any,
        concrete: ConcreteFunction,
        run: Callable[..., Any],
        entering: Entering | None,
        leaves: int,
        found: int,
    ) -> None:
        self._concrete = concrete
        self._run, self._entering = run, entering
        if entering is not None:
            entering.is_tried = False
        owner._short.note_seldom(self)
        self._as_python = Manner(owner, concrete.outer is not None)
        self._names = [f"v{i}" for i in range(leaves)] + [f"c{i}" for i in range(found)]
        self._sizes = sizes_of(concrete)
        head = ", ".join(("def sizes(owner, args, kwargs", *self._names))
        self._sized = made("sizes", f"{head}): return [{', '.join(self._sizes)}]", {})
        # Held while a call is timed: by others, and within it, none is.
        self._lock = threading.Lock()
        self._way: Callable[..., Any] = run
        self._calls, self._spent, self._due = 0, 0.0, SECONDS
        # The shortest call by the graph: others load and compile something.
        self._shortest = inf
        # The calls of a trial that are to come, and what they have to wait for.
        self._order, self._owed, self._took = "", 0.0, dict[str, list[float]]()
        # The largest sizes in trials: of leaves, and of arguments.
        self._largest: list[float] = []
        self._passed: list[float] = []
        # Early is a trial that comes while machine code is being made.
        self._won, self._again, self._is_early = 0, AGAIN, False
        # Calls as Python until there is another trial, and between two that are timed;
        # and until the entry is asked for, which is quicker than both.
        self._left, self._looked, self._unentered = 0, 0, CALLS_ENTERING
        # The function that makes calls as Python, while there is one.
        self._python: weakref.ref[Any] | None = None
        self._longest, self._reading = 0.0, inf
        self._long, self._disturbed = 0, MOST_DISTURBED
        self._first: First

    def __call__(self, owner: Any, args: Any, kwargs: Any, *given: Any) -> Any:
        """Make a call; from the last one of a trial on, others the faster way."""
        if not self._lock.acquire(blocking=False):
            return self._way(owner, args, kwargs, *given)
        try:
            way = self._next()
            self._way = self._as_python if way == "P" else self._run
            if way == "G" and not self._took["G"]:
                return self._begin_trial(owner, args, kwargs, given)
            result, start = None, clock()
            try:
                result = self._way(owner, args, kwargs, *given)
            finally:  # what raises takes its time, too
                took = clock() - start
                if result is not MISS and way:
                    self._note_trial(owner, args, kwargs, way, took, given)
                elif result is not MISS:
                    self._note(owner, took)
            return result
        finally:
            self._way = self._run
            self._lock.release()

    def _next(self) -> str:
        """How the next call of a trial is made; "" where it is none of a trial."""
        way = self._order[:1]
        if way == "P" and self._owed > 0:
            return ""
        self._order = self._order[1:]
        return way

    def _begin_trial(self, owner: Any, args: Any, kwargs: Any, given: Any) -> Any:
        """The first call, by the graph: see what machine code takes of it."""
        spent, self._order = Spent(clock), ORDER  # it may miss
        result, start = None, clock()
        try:
            with spent.of(self._concrete.compiled):
                result = self._run(owner, args, kwargs, *given)
        finally:
            took = clock() - start
            if result is not MISS:
                self._order = ORDER[1:]
                self._note_trial(owner, args, kwargs, "G", took, given)
                # To look at what is passed is a part of this way that none saves.
                is_long = spent.seconds > max(HALF * (took + self._reading), LONG)
                if is_long and took > FAR * self._shortest and self._disturbed:
                    self._disturbed -= 1
                    self._begin()
                elif is_long:
                    self._keep_graph(owner)
        return result

    def _note_trial(
        self, owner: Any, args: Any, kwargs: Any, way: str, seconds: float, given: Any
    ) -> None:
        """A call of a trial has been made."""
        if way == "G":
            # What is made as Python does without.
            reading = _reading(owner._short, args, kwargs)
            seconds += reading
            self._reading = min(reading, self._reading)
        self._took[way].append(seconds)
        self._largest = [*map(max, self._largest, self._sized(None, (), {}, *given))]
        sizes = [size_of(one) for one in (*args, *kwargs.values())]
        # A call may leave to their defaults what another one has passed.
        known = self._passed if len(self._passed) == len(sizes) else repeat(0.0)
        self._passed = [*map(max, known, sizes)]
        shortest, took = min(self._took["G"]), self._took["P"]
        if way == "P":
            self._owed += PAID * max(seconds - shortest, 0.0)
        if len(took) >= SURE and min(took) > FAR * shortest:
            self._graph_wins(owner)
        elif not self._order or self._is_far_slower():
            self._decide(owner, args, kwargs)

    def _is_far_slower(self) -> bool:
        """Whether calls by the graph take so long that a few are enough."""
        graph, took = self._took["G"], self._took["P"]
        return min(len(graph), len(took)) >= SURE and min(graph) > FAR * max(took)

    def _note(self, owner: Any, seconds: float) -> None:
        """A call by the graph has been made, before or after a trial."""
        self._calls += 1
        self._spent += seconds
        self._owed -= seconds
        self._shortest = min(self._shortest, seconds)
        if self._calls == LOOK:
            owner._short.note_often(self)
        is_trial = bool(self._order)
        if is_trial or self._spent < self._due:
            return
        if self._is_settled() or self._is_worth_leaving():
            self._begin()

    def _is_worth_leaving(self) -> bool:
        """Whether machine code is being made, and calls take long meanwhile."""
        return self._shortest > WAITING and is_making(self._concrete.compiled)

    def _is_settled(self) -> bool:
        """Whether no more of it is to become machine code soon."""
        compiled = self._concrete.compiled
        awaited = seconds_awaited(compiled)
        if awaited == inf or self._is_entering():
            self._due = self._spent + SECONDS
            return False
        times = TIMES_COUNTED if is_counting(compiled) else TIMES
        # What looks for machine code, or loads what does, is no step of the graph's.
        looking = seconds_looking(compiled) + getattr(self._entering, "looking", 0.0)
        self._due = max(self._due, times * awaited + looking)
        return self._spent >= self._due

    def _is_entering(self) -> bool:
        """Whether an entry may come, and calls are so short that they would feel it."""
        entering = self._entering
        if entering is None or entering.is_over or entering.waits:
            return False
        is_felt = self._calls <= MOST_LONG or self._shortest < FELT
        return entering.is_making or (is_felt and self._calls < 2 * CALLS_ENTERING)

    def _enters(self, owner: Any, args: Any, kwargs: Any, calls: int) -> bool:
        """Whether there is an entry by now; it goes on being made meanwhile.

        calls: so many more were made as Python
        """
        entering = self._entering
        if entering is None or entering.is_over or entering.waits:
            return False
        self._unentered -= calls
        if self._shortest < FELT and self._unentered <= 0:
            self._unentered = length_hint(entering(owner, args, kwargs))
        return entering.has_entry

    def _begin(self) -> None:
        self._order, self._took = ORDER, {"G": [], "P": []}
        self._owed, self._is_early = 0.0, is_making(self._concrete.compiled)
        self._largest = self._largest or [0.0] * len(self._sizes)

    def _decide(self, owner: Any, args: Any, kwargs: Any) -> None:
        """A trial is over."""
        self._order = ""
        graph, python = (sorted(self._took[way])[:-DISTURBED] for way in "GP")
        parts = sum(python) / max(sum(graph), 1e-9), python[0] / max(graph[0], 1e-9)
        if max(parts) < (CLEARLY if self._is_early else CLEAR):
            self._longest = max(self._took["P"])
            # The next trial is to be a small part of the time until then.
            lost = max(sum(graph) - sum(python), 0.0)
            self._left = max(self._again, int(PAID * lost / max(python[0], 1e-9)))
            if not self._is_early:
                self._again *= GROWTH
            self._won = 0
            self._take_python(owner, args, kwargs)
            if told := config.logger("retrace"):
                told.info(
                    "%s: %s, as that takes %.2f of its graph's time",
                    *(self._concrete.name, log.BY_PYTHON, parts[0]),
                )
        else:
            self._graph_wins(owner)

    def _graph_wins(self, owner: Any) -> None:
        """Calls are made by the graph, until there is another trial, if any."""
        self._order = ""
        self._won += not self._is_early
        self._due = self._spent + max(SECONDS, self._owed)
        if self._won >= WON:
            self._keep_graph(owner)

    def _keep_graph(self, owner: Any) -> None:
        """From now on calls are made by the graph, and not timed."""
        if self._entering is not None:
            self._entering.is_tried = True
        owner._short.replaced(self, self._run)

    def _take_python(self, owner: Any, args: Any, kwargs: Any) -> None:
        """From now on calls are made as Python, and looked at now and then."""
        most = [LONGER * one for one in self._largest]
        limits = dict(zip(self._sizes, most, strict=True))
        of = (self._names, limits, self._as_python)
        python = run_as_python(*of, self._try_again, self._look)
        self._python = weakref.ref(python)
        owner._short.as_python(self, python)
        passed = [LONGER * one for one in self._passed]
        least = max(min(self._took["P"]), 1e-9)
        calls = int(min(max(self._reading / least / READING, LOOK), MOST_CALLS))
        self._looked = LOOK * calls
        reader = read_as_python(args, kwargs, passed, calls, self._as_python)
        self._first = First(reader, passed)
        owner._short.put_first(form_of(args, kwargs), self._first)

    def _look(self, owner: Any, args: Any, kwargs: Any) -> tuple[Any, Iterator[None]]:
        """A call as Python, and one for each call until the next look."""
        start = clock()
        try:
            result = self._as_python(owner, args, kwargs)
        finally:
            self._note_look(owner, args, kwargs, clock() - start)
        return result, repeat(None, LOOK)

    def _note_look(self, owner: Any, args: Any, kwargs: Any, took: float) -> None:
        """A call as Python has been looked at: it may be one of the last."""
        made = self._looked
        if not kwargs and took < SHORT and self._as_python.is_plain:
            key = (self._concrete, "as Python")
            made *= self._first.note_calls(owner, args, key, self._looked)
        if self._enters(owner, args, kwargs, made):
            self._end(owner)
            return
        self._left -= made
        is_long = took > LONGER * self._longest
        self._long = self._long + 1 if is_long else 0
        is_made = self._is_early and not is_making(self._concrete.compiled)
        if is_made or self._long > MOST_LONG or self._left <= 0:
            self._begin_again(owner)

    def _try_again(self, owner: Any, args: Any, kwargs: Any, *given: Any) -> Any:
        """A call of a larger size: another trial."""
        self._begin_again(owner)
        return self(owner, args, kwargs, *given)

    def _end(self, owner: Any) -> None:
        """Calls are made by the entry, and those that miss it by the graph."""
        python = None if self._python is None else self._python()
        if python is not None:
            self._python = None
            owner._short.replaced(python, self._run)

    def _begin_again(self, owner: Any) -> None:
        python = None if self._python is None else self._python()
        if python is not None and self._lock.acquire(blocking=False):
            try:
                self._python = None
                self._begin()
                owner._short.replaced(python, self)
            finally:
                self._lock.release()


def _reading(short: ShortKeys, args: Any, kwargs: Any) -> float:
    """The seconds that it takes to find the leaves of a call, and its trace."""
    start = clock()
    short.look(args, kwargs)
    return clock() - start
