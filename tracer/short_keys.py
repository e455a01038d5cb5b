"""short_keys: the traces of calls by short keys, which generated functions make.

A call goes the long way (`signature_of`) until the same form of call is met once more:
so many arguments, these keywords and structures, these kinds of leaves. From then on a
function made for that form finds the trace, and one made for the trace runs it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from runtime.structs import struct

if TYPE_CHECKING:
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
        count = len(self.args)
        return (count, *self.kwargs) if self.kwargs else count


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
        # Of each trace, those that went the long way, and those in vain.
        self._calls: Counter[ConcreteFunction | None] = Counter()
        self._failures: Counter[ConcreteFunction | None] = Counter()

    def clear(self, gone: ConcreteFunction) -> None:
        """Forget all but other traces' entries: a trace has gone."""
        self.readers.clear()
        self.known.clear()
        self.runs.clear()
        for key in [key for key in self.entries if key[0] is gone]:
            del self.entries[key]
        self._calls.clear()
        self._failures.clear()

    def note_used(self, used: dict[ConcreteFunction, None]) -> None:
        """Put the traces last whose calls nobody sees, in their order of use."""
        for trace in dict.fromkeys(key[0] for key in self.entries):
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
