"""lists: what reading and changing Python's lists becomes.

A list of the program stays the Python list that it is: its items are read and written
where CPython keeps them, with its own references. What an index or an item is that no
machine can go on with (outside of the list, an int of more than 64 bits) is left to
Python, before anything has been changed.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.backends.llvm.arrays import give_array, within
from runtime.backends.llvm.blocks import compute_into, new_array
from runtime.backends.llvm.fallback import whole
from runtime.backends.llvm.lines import OVERFLOWING
from runtime.backends.llvm.loops import (
    BIT,
    INT,
    POINTER,
    Array,
    Instruction,
    List,
    Local,
    Mixed,
    Number,
    Operand,
    Referred,
    Value,
    locals_of,
)
from runtime.backends.llvm.lowering import OF_LISTS, Lowering
from runtime.backends.llvm.slices import cut, index_of
from runtime.backends.llvm.unused import PURE
from runtime.backends.llvm.values import NotLowered
from runtime.backends.numpy.program import Step, Variable
from runtime.ops.template import Input
from runtime.spec import ListSpec
from runtime.table_spec import TableSpec

# What lets go of no object, and runs nobody else's code.
KEEPS = frozenset(
    {*PURE, *OVERFLOWING, "leave_if", "load", "move", "list_item", "list_length"}
)

# Bytes of a placeholder that is an array: memory of more takes long to get.
MOST_BYTES = 16 * 1024

# Reading.


def length(lowering: Lowering, xs: List) -> Local:
    """`len(xs)`."""
    return lowering.compute("list_length", INT, xs.object)


def place_of(
    lowering: Lowering, xs: List, part: Any, dynamic: list[Variable]
) -> Operand:
    """An index of a key, counted from the front; outside, Python raises."""
    at = index_of(lowering, part, dynamic)
    if at is None:
        raise NotLowered("an index of a list that is no int")
    return within(lowering, at, length(lowering, xs))


def item_of(lowering: Lowering, xs: List, at: Operand) -> Value:
    """The item at a place within the list; what is referred to is held."""
    made = lowering.of_spec(xs.item)
    outs = tuple(locals_of(made))
    if not isinstance(made, Referred):
        outs = (*outs, lowering.local(POINTER))  # the object that it was taken out of
    lowering.block.instructions.append(
        Instruction(
            "list_item", outs, (xs.object, at), exit=lowering.exit(), results=(made,)
        )
    )
    return made


def number_at(lowering: Lowering, xs: List, at: Operand) -> Value:
    """The item at a place that is taken out of the list."""
    item = item_of(lowering, xs, at)
    if isinstance(item, Referred):
        # At an exit that is still to come nobody would let go of it.
        raise NotLowered("an item taken out that is no number")
    return item


def give(lowering: Lowering, variable: Variable, value: Value) -> None:
    """A result that is an item, or a list of its own."""
    lowering.values[variable] = value
    if isinstance(value, Referred):
        lowering.hold(variable, value.object, lowering.place[0])


def get(lowering: Lowering, step: Step) -> None:
    """`xs[i]`, and `xs[a:b]`."""
    xs, *dynamic = step.inputs
    (part,) = step.node.attributes["index"]
    (variable,) = step.outputs
    found = lowering.list_of(xs)
    if isinstance(part, slice):
        give(
            lowering, variable, List(found.item, _slice(lowering, found, part, dynamic))
        )
        return
    at = place_of(lowering, found, part, dynamic)
    value = item_of(lowering, found, at)
    lowering.taken[variable] = lowering.block.instructions[-1]
    give(lowering, variable, value)


def _slice(lowering: Lowering, xs: List, part: slice, dynamic: list[Variable]) -> Local:
    if part.step is not None:
        raise NotLowered("a slice of a list with a step")
    size = length(lowering, xs)
    ends: list[Operand] = []
    for end, default in ((part.start, 0), (part.stop, size)):
        found = default if end is None else index_of(lowering, end, dynamic)
        if found is None:
            raise NotLowered("a slice by no int")
        ends.append(found if end is None else cut(lowering, found, size))
    exit = lowering.exit()
    return lowering.compute("list_slice", POINTER, xs.object, *ends, exit=exit)


def count(lowering: Lowering, step: Step) -> None:
    """`len(xs)`."""
    lowering.give(step, length(lowering, lowering.list_of(step.inputs[0])))


# Changing.


def changed(lowering: Lowering, step: Step) -> List:
    """The list that a change is made in: the operand, or a copy of it."""
    target, variable = step.inputs[0], step.outputs[0]
    xs = lowering.list_of(target)
    if step.in_place:
        lowering.values[variable] = xs
        lowering.join(variable, target)
        return xs
    made = List(xs.item, lowering.copied_list(xs, lowering.exit()))
    give(lowering, variable, made)
    return made


def content(lowering: Lowering, variable: Variable) -> Value:
    """What is put into a list: there is, or will be, an object of it."""
    value = whole(lowering, variable)
    if isinstance(value, Array) and not value.dims:
        raise NotLowered("an array without dims in a list")
    return value


def put(lowering: Lowering, step: Step) -> None:
    """`xs[i] = item`."""
    target, item, *dynamic = step.inputs
    (part,) = step.node.attributes["index"]
    if isinstance(part, slice):
        raise NotLowered("a slice of a list that is set")
    at = place_of(lowering, lowering.list_of(target), part, dynamic)
    value, there = content(lowering, item), _object_of(lowering, item)
    xs = changed(lowering, step)
    lowering.emit("list_put", xs.object, at, *there, values=(value,))


def _object_of(lowering: Lowering, item: Variable) -> tuple[Local, ...]:
    """The object of an item that was just taken out of a list, which holds it still."""
    taken, instructions = lowering.taken.get(item), lowering.block.instructions
    if (
        taken is None
        or taken not in instructions
        or isinstance(lowering.values[item], Referred)
    ):
        return ()
    since = instructions[instructions.index(taken) + 1 :]
    if not all(one.op.split(" ")[0] in KEEPS and not one.blocks for one in since):
        return ()
    return (taken.outs[-1],)


def append(lowering: Lowering, step: Step) -> None:
    """`xs.append(item)`."""
    value = content(lowering, step.inputs[1])
    exit = lowering.exit()
    xs = changed(lowering, step)
    lowering.emit("list_append", xs.object, values=(value,), exit=exit)


def pop(lowering: Lowering, step: Step) -> None:
    """`xs.pop(at)`: the list, and the item."""
    target, index = step.inputs
    xs = lowering.list_of(target)
    at = place_of(lowering, xs, Input(0), [index])
    item = number_at(lowering, xs, at)
    exit = lowering.exit()
    xs = changed(lowering, step)
    lowering.emit("list_cut", xs.object, at, exit=exit)
    give(lowering, step.outputs[1], item)


def extend(lowering: Lowering, step: Step) -> None:
    """`xs.extend(ys)`."""
    ys = lowering.list_of(step.inputs[1])
    exit = lowering.exit()
    xs = changed(lowering, step)
    lowering.emit("list_extend", xs.object, ys.object, exit=exit)


def reverse(lowering: Lowering, step: Step) -> None:
    """`xs.reverse()`."""
    exit = lowering.exit()
    xs = changed(lowering, step)
    lowering.emit("list_call", xs.object, symbol="PyList_Reverse", exit=exit)


def sort(lowering: Lowering, step: Step) -> None:
    """`xs.sort()`, of numbers."""
    xs = lowering.list_of(step.inputs[0])
    if step.node.attributes["reverse"] is not False or xs.item.shape != ():
        raise NotLowered("a list sorted in another order")
    exit = lowering.exit()
    xs = changed(lowering, step)
    lowering.emit("list_call", xs.object, symbol="PyList_Sort", exit=exit)


def insert(lowering: Lowering, step: Step) -> None:
    """`xs.insert(at, item)`: before the first, or after the last, if beyond them."""
    at = index_of(lowering, Input(0), [step.inputs[1]])
    if at is None:
        raise NotLowered("a place in a list that is no int")
    value = content(lowering, step.inputs[2])
    exit = lowering.exit()
    xs = changed(lowering, step)
    lowering.emit("list_insert", xs.object, at, values=(value,), exit=exit)


def delete(lowering: Lowering, step: Step) -> None:
    """`del xs[at]`."""
    target, *dynamic = step.inputs
    (part,) = step.node.attributes["index"]
    if isinstance(part, slice):
        raise NotLowered("a slice of a list that is deleted")
    at = place_of(lowering, lowering.list_of(target), part, dynamic)
    exit = lowering.exit()
    xs = changed(lowering, step)
    lowering.emit("list_cut", xs.object, at, exit=exit)


# Looking for numbers.


ASKS = {
    "list_contains": ("PySequence_Contains", BIT),
    "list_index": ("PySequence_Index", INT),
    "list_count": ("PySequence_Count", INT),
}


def ask(lowering: Lowering, step: Step) -> None:
    """`x in xs`, `xs.index(x)`, `xs.count(x)`, of an int."""
    xs, *dynamic = step.inputs
    symbol, kind = ASKS[step.node.op.name]
    sought = step.node.attributes["sought"]
    at = index_of(lowering, sought[0], dynamic) if len(sought) == 1 else None
    if at is None or lowering.list_of(xs).item.shape != ():
        raise NotLowered("no int that is looked for in a list")
    value, inside = Number(np.dtype(int), True, (at,)), lowering.list_of(xs).object
    exit = lowering.exit()
    found = lowering.compute(
        "list_ask", kind, inside, symbol=symbol, values=(value,), exit=exit
    )
    lowering.give(step, found)


# Making.


def make(lowering: Lowering, step: Step) -> None:
    """`[a, b]`."""
    values = tuple(content(lowering, variable) for variable in step.inputs)
    (variable,) = step.outputs
    spec = variable.spec
    assert isinstance(spec, ListSpec)
    thing = lowering.compute("list_new", POINTER, values=values, exit=lowering.exit())
    give(lowering, variable, List(spec.item, thing))


def whole_items(lowering: Lowering, step: Step) -> None:
    """The items of one list, in a list of its own."""
    if len(step.inputs) != 1 or step.node.attributes["item"] != Input(0):
        raise NotLowered("items of several parts")
    xs = lowering.list_of(step.inputs[0])
    made = List(xs.item, lowering.copied_list(xs, lowering.exit()))
    give(lowering, step.outputs[0], made)


def placeholder(lowering: Lowering, step: Step) -> None:
    """A value that nobody needs: zero, an empty list or table, or any small array."""
    (variable,) = step.outputs
    made = lowering.entering(variable)
    if isinstance(made, Array):
        known = [size for size in made.dims if isinstance(size, int)]
        if math.prod(known) * made.dtype.itemsize > MOST_BYTES:
            raise NotLowered("a placeholder of a large array")
        sizes = [0 if isinstance(size, Local) else size for size in made.dims]
        array = new_array(lowering, made.dtype, sizes)
        if made.dtype.kind == "i" and len(sizes) == 1:
            # Which may be a place, of which it is asked what lies there: nothing.
            compute_into(lowering, array, Number(made.dtype, False, (0,)))
        give_array(lowering, step, array)
        return
    if isinstance(made, Mixed):
        zeros = (one._replace(parts=(0,) * len(one.parts)) for one in made.options)
        made = Mixed(0, tuple(zeros))
    if isinstance(made, List):
        # What nobody needs may be opened all the same: with its own kind's methods.
        new = "table_new" if isinstance(made.item, TableSpec) else "list_new"
        made.object = lowering.compute(new, POINTER, exit=lowering.exit())
    elif isinstance(made, Number):
        weak = variable.spec.options[0].weak
        made = Number(made.dtype, weak, (0,) * len(made.parts))
    give(lowering, variable, made)


def repeat(lowering: Lowering, step: Step) -> None:
    """`xs * n`."""
    xs = lowering.list_of(step.inputs[0])
    times = index_of(lowering, Input(0), [step.inputs[1]])
    if times is None:
        raise NotLowered("a list taken so many times as no int says")
    exit = lowering.exit()
    thing = lowering.compute("list_repeat", POINTER, xs.object, times, exit=exit)
    give(lowering, step.outputs[0], List(xs.item, thing))


OF_LISTS |= {
    "list_len": count,
    **{"list_get": get, "tuple_get": get},
    "list_set": put,
    "list_append": append,
    "list_pop": pop,
    **{"deque_pop": pop, "deque_set": put, "deque_delete": delete},
    "list_extend": extend,
    "list_reverse": reverse,
    "list_sort": sort,
    "list_insert": insert,
    "list_delete": delete,
    **dict.fromkeys(ASKS, ask),
    "list_of": make,
    "list_zip": whole_items,
    "list_repeat": repeat,
    "placeholder": placeholder,
}
