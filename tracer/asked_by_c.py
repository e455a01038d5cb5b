"""asked_by_c: what decorated methods give to code that is not converted.

Converted code calls their Python functions itself. So who calls one by its Function
while something is traced is C's `str.format` or `sorted`, or a library; and of what a
text, a truth or a number is asked, such code takes no tensor.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.tensor import Tensor

CONVERSIONS: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("__str__", "__repr__", "__format__"), str),
    "__bool__": bool,
    "__int__": int,
    "__float__": float,
    "__complex__": complex,
    "__hash__": int,
}


def taken(name: str, result: Any) -> Any:
    """What C takes of the method `name`.

    StagingError: a tensor, of which it would say itself that it is of no use to it
    """
    return CONVERSIONS[name](result) if isinstance(result, Tensor) else result
