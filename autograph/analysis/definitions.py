"""Reaching definitions: which bindings of a name may be in force at a step.

Being unbound is a definition like another: it is in force at the start of the function
for all names but parameters, and after `del` and the end of an except clause.
"""

from __future__ import annotations

from collections import deque

from autograph.analysis.cfg import Graph
from runtime.structs import field, struct


@struct(frozen=False)
class Definitions:
    """Definitions are bits: bit i for "name i is unbound", then one per binding."""

    graph: Graph
    before: list[int] = field(default_factory=list)  # for each step
    _of_name: dict[int, int] = field(default_factory=dict)  # all definitions of a name
    _made: list[tuple[int, int]] = field(default_factory=list)  # killed, made per step
    _steps: list[int] = field(default_factory=list)  # the step of each binding

    def reaching(self, step: int, name: str) -> frozenset[int | None]:
        """The steps whose binding of `name` may be in force; None is unbound."""
        bit, count = self.graph.bits[name], len(self.graph.bits)
        found = self.before[step] & self._of_name[bit]
        steps: set[int | None] = {None} if found & bit else set()
        found >>= count
        while found:
            lowest = found & -found
            steps.add(self._steps[lowest.bit_length() - 1])
            found ^= lowest
        return frozenset(steps)

    def may_be_unbound(self, step: int, name: str) -> bool:
        """Whether `name` may be unbound when the step starts."""
        return bool(self.before[step] & self.graph.bits[name])


def reaching_definitions(graph: Graph) -> Definitions:
    """The definitions in force before each step of the graph."""
    result = Definitions(graph)
    _number(result)
    _flow(result)
    return result


def _number(result: Definitions) -> None:
    """Give each binding a bit, and each step what it makes and puts out of force."""
    bits = list(result.graph.bits.values())
    result._of_name = {bit: bit for bit in bits}
    following = 1 << len(bits)
    made: list[int] = []
    for index, node in enumerate(result.graph.nodes):
        new = node.unbinds
        for bit in _each(node.binds | node.may_bind):
            new |= following
            result._of_name[bit] |= following
            result._steps.append(index)
            following <<= 1
        made.append(new)
    for node, new in zip(result.graph.nodes, made, strict=True):
        killed = 0
        for bit in _each(node.binds | node.unbinds):
            killed |= result._of_name[bit]
        result._made.append((killed, new))


def _flow(result: Definitions) -> None:
    nodes = result.graph.nodes
    result.before = [0] * len(nodes)
    start = 1  # the step that binds the parameters
    result.before[start] = (1 << len(result.graph.bits)) - 1
    waiting, queued, seen = deque([start]), {start}, set[int]()
    while waiting:
        index = waiting.popleft()
        queued.discard(index)
        seen.add(index)
        killed, made = result._made[index]
        before = result.before[index]
        after = (before & ~killed) | made
        flows = [(successor, after) for successor in nodes[index].successors]
        if (handler := nodes[index].on_exception) is not None:
            # An exception may come before the binding, or between two of them.
            flows.append((handler, before | after))
        for target, facts in flows:
            joined = result.before[target] | facts
            if joined != result.before[target] or target not in seen:
                result.before[target] = joined
                if target not in queued:
                    queued.add(target)
                    waiting.append(target)


def _each(bits: int) -> list[int]:
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest)
        bits ^= lowest
    return found
