"""array_api.linalg: the standard's linear algebra, each function a decorated call."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.array_api.decorated import Lookup

_NAMES = """
cholesky cross det diagonal eigh eigvalsh inv matmul matrix_norm matrix_power
matrix_rank matrix_transpose outer pinv qr slogdet solve svd svdvals tensordot trace
vecdot vector_norm
""".split()
_functions = Lookup(__name__, {name: getattr(np.linalg, name) for name in _NAMES})


def __getattr__(name: str) -> Any:
    made = _functions(name)
    globals()[name] = made
    return made


def __dir__() -> list[str]:
    return _functions.names
