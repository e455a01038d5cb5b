"""The namespace of the array API standard: decorated calls of NumPy's functions."""

import inspect
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import autograph as ag
from autograph import array_api as xp
from autograph.same import assert_same_as_python

ROOT = Path(__file__).parents[2]
X = np.array([3.0, 1.0, 2.0, 1.0])
M = np.array([[4.0, 1.0], [2.0, 3.0]])


def test_its_functions_are_numpys_as_decorated_calls():
    for module, plain in ((xp, np), (xp.linalg, np.linalg), (xp.fft, np.fft)):
        for name in dir(module):
            made = getattr(module, name)
            if isinstance(made, ag.Function):
                assert made.__name__ == name
                assert inspect.signature(made)
                assert getattr(plain, name)
    assert isinstance(xp.sin, ag.Function)
    np.testing.assert_array_equal(xp.sin(X), np.sin(X), strict=True)
    np.testing.assert_array_equal(xp.linalg.inv(M), np.linalg.inv(M), strict=True)
    np.testing.assert_array_equal(xp.fft.rfft(X), np.fft.rfft(X), strict=True)


def test_what_no_standard_has_it_has_not():
    with pytest.raises(AttributeError, match="no attribute 'percentile'"):
        xp.percentile
    with pytest.raises(AttributeError, match="no attribute 'eig'"):
        xp.linalg.eig


def test_sorting_keeps_the_order_of_equal_elements_both_ways():
    assert xp.sort(X, descending=True).tolist() == [3.0, 2.0, 1.0, 1.0]
    assert xp.argsort(X).tolist() == [1, 3, 2, 0]
    assert xp.argsort(X, descending=True).tolist() == [0, 2, 1, 3]


def test_arrays_without_dims_stay_arrays():
    assert type(xp.asarray(2.0)) is np.ndarray
    assert type(xp.zeros(())) is np.ndarray
    assert isinstance(xp.meshgrid(X, X), list)
    assert isinstance(xp.broadcast_arrays(X, X[0]), list)


def test_limits_of_dtypes_are_pythons_numbers():
    assert type(xp.finfo(xp.float32).eps) is float
    assert xp.finfo(X).bits == 64
    assert xp.iinfo(np.int8(1)).max == 127
    assert xp.fft.fftfreq(4, dtype=xp.float32).dtype == np.float32


def test_sign_of_a_nan_is_seen():
    assert not xp.signbit(float("nan"))
    assert xp.signbit(-float("nan"))


def test_namespace_of_a_tensor_is_numpy():
    def norm(x):
        xp = x.__array_namespace__(api_version="2024.12")
        return xp.sqrt(xp.sum(xp.square(xp.asarray(x)))), xp.linalg.vector_norm(x)

    assert_same_as_python(norm, X)


def test_einops_rearranges_tensors():
    einops = pytest.importorskip("einops")
    assert_same_as_python(lambda x: einops.rearrange(x, "a b -> (b a)"), M)
    assert_same_as_python(lambda x: einops.reduce(x, "a b -> a", "mean"), M)

    def in_a_loop(x, n):
        for _ in range(n):
            if x[0, 0] < 40:
                x = einops.repeat(x, "a b -> a (c b)", c=2)[:, :2] + x
        return x

    assert_same_as_python(in_a_loop, M, np.int64(3))


def test_einops_is_one_trace():
    einops = pytest.importorskip("einops")

    @ag.function
    def averaged(x):
        return einops.reduce(x, "a b -> a", "mean")

    for _ in range(12):
        assert np.array_equal(averaged(M), M.mean(axis=1))
    assert "1 trace>" in repr(averaged)


def test_array_api_extra_takes_tensors():
    xpx = pytest.importorskip("array_api_extra")
    assert_same_as_python(lambda x: xpx.cov(x, xp=np), M)
    assert_same_as_python(lambda x: xpx.one_hot(np.argsort(x), 4, xp=np), X)
    assert_same_as_python(lambda x: xpx.at(x)[1:].add(5.0), X)
    assert_same_as_python(lambda x: xpx.nunique(x), X)


def test_array_api_compat_takes_tensors():
    compat = pytest.importorskip("array_api_compat")

    def standardized(x):
        xp = compat.array_namespace(x)
        kinds = compat.is_numpy_array(x), compat.is_torch_array(x), compat.device(x)
        return (x - xp.mean(x)) / xp.std(x, correction=1), compat.size(x), kinds

    assert_same_as_python(standardized, X)


SCIPYS = """
import numpy as np, scipy.fft, scipy.ndimage, scipy.signal, scipy.special, scipy.stats
from autograph.same import assert_same_as_python

def program(x, n):
    total = 0.0
    for _ in range(n):
        if x[0] < 40:
            x = scipy.stats.zscore(x) + scipy.special.expit(scipy.signal.detrend(x))
            total += scipy.special.logsumexp(x) + scipy.stats.skew(x)
    parts = scipy.ndimage.gaussian_filter(x, 1.0), scipy.fft.rfft(x)
    return x, total, parts, scipy.stats.ttest_ind(x, x * 2).pvalue

assert_same_as_python(program, np.array([3.0, 1.0, 2.0, 1.0]), np.int64(2))
"""
LEARNT = """
import numpy as np, sklearn
from sklearn.decomposition import PCA
from sklearn.linear_model import Ridge
from sklearn.metrics import accuracy_score, mean_squared_error, pairwise_distances
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from autograph.same import assert_same_as_python

def program(x, n):
    total = 0.0
    for _ in range(n):
        if x[0] < 40:
            x = MinMaxScaler().fit_transform(x[:, None])[:, 0] + x / 2
            total += mean_squared_error(x, x * 2)
    rows = StandardScaler().fit_transform(np.stack([x, x * x, x**3], axis=1))
    total += accuracy_score(x > 1, rows[:, 0] > 0)
    model = Ridge(solver="svd").fit(rows, x)
    reduced = np.abs(PCA(2, svd_solver="full").fit_transform(rows))
    return x, total, model.predict(rows), reduced, pairwise_distances(rows)

sklearn.set_config(array_api_dispatch=True)
assert_same_as_python(program, np.array([3.0, 1.0, 2.0, 1.5]), np.int64(2))
"""


@pytest.mark.parametrize(
    ("library", "text"), [("scipy", SCIPYS), ("sklearn", LEARNT)], ids=str
)
def test_libraries_that_dispatch_take_tensors(tmp_path, library, text):
    pytest.importorskip(library)
    program = tmp_path / "program.py"
    program.write_text(text)
    # SciPy looks at it when it is imported.
    settings = {**os.environ, "SCIPY_ARRAY_API": "1", "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, str(program)], env=settings, check=True)


def test_suite_is_skipped_without_a_checkout():
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "array_api.py")],
        env={"PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == (
        "array-api: skipped, ARRAY_API_TESTS names no checkout of the suite\n"
    )


def test_protocols_of_a_tensor_are_numpys():
    def asked(x):
        device = x.__dlpack_device__()
        known = hasattr(x[0], "__dlpack_device__"), x.__array_priority__
        return (
            x.__array__() * 2,
            x.__array__(np.float32),
            x[0].__array__(),
            device,
            known,
        )

    def changed(x):
        same = x.__array__()
        same[0] = 9.0
        np.from_dlpack(x)[1:] += 1
        return x

    assert_same_as_python(asked, X)
    assert_same_as_python(changed, X)
