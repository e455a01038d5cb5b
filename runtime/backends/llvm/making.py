"""making: machine code of steps that are in loop IR: at once, or beside the program.

What costs little is compiled at once: a thread would take longer. The rest is done in a
thread of its own, while Python goes on. What an earlier program has compiled is found
in the store, whatever it cost.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from runtime.backends.llvm import beside, store
from runtime.backends.llvm.building import Source
from runtime.backends.llvm.crew import built_to_share
from runtime.backends.llvm.loop_notes import PARALLEL
from runtime.backends.llvm.loops import Function
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.objects import CONSTANTS, FORM
from runtime.backends.llvm.text import Text
from runtime.backends.llvm.values import NotLowered
from runtime.location import Location
from runtime.spans import spanned

if TYPE_CHECKING:
    from runtime.backends.llvm.engine import Compiled

ENGINE = "runtime.backends.llvm.engine"
# What compiling takes, about: of each function, for each line of its text, and for each
# two of them; where no loop is made vectors of less.
SECONDS_ALL = 5e-3
SECONDS_A_LINE = 3e-5
SECONDS_TWO_LINES = 1.8e-9
WITHOUT_VECTORS = 0.5
# Nothing that takes so long is compiled.
LONGEST = 10.0
# Half of what loading LLVM takes, the first time: what comes later needs it, too.
SECONDS_LOADING = 0.03
# What is done at once, while the program waits.
AT_ONCE = 0.02
# What is done beside the program may begin when Python has spent this part of its time.
BESIDE = 0.5


class Making:
    """Steps that are to be machine code, on their way.

    cost: the seconds that Python is to have spent in them before
    NotLowered: it would take too long
    """

    def __init__(self, lowering: Lowering, function: Function, text: Text) -> None:
        self.lowering, self.function = lowering, function
        self._text = text.write()
        self._tables = {CONSTANTS: _of_arrays(lowering), FORM: text.named}
        self._key = store.key_of(self._text)
        seconds = seconds_of(self._text)
        if seconds > LONGEST:
            raise NotLowered("too long a program")
        if store.may_hold(self._key):
            seconds = 0.0
        is_little = seconds <= AT_ONCE
        self._is_at_once = is_little and not beside.is_busy()
        loading = 0.0 if ENGINE in sys.modules else SECONDS_LOADING
        self.cost = (1.0 if is_little else BESIDE) * seconds + loading
        self._task: beside.Task[Compiled] | None = None

    def begin(self, called: Mapping[str, Any], *, at_once: bool) -> None:
        """Compile, or have it compiled; called: functions of Python's by their names.

        at_once: let the program wait, whatever it takes
        """
        place = self.lowering.span.steps[0].node.location
        work = partial(_noted, self._source(called), self._key, place)
        self._task = beside.Task(work)
        if at_once or self._is_at_once:
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

    def _source(self, called: Mapping[str, Any]) -> Source:
        symbols = {name: id(function) for name, function in called.items()}
        for name, (address, data) in self.lowering.outside.items():
            symbols[f"loop_{name}"] = address
            symbols[f"data_{name}"] = data or id(None)
        for name, (address, _) in self.lowering.named.items():
            symbols[name] = address
        arrays = [array for array, _ in self.lowering.constants]
        named = [held for _, held in self.lowering.named.values()]
        held: tuple[Any, ...] = (*called.values(), *arrays, *named)
        for name, words in self._tables.items():
            if words:
                table = (ctypes.c_ssize_t * len(words))(*words)
                symbols[name] = ctypes.addressof(table)
                held = (*held, table)
        return Source(self.function.name, self._text, symbols, held)


def _of_arrays(lowering: Lowering) -> list[int]:
    """The table of the arrays that a program holds: of each its object and its data."""
    arrays = [array for array, _ in lowering.constants]
    return [word for one in arrays for word in (id(one), one.ctypes.data)]


def seconds_of(text: str) -> float:
    """About what compiling a text takes."""
    lines = text.count("\n")
    seconds = SECONDS_A_LINE * lines + SECONDS_TWO_LINES * lines * lines
    return SECONDS_ALL + seconds * (1.0 if PARALLEL in text else WITHOUT_VECTORS)


def _noted(source: Source, key: str, place: Location | None) -> Compiled:
    with spanned("compile", "machine code", place):
        return built_to_share(source, key)
