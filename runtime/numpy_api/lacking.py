"""What arrays and numbers have, and no tensor does: asked for, the call is Python's.

An AttributeError would be taken for the program's own.
"""

from __future__ import annotations

import numpy as np

from runtime.errors import OnlyPythonError, located
from runtime.tensor import Tensor

# Methods that change what an array is, not what it holds; looks at its memory.
REFUSED = frozenset({"resize", "setflags", "setfield"})
HIDDEN = frozenset({"base", "ctypes", "data"})
# NumPy asks a tensor for them, too, and goes on where there is none.
_OF_NUMPY = frozenset({"__array_interface__", "__array_struct__"})
# What `.flat` has beside its elements: where it stands.
_OF_FLAT = frozenset({"index", "coords"})
_OUTSIDE = "Ask for it outside of the function, or by ag.py_function."


def refuse_hidden(name: str) -> None:
    """Refuse what says where an array lies, or would change that."""
    if name in REFUSED:
        raise located(
            OnlyPythonError(f"`.{name}()` of a tensor is not staged"),
            "Make a new array instead, or do it outside of the function.",
        )
    if name in HIDDEN:
        raise _refusal(name, _OUTSIDE)


def refuse_memory(name: str) -> None:
    """Refuse what the program, and not NumPy, asks for of an array's memory."""
    if name in _OF_NUMPY:
        raise _refusal(name, _OUTSIDE)


def refuse_of_flat(name: str) -> None:
    """Refuse what `.flat` says of itself; of a name that it lacks, its own error."""
    if name in _OF_FLAT:
        raise _refusal(name, _OUTSIDE)
    if not hasattr(np.flatiter, name):
        words = f"object has no attribute '{name}'"
        raise AttributeError(f"'numpy.flatiter' {words}")


def refuse_own(kind: type, name: str) -> None:
    """Refuse what objects of a class have by themselves, `__contains__` say."""
    if name not in _OF_NUMPY and any(name in vars(base) for base in kind.__mro__):
        raise _refusal(name, "Use the operator or the builtin that asks for it.")


def _refusal(name: str, remedy: str) -> OnlyPythonError:
    return located(OnlyPythonError(f"`.{name}` of a tensor is not staged"), remedy)


def require_known(tensor: Tensor, asked: str) -> None:
    """Refuse what no array has, of a result of which no trial has told the kind.

    asked: what the program does with it
    """
    spec = tensor.spec
    if spec.dtype is None and spec.shape is None and not spec.kinds:
        raise located(
            OnlyPythonError(f"what a library's function gives, {asked}, is not known"),
            "Call that function outside, and pass what it gives.",
        )
