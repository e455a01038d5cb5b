"""written_outside: the instructions whose text is a file of its own each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.backends.llvm import (
    dot_calls,
    helpers,
    lesser,
    linear_calls,
    small_products,
    sort_calls,
    turns,
)
from runtime.backends.llvm.lines import HELPER, LINEAR

# By the instruction's word: what writes it.
WRITERS: dict[str, Callable[[Any, Any], None]] = {
    **dict.fromkeys(("sort", "argsort"), sort_calls.write),
    dot_calls.DOT: dot_calls.write,
    HELPER: helpers.write,
    "fcmp": lesser.compare,
    LINEAR: linear_calls.write,
    small_products.SMALL_PRODUCT: small_products.write,
    turns.BEGIN: turns.write,
}
