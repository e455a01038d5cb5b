"""by_python: functions that make calls as Python, for those by a short key.

One stands in the place of the function that runs a trace. Another one stands before the
readers of a form of call, and takes what looks like the calls that are made as Python
without finding out more: Python is right whatever was passed. Now and then it lets one
pass, so that calls of another kind find their graph.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.backends.llvm.switch import is_on
from runtime.config import WATCH
from runtime.depth import room
from runtime.spec import ListSpec, TensorSpec
from tracer.around import LOCK
from tracer.generated import MISS, made
from tracer.idle import MARK
from tracer.signature import Literal

if TYPE_CHECKING:
    from runtime.backends.llvm.python_entry import PythonEntry
    from tracer.concrete import ConcreteFunction

# Entries of one Function, as in `entries`, which loads all that makes code.
MOST_ENTRIES = 8
# Calls that are made as Python until one is looked at.
LOOK = 8
_SIZED = frozenset({list, tuple, dict, set, frozenset, deque, str, bytes, bytearray})

_RUN = """\
def run(owner, args, kwargs{given}):
    global ticks
    if {larger}: return again(owner, args, kwargs{given})
    for _ in ticks: break
    else:
        ticks = repeat(None, {each})  # where it raises
        result, ticks = look(owner, args, kwargs)
        return result
    {call}
"""

# Three calls of ours around each, two counted twice, to Python's usual limit.
_ROOM = 5 * 1000

# Readers are asked what they find, too: see `remembering`.
_READ = """\
def read(owner, args, kwargs, note=None):
    global ticks
    if note is None{alike}:
        for _ in ticks:
            {call}
        ticks = repeat(None, calls)
    return MISS
"""


class Within:
    """Whether a call that is put off is being made, by any thread."""

    __slots__ = ("on",)

    def __init__(self) -> None:
        self.on = False


WITHIN = Within()


def outermost(python: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """Make a call that is put off, with room for those of ours around calls in it."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(before + _ROOM)
    WITHIN.on = True
    try:
        return python(*args, **kwargs)
    finally:
        WITHIN.on = False
        # The program may have set it itself.
        if sys.getrecursionlimit() == before + _ROOM:
            sys.setrecursionlimit(before)


# Where somebody has asked for graphs, it is looked whether this holds here.
_READ_PUT_OFF = """\
def read(owner, args, kwargs, note=None):
    if note is None and not watch.strict{alike}:
        for _ in ticks:
            if within.on: return {call}
            return outermost(python, args, kwargs)
    return MISS
"""


class Manner:
    """How calls of a Function are made as Python.

    is_around:  its graph changes places outside, which are read and written as one step
    calls_self: what it calls may be itself
    """

    def __init__(self, owner: Any, is_around: bool) -> None:
        self.is_around = is_around
        code: Any = getattr(owner.python_function, "__code__", None)
        names = () if code is None else (*code.co_names, *code.co_freevars)
        self.calls_self = owner.__name__ in names
        self.call = "return owner.python_function(*args, **kwargs)"
        if self.calls_self:
            self.call = "return nested(owner, args, kwargs)"
        if is_around:
            self.call = f"with lock: {self.call}"
        self.scope: dict[str, Any] = {"nested": _nested, "lock": LOCK}
        # Whether the Python function is called, and nothing else is done.
        self.is_plain = not (is_around or self.calls_self)

    def __call__(self, owner: Any, args: Any, kwargs: Any, *given: Any) -> Any:
        """Make a call so."""
        call = _nested if self.calls_self else _plain
        if not self.is_around:
            return call(owner, args, kwargs)
        with LOCK:
            return call(owner, args, kwargs)


def _plain(owner: Any, args: Any, kwargs: Any) -> Any:
    return owner.python_function(*args, **kwargs)


class _Inner:
    """Readers for calls that a call as Python makes of its own Function: as Python."""

    def get(self, form: Any, default: Any) -> tuple[Callable[..., Any]]:
        return (_plain,)


_INNER = _Inner()


def _nested(owner: Any, args: Any, kwargs: Any) -> Any:
    # Calls of other threads meanwhile are made as Python, too, which is right as well.
    owner._readers = _INNER
    try:
        with room(_ROOM):
            return owner.python_function(*args, **kwargs)
    finally:
        owner._readers = owner._short.readers


def run_as_python(
    names: Sequence[str],
    most: Mapping[str, float],
    manner: Manner,
    again: Callable[..., Any],
    look: Callable[..., tuple[Any, Iterator[None]]],
) -> Callable[..., Any]:
    """A function of a call that makes it as Python.

    names: of what it is given beside owner, args and kwargs
    most:  the texts of sizes, and how large they may be
    again: makes a call with a larger size
    look:  makes a call now and then; gives its result, and a tick for each until then
    """
    scope: dict[str, Any] = {**manner.scope, "again": again, "look": look}
    scope.update(ticks=repeat(None, LOOK), repeat=repeat)
    larger: list[str] = []
    for size, limit in most.items():
        scope[name := f"m{len(larger)}"] = limit
        larger.append(f"{size} > {name}")
    parts = {
        "given": "".join(f", {name}" for name in names),
        "larger": " or ".join(larger) or "False",
        "call": manner.call,
        "each": LOOK,
    }
    return made("run", _RUN.format(**parts), scope)


def read_as_python(
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    most: Sequence[float],
    calls: int,
    manner: Manner,
) -> Callable[..., Any]:
    """A reader for calls like this one that makes most of them as Python.

    most:  how large the arguments may be, each
    calls: so many, and one goes on to other readers
    """
    scope = {**manner.scope, "ticks": repeat(None, calls), "calls": calls}
    alike = _alike(args, kwargs, most, scope)
    return made("read", _READ.format(alike=alike, call=manner.call), scope)


def read_put_off(
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    most: Sequence[float],
    python: Callable[..., Any],
) -> Callable[..., Any]:
    """A reader for calls like this one that makes as many as there are `ticks`.

    These are among its globals, and are to be set.
    """
    scope = {"python": python, "watch": WATCH, "ticks": (), MARK: True}
    scope.update(within=WITHIN, outermost=outermost)
    alike = _alike(args, kwargs, most, scope)
    call = "python(*args, **kwargs)" if kwargs else "python(*args)"
    return made("read", _READ_PUT_OFF.format(alike=alike, call=call), scope)


def _alike(
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    most: Sequence[float],
    scope: dict[str, Any],
) -> str:
    """The text that tells whether a call is like this one."""
    scope.update(MISS=MISS, repeat=repeat)
    places = [f"args[{i}]" for i in range(len(args))]
    places += [f"kwargs[{name!r}]" for name in kwargs]
    alike = ""
    for place, one, limit in zip(places, (*args, *kwargs.values()), most, strict=True):
        kind, size = f"k{len(scope)}", _size_text(place, one)
        scope[kind] = type(one)
        alike += f" and type({place}) is {kind}"
        if size:
            scope[name := f"m{len(scope)}"] = limit
            alike += f" and {size} <= {name}"
    return alike


# Calls as Python before they are to go by machine code to the Python function, which
# spares a call some 0.3 us: where what makes code is loaded already, and where it takes
# 0.1 s to load, for which calls of all Functions count.
MANY, MANY_MORE = 20_000, 400_000
_CODE = "runtime.backends.llvm.engine"
_in_all = [0]
# Calls by that code until one is made by Python.
LOOK_ENTERED = 64


class First:
    """What is asked first of a form of call of which all are made as Python.

    read: the reader
    most: how large the arguments may be, each
    """

    def __init__(self, read: Callable[..., Any], most: Sequence[float]) -> None:
        self.read, self._most = read, most
        self._calls = 0
        self._entry: PythonEntry | None = None
        self._is_over = False

    def note_calls(self, owner: Any, args: Any, key: Any, calls: int) -> int:
        """So many calls more were made; gives how many are made for one by Python.

        key: of the entry among those of the Function
        """
        self._calls += calls
        _in_all[0] += calls
        are_many = _CODE in sys.modules or _in_all[0] >= MANY_MORE
        if (
            self._calls >= MANY
            and are_many
            and self._entry is None
            and not self._is_over
        ):
            self._is_over = not (is_on() and self._enters(owner, args, key))
        return 1 if self._entry is None else LOOK_ENTERED

    def _enters(self, owner: Any, args: Any, key: Any) -> bool:
        """Let calls go by machine code, if they can."""
        from runtime.backends.llvm.python_entry import PythonEntry, is_sized
        from runtime.backends.llvm.vectorcall import is_let_in, let_enter

        kind: Any = type(owner)
        entries = owner._short.entries
        is_room = len(entries) < MOST_ENTRIES or key in entries
        if not (is_room and all(map(is_sized, args)) and is_let_in(kind)):
            return False
        of = (owner.python_function, args, self._most, LOOK_ENTERED)
        self._entry = PythonEntry(*of)
        entries[key] = self._entry.run
        let_enter(owner, tuple(entries.values()))
        return True

    def close(self) -> None:
        """It is asked no more."""
        self._is_over = True
        if self._entry is not None:
            self._entry.close()


def size_of(one: Any) -> float:
    """How large an argument is; 0.0 of what has no size that is known.

    >>> size_of([1, 2]), size_of(-7), size_of(None)
    (2, 7, 0.0)
    """
    text = _size_text("one", one)
    return _SIZES[text](one) if text else 0.0


_SIZES: dict[str, Callable[[Any], float]] = {
    "len(one)": len,
    "one.size": np.size,
    "abs(one)": abs,
}


def _size_text(place: str, one: Any) -> str:
    kind = type(one)
    if kind in _SIZED:
        return f"len({place})"
    if kind is np.ndarray:
        return f"{place}.size"
    return f"abs({place})" if kind in (int, float) else ""


def sizes_of(concrete: ConcreteFunction) -> list[str]:
    """Texts that give the sizes of the leaves for which the trace knows none."""
    pairs = enumerate(concrete.signature.leaves)
    found = [_size(f"v{i}", leaf) for i, leaf in pairs if not isinstance(leaf, Literal)]
    return [size for size in found if size]


def _size(name: str, spec: Any) -> str:
    """The size of a leaf: of a list, an array, or a number, which may count turns."""
    if isinstance(spec, ListSpec):
        return f"len({name})"
    if type(spec) is not TensorSpec:
        return ""
    if spec.shape is None or None in spec.shape:
        return f"{name}.size"
    if spec.shape or spec.dtype is None or spec.dtype.kind not in "iuf":
        return ""
    return f"abs(float({name}))"
