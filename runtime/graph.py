"""Graph, Node, Value: a closed program that is frozen once built.

A graph has inputs, nodes in program order, and outputs; nothing else is in scope, so
a sub-graph (a branch, a loop body) receives all it needs as inputs. A pass is a
function from Graph to Graph.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from runtime.effects import FAILS_THERE, PURE, Effects, Guard, World
from runtime.location import Location
from runtime.op import Op
from runtime.spec import TensorSpec
from runtime.structs import field, struct
from runtime.text_print import print_graph

if TYPE_CHECKING:
    from runtime.independent import Part


class Value:
    """One value of one graph: an input, or an output of a node. Told by identity.

    name: the user's variable that holds it, where that is known; for pictures
    """

    __slots__ = ("name", "spec")

    def __init__(self, spec: TensorSpec) -> None:
        self.spec = spec
        self.name = ""

    def __repr__(self) -> str:
        return f"<value {self.spec!r}>"


# Of a node whose result Python puts where the next store stores it.
STORED = -1


@struct(eq=False)
class Node:
    """One use of an op: its inputs, attributes, sub-graphs and outputs.

    guards: writes to the try statements around it whose handlers see it fail; that it
            fails there, used or not
    into:   the input whose array Python gives the result to at once, as `x += y` does;
            STORED for what is stored next, as `np.add(x, y, out=z)` gives it to z
    """

    op: Op
    inputs: tuple[Value, ...]
    attributes: Mapping[str, Any]
    outputs: tuple[Value, ...]
    graphs: tuple[Graph, ...] = ()
    location: Location | None = None
    guards: Effects = PURE
    into: int | None = None
    effects: Effects = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "effects", self.find_effects())

    def find_effects(self) -> Effects:
        """What the op does, what the sub-graphs do, and that it may fail in a try.

        Failing is no effect outside of the try statement that sees it.
        """
        effects = self.op.effects_of(self.attributes)
        for graph in self.graphs:
            effects |= graph.effects
        own = self.attributes.get("guard") if self.graphs else None
        if own is not None:
            effects = frozenset(e for e in effects if e.what is not own)
        return effects | self.guards

    @property
    def in_try(self) -> bool:
        """Whether a handler of a try statement may see it fail."""
        return bool(self.guards - FAILS_THERE)

    @property
    def captures(self) -> tuple[Value, ...]:
        """The inputs that the sub-graphs only read; none without sub-graphs."""
        if not self.graphs:
            return ()
        own = len(self.inputs) - len(self.graphs[0].inputs)
        return self.inputs[max(own, self.attributes.get("carried", 0)) :]

    def __repr__(self) -> str:
        """`<Node add: float64[2], float64[] -> float64[2] at model.py:12>`."""
        place = f" at {self.location}" if self.location else ""
        specs = f"{_specs(self.inputs)} -> {_specs(self.outputs)}"
        return f"<Node {self.op.name}: {specs}{place}>"


@struct(eq=False)
class Graph:
    """A closed, immutable program: inputs -> nodes in order -> outputs.

    input_names: what the user calls the inputs, for pictures; the text says other names
    """

    name: str
    inputs: tuple[Value, ...]
    nodes: tuple[Node, ...]
    outputs: tuple[Value, ...]
    input_names: tuple[str, ...] = ()

    @property
    def effects(self) -> Effects:
        """The union of the nodes' effects."""
        found: Effects = frozenset()
        for node in self.nodes:
            found |= node.effects
        return found

    @property
    def captures(self) -> tuple[Any, ...]:
        """What is not passed: the user's arrays, Variables and generators, in order.

        Those that it reads or writes at any depth, each once.
        """
        found: dict[int, Any] = {}
        for node in self.walk():
            if node.attributes.get("shared") is True:
                found.setdefault(id(node.attributes["value"]), node.attributes["value"])
            for effect in node.effects:
                if not isinstance(effect.what, (World, Guard)):
                    found.setdefault(id(effect.what), effect.what)
        return tuple(found.values())

    def walk(self) -> Iterator[Node]:
        """Every node at every depth, in program order."""
        for node in self.nodes:
            yield node
            for graph in node.graphs:
                yield from graph.walk()

    def __repr__(self) -> str:
        """`<Graph f: float64[2], float64[] -> float64[2], 3 nodes>`; `str` is all."""
        specs = f"{_specs(self.inputs)} -> {_specs(self.outputs)}"
        count = sum(1 for _ in self.walk())
        nodes = "1 node" if count == 1 else f"{count} nodes"
        return f"<Graph {self.name}: {specs}, {nodes}>"

    def __str__(self) -> str:
        return print_graph(self)

    def independent_parts(self) -> tuple[Part, ...]:
        """What could run at the same time: parts, each with those it comes after."""
        from runtime.independent import independent_parts

        return independent_parts(self)

    def to_dot(self) -> str:
        """The graph in DOT, the language of Graphviz.

        >>> from runtime.text import parse
        >>> text = parse("graph f(x: int64[n]) { return x }").to_dot()
        >>> print(text.splitlines()[0])
        digraph "f" {
        """
        from runtime.view.dot import to_dot

        return to_dot(self)

    def to_svg(self) -> str:
        """A picture of the graph: a whole SVG file."""
        from runtime.view.svg import to_svg

        return to_svg(self)

    def to_html(self) -> str:
        """A page to walk about in the graph: a whole HTML file, without network."""
        from runtime.view.html import to_html

        return to_html(self)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        """For notebooks: the picture, and the text for who shows no pictures."""
        from runtime.view.svg import mimebundle

        return mimebundle(self, str(self))


def _specs(values: tuple[Value, ...]) -> str:
    return ", ".join(repr(value.spec) for value in values) or "()"
