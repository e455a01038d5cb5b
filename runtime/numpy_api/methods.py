"""The attributes of tensors: ndarray's methods and properties, and Python numbers'.

An ndarray method without a row becomes a host call; what neither an ndarray nor, for a
staged Python number, that number has raises AttributeError in Python's words.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime import kinds, objects, shapes, unknown
from runtime.dtypes import same_dtype
from runtime.errors import OnlyPythonError, PythonTypeError, StagingTypeError, located
from runtime.library_spec import LibrarySpec
from runtime.numpy_api import elements, host, library, mutating, shaping, views
from runtime.numpy_api.as_methods import as_method
from runtime.numpy_api.lacking import refuse_hidden, refuse_own, require_known
from runtime.numpy_api.orders import as_order, lies_in, settled
from runtime.numpy_api.table import call_function
from runtime.ops import basic
from runtime.ops.elementwise import conjugate
from runtime.ops.template import Input
from runtime.ops.world import host_call, python_call
from runtime.spec import PYTHON_TYPE_OF_KIND, ListSpec, TensorSpec, object_type
from runtime.tensor import Tensor

# Methods that are called for what they do outside.
WRITES = frozenset({"tofile", "dump"})
# Those that do not look at the dtype: an array of several kinds stays one array.
OF_ANY_KIND = frozenset(
    {"T", "mT", "reshape", "transpose", "swapaxes", "ravel", "squeeze", "flatten"}
    | {"copy", "fill", "sort", "repeat", "take", "diagonal", "sum", "prod", "max"}
    | {"min", "any", "all", "mean", "argmax", "argmin", "cumsum"}
)


def attribute(tensor: Tensor, name: str) -> Any:
    """`tensor.name` for what Tensor itself does not define.

    AttributeError: the array or number has no such attribute.
    """
    if isinstance(tensor.spec, LibrarySpec):
        return library.attribute(tensor, name)
    unknown.require_class(tensor)
    if tensor.spec.kinds and (tensor.scalar or name not in OF_ANY_KIND):
        return _mixed_attribute(tensor, name)
    if objects.has(tensor, name):
        return objects.attribute(tensor, name)
    if tensor.spec.weak:
        return _number_attribute(tensor, name)
    if tensor.scalar and not _has(tensor, name):
        raise AttributeError(f"{_kind(tensor)} object has no attribute '{name}'")
    prop = PROPERTIES.get(name)
    if prop is not None:
        return prop(tensor)
    method = METHODS.get(name)
    if method is not None:
        return functools.partial(method, tensor)
    if tensor.scalar and name in _NUMBER_METHODS and hasattr(tensor.dtype.type, name):
        return _number_method(
            tensor, name, PYTHON_TYPE_OF_KIND.get(tensor.dtype.kind, int)
        )
    refuse_hidden(name)
    if name.startswith("_") or not callable(getattr(np.ndarray, name, None)):
        require_known(tensor, f"asked for `.{name}`")
        refuse_own(tensor.dtype.type if tensor.scalar else np.ndarray, name)
        raise AttributeError(f"{_kind(tensor)} object has no attribute '{name}'")
    return functools.partial(_host_method, tensor, name)


def _mixed_attribute(tensor: Tensor, name: str) -> Any:
    """A method asks which kind it is when it is called."""
    if name.startswith("_"):
        raise AttributeError(f"a number of several kinds has no attribute '{name}'")
    types = [o.python_type if o.weak else np.ndarray for o in tensor.spec.options]
    found = [getattr(kind, name) for kind in types if hasattr(kind, name)]
    if found and all(map(callable, found)):
        return functools.partial(kinds.split, call_method, tensor, name)
    return kinds.split(getattr, tensor, name)


def _has(scalar: Tensor, name: str) -> bool:
    """Whether NumPy's scalars of this dtype have an attribute."""
    dtype = scalar.spec.dtype
    return dtype is None or hasattr(dtype.type, name)


def _kind(tensor: Tensor) -> str:
    kind = object_type(tensor.spec) if tensor.scalar else np.ndarray
    kind = kind or tensor.dtype.type
    return f"'{kind.__module__}.{kind.__name__}'".replace("builtins.", "")


def call_method(x: Any, name: str, *args: Any, **kwargs: Any) -> Any:
    """`x.name(*args, **kwargs)`."""
    return getattr(x, name)(*args, **kwargs)


def _host_method(tensor: Tensor, name: str, *args: Any, **kwargs: Any) -> Any:
    writes = name in WRITES
    return host.call(call_method, (tensor, name, *args), kwargs, writes=writes)


PROPERTIES: dict[str, Callable[[Tensor], Any]] = {
    "T": shaping.transpose,
    "mT": shaping.matrix_transpose,
    "real": elements.real,
    "imag": elements.imag,
    "flat": views.flat,
    "strides": views.strides,
    "flags": views.Flags,
    "device": lambda _: "cpu",
    "__array_priority__": lambda x: _like(x).__array_priority__,
    "__dlpack_device__": lambda x: _like(x).__dlpack_device__,
}


def _like(tensor: Tensor) -> Any:
    found = np.zeros((), tensor.spec.dtype)
    return found[()] if tensor.scalar else found


def reshape(tensor: Tensor, *shape: Any, order: str = "C", copy: Any = None) -> Any:
    """`a.reshape(shape)` or `a.reshape(*shape)`."""
    sizes = shape[0] if len(shape) == 1 else shape
    options = {"order": order} if copy is None else {"order": order, "copy": copy}
    return call_function(np.reshape, (tensor, sizes), options)


def astype(
    tensor: Tensor,
    dtype: Any,
    order: str = "K",
    casting: str = "unsafe",
    subok: bool = True,
    copy: bool = True,
) -> Tensor:
    """`a.astype(dtype)`; a tensor of that dtype itself when `copy` is False.

    TypeError: `casting` does not allow it.
    """
    wanted = np.dtype(dtype)
    if wanted.kind == "O":
        raise located(
            PythonTypeError("an array of Python objects cannot be in a graph"),
            "Give it a numeric dtype, or do it outside of the function.",
        )
    order = settled(tensor, as_order(order))
    if not copy and same_dtype(tensor.spec.dtype, wanted) and lies_in(tensor, order):
        return tensor
    if casting != "unsafe" and tensor.spec.dtype is not None:
        # NumPy's own check, and its words.
        np.ones(1, tensor.spec.dtype).astype(wanted, casting=casting)  # type: ignore[call-overload] # NumPy says which words it takes
    made: Tensor = basic.cast(tensor, dtype=wanted)
    if not lies_in(tensor, order):
        made = basic.copy(made, order=order)
    made.scalar = tensor.scalar
    return made


def copy(tensor: Tensor, order: str = "C") -> Tensor:
    """`a.copy()`."""
    made: Tensor = basic.copy(tensor, order=as_order(order, "C"))
    made.scalar = tensor.scalar
    return made


def item(tensor: Tensor, *index: Any) -> Any:
    """`a.item()`: the element as a Python number or text, a tuple if structured."""
    if len(index) == 1 and isinstance(index[0], tuple):
        index = index[0]
    element = tensor
    if len(index) == 1 and not tensor.scalar:
        element = views.element(tensor, index[0])
    elif index:
        element = tensor[index]
    if (text := objects.text_of_item(element.spec.dtype)) is not None:
        is_text = element.scalar and object_type(element.spec) is str
        return element if is_text else objects.call(call_method, text, element, "item")
    dtype = tensor.dtype
    if dtype.names is not None:
        return tuple(element[name].item() for name in dtype.names)
    if dtype.kind not in "biufc":
        raise located(
            OnlyPythonError(f"a graph cannot hold the Python object of a {dtype}"),
            "Work with the array itself.",
        )
    if not index and tensor.spec.shape != ():
        return _only_item(tensor)
    kind = "i" if dtype.kind == "u" else dtype.kind
    wanted = np.dtype(PYTHON_TYPE_OF_KIND[kind])
    return basic.cast(element, dtype=wanted, weak=True)


def _item_spec(dtype: np.dtype[Any] | None) -> TensorSpec | None:
    """What `tolist` makes of an element, where that is known."""
    if dtype is None:
        return None
    kind = PYTHON_TYPE_OF_KIND.get("i" if dtype.kind == "u" else dtype.kind)
    return (
        objects.text_of_item(dtype) if kind is None else TensorSpec((), kind, weak=True)
    )


def _only_item(tensor: Tensor) -> Tensor:
    """Its own error when it does not have one element."""
    kind = PYTHON_TYPE_OF_KIND["i" if tensor.dtype.kind == "u" else tensor.dtype.kind]
    return host.call(call_method, (tensor, "item"), {}, TensorSpec((), kind, weak=True))


def tolist(tensor: Tensor) -> Any:
    """`a.tolist()`: nested lists of staged Python numbers; the shape must be known."""
    shape = tensor.spec.shape
    whole = whole_list(tensor) if shape == (None,) else None
    if whole is not None:
        return whole
    if not shapes.is_static(shape):
        raise located(
            OnlyPythonError(
                "the length of this list is known only when the graph runs, so it "
                "cannot be made while tracing"
            ),
            "Work with the array itself.",
        )
    if shape == ():
        return item(tensor)
    return [tolist(tensor[index]) for index in range(tensor.length())]


def whole_list(tensor: Tensor) -> Any:
    """`a.tolist()` of one dim as a list of the run; None: its items are unknown."""
    item_spec = _item_spec(tensor.spec.dtype)
    if item_spec is None:
        return None
    return objects.call(call_method, ListSpec(item_spec), tensor, "tolist")


def conj(tensor: Tensor) -> Any:
    """`a.conj()`: of real numbers the array itself."""
    dtype = tensor.spec.dtype
    is_real = dtype is not None and dtype.kind in "biuf" and not tensor.spec.kinds
    return tensor if is_real else conjugate(tensor)


def namespace(tensor: Tensor, *, api_version: Any = None) -> Any:
    """`a.__array_namespace__()`: NumPy.

    ValueError: it does not have this version of the standard.
    """
    return np.zeros(0).__array_namespace__(api_version=api_version)


def _length(tensor: Tensor) -> Any:
    return tensor.length()


METHODS: dict[str, Callable[..., Any]] = {
    "reshape": reshape,
    "transpose": shaping.transposed,
    "astype": astype,
    "copy": copy,
    "item": item,
    "tolist": tolist,
    "conj": conj,
    "conjugate": conj,
    "view": views.bits,
    "__array_namespace__": namespace,
    "__len__": _length,
    "flatten": views.flatten,
    "fill": mutating.fill,
    "sort": mutating.sort,
    "partition": mutating.partition,
    "put": mutating.put,
    "clip": elements.clip_method,
    **{
        function.__name__: as_method(function)
        for function in (
            np.sum, np.prod, np.max, np.min, np.any, np.all, np.mean, np.var, np.std,
            np.argmax, np.argmin, np.cumsum, np.cumprod, np.ravel, np.swapaxes,
            np.squeeze, np.repeat, np.take, np.nonzero, np.round, np.argsort,
            np.searchsorted, np.trace, np.diagonal, np.dot,
        )
    },
    "max": as_method(np.max),
    "min": as_method(np.min),
}  # fmt: skip


def _number_attribute(tensor: Tensor, name: str) -> Any:
    kind = tensor.spec.python_type
    if not hasattr(kind, name) or name.startswith("_"):
        refuse_own(kind, name)
        raise AttributeError(f"'{kind.__name__}' object has no attribute '{name}'")
    result = _NUMBER_PROPERTIES.get(name)
    if result is not None:
        part = float if kind is complex else int if kind is bool else kind
        return python_call(
            tensor, function=result, result=TensorSpec((), part, weak=True)
        )
    if name in _NUMBER_METHODS:
        return _number_method(tensor, name, kind)
    raise located(
        StagingTypeError(
            f"`.{name}` of {_an(kind)} is not known while tracing, and a graph cannot "
            "hold what it gives"
        )
    )


def _an(kind: type) -> str:
    return f"an {kind.__name__}" if kind is int else f"a {kind.__name__}"


def _number_method(tensor: Tensor, name: str, kind: type) -> Callable[..., Any]:
    """A method of a Python number, or one that a NumPy scalar has from it."""
    found = _NUMBER_METHODS[name]

    def call(*args: Any, **kwargs: Any) -> Any:
        if found is str:
            return objects.call(
                call_method, objects.TEXT, tensor, name, *args, **kwargs
            )
        kinds = found if isinstance(found, tuple) else (found,)
        # The conjugate of a number is of its own kind; of a bool it is an int.
        own = int if kind is bool else kind
        results = tuple(
            TensorSpec((), own if one is complex else one, weak=True) for one in kinds
        )
        return host_call(
            tensor,
            function=call_method,
            args=(Input(0), name, *args),
            kwargs=kwargs,
            results=results,
            writes=False,
        )

    return call


def real_part(number: Any) -> Any:
    """`number.real`."""
    return number.real


def imag_part(number: Any) -> Any:
    """`number.imag`."""
    return number.imag


def _numerator(number: Any) -> Any:
    return number.numerator


def _denominator(number: Any) -> Any:
    return number.denominator


_NUMBER_PROPERTIES: dict[str, Callable[[Any], Any]] = {
    "real": real_part,
    "imag": imag_part,
    "numerator": _numerator,
    "denominator": _denominator,
}
# The types of what methods give; complex: the number's own; str: text of each run.
_NUMBER_METHODS: dict[str, type | tuple[type, ...]] = {
    "conjugate": complex,
    "is_integer": bool,
    "bit_length": int,
    "bit_count": int,
    "as_integer_ratio": (int, int),
    "hex": str,
}
