"""parts_used: which parts of an array a loop takes and puts back (see `unpart`)."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import numpy as np

from runtime.graph import STORED, Graph, Node, Value
from runtime.ops.basic import imag, real, with_part
from runtime.ops.index import is_field, slice_, store
from runtime.passes.unview import VIEWS
from runtime.spec import TensorSpec
from runtime.structs import field, replace, struct

OF_COMPLEX = {"real": real, "imag": imag}
TAKES, PUTS = {"slice", *OF_COMPLEX}, {"store", "with_part"}
# What is done with a part that machine code would not have as it has slices.
_OF_PARTS = {*VIEWS, *OF_COMPLEX, "with_part", "view_bits"}


@struct
class Part:
    """Which part of an array is meant.

    name:    "real", "imag", or "" for one by index
    index:   the text of the index, with places for what only the run knows
    dynamic: what stands in these places, values outside of the node
    """

    name: str
    index: str
    dynamic: tuple[Value, ...]


@struct(frozen=False)
class Uses:
    """What a sub-graph does with an array.

    takes, puts: the nodes that take a part, or put one back
    is_worth:    a part is none that machine code has anyway
    """

    takes: dict[Node, Part] = field(default_factory=dict)
    puts: dict[Node, Part] = field(default_factory=dict)
    is_worth: bool = False


def uses(
    node: Node, graph: Graph, at: int, position: int | None, made: AbstractSet[Value]
) -> Uses | None:
    """What a sub-graph does with an array; None where that is more than with parts.

    at:       which input of the node the array is
    position: the output that is the array at the end; None: there is none
    made:     parts that loops and branches within are given, of which they take views
    """
    own = len(node.inputs) - len(graph.inputs)
    current, found = graph.inputs[at - own], Uses()
    versions = {current}
    for one in graph.nodes:
        readers = [value for value in one.inputs if value in versions]
        if not readers:
            continue
        if readers != [current] or one.inputs[0] is not current or one.guards:
            return None
        part = _part_of(node, graph, one)
        if part is None:
            return None
        if one.op.name in PUTS:
            found.puts[one] = part
            (current,) = one.outputs
            versions.add(current)
        else:
            found.takes[one] = part
            found.is_worth |= bool(part.name) or is_field(one.attributes["index"])
            found.is_worth |= one.outputs[0] in made
            found.is_worth |= _is_viewed(graph, one.outputs[0])
    ends = [(at, value) for at, value in enumerate(graph.outputs) if value in versions]
    if ends != ([] if position is None else [(position, current)]):
        return None
    # A part that is left beside the array is that of the array's own memory.
    left = {value for at, value in enumerate(graph.outputs) if at != position}
    return found if left.isdisjoint(_held(graph, found)) else None


def _held(graph: Graph, found: Uses) -> set[Value]:
    """What may be in the memory of the parts that a sub-graph takes."""
    held: set[Value] = set()
    for one in graph.nodes:
        if one in found.takes or (one not in found.puts and _keeps(one, held)):
            held.update(value for value in one.outputs if value.spec.shape != ())
    return held


def _keeps(node: Node, held: AbstractSet[Value]) -> bool:
    """Whether what a node gives may be in memory that some of its inputs are in."""
    if node.op.name in PUTS or node.op.view:
        return node.inputs[0] in held
    if node.into is not None and node.into != STORED:
        return node.inputs[node.into] in held
    return bool(node.graphs) and not held.isdisjoint(node.inputs)


def take(part: Part, whole: Value, made: Value, like: Node) -> Node:
    """The node that takes a part, as one in a sub-graph does."""
    known = {} if part.name else {"index": like.attributes["index"]}
    return replace(
        like,
        op=OF_COMPLEX.get(part.name, slice_),
        inputs=(whole, *part.dynamic),
        attributes=known,
        outputs=(made,),
    )


def put(part: Part, whole: Value, content: Value, made: Value, like: Node) -> Node:
    """The node that puts it back."""
    known: Any = {"part": part.name}
    if not part.name:
        known = {"index": like.attributes["index"]}
    return replace(
        like,
        op=with_part if part.name else store,
        inputs=(whole, content, *part.dynamic),
        attributes=known,
        outputs=(made,),
    )


def are_apart(one: Node, other: Node, whole: TensorSpec) -> bool:
    """Whether no element is in both of the parts that these take."""
    if one.op is not other.op:
        return OF_COMPLEX.keys() >= {one.op.name, other.op.name}
    if one.op is not slice_:
        return False
    keys = [node.attributes["index"] for node in (one, other)]
    if all(map(is_field, keys)):
        return _are_fields_apart([key[0] for key in keys], whole)
    if len(one.inputs) + len(other.inputs) > 2 or not whole.is_static:
        return False
    if any(map(is_field, keys)):
        return False
    array = np.empty([int(dim or 0) for dim in whole.shape or ()], "i1")
    return not np.shares_memory(array[keys[0]], array[keys[1]])


def _are_fields_apart(names: Sequence[str], whole: TensorSpec) -> bool:
    fields = None if whole.dtype is None else whole.dtype.fields
    assert fields is not None
    first, last = sorted((fields[name][1], fields[name][0].itemsize) for name in names)
    return first[0] + first[1] <= last[0]


def _is_viewed(graph: Graph, part: Value) -> bool:
    """Whether nothing is done with a part but to take views of it."""
    users = [one for one in graph.nodes if part in one.inputs]
    return bool(users) and all(one.op.name in _OF_PARTS for one in users)


def _part_of(node: Node, graph: Graph, one: Node) -> Part | None:
    """Which part of its first input a node takes, or puts back; None: neither."""
    known, name = one.attributes, one.op.name
    whole, is_put = one.inputs[0].spec, name in PUTS
    if whole.dtype is None or not whole.shape or known.get("flat") or known.get("path"):
        return None
    if name in OF_COMPLEX or name == "with_part":
        is_complex = whole.dtype.kind == "c"
        return Part(known.get("part", name), "", ()) if is_complex else None
    if not (is_put or name in TAKES) or not is_part(known["index"], whole):
        return None
    dynamic = [_outer(node, graph, value) for value in one.inputs[1 + is_put :]]
    surely = tuple(value for value in dynamic if value is not None)
    return Part("", repr(known["index"]), surely) if [*surely] == dynamic else None


def is_part(index: Any, whole: TensorSpec) -> bool:
    """Whether an array certainly has such a part, which is a view."""
    if is_field(index):
        return isinstance(index[0], str)
    axes = sum(part is not None and part is not ... for part in index)
    return axes <= len(whole.shape or ()) and all(
        part is None or part is ... or (isinstance(part, slice) and _is_step(part.step))
        for part in index
    )


def _is_step(step: Any) -> bool:
    """Whether a slice may have such a step."""
    return step is None or (isinstance(step, int) and step != 0)


def _outer(node: Node, graph: Graph, value: Value) -> Value | None:
    """The value outside of a node that an input of a sub-graph is in each turn."""
    if value not in graph.inputs:
        return None
    at = graph.inputs.index(value) + len(node.inputs) - len(graph.inputs)
    return node.inputs[at] if at >= node.attributes.get("carried", 0) else None
