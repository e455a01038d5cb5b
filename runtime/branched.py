"""branched: a change of one of several arrays, made in the array that it is.

`b[i] = v` where b is x or y becomes an `if` with a store into x and one into y. Nothing
is copied then: a store into what one of two gives would have to leave both as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

from runtime.aliases import make_stale, mark_aliases
from runtime.build import Frame, building, require_current, want_references
from runtime.errors import StagingError
from runtime.graph import STORED, Node, Value
from runtime.ops import control, world
from runtime.ops.placeholder import placeholder
from runtime.picked import Own, Pick, Side
from runtime.spec import TensorSpec
from runtime.structs import replace, struct
from runtime.tensor_view import View
from runtime.written import refuse_half_written

if TYPE_CHECKING:
    from runtime.tensor import Tensor

# Nodes that may have come between: what asks which of the arrays it is.
RECENT = 16


def write_each(frame: Frame, pick: Pick, value: Value) -> Value | None:
    """Change the array that it is to `value`, made just now of what it was.

    What may fail in it finds the tensor as it was.

    returns: what the tensor is then; None: nothing was done
    """
    arrays = [*_arrays((pick, []))]
    made = _write(frame, (pick, []), pick.made, value)
    if made is not None and not any(one and one.views for one in arrays):
        pick.note(made)  # a part is taken anew: nothing else is to be in its memory
    return made


def write_part(frame: Frame, part: Tensor, value: Value) -> bool:
    """The same of a part of what is one of several arrays; False: nothing was done."""
    root = part.root
    if root._pick is None:
        return False
    refuse_half_written(frame)
    if _write(frame, (part, []), part._value, value) is None:
        return False
    for source in root._pick.unknown(root.sources):
        make_stale(source)
    mark_aliases(frame, root)
    return True


def _write(
    frame: Frame, side: _Side, before: Value | None, value: Value
) -> Value | None:
    """Change what a side is, which was `before`; gives what it is then."""
    if any(one is None for one in _arrays(side)):
        want_references()
    arrays = [one for one in _arrays(side) if one is not None and _is_like(one, value)]
    if before is None or len(arrays) < len([*_arrays(side)]):
        return None
    nodes = _made_by(frame, frame.use(before), value)
    if not nodes:
        return None
    roots = [*{id(one.array): one.array for one in arrays}.values()]
    try:
        ends = _changed(frame, side, roots, nodes, frame.use(before))
    except _UnlikeError:
        return None
    *contents, made = ends
    _let_go(frame, nodes)
    for root, content in zip(roots, contents, strict=True):
        root.write(content)
    return made


class _UnlikeError(BaseException):
    """One of the arrays is of another type, or size, than what is made of it."""


@struct(eq=False)
class _Part:
    """An array that is not one of several, and how a part of it is taken."""

    array: Tensor
    views: Sequence[View]


# Something that may be one of several arrays, and how a part of that is taken.
_Side = tuple[Side, Sequence[View]]


def _arrays(side: _Side) -> Iterator[_Part | None]:
    """The arrays, and parts of arrays, that it may be; None for one of its own."""
    one = _opened(side)
    if isinstance(one, _Part):
        yield one
    elif isinstance(one[0], Own):
        yield None
    else:
        for inner in _sides(one):
            yield from _arrays(inner)


def _opened(side: _Side) -> _Part | _Side:
    """Of an array that is one of several, which one it is."""
    one, views = side
    while not isinstance(one, (Pick, Own)):
        root = one.root
        views = [*views_of(one), *views]
        if root._pick is None:
            return _Part(root, views)
        one = Own.WRITABLE if _is_marked(root, root._pick) else root._pick
    return one, views


def _is_marked(array: Tensor, pick: Pick) -> bool:
    """Whether it is not to be changed, on some path, as its own write says."""
    marks = require_current("an array").trace.marks.values()
    unknown = pick.unknown(array.sources)
    return any(one is mark for one in unknown for mark in marks)


def _sides(side: _Side) -> list[_Side]:
    one, views = side
    assert isinstance(one, Pick)
    return [(it, views) for it in one.sides]


def _is_like(one: _Part, like: Value) -> bool:
    """Whether a change fits it; of a part, and of sizes, the change is asked."""
    array = one.array
    if array.scalar or array.sources or any(v.locked or v.flat for v in one.views):
        return False
    spec = array._value.spec
    return bool(one.views) or _fits(spec, like)


def _fits(spec: TensorSpec, like: Value) -> bool:
    return spec.rank == like.spec.rank and spec.dtype == like.spec.dtype


def views_of(array: Tensor) -> list[View]:
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
    side: _Side,
    roots: Sequence[Tensor],
    nodes: Sequence[Node],
    before: Value,
) -> list[Value]:
    """What all arrays hold after the change of one, and what that one holds."""
    opened = _opened(side)
    if isinstance(opened, _Part):
        try:
            return _made_anew(frame, opened, roots, nodes, before)
        except StagingError:
            raise
        # What fits one of them does not fit another, of which that is known here.
        except Exception as error:
            return _failed(frame, roots, nodes[-1], error)
    frames = (Frame("then", frame), Frame("orelse", frame))
    ends = [
        _changed(inner, one, roots, nodes, before)
        for inner, one in zip(frames, _sides(opened), strict=True)
    ]
    captures = list(dict.fromkeys([*frames[0].captures, *frames[1].captures]))
    graphs = tuple(
        inner.close(end, captures) for inner, end in zip(frames, ends, strict=True)
    )
    pick = opened[0]
    assert isinstance(pick, Pick)
    predicate = frame.use(pick.predicate._value)
    return list(frame.add(control.if_, (predicate, *captures), {}, graphs))


def _made_anew(
    frame: Frame,
    part: _Part,
    roots: Sequence[Tensor],
    nodes: Sequence[Node],
    before: Value,
) -> list[Value]:
    """The nodes once more, of this array."""
    array = part.array
    parts = parts_of(frame, array, array._value, part.views)
    if not _fits(parts[-1]._value.spec, before):
        raise _UnlikeError
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
    if not part.views and made.spec != array._value.spec:
        raise _UnlikeError  # what is put into a part has its size, which the run sees
    whole = _written_back(frame, part, parts, made)
    ends = [whole if one is array else frame.use(one._value) for one in roots]
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


def parts_of(
    frame: Frame, array: Tensor, whole: Value, views: Sequence[View]
) -> list[Tensor]:
    """What holds `whole`, as `array` does, and the parts that the views lead to."""
    parts = [type(array)(frame.use(whole), scalar=False)]
    with building(frame), _unguarded(frame):
        for view in views:
            frame.trace.asks_layout |= view.by_layout
            parts.append(view.read(parts[-1]))
    return parts


def _written_back(
    frame: Frame, part: _Part, parts: Sequence[Tensor], made: Value
) -> Value:
    """The array with another content of its part."""
    with building(frame), _unguarded(frame):
        whole = type(part.array)(made, scalar=False)
        for view, base in zip(part.views[::-1], parts[-2::-1], strict=True):
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
