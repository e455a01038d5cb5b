"""config: the settings that a user may switch while the program runs.

A call sets for good and for every thread; as a context manager it sets for the block
and for the thread (or task) that runs it. What a call of a Function has to ask is
whether anything is set that it must know of: `WATCH.on`, one attribute.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from importlib import import_module
from typing import TYPE_CHECKING, Any

from runtime import gate, workers
from runtime.settings import SETTINGS, TOPICS

if TYPE_CHECKING:
    from logging import Logger


class Watch:
    """Whether a call has to look at the settings: somewhere eager, cache or exec.

    strict: that is asked for somewhere
    ended:  the program ends, and calls are Python's
    """

    __slots__ = ("ended", "on", "strict")

    def __init__(self) -> None:
        self.on = self.strict = self.ended = False


WATCH = Watch()


def _is_watched(values: Mapping[str, Any]) -> bool:
    topics = values.get("log", frozenset())
    return bool(values.get("eager") or topics & {"cache", "exec"})


class Change:
    """What `ag.config(...)` gives: in force at once, and the context manager of it."""

    def __init__(self, config: Config, values: dict[str, Any]) -> None:
        self._config = config
        self._values = values

    def __enter__(self) -> None:
        """Hold in this thread and until the block ends, no longer for good."""
        self._config._undo(self)
        self._config._enter(self)

    def __exit__(self, *exception: object) -> None:
        self._config._leave(self)

    def __repr__(self) -> str:
        return f"ag.config({_listed(self._values)})"


# The calls for good, oldest first: what each set, and its Change while one can enter
# that.
_Base = tuple[tuple[Mapping[str, Any], Callable[[], Change | None]], ...]


def _nobody() -> None:
    """The Change of what can no longer be taken back."""


class Config:
    """The settings; call it to change some, read them as attributes.

    eager:      True runs the functions themselves in place of their graphs
    strict:     True raises where no graph can be made for a call; False makes the call
                as Python, and one RuntimeWarning says why
    tracebacks: "short" shows the user's frames, "full" those of this package too
    traces:     how many a Function keeps; the one used the longest ago goes
    backend:    "auto" compiles loops that run for long, "native" all at once, "numpy"
                none; asked when a trace is made
    precise:    True computes exp, sin and the like to NumPy's last bit, False within a
                few units of that, by vectors of our own; asked when a trace is made
    num_threads: on how many threads machine code goes through large arrays; as many as
                there are processors for this process, if nothing is said. A `with`
                sets it for all threads, too: the last one that was entered
    log:        topics for stdlib logging: convert, retrace, cache, exec
    cache_dir:  the folder where code is kept for the next program; None for no
                folder, which AUTOGRAPH_CACHE_DIR=off says
    TypeError, ValueError: there is no such setting, or it cannot be that.

    >>> config = Config({})
    >>> with config(eager=True):
    ...     config.eager
    True
    >>> config.eager
    False
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._lock = threading.Lock()
        # The blocks that this thread or task is in, outermost first.
        self._blocks: ContextVar[tuple[Change, ...]] = ContextVar("blocks", default=())
        self._watched_blocks = self._strict_blocks = 0
        self._threads: list[int] = []
        first = {
            name: setting.check(setting.read(setting.variable, text))
            for name, setting in SETTINGS.items()
            if (text := environment.get(setting.variable, "")) != ""
        }
        self._base: _Base = ((first, _nobody),)
        self._prepare(first)

    def __call__(self, *args: Any, **settings: Any) -> Change:
        """Set these, for good; `with` it, for the block and in this thread only."""
        if args:
            raise TypeError(
                "ag.config takes settings by name, as in ag.config(eager=True)"
            )
        values = {}
        for name, value in settings.items():
            if name not in SETTINGS:
                raise TypeError(
                    f"ag.config has no setting `{name}`; it has "
                    f"{', '.join(f'`{known}`' for known in SETTINGS)}"
                )
            values[name] = SETTINGS[name].check(value)
        change = Change(self, values)
        with self._lock:
            self._base = (*_settled(self._base), (values, weakref.ref(change)))
        self._prepare(values)
        return change

    def block(self, **settings: Any) -> Change:
        """What sets these in a `with` alone, never for good; None says nothing."""
        said = {name: one for name, one in settings.items() if one is not None}
        return Change(self, {name: SETTINGS[name].check(said[name]) for name in said})

    def run_functions_eagerly(self, on: bool) -> Change:
        """`config(eager=on)`: for good, and of a `with` for the block."""
        return self(eager=on)

    @property
    def eager(self) -> bool:
        """Whether functions run as the Python they are."""
        return bool(self._get("eager"))

    @property
    def strict(self) -> bool:
        """Whether a call that no graph can be made for raises."""
        return bool(self._get("strict"))

    @property
    def tracebacks(self) -> str:
        """Which frames a traceback shows: "short" or "full"."""
        return str(self._get("tracebacks"))

    @property
    def traces(self) -> int:
        """How many traces a Function keeps."""
        return int(self._get("traces"))

    @property
    def backend(self) -> str:
        """What runs loops: "auto", "native" or "numpy"."""
        return str(self._get("backend"))

    @property
    def precise(self) -> bool:
        """Whether machine code gives NumPy's bits for exp, sin and the like."""
        return bool(self._get("precise"))

    @property
    def num_threads(self) -> int:
        """On how many threads machine code goes through large arrays."""
        return int(self._get("num_threads"))

    @property
    def log(self) -> tuple[str, ...]:
        """The topics that are logged."""
        topics = self._get("log")
        return tuple(topic for topic in TOPICS if topic in topics)

    @property
    def cache_dir(self) -> str | None:
        """The folder where code is kept for the next program; None: it is not."""
        found: str | None = self._get("cache_dir")
        return found

    def logger(self, topic: str) -> Logger | None:
        """Where to log about a topic; None when that is off."""
        if topic not in self._get("log"):
            return None
        logger: Logger = import_module("runtime.log").LOGGERS[topic]
        return logger

    @contextmanager
    def watched(self) -> Iterator[None]:
        """In the block calls look who listens, whatever is set; in all threads."""
        with self._lock:
            self._watched_blocks += 1
        self._prepare({})
        try:
            yield
        finally:
            with self._lock:
                self._watched_blocks -= 1
            self._prepare({})

    def at_exit(self) -> None:
        """From now on calls are Python's: modules, and what they know, are put away."""
        WATCH.ended = True
        with self._lock:
            self._watched_blocks += 1
        self._prepare({})

    def _get(self, name: str) -> Any:
        for change in reversed(self._blocks.get()):
            if name in change._values:
                return change._values[name]
        return self._for_good(name)

    def _for_good(self, name: str) -> Any:
        for values, _ in reversed(self._base):
            if name in values:
                return values[name]
        return SETTINGS[name].default

    # Blocks.

    def _undo(self, change: Change) -> None:
        """Take back what the call set for good."""
        with self._lock:
            self._base = tuple(row for row in self._base if row[1]() is not change)

    def _enter(self, change: Change) -> None:
        self._blocks.set((*self._blocks.get(), change))
        with self._lock:
            self._watched_blocks += _is_watched(change._values)
            self._strict_blocks += bool(change._values.get("strict"))
            if "num_threads" in change._values:
                self._threads.append(change._values["num_threads"])
        self._prepare(change._values)

    def _leave(self, change: Change) -> None:
        blocks = list(self._blocks.get())
        # The last of its kind: a generator may leave its block out of turn.
        del blocks[len(blocks) - 1 - blocks[::-1].index(change)]
        self._blocks.set(tuple(blocks))
        with self._lock:
            self._watched_blocks -= _is_watched(change._values)
            self._strict_blocks -= bool(change._values.get("strict"))
            if "num_threads" in change._values:
                self._threads.remove(change._values["num_threads"])
        self._prepare({})

    def _prepare(self, values: Mapping[str, Any]) -> None:
        """Do what newly set values ask for."""
        if values.get("log"):
            import_module("runtime.log").switch_on(values["log"])
        with self._lock:
            base = {name: self._for_good(name) for name in SETTINGS}
            watched = self._watched_blocks > 0 or _is_watched(base)
            if watched is not WATCH.on:
                (gate.shut if watched else gate.unshut)(gate.WATCHED)
            WATCH.on = watched
            WATCH.strict = bool(self._strict_blocks or base["strict"])
            threads = self._threads or [base["num_threads"]]
            workers.limit(threads[-1])

    def __repr__(self) -> str:
        return f"ag.config({_listed({name: self._get(name) for name in SETTINGS})})"


def _settled(base: _Base) -> _Base:
    """`base` with neighbours that can no longer be taken back made one."""
    made: list[tuple[Mapping[str, Any], Callable[[], Change | None]]] = []
    for values, change in base:
        if made and change() is None and made[-1][1]() is None:
            made[-1] = ({**made[-1][0], **values}, _nobody)
        else:
            made.append((values, change))
    return tuple(made)


def _listed(values: Mapping[str, Any]) -> str:
    shown = {
        name: ",".join(topic for topic in TOPICS if topic in value)
        if isinstance(value, frozenset)
        else value
        for name, value in values.items()
    }
    return ", ".join(f"{name}={value!r}" for name, value in shown.items())


def is_pdb_wanted() -> bool:
    """False when `breakpoint()` is to call another debugger, or nothing."""
    wanted = os.environ.get("PYTHONBREAKPOINT")
    default = sys.breakpointhook is sys.__breakpointhook__
    return default and wanted in (None, "", "pdb.set_trace")


config = Config(os.environ)
atexit.register(config.at_exit)
