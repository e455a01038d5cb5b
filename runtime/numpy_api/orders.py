"""orders: what `order=` asks: how an array lies in memory, or is gone through."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import build
from runtime.errors import OnlyPythonError, located
from runtime.layouts import Unknown, in_fortran, in_memory, is_contiguous, lying
from runtime.tensor import Tensor


def as_order(order: Any, default: str = "K") -> str:
    """`order=` as C, F, A or K; None is the default.

    ValueError, TypeError: it is none, in NumPy's words
    """
    return _checked(order) or default


def of_new(order: Any) -> str:
    """The same of an array that is made of nothing: C or F."""
    if _checked(order):
        np.empty((0,), order=order)  # which says that it may be no other
    return str(order or "C").upper()


def _checked(order: Any) -> str:
    if isinstance(order, Tensor):
        raise located(
            OnlyPythonError("the order of an array's elements is a text of the run"),
            "Write the call with each order, and choose with if.",
        )
    np.zeros(0).copy(order)
    return str(order or "").upper()


def settled(base: Tensor, order: str) -> str:
    """`order`; A as the one of C and F that it is for a copy, where that is known."""
    if order != "A" or base.spec.rank in (0, 1):
        return order
    build.require_current("an array").trace.asks_layout = True
    found = lying(base)
    if found is Unknown.LAYOUT:
        return order
    return "F" if found is not None and found.flags.f_contiguous else "C"


def lies_in(base: Tensor, order: str) -> bool:
    """Whether an array is certainly in this order; any is in its own, K and A."""
    if order in "KA" or base.spec.rank in (0, 1):
        return True
    build.require_current("an array").trace.asks_layout = True
    if order == "C" or (base.spec.is_static and in_fortran(base.spec) is None):
        return is_contiguous(base)
    found = in_memory(base)
    return found is not None and found.flags.f_contiguous


def like_in_c(base: Tensor, order: str) -> bool:
    """Whether a new array like `base`, in this order, certainly lies in C order."""
    if order not in "KA":
        return order == "C"
    return lies_in(base, "C")
