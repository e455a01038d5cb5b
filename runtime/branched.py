"""branched: a change of one of several arrays, made in the array that it is.

`b[i] = v` where b is x or y becomes an `if` with a store into x and one into y. Nothing
is copied then: a store into what one of two gives would have to leave both as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from runtime.build import Frame, building
from runtime.errors import StagingError
from runtime.graph import STORED, Node, Value
from runtime.ops import control, world
from runtime.ops.placeholder import placeholder
from runtime.picked import Own, Pick, Side
from runtime.structs import replace
from runtime.tensor_view import View

if TYPE_CHECKING:
    from runtime.tensor import Tensor

# Nodes that may have come between: what asks which of the arrays it is.
RECENT = 16


def write_each(frame: Frame, pick: Pick, value: Value) -> Value | None:
    """Change the array that it is to `value`, made just now of what it was.

    returns: what the tensor is then; None: nothing was done
    """
    before = pick.made
    arrays = _arrays(pick, value)
    nodes = [] if before is None else _made_by(frame, frame.use(before), value)
    if before is None or not arrays or not nodes:
        return None
    roots = list({id(array.root): array.root for array in arrays}.values())
    *contents, made = _changed(frame, pick, roots, nodes, frame.use(before))
    _let_go(frame, nodes)
    for root, content in zip(roots, contents, strict=True):
        root.write(content)
    if all(array._view is None for array in arrays):
        pick.note(made)  # a part is taken anew: nothing else is to be in its memory
    return made


def _arrays(pick: Pick, like: Value) -> list[Tensor]:
    """The arrays, and parts of arrays; none where one is of another type."""
    found: list[Tensor] = []
    waiting: list[Side] = [pick]
    while waiting:
        one = _opened(waiting.pop())
        if isinstance(one, Pick):
            waiting += one.sides
        elif isinstance(one, Own) or not _is_like(one, like):
            return []
        else:
            found.append(one)
    return found


def _opened(side: Side) -> Side:
    """Of an array that is one of several, which one it is."""
    if isinstance(side, (Pick, Own)) or side._view is not None:
        return side
    return side._pick or side


def _is_like(one: Any, like: Value) -> bool:
    root = one.root
    if root._pick is not None or root.scalar or root.sources:
        return False
    if one._view is None:
        return bool(one._value.spec == like.spec)
    plain = not any(v.locked or v.flat for v in _views(one))
    spec = one.value.spec
    return plain and spec.rank == like.spec.rank and spec.dtype == like.spec.dtype


def _views(array: Tensor) -> list[View]:
    """How a part is taken of its array, step by step."""
    found: list[View] = []
    while array._view is not None:
        found.append(array._view)
        array = array._view.base
    return found[::-1]


def _made_by(frame: Frame, before: Value, after: Value) -> list[Node]:
    """The nodes that have just made the one value of the other."""
    node = _maker(frame, after)
    if node is None or before not in node.inputs:
        return []
    content = node.inputs[1] if node.op.name == "store" else None
    maker = None if content is None else _maker(frame, content)
    if maker is None or maker.into == STORED:
        return [node] if maker is None else [maker, node]
    part = _part_of(frame, before, node, maker)
    if part is None or part.guards or maker.guards:
        return [node]  # in a try what a view may still show must not fail twice
    return [part, maker, node]


def _let_go(frame: Frame, nodes: Sequence[Node]) -> None:
    """Let what has been made once more be dropped: in a try it may fail, and stays.

    Nothing has what it gives: the array has what the branches give now.
    """
    for at in range(max(0, len(frame.nodes) - RECENT - 1), len(frame.nodes)):
        if any(frame.nodes[at] is node for node in nodes):
            frame.nodes[at] = replace(frame.nodes[at], guards=frozenset())


def _part_of(frame: Frame, before: Value, store: Node, maker: Node) -> Node | None:
    """The node of the part that another one gives anew, as in `x[1:] += y`."""
    if before in maker.inputs or store.attributes.get("path"):
        return None
    place = (before, *store.inputs[2:])
    parts = (_maker(frame, value) for value in maker.inputs)
    for part in parts:
        if part is not None and part.op.name == "slice" and part.inputs == place:
            if part.attributes["index"] == store.attributes["index"]:
                return part
    return None


def _maker(frame: Frame, made: Value) -> Node | None:
    """The node of this one value, if that is among the last ones and does no more."""
    found = (node for node in frame.nodes[-RECENT:] if node.outputs == (made,))
    node = next(found, None)
    if node is None or node.graphs or node.op.effects_of(node.attributes):
        return None
    return node


def _changed(
    frame: Frame,
    side: Side,
    roots: Sequence[Tensor],
    nodes: Sequence[Node],
    before: Value,
) -> list[Value]:
    """What all arrays hold after the change of one, and what that one holds."""
    side = _opened(side)
    assert not isinstance(side, Own)
    if not isinstance(side, Pick):
        try:
            return _made_anew(frame, side, roots, nodes, before)
        except StagingError:
            raise
        # What fits one of them does not fit another, of which that is known here.
        except Exception as error:
            return _failed(frame, roots, nodes[-1], error)
    sides = (Frame("then", frame), Frame("orelse", frame))
    ends = [
        _changed(inner, one, roots, nodes, before)
        for inner, one in zip(sides, side.sides, strict=True)
    ]
    captures = list(dict.fromkeys([*sides[0].captures, *sides[1].captures]))
    graphs = tuple(
        inner.close(end, captures) for inner, end in zip(sides, ends, strict=True)
    )
    predicate = frame.use(side.predicate._value)
    return list(frame.add(control.if_, (predicate, *captures), {}, graphs))


def _made_anew(
    frame: Frame,
    array: Tensor,
    roots: Sequence[Tensor],
    nodes: Sequence[Node],
    before: Value,
) -> list[Value]:
    """The nodes once more, of this array."""
    parts = _read(frame, array)
    known = {before: parts[-1]._value}
    for node in nodes:
        inputs = [known.get(value) or frame.use(value) for value in node.inputs]
        # What could not fail of one cannot of another; its constants are out of sight.
        with nullcontext() if node.guards else _unguarded(frame):
            (made,) = frame.add(node.op, inputs, dict(node.attributes))
        into = node.into
        if before in node.inputs and node is nodes[-1]:
            into = node.inputs.index(before)
        frame.nodes[-1] = replace(frame.nodes[-1], into=into, location=node.location)
        known[node.outputs[0]] = made
    whole = _written_back(frame, array, parts, made)
    ends = [whole if one is array.root else frame.use(one._value) for one in roots]
    return [*ends, made]


def _failed(
    frame: Frame, roots: Sequence[Tensor], last: Node, error: Exception
) -> list[Value]:
    """The branch of an array with which it fails: raised when that is the one."""
    if frame.trace.has_objects:
        raise error  # as what stands for a text may be why
    frame.location = last.location
    frame.trace.raising = error
    with building(frame):
        world.raise_(exception=error.with_traceback(None))
        made = placeholder(spec=last.outputs[0].spec).value
    frame.trace.raising = None
    return [*(frame.use(one._value) for one in roots), made]


def _read(frame: Frame, array: Tensor) -> list[Tensor]:
    """An array, and the parts that lead to what is a part of it."""
    parts = [type(array)(frame.use(array.root._value), scalar=False)]
    with building(frame), _unguarded(frame):
        for view in _views(array):
            frame.trace.asks_layout |= view.by_layout
            parts.append(view.read(parts[-1]))
    return parts


def _written_back(
    frame: Frame, array: Tensor, parts: Sequence[Tensor], made: Value
) -> Value:
    """The array with another content of its part."""
    with building(frame), _unguarded(frame):
        whole = type(array)(made, scalar=False)
        for view, base in zip(_views(array)[::-1], parts[-2::-1], strict=True):
            whole = view.write(base, whole)
        return whole.value


@contextmanager
def _unguarded(frame: Frame) -> Iterator[None]:
    """For the block, nothing fails in a try: a part that is there has been taken."""
    trace = frame.trace
    guards, trace.guards = trace.guards, []
    try:
        yield
    finally:
        trace.guards = guards
