"""tables: what reading and changing the tables of dicts and sets becomes.

A table stays the Python dict that it is (decision 23), and is asked by CPython's own
functions, so hashes, equality and order are Python's. A key is looked up by an object
that is cheap to make and equal to it; what is put into the table is the key itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from runtime.backends.llvm.lists import changed, content, give, length
from runtime.backends.llvm.loops import (
    BIT,
    DOUBLE,
    INT,
    POINTER,
    List,
    Local,
    Number,
    Value,
)
from runtime.backends.llvm.lowering import OF_LISTS, Lowering
from runtime.backends.llvm.values import NotLowered
from runtime.backends.numpy.program import Body, Step, Variable
from runtime.ops.tables import TABLE
from runtime.ops.template import Input


def key_of(
    lowering: Lowering, step: Step, dynamic: list[Variable]
) -> tuple[tuple[Value, ...], str]:
    """The numbers that a key consists of, and whether it is a tuple of them."""
    key = step.node.attributes["key"]
    parts = key if type(key) is tuple else (key,)
    numbers = tuple(_number(lowering, part, dynamic) for part in parts)
    return numbers, "tuple" if type(key) is tuple else ""


def _number(lowering: Lowering, part: Any, dynamic: list[Variable]) -> Number:
    if type(part) is not Input:
        kinds = {bool: np.dtype(bool), int: np.dtype(int), float: np.dtype(float)}
        dtype = kinds.get(type(part))
        if dtype is None or (dtype.kind == "i" and not -(2**63) <= part < 2**63):
            raise NotLowered("a key that is no number")
        return Number(dtype, True, (part,))
    number = lowering.number_of(dynamic[part.k])
    if number.dtype.kind not in "biuf":
        raise NotLowered("a complex number as a key")
    if number.dtype.kind == "f":
        # A NaN is found by the object that it is, which no machine has.
        kind = DOUBLE if number.dtype.itemsize == 8 else "float"
        part = number.parts[0]
        lowering.leave_if(lowering.compute("fcmp uno", BIT, part, part, type=kind))
    return number


def look(lowering: Lowering, step: Step, dynamic: list[Variable]) -> Local:
    """The place of the key, -1 where it is not there; a key is looked up once."""
    table, body = step.inputs[0], lowering.place[0]
    sought = (table, step.node.attributes["key"], *dynamic)
    known = lowering.looked.get(sought)
    if known is not None and known[0] in _around(body):
        return known[1]
    numbers, form = key_of(lowering, step, dynamic)
    inside, exit = lowering.list_of(table).object, lowering.exit()
    found = lowering.compute(
        "table_find", INT, inside, values=numbers, type=form, exit=exit
    )
    lowering.looked[sought] = body, found
    return found


def _around(body: Body | None) -> Iterator[Body]:
    """The bodies that have been begun where a step of this one is run."""
    while body is not None:
        yield body
        body = body.parent


def find(lowering: Lowering, step: Step) -> None:
    """The place of a key, -1 where it is not there."""
    lowering.give(step, look(lowering, step, step.inputs[1:]))


def has(lowering: Lowering, step: Step) -> None:
    """Whether the key is there."""
    found = look(lowering, step, step.inputs[1:])
    lowering.give(step, lowering.compute("icmp sge", BIT, found, 0, type=INT))


def at(lowering: Lowering, step: Step) -> None:
    """The place of a key; where it is not there, Python raises."""
    found = look(lowering, step, step.inputs[1:])
    lowering.leave_if(lowering.compute("icmp slt", BIT, found, 0, type=INT))
    lowering.give(step, found)


def count(lowering: Lowering, step: Step) -> None:
    """How many keys there are."""
    table = lowering.list_of(step.inputs[0])
    lowering.give(step, lowering.compute("table_len", INT, table.object))


def make(lowering: Lowering, step: Step) -> None:
    """A table without keys."""
    if step.node.attributes["of_set"]:
        raise NotLowered("a set that is made")
    made = lowering.compute("table_new", POINTER, exit=lowering.exit())
    give(lowering, step.outputs[0], List(TABLE, made))


def put(lowering: Lowering, step: Step) -> None:
    """The table with the key, and the key's place: `new` if it is new."""
    (new,) = lowering.number_of(step.inputs[1]).parts
    dynamic = step.inputs[2:]
    numbers, form = key_of(lowering, step, dynamic)
    found, exit = look(lowering, step, dynamic), lowering.exit()
    table = changed(lowering, step)
    place = lowering.local(INT)

    def add() -> None:
        lowering.emit(
            "table_add", table.object, new, values=numbers, type=form, exit=exit
        )
        lowering.assign([place], [new])

    def stay() -> None:
        lowering.assign([place], [found])

    is_new = lowering.compute("icmp slt", BIT, found, 0, type=INT)
    blocks = lowering.within(add), lowering.within(stay)
    lowering.emit("if", is_new, blocks=blocks)
    give(lowering, step.outputs[1], Number(np.dtype(int), True, (place,)))


def delete(lowering: Lowering, step: Step) -> None:
    """The table without the key, and the key's place; without it, Python raises."""
    numbers, form = key_of(lowering, step, step.inputs[1:])
    found = look(lowering, step, step.inputs[1:])
    lowering.leave_if(lowering.compute("icmp slt", BIT, found, 0, type=INT))
    exit = lowering.exit()
    table = changed(lowering, step)
    lowering.emit("table_delete", table.object, values=numbers, type=form, exit=exit)
    give(lowering, step.outputs[1], Number(np.dtype(int), True, (found,)))


# Lists of what stands at the places.


def list_put(lowering: Lowering, step: Step, is_set: bool) -> None:
    """`xs[at] = item`, where `at` may be the place behind the last one."""
    _, place, item = step.inputs
    (at,) = lowering.number_of(place).parts
    value = content(lowering, item)
    exit = lowering.exit()
    size = length(lowering, lowering.list_of(step.inputs[0]))
    beyond = lowering.compute("icmp ugt", BIT, at, size, type=INT)
    lowering.leave_if(beyond)
    xs = changed(lowering, step)
    is_new = lowering.compute("icmp eq", BIT, at, size, type=INT)

    def append() -> None:
        lowering.emit("list_append", xs.object, values=(value,), exit=exit)

    def replace() -> None:
        if is_set:
            lowering.emit("list_put", xs.object, at, values=(value,))

    blocks = lowering.within(append), lowering.within(replace)
    lowering.emit("if", is_new, blocks=blocks)


OF_LISTS |= {
    "table_find": find,
    "table_has": has,
    "table_at": at,
    "table_len": count,
    "table_of": make,
    "table_put": put,
    "table_delete": delete,
    "list_put": partial(list_put, is_set=True),
    "list_put_new": partial(list_put, is_set=False),
}
