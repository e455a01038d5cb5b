"""rows: what reading and changing lists in lists becomes (decision 19).

A row is one of the lists in a list of rows, which nothing else refers to. So machine
code looks at it where it lies, for as long as one step takes.
"""

from __future__ import annotations

from runtime.backends.llvm.lists import (
    changed,
    content,
    give,
    item_of,
    length,
    number_at,
    place_of,
)
from runtime.backends.llvm.loops import POINTER, List
from runtime.backends.llvm.lowering import OF_LISTS, Lowering
from runtime.backends.llvm.values import NotLowered
from runtime.backends.numpy.program import Step, Variable
from runtime.ops.template import Input
from runtime.spec import ListSpec


def row_at(lowering: Lowering, rows: List, number: Variable) -> List:
    """The row of this number."""
    spec = rows.item
    if not isinstance(spec, ListSpec):
        raise NotLowered("a list of rows that holds no lists")
    at = place_of(lowering, rows, Input(0), [number])
    inside, exit = (rows.object, at), lowering.exit()
    thing = lowering.compute("list_inner", POINTER, *inside, exit=exit)
    return List(spec.item, thing)


def _row(lowering: Lowering, step: Step) -> List:
    return row_at(lowering, lowering.list_of(step.inputs[0]), step.inputs[1])


def row_len(lowering: Lowering, step: Step) -> None:
    """`len(row)`."""
    lowering.give(step, length(lowering, _row(lowering, step)))


def row_item(lowering: Lowering, step: Step) -> None:
    """`row[i]`."""
    row, (part,) = _row(lowering, step), step.node.attributes["index"]
    at = place_of(lowering, row, part, step.inputs[2:])
    give(lowering, step.outputs[0], item_of(lowering, row, at))


def row_get(lowering: Lowering, step: Step) -> None:
    """What the row holds, in a list of its own."""
    row = _row(lowering, step)
    made = List(row.item, lowering.copied_list(row, lowering.exit()))
    give(lowering, step.outputs[0], made)


def _in_place(lowering: Lowering, step: Step) -> List:
    """The rows, which are changed where they lie."""
    if not step.in_place:
        raise NotLowered("rows that are copied")
    return changed(lowering, step)


def row_set_item(lowering: Lowering, step: Step) -> None:
    """`row[i] = item`."""
    row, (part,) = _row(lowering, step), step.node.attributes["index"]
    at = place_of(lowering, row, part, step.inputs[3:])
    value = content(lowering, step.inputs[2])
    _in_place(lowering, step)
    lowering.emit("list_put", row.object, at, values=(value,))


def row_append(lowering: Lowering, step: Step) -> None:
    """`row.append(item)`."""
    row, value = _row(lowering, step), content(lowering, step.inputs[2])
    exit = lowering.exit()
    _in_place(lowering, step)
    lowering.emit("list_append", row.object, values=(value,), exit=exit)


def row_pop(lowering: Lowering, step: Step) -> None:
    """`row.pop(i)`: the rows, and the item."""
    row = _row(lowering, step)
    at = place_of(lowering, row, Input(0), [step.inputs[2]])
    item = number_at(lowering, row, at)
    exit = lowering.exit()
    _in_place(lowering, step)
    lowering.emit("list_cut", row.object, at, exit=exit)
    give(lowering, step.outputs[1], item)


def row_add(lowering: Lowering, step: Step) -> None:
    """One row more: a list of its own with the items of another."""
    exit = lowering.exit()
    made = _copied(lowering, step.inputs[1])
    rows = _in_place(lowering, step)
    lowering.emit("list_append", rows.object, values=(made,), exit=exit)
    lowering.emit("release", made.object)


def row_set(lowering: Lowering, step: Step) -> None:
    """Another list in the place of a row."""
    rows = lowering.list_of(step.inputs[0])
    at = place_of(lowering, rows, Input(0), [step.inputs[1]])
    made = _copied(lowering, step.inputs[2])
    _in_place(lowering, step)
    lowering.emit("list_put", rows.object, at, values=(made,))
    lowering.emit("release", made.object)


def _copied(lowering: Lowering, variable: Variable) -> List:
    xs = lowering.list_of(variable)
    return List(xs.item, lowering.copied_list(xs, lowering.exit()))


OF_LISTS |= {
    "row_len": row_len,
    "row_item": row_item,
    "row_get": row_get,
    "row_set_item": row_set_item,
    "row_append": row_append,
    "row_pop": row_pop,
    "row_add": row_add,
    "row_set": row_set,
}
