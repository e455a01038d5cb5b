"""Characters: a loop that only asks what characters are asks numbers.

`s[i] == t[j]`, `c in "aeiou"`, `ord(c)`, `c.isdigit()`: each makes a text of one
character, of which machine code knows nothing. Where a text is there before a loop, an
array of its code points is read in its place, and compared as numbers. A loop that does
more with its characters, and so needs them as texts, stays as it is.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.graph import Graph, Node, Value
from runtime.op import Op
from runtime.ops.basic import constant, dim
from runtime.ops.characters import (
    ASKED,
    GIVEN,
    char_case,
    char_code,
    char_digit,
    char_is,
    codes_of,
    number_of,
    text_codes,
)
from runtime.ops.elementwise import (
    bitwise_or,
    equal,
    greater,
    greater_equal,
    less,
    less_equal,
    not_equal,
)
from runtime.ops.template import Input
from runtime.passes.prune import prune
from runtime.passes.rewrite import Names, renamed, with_inputs
from runtime.spec import ListSpec, TensorSpec, object_type
from runtime.structs import replace

COMPARED: dict[Any, Op] = {
    operator.eq: equal,
    operator.ne: not_equal,
    operator.lt: less,
    operator.le: less_equal,
    operator.gt: greater,
    operator.ge: greater_equal,
}
EQUALITY = (operator.eq, operator.ne)
# Characters of a constant text that one is compared with.
MOST = 32
TEXTS = (str, bytes)
# What may have a text in it, since it is made where Python is told something.
TELLS = frozenset({"print", "raise", "assert"})


def characters(graph: Graph) -> Graph:
    """`graph` with numbers in place of characters, in the loops that allow it."""
    return _Scope(graph).made(False)


def _is_text(spec: TensorSpec) -> bool:
    while isinstance(spec, ListSpec):
        spec = spec.item
    return object_type(spec) in TEXTS


class _Scope:
    """A graph, and what is known of the characters in it.

    parent:  the one around it, of whose values its captures are
    outer:   by an input of its own, the value of the parent's that it is
    taken:   what it takes beside, by the value of the parent's; see `_around`
    """

    def __init__(self, graph: Graph, parent: _Scope | None = None) -> None:
        self.graph, self.parent = graph, parent
        self.outer: dict[Value, Value] = {}
        self.taken: dict[Value, Value] = {}
        self.nodes: list[Node] = []
        self.count = 0
        # By a text its code points, by a character its own, by a list its text.
        self.codes: dict[Value, Value] = {}
        self.chars: dict[Value, Value] = {}
        self.listed: dict[Value, Value] = {}
        # Characters that a method may have made several of.
        self.wide: set[Value] = set()
        self.names: Names = {}

    def made(self, rewrites: bool) -> Graph:
        """The graph; rewrites: with numbers in place of characters."""
        for node in self.graph.nodes:
            here = with_inputs(node, self.names)
            if node.graphs:
                here = self._around(here, rewrites)
            elif rewrites and not node.in_try and self._replaced(here):
                continue
            self.nodes.append(here)
            if _calls(node, list) and object_type(node.inputs[0].spec) in TEXTS:
                self.listed[node.outputs[0]] = node.inputs[0]
        inputs = (*self.graph.inputs, *self.taken.values())
        outputs = renamed(self.graph.outputs, self.names)
        return replace(
            self.graph, inputs=inputs, nodes=tuple(self.nodes), outputs=outputs
        )

    # Nodes with graphs.

    def _around(self, node: Node, rewrites: bool) -> Node:
        """A node with graphs, which take what their nodes need of this scope."""
        if node.op.name not in ("while", "if"):
            return replace(
                node, graphs=tuple(_Scope(g).made(False) for g in node.graphs)
            )
        if node.op.name == "while" and not rewrites:
            tried, count = self._inside(node, True)
            if count and _is_clean(tried):
                return tried
        made, count = self._inside(node, rewrites)
        self.count += count
        return made

    def _inside(self, node: Node, rewrites: bool) -> tuple[Node, int]:
        scopes = [_Scope(graph, self) for graph in node.graphs]
        captures = node.captures
        for scope in scopes:
            own = scope.graph.inputs[len(scope.graph.inputs) - len(captures) :]
            scope.outer = dict(zip(own, captures, strict=True))
        graphs = [scope.made(rewrites) for scope in scopes]
        # What one of the graphs takes is passed to all of them.
        taken = [*dict.fromkeys(value for one in scopes for value in one.taken)]
        inputs = (*node.inputs, *taken)
        for at, scope in enumerate(scopes):
            more = [scope.taken.get(value) or Value(value.spec) for value in taken]
            given = (*scope.graph.inputs, *more)
            graphs[at] = replace(graphs[at], inputs=given)
        made = replace(node, inputs=inputs, graphs=tuple(graphs))
        return made, sum(scope.count for scope in scopes)

    def _take(self, value: Value | None) -> Value | None:
        """A value of the parent's, as an input of this graph."""
        if value is None:
            return None
        if value not in self.taken:
            self.taken[value] = Value(value.spec)
        return self.taken[value]

    # What is known.

    def codes_of(self, text: Value) -> Value | None:
        """The code points of a text, found where that is made, if at all."""
        if text in self.outer and self.parent is not None:
            return self._take(self.parent.codes_of(self.outer[text]))
        if text not in self.codes and object_type(text.spec) in TEXTS:
            self.codes[text] = self.emit(text_codes, text)
        return self.codes.get(text)

    def codes_of_list(self, items: Value) -> Value | None:
        """The code points of the text of whose characters it is a list."""
        if items in self.outer and self.parent is not None:
            return self._take(self.parent.codes_of_list(self.outer[items]))
        text = self.listed.get(items)
        return None if text is None else self.codes_of(text)

    def code_of(self, character: Value) -> Value | None:
        """The code point of a character."""
        if character in self.chars:
            return self.chars[character]
        if character in self.outer and self.parent is not None:
            outer = self.outer[character]
            found = self._take(self.parent.code_of(outer))
            if found is not None and self.parent.is_wide(outer):
                self.wide.add(character)
            return found
        return None

    def is_wide(self, character: Value) -> bool:
        """Whether it may be several characters."""
        return character in self.wide

    # Nodes.

    def emit(self, op: Op, *inputs: Value, **attributes: Any) -> Value:
        """A node more, and what it gives."""
        specs = op.infer(*(value.spec for value in inputs), **attributes)
        assert isinstance(specs, TensorSpec)
        made = Value(specs)
        self.nodes.append(Node(op, inputs, attributes, (made,), (), self.place))
        return made

    place: Any = None

    def give(self, node: Node, op: Op, *inputs: Value, **attributes: Any) -> None:
        """What the node gives, by another op."""
        self.place = node.location
        self.stand(node, self.emit(op, *inputs, **attributes))

    def stand(self, node: Node, value: Value) -> None:
        """What the node gives is this value from now on."""
        assert value.spec == node.outputs[0].spec, node
        self.count += 1
        self.names[node.outputs[0]] = value

    def _replaced(self, node: Node) -> bool:
        """Whether other nodes stand for one, which are added."""
        self.place = node.location
        if node.op.name == "list_get":
            return self._item(node)
        if node.op.name == "list_len":
            return self._length(node, self.codes_of_list(node.inputs[0]))
        function = node.attributes.get("function")
        if node.op.name == "python_call":
            return self._called(node, function)
        if node.op.name != "host_call" or node.effects or node.attributes["kwargs"]:
            return False
        return self._host(node, function, node.attributes["args"])

    def _host(self, node: Node, function: Any, args: tuple[Any, ...]) -> bool:
        if function is operator.getitem:
            return self._index(node, args)
        if function is len and args == (Input(0),):
            return self._length_of_text(node, node.inputs[0])
        if function in COMPARED and len(args) == 2:
            return self._compared(node, function, args)
        if function is operator.contains:
            return self._contained(node, args)
        return args == (Input(0),) and self._method(node, function)

    def _item(self, node: Node) -> bool:
        (at,) = node.attributes["index"]
        shifted = Input(at.k + 1) if type(at) is Input else at
        codes, place = self.codes_of_list(node.inputs[0]), self._place(node, shifted)
        if codes is None or place is None:
            return False
        self._read(node, codes, place, "list")
        return True

    def _length(self, node: Node, codes: Value | None) -> bool:
        if codes is None:
            return False
        self.give(node, dim, codes, axis=0)
        return True

    def _length_of_text(self, node: Node, text: Value) -> bool:
        """`len(s)`, and that of a character."""
        if self.code_of(text) is None:
            return self._length(node, self.codes_of(text))
        if self.is_wide(text):
            return False
        self.give(node, constant, value=1)
        return True

    def _index(self, node: Node, args: tuple[Any, ...]) -> bool:
        """`s[i]`, of a text of the run or a constant one."""
        text, at = args
        place = self._place(node, at)
        if place is None:
            return False
        if type(text) is Input:
            held = node.inputs[text.k]
            codes, kind = self.codes_of(held), object_type(held.spec)
        elif type(text) in TEXTS:
            codes, kind = self.emit(constant, value=codes_of(text)), type(text)
        else:
            return False
        if codes is None or kind is None:
            return False
        self._read(node, codes, place, kind.__name__)
        return True

    def _place(self, node: Node, at: Any) -> Value | None:
        """An index, if it is an int."""
        if type(at) is int:
            return self.known(at)
        is_int = type(at) is Input and _is_int(node.inputs[at.k].spec)
        return node.inputs[at.k] if is_int else None

    def _read(self, node: Node, codes: Value, at: Value, of: str) -> None:
        code = self.emit(char_code, codes, at, of=of)
        if object_type(node.outputs[0].spec) is None:
            self.stand(node, code)  # one of bytes is a number
            return
        self.count += 1
        self.chars[node.outputs[0]] = code
        # For who wants the character itself: see `_is_clean`.
        self.nodes.append(node)

    def _called(self, node: Node, function: Any) -> bool:
        """`ord(c)`, `int(c)`."""
        code = self.code_of(node.inputs[0]) if len(node.inputs) == 1 else None
        if code is None or self.is_wide(node.inputs[0]):
            return False
        if function is ord:
            self.stand(node, code)
        elif function is int:
            self.give(node, char_digit, code)
        else:
            return False
        return True

    def _method(self, node: Node, function: Any) -> bool:
        """`c.isdigit()`, `c.lower()`, `len(c)`."""
        code = self.code_of(node.inputs[0])
        if code is None or self.is_wide(node.inputs[0]):
            return False
        name = getattr(function, "__name__", "")
        if function is not getattr(str, name, None):
            return False
        if name in ASKED:
            self.give(node, char_is, code, method=name)
        elif name in GIVEN:
            self.count += 1
            self.chars[node.outputs[0]] = self.emit(char_case, code, method=name)
            self.wide.add(node.outputs[0])
            self.nodes.append(node)
        else:
            return False
        return True

    def _compared(self, node: Node, function: Any, args: tuple[Any, ...]) -> bool:
        """`c == d`, `c < "a"`."""
        if function not in EQUALITY and not all(self._is_one(node, a) for a in args):
            return False
        both = [self._operand(node, arg) for arg in args]
        if None in both:
            return False
        values = [one if isinstance(one, Value) else self.known(one) for one in both]
        self.give(node, COMPARED[function], *values)
        return True

    def _is_one(self, node: Node, arg: Any) -> bool:
        """Whether it is one character, whose place among others its number is."""
        if type(arg) is Input:
            return not self.is_wide(node.inputs[arg.k])
        return type(arg) is str and len(arg) == 1

    def known(self, content: Any) -> Value:
        """A constant."""
        return self.emit(constant, value=content)

    def _operand(self, node: Node, arg: Any) -> Value | int | None:
        """What a character is compared with; -1 for what none can be."""
        if type(arg) is Input:
            return self.code_of(node.inputs[arg.k])
        if type(arg) is not str:
            return None
        # A method may make up to three of one.
        return number_of(arg) if 1 <= len(arg) <= 3 else -1

    def _contained(self, node: Node, args: tuple[Any, ...]) -> bool:
        """`c in "aeiou"`: one of these."""
        text, sought = args
        if type(text) is not str or type(sought) is not Input or len({*text}) > MOST:
            return False
        character = node.inputs[sought.k]
        code = self.code_of(character)
        if code is None or self.is_wide(character):
            return False
        tests = [
            self.emit(equal, code, self.known(ord(c))) for c in dict.fromkeys(text)
        ]
        found = tests[0] if tests else self.known(False)
        for test in tests[1:]:
            found = self.emit(bitwise_or, found, test)
        self.stand(node, found)
        return True


def _calls(node: Node, function: Callable[..., Any]) -> bool:
    """Whether it calls this with its one input."""
    known = node.attributes
    return (
        node.op.name == "host_call"
        and known["function"] is function
        and known["args"] == (Input(0),)
        and not known["kwargs"]
    )


def _is_int(spec: TensorSpec) -> bool:
    return spec.weak and spec.shape == () and spec.dtype == np.dtype(int)


def _is_clean(node: Node) -> bool:
    """Whether a loop makes nothing of texts, and asks them nothing."""
    inputs = tuple(dict.fromkeys(node.inputs))
    alone = prune(Graph("loop", inputs, (node,), node.outputs))
    return all(
        inner.graphs
        or inner.op.name in TELLS
        or not any(_is_text(value.spec) for value in inner.inputs)
        for inner in alone.walk()
    )
