"""added: lists outside to which a call adds, and of which it reads nothing.

`losses.append(loss)` is a list of the graph, as long as the user's, that is copied,
looked at item by item and put back. Where the trace does nothing with it but append,
the new items are outputs in its place, and the call appends them to the user's list.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from runtime.graph import Graph, Node, Value
from runtime.passes.prune import prune
from runtime.structs import replace
from tracer import tree
from tracer.item_type import ItemType
from tracer.outer import Added, Listed
from tracer.traced import Constant, Leaf, Output, Traced


def with_added(traced: Traced) -> Traced:
    """What was traced, with such lists out of its graph."""
    reading = traced.outer
    if reading is None or not traced.outer_after:
        return traced
    found, first = _Found(traced), reading.first
    for place, form in enumerate(reading.forms):
        if isinstance(form, Listed):
            found.look(place, form.items, range(first, first + form.count))
        first += form.count
    if not found.after:
        return traced
    for place in found.after:
        form = reading.forms[place]
        assert isinstance(form, Listed)
        reading.forms[place] = Added(form.items)
    return found.traced()


class _Found:
    """The lists that are found, and what becomes of the trace."""

    def __init__(self, traced: Traced) -> None:
        self._traced = traced
        self._graph = graph = traced.graph
        self._outputs = list(graph.outputs)
        self._makers = {value: node for node in graph.nodes for value in node.outputs}
        self._uses = Counter(value for node in graph.nodes for value in node.inputs)
        self._uses.update(graph.outputs)
        self._gone: set[int] = set()
        # For the numbers of the places, the items that are new.
        self.after: dict[int, tuple[tree.Structure, tuple[Leaf, ...]]] = {}

    def look(self, place: int, items: ItemType, leaves: Sequence[int]) -> None:
        """Note a place if it is one: the numbers of its leaves are given."""
        structure, after = self._traced.outer_after[place]
        if not structure.is_leaf() or items.shape.mixed:
            return
        leaf = after[0]
        if type(leaf) is not Output:
            return
        whole = self._makers.get(self._graph.outputs[leaf.index])
        if whole is None or whole.op.name != "list_zip" or self._is_used(whole):
            return
        if len(whole.inputs) != len(leaves):
            return  # it has come to hold items of another kind
        at = [self._traced.inputs.index(number) for number in leaves]
        chains = [
            self._chain(value, self._graph.inputs[i])
            for i, value in zip(at, whole.inputs, strict=True)
        ]
        if any(chain is None for chain in chains):
            return
        news = [chain for chain in chains if chain is not None]
        self._gone.update(at)
        # What was the whole list is nothing that anybody wants.
        self._outputs[leaf.index] = news[0][0]
        first, *rows = zip(*news, strict=True)
        row = [leaf.index, *self._as_outputs(first[1:])]
        self.after[place] = self._items(items, [row, *map(self._as_outputs, rows)])

    def _is_used(self, node: Node) -> bool:
        return any(self._uses[value] > 1 for value in node.outputs)

    def _chain(self, value: Value, first: Value) -> list[Value] | None:
        """What is appended to `first` to make `value`, if nothing else is done."""
        found = list(self._appended(value))
        start = found.pop()
        is_all = start is first and bool(found) and self._uses[first] == 1
        return found[::-1] if is_all else None

    def _appended(self, value: Value) -> Iterator[Value]:
        """The appended items, the last one first; then what they were appended to."""
        node = self._makers.get(value)
        while node is not None and node.op.name == "list_append":
            before, item = node.inputs
            if self._uses[value] > 1 or item in self._graph.inputs:
                break
            yield item
            value, node = before, self._makers.get(before)
        yield value

    def _as_outputs(self, values: Sequence[Value]) -> list[int]:
        self._outputs += values
        return [*range(len(self._outputs) - len(values), len(self._outputs))]

    def _items(
        self, items: ItemType, rows: Sequence[Sequence[int]]
    ) -> tuple[tree.Structure, tuple[Leaf, ...]]:
        """A list of the items, with the outputs of which each is made."""
        shape, leaves = items.shape, list[Leaf]()
        for row in rows:
            parts = iter(row)
            leaves += [
                Output(next(parts)) if fixed is None else Constant(fixed.content)
                for fixed in shape.fixed
            ]
        one = shape.whole(map(_Part, range(len(shape.fixed))))
        return tree.flatten([one] * len(rows))[1], tuple(leaves)

    def traced(self) -> Traced:
        """The trace without the lists."""
        graph, traced = self._graph, self._traced
        kept = [i for i in range(len(graph.inputs)) if i not in self._gone]
        after = [
            self.after.get(place, one) for place, one in enumerate(traced.outer_after)
        ]
        pruned = prune(replace(graph, outputs=tuple(self._outputs)))
        return replace(
            traced,
            graph=_with_inputs(pruned, kept),
            inputs=tuple(traced.inputs[i] for i in kept),
            outer_after=tuple(after),
        )


class _Part:
    """Stands for a number in an item."""

    def __init__(self, number: int) -> None:
        self.number = number


def _with_inputs(graph: Graph, kept: Sequence[int]) -> Graph:
    return replace(graph, inputs=tuple(graph.inputs[i] for i in kept))
