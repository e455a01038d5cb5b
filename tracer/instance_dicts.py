"""instance_dicts: the `__dict__` of an object, which is its attributes by another way.

A change of one key is the change of an attribute. What a method does to several at once
is seen where no branch is around it.
"""

from __future__ import annotations

from typing import Any

from runtime import build
from runtime.build import Frame
from runtime.errors import StagingTypeError, located
from tracer.undefined import Maybe


def dict_of(owner: Any) -> dict[str, Any]:
    """`owner.__dict__`; TypeError: which attributes there are depends on data."""
    held: dict[str, Any] = owner.__dict__
    frame = build.current()
    if frame is not None and type(held) is dict:
        frame.trace.dicts[id(held)] = (held, owner)
        owner_of(held)
    return held


def owner_of(held: Any) -> Any:
    """The object whose `__dict__` this is; None for other things."""
    frame = build.current()
    known = None if frame is None else frame.trace.dicts.get(id(held))
    if known is None:
        return None
    if any(type(part) is Maybe for part in held.values()):
        raise _refused(known[1], "is asked for where it depends on data")
    return known[1]


def require_constant(frame: Frame, container: Any) -> None:
    """Refuse a change of an object's attributes that is none of one attribute's."""
    owner = owner_of(container)
    if owner is None or frame.parent is None:
        return
    made = frame.trace.created.get(id(owner))
    if made is None or made[1] is not frame:
        raise _refused(owner, "is changed in a branch or loop that depends on data")


def _refused(owner: Any, why: str) -> BaseException:
    shown = type(owner).__name__
    return located(
        StagingTypeError(f"the `__dict__` of a {shown} {why}"),
        "Use getattr, setattr and hasattr, or keep a dict of its own.",
    )
