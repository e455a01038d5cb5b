"""Behind: a view that each turn of a loop takes at its end is taken once, behind it.

`r = z.real` in each turn, and `r` read after the loop: each turn hands on the part
beside z, which cannot be changed in place then. What the last turn has handed on is the
view of what it has left, so it is taken of that, and the loop hands on z alone. By an
index of the turn (`r = z[k % 3:]`) it hands on that number, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from runtime.failing import may_fail
from runtime.graph import STORED, Graph, Node, Value
from runtime.memory import STORES
from runtime.ops.basic import constant
from runtime.ops.index import slice_
from runtime.ops.template import Input
from runtime.passes.cse import frozen
from runtime.passes.parts_used import OF_COMPLEX, is_part
from runtime.passes.rewrite import Names, with_graphs, with_inputs, with_nodes
from runtime.passes.unview import VIEWS
from runtime.spec import TensorSpec
from runtime.structs import replace

# What a value that a turn leaves, or is given, is outside of the loop; None: nothing.
_Outside = Callable[[Value], Value | None]


def behind(graph: Graph) -> Graph:
    """`graph` with such views behind its loops, at every depth."""
    nodes: list[Node] = []
    names: Names = {}
    for old in graph.nodes:
        node = with_inputs(old, names)
        node = with_graphs(node, list(map(behind, node.graphs)))
        nodes += _outside(node, nodes, names) if node.op.name == "while" else [node]
    return with_nodes(graph, nodes, names)


def _outside(node: Node, before: Sequence[Node], names: Names) -> list[Node]:
    """The loop, and after it the views that it need not hand on.

    names: gets what is handed on twice
    """
    for position in range(node.attributes["carried"]):
        views, made = _views(node, position), node.outputs[position]
        if views and _begins_with_nothing(node, position, before):
            node, firsts = _with_numbers(node, position, views)
            before = [*before, *firsts]
            if firsts:
                return [*firsts, *_outside(node, before, names)]
        if views is None or not _is_first(node, position, views, before):
            continue
        outside = _left_by(node, position)
        after = _taken(views, outside, made)
        if after is None:
            continue
        same = None if views else outside(node.graphs[1].outputs[position])
        if not views and (same is None or same.spec != made.spec):
            continue
        rest = _outside(_without(node, position, views), before, names)
        if same is not None:
            names[made] = names.get(same, same)
        return [*rest, *(with_inputs(one, names) for one in after)]
    return [node]


def _views(node: Node, position: int) -> list[Node] | None:
    """The views by which a turn takes what it hands on there of what it leaves.

    The last one gives that; none is taken of what it hands on twice. None: it does
    neither, or reads what the turn before has handed on.
    """
    body = node.graphs[1]
    for graph in node.graphs:
        own = graph.inputs[position]
        if own in graph.outputs or any(own in one.inputs for one in graph.nodes):
            return None
    makers = {value: one for one in body.nodes for value in one.outputs}
    left = {*body.outputs[:position], *body.outputs[position + 1 :]}
    value, found = body.outputs[position], list[Node]()
    while value not in left:
        one = makers.get(value)
        if found and _captured(node, value):
            break
        if one is None or not (_is_sure(one) or _is_taken(one, body)):
            return None
        found.insert(0, one)
        value = one.inputs[0]
    return found


def _is_sure(node: Node) -> bool:
    """Whether a node takes a view that can always be taken."""
    name, known = node.op.name, node.attributes
    if node.effects or not node.inputs or not node.inputs[0].spec.shape:
        return False
    whole = node.inputs[0].spec
    if name in OF_COMPLEX:
        return whole.dtype is not None and whole.dtype.kind == "c"
    if name == "slice":
        return not known.get("flat") and is_part(known["index"], whole)
    return name in VIEWS and not may_fail(node, ())


def _is_taken(node: Node, body: Graph) -> bool:
    """Whether it takes a part by numbers of the turn, which is there.

    A turn has taken that part before; without a turn nobody reads it.
    """
    name, index = node.op.name, node.attributes.get("index")
    if node.effects or name not in ("slice", "sliced_place"):
        return False
    if name == "sliced_place" or node.attributes.get("taken"):
        return True
    whole, *numbers = node.inputs
    if node.attributes.get("flat") or not whole.spec.shape or index is None:
        return False
    if is_part(index, whole.spec):
        return True
    if any(isinstance(part, slice) and type(part.step) is Input for part in index):
        return False  # a step of 0, which no turn has come to
    return any(
        one.op is node.op
        and one is not node
        and [*one.inputs[1:]] == numbers
        and _said(one) == _said(node)
        and is_as_large(body, whole, one.inputs[0])
        for one in body.nodes[: body.nodes.index(node)]
    )


def is_as_large(graph: Graph, value: Value, of: Value) -> bool:
    """Whether a value certainly has the sizes of another one, of which it is made."""
    if value is of or (value.spec == of.spec and value.spec.is_static):
        return True
    maker = next((one for one in graph.nodes if value in one.outputs), None)
    if maker is None or value.spec != of.spec:
        return False
    if maker.op.name == "while":
        at, body = maker.outputs.index(value), maker.graphs[1]
        is_kept = is_as_large(body, body.outputs[at], body.inputs[at])
        return is_kept and is_as_large(graph, maker.inputs[at], of)
    if maker.op.name == "if":
        at = maker.outputs.index(value)
        return all(
            any(
                is_as_large(side, side.outputs[at], inner)
                and is_as_large(graph, outer, of)
                for inner, outer in zip(side.inputs, maker.inputs[1:], strict=True)
                if inner.spec == value.spec
            )
            for side in maker.graphs
        )
    is_store = maker.op.into is not None or maker.op.name in STORES
    place = 0 if is_store else maker.into
    if place is None or place == STORED:
        return False
    return is_as_large(graph, maker.inputs[place], of)


def _begins_with_nothing(node: Node, position: int, before: Sequence[Node]) -> bool:
    """Whether nobody reads what a loop without a turn leaves there."""
    first = node.inputs[position]
    return any(one.op.name == "placeholder" and first in one.outputs for one in before)


def _with_numbers(
    node: Node, position: int, views: Sequence[Node]
) -> tuple[Node, list[Node]]:
    """The loop that hands on the numbers by which a turn takes these views, too.

    returns: it, and the nodes that make those with which it begins
    """
    outside = _left_by(node, position)
    numbers = dict.fromkeys(
        value
        for one in views
        for value in one.inputs[1:]
        if outside(value) is None and _is_number(value)
    )
    if not numbers:
        return node, []
    firsts = [_zero(value) for value in numbers]
    count = node.attributes["carried"]
    graphs = [
        replace(
            graph,
            inputs=(
                *graph.inputs[:count],
                *(Value(value.spec) for value in numbers),
                *graph.inputs[count:],
            ),
        )
        for graph in node.graphs
    ]
    body = replace(graphs[1], outputs=(*graphs[1].outputs, *numbers))
    made = replace(
        node,
        inputs=(
            *node.inputs[:count],
            *(one.outputs[0] for one in firsts),
            *node.inputs[count:],
        ),
        attributes={**node.attributes, "carried": count + len(numbers)},
        outputs=(*node.outputs, *(Value(value.spec) for value in numbers)),
        graphs=(graphs[0], body),
    )
    return made, firsts


def _is_number(value: Value) -> bool:
    spec = value.spec
    if type(spec) is not TensorSpec or spec.dtype is None or spec.kinds:
        return False
    return spec.shape == () and spec.dtype.kind in "iu"


def _zero(value: Value) -> Node:
    zero = 0 if value.spec.weak else np.zeros((), value.spec.dtype)[()]
    return Node(constant, (), {"value": zero}, (Value(value.spec),))


def _is_first(
    node: Node, position: int, views: Sequence[Node], before: Sequence[Node]
) -> bool:
    """Whether a loop without a turn has the view of its array there, or nothing."""
    makers = {value: one for one in before for value in one.outputs}
    value, outside = node.inputs[position], _given_to(node, position)
    if value in makers and makers[value].op.name == "placeholder":
        return True
    for one in reversed(views):
        maker = makers.get(value)
        if maker is None or maker.op is not one.op:
            return False
        others = tuple(map(outside, one.inputs[1:]))
        if maker.inputs[1:] != others or _said(maker) != _said(one):
            return False
        value = maker.inputs[0]
    end = views[0].inputs[0] if views else node.graphs[1].outputs[position]
    return value is outside(end)


def _said(node: Node) -> object:
    return frozen(dict(node.attributes))


def _given_to(node: Node, position: int) -> _Outside:
    """What stands before the first turn for what a turn leaves, or is given."""
    return _standing(node, position, node.inputs)


def _left_by(node: Node, position: int) -> _Outside:
    """What stands behind the loop for that; not what it hands on at `position`."""
    return _standing(node, position, node.outputs)


def _standing(node: Node, position: int, others: Sequence[Value]) -> _Outside:
    ends = node.graphs[1].outputs
    pairs = zip(ends, others, strict=False)  # what is captured comes last
    apart = [pair for at, pair in enumerate(pairs) if at != position]
    known = dict(reversed(apart))
    return lambda value: known.get(value) or _captured(node, value)


def _captured(node: Node, value: Value) -> Value | None:
    """What a value of the body is in all turns."""
    inputs, first = node.graphs[1].inputs, node.attributes["carried"]
    at = inputs.index(value) if value in inputs else -1
    return node.inputs[at] if at >= first else None


def _taken(views: Sequence[Node], outside: _Outside, made: Value) -> list[Node] | None:
    """The views, of which the last one gives `made`; None: they ask for more."""
    found: list[Node] = []
    if not views:
        return found
    of = outside(views[0].inputs[0])
    for one in views:
        others = tuple(map(outside, one.inputs[1:]))
        if of is None or None in others:
            return None
        own = made if one is views[-1] else Value(one.outputs[0].spec)
        inputs = (of, *(value for value in others if value is not None))
        known = one.attributes
        if one.op is slice_ and not is_part(known["index"], of.spec):
            known = {**known, "taken": True}
        found.append(replace(one, inputs=inputs, outputs=(own,), attributes=known))
        of = own
    return found if views[-1].outputs[0].spec == made.spec else None


def _without(node: Node, position: int, views: Sequence[Node]) -> Node:
    """The loop that does not hand this on, nor takes a view that nobody reads then."""
    test, body = (
        replace(graph, inputs=_but(graph.inputs, position)) for graph in node.graphs
    )
    body = replace(body, outputs=_but(body.outputs, position))
    for one in reversed(views):
        (value,) = one.outputs
        if value in body.outputs or any(value in other.inputs for other in body.nodes):
            break
        body = replace(body, nodes=tuple(n for n in body.nodes if n is not one))
    return replace(
        node,
        inputs=_but(node.inputs, position),
        attributes={**node.attributes, "carried": node.attributes["carried"] - 1},
        outputs=_but(node.outputs, position),
        graphs=(test, body),
    )


def _but(values: tuple[Value, ...], position: int) -> tuple[Value, ...]:
    return values[:position] + values[position + 1 :]
