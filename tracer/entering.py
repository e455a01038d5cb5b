"""entering: calls that come often get machine code that takes the arguments itself.

A call by a short key is bound, checked and finished by Python, which takes a
microsecond. When a trace has been called so often that Python has spent on that what
compiling costs, its graph is compiled once more, whole, together with the checks: an
entry (`entries`), which the Function's calls ask first. What no entry is for goes on as
before. A trace that makes lists has more of one than that microsecond: an entry keeps
them in memory from loop to loop, where Python is given them in between (decision 36).
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from itertools import chain, pairwise, repeat
from time import perf_counter
from typing import TYPE_CHECKING, Any

from runtime.backends.llvm.switch import is_asked_for
from tracer.again import is_foreseen
from tracer.traced import Container, leaves_of

if TYPE_CHECKING:
    from runtime.graph import Graph, Node
    from tracer.concrete import ConcreteFunction
    from tracer.entries import EntryOfCall

# What Python takes to bind a call and to finish it, about.
SECONDS_A_CALL = 1e-6
# Calls before it is asked what compiling costs; half that until it is asked again.
CALLS = 5_000
# Of a trace that makes lists: calls before it is looked how long one takes, how often
# that is done, and the part of it that an entry saves.
CALLS_OF_LISTS, LOOKS, SAVED = 20, 8, 0.5
MAKES_LISTS = frozenset({"list_of", "list_repeat"})

_NEVER: Iterator[None] = repeat(None)
# Held by the thread that makes one; another thread's, or a finalizer's, comes later.
_lock = threading.Lock()


def may_enter(concrete: ConcreteFunction) -> bool:
    """Whether a trace may have entries."""
    # What counts or times runs in place of the compiled graph has none.
    traced, native = concrete.traced, getattr(concrete.compiled, "native", False)
    if concrete.outer is not None:
        is_known = _is_simple(concrete) and is_foreseen(concrete.graph)
        is_once = traced.structure is not None and not concrete.drawn
        return bool(native) and is_once and is_known
    # What would be kept is copied first.
    outside = concrete.writes_arrays and concrete.outer_arrays
    others = bool(
        outside or concrete.needs_containers or concrete.kept or concrete.drawn
    )
    if others or not is_foreseen(concrete.graph):
        return False
    return native and traced.structure is not None


def _is_simple(concrete: ConcreteFunction) -> bool:
    """Whether a trace that changes places outside changes nothing else."""
    traced = concrete.traced
    inside = any(isinstance(leaf, Container) for leaf in leaves_of(traced))
    others = concrete.once or concrete.writes_arrays or traced.containers_changed
    return not (others or inside or traced.rows_changed)


class Entering:
    """Counts the calls of a trace that Python has bound, and has their entry made.

    concrete: None where it is called itself, and does not hold itself
    first: the number of the argument from which on only defaults may be passed
    """

    def __init__(self, concrete: ConcreteFunction | None, first: int | None) -> None:
        self.concrete = concrete
        self.first = first
        self._calls = 0
        self._making: EntryOfCall | None = None
        # What an entry saves; when calls came that are looked at to see that.
        self._seconds = SECONDS_A_CALL
        self._looks: list[float] | None = [] if _makes_lists(concrete) else None
        # Whether all is done; whether calls are to be tried as Python before the rest;
        # whether that has been done, or is not to be (see `either_way`).
        self.is_over = self.waits = False
        self.is_tried = True
        # Whether calls enter it by now; the seconds that it has taken to have it made.
        self.has_entry, self.looking = False, 0.0

    def ticks(self) -> Iterator[None]:
        """One for each call until this is to be called."""
        if is_asked_for():
            self._looks = None
            return self._wait(0)
        return self._wait(CALLS if self._looks is None else CALLS_OF_LISTS)

    def _wait(self, calls: int) -> Iterator[None]:
        self._calls += calls
        return repeat(None, calls)

    def __call__(self, owner: Any, args: Any, kwargs: dict[str, Any]) -> Iterator[None]:
        """Do what is next to make the entry; gives the ticks of the next calls."""
        if not _lock.acquire(blocking=False):
            return self._wait(CALLS)
        start = perf_counter()
        try:
            return self._go_on(owner, args, kwargs)
        finally:
            self.looking += perf_counter() - start
            _lock.release()

    @property
    def is_making(self) -> bool:
        """Whether an entry is being compiled."""
        return self._making is not None

    def _look(self, looks: list[float]) -> Iterator[None]:
        """See how long a call takes: from one to the next at most."""
        looks.append(perf_counter())
        if len(looks) <= LOOKS:
            return self._wait(0)
        least = min(after - before for before, after in pairwise(looks))
        self._seconds, self._looks = max(SECONDS_A_CALL, SAVED * least), None
        # As much time as has passed where others are asked first.
        return self._wait(int(CALLS * SECONDS_A_CALL / self._seconds))

    def _go_on(self, owner: Any, args: Any, kwargs: dict[str, Any]) -> Iterator[None]:
        from tracer.entries import EntryOfCall

        if self._looks is not None:
            return self._look(self._looks)
        if self._making is None:
            of_call = owner, args, kwargs, self.first
            concrete = owner if self.concrete is None else self.concrete
            self._making = EntryOfCall(concrete, *of_call)
        making, spent = self._making, self._calls * self._seconds
        if not making.is_settled(spent, self.is_tried):
            self.waits = making.waits
            if not making.is_begun:
                self._making = None  # it holds the program as it was written
            if self.waits:
                return self._wait(CALLS)
            return self._wait(max(int((making.due - spent) / self._seconds), 1))
        self._making, self.is_over = None, True
        self.has_entry = making.enter(owner)
        # Calls that come here again miss it, since something else is read outside.
        return self._wait(self._calls + CALLS) if self.has_entry else _NEVER


def _makes_lists(concrete: ConcreteFunction | None) -> bool:
    """Whether a trace with loops makes lists, outside of these."""
    if concrete is None:
        return False
    ops = {node.op.name for node in _outside_loops(concrete.graph)}
    return "while" in ops and not ops.isdisjoint(MAKES_LISTS)


def _outside_loops(graph: Graph) -> Iterator[Node]:
    """The nodes of a graph, and of its branches: a first turn may have become one."""
    for node in graph.nodes:
        yield node
        if node.op.name == "if":
            yield from chain.from_iterable(map(_outside_loops, node.graphs))
