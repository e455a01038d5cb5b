"""Creation functions with staged arguments, and those that make new arrays in a trace.

CREATION maps NumPy's creation functions to forms whose result is a Tensor, so that an
array made inside of a traced function can be written in place there.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any

import numpy as np

from runtime import build, kinds
from runtime.dtypes import same_dtype
from runtime.errors import OnlyPythonError, located
from runtime.foreign import is_array_like
from runtime.layouts import in_fortran
from runtime.numpy_api import fields, host, library
from runtime.numpy_api.copying import copies, is_of, require_none
from runtime.numpy_api.items import joined
from runtime.numpy_api.operands import (
    array_tensor,
    as_array,
    has_tensor,
    is_number,
    sizes,
)
from runtime.numpy_api.orders import as_order, like_in_c, of_new
from runtime.numpy_api.perhaps import perhaps
from runtime.numpy_api.table import implements
from runtime.ops import basic
from runtime.ops import create as ops
from runtime.ops.inference import static_shape
from runtime.ops.template import encode
from runtime.spec import TensorSpec, holds_objects
from runtime.tensor import STANDS, Tensor, tensor

# The dtypes of arrays that a graph works with; others (text) stay plain arrays.
STAGED_KINDS = "biufcmMV"
_NUMPYS = (Tensor, np.ndarray, np.generic)


def array(
    object: Any,
    dtype: Any = None,
    *,
    copy: Any = True,
    order: Any = "K",
    ndmin: int = 0,
) -> Any:
    """`np.array`: a new array of a nested list that may hold tensors.

    Text and objects stay plain arrays.
    """
    order = as_order(order)
    require_none(object, dtype, copy)
    made = _array(object, dtype)
    if not isinstance(made, Tensor):
        return np.array(object, dtype, copy=copy, order=order, ndmin=ndmin)
    kept = dtype is not None and (fields.is_record(made) or np.dtype(dtype) == "O")
    if made is object and made.scalar and kept and not made.spec.weak:
        return host.call(np.array, (made,), {"dtype": np.dtype(dtype)})
    if order in ("C", "F") and made is object:
        # A copy of None is not that of an array that is asked for none: True.
        options = _given(dtype=dtype, ndmin=ndmin or None) | {"copy": copy}
        return _in_order(np.array, made, options, order)
    if order == "F" and made.spec.rank not in (0, 1):
        made = basic.copy(array_tensor(made).T, order="C").T
    if dtype is not None and not is_of(made.spec, dtype):
        made = basic.cast(made, dtype=np.dtype(dtype))
    elif isinstance(object, (Tensor, np.ndarray)) and copies(copy):
        made = basic.copy(made, order="A" if order == "A" else "K")
    if made.spec.rank is None and ndmin:
        return host.call(np.array, (made,), {"ndmin": ndmin})
    while made.spec.rank is not None and made.spec.rank < ndmin:
        made = made[None]
    return array_tensor(made) if made is not object else made


def _array(object: Any, dtype: Any) -> Any:
    if isinstance(object, (Tensor, np.ndarray)) and not _is_plain(object):
        return as_array(object)
    if is_array_like(object) and not isinstance(object, _NUMPYS):
        return as_array(library.as_array(object))
    if type(object) is list and len(object) == 1 and type(object[0]) in STANDS:
        return STANDS[type(object[0])](object[0])
    if not has_tensor(object):
        plain = np.array(object, dtype=dtype)
        return plain if _is_plain(plain) else basic.constant(value=plain)
    if dtype is None:
        parts = [as_array(_array(part, None)) for part in object]
    else:
        parts = [_element(part, np.dtype(dtype)) for part in object]
    return joined(parts, dtype)


def _element(part: Any, dtype: np.dtype[Any]) -> Tensor:
    """An item of a list as a wanted dtype, which a Python int has to fit."""
    if dtype.names is not None and isinstance(part, tuple):
        return fields.with_fields(tensor(np.zeros((), dtype)), part)
    if is_number(part):
        return basic.cast(tensor(part), dtype=dtype)
    return as_array(_array(part, dtype))


def _is_plain(made: Any) -> bool:
    dtype = made.dtype if isinstance(made, np.ndarray) else np.dtype(int)
    return dtype.kind not in STAGED_KINDS or holds_objects(dtype)


def as_indices(given: Any) -> Tensor:
    """Indices or counts as NumPy takes them: of a list each item is made an int."""
    return as_array(array(given, np.intp) if type(given) in (list, tuple) else given)


def asarray(a: Any, dtype: Any = None, order: str = "K", *, copy: Any = None) -> Any:
    """`np.asarray`: an array as it is when the dtype fits."""
    order = as_order(order)
    require_none(a, dtype, copy)
    same = isinstance(a, Tensor) and not a.spec.weak and not a.scalar
    if kinds.is_mixed(a) and dtype is not None:
        return kinds.split(asarray, a, dtype, order, copy=copy)
    if order in ("C", "F") and isinstance(a, (Tensor, np.ndarray)) and not _is_plain(a):
        return _in_order(np.asarray, tensor(a), _given(dtype=dtype, copy=copy), order)
    if same and not copies(copy) and (dtype is None or is_of(a.spec, dtype)):
        return a
    fits = dtype is None or (isinstance(a, np.ndarray) and a.dtype == np.dtype(dtype))
    if isinstance(a, np.ndarray) and not copies(copy) and fits:
        return tensor(a) if not _is_plain(a) else a
    return array(a, dtype, order=order)


def asfortranarray(a: Any, dtype: Any = None) -> Any:
    """`np.asfortranarray`: it has one dim at least."""
    return _with_a_dim(asarray(a, dtype, "F"))


def ascontiguousarray(a: Any, dtype: Any = None) -> Any:
    """`np.ascontiguousarray`: it has one dim at least."""
    return _with_a_dim(asarray(a, dtype, "C"))


def _with_a_dim(made: Any) -> Any:
    return made[None] if isinstance(made, Tensor) and made.spec.shape == () else made


def _given(**options: Any) -> dict[str, Any]:
    """The options that are not None."""
    return {name: value for name, value in options.items() if value is not None}


def _in_order(
    function: Callable[..., Any], a: Tensor, options: dict[str, Any], order: str
) -> Any:
    """A call that asks for an order in memory: the array itself where it lies so."""
    build.require_current("an array").trace.asks_layout = True
    made = host.call(function, (a,), {**options, "order": order})
    if order == "F" and made._view is None:
        made.layout = in_fortran(made.spec)
    is_unclear = made._pick is None and made._view is None and bool(made.sources)
    same = made.spec.rank == a.spec.rank and same_dtype(made.spec.dtype, a.spec.dtype)
    if not is_unclear or order != "C" or not same:
        return made
    made = Tensor(made._value, scalar=False)
    return perhaps(a, made, lambda: a, ravels=True)


def copy(a: Any, order: str = "K", subok: bool = False) -> Any:
    """`np.copy`."""
    return array(a, order=order)


def _is_no_size(shape: Any) -> bool:
    """True for one number that NumPy takes for no size."""
    if not isinstance(shape, Tensor) or shape.spec.shape != () or shape.spec.kinds:
        return False
    if shape.spec.dtype is None:
        return False
    return shape.spec.dtype.kind in ("fc" if shape.spec.weak else "bfc")


def _refused(function: Callable[..., Any], *args: Any) -> Tensor:
    """A call that raises when the graph runs, with the number that it got."""
    made = host.call(function, args, {}, TensorSpec((None,), float), in_place=True)
    return array_tensor(made)


def _filled(make: Any) -> Callable[..., Any]:
    """`np.zeros`, `np.ones` or `np.empty`, by its op."""

    def create(shape: Any, dtype: Any = float, order: str = "C") -> Any:
        if _is_no_size(shape):
            return _refused(make.numpy, shape)
        template, found = sizes(shape)
        wanted = np.dtype(dtype)
        return _made(
            lambda dims: make(*found, shape=dims, dtype=wanted), template, of_new(order)
        )

    return create


def full(shape: Any, fill_value: Any, dtype: Any = None, order: str = "C") -> Any:
    """`np.full`: dtype None takes the content's."""
    if _is_no_size(shape):
        return _refused(np.full, shape, fill_value)
    template, found = sizes(shape)
    wanted = None if dtype is None else np.dtype(dtype)
    content = as_array(fill_value) if wanted is None else tensor(fill_value)
    return _made(
        lambda dims: ops.full(content, *found, shape=dims, dtype=wanted),
        *(template, of_new(order)),
    )


def _made(make: Callable[[Any], Tensor], template: Any, order: str) -> Tensor:
    """A new array of this shape; in the order of Fortran its axes are turned."""
    if order == "C":
        return array_tensor(make(template))
    if not isinstance(template, tuple):
        raise located(
            OnlyPythonError("an array in the order of Fortran has unknown dims"),
            "Make it in C order.",
        )
    turned: Tensor = array_tensor(make(template[::-1])).T
    return turned


def _filled_like(function: Callable[..., Any], make: Any) -> Callable[..., Any]:
    """`np.zeros_like`, `np.ones_like` or `np.empty_like`, by its op."""

    def create(
        a: Any,
        dtype: Any = None,
        order: str = "K",
        subok: bool = True,
        shape: Any = None,
    ) -> Any:
        if kinds.is_mixed(a):
            return kinds.split(create, a, dtype, order, subok, shape)
        model, order = as_array(a), as_order(order)
        wanted = np.dtype(dtype) if dtype is not None else model.spec.dtype
        if shape is None and (model.spec.shape is None or wanted is None):
            return _like(function, model, wanted, order)
        template, found = sizes(model.shape if shape is None else shape)
        if _turns(model, order, template):
            return _like(function, model, wanted, order, shape=shape)
        return _made(
            lambda dims: make(*found, shape=dims, dtype=wanted),
            *(template, "F" if order == "F" else "C"),
        )

    return create


def full_like(
    a: Any,
    fill_value: Any,
    dtype: Any = None,
    order: str = "K",
    subok: bool = True,
    shape: Any = None,
) -> Any:
    """`np.full_like`."""
    if kinds.is_mixed(a):
        return kinds.split(full_like, a, fill_value, dtype, order, subok, shape)
    model, order = as_array(a), as_order(order)
    wanted = dtype if dtype is not None else model.spec.dtype
    if shape is None and (model.spec.shape is None or wanted is None):
        return _like(np.full_like, model, wanted, order, fill_value)
    if _turns(model, order, sizes(model.shape if shape is None else shape)[0]):
        return _like(np.full_like, model, wanted, order, fill_value, shape=shape)
    made_in = "F" if order == "F" else "C"
    return full(model.shape if shape is None else shape, fill_value, wanted, made_in)


def _turns(model: Tensor, order: str, template: Any) -> bool:
    """Whether what is made like `model` may lie in another order, as that does."""
    known = isinstance(template, tuple) and model.spec.rank is not None
    if order == "F" or (known and len(template) != model.spec.rank and order == "K"):
        return False
    return not like_in_c(model, order)


def _like(
    function: Callable[..., Any],
    model: Tensor,
    dtype: Any,
    order: str,
    *content: Any,
    shape: Any = None,
) -> Tensor:
    """What only the run can make: it knows the dims, or how `model` lies."""
    options = {"dtype": dtype, "order": order}
    dims = model.spec.shape
    if shape is not None:
        options["shape"], dims = shape, static_shape(sizes(shape)[0])
    spec = TensorSpec(dims, dtype)
    return array_tensor(host.call(function, (model, *content), options, spec))


def arange(*args: Any, dtype: Any = None, **named: Any) -> Any:
    """`np.arange`: [start,] stop[, step[, dtype]]."""
    if dtype is None and args[3:]:
        dtype, args = args[3], args[:3]
    bounds = [*args, *[None] * (3 - len(args))]
    for place, name in enumerate(("start", "stop", "step")):
        bounds[place] = named.get(name, bounds[place])
    start, stop, step = bounds
    if stop is None:
        if not args:
            raise TypeError("arange() requires stop to be specified.")
        start, stop = None, start  # one bound is the end
    if start is None and step is not None:
        start = 0
    given = tuple(bound for bound in (start, stop, step) if bound is not None)
    template, found = encode(given, lambda part: isinstance(part, Tensor))
    wanted = None if dtype is None else np.dtype(dtype)
    other = (str, np.datetime64, Enum)
    if not found and any(isinstance(part, other) for part in given):
        return array_tensor(basic.constant(value=np.arange(*given, dtype=wanted)))
    return array_tensor(ops.arange(*found, args=template, dtype=wanted))


def linspace(
    start: Any,
    stop: Any,
    num: Any = 50,
    endpoint: bool = True,
    *,
    dtype: Any = None,
) -> Any:
    """`np.linspace` along the first axis."""
    template, found = encode(num, lambda part: isinstance(part, Tensor))
    wanted = None if dtype is None else np.dtype(dtype)
    return array_tensor(
        ops.linspace(start, stop, *found, num=template, endpoint=endpoint, dtype=wanted)
    )


def eye(N: Any, M: Any = None, k: int = 0, dtype: Any = float) -> Any:
    """`np.eye`."""
    if isinstance(k, Tensor):
        return host.call(np.eye, (N, M, k, dtype), {})
    template, found = sizes((N, N if M is None else M))
    return ops.eye(*found, shape=template, k=k, dtype=np.dtype(dtype))


def identity(n: Any, dtype: Any = None) -> Any:
    """`np.identity`."""
    return eye(n, dtype=float if dtype is None else dtype)


def tri(N: Any, M: Any = None, k: int = 0, dtype: Any = float) -> Any:
    """`np.tri`."""
    if isinstance(k, Tensor):
        return host.call(np.tri, (N, M, k, dtype), {})
    dims = (N, N if M is None else M)
    # NumPy counts up to them, also to a bool.
    template, found = sizes(tuple(int(n) if isinstance(n, bool) else n for n in dims))
    return ops.tri(*found, shape=template, k=k, dtype=np.dtype(dtype))


zeros_like = _filled_like(np.zeros_like, ops.zeros)
ones_like = _filled_like(np.ones_like, ops.ones)
empty_like = _filled_like(np.empty_like, ops.empty)

# NumPy's creation functions -> the form that a trace uses, tensors among the arguments
# or not. Called only while a trace is on.
CREATION: dict[Callable[..., Any], Callable[..., Any]] = {
    np.array: array,
    np.asarray: asarray,
    np.asanyarray: asarray,
    np.ascontiguousarray: ascontiguousarray,
    np.asfortranarray: asfortranarray,
    np.copy: copy,
    np.zeros: _filled(ops.zeros),
    np.ones: _filled(ops.ones),
    np.empty: _filled(ops.empty),
    np.full: full,
    np.zeros_like: zeros_like,
    np.ones_like: ones_like,
    np.empty_like: empty_like,
    np.full_like: full_like,
    np.arange: arange,
    np.linspace: linspace,
    np.eye: eye,
    np.identity: identity,
    np.tri: tri,
}

# Those that reach a tensor through NumPy's own dispatch.
implements(np.zeros_like)(zeros_like)
implements(np.ones_like)(ones_like)
implements(np.empty_like)(empty_like)
implements(np.full_like, operands=2)(full_like)
implements(np.linspace, operands=3)(linspace)
implements(np.copy)(copy)
