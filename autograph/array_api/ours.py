"""What the array API standard asks for and NumPy of this name does not do."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.structs import struct


def sort(
    x: Any,
    /,
    *,
    axis: int = -1,
    descending: bool = False,
    stable: bool = True,
) -> Any:
    """A sorted copy of `x` along `axis`."""
    made = np.sort(x, axis=axis, stable=stable)
    return np.flip(made, axis) if descending else made


def argsort(
    x: Any,
    /,
    *,
    axis: int = -1,
    descending: bool = False,
    stable: bool = True,
) -> Any:
    """The indices that sort `x` along `axis`; equal elements keep their order."""
    if not descending:
        return np.argsort(x, axis=axis, stable=stable)
    # Backwards twice, so that of equal elements the first comes first.
    backwards = np.argsort(np.flip(x, axis), axis=axis, stable=stable)
    return x.shape[axis] - 1 - np.flip(backwards, axis)


def clip(x: Any, /, min: Any = None, max: Any = None) -> Any:
    """`x` with what is outside of the bounds brought to them, in x's dtype."""
    return np.clip(x, min, max)


def meshgrid(*arrays: Any, indexing: str = "xy") -> list[Any]:
    """The coordinates of a grid, as a list of arrays."""
    return list(np.meshgrid(*arrays, indexing=indexing))  # type: ignore[call-overload] # NumPy says which words it takes


def broadcast_arrays(*arrays: Any) -> list[Any]:
    """The arrays in their common shape, as a list."""
    return list(np.broadcast_arrays(*arrays))


def fftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Any:
    """The frequencies of a Fourier transform of n samples, d apart."""
    return _frequencies(np.fft.fftfreq(n, d=d, device=device), dtype)


def rfftfreq(
    n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None
) -> Any:
    """The frequencies of a real Fourier transform of n samples, d apart."""
    return _frequencies(np.fft.rfftfreq(n, d=d, device=device), dtype)


def _frequencies(made: Any, dtype: Any) -> Any:
    return made if dtype is None else made.astype(dtype)


@struct
class FloatInfo:
    """The limits of a float dtype, as Python's floats."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: np.dtype[Any]


@struct
class IntInfo:
    """The limits of an int dtype."""

    bits: int
    max: int
    min: int
    dtype: np.dtype[Any]


def finfo(type: Any, /) -> FloatInfo:
    """The limits of the float dtype, or of the dtype of the array, `type`."""
    found = np.finfo(_dtype(type))
    return FloatInfo(
        bits=found.bits,
        eps=float(found.eps),
        max=float(found.max),
        min=float(found.min),
        smallest_normal=float(found.smallest_normal),
        dtype=found.dtype,
    )


def iinfo(type: Any, /) -> IntInfo:
    """The limits of the int dtype, or of the dtype of the array, `type`."""
    found = np.iinfo(_dtype(type))
    return IntInfo(found.bits, int(found.max), int(found.min), found.dtype)


def _dtype(type: Any) -> np.dtype[Any]:
    plain = isinstance(type, (np.ndarray, np.generic))
    found: np.dtype[Any] = np.dtype(type.dtype if plain else type)
    return found
