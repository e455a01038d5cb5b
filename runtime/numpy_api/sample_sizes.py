"""Which samples a function is tried on, and how large they are."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import shapes
from runtime.spec import TensorSpec

SAMPLES = (0, 1, 2)
POSITIVE = "scipy.sparse.csgraph"  # some of its C code has no end for negative numbers
SMALL = 1 << 12  # elements; larger arrays are tried by smaller samples
LEAST = (17, 29, 47)  # the least size that a large one becomes, in each sample
# NumPy's assertions give nothing, also where no trial suits them: one may ask whether
# an array is a constant.
ASSERTIONS = frozenset(
    """
    assert_ assert_equal assert_almost_equal assert_approx_equal assert_allclose
    assert_array_equal assert_array_almost_equal assert_array_almost_equal_nulp
    assert_array_less assert_string_equal
    """.split()
)


# Functions of NumPy's that raise as well, but give something.
CHECKS = frozenset({"asarray_chkfinite", "assert_array_max_ulp"})


def samples_for(function: Any) -> tuple[int, ...]:
    """The numbers of the samples that a function is tried on."""
    module = getattr(function, "__module__", None) or ""
    return SAMPLES[:1] if module.startswith(POSITIVE) else SAMPLES


def asserts(function: Any) -> bool:
    """True for one of `np.testing` that raises, or gives nothing."""
    module = getattr(function, "__module__", None) or ""
    return module.startswith("numpy.testing") and function.__name__ in ASSERTIONS


def checking(function: Any) -> bool:
    """True for what raises where an argument is not as it should be, and gives more."""
    # By name: `np.testing` is imported by those who ask for it.
    module = getattr(function, "__module__", None) or ""
    return module.startswith("numpy") and getattr(function, "__name__", "") in CHECKS


def common_size(inputs: list[TensorSpec]) -> int | None:
    """A size that is known, where others are not."""
    dims = [dim for spec in inputs for dim in spec.shape or ()]
    known = [dim for dim in dims if isinstance(dim, int) and dim > 1]
    return known[0] if known and len(known) < len(dims) else None


def filled_spec(spec: TensorSpec, size: int) -> TensorSpec:
    """The spec with this size where none is known."""
    if spec.shape is None or spec.is_static:
        return spec
    dims = (dim if isinstance(dim, int) else size for dim in spec.shape)
    return spec.with_shape(tuple(dims))


def shrunk(inputs: list[TensorSpec], which: int) -> dict[int, int]:
    """Sizes in place of those of large arrays, of which a trial would take long.

    Equal sizes stay equal, larger ones larger. Each sample has others, so a size that
    all find is one that is found for the real sizes.
    """
    counts = [shapes.size_of(spec.shape) or 0 for spec in inputs]
    if max(counts, default=0) <= SMALL:
        return {}
    dims = {dim for spec in inputs for dim in spec.shape or () if isinstance(dim, int)}
    large = sorted(dim for dim in dims if dim > LEAST[-1])
    return {dim: LEAST[which] + place for place, dim in enumerate(large)}


def told_apart(x: Any, which: int, at: int) -> Any:
    """The sample for the input `at`, unlike those for the inputs beside it.

    A function that writes one input into another changes what it writes into: were
    both alike, nobody would see it. What stays is its order, and that it is an index.
    """
    if not isinstance(x, np.ndarray) or x.ndim == 0:
        return x
    if x.dtype.kind in "fc":
        return (x * (1 + at / 64)).astype(x.dtype)
    if x.dtype.kind in "biu" and which == 1 and at % 2:
        return (1 - x).astype(x.dtype) if x.dtype.kind != "b" else ~x
    return x
