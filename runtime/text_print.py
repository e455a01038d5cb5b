"""Printing a graph as text that `runtime.text.parse` reads back, one node per line.

Values are named a, b, c, ... over the whole text; a capture keeps the name that it has
outside. What has no literal (functions, Variables, the user's own arrays) is printed as
`@name`, and the table of these names is given back through `objects`.
"""

from __future__ import annotations

import base64
import keyword
import math
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from runtime.library_spec import LibrarySpec
from runtime.records import STRUCTURES
from runtime.shapes import Dim
from runtime.spec import ListSpec, ObjectSpec, TensorSpec
from runtime.table_spec import TableSpec
from runtime.tuple_spec import TupleSpec

if TYPE_CHECKING:
    from runtime.graph import Graph, Node, Value

SMALL = 32  # elements; larger arrays are printed in base64
RESERVED = {*keyword.kwlist, "graph", "nan", "inf"}

_WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9.]*\Z")
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z_0-9]*\Z")


def print_graph(
    graph: Graph, objects: dict[str, Any] | None = None, colour: bool = False
) -> str:
    """The text of `graph`.

    objects: filled with what the text names `@name`; give it to `parse`
    colour:  with the escape sequences of a terminal
    """
    printer = Printer({} if objects is None else objects)
    names = [printer.fresh() for _ in graph.inputs]
    text = "\n".join(printer.graph_lines("graph " + word(graph.name), graph, names, ""))
    return coloured(text) if colour else text


class Printer:
    """The names given so far: of values by counting, of objects in a table."""

    def __init__(self, objects: dict[str, Any]) -> None:
        self.objects = objects
        self._object_names = {id(known): name for name, known in objects.items()}
        self._names = value_names()

    def fresh(self) -> str:
        return next(self._names)

    def graph_lines(
        self, head: str, graph: Graph, inputs: list[str], indent: str
    ) -> Iterator[str]:
        names = dict(zip(graph.inputs, inputs, strict=True))
        brought = ", ".join(_typed(names, value) for value in graph.inputs)
        yield f"{indent}{head}({brought}) {{"
        for node in graph.nodes:
            yield from self.node_lines(node, names, indent + "  ")
        returned = ", ".join(names[value] for value in graph.outputs)
        yield f"{indent}  return {returned}".rstrip()
        yield indent + "}"

    def node_lines(
        self, node: Node, names: dict[Value, str], indent: str
    ) -> Iterator[str]:
        for value in node.outputs:
            names[value] = self.fresh()
        outputs = ", ".join(_typed(names, value) for value in node.outputs)
        call = node.op.name + self.attributes(node)
        call += "(" + ", ".join(names[value] for value in node.inputs) + ")"
        if node.guards:
            # Which try statements see it fail.
            seen_by = sorted((e.what for e in node.guards), key=self.object_name)
            call += f" ? {self.literal(tuple(seen_by))}"
        line = f"{indent}{outputs} = {call}" if outputs else indent + call
        if not node.graphs:
            yield line
            return
        yield line + " {"
        inputs = self.sub_inputs(node, names)
        for role, graph in zip(node.op.graphs, node.graphs, strict=True):
            head = role if graph.name == role else f"{role} {word(graph.name)}"
            named = inputs[len(inputs) - len(graph.inputs) :]
            yield from self.graph_lines(head, graph, named, indent + "  ")
        yield indent + "}"

    def sub_inputs(self, node: Node, names: dict[Value, str]) -> list[str]:
        """Names for a sub-graph's inputs, aligned to the end of the node's inputs.

        Carried values change, so they get names of their own; captures keep theirs.
        """
        carried = node.attributes.get("carried", 0)
        taken: set[str] = set()
        inputs = []
        for position, value in enumerate(node.inputs):
            name = names[value]
            if position < carried or name in taken:
                name = self.fresh()
            taken.add(name)
            inputs.append(name)
        return inputs

    def attributes(self, node: Node) -> str:
        if not node.attributes:
            return ""
        # A shared array is the user's: what counts is which one it is.
        shared = node.attributes.get("shared") is True
        pairs = []
        for name, content in node.attributes.items():
            by_name = shared and name == "value"
            text = self.object_name(content) if by_name else self.literal(content)
            pairs.append(f"{name}={text}")
        return "[" + ", ".join(pairs) + "]"

    def literal(self, content: Any) -> str:
        write = _LITERALS.get(type(content))
        if write is not None:
            return write(content)
        nested = self._NESTED.get(type(content))
        if nested is not None:
            return nested(self, content)
        if isinstance(content, np.dtype):
            return f"dtype({dtype_text(content)})"
        if isinstance(content, np.generic):
            return _scalar_text(content)
        if STRUCTURES.get(type(content).__name__) is type(content):
            return self._structure(content)
        return self.object_name(content)

    def object_name(self, content: Any) -> str:
        name = self._object_names.get(id(content))
        if name is None:
            plain = getattr(content, "__name__", None) or type(content).__name__
            stem = re.sub(r"\W", "_", str(plain))
            name, count = stem, 1
            while name in self.objects:
                count += 1
                name = f"{stem}_{count}"
            self.objects[name] = content
            self._object_names[id(content)] = name
        return "@" + name

    def _sequence(self, items: Any) -> str:
        return ", ".join(self.literal(item) for item in items)

    def _tuple(self, items: tuple[Any, ...]) -> str:
        return (
            f"({self.literal(items[0])},)"
            if len(items) == 1
            else (f"({self._sequence(items)})")
        )

    def _list(self, items: list[Any]) -> str:
        return f"[{self._sequence(items)}]"

    def _dict(self, items: dict[Any, Any]) -> str:
        pairs = (f"{self.literal(k)}: {self.literal(v)}" for k, v in items.items())
        return "{" + ", ".join(pairs) + "}"

    def _slice(self, part: slice) -> str:
        return f"slice({self._sequence((part.start, part.stop, part.step))})"

    def _structure(self, content: Any) -> str:
        fields = type(content).__dataclass_fields__
        return (
            f"{type(content).__name__}"
            f"({self._sequence(getattr(content, name) for name in fields)})"
        )

    _NESTED: ClassVar[dict[type, Callable[[Printer, Any], str]]] = {
        tuple: _tuple,
        list: _list,
        dict: _dict,
        slice: _slice,
    }


def value_names() -> Iterator[str]:
    """a, b, ..., z, aa, ab, ...; never a word that means something else."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    names = list(letters)
    while True:
        yield from (name for name in names if name not in RESERVED)
        names = [name + letter for name in names for letter in letters]


def word(name: str) -> str:
    """A graph's name: as it is when it is one word, else quoted."""
    return name if _IDENTIFIER.match(name) and name not in RESERVED else repr(name)


def spec_text(spec: TensorSpec) -> str:
    """A spec as `repr` prints it, with what is no plain word quoted.

    Of a library's object it says that nothing is known.

    >>> spec_text(TensorSpec((2, "n"), np.float32)), spec_text(TensorSpec((), "<U5"))
    ('float32[2,n]', "'<U5'[]")
    """
    if isinstance(spec, (ObjectSpec, TableSpec)):
        return repr(spec)
    if isinstance(spec, ListSpec):
        return f"list[{spec_text(spec.item)}]"
    if isinstance(spec, TupleSpec):
        return f"tuple[{', '.join(map(spec_text, spec.parts))}]"
    if spec.shape is None:
        dims = "..."
    else:
        dims = ",".join(_dim_text(dim) for dim in spec.shape)
    return f"{'|'.join(map(_kind_text, spec.options))}[{dims}]"


def _kind_text(spec: TensorSpec) -> str:
    dtype = "?" if spec.dtype is None else dtype_text(spec.dtype)
    return f"{'~' if spec.weak else ''}{dtype}"


def dtype_text(dtype: np.dtype[Any]) -> str:
    """A dtype: its name where that is enough, else its description, quoted."""
    if dtype.isbuiltin == 1 and dtype.names is None and _IDENTIFIER.match(dtype.name):
        return dtype.name
    return repr(str(dtype))


def _dim_text(dim: Dim) -> str:
    if dim is None:
        return "?"
    if isinstance(dim, int):
        return str(dim)
    return dim if _WORD.match(dim) else repr(dim)


def _typed(names: dict[Value, str], value: Value) -> str:
    return f"{names[value]}: {spec_text(value.spec)}"


def _float_text(number: float) -> str:
    if math.isnan(number):
        return "-nan" if math.copysign(1.0, number) < 0 else "nan"
    return repr(float(number))


def _complex_text(number: complex) -> str:
    return f"complex({_float_text(number.real)}, {_float_text(number.imag)})"


def _array_text(array: np.ndarray[Any, Any]) -> str:
    dtype = dtype_text(array.dtype)
    plain = array.dtype.isbuiltin == 1 and array.dtype.char in _PLAIN
    if plain and 0 < array.size <= SMALL:
        return f"array({_nested_text(array.tolist())}, {dtype})"
    content = base64.b64encode(array.tobytes()).decode()
    return f"array({content!r}, {dtype}, {array.shape!r})"


def _nested_text(items: Any) -> str:
    if isinstance(items, list):
        return "[" + ", ".join(_nested_text(item) for item in items) + "]"
    return _LITERALS[type(items)](items)


def _scalar_text(scalar: np.generic) -> str:
    if scalar.dtype.isbuiltin == 1 and scalar.dtype.char in _PLAIN:
        return f"{scalar.dtype.name}({_nested_text(scalar.item())})"
    content = base64.b64encode(scalar.tobytes()).decode()
    return f"scalar({content!r}, {dtype_text(scalar.dtype)})"


# The dtypes whose elements are Python literals without loss.
_PLAIN = "?bhilqBHILQefdFD"
_LITERALS: dict[type, Callable[[Any], str]] = {
    type(None): repr,
    type(...): lambda _: "...",
    bool: repr,
    int: repr,
    float: _float_text,
    complex: _complex_text,
    str: repr,
    bytes: repr,
    range: repr,
    np.ndarray: _array_text,
    TensorSpec: lambda spec: f"spec({spec_text(spec)})",
    ListSpec: lambda spec: f"spec({spec_text(spec)})",
    TableSpec: lambda spec: f"spec({spec_text(spec)})",
    ObjectSpec: lambda spec: f"spec({spec_text(spec)})",
    LibrarySpec: lambda spec: f"spec({spec_text(spec)})",
}

_COLOURS = {
    "text": "\x1b[32m",
    "keyword": "\x1b[1m",
    "op": "\x1b[34m",
    "spec": "\x1b[36m",
    "object": "\x1b[35m",
}
_COLOURED = r"""
    (?P<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
    |(?P<keyword>^\s*(?:graph|return)\b|^\s*\w+(?=\s*\w*\(.*\)\ \{$))
    |(?P<op>(?<==\ )[A-Za-z_][\w.]*(?=[\[(])|^\s*[A-Za-z_][\w.]*(?=[\[(]))
    |(?P<spec>(?<=:\ )(?:list\[)*~?[\w?]+(?:\|~?\w+)*(?:\[[^\]]*\]+)?)
    |(?P<object>@\w+)"""


def coloured(text: str) -> str:
    """`text` of a graph with a terminal's colours."""

    def paint(match: re.Match[str]) -> str:
        assert match.lastgroup is not None
        return _COLOURS[match.lastgroup] + match.group() + "\x1b[0m"

    return re.sub(_COLOURED, paint, text, flags=re.VERBOSE | re.MULTILINE)
