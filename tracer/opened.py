"""opened: what the text of is made by each run, of what is in it then.

A text shows all that its parts hold: arrays from outside, Variables, and what objects
hold that a graph does not take apart (views of dicts, classes of lists, exceptions).
These are put into a form that it does take apart, for the text alone.
"""

from __future__ import annotations

import types
from collections import ChainMap, OrderedDict, UserDict, UserList, deque
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from runtime import build
from runtime.errors import attributes_of
from runtime.ops.template import Remade
from runtime.tensor import Tensor
from runtime.variable import Shown, Variable
from tracer import captures, caught, plain
from tracer.tree import flatten_to_choices, holds_tensor, unflatten

Parts = tuple[Any, ...]


class _Endless(Exception):
    """An object holds itself."""


def opened(whole: Any, arrays: bool = True, objects: bool = False) -> Any:
    """`whole`, in a trace with what each of its parts holds at the run.

    arrays:  the user's arrays too, which hold what they hold at the run
    objects: those of the user's too, whose `__repr__` is Python's to call
    """
    if build.current() is None:
        return whole
    return _Opener(arrays, objects)(whole)


def holds_of_run(thing: Any) -> bool:
    """Whether an object's text is made by each run: it holds what is known then."""
    if holds_tensor(thing) or build.current() is None:
        return holds_tensor(thing)
    return type(_Opener(True, False).leaf(thing, ())) is Remade


class _Opener:
    def __init__(self, arrays: bool, objects: bool) -> None:
        self._arrays, self._objects = arrays, objects

    def __call__(self, whole: Any, around: tuple[int, ...] = ()) -> Any:
        """around: the ids of the objects that it is in"""
        leaves, structure = flatten_to_choices(whole)
        found = [self.leaf(leaf, around) for leaf in leaves]
        if all(one is leaf for one, leaf in zip(found, leaves, strict=True)):
            return whole
        return unflatten(structure, found)

    def leaf(self, leaf: Any, around: tuple[int, ...]) -> Any:
        """A leaf, opened if a run knows what it holds."""
        if isinstance(leaf, Variable):
            return Shown(leaf.name, leaf.value)
        if type(leaf) is Tensor and _has_no_dims(leaf):
            return Remade(np.ndarray, (leaf,))
        if type(leaf) is np.ndarray:
            return _array(leaf) if self._arrays else leaf
        if caught.tensor_of(leaf) is not None:
            return leaf
        parts = _parts_of(leaf, self._objects or bool(around))
        if parts is None:
            return leaf
        if isinstance(leaf, BaseException) and not self._arrays:
            # What is raised, and not only shown.
            parts = (*parts, *caught.links_of(leaf), leaf.__suppress_context__)
        if id(leaf) in around:
            raise _Endless
        try:
            inside = self(parts, (*around, id(leaf)))
        except _Endless:
            if around:
                raise
            return leaf
        return Remade(type(leaf), inside) if holds_tensor(inside) else leaf


def _has_no_dims(of: Tensor) -> bool:
    """True for an array without dims, which the run has as a number."""
    return not of.scalar and of.spec.shape == ()


def _array(array: Any) -> Any:
    """One of the user's, or one that was written, as the tensor that stands for it."""
    frame = build.current()
    known = frame is not None and id(array) in frame.trace.users
    return captures.borrow(array) if known else captures.as_written(array)


def _parts_of(thing: Any, objects: bool) -> Parts | None:
    """What `Remade` makes another one of; None for what shows nothing.

    objects: of the user's, too, where nothing converted makes their text
    """
    kind: Any = type(thing)
    if kind in _PARTS:
        return _PARTS[kind](thing)
    for base, parts in _OF_CLASSES.items():
        if isinstance(thing, base):
            return parts(thing)
    is_told = objects and any(getattr(kind, n) is not f for n, f in _TEXTS.items())
    return plain.attributes(thing) if is_told and plain.is_plain(kind) else None


_TEXTS = {name: vars(object)[name] for name in ("__repr__", "__str__", "__format__")}


def _of_items(base: Any) -> Callable[[Any], Parts]:
    return lambda thing: ([*base.__iter__(thing)], getattr(thing, "__dict__", {}))


def _of_dict(thing: Any) -> Parts:
    return dict(dict.items(thing)), getattr(thing, "__dict__", {})


def _of_exception(error: BaseException) -> Parts:
    return error.args, attributes_of(error)


def _of_view(kind: Any) -> Callable[[Any], Parts]:
    return lambda view: (kind(view.mapping),)


_DICTS: tuple[dict[Any, Any], ...] = ({}, OrderedDict())
_VIEWS: dict[Any, Callable[[Any], Parts]] = {
    type(view): _of_view(type(empty))
    for empty in _DICTS
    for view in (empty.keys(), empty.values(), empty.items())
}
_PARTS: dict[Any, Callable[[Any], Parts]] = {
    **_VIEWS,
    types.MappingProxyType: lambda proxy: (proxy.copy(),),
    ChainMap: lambda chain: tuple(chain.maps),
    types.SimpleNamespace: lambda space: (vars(space), {}),
    slice: lambda one: (one.start, one.stop, one.step),
    partial: lambda one: (one.func, one.args, one.keywords),
}
_OF_CLASSES: dict[type, Callable[[Any], Parts]] = {
    UserDict: lambda thing: (vars(thing), {}),
    UserList: lambda thing: (vars(thing), {}),
    dict: _of_dict,
    list: _of_items(list),
    tuple: _of_items(tuple),
    deque: _of_items(deque),
    BaseException: _of_exception,
}
