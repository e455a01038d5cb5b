"""set_flat: `x.flat[key] = y`, also where y is a part of x.

NumPy copies one element by the other then, so what is read may have been written just
now. Where the two are parts of one array is asked of the places of their elements
(`runtime.places`), for each of the arrays that either may be.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import build
from runtime.errors import OnlyPythonError, located
from runtime.numpy_api.mutating import after
from runtime.ops.places import part_at
from runtime.ops.shape import ravel
from runtime.picked import Own, Pick, possible, select
from runtime.places import NoPlacesError, along, own
from runtime.spec import TensorSpec
from runtime.structs import struct
from runtime.tensor import Tensor


def set_flat(base: Tensor, key: Any, content: Any) -> Any:
    """What `base` holds after `base.flat[key] = content`, which repeats itself.

    key: None for `base.flat = content`
    OnlyPythonError: a handler would find what it has written before it fails
    """
    if key is not None and build.require_current("an array").trace.guards:
        raise located(
            OnlyPythonError("`x.flat[indices] = y` in a try writes up to what fails"),
            "Store before the `try`, or into `x.ravel()`.",
        )
    if isinstance(content, Tensor) and content is not base:
        mine = set(map(id, possible(base)))
        if any(id(one) in mine for one in possible(content)):
            return _of_part(base, key, content)
    return after(_set_flat, base, key, content)


def _set_flat(x: Any, key: Any, content: Any) -> None:
    if key is None:
        x.flat = content  # which copies some parts of x first, unlike the other
    else:
        x.flat[key] = content


def _of_part(base: Tensor, key: Any, content: Tensor) -> Any:
    whole = base._view.base if base._view is not None and base._view.flat else base
    try:
        to, of = _lying(whole), _lying(content)
    except NoPlacesError:
        build.want_references()
        raise located(
            OnlyPythonError("`.flat` of an array is given a part of it"),
            "Copy that part first (`y.copy()`).",
        ) from None
    build.require_current("an array").trace.asks_layout = True
    made = _stored(to, of, key, after(_set_flat, whole, key, content))
    return made if whole is base else ravel(made)


@struct
class _In:
    """The array that something is a part of, and where in it that lies."""

    root: Tensor
    at: Tensor
    spec: TensorSpec


@struct
class _Either:
    """It is a part of one of two arrays, depending on data."""

    predicate: Tensor
    then: _Lies
    orelse: _Lies


_Lies = _In | _Either


def _lying(tensor: Tensor) -> _Lies:
    """Where a tensor lies. NoPlacesError: nobody can tell."""
    root = tensor.root
    if tensor.spec.dtype != root.spec.dtype:
        raise NoPlacesError
    found = _own(root) if root._pick is None else _of_pick(root._pick, root)
    return _moved(found, tensor)


def _own(root: Tensor) -> _In:
    if root.layout is not None or (root.sources and root._pick is None):
        raise NoPlacesError
    return _In(root, own(root), root.spec)


def _of_pick(pick: Pick, root: Tensor) -> _Either:
    found = [
        _of_pick(side, root)
        if isinstance(side, Pick)
        else _own(root)
        if isinstance(side, Own)
        else _lying(side)
        for side in pick.sides
    ]
    return _Either(pick.predicate, *found)


def _moved(lies: _Lies, part: Tensor) -> _Lies:
    """Where a part lies, whose root does so."""
    if isinstance(lies, _In):
        return _In(lies.root, along(part, lies.at), part.spec)
    then, orelse = (_moved(side, part) for side in (lies.then, lies.orelse))
    return _Either(lies.predicate, then, orelse)


def _stored(to: _Lies, of: _Lies, key: Any, apart: Tensor) -> Tensor:
    """What is at `to` afterwards; `apart` if that and `of` are in two arrays."""
    for which in (to, of):
        if isinstance(which, _Either):
            pairs = [
                (side, of) if which is to else (to, side)
                for side in (which.then, which.orelse)
            ]
            then, orelse = (_stored(*pair, key, apart).value for pair in pairs)
            chosen = select(which.predicate.value, then, orelse)
            return Tensor(chosen, scalar=False)
    assert isinstance(to, _In)
    assert isinstance(of, _In)
    if to.root is not of.root:
        return apart
    whole = after(_set_part, to.root, to.at, of.at, key)
    made: Tensor = part_at(whole, to.at, shape=to.spec.shape)
    return made


def _set_part(x: Any, to: Any, of: Any, key: Any) -> None:
    memory = np.array(x, order="C")
    assert part_at.kernel is not None
    parts = [part_at.kernel(memory, at, shape=None) for at in (to, of)]
    _set_flat(parts[0], key, parts[1])
    x[...] = memory
