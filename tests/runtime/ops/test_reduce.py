"""Reductions: every one x dtype x shape x axis against NumPy, value and spec."""

import itertools

import numpy as np
import pytest

from runtime.ops import reduce
from runtime.ops.reduce import REDUCTIONS
from runtime.spec import TensorSpec, spec_of

DTYPES = ("bool", "int8", "int64", "uint8", "float32", "float64", "complex128")
SHAPES = ((), (0,), (3,), (2, 3), (2, 1, 3))
ONE_AXIS = (np.argmax, np.argmin, np.nanargmax, np.nanargmin, np.cumsum, np.cumprod)


def axes(function, rank):
    plain = [None, *range(-rank, rank)]
    return plain if function in ONE_AXIS else [*plain, tuple(range(rank))]


def sample(shape, dtype):
    count = int(np.prod(shape, dtype=int))
    return (np.arange(count)[::-1].reshape(shape) % 4).astype(dtype)


def outcome(function, *args, **kwargs):
    with np.errstate(all="ignore"):
        try:
            return function(*args, **kwargs)
        except Exception as error:
            return type(error), str(error)


def refused(result):
    return isinstance(result, tuple) and isinstance(result[0], type)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("function", REDUCTIONS, ids=lambda f: f.__name__)
def test_reduction_is_numpys(function):
    op = REDUCTIONS[function]
    for shape, dtype in itertools.product(SHAPES, DTYPES):
        x = sample(shape, dtype)
        for axis, keepdims in itertools.product(axes(function, x.ndim), (False, True)):
            options = {"axis": axis}
            if function not in (np.cumsum, np.cumprod):
                options["keepdims"] = keepdims
            assert_reduction_is(op, function, x, options)


def assert_reduction_is(op, function, x, options):
    expected = outcome(function, x, **options)
    made = outcome(op.kernel, x, **options)
    if refused(expected):
        inferred = outcome(op.infer, spec_of(x), **options)
        assert expected in (inferred, made)
        return
    np.testing.assert_array_equal(made, expected)
    known = spec_of(x)
    for spec in (known, known.with_shape((None,) * x.ndim), known.with_shape(None)):
        declared = op.infer(spec, **options)
        assert declared.describes(spec_of(np.asarray(expected)))
    assert op.infer(known, **options).shape == np.shape(expected)


def test_axis_out_of_bounds_is_refused_in_numpys_words():
    with pytest.raises(
        np.exceptions.AxisError,
        match="axis 2 is out of bounds for array of dimension 2",
    ):
        reduce.sum_.infer(TensorSpec((2, None), float), axis=2)


def test_dtype_and_ddof_are_options_of_the_function():
    x = np.array([1, 2, 4], np.int8)
    assert reduce.sum_.infer(spec_of(x), dtype=np.dtype("f4")).dtype == np.float32
    assert reduce.sum_.kernel(x, dtype=np.dtype("f4")).dtype == np.float32
    assert reduce.var.kernel(x, ddof=1) == np.var(x, ddof=1)


def test_name_of_a_dim_stays_where_it_is_not_reduced():
    spec = TensorSpec(("n", 3), np.int8)
    assert reduce.sum_.infer(spec, axis=1) == TensorSpec(("n",), np.int64)
    assert reduce.max_.infer(spec, axis=0, keepdims=True).shape == (1, 3)


@pytest.mark.parametrize("ufunc", [np.add, np.subtract, np.hypot])
def test_ufuncs_own_reductions_are_numpys(ufunc):
    x = sample((2, 3), "float64")
    reduced = reduce.ufunc_reduce
    running = reduce.ufunc_accumulate
    np.testing.assert_array_equal(
        reduced.kernel(x, ufunc=ufunc, axis=1), ufunc.reduce(x, 1)
    )
    np.testing.assert_array_equal(
        running.kernel(x, ufunc=ufunc, axis=1), ufunc.accumulate(x, 1)
    )
    assert reduced.infer(spec_of(x), ufunc=ufunc, axis=1).shape == (2,)
    assert running.infer(spec_of(x), ufunc=ufunc, axis=1).shape == (2, 3)


@pytest.mark.parametrize(("n", "axis"), [(1, -1), (2, 0), (3, 1), (1, 0)])
def test_diff_is_numpys(n, axis):
    x = sample((2, 3), "int64")
    made = reduce.diff.kernel(x, n=n, axis=axis)
    np.testing.assert_array_equal(made, np.diff(x, n, axis))
    assert reduce.diff.infer(spec_of(x), n=n, axis=axis) == spec_of(made)
