"""Host calls: a NumPy or SciPy function without an op of its own, called by the graph.

What comes back is found by running the function once, while tracing, on sample arrays
of the same dtypes and sizes: its dtype and how many results there are. The shape is
kept for functions whose shapes depend on shapes alone.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime import shapes
from runtime.build import suspended
from runtime.ops.template import encode, fill
from runtime.ops.world import host_call
from runtime.spec import (
    PYTHON_NUMBERS,
    ObjectSpec,
    TensorSpec,
    any_width,
    holds_objects,
    spec_of,
)
from runtime.tensor import Tensor, tensor

UNKNOWN = TensorSpec(None, None)
SMALL = 1 << 16  # elements; a function is not tried on larger samples
# Functions that do something, so they are not tried and run in their place.
WRITES: tuple[Callable[..., Any], ...] = (
    np.save,
    np.savetxt,
    np.savez,
    np.savez_compressed,
)
# Packages whose functions give shapes that depend on their arguments' shapes alone.
SHAPED_PACKAGES = (
    *("numpy.linalg", "numpy.fft", "scipy.linalg", "scipy.fft"),
    *("numpy.strings", "numpy.char"),
)
# NumPy's other functions of that kind.
SHAPED = frozenset(
    """
    interp convolve correlate cov corrcoef average percentile quantile nanpercentile
    nanquantile nan_to_num angle sinc i0 unwrap ediff1d isclose allclose
    array_equal array_equiv polyval polyfit vander partition argpartition lexsort
    digitize histogram nancumsum nancumprod isin rollaxis apply_along_axis
    cumulative_sum cumulative_prod trapezoid kron cross select choose ix_
    """.split()
)

# Those whose number of results depends on their arguments' numbers of dims.
RANK_COUNTS = frozenset({"gradient", "nonzero", "call_method", "unravel_index"})


def call(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    results: TensorSpec | None = None,
    writes: bool = False,
) -> Any:
    """A node that calls `function` when the graph runs.

    results: the spec of its one result, when it is known; found by a trial if not
    writes:  it is called for what it does, and gives nothing
    """
    writes = writes or function in WRITES
    (positional, named), found = encode((args, kwargs), _is_array)
    inputs = list(map(tensor, found))
    specs: tuple[TensorSpec, ...] = ()
    whole = None
    if results is not None:
        specs = (results,)
    elif not writes:
        specs, whole = _try(function, (positional, named), inputs)
    made = host_call(
        *inputs,
        function=function,
        args=positional,
        kwargs=named,
        results=specs,
        writes=writes,
    )
    if writes:
        return None
    return made if whole is None else _rebuilt(whole, made)


def _is_array(part: Any) -> bool:
    """A tensor, or an array that the user may change: read at each call."""
    if isinstance(part, np.ndarray):
        return part.dtype.kind in "biufc"
    return isinstance(part, Tensor)


def _is_users_function(part: Any) -> bool:
    """True for a callable that may do anything when it is called."""
    return callable(part) and not isinstance(part, type) and not is_known_pure(part)


def _rebuilt(whole: type, made: Any) -> Any:
    """Several results in the type that the function gives: tuple, list, named tuple."""
    parts = made if isinstance(made, tuple) else (made,)
    return whole(*parts) if hasattr(whole, "_fields") else whole(parts)


def _try(
    function: Callable[..., Any], template: Any, inputs: list[Tensor]
) -> tuple[tuple[TensorSpec, ...], type | None]:
    """The specs of the results, and the sequence type that they come in, if any."""
    specs = [x.spec for x in inputs]
    shaped = is_shaped(function)
    counted = getattr(function, "__name__", "") not in RANK_COUNTS
    if not is_known_pure(function) or encode(template, _is_users_function)[1]:
        return (UNKNOWN,), None
    if not _can_try(specs, counted):
        return (UNKNOWN,), None
    positional, named = fill(template, tuple(map(sample, specs)))
    try:
        with suspended(), np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            answer = function(*positional, **named)
    except Exception:
        # The samples may not suit the function; what it gives is then seen at run time.
        return (UNKNOWN,), None
    known = min(map(_known, specs), default=2) if shaped else 0
    if isinstance(answer, (tuple, list)) and len(answer) != 1:
        return tuple(_spec(part, known) for part in answer), type(answer)
    return (_spec(answer, known),), None


def _can_try(specs: list[TensorSpec], counted: bool) -> bool:
    """True when samples of these specs show how many results there are."""
    if any(spec.dtype is None or not _is_small(spec) for spec in specs):
        return False
    return counted or all(spec.shape is not None for spec in specs)


def _known(spec: TensorSpec) -> int:
    """How much of a shape is known: 2 all of it, 1 the rank, 0 nothing."""
    return 2 if spec.is_static else int(spec.shape is not None)


def is_known_pure(function: Callable[..., Any]) -> bool:
    """True for functions of NumPy, SciPy and this package, which may be tried."""
    package = (getattr(function, "__module__", None) or "").split(".")[0]
    return package in ("numpy", "scipy", "runtime") or isinstance(function, np.ufunc)


def is_shaped(function: Callable[..., Any]) -> bool:
    """True when the results' shapes depend on the arguments' shapes alone."""
    module = getattr(function, "__module__", None) or ""
    if module.startswith(SHAPED_PACKAGES):
        return True
    return module.startswith("numpy") and getattr(function, "__name__", "") in SHAPED


def _is_small(spec: TensorSpec) -> bool:
    return (shapes.size_of(_sample_dims(spec)) or 0) <= SMALL


def _spec(part: Any, known: int) -> TensorSpec:
    """The spec of a result.

    known: how much of the operands' shapes is, and so of the result's
    """
    if type(part) in PYTHON_NUMBERS:
        return spec_of(part)
    if not isinstance(part, (np.ndarray, np.generic)) or holds_objects(part.dtype):
        return UNKNOWN
    dims = (part.shape, (None,) * part.ndim)[known == 1] if known else None
    # How wide texts are is a matter of what they are.
    return TensorSpec(dims, any_width(part.dtype))


def _sample_dims(spec: TensorSpec) -> tuple[int, ...]:
    """Sizes for a sample: 3 where unknown, a square where even the rank is."""
    dims = (None, None) if spec.shape is None else spec.shape
    return tuple(dim if isinstance(dim, int) else 3 for dim in dims)


def sample(spec: TensorSpec) -> Any:
    """A harmless array of this spec: positive, increasing; square matrices definite."""
    if spec.weak:
        return spec.python_type(1)
    if isinstance(spec, ObjectSpec):
        return spec.kind()
    dims = _sample_dims(spec)
    count = int(np.prod(dims))
    ramp = 1 + np.arange(count).reshape(dims) / (count + 1)
    if len(dims) >= 2 and dims[-1] == dims[-2] > 0:
        flat = np.eye(dims[-1]) * 4 * dims[-1]
        ramp = ramp + np.swapaxes(ramp, -1, -2) + flat
    made = np.asarray(ramp).astype(spec.dtype)
    return made[()] if spec.shape == () else made
