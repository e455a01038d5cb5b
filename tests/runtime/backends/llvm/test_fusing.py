"""Reductions of chains: NumPy's bits, and no array of what is reduced."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import autograph as ag
from tests.conformance.harness import disagreement, observe
from tests.runtime.backends.llvm.compiling import loops_of

TWICE = np.int64(2)
CHAINS = {
    "squares": lambda x, y: x * x,
    "differences": lambda x, y: (x - y) ** 2,
    "sizes": lambda x, y: np.abs(x - y),
    "powers": lambda x, y: np.exp(-x) * y,
    "less": lambda x, y: x < y,
    "chosen": lambda x, y: np.where(x < y, x, y),
}
NAMES = ("sum", "prod", "max", "min", "any", "all", "mean")
LAYOUTS = {
    "C": np.ascontiguousarray,
    "F": np.asfortranarray,
    "steps": lambda x: np.repeat(x, 2, -1)[..., ::2],
    "backwards": lambda x: np.ascontiguousarray(x[..., ::-1])[..., ::-1],
    "upside down": lambda x: np.ascontiguousarray(x[::-1])[::-1],
}
SIZES = st.one_of(st.integers(0, 10), st.integers(11, 300))
SHAPES = st.one_of(
    st.tuples(st.one_of(SIZES, st.integers(300, 9000))),
    st.tuples(SIZES, st.integers(0, 40)),
    st.tuples(st.integers(1, 7), SIZES),
    st.tuples(st.integers(1, 6), st.integers(1, 20), st.integers(1, 20)),
)


def turns(name, chain, axis, keepdims):
    """A loop with a reduction of a chain in it."""
    function = getattr(np, name)

    def loop(x, y, count):
        found = function(chain(x, y), axis=axis, keepdims=keepdims)
        for _ in range(count):
            found = function(chain(x, y), axis=axis, keepdims=keepdims)
            x = x + x
        return found

    return loop


def filled(shape, dtype, rng, kind):
    if np.dtype(dtype).kind in "iu":
        return rng.integers(0, 100, shape).astype(dtype)
    x = rng.standard_normal(shape) * 10.0 ** rng.integers(-8, 8, shape)
    if kind == "zeros":
        x = np.copysign(0 * x, rng.choice([-1.0, 1.0], shape))
    if kind == "special":
        x = np.where(rng.random(shape) < 0.1, np.nan, x)
        x = np.where(rng.random(shape) < 0.05, -np.inf, x)
    return x.astype(dtype)


def axes_of(rank):
    return st.one_of(st.none(), st.integers(-rank, rank - 1))


@st.composite
def cases(draw):
    shape = draw(SHAPES)
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    kind = draw(st.sampled_from(["usual", "zeros", "special"]))
    dtype = draw(st.sampled_from(["f8", "f4", "i8", "i4", "u1"]))
    lay = LAYOUTS[draw(st.sampled_from([*LAYOUTS, "C", "C"]))]
    of_row = draw(st.sampled_from([shape, shape[-1:], (1,) * len(shape)]))
    x, y = filled(shape, dtype, rng, kind), filled(of_row, dtype, rng, kind)
    name, chain = draw(st.sampled_from(NAMES)), draw(st.sampled_from([*CHAINS]))
    function = turns(
        name, CHAINS[chain], draw(axes_of(len(shape))), draw(st.booleans())
    )
    return function, lay(x), y, f"{name} {chain}"


def nearly_bits(x):
    """All bits but the sign of a NaN, which is that of one of several NaNs."""
    if x.dtype.kind == "f":
        x = np.where(np.isnan(x), np.asarray(np.nan, x.dtype), x)
    return x.tobytes()


@settings(max_examples=60, deadline=None)
@given(cases())
def test_each_is_numpys_to_the_bit(case):
    function, x, y, words = case
    arguments = [x, y, TWICE]
    with ag.config(backend="native"), np.errstate(all="ignore"):
        staged = ag.function(function)
        wanted, found = observe(function, arguments), observe(staged, arguments)
        differs = disagreement(wanted, found)
        assert differs is None, f"{words} {x.dtype}{x.shape}: {differs.sentence}"
        if x.size and y.size:
            a, b = (np.asarray(f(*arguments)) for f in (function, staged))
            assert nearly_bits(a) == nearly_bits(b), f"{words} {x.dtype}{x.shape}"
            assert a.strides == b.strides, f"{words} {x.dtype}{x.shape}"


@pytest.mark.parametrize("size", [5, 8, 100, 128, 129, 1000, 4097])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_a_sum_is_in_pairs_whatever_its_length(size, dtype):
    rng = np.random.default_rng(size)
    x, y = (filled((n, size), dtype, rng, "usual") for n in (3, 1))
    function = turns("sum", CHAINS["differences"], -1, False)
    with ag.config(backend="native"):
        staged = ag.function(function)
        for stop in (size, size - 1, size // 2, 1):
            given = x[:, :stop], y[:, :stop], TWICE
            assert staged(*given).tobytes() == function(*given).tobytes()


# The larger of two rows, axis 0, are NumPy's own.
@pytest.mark.parametrize(
    ("name", "axis"),
    [
        *(("sum", axis) for axis in (None, 0, -1)),
        *(("mean", axis) for axis in (None, 0, -1)),
        *(("max", axis) for axis in (None, -1)),
        ("any", 0),
    ],
)
def test_no_array_of_what_is_reduced_is_made(name, axis):
    function = turns(name, CHAINS["sizes"], axis, False)
    rng = np.random.default_rng(0)
    x, y = (filled((20, 30), "f8", rng, "usual") for _ in range(2))
    with ag.config(backend="native"):
        staged = ag.function(function)
        for lay in (LAYOUTS["C"], LAYOUTS["steps"]):
            given = lay(x), lay(y), TWICE
            assert bits(staged(*given)) == bits(function(*given))
        (loop,) = loops_of(staged, (x, y, TWICE))
    (turns_of,) = loop.function.body.instructions
    always = turns_of.blocks[1].instructions
    made = [one.args for one in always if one.op == "new"]
    assert made.count((20, 30)) == 1  # x + x


def bits(one):
    return np.asarray(one).tobytes()


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_axes_of_few_elements_are_written_out(axis):
    def loop(x, count):
        total = np.zeros(())
        for _ in range(count):
            far = np.sum((x[:, None, :] - x[None, :, :]) ** 2, axis)
            total = total + np.max(1.0 / (far + 0.01))
        return total

    x = np.random.default_rng(0).standard_normal((5, 3))
    with ag.config(backend="native"):
        staged = ag.function(loop)
        assert bits(staged(x, TWICE)) == bits(loop(x, TWICE))
        (found,) = loops_of(staged, (x, TWICE))
    text = str(found.function)
    assert "python" not in text
    assert "numpys" not in text.replace("numpys maximum", "")


def warned(function, *arguments):
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        function(*arguments)
    return [(str(one.message), one.lineno) for one in shown]


def test_numbers_that_overflow_are_warned_of_at_their_line():
    def squares(x):
        y = x * x
        z = x + 1.0
        return np.sum(y * z)

    with ag.config(backend="native"):
        staged = ag.function(squares)
        for x in (np.full(9, 1e200), np.full(300, 1e200)):
            assert warned(staged, x) == warned(squares, x)[:1]


def test_a_nan_in_a_maximum_is_no_reason_to_warn():
    def largest(x, count):
        found = np.float64(0.0)
        for _ in range(count):
            found = np.max(np.abs(x - 1.0)) + np.min(x * 2.0)
        return found

    x = np.array([1.0, np.nan, -2.0] * 50)
    with ag.config(backend="native"):
        staged = ag.function(largest)
        assert warned(staged, x, TWICE) == []
        assert bits(staged(x, TWICE)) == bits(largest(x, TWICE))


def test_what_is_stored_where_it_is_read_is_computed_before():
    def shifted(x, count):
        for _ in range(count):
            x[1:, 0] = np.sum(x[:-1] * x[1:], 1)
        return x

    x = np.random.default_rng(0).random((6, 3))
    with ag.config(backend="native"):
        staged = ag.function(shifted)
        assert bits(staged(x.copy(), TWICE)) == bits(shifted(x.copy(), TWICE))
