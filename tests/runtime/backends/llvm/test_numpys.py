"""Functions of NumPy's own that have its bits by our code: all of them, always."""

import contextvars
import warnings

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import across, hot, library_bits, owns, switch, text
from runtime.backends.llvm.float_errors import MADE_ANEW
from runtime.backends.llvm.having import OF_NUMPYS
from runtime.backends.llvm.library_bits import (
    digest,
    is_numpys,
    is_single_librarys,
    of_single,
)
from runtime.backends.llvm.mathematics import PREFIX, definition, lookups
from runtime.backends.llvm.mathematics.numpys import FORMULAS
from tests.runtime.backends.llvm.compiling import parts_of

COUNT = 100_003  # not a whole number of vectors
SPECIAL = np.array(
    [
        *(0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1e-40, -1e-40, 1e-45, 3e38, -3e38),
        *(np.inf, -np.inf, np.nan, 86.9, 87.1, -87.1, 88.8, -103.9, -104.1, 88.72),
        *(117435.0, -117436.0, 71476.0, 71477.0, 9.0, 9.5, 0.046, 0.047, 2.0**-126),
        *(0.70710677, 0.7071068, np.pi, -np.pi / 2, 1.7014118e38, 1e-20, 1e-30),
    ],
    np.float64,
)

# Elsewhere NumPy's are called as before.
NAMES = [
    pytest.param(
        name,
        char,
        marks=pytest.mark.skipif(
            not is_numpys(name, char), reason="NumPy has other formulas here"
        ),
    )
    for name, char in library_bits._DIGESTS
]
pytestmark = pytest.mark.usefixtures("noted_in_machine_code")
each = pytest.mark.parametrize(("name", "char"), NAMES)


def chain_of(name):
    """A function of elements in a chain."""
    ufunc = getattr(np, name)
    return lambda x: ufunc(x) * 1.0


def is_same(found, wanted):
    """Whether all bits are the same, but those of NaNs."""
    assert found.dtype == wanted.dtype
    both = np.isnan(found) & np.isnan(wanted)
    whole = f"i{found.dtype.itemsize}"
    return bool(np.all((found.view(whole) == wanted.view(whole)) | both))


def told_by(function, x):
    """The kinds of warnings."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        function(x)
    return {str(one.message).split(" encountered")[0] for one in told}


def text_of(function, *arguments):
    (region,) = parts_of(function, arguments, hot.Region)
    return region.text(*region.lowered()).write()


@each
def test_elements_have_numpys_bits(name, char):
    rng = np.random.default_rng(len(name))
    size = np.dtype(char).itemsize
    any_bits = np.frombuffer(rng.bytes(COUNT * size), char)
    usual = rng.uniform(-20.0, 20.0, COUNT).astype(char)
    wide = rng.uniform(-120.0, 120.0, COUNT).astype(char)
    near = (1.0 + rng.uniform(-0.6, 0.6, COUNT)).astype(char)
    angles = np.pi / 2 * rng.integers(-90_000, 90_000, COUNT)
    function, plain = ag.function(chain_of(name)), chain_of(name)
    for x in (any_bits, usual, wide, near, angles.astype(char)):
        assert is_same(function(x), plain(x))
    assert f"{PREFIX}numpys_{name}_v" in text_of(function, usual)


@pytest.mark.with_passes  # without them no vectors are made
@pytest.mark.parametrize("char", "fd")
@pytest.mark.parametrize("has", [True, False], ids=["taken", "turned"])
def test_rows_of_a_table_are_taken_of_vectors_or_turned(has, char, monkeypatch):
    if has and not switch.features().get("AVX512F"):
        pytest.skip("the processor has no AVX-512")
    if not is_numpys("tanh", char):
        pytest.skip("NumPy has another formula here")
    monkeypatch.setattr(lookups, "features", lambda: {"AVX512F": has})
    # Its text is made once in a process.
    monkeypatch.setattr(owns, "definition", definition.__wrapped__)
    function, plain = ag.function(chain_of("tanh")), chain_of("tanh")
    x = np.random.default_rng(3).normal(0.0, 4.0, COUNT).astype(char)
    assert is_same(function(x), plain(x))
    assert ("vpermi2var" in text_of(function, x)) == has


@each
def test_few_elements_and_those_with_gaps_have_them(name, char):
    function, plain = ag.function(chain_of(name)), chain_of(name)
    x = np.random.default_rng(5).uniform(0.01, 9.0, (7, 30)).astype(char)
    for count in (1, 2, 3, 4, 5, 8, 13, 17, 30):
        assert is_same(function(x[:, :count]), plain(x[:, :count]))
    assert is_same(function(x[:, ::3]), plain(x[:, ::3]))
    assert is_same(function(x.T[::-1]), plain(x.T[::-1]))


@each
def test_short_rows_have_them(name, char):
    x = np.random.default_rng(5).uniform(0.01, 9.0, (100, 4)).astype(char)
    function, plain = ag.function(chain_of(name)), chain_of(name)
    assert is_same(function(x + x[0]), plain(x + x[0]))
    rows = ag.function(lambda x, y: plain(x + y))
    assert is_same(rows(x, x[0]), plain(x + x[0]))
    many = "v4f32" if char == "f" else "v4f64"
    assert f"{PREFIX}numpys_{name}_{many}" in text_of(rows, x, x[0])


@each
def test_what_is_special_is_noted_as_numpy_does(name, char):
    function, plain = ag.function(chain_of(name)), chain_of(name)
    with np.errstate(all="warn", under="ignore"):
        for one in SPECIAL.astype(char):
            # In a vector, and in what is left over.
            for given in (np.full(64, one), np.array([0.5] * 19 + [one], char)):
                assert told_by(function, given) == told_by(plain, given), one
    x = SPECIAL.astype(char)
    assert is_same(function(x), plain(x))


@pytest.mark.skipif(
    not (is_numpys("exp", "f") and is_numpys("log", "f")),
    reason="NumPy has other formulas here",
)
def test_what_overflowed_in_a_call_is_not_told_of_the_next_one():
    # A product may overflow, where a logarithm is never told to have.
    powers, logs = (ag.function(lambda x, f=f: f(x) * 2) for f in (np.exp, np.log))
    large, none = np.full(64, 100, "f"), np.zeros(64, "f")

    def asked():
        with ag.config(backend="native"):
            for _ in range(MADE_ANEW + 3):
                # The last ones call nothing of NumPy's, which would forget.
                assert told_by(powers, large) == {"overflow"}
                assert told_by(logs, none) == {"divide by zero"}

    # With NumPy's own settings: where others hold, it is asked for them.
    contextvars.Context().run(asked)


@each
def test_numbers_have_them(name, char):
    ufunc = getattr(np, name)

    def by_index(x, made):
        for i in range(len(x)):
            made[i] = ufunc(x[i]) + 0.5
        return made

    def summed(x):
        total = x[0]
        for i in range(len(x)):
            if x[i] > 0.5:
                total = total + ufunc(x[i])
            else:
                total = total - ufunc(x[i] + total)
        return total

    x = np.random.default_rng(7).uniform(0.01, 9.0, 3001).astype(char)
    x = np.concatenate([x, SPECIAL.astype(char)])
    assert is_same(ag.function(by_index)(x, 0 * x), by_index(x, 0 * x))
    x = x[:999]
    assert ag.function(summed)(x).tobytes() == summed(x).tobytes()


@pytest.mark.parametrize("count", [4, 8])
@each
def test_lanes_have_them(name, char, count, monkeypatch):
    ufunc = getattr(np, name)
    for module in (across, text):
        monkeypatch.setattr(module, "lanes", lambda: count)

    def turns(x):
        made = np.zeros(len(x), char)
        for i in range(len(x)):
            y, left = x[i], x[i]
            while left > 1.0:
                y = ufunc(abs(y) + 0.5)
                left = left * 0.5
            made[i] = y
        return made

    x = np.random.default_rng(9).uniform(0.01, 99.0, 301).astype(char)
    function = ag.function(turns)
    assert is_same(function(x), turns(x))
    (loop, *_) = parts_of(function, (x,), hot.HotLoop)
    many = f"v{count}f{8 * x.itemsize}"
    written = loop.text(*loop.lowered()).write()
    assert f"{PREFIX}numpys_{name}_{many}" in written


@each
def test_the_digest_is_that_of_our_formulas(name, char):
    assert (
        digest(ag.function(chain_of(name)), char) == library_bits._DIGESTS[name, char]
    )


def test_each_has_a_digest_and_a_loop_of_numpys():
    assert {name for name, _ in library_bits._DIGESTS} == {*OF_NUMPYS} == {*FORMULAS}


@each
def test_of_another_numpy_they_are_its_own(name, char, monkeypatch):
    monkeypatch.setitem(library_bits._DIGESTS, (name, char), 0)
    is_numpys.cache_clear()
    try:
        x = np.linspace(0.1, 4.0, 300, dtype=char)
        function = ag.function(chain_of(name))
        assert is_same(function(x), chain_of(name)(x))
        assert PREFIX not in text_of(function, x)
    finally:
        monkeypatch.undo()
        is_numpys.cache_clear()


@each
def test_one_alone_is_ours(name, char):
    ufunc = getattr(np, name)
    x = np.linspace(0.1, 4.0, 300).astype(char)
    function = ag.function(lambda x: ufunc(x))
    assert is_same(function(x), ufunc(x))
    assert f"{PREFIX}numpys_{name}_v" in text_of(function, x)


def test_another_function_alone_is_numpys():
    function = ag.function(lambda x: np.arcsin(x))
    assert not parts_of(function, (np.linspace(0.0, 1.0, 300),), hot.Region)


def test_where_it_is_not_precise_the_functions_are_the_others():
    x = np.linspace(0.1, 4.0, 300, dtype=np.float32)
    written = text_of(ag.function(chain_of("exp"), precise=False), x)
    assert f"{PREFIX}exp_" in written
    assert f"{PREFIX}numpys_" not in written


# --- powers of float32 ----------------------------------------------------------------
EXPONENTS = [
    pytest.param(
        exponent,
        marks=pytest.mark.skipif(
            not (of_single(exponent) and is_single_librarys(exponent)),
            reason="NumPy's powers are not this C library's",
        ),
    )
    for exponent in (3, 4, 6, -3, 1.5, 2.5, -0.5, -1.5)
]


def near_a_middle(x, exponent):
    """Those of x whose power is next to the middle of two float32."""
    exact = x.astype(float) ** exponent
    last = exact.view(np.int64) & (2**29 - 1)
    return x[np.abs(last - 2**28) < 2**24]


@pytest.mark.parametrize("exponent", EXPONENTS)
def test_powers_of_single_floats_are_the_librarys(exponent):
    def raised(x):
        return x**exponent * 1.0

    rng = np.random.default_rng(11)
    usual = rng.normal(size=COUNT).astype("f")
    wide = np.exp(rng.uniform(-30.0, 30.0, COUNT)).astype("f")
    near = near_a_middle(rng.uniform(0.2, 5.0, 40 * COUNT).astype("f"), exponent)
    assert near.size > COUNT
    function = ag.function(raised)
    for x in (usual, wide, near, np.frombuffer(rng.bytes(4 * COUNT), "f")):
        assert is_same(function(x), raised(x))
    written = text_of(function, usual)
    assert f"{PREFIX}{of_single(exponent)}_v" in written


@pytest.mark.parametrize("exponent", EXPONENTS)
def test_powers_of_numbers_are_the_librarys(exponent):
    def by_index(x, made):
        for i in range(len(x)):
            made[i] = x[i] ** exponent
        return made

    x = np.random.default_rng(13).uniform(0.01, 9.0, 3001).astype("f")
    x = np.concatenate([x, SPECIAL.astype("f")])
    assert is_same(ag.function(by_index)(x, 0 * x), by_index(x, 0 * x))


@pytest.mark.parametrize("exponent", EXPONENTS)
def test_special_powers_are_noted_as_numpy_does(exponent):
    def raised(x):
        return x**exponent * 1.0

    function = ag.function(raised)
    with np.errstate(all="warn", under="ignore"):
        for one in SPECIAL.astype("f"):
            given = np.full(64, one)
            assert told_by(function, given) == told_by(raised, given), one


def test_of_another_librarys_powers_none_is_ours(monkeypatch):
    monkeypatch.setattr(library_bits, "is_single_librarys", lambda exponent: False)
    x = np.linspace(0.1, 4.0, 300, dtype=np.float32)
    assert PREFIX not in text_of(ag.function(lambda x: x**3 * 1.0), x)


def test_other_exponents_are_called():
    assert of_single(2.3) is of_single(None) is of_single(0) is of_single(6.5) is None
