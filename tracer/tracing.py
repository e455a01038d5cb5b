"""trace: one run of a Python function on placeholders gives a Graph.

Beside the graph a trace gives what the call must do around it: which arguments are its
inputs, how its outputs make the returned structure, and which of the caller's arrays
the program changed.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime import kinds
from runtime.build import Frame, OperatorsWanted, Trace, building
from runtime.effects import writes
from runtime.errors import StagingError, StagingTypeError, located
from runtime.graph import Graph, Value
from runtime.spec import TensorSpec, holds_objects
from runtime.tensor import Tensor, tensor_of_array
from tracer import captures, caught, containers, leaks, recursion, splitting, tree
from tracer.choice import Choice, all_options, tag_of, varying
from tracer.cond import Unreachable
from tracer.list_objects import wholes
from tracer.raising import emit_raise
from tracer.signature import Signature
from tracer.undefined import Maybe

kinds.set_split(splitting.split)


@dataclass(frozen=True, slots=True)
class Constant:
    """A leaf of the result that is not in the graph."""

    content: Any


@dataclass(frozen=True, slots=True)
class Output:
    """A leaf of the result: the graph's output at `index`."""

    index: int


@dataclass(frozen=True, slots=True)
class Argument:
    """A leaf of the result: the very array passed as the leaf at `index`."""

    index: int


@dataclass(frozen=True, slots=True)
class Container:
    """A leaf of the result: the very list, dict, ... passed, of the arguments' own."""

    index: int
    kind: str


@dataclass(frozen=True, slots=True)
class Picked:
    """A leaf of the result: one of `options`, by the graph's output at `tag`."""

    tag: int
    options: tuple[tuple[tree.Structure, tuple[Leaf, ...]], ...]


Leaf = Constant | Output | Argument | Container | Picked


@dataclass(frozen=True, slots=True)
class ChangedContainer:
    """One of the arguments' containers, and what the program leaves in it."""

    index: int
    structure: tree.Structure
    leaves: tuple[Leaf, ...]


@dataclass(frozen=True, slots=True)
class Traced:
    """A trace's graph, and what surrounds it.

    inputs:     the argument leaf for each input of the graph
    structure:  of the result, None when every path raises
    result:     its leaves
    arguments_changed: (argument leaf, output index) for arrays changed in place
    arrays_changed:    (the user's array, output index), for arrays read by name
    containers_changed: lists, dicts and dataclasses among the arguments
    """

    graph: Graph
    inputs: tuple[int, ...]
    structure: tree.Structure | None
    result: tuple[Leaf, ...]
    arguments_changed: tuple[tuple[int, int], ...]
    arrays_changed: tuple[tuple[np.ndarray[Any, Any], int], ...]
    containers_changed: tuple[ChangedContainer, ...]


def trace(
    function: Callable[..., Any],
    name: str,
    signature: Signature,
    leaves: Sequence[Any],
    leaf_names: Sequence[str],
    python_effects: str = "run",
    convert: Callable[[Callable[..., Any]], Callable[..., Any]] | None = None,
) -> Traced:
    """Run `function` once on placeholders for the signature's tensors.

    leaves:  the arguments' leaves; those that are constants are passed as they are
    convert: what is to be done to the function first, within the trace
    Errors: what the function raises on every path before it has any effect, and
    StagingErrors where the program cannot become a graph.
    """
    given = (function, name, signature, leaves, leaf_names, python_effects, convert)
    try:
        return _trace(*given)
    except OperatorsWanted:
        return _trace(*given, varies=True)


def _trace(
    function: Callable[..., Any],
    name: str,
    signature: Signature,
    leaves: Sequence[Any],
    leaf_names: Sequence[str],
    python_effects: str,
    convert: Callable[[Callable[..., Any]], Callable[..., Any]] | None,
    varies: bool = False,
) -> Traced:
    frame = Frame(name)
    frame.trace.python_effects, frame.trace.varies = python_effects, varies
    captures.note(frame.trace, leaves)
    with building(frame), _undone_if_refused(frame):
        tensors = _placeholders(frame, signature, leaf_names)
        args, kwargs = tree.unflatten(
            signature.structure,
            [tensors.get(signature.aliases[i], leaf) for i, leaf in enumerate(leaves)],
        )
        passed = _Passed(containers.found_in((args, kwargs)))
        frame.trace.kinds.update(map(type, passed.found))
        captures.note_callable(function)
        if convert is not None:
            function = convert(function)
        result = _run(frame, function, args, kwargs)
        leaks.refuse_iterators(result, function)
        traced = _finish(frame, tensors, result, passed)
    # What is alive after this is held by objects of the user.
    passed.empty()
    result = args = kwargs = None
    tensors.clear()
    leaks.check(frame)
    return traced


@contextmanager
def _undone_if_refused(frame: Frame) -> Iterator[None]:
    """A trace that fails leaves the user's objects as they were: without tensors."""
    try:
        yield
    except BaseException:
        frame.undo_changes()
        raise


class _Passed:
    """The placeholders of the arguments' containers, and what they held at first."""

    def __init__(self, found: list[Any]) -> None:
        self.found = found
        self.before = [containers.content_of(container) for container in found]
        self.index = {id(container): i for i, container in enumerate(found)}

    def changed(self) -> list[tuple[int, containers.Content]]:
        """Those that hold something else now, with what they hold."""
        now = [containers.content_of(container) for container in self.found]
        return [
            (i, content)
            for i, (before, content) in enumerate(zip(self.before, now, strict=True))
            if not containers.same(before, content)
        ]

    def empty(self) -> None:
        """Let go of the tensors of the trace."""
        for container in self.found:
            containers.empty(container)
        self.before.clear()


class _Nothing:
    """There is no result: every path raises."""


_NOTHING = _Nothing()


def _placeholders(
    frame: Frame, signature: Signature, leaf_names: Sequence[str]
) -> dict[int, Tensor]:
    tensors = {}
    for i in signature.tensors:
        if signature.aliases[i] != i:
            continue
        spec = signature.leaves[i]
        assert isinstance(spec, TensorSpec)
        made = Tensor(frame.add_input(spec), scalar=signature.scalars[i])
        if not made.scalar:
            made.owner = f"the argument `{leaf_names[i]}`"
        tensors[i] = made
    return tensors


def _run(
    frame: Frame, function: Callable[..., Any], args: Any, kwargs: dict[str, Any]
) -> Any:
    run = function
    if isinstance(function, types.MethodType):
        run, args = function.__func__, (function.__self__, *args)
    try:
        return recursion.call(run, args, kwargs)
    except StagingError:
        raise
    except Unreachable:
        return _NOTHING
    except Exception as error:
        had_effects = any(writes(node.effects) for node in frame.nodes)
        of_run = caught.tensor_of(error) is not None or tree.holds_tensor(error.args)
        if not (had_effects or frame.changes or of_run):
            raise
        # What happened before, a print or a change of an argument, must happen still.
        emit_raise(frame, error)
        return _NOTHING


def _finish(
    frame: Frame, tensors: dict[int, Tensor], result: Any, passed: _Passed
) -> Traced:
    positions = {id(tensor): i for i, tensor in tensors.items()}
    encoder = _Encoder(frame.trace, positions, passed)
    structure: tree.Structure | None = None
    leaves: tuple[Leaf, ...] = ()
    if result is not _NOTHING:
        structure, leaves = encoder.encode(result)
    containers_changed = tuple(
        ChangedContainer(i, *encoder.encode(content)) for i, content in passed.changed()
    )
    initial = dict(zip(tensors, frame.inputs, strict=True))
    arguments_changed = tuple(
        (i, encoder.output(tensor.value))
        for i, tensor in tensors.items()
        if not tensor.scalar and tensor.value is not initial[i]
    )
    arrays_changed = tuple(
        (array, encoder.output(tensor.value))
        for array, tensor, first in frame.trace.arrays.values()
        if first is not None and tensor.value is not first
    )
    return Traced(
        frame.close(encoder.outputs),
        tuple(tensors),
        structure,
        leaves,
        arguments_changed,
        arrays_changed,
        containers_changed,
    )


class _Encoder:
    """What leaves the trace, as leaves that tell a call where to take them from.

    positions: the argument leaf that each tensor, by id, was passed as
    """

    def __init__(
        self, trace: Trace, positions: dict[int, int], passed: _Passed
    ) -> None:
        self.outputs: list[Value] = []
        self._trace = trace
        self._positions = positions
        self._passed = passed

    def output(self, value: Value) -> int:
        """The index of a new output of the graph."""
        self.outputs.append(value)
        return len(self.outputs) - 1

    def encode(self, thing: Any) -> tuple[tree.Structure, tuple[Leaf, ...]]:
        """A result, or the content of a container."""
        # A list whose length depends on data is one output, a list.
        thing = wholes(thing, self._passed.index)
        found, structure = tree.flatten_to_choices(thing, self._passed.index)
        return structure, tuple(self._leaf(leaf) for leaf in found)

    def _leaf(self, leaf: Any) -> Leaf:
        if isinstance(leaf, Tensor):
            if id(leaf) in self._positions and not leaf.scalar:
                return Argument(self._positions[id(leaf)])
            return Output(self.output(leaf.value))
        if (error := caught.tensor_of(leaf)) is not None:
            return Output(self.output(error.value))
        if (content := varying(leaf)) is not None:
            leaf = content
        if isinstance(leaf, Choice):
            tag = self.output(tag_of(leaf).value)
            return Picked(tag, tuple(map(self.encode, all_options(leaf))))
        if isinstance(leaf, Maybe):
            raise located(
                StagingTypeError("a result may be undefined, depending on data"),
                "Give the name a value before the branch that may not bind it.",
            )
        index = self._passed.index.get(id(leaf))
        if index is not None:
            return Container(index, type(leaf).__name__)
        if isinstance(leaf, np.ndarray) and self._is_made_anew(leaf):
            return Output(self.output(tensor_of_array(leaf).value))
        return Constant(leaf)

    def _is_made_anew(self, array: np.ndarray[Any, Any]) -> bool:
        """True for an array that plain NumPy made while tracing: no call shares it."""
        users = self._trace.users
        known = id(array) in users or id(array.base) in users
        return not known and not holds_objects(array.dtype)
