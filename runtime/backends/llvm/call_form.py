"""call_form: what an entry is told of the calls that it is for."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

from runtime.spec import TensorSpec
from runtime.structs import field, struct

# What the machine code tells Python, beside the numbers of its exits.
WARN, FAILED, FINISH = -1, -2, -3


@struct
class Given:
    """A leaf of the arguments that is a tensor of the trace.

    index: of the graph's input that it is; None where the graph does not use it
    """

    spec: TensorSpec
    index: int | None


@struct
class Same:
    """A leaf that is the very array passed as another one."""

    position: int


@struct
class Exactly:
    """A leaf that is one object, which is kept alive."""

    content: Any


@struct
class Weakly:
    """A leaf that is one object of one class, which is not kept alive."""

    reference: Any
    kind: type


Passed = Given | Same | Exactly | Weakly


@struct
class Opened:
    """A container among the arguments, of exactly this kind.

    way:   how its parts are found: "items", "keys" (of a dict), "attributes" (of an
           object's dict) or "slots"
    keys:  their keys or names, in the order that they have there; none of items
    parts: each part's number among the keys, and what it is: None stands for a leaf
    """

    kind: type
    way: str
    keys: tuple[Any, ...]
    parts: tuple[tuple[int, Opened | None], ...]

    @property
    def leaves(self) -> int:
        """How many leaves are in it."""
        return sum(1 if part is None else part.leaves for _, part in self.parts)

    @property
    def containers(self) -> int:
        """How many objects are held to open it, beside its leaves."""
        inside = sum(part.containers for _, part in self.parts if part is not None)
        return (2 if self.way == "attributes" else 1) + inside


@struct
class Variable:
    """What a variable outside holds.

    holder: a cell, or with a name the dict of a module's globals
    """

    holder: Any
    name: str | None
    content: Exactly | Weakly


@struct
class NoGlobal:
    """That the dict of a module's globals has nothing under a name."""

    holder: Any
    name: str


@struct
class Kind:
    """That a class gives and sets attributes as it did.

    place: where its number is; number: the one that was looked at (see class_versions)
    """

    kind: Any
    place: Any
    number: Any


@struct
class Attribute:
    """What an attribute of an object holds, unless the object is gone.

    owner: a weak reference to it
    """

    owner: Any
    name: str
    content: Exactly | Weakly


Place = Variable | NoGlobal | Attribute | Kind


@struct
class Output:
    """A result that is the graph's output at `index`."""

    index: int


@struct
class Argument:
    """A result that is the leaf of the arguments at `position`."""

    position: int


Result = Output | Argument | Exactly | tuple["Result", ...]


@struct
class Changed:
    """A place outside that a call reads, and may write: leaves beside its arguments.

    holder: a cell, list or dict; with a name the dict of a module's globals, or a weak
            reference to the object that has the attribute
    opened: how a list or dict is opened; None: it is one leaf
    adds:   it is a list, of which nothing is read, that gets new items
    after:  what the call leaves there, leaf by leaf; nothing: it leaves it alone
    is_put: it is put there, even if it is what the class of an object has
    """

    holder: Any
    name: str | None
    is_attribute: bool
    opened: Opened | None
    after: tuple[Result, ...]
    adds: bool = False
    is_put: bool = False

    @property
    def leaves(self) -> int:
        """How many leaves it is."""
        if self.adds:
            return 0
        return 1 if self.opened is None else self.opened.leaves


@struct
class Form:
    """The calls that an entry is for.

    opened:   for each argument, by position and then by keyword, the container that it
              is; None: it is a leaf
    names:    of those that are passed by keyword, interned
    passed:   for each leaf of the arguments, and then for those of the places that are
              changed, what it is
    places:   those that are changed
    lock:     held by Python's calls that change places; the place of its count in it
    flags:    what the arrays' flags have to be: in C's order, owners of their memory
    written:  positions of the arrays that are changed
    changed:  (position, output): the graph's output is that array, unless Python is to
              put its content there
    codes:    functions and the code that each has
    outside:  variables and attributes that were read
    holds:    asked by each call, whether what else was read outside is what it was
    run:      the graph as a function of Python's, where it is no machine code
    outputs:  of the graph, so many
    result:   what is given; None where only Python makes it
    finish:   makes the result of the graph's outputs and the arguments
    failed:   what is raised where the run has raised, by the arguments
    stop:     called when it has been left so often that Python is to make the calls
    states:   for each dict of globals that `outside` names the number of the state in
              which all was as it was (see `abi.VERSION`)
    noted:    how many calls Python has made for there was something to warn of
    """

    opened: tuple[Opened | None, ...]
    names: tuple[str, ...]
    passed: tuple[Passed, ...]
    places: tuple[Changed, ...]
    lock: tuple[Any, int] | None
    flags: int
    written: frozenset[int]
    changed: tuple[tuple[int, int], ...]
    codes: tuple[tuple[Any, Any], ...]
    outside: tuple[Place, ...]
    holds: Callable[[], bool] | None
    run: Callable[..., Any] | None
    outputs: int
    result: Result | None
    finish: Callable[[Sequence[Any], Sequence[Any]], Any]
    failed: Callable[[BaseException, Sequence[Any]], BaseException]
    stop: Callable[[], None]
    states: Any
    noted: Any = field(default_factory=ctypes.c_int64)

    @property
    def given(self) -> int:
        """How many leaves the arguments have."""
        return len(self.passed) - sum(place.leaves for place in self.places)

    @property
    def globals(self) -> dict[int, list[Variable | NoGlobal]]:
        """What was read of dicts of globals, by the dict's id."""
        found: dict[int, list[Variable | NoGlobal]] = {}
        for place in self.outside:
            if isinstance(place, Variable | NoGlobal) and place.name is not None:
                found.setdefault(id(place.holder), []).append(place)
        return found

    @property
    def has_front(self) -> bool:
        """Whether there are leaves that are no arguments."""
        return self.is_opened or bool(self.places)

    @property
    def is_opened(self) -> bool:
        """Whether there are containers among the arguments."""
        return any(one is not None for one in self.opened)

    @property
    def positional(self) -> int:
        """How many arguments are passed by position."""
        return len(self.opened) - len(self.names)
