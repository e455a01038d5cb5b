"""Failures: how nodes may fail, and what tells so beforehand.

Of each way there is the type of what is raised, and a test that holds exactly where it
is, if no earlier one of the node does; without one it cannot be asked.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from types import NoneType
from typing import Any, TypeGuard

import numpy as np

from runtime.failing import has_no_quotient, is_no_float, is_no_index, raised_by
from runtime.graph import Node, Value
from runtime.location import Location
from runtime.op import Op
from runtime.ops.basic import constant, dim, truth
from runtime.ops.elementwise import (
    bitwise_and,
    bitwise_or,
    equal,
    greater,
    greater_equal,
    less,
    less_equal,
    negative,
)
from runtime.ops.lists import list_len
from runtime.ops.tables import table_has
from runtime.ops.template import Input
from runtime.ops.world import python_call
from runtime.spec import TensorSpec
from runtime.structs import struct

BOOL = TensorSpec((), bool, weak=True)


class Unknown(Exception):
    """This cannot be asked beforehand."""


class Maker:
    """Makes nodes, one after the other."""

    def __init__(self, location: Location | None = None) -> None:
        self.nodes: list[Node] = []
        self._location = location

    def __call__(self, op: Op, *inputs: Value, **attributes: Any) -> Value:
        """The one result of a node."""
        spec = op.infer(*(value.spec for value in inputs), **attributes)
        assert isinstance(spec, TensorSpec)
        made = Value(spec)
        node = Node(op, inputs, attributes, (made,), (), self._location)
        self.nodes.append(node)
        return made

    def known(self, value: Any) -> Value:
        """A constant of Python's."""
        return self(constant, value=value)

    def asked(self, function: Callable[..., bool], *inputs: Value) -> Value:
        """What a function of numbers answers."""
        return self(python_call, *inputs, function=function, result=BOOL)

    def any(self, tests: Sequence[Value]) -> Value:
        """Whether one of these holds."""
        first, *others = tests
        for other in others:
            first = self(bitwise_or, first, other)
        return first

    def as_bool(self, value: Value) -> Value:
        """A test's answer as Python's."""
        return value if value.spec.weak else self(truth, value)


Test = Callable[[Maker, Node], Value]


@struct(eq=False)
class Failure:
    """One way to fail."""

    kind: type[BaseException]
    test: Test | None = None


def failures_of(node: Node) -> list[Failure]:
    """All ways in which a node may fail, in the order in which Python asks."""
    find = _OPS.get(node.op.name)
    found = None if find is None else find(node)
    if found is None:
        found = [*map(Failure, raised_by(node)), *TOLD]
    return found


# --- numbers --------------------------------------------------------------------------
# What NumPy raises where it is told to, and does not warn.
TOLD = [Failure(FloatingPointError), Failure(Warning)]


def _kinds(node: Node) -> str:
    """The kinds of a node's numbers, a letter for each; "?" where only a run knows."""
    return "".join(map(_kind, node.inputs))


def _kind(value: Value) -> str:
    spec = value.spec
    if type(spec) is not TensorSpec or spec.shape != ():
        return "?"
    kinds = {one.dtype.kind for one in spec.options if one.dtype is not None}
    return kinds.pop() if len(kinds) == 1 else "?"


def _is_weak(node: Node) -> bool:
    """Whether all numbers of a node are surely Python's."""
    flags = {one.weak for value in node.inputs for one in value.spec.options}
    return flags == {True}


def _too_large(make: Maker, node: Node) -> Value:
    """Whether an int of Python's is too large for the float that it meets."""
    return make.any(
        [make.asked(is_no_float, one) for one in node.inputs if _kind(one) == "i"]
    )


def _no_quotient(make: Maker, node: Node) -> Value:
    return make.asked(has_no_quotient, *node.inputs)


TOO_LARGE = Failure(OverflowError, _too_large)


def _arithmetic(node: Node) -> list[Failure] | None:
    kinds = _kinds(node)
    if not {*kinds} <= {*"bif"}:
        return None
    if not _is_weak(node):
        return _of_numpys(kinds)
    return [TOO_LARGE] if {*"fi"} <= {*kinds} else []


def _of_numpys(kinds: str) -> list[Failure] | None:
    """Of what NumPy computes in floats; of Python's ints some are none."""
    if "f" not in kinds or not {*kinds} <= {*"fi"}:
        return None
    return [TOO_LARGE, *TOLD] if "i" in kinds else [*TOLD]


def _division(node: Node) -> list[Failure] | None:
    if not {*_kinds(node)} <= {*"bif"}:
        return None
    if not _is_weak(node):
        own = [any(one.weak for one in v.spec.options) for v in node.inputs]
        return None if all(own) else _of_numpys(_kinds(node))
    at_zero = Failure(ZeroDivisionError, _is_zero)
    if {*"fi"} <= {*_kinds(node)}:
        return [TOO_LARGE, at_zero]
    if node.op.name == "divide" and _kinds(node) == "ii":
        return [at_zero, Failure(OverflowError, _no_quotient)]
    return [at_zero]


def _is_zero(make: Maker, node: Node) -> Value:
    return make(equal, node.inputs[1], make.known(0))


def _comparison(node: Node) -> list[Failure] | None:
    return [] if {*_kinds(node)} <= {*"bif"} else None


def _never(node: Node) -> list[Failure]:
    return []


# --- places ---------------------------------------------------------------------------
def _places(node: Node, first: int) -> list[Value | int] | None:
    """The numbers that a node's index is made of; None where there is another part."""
    found: list[Value | int] = []
    for part in node.attributes["index"]:
        if type(part) is Input:
            value = node.inputs[first + part.k]
            if _kind(value) not in ("i", "u"):
                return None
            found.append(value)
        elif type(part) is int:
            found.append(part)
        else:
            return None
    return found


def _is_outside(make: Maker, place: Value | int, size: Value) -> Value:
    at = make.known(place) if isinstance(place, int) else place
    above = make.as_bool(make(greater_equal, at, size))
    if isinstance(place, Value) and _kind(place) == "u":
        return above
    below = make.as_bool(make(less, at, make(negative, size)))
    return make(bitwise_or, below, above)


def _part(first: int) -> Callable[[Node], list[Failure] | None]:
    """An index of an array; `first`: which input is the first of its numbers."""

    def find(node: Node) -> list[Failure] | None:
        shape, places = node.inputs[0].spec.shape, _places(node, first)
        if shape is None or places is None or len(places) > len(shape):
            return None
        if node.attributes.get("path") or node.attributes.get("flat"):
            return None

        def test(make: Maker, node: Node) -> Value:
            array, *_ = node.inputs
            found: list[Value] = []
            for axis, place in enumerate(_places(node, first) or ()):
                known = shape[axis]
                is_known = isinstance(known, int)
                size = make.known(known) if is_known else make(dim, array, axis=axis)
                found.append(_is_outside(make, place, size))
            return make.any(found)

        def is_long(make: Maker, node: Node) -> Value:
            long = filter(_may_be_long, _places(node, first) or ())
            return make.any([make.asked(is_no_index, one) for one in long])

        others = [one for one in raised_by(node) if one is not IndexError]
        found = [Failure(IndexError, test)] if places else []
        if any(map(_may_be_long, places)):
            found.insert(0, Failure(OverflowError, is_long))
        told = TOLD if node.op.name == "store" else []
        return [*found, *map(Failure, others), *told]

    return find


def _may_be_long(place: Value | int) -> TypeGuard[Value]:
    """Whether it may be an int that has 64 bits and no sign, as NumPy takes it."""
    if not isinstance(place, Value):
        return False
    return any(one.weak or one.dtype == np.uint64 for one in place.spec.options)


def _item(node: Node) -> list[Failure] | None:
    """An index of a list."""
    places = _places(node, 1)
    if places is None or len(places) != 1:
        return None

    def test(make: Maker, node: Node) -> Value:
        found = _places(node, 1)
        assert found
        return _is_outside(make, found[0], make(list_len, node.inputs[0]))

    return [Failure(IndexError, test)]


# --- keys -----------------------------------------------------------------------------
def _key(first: int, *, is_sought: bool) -> Callable[[Node], list[Failure] | None]:
    """A key of a dict; `first`: which input is the first of its numbers."""

    def find(node: Node) -> list[Failure] | None:
        kinds = {*_kinds(node)[first:]}
        if not kinds <= {*"biufc"} or not _has_hash(node.attributes["key"]):
            return None
        return [Failure(KeyError, _is_missing)] if is_sought else []

    return find


def _has_hash(key: Any) -> bool:
    """Whether a template of numbers is of what has a hash."""
    if type(key) is tuple:
        return all(map(_has_hash, key))
    return type(key) in (Input, int, float, complex, bool, str, NoneType)


def _is_missing(make: Maker, node: Node) -> Value:
    table, *dynamic = node.inputs
    is_there = make(table_has, table, *dynamic, key=node.attributes["key"])
    return make(equal, is_there, make.known(False))


# --- functions of Python's ------------------------------------------------------------
def _of(function: Callable[..., Any]) -> Test:
    def test(make: Maker, node: Node) -> Value:
        return make.asked(function, node.inputs[0])

    return test


def _beyond(*tests: tuple[Op, float]) -> Test:
    """Where it is less, or more, than one of these."""

    def test(make: Maker, node: Node) -> Value:
        (x,) = node.inputs
        return make.any(
            [make.as_bool(make(op, x, make.known(end))) for op, end in tests]
        )

    return test


def _overflows(make: Maker, node: Node) -> Value:
    """An exponential: that of infinity does not."""
    (x,) = node.inputs
    above = make.as_bool(make(greater, x, make.known(LAST)))
    below = make.as_bool(make(less, x, make.known(math.inf)))
    return make(bitwise_and, above, below)


# The last float whose exponential is one.
LAST = 709.782712893384
_LOGS = math.log, math.log2, math.log10
_OF_LOGS = [Failure(ValueError, _beyond((less_equal, 0.0)))]
_OF_ANGLES = [Failure(ValueError, _beyond((less, -1.0), (greater, 1.0)))]
_OF_FLOATS: dict[Any, list[Failure]] = {
    int: [
        Failure(ValueError, _of(math.isnan)),
        Failure(OverflowError, _of(math.isinf)),
    ],
    float: [],
    bool: [],
    abs: [],
    math.sqrt: [Failure(ValueError, _beyond((less, 0.0)))],
    math.exp: [Failure(OverflowError, _overflows)],
    **{one: _OF_LOGS for one in _LOGS},
    math.log1p: [Failure(ValueError, _beyond((less_equal, -1.0)))],
    **{one: _OF_ANGLES for one in (math.asin, math.acos)},
}
# Of numbers of 64 bits at most; of Python's ints some are no floats.
_OF_INTS: dict[Any, list[Failure]] = {
    **{int: [], bool: [], abs: []},
    math.sqrt: [TOO_LARGE, *_OF_FLOATS[math.sqrt]],
    **{one: _OF_LOGS for one in _LOGS},
    float: [TOO_LARGE],
}


def _python_call(node: Node) -> list[Failure] | None:
    function, kinds = node.attributes["function"], _kinds(node)
    table = {"f": _OF_FLOATS, "i": _OF_INTS, "b": _OF_INTS}.get(kinds)
    if table is None or node.inputs[0].spec.dtype not in (float, int, bool):
        return None
    if function is math.exp and not _ends_there():
        return None
    try:
        return table.get(function)
    except TypeError:
        return None


def _ends_there() -> bool:
    """Whether this machine's exponentials end where they are known to."""
    try:
        math.exp(LAST)
        math.exp(math.nextafter(LAST, math.inf))
    except OverflowError:
        return math.isfinite(float(np.exp(LAST)))
    return False


_OPS: dict[str, Callable[[Node], list[Failure] | None]] = {
    **dict.fromkeys(("add", "subtract", "multiply", "negative"), _arithmetic),
    **dict.fromkeys(("divide", "floor_divide", "remainder", "divmod"), _division),
    **dict.fromkeys(("equal", "not_equal", "less", "less_equal"), _comparison),
    **dict.fromkeys(("greater", "greater_equal", "absolute"), _comparison),
    "slice": _part(1),
    "store": _part(2),
    "list_get": _item,
    **dict.fromkeys(("list_append", "list_len", "list_put", "list_put_new"), _never),
    **dict.fromkeys(("table_at", "table_delete"), _key(1, is_sought=True)),
    **dict.fromkeys(("table_has", "table_find"), _key(1, is_sought=False)),
    "table_put": _key(2, is_sought=False),
    "table_len": _never,
    "python_call": _python_call,
}
