"""foreign: objects of other libraries that hold numbers, as NumPy knows them.

Buffers (bytearray, memoryview, array.array, those of ctypes), and objects of a class
that a library gives one of NumPy's protocols: pandas' Series, sparse matrices, torch's
tensors, masked arrays. What they hold may change, and what is computed with them is
theirs to say. The user's own classes are none: a trace reads their attributes.
"""

from __future__ import annotations

import os
import sys
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

_PROTOCOLS = (
    "__array__",
    "__array_interface__",
    "__array_struct__",
    "__array_priority__",
    "__array_ufunc__",
    "__dlpack__",
)
# Libraries whose functions are called by the run, and tried while tracing.
PACKAGES = ("numpy", "scipy", "pandas", "sklearn", "torch", "jax", "jaxlib")
_OURS = ("autograph", "tracer", "runtime")
_LIBRARIES = (os.path.dirname(os.__file__), "site-packages", "dist-packages")
_PLAIN = frozenset({np.ndarray, np.memmap, int, float, complex, str, bool, type(None)})
_NUMPYS = (np.ndarray, np.generic, np.dtype, np.ufunc, type)
# What was found of a class; classes may be made anew and forgotten.
_known: WeakKeyDictionary[type, bool] = WeakKeyDictionary()


def is_foreign(thing: Any) -> bool:
    """True for a buffer, and for an object of a library's with a protocol of NumPy's.

    NumPy's own arrays and scalars, and texts and bytes, are none.

    >>> import array
    >>> is_foreign(array.array("d", [1.0])), is_foreign([1.0]), is_foreign(b"a")
    (True, False, False)
    """
    kind = type(thing)
    if kind in _PLAIN:
        return False
    found = _known.get(kind)
    if found is None:
        known = isinstance(thing, (type, bytes, np.generic))
        found = not known and (has_protocol(kind) or _is_buffer(thing))
        _known[kind] = found
    return found


def is_array_like(thing: Any) -> bool:
    """True for what NumPy asks for an array: also an object of the user's own class."""
    users = hasattr(type(thing), "__array__") and package(type(thing)) not in _OURS
    return users or is_foreign(thing)


def is_object(thing: Any) -> bool:
    """True for an object of these libraries that may change, and that the run asks.

    Other arrays than NumPy's own, sparse matrices, pandas' objects, estimators.
    """
    kind = type(thing)
    if kind in _PLAIN or package(kind) not in PACKAGES:
        return False
    return has_protocol(kind) or hasattr(kind, "get_params")


def has_protocol(kind: type) -> bool:
    """True for a class that a library has given one of NumPy's protocols.

    NumPy's arrays and scalars are none.
    """
    if kind in _PLAIN or issubclass(kind, np.generic):
        return False
    for name in _PROTOCOLS:
        owner = next((one for one in kind.__mro__ if name in vars(one)), None)
        if owner is not None and _is_installed(owner):
            return True
    return False


def _is_installed(kind: type) -> bool:
    """True for a class that came with Python or a package, which is not this one."""
    top = package(kind)
    module = sys.modules.get(top)
    if module is None or top in (*_OURS, "__main__"):
        return False
    file = getattr(module, "__file__", None)
    return file is None or any(part in file for part in _LIBRARIES)


def package(kind: type) -> str:
    """The top package of a class; "" where that is not said, as by Cython's functions.

    >>> package(np.ma.MaskedArray)
    'numpy'
    """
    module: Any = kind.__module__
    return module.partition(".")[0] if isinstance(module, str) else ""


def has_state(thing: Any) -> bool:
    """True for an object of these libraries that a call may change; no array is one.

    Nor is what stands for a function of theirs, as NumPy's dispatchers do.
    """
    if package(type(thing)) not in PACKAGES or isinstance(thing, _NUMPYS):
        return False
    return hasattr(thing, "__dict__") and not callable(getattr(thing, "__get__", None))


def _is_buffer(thing: Any) -> bool:
    try:
        memoryview(thing)
    except TypeError:
        return False
    except Exception:
        # A file that is mapped no more, say: a buffer, though not now.
        return True
    return True
