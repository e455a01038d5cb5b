"""making: machine code of steps: at once, or beside the program.

What costs little is compiled at once: a thread would take longer. The rest is done in a
thread of its own, while Python goes on. What an earlier program has compiled is found
in the store, whatever it cost. What the code is made of, a text, is not asked for then.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from runtime.backends.llvm import beside
from runtime.backends.llvm.building import Source
from runtime.backends.llvm.crew import built_to_share
from runtime.backends.llvm.loaded import is_usual
from runtime.backends.llvm.span import Span
from runtime.backends.llvm.ties import Ties
from runtime.backends.llvm.walking import walk
from runtime.location import Location
from runtime.spans import spanned
from runtime.structs import struct

if TYPE_CHECKING:
    from runtime.backends.llvm.linking import Compiled
    from runtime.backends.llvm.loops import Function

# What compiling takes, about: of each function, for each line of its text, and for each
# two of them; where no loop is made vectors of less.
SECONDS_ALL = 5e-3
SECONDS_A_LINE = 3e-5
SECONDS_TWO_LINES = 1.8e-9
WITHOUT_VECTORS = 0.5
# Nothing that takes so long is compiled.
LONGEST = 10.0
# What lowering takes, about, for each step: as long as compiling it, or longer.
SECONDS_LOWERING_EACH = 5e-4
# Half of what loading LLVM takes, the first time: what comes later needs it, too.
SECONDS_LOADING = 0.03
# What is done at once, while the program waits.
AT_ONCE = 0.02
# What is done beside the program may begin when Python has spent this part of its time.
BESIDE = 0.5


@struct
class Recipe:
    """What machine code is made of.

    key:       the name of the text in the store
    is_shared: the text names the crew of threads
    write:     gives the text
    ties:      what its names and numbers stand for
    function:  it in loop IR; None where nothing was lowered
    place:     where the first of the steps stands
    noted:     called when the code is in the store
    """

    key: str
    is_shared: bool
    write: Callable[[], str]
    ties: Ties
    function: Function | None
    place: Location | None
    noted: Callable[[], object]


class Making:
    """Steps that are to be machine code, on their way.

    cost: the seconds that Python is to have spent in them before
    """

    def __init__(self, recipe: Recipe, seconds: float) -> None:
        """What is to be made.

        seconds: about what compiling takes; 0.0: it is in the store
        """
        self.recipe = recipe
        self._is_little = is_little = seconds <= AT_ONCE
        # What is in the store is run without LLVM, where objects are as foreseen.
        is_loaded = "llvmlite" in sys.modules or not (seconds or not is_usual())
        loading = 0.0 if is_loaded else SECONDS_LOADING
        self.cost = (1.0 if is_little else BESIDE) * seconds + loading
        self._task: beside.Task[Compiled] | None = None

    def begin(self, called: Mapping[str, Any], *, at_once: bool) -> None:
        """Compile, or have it compiled; called: functions of Python's by their names.

        at_once: let the program wait, whatever it takes
        """
        recipe = self.recipe
        symbols, held = recipe.ties.symbols(called)
        source = Source(recipe.ties.name, recipe.write, symbols, held)
        self._task = beside.Task(partial(_compiled, source, recipe))
        if at_once or (self._is_little and not beside.is_busy()):
            self._task.run()
        else:
            beside.begin(self._task)

    @property
    def is_done(self) -> bool:
        """Whether the code, or the reason why there is none, is at hand."""
        return self._task is not None and self._task.is_done

    def result(self) -> Compiled:
        """The code. Any exception that compiling has raised."""
        assert self._task is not None
        return self._task.result()


def seconds_before(span: Span) -> float:
    """The seconds that Python spends in steps before they are lowered.

    As long as that takes; and no machine code is made before LLVM is worth loading.
    """
    inside = walk(body for step in span.steps for body in step.bodies)
    count = len(span.steps) + sum(1 for _ in inside)
    loading = 0.0 if "llvmlite" in sys.modules else SECONDS_LOADING
    return max(count * SECONDS_LOWERING_EACH, loading)


def seconds_of(lines: int, is_parallel: bool) -> float:
    """About what compiling a text of so many lines takes.

    is_parallel: loops in it are made vectors of
    """
    seconds = SECONDS_A_LINE * lines + SECONDS_TWO_LINES * lines * lines
    return SECONDS_ALL + seconds * (1.0 if is_parallel else WITHOUT_VECTORS)


def _compiled(source: Source, recipe: Recipe) -> Compiled:
    with spanned("compile", "machine code", recipe.place):
        found = built_to_share(source, recipe.key, recipe.is_shared)
    recipe.noted()
    return found
