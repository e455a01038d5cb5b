"""Unpart: what a loop or a branch changes by parts of it alone, it gets as the parts.

`re = z.real`, then `re[i] += 1` in a loop, is a part of z in each turn, a change of it,
and z with that part. Where nothing else reads z, the loop carries the part: it is taken
before the loop, and put into z after it. Of parts by slices this is done where a turn
takes a view of them (`x[1:].T`): machine code has the others as they are.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.graph import STORED, Graph, Node, Value
from runtime.ops.index import store
from runtime.passes.parts_used import (
    PUTS,
    Part,
    Uses,
    are_apart,
    put,
    take,
    uses,
)
from runtime.passes.rewrite import Names, renamed, with_graphs, with_inputs, with_nodes
from runtime.passes.unview import VIEWS
from runtime.structs import replace, struct

# What gives its first input changed, or a view of it.
_CHANGES = {*PUTS, *VIEWS}


def unpart(graph: Graph) -> Graph:
    """`graph` with such parts around its loops and branches, at every depth."""
    return _unpart(graph, set())


def _unpart(graph: Graph, made: set[Value]) -> Graph:
    nodes: list[Node] = []
    for old in graph.nodes:
        node = with_graphs(old, [_unpart(inner, made) for inner in old.graphs])
        nodes += _outside(node, made) if node.op.name == "while" else [node]
    return with_nodes(graph, nodes, {})


def _outside(node: Node, made: set[Value]) -> list[Node]:
    """The loop, with the parts that it need not take before it, and put back after.

    made: what has been taken before loops and branches, to which it adds
    """
    for position in range(len(node.outputs)):
        found = _taken_out(node, position, made)
        if found is not None:
            before, inner, after = found
            made.update(value for one in before for value in one.outputs)
            return [*before, *_outside(inner, made), *after]
    return [node]


def _taken_out(
    node: Node, position: int, made: set[Value]
) -> tuple[list[Node], Node, list[Node]] | None:
    """What comes before and after the node where an array is given as its parts."""
    at = _SOURCES[node.op.name](node, position)
    if at is None:
        return None
    node = with_graphs(node, [_opened(node, graph, at, made) for graph in node.graphs])
    sides = []
    for graph in node.graphs:
        is_test = node.op.name == "while" and graph is node.graphs[0]
        found = uses(node, graph, at, None if is_test else position, made)
        if found is None:
            return None
        sides.append(found)
    like: dict[Part, Node] = {}
    for side in sides:
        like.update((part, one) for one, part in side.takes.items())
    changed = list(dict.fromkeys(part for side in sides for part in side.puts.values()))
    if not changed or not any(side.is_worth for side in sides):
        return None
    specs = {
        (part, one.outputs[0].spec)
        for side in sides
        for one, part in side.takes.items()
    }
    if len(specs) > len(like) or not like.keys() >= {*changed}:
        return None
    whole = node.inputs[at].spec
    for part in changed:
        others = (one for one in like if one != part)
        if not all(are_apart(like[part], like[one], whole) for one in others):
            return None
    return _Parted(node, at, position, sides, like, changed).run()


def _opened(node: Node, graph: Graph, at: int, made: set[Value]) -> Graph:
    """A sub-graph with parts around the branches that are given an array.

    Branches alone do without: what they change would be put into the array after them.
    """
    versions = {graph.inputs[at - len(node.inputs) + len(graph.inputs)]}
    nodes: list[Node] = []
    for one in graph.nodes:
        around = [one]
        if one.op.name == "if" and not versions.isdisjoint(one.inputs):
            around = _around_branches(one, versions, made)
        for inner in around:
            if inner.op.name in PUTS and inner.inputs[0] in versions:
                versions.update(inner.outputs)
        nodes += around
    return with_nodes(graph, nodes, {})


def _around_branches(node: Node, versions: set[Value], made: set[Value]) -> list[Node]:
    """The branches with the parts of an array around them that they take."""
    for position in range(len(node.outputs)):
        at = _of_branch(node, position)
        if at is None or node.inputs[at] not in versions:
            continue
        found = _taken_out(node, position, made)
        if found is not None:
            before, inner, after = found
            made.update(value for one in before for value in one.outputs)
            return [*before, inner, *after]
    return [node]


@struct
class _Parted:
    """A node whose input `at`, which output `position` is at the end, becomes parts.

    sides:   what each of its graphs does with the array
    like:    for each part a node that takes it
    changed: those that are put back, which are outputs
    """

    node: Node
    at: int
    position: int
    sides: Sequence[Uses]
    like: dict[Part, Node]
    changed: list[Part]

    def run(self) -> tuple[list[Node], Node, list[Node]]:
        """What comes before it, it, and what comes after it."""
        node, at, position = self.node, self.at, self.position
        whole, given = node.inputs[at], node.outputs[position]
        taken = {part: Value(one.outputs[0].spec) for part, one in self.like.items()}
        before = [take(p, whole, taken[p], self.like[p]) for p in taken]
        left = [Value(taken[part].spec) for part in self.changed]
        after = []
        for number, (part, content) in enumerate(zip(self.changed, left, strict=True)):
            last = number == len(left) - 1
            made = given if last else Value(whole.spec)
            after.append(put(part, whole, content, made, self.like[part]))
            whole = made
        inputs = self._inputs(node.inputs, at, taken)
        outputs = (*node.outputs[:position], *left, *node.outputs[position + 1 :])
        graphs = tuple(map(self._graph, node.graphs, self.sides))
        known = dict(node.attributes)
        if "carried" in known:
            known["carried"] += len(left) - 1
        made_of = replace(
            node, inputs=inputs, outputs=outputs, graphs=graphs, attributes=known
        )
        return before, made_of, after

    def _inputs(
        self, inputs: tuple[Value, ...], at: int, parts: dict[Part, Value]
    ) -> tuple[Value, ...]:
        """The inputs with parts for the array; those that are only read come last."""
        changed = [parts[part] for part in self.changed]
        read = [value for part, value in parts.items() if part not in self.changed]
        return (*inputs[:at], *changed, *inputs[at + 1 :], *read)

    def _graph(self, graph: Graph, side: Uses) -> Graph:
        """A sub-graph that is given the parts."""
        at = self.at - len(self.node.inputs) + len(graph.inputs)
        given = {part: Value(one.outputs[0].spec) for part, one in self.like.items()}
        current, names = dict(given), Names()
        nodes: list[Node] = []
        for old in graph.nodes:
            if old in side.takes:
                names[old.outputs[0]] = current[side.takes[old]]
                continue
            if old not in side.puts:
                nodes.append(with_inputs(old, names))
                continue
            part = side.puts[old]
            (content,) = renamed(old.inputs[1:2], names)
            if not _is_change(content, given[part], nodes):
                made = Value(current[part].spec)
                nodes.append(_stored(old, current[part], content, made))
                content = made
            current[part] = content
        ends = renamed(graph.outputs, names)
        if side.puts or self._is_end(graph, at):
            parts = [current[part] for part in self.changed]
            ends = (*ends[: self.position], *parts, *ends[self.position + 1 :])
        inputs = self._inputs(graph.inputs, at, given)
        return replace(graph, inputs=inputs, nodes=tuple(nodes), outputs=ends)

    def _is_end(self, graph: Graph, at: int) -> bool:
        """Whether a graph gives the array as it is."""
        return graph.inputs[at] in graph.outputs


def _is_change(content: Value, part: Value, nodes: Sequence[Node]) -> bool:
    """Whether what is put back is the part that was given, which has been changed."""
    if content.spec != part.spec:
        return False
    makers = {value: one for one in nodes for value in one.outputs}
    waiting, is_viewed = [content], False
    while waiting:
        value = waiting.pop()
        if value is part:
            return True
        one = makers.get(value)
        if one is None:
            continue
        if one.graphs:
            waiting += one.inputs
        elif one.op.name in _CHANGES:
            is_viewed |= one.op.name in VIEWS
            waiting.append(one.inputs[0])
        elif one.into is not None and one.into != STORED and not is_viewed:
            waiting.append(one.inputs[one.into])
    return False


def _stored(like: Node, part: Value, content: Value, made: Value) -> Node:
    return replace(
        like,
        op=store,
        inputs=(part, content),
        attributes={"index": (...,)},
        outputs=(made,),
    )


def _of_loop(node: Node, position: int) -> int:
    """Which input a loop gives as this output."""
    return position


def _of_branch(node: Node, position: int) -> int | None:
    """The same of branches; None where they give several, or others."""
    found = set()
    for graph in node.graphs:
        makers = {value: one for one in graph.nodes for value in one.outputs}
        end = graph.outputs[position]
        while end in makers and makers[end].op.name in PUTS:
            end = makers[end].inputs[0]
        if end not in graph.inputs:
            return None
        found.add(graph.inputs.index(end) + len(node.inputs) - len(graph.inputs))
    return found.pop() if len(found) == 1 else None


_SOURCES = {"while": _of_loop, "if": _of_branch}
