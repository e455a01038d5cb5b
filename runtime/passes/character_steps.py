"""What the steps of a loop ask of characters, as steps that ask numbers.

Of each value that is a character it is known here which value is its number, and of a
list of characters which one is the list of these.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from runtime.graph import Node, Value
from runtime.op import Op
from runtime.ops.basic import WEAK_INT, constant, dim
from runtime.ops.characters import (
    ASKED,
    GIVEN,
    MOST_IN_ONE,
    NO_OTHER,
    char_case,
    char_code,
    char_digit,
    char_is,
    char_of,
    codes_of,
    number_of,
    table_of,
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
from runtime.ops.lists import list_append, list_get, list_len, list_of, list_pop
from runtime.ops.template import Input
from runtime.passes.rewrite import Names
from runtime.spec import ListSpec, TensorSpec, object_type

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
NUMBERS = ListSpec(WEAK_INT)


def is_text(spec: TensorSpec) -> bool:
    """Whether it is a text, or a list of some."""
    while isinstance(spec, ListSpec):
        spec = spec.item
    return object_type(spec) in TEXTS


class Steps:
    """The nodes of a graph, and what is known of the characters in it.

    parent:  those around it, of whose values its captures are
    outer:   by an input of its own, the value of the parent's that it is
    taken:   what it takes beside, by the value of the parent's
    """

    def __init__(self, parent: Steps | None = None) -> None:
        self.parent = parent
        self.outer: dict[Value, Value] = {}
        self.taken: dict[Value, Value] = {}
        self.nodes: list[Node] = []
        self.count = 0
        # By a text its code points, by a list of all its characters the text.
        self.codes: dict[Value, Value] = {}
        self.listed: dict[Value, Value] = {}
        # By a character its number, by a list of characters that of their numbers.
        self.numbers: dict[Value, Value] = {}
        # Those of which a number may stand for none, or several, and such lists.
        self.wide: set[Value] = set()
        # What gives them: constants, and lists that are made of some.
        self.makers: dict[Value, Node] = {}
        self.names: Names = {}

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

    def number_of(self, value: Value) -> Value | None:
        """The number of a character, or the list of those of a list of some."""
        if value in self.numbers:
            return self.numbers[value]
        if value in self.outer and self.parent is not None:
            outer = self.outer[value]
            found = self._take(self.parent.number_of(outer))
            if found is not None and self.parent.is_wide(outer):
                self.wide.add(value)
            return found
        maker = self.makers.get(value)
        found = None if maker is None else self._made_by(maker)
        if found is not None:
            self.numbers[value] = found
        return found

    def _made_by(self, node: Node) -> Value | None:
        """The numbers of what a constant or a list of characters is."""
        (value,) = node.outputs
        if node.op.name == "list_of":
            found = [self.number_of(one) for one in node.inputs]
            known = [one for one in found if one is not None]
            if len(known) < len(found):
                return None
            if any(map(self.is_wide, node.inputs)):
                self.wide.add(value)
            return self.emit(list_of, *known, item=WEAK_INT)
        text = node.attributes["value"]
        if len(text) > MOST_IN_ONE:
            return None
        if len(text) != 1:
            self.wide.add(value)
        return self.known(number_of(text))

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

    def replaced(self, node: Node) -> bool:
        """Whether other nodes stand for one, which are added."""
        self.place = node.location
        of_list = _OF_LISTS.get(node.op.name)
        if of_list is not None:
            return of_list(self, node)
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
        if function is chr and args == (Input(0),):
            self._note(node, 0, self.emit(char_of, node.inputs[0]))
            return True
        return args == (Input(0),) and self._method(node, function)

    def item(self, node: Node) -> bool:
        """`xs[i]`, of all the characters of a text, or of a list of numbers."""
        (at,) = node.attributes["index"]
        shifted = Input(at.k + 1) if type(at) is Input else at
        codes, place = self.codes_of_list(node.inputs[0]), self._place(node, shifted)
        if codes is not None and place is not None:
            self._read(node, codes, place, "list")
            return True
        xs = node.inputs[0]
        numbers = self.number_of(xs)
        if numbers is None or type(at) is slice:
            return False
        given = numbers, *node.inputs[1:]
        self._note(node, 0, self.emit(list_get, *given, index=(at,)), xs)
        return True

    def length(self, node: Node) -> bool:
        """`len(xs)` of such a list."""
        if self._length(node, self.codes_of_list(node.inputs[0])):
            return True
        numbers = self.number_of(node.inputs[0])
        if numbers is not None:
            self.give(node, list_len, numbers)
        return numbers is not None

    def append(self, node: Node) -> bool:
        """`xs.append(c)`."""
        xs, item = node.inputs
        numbers, number = self.number_of(xs), self.number_of(item)
        if numbers is None or number is None:
            return False
        self._note(node, 0, self.emit(list_append, numbers, number), xs, item)
        return True

    def pop(self, node: Node) -> bool:
        """`xs.pop(i)`."""
        xs, at = node.inputs
        numbers = self.number_of(xs)
        if numbers is None:
            return False
        made = Value(numbers.spec), Value(WEAK_INT)
        self.nodes.append(Node(list_pop, (numbers, at), {}, made, (), self.place))
        for position, value in enumerate(made):
            self._note(node, position, value, xs)
        return True

    def _note(self, node: Node, position: int, number: Value, *of: Value) -> None:
        """The number of a result; the node stays for who wants the result itself."""
        self.count += 1
        result = node.outputs[position]
        self.numbers[result] = number
        if any(map(self.is_wide, of)):
            self.wide.add(result)
        if node not in self.nodes[-1:]:
            self.nodes.append(node)

    def _length(self, node: Node, codes: Value | None) -> bool:
        if codes is None:
            return False
        self.give(node, dim, codes, axis=0)
        return True

    def _length_of_text(self, node: Node, text: Value) -> bool:
        """`len(s)`, and that of a character."""
        if self.number_of(text) is None:
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
        self._note(node, 0, code)

    def _called(self, node: Node, function: Any) -> bool:
        """`ord(c)`, `int(c)`."""
        code = self.number_of(node.inputs[0]) if len(node.inputs) == 1 else None
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
        code = self.number_of(node.inputs[0])
        if code is None or self.is_wide(node.inputs[0]):
            return False
        name = getattr(function, "__name__", "")
        if function is not getattr(str, name, None):
            return False
        if name in ASKED:
            self.give(node, char_is, code, self.known(table_of(name)), method=name)
        elif name in GIVEN:
            table = self.known(table_of(name))
            self._note(node, 0, self.emit(char_case, code, table, method=name))
            self.wide.add(node.outputs[0])
        else:
            return False
        return True

    def _compared(self, node: Node, function: Any, args: tuple[Any, ...]) -> bool:
        """`c == d`, `c < "a"`."""
        both = [self._operand(node, arg) for arg in args]
        if None in both:
            return False
        # After the numbers, which tell of captures whether they may be several.
        if function not in EQUALITY and not all(self._is_one(node, a) for a in args):
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
        """What a character is compared with."""
        if type(arg) is Input:
            return self.number_of(node.inputs[arg.k])
        if type(arg) is not str:
            return None
        return number_of(arg) if len(arg) <= MOST_IN_ONE else NO_OTHER

    def _contained(self, node: Node, args: tuple[Any, ...]) -> bool:
        """`c in "aeiou"`: one of these."""
        text, sought = args
        if type(text) is not str or type(sought) is not Input or len({*text}) > MOST:
            return False
        character = node.inputs[sought.k]
        code = self.number_of(character)
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


_OF_LISTS = {
    "list_get": Steps.item,
    "list_len": Steps.length,
    "list_append": Steps.append,
    "list_pop": Steps.pop,
}


def _is_int(spec: TensorSpec) -> bool:
    return spec.weak and spec.shape == () and spec.dtype == np.dtype(int)
