"""Truths and short ints are added in few bits, and give what NumPy's sums give."""

import warnings

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm.maps import exact_sums

DTYPES = ("?", "i1", "u1", "i2", "u2", "i4", "u4")
LAYOUTS = {
    "in order": np.array,
    "steps": lambda x: np.repeat(x, 2, -1)[..., ::2],
    "backwards": lambda x: x[..., ::-1],
    "turned": lambda x: np.array(x.T).T,
}


def extremes(size, dtype):
    """The least and the greatest ones, which few bits hold the fewest of."""
    kind = np.dtype(dtype)
    if kind.kind == "b":
        return np.ones(size, dtype)
    known = np.iinfo(kind)
    found = np.full(size, known.max, dtype)
    found[: size // 3] = known.min
    return found


def found_of(x, y):
    z = x.copy()
    return (
        *(np.sum(z), np.sum(z == y), np.mean(z), np.sum(z < y)),
        *(np.count_nonzero(z != y), np.mean(z != y), np.sum(~z)),
    )


def found_of_rows(x, y):
    z = x.copy()
    return np.sum(z, axis=1), np.sum(z == y, axis=0), np.mean(z), np.mean(~z, axis=1)


def text_of(function, *arguments):
    """Its loops as text."""
    staged = ag.function(function)
    with ag.config(backend="native"):
        staged(*arguments)
        return staged.inspect("loops")


def same(one, other):
    return repr(one) == repr(other) and [a.dtype for a in map(np.asarray, one)] == [
        b.dtype for b in map(np.asarray, other)
    ]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_sums_are_numpys(dtype, layout):
    with ag.config(backend="native"):
        of_all, of_rows = ag.function(found_of), ag.function(found_of_rows)
        for size in (1, 127, 128, 129, 700, 2**14, 2**15 + 7):
            x = LAYOUTS[layout](extremes(size, dtype))
            for y in (x[:1], x[-1:]):
                for _ in range(2):
                    assert same(of_all(x, y), found_of(x, y))
        for rows in (1, 3, 130):
            x = LAYOUTS[layout](extremes(rows * 200, dtype).reshape(rows, 200))
            for _ in range(2):
                assert same(of_rows(x, x[0]), found_of_rows(x, x[0]))


@pytest.mark.parametrize(
    ("dtype", "kind"), [("?", "i8"), ("u1", "i16"), ("i2", "i32"), ("u2", "i32")]
)
def test_they_are_added_in_few_bits(dtype, kind):
    text = text_of(lambda x: np.sum(x), extremes(500, dtype))
    assert f"= add {kind}(" in text, text
    assert "numpys" not in text


def test_truths_of_longer_elements_are_added_in_as_many_bits_as_these_have():
    def below(x, y):
        return np.sum(x < y)

    for dtype, kind in {"u1": "i8", "i2": "i16", "f4": "i32"}.items():
        x = np.ones(40_000, dtype)
        text = text_of(below, x, x[0] * 2)
        assert f"= add {kind}(" in text, text


def test_inverted_truths_are_no_loop_of_numpys():
    x = extremes(500, "?")
    text = text_of(lambda x: np.sum(~x), x)
    assert "xor" in text, text
    assert "numpys" not in text


def test_a_mean_of_many_short_ints_is_machine_code():
    # Of so many ints NumPy's order would tell, if any sum was rounded.
    for dtype in DTYPES:
        x = extremes(100_000, dtype)
        text = text_of(lambda x: np.mean(x), x)
        assert "fdiv" in text, text


def test_how_many_ints_float64_adds_exactly():
    for dtype in DTYPES:
        most = 1 if dtype == "?" else int(np.iinfo(dtype).max)
        assert exact_sums(np.dtype(dtype)) * most < 2**53
    assert exact_sums(np.dtype("i8")) == exact_sums(np.dtype("u8")) == 0


def test_a_mean_of_nothing_warns():
    with ag.config(backend="native"), warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        assert np.isnan(ag.function(lambda x: np.mean(x))(np.ones(0, bool)))
    assert [str(one.message) for one in seen] == [
        "Mean of empty slice",
        "invalid value encountered in scalar divide",
    ]


def test_without_machine_code_truths_are_counted():
    def both(x):
        return np.sum(x), np.mean(x), x.sum(), np.sum(x, keepdims=True), np.mean(x[:0])

    x = np.arange(1000).reshape(10, 100) % 3 == 0
    with ag.config(backend="numpy"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        staged = ag.function(both)
        found, wanted = staged(x), both(x)
        assert same(found, wanted)
        assert [type(one) for one in found] == [type(one) for one in wanted]
        assert staged.get_concrete_function(x).compiled.source.count("counted_(") == 3
