"""typed_lists: what reading and changing lists of numbers in memory becomes.

Their items are read and written as the elements of an array are. An index outside, and
a number of another kind, is left to Python, which is given a list.
"""

from __future__ import annotations

from functools import partial

from runtime.backends.llvm.arrays import moved, within
from runtime.backends.llvm.lists import give
from runtime.backends.llvm.loops import (
    BIT,
    INT,
    Exit,
    Instruction,
    Local,
    Number,
    Operand,
    TypedList,
)
from runtime.backends.llvm.lowering import OF_TYPED_LISTS, Lower, Lowering
from runtime.backends.llvm.slices import cut, index_of, sliced
from runtime.backends.llvm.values import NotLowered, machine_type
from runtime.backends.numpy.program import Step, Variable
from runtime.ops.template import Input

# For how many a list that is written out has room: with them it is the largest object
# that CPython has memory for at hand.
ROOM = 63
# For more than these no memory is asked: their bytes may outgrow 64 bits.
MOST = 2**56


def place_of(lowering: Lowering, step: Step, dynamic: list[Variable]) -> Operand:
    """The index of a step, counted from the front; outside, Python raises."""
    (part,) = step.node.attributes["index"]
    return _within(lowering, lowering.typed_of(step.inputs[0]), part, dynamic)


def _within(
    lowering: Lowering, xs: TypedList, part: object, dynamic: list[Variable]
) -> Operand:
    at = index_of(lowering, part, dynamic)
    if at is None:
        raise NotLowered("an index of a list that is no int")
    return within(lowering, at, xs.length)


def address(lowering: Lowering, xs: TypedList, at: Operand) -> Operand:
    """Where an item lies."""
    return moved(lowering, xs.data, at, xs.dtype.itemsize)


def load(lowering: Lowering, xs: TypedList, at: Operand) -> Number:
    """The item at a place within the list."""
    place = address(lowering, xs, at)
    return Number(
        xs.dtype, True, (lowering.compute("load", machine_type(xs.dtype), place),)
    )


def store(lowering: Lowering, xs: TypedList, at: Operand, item: Operand) -> None:
    """Another item at a place within the list."""
    place = address(lowering, xs, at)
    lowering.emit("store", place, item, type=machine_type(xs.dtype))


def item(lowering: Lowering, variable: Variable, xs: TypedList) -> Operand:
    """A number that is to be an item."""
    found = lowering.number_of(variable)
    if found.weak is not True or found.dtype != xs.dtype:
        raise NotLowered("an item of another kind")
    return found.parts[0]


def copied(
    lowering: Lowering, xs: TypedList, first: Operand, size: Operand
) -> TypedList:
    """A list of its own of some of the items."""
    exit = lowering.exit()
    return lowering.copied_typed(xs, address(lowering, xs, first), size, exit)


def kind_of(lowering: Lowering, variable: Variable) -> TypedList:
    """What a result is to be; it has locals of its own."""
    made = lowering.entering(variable)
    assert isinstance(made, TypedList)
    return made


# Reading.


def count(lowering: Lowering, step: Step) -> None:
    """`len(xs)`, as it is now."""
    made = lowering.local(INT)
    lowering.assign([made], [lowering.typed_of(step.inputs[0]).length])
    lowering.give(step, made)


def get(lowering: Lowering, step: Step) -> None:
    """`xs[i]`, and `xs[a:b]`."""
    xs, (part,) = lowering.typed_of(step.inputs[0]), step.node.attributes["index"]
    (variable,), dynamic = step.outputs, step.inputs[1:]
    if not isinstance(part, slice):
        lowering.values[variable] = load(
            lowering, xs, place_of(lowering, step, dynamic)
        )
        return
    first, size, by = sliced(lowering, part, xs.length, dynamic)
    if by != 1 or isinstance(by, Local):
        raise NotLowered("a slice of a list with a step")
    give(lowering, variable, copied(lowering, xs, first, size))


# Changing.


def changed(lowering: Lowering, step: Step) -> TypedList:
    """The list that a change is made in: the operand, or a copy of it."""
    target, variable = step.inputs[0], step.outputs[0]
    xs = lowering.typed_of(target)
    if step.in_place:
        lowering.values[variable] = xs
        lowering.join(variable, target)
        return xs
    made = copied(lowering, xs, 0, xs.length)
    give(lowering, variable, made)
    return made


def put(lowering: Lowering, step: Step) -> None:
    """`xs[i] = item`."""
    (part,) = step.node.attributes["index"]
    if isinstance(part, slice):
        raise NotLowered("a slice of a list that is set")
    at = place_of(lowering, step, step.inputs[2:])
    found = item(lowering, step.inputs[1], lowering.typed_of(step.inputs[0]))
    store(lowering, changed(lowering, step), at, found)


def append(lowering: Lowering, step: Step) -> None:
    """`xs.append(item)`."""
    found = item(lowering, step.inputs[1], lowering.typed_of(step.inputs[0]))
    exit = lowering.exit()
    _append(lowering, changed(lowering, step), found, exit)


def _append(lowering: Lowering, xs: TypedList, found: Operand, exit: Exit) -> None:
    kept = (xs.data, xs.length, xs.room)
    args = (xs.object, *kept, found)
    outs = tuple(one for one in kept if isinstance(one, Local))
    kind = machine_type(xs.dtype)
    made = Instruction("typed_append", outs, args, exit=exit, type=kind)
    lowering.block.instructions.append(made)


def insert(lowering: Lowering, step: Step) -> None:
    """`xs.insert(at, item)`: before the first, or after the last, if beyond them."""
    xs = lowering.typed_of(step.inputs[0])
    index = index_of(lowering, Input(0), [step.inputs[1]])
    if index is None:
        raise NotLowered("a place in a list that is no int")
    found = item(lowering, step.inputs[2], xs)
    at = cut(lowering, index, xs.length)
    behind = lowering.compute("sub", INT, xs.length, at, type=INT)
    exit = lowering.exit()
    xs = changed(lowering, step)
    # So there is room for one more.
    _append(lowering, xs, found, exit)
    after = lowering.compute("add", INT, at, 1, type=INT)
    to, symbol = address(lowering, xs, after), str(xs.dtype.itemsize)
    lowering.emit("typed_move", to, address(lowering, xs, at), behind, symbol=symbol)
    store(lowering, xs, at, found)


def delete(lowering: Lowering, step: Step) -> None:
    """`del xs[at]`."""
    (part,) = step.node.attributes["index"]
    if isinstance(part, slice):
        raise NotLowered("a slice of a list that is deleted")
    at = place_of(lowering, step, step.inputs[1:])
    _cut(lowering, changed(lowering, step), at)


def reverse(lowering: Lowering, step: Step) -> None:
    """`xs.reverse()`."""
    xs = changed(lowering, step)
    half = lowering.compute("ashr", INT, xs.length, 1, type=INT)
    index = lowering.local(INT)

    def exchange() -> None:
        behind = lowering.compute("sub", INT, xs.length, index, type=INT)
        other = lowering.compute("sub", INT, behind, 1, type=INT)
        first, last = load(lowering, xs, index), load(lowering, xs, other)
        store(lowering, xs, index, last.parts[0])
        store(lowering, xs, other, first.parts[0])

    body = lowering.within(exchange)
    lowering.emit("for", index, half, blocks=(body,))


def pop(lowering: Lowering, step: Step) -> None:
    """`xs.pop(at)`: the list, and the item."""
    found = lowering.typed_of(step.inputs[0])
    at = _within(lowering, found, Input(0), step.inputs[1:])
    taken = load(lowering, found, at)
    _cut(lowering, changed(lowering, step), at)
    lowering.values[step.outputs[1]] = taken


def _cut(lowering: Lowering, xs: TypedList, at: Operand) -> None:
    assert isinstance(xs.length, Local)
    if at == 0 and not isinstance(at, Local):
        _behead(lowering, xs)
        return
    symbol, inside = str(xs.dtype.itemsize), (xs.data, at, xs.length)
    made = Instruction("typed_cut", (xs.length,), inside, symbol=symbol)
    lowering.block.instructions.append(made)


def _behead(lowering: Lowering, xs: TypedList) -> None:
    """Without the first item: the list begins behind it, so nothing moves."""
    kept = (xs.data, xs.length, xs.room)
    outs = tuple(one for one in kept if isinstance(one, Local))
    symbol = str(xs.dtype.itemsize)
    made = Instruction("typed_behead", outs, kept, symbol=symbol)
    lowering.block.instructions.append(made)


# Looking for ints.


def find(lowering: Lowering, step: Step) -> None:
    """`x in xs`, `xs.index(x)`, of an int among ints."""
    xs = lowering.typed_of(step.inputs[0])
    sought = step.node.attributes["sought"]
    one = index_of(lowering, sought[0], step.inputs[1:]) if len(sought) == 1 else None
    if one is None or xs.dtype.kind != "i":
        raise NotLowered("no int that is looked for in a list of ints")
    at = lowering.compute("typed_find", INT, xs.data, xs.length, one)
    if step.node.op.name == "list_contains":
        lowering.give(step, lowering.compute("icmp sge", BIT, at, 0, type=INT))
        return
    lowering.leave_if(lowering.compute("icmp slt", BIT, at, 0, type=INT))
    lowering.give(step, at)


# Making.


def make(lowering: Lowering, step: Step) -> None:
    """`[a, b]`."""
    (variable,), size = step.outputs, len(step.inputs)
    kind = kind_of(lowering, variable)
    items = [item(lowering, one, kind) for one in step.inputs]
    made = lowering.new_typed(kind.dtype, size, max(size, ROOM), lowering.exit())
    for place, one in enumerate(items):
        store(lowering, made, place, one)
    give(lowering, variable, made)


def whole_items(lowering: Lowering, step: Step) -> None:
    """The items of one list, in a list of its own."""
    if len(step.inputs) != 1 or step.node.attributes["item"] != Input(0):
        raise NotLowered("items of several parts")
    xs = lowering.typed_of(step.inputs[0])
    give(lowering, step.outputs[0], copied(lowering, xs, 0, xs.length))


def placeholder(lowering: Lowering, step: Step) -> None:
    """A list that nobody looks at: an empty one."""
    (variable,) = step.outputs
    dtype = kind_of(lowering, variable).dtype
    give(lowering, variable, lowering.new_typed(dtype, 0, ROOM, lowering.exit()))


def repeat(lowering: Lowering, step: Step) -> None:
    """`xs * n`: of one item that is known the item so often."""
    source, (variable,) = step.inputs[0], step.outputs
    xs = lowering.typed_of(source)
    found = index_of(lowering, Input(0), [step.inputs[1]])
    if found is None:
        raise NotLowered("a list taken so many times as no int says")
    times = lowering.compute("smax", INT, found, 0, type=INT)
    known = _only_item(source)
    size = times
    if known is None:
        inside = times, xs.length
        size = lowering.compute("smul", INT, *inside, exit=lowering.exit())
    lowering.leave_if(lowering.compute("icmp ugt", BIT, size, MOST, type=INT))
    made = lowering.new_typed(xs.dtype, size, size, lowering.exit())
    if known is None:
        turn = partial(_again, lowering, xs, made)
    else:
        value = item(lowering, known, xs)
        turn = partial(store, lowering, made, item=value)
    index = lowering.local(INT)
    body = lowering.within(lambda: turn(at=index))
    lowering.emit("for", index, times, blocks=(body,))
    give(lowering, variable, made)


def _again(lowering: Lowering, xs: TypedList, made: TypedList, at: Local) -> None:
    first = lowering.compute("mul", INT, at, xs.length, type=INT)
    to, symbol = address(lowering, made, first), str(xs.dtype.itemsize)
    lowering.emit("typed_move", to, xs.data, xs.length, symbol=symbol)


def _only_item(variable: Variable) -> Variable | None:
    """The one item that a list is made of."""
    step = variable.home.steps[variable.index] if variable.index >= 0 else None
    if step is None or step.node.op.name != "list_of" or len(step.inputs) != 1:
        return None
    return step.inputs[0]


_ROWS: dict[str, Lower] = {
    "list_len": count,
    **{"list_get": get, "tuple_get": get},
    "list_set": put,
    "list_append": append,
    "list_pop": pop,
    **{"deque_pop": pop, "deque_set": put, "deque_delete": delete},
    "list_insert": insert,
    "list_delete": delete,
    "list_reverse": reverse,
    "list_contains": find,
    "list_index": find,
    "list_of": make,
    "list_zip": whole_items,
    "list_repeat": repeat,
    "placeholder": placeholder,
}
OF_TYPED_LISTS.update(_ROWS)
