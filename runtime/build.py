"""Frames: graphs under construction, one per branch, loop body or whole trace.

A frame sees the values of the frames around it: the first use of one adds an input to
this frame's graph (a capture). Every change of a slot (what a tensor refers to, an
attribute, an item) is logged, so that a branch can be undone; they become outputs.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field
from types import CodeType, FrameType
from typing import Any, cast

from runtime import gate, kinds
from runtime.current import STATE
from runtime.current import current as current
from runtime.errors import LeakedTensorError
from runtime.failing import may_fail
from runtime.graph import Graph, Node, Value
from runtime.location import Call, Location, here
from runtime.op import Op
from runtime.slots import ItemWas, held_before, is_latest, undo
from runtime.slots import Slot as Slot
from runtime.slots import Watch as Watch
from runtime.spec import TensorSpec
from runtime.structs import replace, struct


@struct(frozen=False)
class Mark:
    """A point in a frame's construction that can be gone back to."""

    nodes: int
    changes: int
    stale: dict[int, Any]


class Frame:
    """One graph under construction."""

    def __init__(self, name: str, parent: Frame | None = None) -> None:
        self.name = name
        self.parent = parent
        # Tensors that may have been changed through another reference.
        self.stale: dict[int, Any] = {}
        # Where nodes are said to be made, if not at the user's current line.
        self.location: Location | None = None
        self.trace: Trace = parent.trace if parent else Trace()
        self.inputs: list[Value] = []
        self.nodes: list[Node] = []
        # The user's arrays: before all nodes, and out of the way of going back.
        self.arrays: list[Node] = []
        self.captures: dict[Value, Value] = {}
        # The ids of what the traced program has made in it: `Trace.created` holds that.
        self.made: list[int] = []
        self.changes: list[tuple[Slot, Any]] = []
        # Those from here on nobody goes back on without the others after it.
        self._marked = 0
        self._owned: set[Value] = set()
        self._resolved: dict[Value, Value] = {}

    def add_input(self, spec: TensorSpec) -> Value:
        """A new input of the graph; shape and dtype are `spec`'s."""
        value = Value(spec)
        self.inputs.append(value)
        self._owned.add(value)
        return value

    def add(
        self,
        op: Op,
        inputs: Sequence[Value],
        attributes: dict[str, Any],
        graphs: tuple[Graph, ...] = (),
    ) -> tuple[Value, ...]:
        """Append a node, at the user's current line; returns its outputs."""
        found = kinds.infer(op, inputs, attributes, graphs)
        outputs = tuple(Value(spec) for spec in found)
        place = self.location or here(self.trace.called)
        node = Node(op, tuple(inputs), attributes, outputs, graphs, place)
        trace = self.trace
        if trace.guards and may_fail(node, self.nodes, trace.floats_raise):
            seen_by = [guard.about_to_fail(self, node) for guard in self.trace.guards]
            node = replace(node, guards=frozenset(filter(None, seen_by)))
        self.nodes.append(node)
        trace.made += 1
        self._owned.update(outputs)
        return outputs

    def add_array(self, op: Op, attributes: dict[str, Any]) -> Value:
        """Put a node for one of the user's arrays before all others; its output."""
        value = Value(cast(TensorSpec, op.infer(**attributes)))
        self.arrays.append(Node(op, (), attributes, (value,), (), here()))
        self._owned.add(value)
        return value

    def use(self, value: Value) -> Value:
        """`value` as this frame sees it: itself, or the capture that brings it in.

        LeakedTensorError: it belongs to no frame around this one.
        """
        if value in self._owned:
            return value
        inner = self._resolved.get(value)
        if inner is None:
            if self.parent is None:
                raise LeakedTensorError.of_value(value)
            outer = self.parent.use(value)
            inner = self.captures.get(outer)
            if inner is None:
                inner = self.captures[outer] = Value(outer.spec)
                self._owned.add(inner)
            self._resolved[value] = inner
        return inner

    def seen_as(self, value: Value) -> Value | None:
        """What a value of a frame around this one is here, if it was brought in."""
        return self._resolved.get(value)

    def owns(self, value: Value) -> bool:
        """True for a value of this very graph."""
        return value in self._owned

    def sees(self, value: Value) -> bool:
        """True when `use(value)` would succeed."""
        above = self.parent
        return value in self._owned or (above is not None and above.sees(value))

    def is_stale(self, tensor: Any) -> bool:
        """True when `tensor` may have been changed through another reference."""
        above = self.parent
        in_here = id(tensor) in self.stale
        return in_here or (above is not None and above.is_stale(tensor))

    def change(self, slot: Slot, content: Any) -> None:
        """Put `content` into `slot` and remember what it held."""
        self.changes.append((slot, slot.get()))
        slot.set(content)

    def log(self, slot: Slot) -> None:
        """Remember what `slot` holds, before it is changed in place.

        What the latest change remembers of it is enough: a list of many items that a
        loop fills is not copied for each.
        """
        if not is_latest(
            slot, self.changes[max(self._marked, len(self.changes) - 1) :]
        ):
            self.changes.append((slot, slot.get()))

    def log_item(self, slot: Slot, at: int) -> None:
        """Remember what the item `at` of the list in `slot` is, before it is set."""
        if not is_latest(
            slot, self.changes[max(self._marked, len(self.changes) - 1) :]
        ):
            self.changes.append((slot, ItemWas(at, slot.holder()[at])))

    def changed(self) -> dict[Slot, Any]:
        """The slots changed since the frame was opened, with what they held then."""
        return held_before(self.changes)

    def mark(self) -> Mark:
        """The present point of the construction."""
        self._marked = len(self.changes)
        return Mark(len(self.nodes), len(self.changes), dict(self.stale))

    def go_back(self, mark: Mark) -> None:
        """Undo everything since `mark`: nodes and changed slots."""
        for node in self.nodes[mark.nodes :]:
            self._owned.difference_update(node.outputs)
        del self.nodes[mark.nodes :]
        undo(self.changes[mark.changes :])
        del self.changes[mark.changes :]
        self._marked = mark.changes
        self.stale = dict(mark.stale)

    def undo_changes(self) -> None:
        """Put back what every changed slot held when the frame was opened."""
        undo(self.changes)

    def close(self, outputs: Sequence[Value], captures: Sequence[Value] = ()) -> Graph:
        """The finished graph: `inputs` first, then an input for each of `captures`.

        captures: the outer values in the order wanted; of those that this frame does
                  not use the inputs are unused.
        """
        brought = [self.captures.get(outer) or Value(outer.spec) for outer in captures]
        return Graph(
            self.name,
            (*self.inputs, *brought),
            (*self.arrays, *self.nodes),
            tuple(self.use(value) for value in outputs),
        )


class OperatorsWanted(BaseException):
    """The trace is made once more, all operators converted. Not for users to catch."""


class ReferencesWanted(OperatorsWanted):
    """The trace is made once more: items of lists of known length stay themselves."""


def want_references() -> None:
    """Before a change of an item of a list is refused: try it with references."""
    trace = require_current("an item").trace
    if trace.may_refer and not trace.references:
        raise ReferencesWanted


@struct(eq=False, frozen=False)
class Trace:
    """What one whole trace shares among its frames.

    arrays: the user's ndarrays that it reads, by id: (array, tensor, its first value)
    users, holding: arrays, and lists, dicts and sets, that outlive the call, by id
    outside: other objects that do, of classes that are not plain (tracer/plain.py)
    dicts:   `__dict__`s asked for, and objects of joined ones (instance_dicts.py)
    functions: those whose globals and closures have been looked through, by id
    created: objects made by the traced program, by id: (object, frame)
    given:   containers that stand for those of the arguments, by id
    solid, functions_read, attributes_read: read outside (tracer/reads.py)
    frozen: what converted code may not change any more, by id: (object, words)
    marks:  tensors that stand for arrays which are not to be changed, by what they are
    kinds:  the classes of the objects that the program can reach
    named:  attributes of arrays (`T`) under which objects hold arrays as well
    sights: what was in sight of a function, and of what it was found
    cells:   what open calls may set of outer variables: (frame, slots, what they held)
    calls, called: the functions being run now, outermost first; as nodes tell them
    nested: the code of functions that were met inside of themselves
    refused, symbols: recursions not to be staged, how far; recursive graphs' names
    aliases: by id of an array, weakly, what may be its memory on some path
    guards: those of the try statements that are open, the outermost first
    failing: the code of bodies of try statements in which something may fail
    raising: what the program raises, while its node is made
    handled: what was being handled when the trace began, which is no cause of its own
    generators: whose bodies are being traced, and in which frames, outermost first
    generator: how many of the guards are around the generator whose body is traced
    idle, made: turns of loops, and calls, that have added no node; nodes made in all
    chosen: leaves of the options of choices that bodies left
    acts: one of these may have done what nobody can undo
    clock, seen, is_put_off: see tracer/idle.py; seen: the nodes at its last look
    stands: something stands for what a container holds
    caught: exceptions that stand for a run's, by id: (exception, tensor, what it held)
    answers: of functions with a cache that were asked: (function, answer)
    varies: what a container holds may depend on data, in more than its numbers
    long_lists: of comprehensions: "loops", of which one "was made", or "unrolled"
    dear_loops, loops: bodies of plain loops that were staged; what loops carry
    references, may_refer: items asked of a list by data are themselves; one was
    rows:   which lists in lists are rows of the run (tracer/rows.py)
    tests:  what staged bools tell of choices, by id: (the bool, its tests)
    written: the user's arrays that some path writes, by id
    loses: "arrays", "others": some path changes such from outside, and raises
    asks_identity, asks_layout: it holds for containers apart, in C order
    floats_raise: what NumPy warns of may fail, by `np.errstate`
    has_objects: texts or lists among the arguments are inputs; has_tuples: tuples
    python_calls: functions that the graph calls as Python, with the user's lines
    notes:  tensors put into what may outlive the trace: (reference, words, location)
    """

    arrays: dict[int, tuple[Any, Any, Any]] = field(default_factory=dict)
    notes: list[tuple[Any, str, Any]] = field(default_factory=list)
    users: dict[int, Any] = field(default_factory=dict)
    holding: dict[int, Any] = field(default_factory=dict)
    dicts: dict[int, tuple[Any, Any]] = field(default_factory=dict)
    functions: dict[int, Any] = field(default_factory=dict)
    created: dict[int, tuple[Any, Any]] = field(default_factory=dict)
    given: dict[int, Any] = field(default_factory=dict)
    solid: dict[int, Any] = field(default_factory=dict)
    outside: dict[int, Any] = field(default_factory=dict)
    functions_read: dict[int, tuple[Any, ...]] = field(default_factory=dict)
    attributes_read: dict[Any, tuple[Any, str]] = field(default_factory=dict)
    frozen: dict[int, tuple[Any, Any]] = field(default_factory=dict)
    marks: dict[str, Any] = field(default_factory=dict)
    kinds: set[type] = field(default_factory=set)
    named: set[str] = field(default_factory=set)
    sights: dict[Any, tuple[Any, Any]] = field(default_factory=dict)
    answers: dict[Any, tuple[Any, Any]] = field(default_factory=dict)
    varies: bool = False
    long_lists: str = "loops"
    dear_loops: set[CodeType] = field(default_factory=set)
    loops: dict[Any, Any] = field(default_factory=dict)
    idle: int = 0
    made: int = 0
    chosen: int = 0
    clock: Any = None
    seen: int = 0
    is_put_off: bool = False
    stands: bool = False
    references: bool = False
    may_refer: bool = False
    rows: Any = None
    tests: dict[int, tuple[Any, tuple[Any, ...]]] = field(default_factory=dict)
    cells: list[tuple[Frame, list[Any], list[Any]]] = field(default_factory=list)
    calls: list[Any] = field(default_factory=list)
    called: tuple[Call, ...] = ()
    nested: set[CodeType] = field(default_factory=set)
    refused: dict[Any, int] = field(default_factory=dict)
    symbols: set[str] = field(default_factory=set)
    aliases: dict[int, list[Any]] = field(default_factory=dict)
    guards: list[Watch] = field(default_factory=list)
    failing: set[Any] = field(default_factory=set)
    caught: dict[int, tuple[BaseException, Any, Any]] = field(default_factory=dict)
    raising: BaseException | None = None
    handled: BaseException | None = None
    generator: int | None = None
    generators: list[tuple[Any, Frame]] = field(default_factory=list)
    python_effects: str = "run"
    is_converted: bool = True
    written: dict[int, Any] = field(default_factory=dict)
    loses: set[str] = field(default_factory=set)
    asks_identity: bool = False
    asks_layout: bool = False
    floats_raise: bool = False
    has_objects: bool = False
    has_tuples: bool = False
    acts: bool = False
    python_calls: list[tuple[Any, Any]] = field(default_factory=list)

    def is_handled(self, outer: int = 0) -> bool:
        """Whether a try around may go on after a failure; but for the `outer` first."""
        return any(not guard.passes_on for guard in self.guards[outer:])

    @contextmanager
    def raising_floats(self, raises: bool) -> Iterator[None]:
        """For the block, what NumPy warns of may fail, where it is told to raise."""
        before, self.floats_raise = self.floats_raise, self.floats_raise or raises
        try:
            yield
        finally:
            self.floats_raise = before

    def arrays_changed(self) -> Iterator[tuple[Any, Value]]:
        """The user's arrays that the trace writes, with what they hold in the end."""
        for array, tensor, first in self.arrays.values():
            if first is not None and tensor.value is not first:
                yield array, tensor.value


def note_varying() -> None:
    """What a container holds depends on data: Python's own operators do not see it."""
    trace = require_current("a list").trace
    if not trace.varies:
        raise OperatorsWanted


def note_unconverted(asking: FrameType, user: FrameType | None) -> None:
    """The frame `asking`, in or below the user's, asks for the truth of a tensor.

    Converted code asks by `ag__`: it is a method of a class that is not in sight, or
    Python's own `<` of tuples. Once more, with all operators converted.
    """
    open_ = current()
    if open_ is None or user is None or open_.trace.varies:
        return
    if asking is user or "ag__" not in user.f_code.co_freevars:
        raise OperatorsWanted


def note_standing() -> None:
    """Something stands in a list or dict for all that it holds: they are looked at."""
    open_ = current()
    if open_ is not None:
        open_.trace.stands = True


def require_current(what: str) -> Frame:
    """The innermost frame; LeakedTensorError when no trace is on."""
    frame = STATE.frame
    if frame is None:
        raise LeakedTensorError.outside(what)
    return frame


@contextmanager
def building(frame: Frame) -> Iterator[Frame]:
    """Make `frame` the current one for the block."""
    previous, STATE.frame = STATE.frame, frame
    if previous is None:
        gate.shut(threading.get_ident())
    try:
        yield frame
    finally:
        STATE.frame = previous
        if previous is None:
            gate.unshut(threading.get_ident())


@contextmanager
def suspended() -> Iterator[None]:
    """No trace inside the block: NumPy calls in it run at once."""
    previous, STATE.frame = STATE.frame, None
    try:
        yield
    finally:
        STATE.frame = previous
