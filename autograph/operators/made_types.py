"""Classes that a call makes: they are of the module that has made the call.

Python looks for it in the frame of the caller, which is one of ours.
"""

from __future__ import annotations

import sys
from collections import namedtuple
from typing import Any

from runtime.location import user_frame


def made_type(name: Any, *others: Any, **named: Any) -> Any:
    """`type(name, bases, attributes)`."""
    module = _module()
    if len(others) == 2 and type(others[1]) is dict and module is not None:
        bases, attributes = others
        # The last of them, as Python puts it.
        others = (bases, {**attributes, "__module__": module} | attributes)
    return type(name, *others, **named)


def named_tuple(typename: Any, field_names: Any, **named: Any) -> Any:
    """`collections.namedtuple`."""
    return namedtuple(typename, field_names, **{"module": _module()} | named)


def _module() -> str | None:
    frame = user_frame(sys._getframe(1))
    return None if frame is None else frame.f_globals.get("__name__")
