"""plain_writes: what NumPy itself would write into an array that stays plain.

An array of texts, or of objects, that the function makes is plain NumPy's while it is
traced. What a method of it writes is written at once: that is what each call does, but
where the run knows what is written, or whether it is.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import build, foreign
from runtime.tensor import Tensor
from runtime.written import refuse_plain
from tracer import tree

# Methods of arrays that write into them.
_WRITING = frozenset(
    "fill put sort partition setfield resize byteswap __setitem__".split()
)


def refuse(function: Any, given: Any) -> None:
    """OnlyPythonError: the call is such a write."""
    owner = getattr(function, "__self__", None)
    if isinstance(owner, np.ndarray) and function.__name__ in _WRITING:
        require_known(given)


def refuse_store(of: Any, given: Any) -> None:
    """OnlyPythonError: a store into its `.flat` is."""
    if type(of) is np.flatiter:
        require_known(given)


def require_known(given: Any) -> None:
    """OnlyPythonError: what is written, or whether it is, depends on data."""
    frame = build.current()
    if frame is not None and (frame.parent is not None or _is_of_run(given)):
        refuse_plain()


def _is_of_run(given: Any) -> bool:
    leaves, _ = tree.flatten(given)
    return any(isinstance(one, Tensor) or foreign.is_object(one) for one in leaves)
