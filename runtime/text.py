"""Reading a graph's text back: `parse(print_graph(graph))` is an equal graph.

A recursive descent over the text's words. Locations are not in the text; what it names
`@name` comes from the table of objects that the printer filled.
"""

from __future__ import annotations

import ast
import base64
import math
import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NoReturn

import numpy as np

from runtime.effects import Effect
from runtime.graph import Graph, Node, Value
from runtime.op import Op
from runtime.ops.families import op_named
from runtime.records import STRUCTURES
from runtime.spec import ListSpec, TensorSpec, of_kinds
from runtime.structs import struct
from runtime.table_spec import NAMED
from runtime.text_print import print_graph
from runtime.tuple_spec import TupleSpec

__all__ = ["ParseError", "parse", "print_graph"]

_TOKEN = re.compile(
    r"""(?P<space>[ \t\r\n]+)
    |(?P<number>-?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|nan\b|inf\b))
    |(?P<text>b?(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"))
    |(?P<object>@\w+)
    |(?P<word>[A-Za-z_][\w.]*)
    |(?P<mark>\.\.\.|[(){}\[\],:=~?|])""",
    re.VERBOSE,
)
_CONSTANTS = {"None": None, "True": True, "False": False}
_FLOATS = {"nan": math.nan, "-nan": -math.nan, "inf": math.inf, "-inf": -math.inf}


class ParseError(ValueError):
    """The text is no graph; says where."""

    def __init__(self, what: str, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}: {what}")
        self.line, self.column = line, column


@struct
class Token:
    """One word of the text."""

    kind: str
    text: str
    start: int


def parse(text: str, objects: Mapping[str, Any] | None = None) -> Graph:
    """The graph that `text` describes.

    objects: what `@name` stands for
    ParseError: it is not the text of a graph, or names what is not known

    >>> print(parse("graph f(x: int64[n]) { return x }"))
    graph f(a: int64[n]) {
      return a
    }
    """
    parser = _Parser(text, objects or {})
    parser.word("graph")
    graph = parser.graph(parser.name())
    parser.expect("end")
    return graph


class _Parser:
    """The tokens, and the position among them."""

    def __init__(self, text: str, objects: Mapping[str, Any]) -> None:
        self.text = text
        self.objects = objects
        self.tokens = self._tokens()
        self.position = 0

    def _tokens(self) -> list[Token]:
        tokens, start = [], 0
        while start < len(self.text):
            match = _TOKEN.match(self.text, start)
            if match is None:
                self._fail(f"{self.text[start]!r} has no meaning here", start)
            assert match.lastgroup is not None
            if match.lastgroup != "space":
                tokens.append(Token(match.lastgroup, match.group(), start))
            start = match.end()
        tokens.append(Token("end", "", len(self.text)))
        return tokens

    def _fail(self, what: str, start: int) -> NoReturn:
        line = self.text.count("\n", 0, start) + 1
        column = start - (self.text.rfind("\n", 0, start) + 1) + 1
        raise ParseError(what, line, column)

    def fail(self, what: str, token: Token | None = None) -> NoReturn:
        self._fail(what, (token or self.next).start)

    # Words.

    @property
    def next(self) -> Token:
        return self.tokens[self.position]

    def take(self) -> Token:
        token = self.tokens[self.position]
        self.position += token.kind != "end"
        return token

    def at(self, mark: str) -> bool:
        return self.next.kind == "mark" and self.next.text == mark

    def accept(self, mark: str) -> bool:
        if self.at(mark):
            self.position += 1
            return True
        return False

    def mark(self, mark: str) -> None:
        if not self.accept(mark):
            self.fail(f"expected {mark!r}, found {self._found()}")

    def expect(self, kind: str) -> Token:
        if self.next.kind != kind:
            named = {"end": "the end of the text", "word": "a name"}.get(kind, kind)
            self.fail(f"expected {named}, found {self._found()}")
        return self.take()

    def word(self, word: str) -> None:
        if self.next.kind != "word" or self.next.text != word:
            self.fail(f"expected {word!r}, found {self._found()}")
        self.take()

    def _found(self) -> str:
        return repr(self.next.text) if self.next.text else "the end of the text"

    def name(self) -> str:
        if self.next.kind == "text":
            return str(ast.literal_eval(self.take().text))
        return self.expect("word").text

    def listed(self, close: str, item: Callable[[], Any]) -> list[Any]:
        """`item, item, ...` up to and including `close`; a last comma may stand."""
        found = []
        while not self.accept(close):
            found.append(item())
            if not self.at(close):
                self.mark(",")
        return found

    # Graphs.

    def graph(self, name: str) -> Graph:
        values: dict[str, Value] = {}
        self.mark("(")
        inputs = self.listed(")", lambda: self.define(values, *self.typed()))
        self.mark("{")
        nodes = []
        while not (self.next.kind == "word" and self.next.text == "return"):
            nodes.append(self.node(values))
        self.take()
        outputs = self.listed("}", lambda: self.use(values))
        return Graph(name, tuple(inputs), tuple(nodes), tuple(outputs))

    def typed(self) -> tuple[Token, TensorSpec]:
        token = self.expect("word")
        self.mark(":")
        return token, self.spec()

    def define(self, values: dict[str, Value], token: Token, spec: TensorSpec) -> Value:
        if token.text in values:
            self.fail(f"{token.text!r} is defined twice", token)
        value = values[token.text] = Value(spec)
        return value

    def use(self, values: dict[str, Value]) -> Value:
        token = self.expect("word")
        if token.text not in values:
            self.fail(f"{token.text!r} is not defined here", token)
        return values[token.text]

    def node(self, values: dict[str, Value]) -> Node:
        typed = []
        following = self.tokens[self.position + 1 :][:1]
        if following and following[0].text == ":":
            typed.append(self.typed())
            while self.accept(","):
                typed.append(self.typed())
            self.mark("=")
        op = self.op()
        attributes: dict[str, Any] = {}
        if self.accept("["):
            attributes = dict(self.listed("]", self.attribute))
        self.mark("(")
        inputs = self.listed(")", lambda: self.use(values))
        guards = self.literal() if self.accept("?") else ()
        graphs = self.graphs(op)
        outputs = tuple(self.define(values, token, spec) for token, spec in typed)
        effects = frozenset(Effect("write", guard) for guard in guards)
        return Node(op, tuple(inputs), attributes, outputs, graphs, None, effects)

    def op(self) -> Op:
        token = self.expect("word")
        op = op_named(token.text)
        return op or self.fail(f"there is no op called {token.text!r}", token)

    def graphs(self, op: Op) -> tuple[Graph, ...]:
        if not op.graphs:
            return ()
        self.mark("{")
        found = []
        for role in op.graphs:
            self.word(role)
            found.append(self.graph(role if self.at("(") else self.name()))
        self.mark("}")
        return tuple(found)

    def spec(self) -> TensorSpec:
        if self.next.kind == "word" and self.next.text in ("list", "tuple"):
            token = self.take()
            self.mark("[")
            parts = tuple(self.listed("]", self.spec))
            if token.text == "tuple":
                return TupleSpec(parts)
            if len(parts) != 1:
                self.fail("a list has items of one spec", token)
            return ListSpec(*parts)
        if self.next.text in NAMED:
            return NAMED[self.take().text]
        kinds: list[Any] = []
        while not kinds or self.accept("|"):
            weak = self.accept("~")
            kinds.append((None if self.accept("?") else self.dtype(), weak))
        self.mark("[")
        shape = None if self.accept("...") else tuple(self.listed("]", self.dim))
        if shape is None:
            self.mark("]")
        return of_kinds(shape, kinds) if kinds[1:] else TensorSpec(shape, *kinds[0])

    def dim(self) -> int | str | None:
        if self.accept("?"):
            return None
        if self.next.kind == "number" and self.next.text.isdecimal():
            return int(self.take().text)
        return self.name()

    def dtype(self) -> np.dtype[Any]:
        token = self.next
        name = self.name()
        try:
            described = name.startswith(("[", "{"))
            return np.dtype(ast.literal_eval(name) if described else name)
        except (TypeError, ValueError, SyntaxError):
            self.fail(f"there is no dtype called {name!r}", token)

    # Attributes.

    def attribute(self) -> tuple[str, Any]:
        name = self.expect("word").text
        self.mark("=")
        return name, self.literal()

    def literal(self) -> Any:
        token = self.take()
        read = self._LITERALS.get(token.kind)
        if read is None:
            self.fail(f"expected a value, found {token.text!r}", token)
        return read(self, token)

    def _number(self, token: Token) -> Any:
        if token.text in _FLOATS:
            return _FLOATS[token.text]
        return ast.literal_eval(token.text)

    def _text(self, token: Token) -> Any:
        return ast.literal_eval(token.text)

    def _object(self, token: Token) -> Any:
        name = token.text[1:]
        if name not in self.objects:
            self.fail(f"{token.text} is not among the objects given", token)
        return self.objects[name]

    def _mark(self, token: Token) -> Any:
        if token.text == "...":
            return ...
        if token.text == "[":
            return self.listed("]", self.literal)
        if token.text == "{":
            return dict(self.listed("}", self._pair))
        if token.text == "(":
            return tuple(self.listed(")", self.literal))
        self.fail(f"expected a value, found {token.text!r}", token)

    def _pair(self) -> tuple[Any, Any]:
        key = self.literal()
        self.mark(":")
        return key, self.literal()

    def _word(self, token: Token) -> Any:
        for known in (_CONSTANTS, _FLOATS):
            if token.text in known:
                return known[token.text]
        self.mark("(")
        special = self._CALLS.get(token.text)
        if special is not None:
            return special(self)
        parts = self.listed(")", self.literal)
        try:
            make = _MAKERS.get(token.text) or STRUCTURES.get(token.text)
            return (make or _scalar_type(token.text))(*parts)
        except (TypeError, ValueError, KeyError) as error:
            self.fail(f"{token.text}(...) is no value: {error}", token)

    def _spec_literal(self) -> TensorSpec:
        spec = self.spec()
        self.mark(")")
        return spec

    def _dtype_literal(self) -> np.dtype[Any]:
        dtype = self.dtype()
        self.mark(")")
        return dtype

    def _array_literal(self) -> np.ndarray[Any, Any]:
        content = self.literal()
        self.mark(",")
        dtype = self.dtype()
        if self.accept(")"):
            return np.array(content, dtype)
        self.mark(",")
        shape = self.literal()
        self.mark(")")
        flat = np.frombuffer(base64.b64decode(content), dtype)
        return flat.reshape(shape).copy()

    def _scalar_literal(self) -> Any:
        content = self.literal()
        self.mark(",")
        dtype = self.dtype()
        self.mark(")")
        return np.frombuffer(base64.b64decode(content), dtype)[0]

    _LITERALS: ClassVar[dict[str, Callable[[_Parser, Token], Any]]] = {
        "number": _number,
        "text": _text,
        "object": _object,
        "mark": _mark,
        "word": _word,
    }
    _CALLS: ClassVar[dict[str, Callable[[_Parser], Any]]] = {
        "spec": _spec_literal,
        "dtype": _dtype_literal,
        "array": _array_literal,
        "scalar": _scalar_literal,
    }


def _scalar_type(name: str) -> Callable[[Any], Any]:
    return np.dtype(name).type


_MAKERS: dict[str, type] = {"slice": slice, "complex": complex, "range": range}
