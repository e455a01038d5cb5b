"""TensorBoard: graphs as its GraphDef, which it draws and lets one walk about in.

A loop or a branch is a group with a node for each of its graphs, which are functions of
the library; TensorBoard opens them in place. What a called function did is a group of
its name. Shapes are said on the edges, and each node tells its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from runtime.graph import Graph, Node, Value
from runtime.independent import Order
from runtime.spec import TensorSpec
from runtime.text_print import Printer, spec_text
from runtime.view.protobuf import entry, integer, sized
from runtime.view.scene import seen
from runtime.view.titles import shortened

# numpy's name of a dtype -> the number that GraphDef has for it
DTYPES = {
    "float32": 1,
    "float64": 2,
    "int32": 3,
    "uint8": 4,
    "int16": 5,
    "int8": 6,
    "complex64": 8,
    "int64": 9,
    "bool": 10,
    "uint16": 17,
    "complex128": 18,
    "float16": 19,
    "uint32": 22,
    "uint64": 23,
}
OPS = {"constant": "Const"}  # other names are ours
MOST = 200  # characters of an attribute


def graph_def(graphs: Sequence[Graph]) -> bytes:
    """One GraphDef of several graphs, each in a group of its name if there are some."""
    writer = _Writer()
    nodes: list[bytes] = []
    taken: dict[str, int] = {}
    for graph in graphs:
        scope = _unique(_plain(graph.name), taken) + "/" if len(graphs) > 1 else ""
        nodes += writer.nodes(graph, _plain(graph.name), scope, graph.input_names)
    library = b"".join(sized(1, function) for function in writer.functions)
    versions = integer(1, 1)  # producer
    written = b"".join(sized(1, node) for node in nodes)
    return written + sized(2, library) + sized(4, versions)


class _Writer:
    """The functions of the library so far, with the names taken."""

    def __init__(self) -> None:
        self.functions: list[bytes] = []
        self._taken: dict[str, int] = {}
        self._printer = Printer({})

    def nodes(
        self, graph: Graph, name: str, scope: str, inputs: Sequence[str]
    ) -> Iterator[bytes]:
        """The nodes of a graph outside of functions: its inputs are nodes, too."""
        taken: dict[str, int] = {}
        places: dict[Value, str] = {}
        for value, given in zip(
            graph.inputs, inputs or ("",) * len(graph.inputs), strict=True
        ):
            place = scope + _unique(_plain(given) or "input", taken)
            places[value] = place
            yield _node(place, "Placeholder", (), {"_output_shapes": _shapes([value])})
        yield from self._inside(graph, name, scope, places, taken, "{}:{}")
        ends = [places[value] for value in graph.outputs]
        yield _node(scope + _unique("return", taken), "return", ends, {})

    def _inside(
        self,
        graph: Graph,
        name: str,
        scope: str,
        places: dict[Value, str],
        taken: dict[str, int],
        form: str,
    ) -> Iterator[bytes]:
        order = Order()
        done: list[str] = []
        for at, node in enumerate(graph.nodes):
            calls = node.location.calls if node.location else ()
            group = "".join(f"{_plain(call.function)}/" for call in calls)
            own = scope + group + _unique(group + node.op.name, taken)[len(group) :]
            reads = [places[value] for value in node.inputs]
            reads += [
                f"^{done[before]}" for before in order.after(at, seen(node.effects))
            ]
            yield from self._held(node, name, own, reads)
            place = f"{own}/{node.op.name}" if node.graphs else own
            done.append(place)
            for port, value in enumerate(node.outputs):
                places[value] = form.format(place, port)

    def _held(
        self, node: Node, name: str, own: str, reads: list[str]
    ) -> Iterator[bytes]:
        """A node, and one for each graph in it, of which there is a function."""
        if not node.graphs:
            op = OPS.get(node.op.name, node.op.name)
            yield _node(own, op, reads, self._attributes(node))
            return
        data = [read for read in reads if not read.startswith("^")]
        parts = []
        for role, graph in zip(node.op.graphs, node.graphs, strict=True):
            function = self.function(graph, f"{name}_{node.op.name}_{role}")
            given = data[len(data) - len(graph.inputs) :]
            parts.append(f"{own}/{role}")
            yield _node(f"{own}/{role}", function, given, {})
        place = f"{own}/{node.op.name}"
        yield _node(place, node.op.name, [*reads, *parts], self._attributes(node))

    def function(self, graph: Graph, name: str) -> str:
        """Enter a function of the library; returns the name it got."""
        name = _unique(name, self._taken)
        arguments = [f"arg{at}" for at in range(len(graph.inputs))]
        places = dict(zip(graph.inputs, arguments, strict=True))
        nodes = list(self._inside(graph, name, "", places, {}, "{}:output:{}"))
        results = [f"result{at}" for at in range(len(graph.outputs))]
        signature = sized(1, name)
        for field, names, values in (
            (2, arguments, graph.inputs),
            (3, results, graph.outputs),
        ):
            for argument, value in zip(names, values, strict=True):
                kind = integer(3, _dtype(value.spec))
                signature += sized(field, sized(1, argument) + kind)
        ends = [
            sized(4, sized(1, result) + sized(2, places[value]))
            for result, value in zip(results, graph.outputs, strict=True)
        ]
        body = [sized(3, node) for node in nodes]
        self.functions.append(sized(1, signature) + b"".join(chain(body, ends)))
        return name

    def _attributes(self, node: Node) -> dict[str, bytes]:
        found = {"_output_shapes": _shapes(node.outputs)} if node.outputs else {}
        specs = ", ".join(spec_text(value.spec) for value in node.outputs)
        found["specs"] = _text(specs)
        for name, content in node.attributes.items():
            text = self._printer.literal(content)
            found[name] = _text(shortened(text, MOST))
        if node.location is not None:
            found["source"] = _text(f"{node.location}: {node.location.source}")
        return found


def _node(
    name: str, op: str, inputs: Sequence[str], attributes: Mapping[str, bytes]
) -> bytes:
    # Control inputs stand after the others.
    ordered = sorted(inputs, key=lambda place: place.startswith("^"))
    return (
        sized(1, name)
        + sized(2, op)
        + b"".join(sized(3, _short(place)) for place in ordered)
        + b"".join(entry(5, key, value) for key, value in attributes.items())
    )


def _short(place: str) -> str:
    return place.removesuffix(":0") if ":output:" not in place else place


def _text(text: str) -> bytes:
    return sized(2, text)


def _shapes(values: Sequence[Value]) -> bytes:
    return sized(1, b"".join(sized(7, _shape(value.spec)) for value in values))


def _shape(spec: TensorSpec) -> bytes:
    if spec.shape is None:
        return integer(3, 1)
    sizes = (dim if isinstance(dim, int) else -1 for dim in spec.shape)
    return b"".join(sized(2, integer(1, size)) for size in sizes)


def _dtype(spec: TensorSpec) -> int:
    return DTYPES.get(spec.dtype.name, 0) if spec.dtype is not None else 0


def _plain(name: str) -> str:
    """A name as GraphDef takes it: letters, digits, and what stands between them."""
    return re.sub(r"[^A-Za-z0-9_.\-]", "_", name).lstrip("_-.") if name else ""


def _unique(name: str, taken: dict[str, int]) -> str:
    count = taken.get(name, 0)
    taken[name] = count + 1
    return f"{name}_{count}" if count else name
