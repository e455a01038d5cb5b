"""managed: attributes that a class gives, and perhaps sets, by functions of its own.

To ask for one calls such a function, which is for the program to do, not the tracer.
"""

from __future__ import annotations

from typing import Any

from runtime.methods import is_users
from tracer.leaves import HEAP_TYPE


def is_managed(kind: type, name: str) -> bool:
    """Whether a class gives and sets an attribute by functions of the user's."""
    held = _of_class(kind, name)
    is_users = type(held) is property or type(held).__flags__ & HEAP_TYPE
    return bool(is_users and hasattr(type(held), "__set__"))


def is_computed(kind: type, name: str) -> bool:
    """Whether a class computes what its objects have not of their own.

    By a cached property, or another object with a `__get__` in Python and no `__set__`.
    """
    held: Any = type(_of_class(kind, name))
    by_users = is_users(getattr(held, "__get__", None))
    return by_users and bool(kind.__dictoffset__) and not hasattr(held, "__set__")


def _of_class(kind: type, name: str) -> Any:
    return next((vars(k)[name] for k in kind.__mro__ if name in vars(k)), None)
