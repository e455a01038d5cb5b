"""Written: which nodes give the content that an array is given at once.

`x += y` makes the value `x + y` and writes it. The node remembers that, for a run that
writes it into the memory of x does what Python does, also where something fails later.
And which nodes fail where they are: what is read again when an array was written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

import numpy as np

from runtime.build import Frame
from runtime.effects import FAILS_THERE
from runtime.errors import OnlyPythonError, located
from runtime.failing import may_fail_at
from runtime.graph import STORED, Value
from runtime.structs import replace

if TYPE_CHECKING:
    from runtime.tensor import Tensor


def note_written(frame: Frame, before: Value, after: Value) -> None:
    """Note that an array has changed from one value to another just now."""
    at, before = _last(frame), frame.use(before)
    if at is None:
        return
    node = frame.nodes[at]
    places = [place for place, one in enumerate(node.inputs) if one is before]
    if node.outputs == (after,) and places:
        frame.nodes[at] = replace(node, into=places[0])


def note_stored(frame: Frame, content: Value) -> bool:
    """Note that `content`, made just now, is given to an array at once, as its `out`.

    returns: whether it can be
    """
    at = _last(frame)
    if at is None or frame.nodes[at].outputs != (content,):
        return False
    node = frame.nodes[at]
    can_be = isinstance(node.op.numpy, np.ufunc) or node.op.out
    can_be = can_be or node.op.name == "array_power"  # one of several ufuncs
    if can_be:
        frame.nodes[at] = replace(node, into=STORED)
    return can_be


def note_copies(frame: Frame, made: Tensor) -> Tensor:
    """Note that the reshape made last, which is given, copies as its array lies."""
    at = _last(frame)
    if at is not None and frame.nodes[at].outputs == (made._value,):
        node = frame.nodes[at]
        frame.nodes[at] = replace(node, attributes={**node.attributes, "copies": True})
    return made


def let_go(frame: Frame, made: Value) -> None:
    """Let the node made last be dropped, which gives this, though it may fail in a try.

    Nobody uses what it gives: another one gives it, and fails as it would.
    """
    at = _last(frame)
    if at is not None and frame.nodes[at].outputs == (made,):
        frame.nodes[at] = replace(frame.nodes[at], guards=frozenset())


def refuse_half_written(frame: Frame) -> None:
    """Refuse a change under `np.errstate(all="raise")` that a handler may see.

    OnlyPythonError: NumPy raises when it has written the whole array, and a node that
    fails has written nothing
    """
    if frame.trace.floats_raise and frame.trace.is_handled():
        words = "an array is changed where NumPy may raise, and a try goes on after it"
        raise located(OnlyPythonError(words), "Make a new array instead.")


def is_made_of(frame: Frame, before: Value) -> bool:
    """Whether the node that was made last has this value among its inputs."""
    at, before = _last(frame), frame.use(before)
    return at is not None and before in frame.nodes[at].inputs


def _last(frame: Frame) -> int | None:
    """The place of the node that was made last, constants left out."""
    at = len(frame.nodes) - 1
    while at >= 0 and frame.nodes[at].op.name == "constant":
        at -= 1
    return None if at < 0 else at


def keep_failing(frame: Frame, taken: Value) -> None:
    """Let the run fail where a view is taken that cannot be, also if nobody uses that.

    It is read once more, of what its array is now, which comes too late to fail.
    """
    of: Frame | None = frame
    while of is not None and not of.owns(taken):
        of = of.parent
    nodes = of.nodes if of else []
    for at in reversed(range(len(nodes))):
        if taken in nodes[at].outputs:
            if not nodes[at].effects and may_fail_at(nodes, at):
                nodes[at] = replace(nodes[at], guards=FAILS_THERE)
            return


def refuse_write(frame: Frame, array: Tensor) -> None:
    """OnlyPythonError: what fails has been written in part, or nobody would see it.

    An array of texts that plain NumPy has made in the trace stays plain, since what it
    holds may be a key while tracing; and operators read it as it was.
    """
    refuse_half_written(frame)
    dtype = array._value.spec.dtype
    if dtype is None or dtype.kind not in "SU":
        return
    for _, made, captured in frame.trace.arrays.values():
        if made is array and captured is None:
            refuse_plain()


def refuse_plain() -> NoReturn:
    """OnlyPythonError: what a run knows is to go into an array that stays plain."""
    words = "an array of texts that the function has made is changed"
    hint = "Pass the array, or make a list of the texts."
    raise located(OnlyPythonError(words), hint)
