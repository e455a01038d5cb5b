"""Names that hold nothing: UNDEFINED while tracing, Maybe when the run decides.

A name that only one path sets is carried as a Maybe: its content and a staged flag. The
flag is looked at when, and only when, the name is read; then Python's own
UnboundLocalError (or NameError, of a name of a function around) is raised at the
user's line.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.errors import unbound
from runtime.ops import world
from runtime.structs import struct


class Undefined:
    """The type of UNDEFINED: the name is not bound to anything."""

    def __repr__(self) -> str:
        return "<undefined>"


UNDEFINED = Undefined()


@struct
class Maybe:
    """A name that is bound only if `defined`, a staged bool, is true when it runs."""

    content: Any
    defined: Any


def load(read: Callable[[], Any], name: str, free: bool = False) -> Any:
    """The content of a name that may be unbound, or Python's NameError.

    free: the name belongs to a function around the one that reads it
    """
    try:
        content = read()
    except NameError as error:
        if isinstance(error, UnboundLocalError) or error.name != name:
            raise
        content = UNDEFINED  # raised where this one is handled no more
    if isinstance(content, Maybe):
        return certain(content, name, free)
    if content is UNDEFINED:
        raise unbound(name, free)
    return content


def without_flag(content: Any) -> Any:
    """The content of a name that is bound on every path that gets here."""
    return content.content if isinstance(content, Maybe) else content


def load_or_undefined(read: Callable[[], Any]) -> Any:
    """The content of a name, UNDEFINED when it is unbound."""
    try:
        return read()
    except NameError:
        return UNDEFINED


def certain(maybe: Maybe, name: str, free: bool = False) -> Any:
    """The content, once a check has run that raises where the name is unbound.

    The check is an effect: reading an unbound name is Python's error, not an op's, so
    it is raised also where the content is not used.
    """
    world.require_defined(maybe.defined, name=name, free=free)
    return maybe.content
