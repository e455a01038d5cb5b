"""array_api.fft: the standard's Fourier transforms, each function a decorated call."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.array_api import ours
from autograph.array_api.decorated import Lookup

_NAMES = """
fft fftn fftshift hfft ifft ifftn ifftshift ihfft irfft irfftn rfft rfftn
""".split()
_functions = Lookup(__name__, {name: getattr(np.fft, name) for name in _NAMES})
_functions.own(ours.fftfreq, ours.rfftfreq)


def __getattr__(name: str) -> Any:
    made = _functions(name)
    globals()[name] = made
    return made


def __dir__() -> list[str]:
    return _functions.names
