"""Writing stores, and the ufuncs whose result goes into memory that there is."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib.array_utils import byte_bounds

from runtime.backends.numpy import reuse
from runtime.backends.numpy.lowerings import (
    LIST_STATEMENTS,
    STATEMENTS,
    call_text,
    called_text,
    copy_text,
    place_text,
)
from runtime.backends.numpy.naming import Target
from runtime.backends.numpy.program import Body, Step, Variable
from runtime.ops.places import put_back as put_part

if TYPE_CHECKING:
    from runtime.backends.numpy.emit import Writer

Wanted = dict[Variable, Target]


def write_store(writer: Writer, body: Body, step: Step, wanted: Wanted) -> None:
    """A statement that changes an array, or a copy of it."""
    target, *others = step.inputs
    if step.there:
        _name_made(writer, step, target.name, wanted)
        return
    if step.moved:
        _move(writer, step, wanted)
        return
    if not target.spec.shape:
        _write_without_dims(writer, body, step, wanted)
        return
    if step.lent and step.in_place:
        _put_back(writer, step, wanted)
        return
    content = _content(writer, step)
    made = target.name if step.in_place else _copy(writer, step, wanted)
    names = [made, content, *(variable.name for variable in others[1:])]
    statement = STATEMENTS[step.node.op.name](step, names, writer.bind)
    writer.write_step(statement, step)
    _name_made(writer, step, made, wanted)


def _write_without_dims(writer: Writer, body: Body, step: Step, wanted: Wanted) -> None:
    """A store into what is perhaps a scalar, which has no items to set.

    An array is made of it; what a number of NumPy's is, in the user's own line, which
    a warning names.
    """
    target, *others = step.inputs
    spec = target.spec
    known = spec.dtype is not None and spec.dtype.kind in "biufc" and not spec.kinds
    if step.node.op.name != "store" or spec.shape is None or spec.weak or not known:
        writer.plain(body, step, wanted)
        return
    made = writer.output(step.outputs[0], {})
    writer.write_step(f"{made} = {writer.bind('array', np.array)}({target.name})", step)
    names = [made, *(variable.name for variable in others)]
    writer.write_step(STATEMENTS["store"](step, names, writer.bind), step)


def write_changed(writer: Writer, body: Body, step: Step, wanted: Wanted) -> None:
    """A call that changes an array, or a copy of it, in the user's own line.

    That is the one which NumPy's warnings name.
    """
    target, *others = step.inputs
    if not target.spec.shape:
        writer.plain(body, step, wanted)
        return
    made = target.name if step.in_place else _copy(writer, step, wanted)
    names = [made, *(variable.name for variable in others)]
    text = called_text(step, names, writer.bind)
    text = text or call_text(step, step.node.op.into, names, writer.bind)
    writer.write_step(text, step)
    _name_made(writer, step, made, wanted)


def write_part(writer: Writer, body: Body, step: Step, wanted: Wanted) -> None:
    """A statement that puts a part where it lies, which the run may say."""
    if step.lent and step.in_place and step.node.op.name == "with_part":
        name, content = (variable.name for variable in step.inputs)
        place = f"{name}.{step.node.attributes['part']}"
        put_back_ = writer.bind("put_back", put_back)
        writer.write_step(f"{put_back_}({place}, {content})", step)
        _name_made(writer, step, name, wanted)
        return
    if not step.there:
        writer.plain(body, step, wanted)
        return
    if step.node.op.name == "with_part_at":
        # What does not lie in equal steps has been taken as a copy.
        names = ", ".join(variable.name for variable in step.inputs)
        writer.write_step(f"{writer.bind('put_part', put_part)}({names})", step)
    _name_made(writer, step, step.inputs[0].name, wanted)


def _put_back(writer: Writer, step: Step, wanted: Wanted) -> None:
    """A store of what lies there already, unless a level has made it anew."""
    names = [variable.name for variable in step.inputs]
    place = place_text(step, names, writer.bind)
    put_back_ = writer.bind("put_back", put_back)
    writer.write_step(f"{put_back_}({place}, {names[1]})", step)
    _name_made(writer, step, names[0], wanted)


def put_back(place: Any, content: Any) -> None:
    """`place[...] = content`, where that is not the same memory in the same order."""
    here, there = place.__array_interface__, content.__array_interface__
    if any(here[one] != there[one] for one in ("data", "strides", "shape")):
        place[...] = content.copy() if np.may_share_memory(place, content) else content


def _move(writer: Writer, step: Step, wanted: Wanted) -> None:
    """A store of all that an array holds: what is stored is the result."""
    target, content = (variable.name for variable in step.inputs[:2])
    if not reuse.lies_in_order(step.inputs[1]):
        like = writer.bind("lying_like", lying_like)
        writer.write_step(f"{content} = {like}({target}, {content})", step)
    _name_made(writer, step, content, wanted)


def lying_like(target: Any, content: Any) -> Any:
    """An array of the content that lies in memory as `target`, which it is stored in.

    It is the content itself where both lie in C order, without gaps.
    """
    if target.flags.c_contiguous and content.flags.c_contiguous:
        return content
    made = np.array(target)
    made[...] = content
    return made


def _content(writer: Writer, step: Step) -> str:
    """What is stored; of memory where it is stored, what NumPy makes of it there."""
    content = step.inputs[1].name
    if step.in_place or step.node.op.name != "store" or not step.overlaps:
        return content
    names = [step.inputs[0].name, content, *(one.name for one in step.inputs[2:])]
    place = place_text(step, names, writer.bind)
    made = writer.fresh("stored")
    stored = writer.bind("as_stored", as_stored)
    writer.write_step(f"{made} = {stored}({place}, {content})", step)
    return made


def as_stored(place: Any, content: Any) -> Any:
    """What `place` holds after `place[...] = content`, which leaves it as it is.

    NumPy goes through two arrays of one dim one by one, though they may overlap.
    """
    if type(content) is not np.ndarray or content.ndim == 0 or place.ndim != 1:
        return content
    if not np.may_share_memory(place, content):
        return content
    bounds = [byte_bounds(place), byte_bounds(content)]
    low, high = min(one[0] for one in bounds), max(one[1] for one in bounds)
    memory = (ctypes.c_byte * (high - low)).from_address(low)
    copied = bytearray(memory)
    made, read = (
        np.ndarray(
            *(one.shape, one.dtype, copied),
            offset=one.__array_interface__["data"][0] - low,
            strides=one.strides,
        )
        for one in (place, content)
    )
    made[...] = read
    return made


def write_list_change(writer: Writer, body: Body, step: Step, wanted: Wanted) -> None:
    """A statement that changes a list, as Python writes it; a copy by its kernel."""
    if not step.in_place:
        writer.plain(body, step, wanted)
        return
    names = [variable.name for variable in step.inputs]
    statement = LIST_STATEMENTS[step.node.op.name](step, names, writer.bind)
    writer.write_step(statement, step)
    _name_made(writer, step, names[0], wanted)


def _copy(writer: Writer, step: Step, wanted: Wanted) -> str:
    """Copy the array that is changed; the name of the copy."""
    (target, *others), (result,) = step.inputs, step.outputs
    name = wanted[result][0] if result in wanted else None
    read = [variable.name for variable in others]
    made = writer.name(result, None if name in read else name)
    writer.write_step(f"{made} = {copy_text(target, writer.bind)}", step)
    return made


def write_into(writer: Writer, step: Step, wanted: Wanted) -> None:
    """A step that writes its result into memory that there is."""
    names = [variable.name for variable in step.inputs]
    target = step.into
    if target is None:
        assert step.stored is not None
        named = [variable.name for variable in step.stored.inputs]
        place = place_text(step.stored, named, writer.bind)
        name = writer.name(step.outputs[0])
        made = reuse.call(step, names, place, writer.bind)
        writer.write_step(f"{name} = {made}", step)
        return
    if step.in_order:
        made = reuse.text_in_order(step, names, writer.bind)
        writer.write_step(f"{target.name} = {made}", step)
    else:
        writer.write_step(reuse.text(step, names, writer.bind), step)
    _name_made(writer, step, target.name, wanted)


def _name_made(writer: Writer, step: Step, made: str, wanted: Wanted) -> None:
    """Name the result, which is the array that has the name `made`."""
    (result,) = step.outputs
    name = wanted[result][0] if result in wanted else None
    # Another value may be made under this name while the result is in use.
    if name is None and (result.name == made or not writer.targets[made]):
        name = made
    name = writer.name(result, name)
    if name != made:
        writer.write_step(f"{name} = {made}", step)
