"""methods: what a class has for Python's own calls (`__setattr__`, `__init__`)."""

from __future__ import annotations

from types import MethodDescriptorType, NoneType, WrapperDescriptorType
from typing import Any

_OF_C = (WrapperDescriptorType, MethodDescriptorType, NoneType)


def is_users(method: Any) -> bool:
    """Whether it runs code in Python, decorated or not; False for None, too.

    >>> is_users(object.__setattr__), is_users(None), is_users(lambda self: None)
    (False, False, True)
    """
    return type(method) not in _OF_C
