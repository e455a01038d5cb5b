"""Rows one after another, numbers side by side: NumPy's bits in machine code."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.harness import disagreement, observe
from tests.runtime.backends.llvm.compiling import loops_of

THRICE = np.int64(3)
DTYPES = ["?", "i1", "u2", "i8", "f4", "f8", "D"]


def swapped(x, y, count):
    for _ in range(count):
        x, y = np.concatenate((y[1:], x[::2], y)), np.concatenate((x, y + x[:1]))
    return x, y


def pendulum(y, count):
    for _ in range(count):
        n = y.shape[0] // 2
        y = y + 0.1 * np.concatenate((y[n:], -np.sin(y[:n])))
    return y


def pairs(a, b, count):
    total = np.array([a, b])
    for i in range(count):
        total = total + np.array([a * i, b + i]) * np.stack((b, a))
    return total


def weak_numbers(x, count):
    for i in range(count):
        x = x + np.array([i, i + 1])
        x = x + np.array([i * 0.5, 1.0])
    return x


def compiled(function, *given):
    with ag.config(backend="native"):
        staged = ag.function(function)
        found = disagreement(observe(function, given), observe(staged, given))
        assert found is None, found.sentence
        (loop,) = loops_of(staged, given)
    return str(loop.function)


@pytest.mark.parametrize("other", DTYPES)
@pytest.mark.parametrize("one", DTYPES)
def test_rows_of_any_dtypes_one_after_another(one, other):
    x, y = np.arange(5).astype(one), np.arange(4).astype(other)
    joined = swapped(x, y, 1)[0].dtype
    text = compiled(swapped, x.astype(joined), y.astype(joined), THRICE)
    assert "python" not in text
    with ag.config(backend="native"):
        first = ag.function(lambda x, y: np.concatenate((x, y, x)))
        assert (
            disagreement(observe(first.python_function, (x, y)), observe(first, (x, y)))
            is None
        )


@pytest.mark.parametrize("sizes", [(0, 1), (1, 2), (600, 513), (7, 0)])
def test_rows_of_any_sizes(sizes):
    n, m = sizes
    if m == 0:
        # There is no first of none: that is Python's error.
        with ag.config(backend="native"):
            given = np.ones(n), np.ones(m), THRICE
            staged = ag.function(swapped)
            assert disagreement(observe(swapped, given), observe(staged, given)) is None
        return
    assert "python" not in compiled(swapped, np.arange(n * 1.0), np.ones(m), THRICE)


def test_a_row_made_of_parts_of_itself():
    assert "python" not in compiled(pendulum, np.linspace(0.5, 1.5, 6), THRICE)


def test_rows_that_go_backwards():
    x = np.arange(12.0)[::-2]
    assert "python" not in compiled(pendulum, x, THRICE)


def test_numbers_side_by_side():
    assert "python" not in compiled(pairs, np.float64(0.5), np.float64(2.0), THRICE)
    assert "python" not in compiled(pairs, np.int32(3), np.float32(2.0), THRICE)


def test_pythons_numbers_side_by_side():
    assert "python" not in compiled(weak_numbers, np.ones(2), THRICE)


def shifted(x, y, count):
    for _ in range(count):
        x = np.concatenate((x[1:], x[:1] * y, x[:1])) * 0.5
        x = np.concatenate((x[:, 1:], x[:, :1]), axis=-1)
    return x


@pytest.mark.parametrize("shape", [(3, 4), (1, 4), (4, 1), (3, 2, 5)])
def test_arrays_of_more_dims_in_cs_order(shape):
    x = np.arange(float(np.prod(shape))).reshape(shape)
    assert "python" not in compiled(shifted, x, np.float64(2.0), THRICE)


def test_arrays_in_another_order_lie_as_numpys_do():
    def turned(x, count):
        for _ in range(count):
            x = np.concatenate((x[1:], x[:1])) + 1.0
            x = np.concatenate((x.T, x.T)).T[:, :4]
        return x, x.T

    given = np.arange(12.0).reshape(4, 3).T, THRICE
    with ag.config(backend="native"):
        found, wanted = ag.function(turned)(*given), turned(*given)
    for one, other in zip(found, wanted, strict=True):
        assert one.strides == other.strides
        assert np.array_equal(one, other)


def one_of_two(x, count):
    total = x * 1.0
    for i in range(count):
        total = total + np.where(total > 3, 0.5, x) * np.where(i > 1, x, i)
        total = total / np.where(x == 0, np.inf, x)
    return total, np.where(total > 0, total, 2)


@pytest.mark.parametrize("x", [np.float64(2.0), np.float64(0.0), np.float32(0.5)])
def test_one_of_two_numbers(x):
    assert "python" not in compiled(one_of_two, x, THRICE)


def parts(x, count):
    for _ in range(count):
        half = x.shape[0] // 2
        x = np.concatenate((x[half:] * 2 - 1, -np.sin(x[:half]), x[:1] / 3))
    return x


def shared_part(x, count):
    for _ in range(count):
        dear = np.exp(-x)
        x = np.concatenate((dear[1:] + 1, dear * 0.5))[: x.shape[0]]
    return x


def of_itself_twice(x, count):
    for _ in range(count):
        dear = np.exp(-x)
        x = np.concatenate((dear, dear))[1 : x.shape[0] + 1]
    return x


def turned(x, count):
    for _ in range(count):
        x = np.concatenate((x[1:] * 2, x[:1] + 1)) / np.max(np.abs(x))
    return x


def tables(x, count):
    for _ in range(count):
        x = np.concatenate((x[1:], x[:1] * 2 - x[1:2])) * 0.5
        x = np.stack((x[0], x[1] + x[2], x[-1] * 3), axis=1)
    return x


def sums_of_rows(x, count):
    for _ in range(count):
        ends = np.concatenate((x.sum(axis=1), x.max(axis=1) * 2))
        x = x + ends[: x.shape[0], None] / (ends[-1] + 1)
    return x


def rows_of_expressions(x, count):
    for _ in range(count):
        x = np.stack((x[0] + 1, x[1] * 2, x[2] - x[0]))
    return x


@pytest.mark.parametrize(
    "join",
    [parts, shared_part, of_itself_twice, turned, rows_of_expressions, sums_of_rows]
    + [tables],
)
@pytest.mark.parametrize("laid", ["C", "F", "part"])
def test_expressions_are_computed_where_they_are_joined(join, laid):
    x = np.linspace(0.25, 1.5, 9 if join in (parts, turned) else 8)
    if join in (tables, rows_of_expressions, sums_of_rows):
        x = np.linspace(0.25, 1.5, 9).reshape(3, 3)
    x = {"C": x, "F": np.asfortranarray(x), "part": np.repeat(x, 2, axis=-1)[..., ::2]}[
        laid
    ]
    text = compiled(join, x, THRICE)
    assert laid == "F" or "python" not in text
    if join is parts:
        # The whole alone is made.
        assert text.count(" = new ") == 1


def test_parts_that_do_not_fit_are_numpys_error_and_warn_once():
    def joined(x, y):
        for _ in range(2):
            x = np.concatenate((x * 2, 1 / y), axis=0)
        return x

    with ag.config(backend="native"):
        staged = ag.function(joined)
        for given in (
            (np.ones((2, 3)), np.ones((2, 3))),
            (np.ones((2, 3)), np.array([[0.0, 1.0]])),
            (np.ones((2, 3)), np.zeros((1, 3))),
        ):
            found = disagreement(observe(joined, given), observe(staged, given))
            assert found is None, found.sentence
