"""tried: what a `try` of a graph catches, and what follows it."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.effects import Guard
from runtime.graph import Graph, Node, Value

# What may take long, or calls what does.
_LONG = frozenset({"while", "call", "recursion", "host_call"})


def is_short(body: Graph) -> bool:
    """Whether Python need not look for signals in a body, whose handlers take all.

    A signal's handler raises where Python looks for signals: after a call, and between
    two turns. What is raised there alone is not the body's.
    """
    return all(
        node.op.name not in _LONG
        and all(isinstance(effect.what, Guard) for effect in node.effects)
        for node in body.walk()
    )


def leaves(graph: Graph) -> bool:
    """Whether a branch ends by raising."""
    return any(node.op.name in ("raise", "reraise") for node in graph.nodes)


def choice_of(
    nodes: list[Node], at: int, outputs: Sequence[Value]
) -> tuple[int, list[Node]] | None:
    """Where the `if` is that asks how a `try` has ended, and the nodes that ask.

    None: something else uses what it gives, and is not behind a handler that raises
    """
    given = {*nodes[at].outputs}
    ends = {*ends_of(nodes[at])}
    zeros = {
        one.outputs[0]
        for one in nodes
        if one.op.name == "constant" and _is_zero(one.attributes["value"])
    }
    asked: list[Node] = []
    answers: set[Value] = set()
    for place in range(at + 1, len(nodes)):
        one = nodes[place]
        if one.op.name == "if" and one.inputs[0] in answers:
            used = {v for other in nodes[place + 1 :] for v in other.inputs}
            used |= {*outputs, *one.inputs[1:]} & answers
            used |= {*outputs}
            taken = (given | answers) & used
            is_behind = leaves(one.graphs[1]) and taken <= ends
            return (place, asked) if is_behind or not taken else None
        if not given.isdisjoint(one.inputs):
            is_asked = one.op.name == "equal" and one.inputs[0] is nodes[at].outputs[0]
            if not is_asked or one.inputs[1] not in zeros:
                return None
            asked.append(one)
            answers.update(one.outputs)
        elif one.effects or not answers.isdisjoint(one.inputs):
            return None
    return None


def ends_of(node: Node) -> tuple[Value, ...]:
    """What a `try` gives of the end of its body."""
    return node.outputs[2 + len(node.attributes["cells"]) :]


def _is_zero(content: object) -> bool:
    return type(content) is int and content == 0
