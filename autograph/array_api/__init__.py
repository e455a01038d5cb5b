"""array_api: the Python array API standard, 2024.12, each function a decorated call.

The arrays are NumPy's. A function here traces NumPy's of that name for the dtypes and
shapes of its arguments, and runs the graph. Libraries that are written for the standard
take it as their namespace `xp`; inside of a decorated function NumPy itself does, which
is what `x.__array_namespace__()` gives there.

>>> from autograph import array_api as xp
>>> xp.sum(xp.asarray([1.0, 2.0]))
np.float64(3.0)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.array_api import fft as fft
from autograph.array_api import linalg as linalg
from autograph.array_api import ours
from autograph.array_api.decorated import Lookup

__array_api_version__ = "2024.12"

e, pi, inf, nan, newaxis = np.e, np.pi, np.inf, np.nan, None
bool = np.bool_
int8, int16, int32, int64 = np.int8, np.int16, np.int32, np.int64
uint8, uint16, uint32, uint64 = np.uint8, np.uint16, np.uint32, np.uint64
float32, float64 = np.float32, np.float64
complex64, complex128 = np.complex64, np.complex128

# What asks of dtypes alone, and gives no array.
__array_namespace_info__ = np.__array_namespace_info__
can_cast, isdtype, result_type = np.can_cast, np.isdtype, np.result_type
finfo, iinfo = ours.finfo, ours.iinfo

_NAMES = """
abs acos acosh add all any arange argmax argmin asarray asin asinh astype atan atan2
atanh bitwise_and bitwise_invert bitwise_left_shift bitwise_or bitwise_right_shift
bitwise_xor broadcast_to ceil concat conj copysign cos cosh count_nonzero
cumulative_prod cumulative_sum diff divide empty empty_like equal exp expand_dims expm1
eye flip floor floor_divide from_dlpack full full_like greater greater_equal hypot imag
isfinite isinf isnan less less_equal linspace log log10 log1p log2 logaddexp logical_and
logical_not logical_or logical_xor matmul matrix_transpose max maximum mean min minimum
moveaxis multiply negative nextafter nonzero not_equal ones ones_like permute_dims
positive pow prod real reciprocal remainder repeat reshape roll round searchsorted sign
signbit sin sinh sqrt square squeeze stack std subtract sum take take_along_axis tan
tanh tensordot tile tril triu trunc unique_all unique_counts unique_inverse
unique_values unstack var vecdot where zeros zeros_like
""".split()
_functions = Lookup(__name__, {name: getattr(np, name) for name in _NAMES})
_functions.own(ours.argsort, ours.sort, ours.clip, ours.meshgrid, ours.broadcast_arrays)


def __getattr__(name: str) -> Any:
    made = _functions(name)
    globals()[name] = made
    return made


def __dir__() -> list[str]:
    return sorted({*(n for n in globals() if n[0] != "_"), *_functions.names})
