"""frozen: what may not be changed any more, since a graph holds what was in it."""

from __future__ import annotations

from typing import Any

from runtime import build
from runtime.build import Frame
from runtime.errors import StagingTypeError, located
from runtime.spec import PYTHON_NUMBERS
from runtime.structs import struct
from runtime.tensor import Tensor
from tracer import containers, plain, tree
from tracer.choice import Choice
from tracer.rows import is_one, is_row, note_refusal, want_row


@struct
class Frozen:
    """Why something may not be changed, and what can be done about it.

    words: what it is
    """

    words: str
    why: str
    remedy: str


ITEM = Frozen(
    "an item of a list whose length, or a dict whose keys, depend on data",
    "what it is in would not see it",
    "Make a new item and put that in its place: `xs[i] = [...]`.",
)
SPLIT = Frozen(
    "what a loop, recursion or try may have left under two names",
    "the other one would not see it",
    "Give one of the names a copy, or make a new one instead of changing it.",
)
EQUAL = Frozen(
    "one of several equal sets, depending on data",
    "the others would change too",
    "Change a copy of it (`x = x.copy()`), or make a new one instead of changing it.",
)


def freeze(whole: Any, words: Frozen) -> None:
    """Refuse later changes of the lists, dicts and objects that `whole` is made of.

    words: what they are now, of which the graph holds the content and not the object
    """
    if isinstance(whole, (Tensor, *PYTHON_NUMBERS)):
        return
    trace = build.require_current("a list").trace
    objects = objects_in(whole)
    wholes = [whole, *(part for thing in objects for part in tree.inside(thing) or ())]
    found = (one for part in wholes for one in containers.found_in(part))
    leaves = (leaf for part in wholes for leaf in tree.flatten_to_choices(part)[0])
    sets = (leaf for leaf in leaves if type(leaf) is set)
    for container in (*found, *objects, *sets):
        if is_row(container):
            continue
        if words is ITEM and type(container) is list:
            note_refusal()
        trace.frozen[id(container)] = (container, words)


def objects_in(whole: Any) -> list[Any]:
    """The plain objects within `whole` that the trace has made."""
    known = build.require_current("an object").trace.created
    found: dict[int, Any] = {}
    waiting = [whole]
    while waiting:
        thing = waiting.pop()
        if plain.is_plain(type(thing)):
            if id(thing) not in known or id(thing) in found:
                continue
            found[id(thing)] = thing
        waiting += tree.inside(thing) or ()
    return list(found.values())


def freeze_equal(*things: Any) -> None:
    """Refuse later changes of what is taken for one thing."""
    frozen = build.require_current("a set").trace.frozen
    for thing in things:
        frozen[id(thing)] = (thing, EQUAL)


def freeze_split(whole: Any) -> None:
    """The same for what the current frame has made of an object with two names."""
    frame = build.require_current("a loop")
    waiting = [whole]
    while waiting:
        thing = waiting.pop()
        if isinstance(thing, Choice) or made_in(thing, frame):
            frame.trace.frozen[id(thing)] = (thing, SPLIT)
            waiting += tree.inside(thing) or ()


def same_object(a: Any, b: Any) -> bool:
    """`a is b`. TypeError: the graph holds only what is in one of them."""
    rows = is_one(a, b)
    if rows is not None:
        return rows
    known = _why_frozen(a) or _why_frozen(b)
    if known is not None and a is not b and type(a) is type(b):
        build.want_references()
        want_row(a)
        want_row(b)
        raise located(
            StagingTypeError(
                f"whether two names are one {type(a).__name__} is asked of "
                f"{known.words}"
            ),
            "Compare what the objects hold, or keep a flag.",
        )
    return a is b


def _why_frozen(thing: Any) -> Frozen | None:
    frame = build.current()
    known = None if frame is None else frame.trace.frozen.get(id(thing))
    return None if known is None else known[1]


def require_free(frame: Frame, thing: Any) -> None:
    """Refuse a change of what is frozen. TypeError: it is."""
    known = frame.trace.frozen.get(id(thing))
    if known is not None:
        build.want_references()
        want_row(thing)
        words: Frozen = known[1]
        said = f"this changes {words.words}: {words.why}"
        raise located(StagingTypeError(said), words.remedy)


def made_in(thing: Any, frame: Frame) -> bool:
    """True for an object that was made in `frame` itself."""
    known = frame.trace.created.get(id(thing))
    return known is not None and known[1] is frame
