"""containers: the caller's lists, dicts and dataclasses, which a function may change.

A trace sees placeholders of them. What it leaves in one, if it changed it, is put into
the caller's own at the end of each call; one that it returns is returned itself.
"""

from __future__ import annotations

import collections
from collections.abc import Iterable, Sequence, Set
from typing import Any

import numpy as np

from runtime.records import is_record
from tracer import plain, tree
from tracer.choice import Choice, Varying
from tracer.telling import builtin_of, keyed, refill
from tracer.unconverted import ForConverted
from tracer.undefined import Maybe

Content = list[Any] | dict[str, Any]
_ITEMS = (list, collections.deque)
# What optree takes apart and no caller changes.
_OURS = (tuple, type(None), Choice, Varying, Maybe, ForConverted)


def found_in(arguments: Any, closed: Set[int] = frozenset()) -> list[Any]:
    """The mutable containers within arguments of one structure, in one fixed order.

    closed: ids of those that are not looked into
    """
    found: list[Any] = []
    waiting = [arguments]
    while waiting:
        thing = waiting.pop()
        children = tree.children(thing)
        if children is None:
            continue
        if is_container(thing):
            found.append(thing)
        if id(thing) not in closed:
            waiting.extend(children)
    return found


def is_container(thing: Any) -> bool:
    """True for a list, deque, dict, record or object of a registered class."""
    # Tuples do not change, and neither does what the tracer puts into containers.
    if isinstance(thing, (*_ITEMS, dict)) or is_record(type(thing)):
        return True
    return not isinstance(thing, _OURS) and plain.is_registered(type(thing))


def content_of(container: Any) -> Content:
    """What a container holds now: items in a list, keys or attributes in a dict."""
    if isinstance(container, _ITEMS):
        return [*builtin_of(container).__iter__(container)]
    if isinstance(container, dict):
        return keyed(container)
    if is_record(type(container)):
        return plain.of_record(container)
    held, slots = plain.attributes(container)
    return {**held, **slots}


def same(before: Content, after: Content) -> bool:
    """True when both hold the same objects in the same order."""
    return len(before) == len(after) and all(
        a is b for a, b in zip(_flat(before), _flat(after), strict=True)
    )


def _flat(content: Content) -> Iterable[Any]:
    if isinstance(content, list):
        return content
    return [part for pair in content.items() for part in pair]


def put(container: Any, content: Any) -> None:
    """Make the container hold `content`, as `content_of` gave it."""
    if isinstance(container, (*_ITEMS, dict)):
        refill(container, content)
    else:
        # Past a `__setattr__` of the class, which the trace has run: one of attrs
        # converts what it is given.
        held: Any = content_of(container)
        for name in held.keys() - content.keys():
            object.__delattr__(container, name)
        for name, part in content.items():
            # What its class holds by that name is not the container's own.
            if name not in held or held[name] is not part:
                object.__setattr__(container, name, part)


def empty(container: Any) -> None:
    """Make a placeholder let go of what it holds."""
    if isinstance(container, (*_ITEMS, dict)):
        builtin_of(container).clear(container)
        return
    for name in content_of(container):
        object.__setattr__(container, name, None)


def repeated(containers: list[Any]) -> bool:
    """True when one container is there twice."""
    return len(set(map(id, containers))) < len(containers)


def share_memory(leaves: Sequence[Any], outer: Sequence[Any]) -> bool:
    """Whether two arguments, or one and an outer array, may be the same memory."""
    arrays = {id(leaf): leaf for leaf in leaves if isinstance(leaf, np.ndarray)}
    distinct = list(arrays.values())
    return any(
        np.may_share_memory(a, b)
        for i, a in enumerate(distinct)
        for b in (*distinct[i + 1 :], *outer)
    )
