"""exceptions: one that a branch has made, taken apart as its parts leave the branch.

The exception itself is an object like any other, the same on every path. One whose
arguments a branch has computed cannot be: its arguments are the branch's outputs, and
what follows gets another exception, with them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import optree

from runtime import build
from runtime.errors import attributes_of, made_of, set_attributes
from runtime.tensor import Tensor
from tracer import plain, tree


class Taken:
    """An exception that is taken apart; put together it is one again."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


def taken_apart(thing: Any) -> Any:
    """An exception that holds what this frame has computed; others as they are."""
    frame = build.current()
    if not isinstance(thing, BaseException) or frame is None:
        return thing
    if id(thing) in frame.trace.caught:
        return thing
    leaves = tree.flatten((thing.args, attributes_of(thing)))[0]
    own = any(isinstance(leaf, Tensor) and leaf._frame is frame for leaf in leaves)
    return Taken(thing) if own else thing


def _split(taken: Taken) -> tuple[list[Any], tuple[Any, ...]]:
    error = taken.error
    links = error.__cause__, error.__context__, error.__suppress_context__
    return [error.args, attributes_of(error)], (type(error), *links)


def _join(kept: tuple[Any, ...], children: Iterable[Any]) -> Any:
    kind, cause, context, suppressed = kept
    args, attributes = children
    if any(isinstance(leaf, tree.Word) for leaf in tree.flatten((args, attributes))[0]):
        return tree.Word(f"{kind.__name__}(...)")
    made = made_of(kind, args)
    set_attributes(made, attributes)
    made.__cause__, made.__context__ = cause, context
    made.__suppress_context__ = suppressed
    return made


_register: Any = optree.register_pytree_node  # its types say collections only
_register(Taken, _split, _join, namespace=plain.NAMESPACE)
