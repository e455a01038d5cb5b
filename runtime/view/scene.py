"""The scene: what is drawn of a graph, as items on levels, before it has a place.

A level is one graph: its inputs, its nodes and its `return`. An item of a loop, a
branch or a called function holds levels of its own, and no edge leaves a level, as
graphs are closed. Short constants are written where they are used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from runtime.effects import Effects, Guard
from runtime.graph import Graph, Node, Value
from runtime.independent import Order
from runtime.location import Location
from runtime.structs import field, struct
from runtime.text_print import Printer, spec_text, word
from runtime.view.naming import Names
from runtime.view.titles import constant_text, shortened, title

TITLE, CELL = 46, 40  # most characters of a box's lines
ROLES = {"orelse": "else"}


@struct(frozen=False)
class Item:
    """A box.

    kind:   "input", "op", "constant", "effect", "group", "return" or "reference"
    title:  its first line; what does not fit is in `full`
    cells:  for each value that leaves it, its name and spec
    levels: the graphs inside of it
    node:   what it stands for; None for inputs, returns and called functions
    note:   said at the right end of the first line, before the line's number
    """

    kind: str
    title: str
    cells: tuple[str, ...] = ()
    levels: tuple[Level, ...] = ()
    location: Location | None = None
    full: str = ""
    node: Node | None = None
    note: str = ""

    @property
    def margin(self) -> str:
        """What stands at the right end of the first line."""
        line = str(self.location.line) if self.location else ""
        return "  ".join(filter(None, (self.note, line)))


@struct
class Edge:
    """A value on its way: from the cell `port` of an item to another item."""

    source: int
    port: int
    target: int
    label: str


@struct(frozen=False)
class Level:
    """One graph: its items in program order, the values' ways, and the order kept.

    orders: pairs of items, the first of which has to run before the second
    """

    title: str
    items: list[Item] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    orders: list[tuple[int, int]] = field(default_factory=list)


def scene(graph: Graph, notes: Mapping[Node, str] | None = None) -> Level:
    """What is drawn of `graph`; notes: what else is said of a node, at any depth."""
    names = graph.input_names or ("",) * len(graph.inputs)
    return _Builder(notes or {}).whole(graph, names)


@struct(frozen=False)
class _Part:
    """A node, or a called function: a run of nodes that one call has made."""

    name: str
    nodes: tuple[Node, ...]
    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]
    location: Location | None
    called: bool = False

    @property
    def effects(self) -> Effects:
        """What the nodes do."""
        return frozenset().union(*(node.effects for node in self.nodes))


class _Builder:
    """The names given so far; the texts of constants, by the value that holds them."""

    def __init__(self, notes: Mapping[Node, str]) -> None:
        self.notes = notes
        self.printer = Printer({})
        self.names = Names()

    def whole(self, graph: Graph, inputs: Sequence[str]) -> Level:
        names = {
            value: self.names.fresh(name)
            for value, name in zip(graph.inputs, inputs, strict=True)
        }
        return self.level(word(graph.name), graph, names, {}, calls=0, is_whole=True)

    def level(
        self,
        head: str,
        graph: Graph,
        names: dict[Value, str],
        constants: dict[Value, str],
        calls: int,
        is_whole: bool = False,
    ) -> Level:
        level = Level(head)
        used = {value for node in graph.nodes for value in node.inputs}
        used.update(graph.outputs)
        places: dict[Value, tuple[int, int]] = {}
        for value in dict.fromkeys(graph.inputs):
            if (is_whole or value in used) and value not in constants:
                places[value] = (len(level.items), 0)
                cell = _cell(names[value], value)
                level.items.append(Item("input", "", (cell,)))
        order = Order()
        for part in parts(graph, calls):
            text = self._inline(part)
            if text is not None:
                constants[part.outputs[0]] = names[part.outputs[0]] = text
                continue
            item = self.item(part, names, constants, calls)
            at = len(level.items)
            _connect(level, at, part.inputs, places, names, constants)
            level.orders += [
                (before, at) for before in order.after(at, seen(part.effects))
            ]
            places |= {value: (at, port) for port, value in enumerate(part.outputs)}
            level.items.append(item)
        if graph.outputs or is_whole:
            returned = ", ".join(names[value] for value in graph.outputs)
            text = f"return {returned}".rstrip()
            at = len(level.items)
            _connect(level, at, graph.outputs, places, names, constants)
            level.items.append(Item("return", shortened(text, TITLE), full=text))
        return level

    # Items.

    def _inline(self, part: _Part) -> str | None:
        """The text of a constant that is written where it is used."""
        node = part.nodes[0]
        if part.called or node.op.name != "constant" or node.attributes.get("shared"):
            return None
        return constant_text(node.attributes["value"], self.printer)

    def item(
        self,
        part: _Part,
        names: dict[Value, str],
        constants: dict[Value, str],
        calls: int,
    ) -> Item:
        """The box of a part; names what comes out of it."""
        if part.called:
            inside = Graph(part.name, part.inputs, part.nodes, part.outputs)
            # The same values inside and outside, so the same names.
            levels: tuple[Level, ...] = (
                self.level("", inside, names, constants, calls + 1),
            )
            cells = tuple(_cell(names[value], value) for value in part.outputs)
            return _item("group", part.name, cells, levels, part)
        (node,) = part.nodes
        own = self._sub_inputs(node, names, constants)
        levels = self._levels(node, own)
        reads = [names[value] for value in node.inputs]
        for value, name in zip(node.outputs, self.names.wanted(node), strict=True):
            names[value] = self.names.fresh(name)
        cells = tuple(_cell(names[value], value) for value in node.outputs)
        said = title(node, _with_graphs(node, reads, own), self.printer)
        item = _item(_kind(node), said, cells, levels, part, self._full(node, said))
        item.note = self.notes.get(node, "")
        return item

    def _full(self, node: Node, said: str) -> str:
        attributes = self.printer.attributes(node)
        return f"{said}\n{shortened(attributes, 400)}" if attributes else said

    def _levels(self, node: Node, own: list[tuple[str, bool]]) -> tuple[Level, ...]:
        found = []
        calls = len(node.location.calls) if node.location else 0
        for role, graph in zip(node.op.graphs, node.graphs, strict=True):
            start = len(own) - len(graph.inputs)
            inner, inside = dict[Value, str](), dict[Value, str]()
            for value, (name, constant) in zip(graph.inputs, own[start:], strict=True):
                inner[value] = name
                if constant:
                    inside[value] = name
            head = ROLES.get(role, role)
            if graph.name != role:
                head += f" {word(graph.name)}"
            found.append(self.level(head, graph, inner, inside, calls))
        return tuple(found)

    def _sub_inputs(
        self, node: Node, names: Mapping[Value, str], constants: Mapping[Value, str]
    ) -> list[tuple[str, bool]]:
        """For each input its name inside, and whether that is a constant's text."""
        carried = node.attributes.get("carried", 0)
        # A loop hands on what it gives; a recursion takes and gives other things.
        loops = node.op.name == "while"
        after = self.names.wanted(node) if loops else [""] * carried
        taken: set[str] = set()
        found = []
        for position, value in enumerate(node.inputs):
            name = names[value]
            constant = position >= carried and value in constants
            if position < carried:
                name = self.names.fresh(after[position])
            elif name in taken and not constant:
                name = self.names.fresh("")
            taken.add(name)
            found.append((name, constant))
        return found


def _item(
    kind: str,
    said: str,
    cells: tuple[str, ...],
    levels: tuple[Level, ...],
    part: _Part,
    full: str = "",
) -> Item:
    node = None if part.called else part.nodes[0]
    cells = tuple(shortened(cell, CELL) for cell in cells)
    short = shortened(said, TITLE)
    return Item(kind, short, cells, levels, part.location, full or said, node)


def _with_graphs(
    node: Node, reads: list[str], own: list[tuple[str, bool]]
) -> list[str]:
    """What stands in a title: not the captures, and what is carried with both names."""
    if not node.graphs:
        return reads
    first = len(reads) - len(node.graphs[0].inputs)
    carried = node.attributes.get("carried", 0)
    pairs = zip(own[first:carried], reads[first:carried], strict=True)
    return reads[:first] + [f"{inner}={outer}" for (inner, _), outer in pairs]


def _kind(node: Node) -> str:
    if node.graphs:
        return "group"
    if node.op.name == "constant":
        return "constant"
    return "effect" if seen(node.effects) else "op"


def _cell(name: str, value: Value) -> str:
    return f"{name}: {spec_text(value.spec)}"


def _connect(
    level: Level,
    at: int,
    inputs: Sequence[Value],
    places: Mapping[Value, tuple[int, int]],
    names: Mapping[Value, str],
    constants: Mapping[Value, str],
) -> None:
    for value in dict.fromkeys(inputs):
        if value not in constants:
            source, port = places[value]
            level.edges.append(Edge(source, port, at, _cell(names[value], value)))


# Calls and order.


def parts(graph: Graph, calls: int) -> Iterator[_Part]:
    """The nodes of a graph, those of one call of a function together.

    calls: how many of the open calls are outside of the graph
    """
    run: list[Node] = []
    for node in graph.nodes:
        if node.op.name == "constant":
            # It needs nothing, so it may stand before any call.
            yield _alone(node)
            continue
        if run and _call(run[0], calls) is not _call(node, calls):
            yield from _together(graph, run, calls)
            run = []
        run.append(node)
    yield from _together(graph, run, calls)


def _together(graph: Graph, run: list[Node], calls: int) -> Iterator[_Part]:
    if len(run) > 1 and _call(run[0], calls) is not None:
        yield _called(graph, run, calls)
    else:
        yield from map(_alone, run)


def _alone(node: Node) -> _Part:
    return _Part("", (node,), node.inputs, node.outputs, node.location)


def _call(node: Node, calls: int) -> Any:
    """The call inside of the graph that has made the node, or None."""
    open_calls = node.location.calls if node.location else ()
    return open_calls[calls] if len(open_calls) > calls else None


def _called(graph: Graph, run: list[Node], calls: int) -> _Part:
    call = _call(run[0], calls)
    made = dict.fromkeys(value for node in run for value in node.outputs)
    read = dict.fromkeys(value for node in run for value in node.inputs)
    inside = set(run)
    others = {v for node in graph.nodes if node not in inside for v in node.inputs}
    others.update(graph.outputs)
    return _Part(
        call.function,
        tuple(run),
        tuple(value for value in read if value not in made),
        tuple(value for value in made if value in others),
        call.location,
        called=True,
    )


def seen(effects: Effects) -> Effects:
    """The effects that are drawn: guards tie nearly all in a try to all."""
    return frozenset(e for e in effects if not isinstance(e.what, Guard))
