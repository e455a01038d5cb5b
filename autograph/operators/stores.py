"""Items and attributes: what converted subscripts, stores and `op=` call.

A store of a tensor into an object is noted, so that one that outlives the trace is
refused at its line.
"""

from __future__ import annotations

import operator
from collections import defaultdict, deque
from collections.abc import Callable
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from autograph.operators import attributes, dicts, indices, keys, lists, plain_writes
from autograph.operators.items import is_mixed
from autograph.operators.iterators import require_items_here
from autograph.operators.library_calls import as_it_is
from autograph.operators.lists import LISTS
from autograph.operators.registry import (
    Staging,
    staging_of,
    staging_of_any,
    staging_of_key,
)
from autograph.operators.slots import call, slot
from autograph.operators.tensors import TENSORS
from autograph.operators.updated import is_array, update
from runtime import build, foreign
from runtime.errors import PythonTypeError, located
from runtime.methods import is_users
from runtime.numpy_api import host, library
from runtime.numpy_api import views as numpy_views
from runtime.numpy_api.asking import raise_as_python
from runtime.tensor import Tensor, tensor
from tracer import captures, instance_dicts, leaks, places, random_calls, tree
from tracer.choice import Choice, varying
from tracer.dict_objects import is_keyed
from tracer.grown_keys import grows
from tracer.list_objects import is_staged
from tracer.managed import is_managed
from tracer.picking import each
from tracer.raising import sure
from tracer.varied import with_each


class _Key:
    """`key[a:b, ...]` is the key that a subscript with these slices passes."""

    def __getitem__(self, item: Any) -> Any:
        return item


key = _Key()


def get_item(of: Any, at: Any) -> Any:
    """`of[at]`."""
    of = _held(captures.borrow(of))
    instance_dicts.owner_of(of)
    function = slot(type(of), "__getitem__")
    if function is not None:
        return captures.borrow(call(function, of, at))
    at = indices.of_key(of, at)
    if (found := keys.read(of, at, partial(get_item, of))) is not None:
        return found[0]
    if type(of) is list or is_staged(of):
        staging = _of_list(of, at)
    elif type(of) is tuple and type(at) is Tensor and is_mixed(of):
        staging = LISTS
    else:
        staging = _of_several(of) or _of_key(of, at)
    if staging is TENSORS and library.is_plain_object(of):
        return library.item(of, at)
    if staging is not None:
        return staging.get_item(of, at)
    if type(at) is slice and type(of) in places.CONTAINERS:
        return places.created(of[at])
    missing = slot(type(of), "__missing__") if isinstance(of, dict) else None
    if missing is not None and at not in of:
        return call(missing, of, at)
    if isinstance(of, defaultdict) and at not in of:
        return places.created(places.watched(operator.getitem, (of, at)))
    return _plain_item(of, at)


def _plain_item(of: Any, at: Any) -> Any:
    """What Python finds there."""
    # `np.r_[...]` and its like make arrays; what others hold is theirs.
    is_numpys = type(of).__module__.partition(".")[0] == "numpy"
    makes = is_numpys and not isinstance(of, np.ndarray)
    if makes:
        return captures.made(of[at])
    is_sure = type(of) in places.CONTAINERS and not tree.holds_tensor(at)
    return captures.borrow(sure(operator.getitem, of, at) if is_sure else of[at])


def _held(of: Any) -> Any:
    """A library's object from outside, which each run asks, as its tensor."""
    return host.held(of) if places.tracing() and foreign.is_object(of) else of


def get_attr(of: Any, *names: str) -> Any:
    """`of.a.b`: the tensor that stands for it where it is an array of the user's.

    So is what an attribute is asked of: `of.a.T` of an array that the call has changed.
    """
    for name in names:
        of = captures.borrow(attributes.read(of, name))
    return of


def _goes_into(of: Any, at: Any, value: Any) -> bool:
    """Whether a list is given the items of `value`, which can be gone through here."""
    into_list = type(of) is list and type(at) is slice
    if into_list:
        require_items_here(value)
    return into_list


def _is_changed_as_list(of: Any) -> bool:
    kind = type(of)
    return kind is list or (kind is deque and is_staged(of))


def _of_list(of: Any, at: Any) -> Staging | None:
    """Who gets or sets an item of a list: the key alone may depend on data."""
    staging = staging_of(of) or staging_of_any(at)
    return LISTS if staging is TENSORS else staging


def _of_key(of: Any, at: Any) -> Staging | None:
    if not isinstance(of, dict):
        return staging_of_any(at)
    staging = staging_of_key(at)
    # By a number the constant keys are tried, one by one.
    tried = not isinstance(of, defaultdict) and type(at) is not tuple
    if is_keyed(of) or (_is_of_run(of, staging) and not tried):
        return LISTS
    return staging


def _is_of_run(of: Any, staging: Staging | None) -> bool:
    """True for a key of the run, of a dict that may have such keys."""
    return staging is TENSORS and dicts.can_be_keyed(of)


def _grows(of: Any, at: Any, value: Any) -> bool:
    """True for a dict that a branch or turn gives a key of numbers that it may lack."""
    return dicts.can_be_keyed(of) and grows(of, at, chain(of.values(), (value,)))


def _of_several(of: Any) -> Staging | None:
    """How something is staged that is, or holds, one of several things."""
    several = type(of) is Choice or varying(of) is not None
    return staging_of(of) if several else None


def set_item(value: Any, of: Any, at: Any) -> None:
    """`of[at] = value`."""
    if varying(of) is not None:
        with_each(of, lambda: set_item(value, of, at))
        return
    if type(of) is Choice:
        each(of, lambda option: set_item(value, option, at))
        return
    if keys.written(of, at, partial(set_item, value, of)):
        return
    function = slot(type(of), "__setitem__")
    if function is not None:
        call(function, of, at, value)
        return
    at = indices.of_key(of, at)
    into_list = _goes_into(of, at, value)
    if type(value) is Choice and (into_list or isinstance(of, (np.ndarray, Tensor))):
        each(value, lambda option: set_item(option, of, at))
        return
    plain_writes.refuse_store(of, (at, value))
    of = _held(of)
    plain_array = isinstance(of, np.ndarray)
    staging = staging_of_any(value, at) if plain_array else _of_key(of, at)
    if _is_of_run(of, staging) or _grows(of, at, value):
        staging = LISTS
    if _is_changed_as_list(of):
        fills = type(at) is slice and is_staged(value)
        staging = LISTS if fills else _of_list(of, at)
    if staging is not None or (plain_array and places.tracing()):
        (staging or TENSORS).set_item(value, of, at)
        return
    if (owner := instance_dicts.owner_of(of)) is not None:
        _require_plain(owner, at)
        set_own(owner, at, value)
        return
    _set_plainly(value, of, at)


def _require_plain(owner: Any, name: Any) -> None:
    """PythonTypeError: an object keeps this under a property's name, which is asked."""
    if is_managed(type(owner), name):
        kind = type(owner).__name__
        raise located(
            PythonTypeError(f"`{kind}.{name}` is a property, and kept under its name"),
            f"Keep it under another one (`_{name}`).",
        )


def _set_plainly(value: Any, of: Any, at: Any) -> None:
    is_known = isinstance(of, places.CONTAINERS)
    if not is_known or is_users(type(of).__setitem__):  # a library's
        as_it_is(places.watched, operator.setitem, (of, at, value), {})
        return
    places.changing_item(of, at)
    leaks.note_store(value, f"{_item_words(at)} of a {type(of).__name__}")
    of[at] = value


# What says what it is without asking code of the user's.
_SAYS = (int, float, complex, str, bytes, type(None))


def _item_words(at: Any) -> str:
    parts = at if type(at) is tuple else (at,)
    if all(type(part) in _SAYS for part in parts):
        return f"item {at!r}"
    return f"the item by a {type(at).__name__}"


def set_attr(value: Any, of: Any, name: str) -> None:
    """`of.name = value`."""
    if type(of) is Choice:
        each(of, lambda option: set_attr(value, option, name))
        return
    of = _held(of)
    if type(of) is Tensor or is_array(of):
        numpy_views.set_attribute(tensor(of), name, value)
        return
    if name == "state" and random_calls.is_bits(of):
        random_calls.set_state(of, value)
        return
    change = attributes.setter(of, name, value)
    if change is not None:
        change()
        return
    _require_other(of, name, value)
    leaks.note_store(value, f"`{type(of).__name__}.{name}`")
    attributes.change(of, name, instance_dicts.put, value)


def _require_other(owner: Any, name: str, value: Any) -> None:
    """PythonTypeError: an attribute gets the very object that the class gives for it.

    Put back as one that only the class has, it would be let go.
    """
    slot = places.AttributeSlot(owner, name)
    if build.current() is None or not slot.may_inherit():
        return
    if slot.get() is value and not slot.is_own():
        raise located(
            PythonTypeError(f"{slot} is given what its class holds under this name"),
            "Give the object one of its own before the decorated function is called.",
        )


def set_own(of: Any, name: str, value: Any) -> None:
    """`object.__setattr__(of, name, value)`."""
    change = attributes.own_setter(of, name, value)
    if change is None:
        leaks.note_store(value, f"`{type(of).__name__}.{name}`")
        change = partial(attributes.change, of, name, object.__setattr__, value)
    change()


def of_super(method: Any) -> Callable[..., Any] | None:
    """`super().__setattr__` and the like, where that is `object`'s; None for others."""
    own = _OWN.get(method.__name__) if method.__objclass__ is object else None
    return None if own is None else partial(own, method.__self__)


def del_own(of: Any, name: str) -> None:
    """`object.__delattr__(of, name)`."""
    plainly = partial(attributes.change, of, name, object.__delattr__)
    (attributes.own_deleter(of, name) or plainly)()


def del_item(of: Any, at: Any) -> None:
    """`del of[at]`."""
    if varying(of) is not None:
        with_each(of, lambda: del_item(of, at))
        return
    if type(of) is Choice:
        each(of, lambda option: del_item(option, at))
        return
    function = slot(type(of), "__delitem__")
    if function is not None:
        call(function, of, at)
        return
    at = indices.of_key(of, at)
    if _is_changed_as_list(of) and _of_list(of, at) is LISTS:
        lists.delete(of, at)
        return
    if is_keyed(of) or (isinstance(of, dict) and _is_of_run(of, staging_of_key(at))):
        dicts.delete(of, at)
        return
    if (owner := instance_dicts.owner_of(of)) is not None and at in of:
        del_own(owner, at)
        return
    if isinstance(of, Tensor):
        raise_as_python(operator.delitem, of, at)
    places.watched(operator.delitem, (of, at))


def del_attr(of: Any, name: str) -> None:
    """`del of.name`."""
    if type(of) is Choice:
        each(of, lambda option: del_attr(option, name))
        return
    change = attributes.deleter(of, name)
    if change is not None:
        change()
        return
    attributes.require_set(of, name)
    if not places.AttributeSlot(of, name).is_own():
        delattr(of, name)  # AttributeError, in Python's words
    attributes.change(of, name, delattr)


def to_outer(value: Any, name: str) -> Any:
    """`value`, about to be given to a global or to a variable of an outer function."""
    leaks.note_store(value, f"the outer variable `{name}`")
    return value


def update_item(of: Any, at: Any, word: str, operand: Callable[[], Any]) -> None:
    """`of[at] op= operand()`."""
    of = captures.borrow(of)
    if type(of) is Choice:
        each(of, lambda option: update_item(option, at, word, operand))
        return
    if keys.written(of, at, lambda one: update_item(of, one, word, operand)):
        return
    before = get_item(of, at)
    after = update(before, word, operand())
    if type(of) in (list, dict) and _is_changed(before, after):
        return
    if _has_known(of) and isinstance(at, Tensor) and not is_array(before):
        TENSORS.set_known(after, of, at)
        return
    set_item(before if is_array(before) else after, of, at)


def _has_known(of: Any) -> bool:
    """True for a dict of constant keys that has what has been read of it."""
    known = isinstance(of, dict) and not is_keyed(of)
    return known and not hasattr(type(of), "__missing__")


def _is_changed(before: Any, after: Any) -> bool:
    """True for an array that was changed itself: what holds it goes on holding it."""
    is_staged_array = isinstance(after, Tensor) and not after.scalar
    return is_staged_array and (after is before or is_array(before))


def update_attr(of: Any, name: str, word: str, operand: Callable[[], Any]) -> None:
    """`of.name op= operand()`."""
    if type(of) is Choice:
        each(of, lambda option: update_attr(option, name, word, operand))
        return
    before = attributes.read(of, name)
    after = update(before, word, operand())
    if _is_changed(before, after) and attributes.setter(of, name, after) is None:
        if is_array(before):
            _require_other(of, name, before)
        return
    set_attr(before if is_array(before) else after, of, name)


_OWN: dict[str, Callable[..., None]] = {"__setattr__": set_own, "__delattr__": del_own}
