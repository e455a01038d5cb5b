"""Operands: arrays of any dtype, shape and layout, NumPy scalars and Python numbers."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np

try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None

SMALL_FLOATS = (0.0, 1.0, 2.0, -1.0, 0.5, 3.0, -0.0)
FLOATS = (*SMALL_FLOATS, 7.25, -2.5, np.inf, -np.inf, np.nan, 1e-3, 100.0)
TEXTS = ("", "a", "b", "Ab c", "é", "10", "-2.5", "zz")
DAYS = ("2024-02-28", "1970-01-01", "1969-12-31", "NaT", "2100-01-01", "2024-03-01")
RECORD = np.dtype([("a", "f8"), ("b", "i4")])
NESTED = np.dtype([("p", [("x", "f4"), ("y", "f4")]), ("n", "i8", (2,)), ("s", "U3")])

# By families: what is mixed is mostly of one.
DTYPES: dict[str, tuple[Any, ...]] = {
    "bool": ("?",),
    "int": ("b", "B", "h", "H", "i", "I", "l", "L"),
    "float": ("e", "f", "d", "g"),
    "complex": ("F", "D", "G"),
    "date": ("M8[D]", "M8[s]", "M8[ns]", "m8[D]", "m8[s]", "m8[h]", "m8"),
    "text": ("U4", "S4", "T"),
    "swapped": (">i4", ">f8", ">c8", ">u2"),
    "record": (RECORD, NESTED),
}
if ml_dtypes is not None:
    DTYPES["small"] = (
        ml_dtypes.bfloat16,
        ml_dtypes.float8_e4m3fn,
        ml_dtypes.float8_e5m2,
        ml_dtypes.int4,
    )
SHAPES: tuple[tuple[int, ...], ...] = (
    *((), (0,), (1,), (3,), (2, 3), (3, 1), (1, 3), (3, 3), (0, 3), (2, 3, 2)),
    *((3, 0), (1, 1), (5,), (2, 1, 3), (4, 4)),
)
NUMBERS: dict[str, tuple[Any, ...]] = {
    "bool": (True, False),
    "int": (0, 1, 2, -1, 3, 7, 200, -129, 70000, 2**31, 2**63, -(2**63) - 1, 2**70),
    "float": (0.0, 1.0, 2.0, -1.5, 0.5, float("inf"), float("nan"), 1e300, -0.0),
    "complex": (1j, 0j, 2 + 3j),
}
LAYOUTS = (
    *("c", "c", "f", "strided", "negative", "turned", "broadcast", "locked"),
    "unaligned",
)


def family(chance: random.Random) -> str:
    """One of the families, those of numbers more often."""
    often = ("int", "int", "float", "float", "complex", "bool")
    return chance.choice((*often, *DTYPES))


def dtype_of(chance: random.Random, name: str) -> np.dtype[Any]:
    """A dtype of a family."""
    found = chance.choice(DTYPES[name])
    return np.dtypes.StringDType() if found == "T" else np.dtype(found)


def array(chance: random.Random, dtype: np.dtype[Any], shape: Sequence[int]) -> Any:
    """An array of this dtype and shape, in any of the layouts."""
    return laid_out(chance.choice(LAYOUTS), content(chance, dtype, shape))


def content(chance: random.Random, dtype: np.dtype[Any], shape: Sequence[int]) -> Any:
    """An array in C order of what is worth a try."""
    count = int(np.prod(shape, dtype=int))
    if dtype.names is not None:
        made = np.zeros(count, dtype)
        for name in dtype.names:
            field = dtype[name]
            made[name] = content(chance, field.base, (count, *field.shape))
        return made.reshape(shape)
    made = np.empty(count, dtype)
    for place in range(count):
        made[place] = item(chance, dtype)
    return made.reshape(shape)


def item(chance: random.Random, dtype: np.dtype[Any]) -> Any:
    """One element."""
    kind = dtype.kind
    if kind == "b":
        return chance.random() < 0.5
    if kind in "iu":
        limits = np.iinfo(dtype)
        found = (0, 1, 2, 3, 5, 17, 100, -1, -2, -7, int(limits.min), int(limits.max))
        few = [n for n in found if limits.min <= n <= limits.max]
        return chance.choice(few)
    if kind == "c":
        return complex(chance.choice(FLOATS), chance.choice(SMALL_FLOATS))
    if kind == "M":
        return np.datetime64(chance.choice(DAYS)).astype(dtype)
    if kind == "m":
        return np.timedelta64(chance.choice((0, 1, -1, 36, 7, "NaT")), *_unit(dtype))
    if kind in "UT":
        return chance.choice(TEXTS)
    if kind == "S":
        return chance.choice(TEXTS).encode()[:4]
    if dtype.kind == "f":
        return chance.choice(FLOATS)
    return chance.choice((0, 1, 2, -1, 3, 5))  # of ml_dtypes


def _unit(dtype: np.dtype[Any]) -> tuple[str, ...]:
    unit = np.datetime_data(dtype)[0]
    return () if unit == "generic" else (unit,)


def laid_out(layout: str, x: Any) -> Any:
    """The same elements, lying in memory as the word says."""
    if layout == "locked":
        x.flags.writeable = False
        return x
    if layout == "f":
        return np.asfortranarray(x) if x.ndim else x
    if layout == "broadcast":
        return np.broadcast_to(x[..., :1], x.shape) if x.size and x.ndim else x
    if layout == "unaligned":
        return _unaligned(x)
    if x.ndim == 0:
        return x
    if layout == "strided":
        wide = np.repeat(x, 2, axis=-1)
        return wide[..., ::2]
    if layout == "negative":
        return x[..., ::-1].copy()[..., ::-1]
    if layout == "turned":
        return np.ascontiguousarray(np.swapaxes(x, 0, -1)).swapaxes(0, -1)
    return x


def _unaligned(x: Any) -> Any:
    if x.dtype.hasobject or x.dtype.itemsize == 0:
        return x
    memory = np.zeros(x.nbytes + 1, "u1")[1:]
    made = memory.view(x.dtype).reshape(x.shape)
    made[...] = x
    return made
