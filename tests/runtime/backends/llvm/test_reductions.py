"""Sums, products, extremes and means in machine code: NumPy's bits, without Python."""

import warnings

import numpy as np
import pytest

import autograph as ag
from tests.conformance.harness import disagreement, observe
from tests.runtime.backends.llvm.compiling import loops_of

NAMES = ("sum", "prod", "max", "min", "any", "all", "mean")
DTYPES = ("f4", "f8", "i8", "i4", "u1", "?", "F", "D")
TWICE = np.int64(2)
# What is called as Python where the array lies in another order.
LAYOUTS = {
    "C": np.ascontiguousarray,
    "F": np.asfortranarray,
    "steps": lambda x: np.repeat(x, 2, -1)[..., ::2],
    "backwards": lambda x: np.ascontiguousarray(x[..., ::-1])[..., ::-1],
    "repeated": lambda x: np.broadcast_to(x[..., :1], x.shape),
}
AXES = {
    (0,): [None, 0],
    (1,): [None],
    (7,): [None, -1],
    (8193,): [None],
    (20_001,): [0],
    (3, 5): [None, 0, 1, (0, 1)],
    (300, 17): [None, 0, 1],
    (4, 1): [0, 1],
    (1, 4): [0, 1],
    (0, 3): [0, 1],
    (3, 0): [0, 1],
    (2, 3, 4): [None, 0, 1, 2, (0, 1), (1, 2), (0, 2)],
    (3, 9000): [None, 0, 1],
    (9000, 3): [None, 0, 1],
}


def reduced(name, axis, keepdims):
    """A loop with the reduction in it, of what came in and of what it made."""
    if name == "mean":

        def turns(x, count):
            y = x.mean(axis=axis, keepdims=keepdims)
            for _ in range(count):
                y = x.mean(axis=axis, keepdims=keepdims)
                x = x + x
            return y, x

        return turns
    function = getattr(np, name)

    def each(x, count):
        y = function(x, axis=axis, keepdims=keepdims)
        for _ in range(count):
            y = function(x, axis=axis, keepdims=keepdims)
            x = x + x
        return y, x

    return each


def filled(shape, dtype, rng):
    """Numbers of many sizes, zeros below zero, NaNs and infinities: three arrays."""
    dtype = np.dtype(dtype)
    if dtype.kind in "iub":
        yield rng.integers(0, 100, shape).astype(dtype)
        return
    x = rng.standard_normal(shape) * 10.0 ** rng.integers(-12, 12, shape)
    yield x.astype(dtype)
    yield np.copysign(0 * x, -1.0).astype(dtype)
    special = np.where(rng.random(shape) < 0.1, np.nan, x)
    yield np.where(rng.random(shape) < 0.05, np.inf, special).astype(dtype)


def bits(results):
    return [np.asarray(one).tobytes() for one in results]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", NAMES)
def test_each_is_numpys_to_the_bit(name, dtype):
    rng = np.random.default_rng(0)
    cases = [(shape, axis) for shape, axes in AXES.items() for axis in axes]
    # To compile all takes long; of each name and dtype these are others.
    cases = cases[(NAMES.index(name) + DTYPES.index(dtype)) % 3 :: 3]
    for number, (shape, axis) in enumerate(cases):
        function = reduced(name, axis, number % 2 == 0)
        with ag.config(backend="native"), np.errstate(all="ignore"):
            staged = ag.function(function)
            for at, x in enumerate(filled(shape, dtype, rng)):
                layout = list(LAYOUTS)[(number + at) % len(LAYOUTS)]
                given = [LAYOUTS[layout](x), TWICE]
                found = disagreement(observe(function, given), observe(staged, given))
                assert found is None, f"{shape} {axis} {layout}: {found.sentence}"
                if 0 not in shape:
                    assert bits(staged(*given)) == bits(function(*given)), (shape, axis)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_python_is_not_called_for_what_was_made_here(name, axis):
    function = getattr(np, name)

    def rows(x, y, count):
        for _ in range(count):
            y = function(x * 0.5 + 1.0, axis=axis) + y
        return y

    x = np.linspace(-1.0, 1.0, 12).reshape(3, 4)
    y = np.zeros(function(x, axis=axis).shape)
    with ag.config(backend="native"):
        staged = ag.function(rows)
        assert bits([staged(x, y, TWICE)]) == bits([rows(x, y, TWICE)])
        (loop,) = loops_of(staged, (x, y, TWICE))
    text = str(loop.function)
    assert "python" not in text


def test_what_is_not_reduced_along_neighbours_is_pythons():
    function = reduced("sum", (0, 2), False)
    x = np.random.default_rng(0).random((2, 3, 4))
    with ag.config(backend="native"):
        staged = ag.function(function)
        assert bits(staged(x, TWICE)) == bits(function(x, TWICE))


@pytest.mark.parametrize("name", ["max", "min", "mean"])
def test_nothing_is_left_to_python(name):
    function = reduced(name, None, False)
    with ag.config(backend="native"):
        staged = ag.function(function)
        given = [np.zeros(0), TWICE]
        with warnings.catch_warnings(record=True):
            warnings.simplefilter("always")
            assert (
                disagreement(observe(function, given), observe(staged, given)) is None
            )


def warned(function, *arguments):
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        function(*arguments)
    return [str(one.message) for one in shown]


def summed(x, count):
    total = np.float64(0)
    for _ in range(count):
        total = total + np.sum(x)
    return total


def largest_of_zeros(x, count):
    y = x
    for _ in range(count):
        y = np.maximum(x * 0.0, 1.0)
    return y.max()


def test_numbers_that_overflow_in_a_sum_are_warned_of():
    with ag.config(backend="native"):
        staged = ag.function(summed)
        x = np.array([1e308, 1e308, 0.0])
        said = ["overflow encountered in reduce"] * 2
        assert warned(staged, x, TWICE) == warned(summed, x, TWICE) == said


@pytest.mark.parametrize("step", [1, -1])
def test_what_python_has_warned_of_is_not_warned_of_again(step):
    """An array that lies backwards is reduced by Python, in the midst of the code."""
    with ag.config(backend="native"):
        staged = ag.function(lambda x: np.prod(x))
        given = [np.full(1000, 100.0)[::step], np.ones(1000)[::step]]
        for _ in range(3):
            assert warned(staged, given[0]) == ["overflow encountered in reduce"]
            assert warned(staged, given[1]) == []


def test_what_came_before_a_call_of_python_is_still_warned_of():
    with ag.config(backend="native"):
        staged = ag.function(squared_and_reduced)
        given = np.linspace(1.0, 2.0, 50)[::-1], np.full(9, 1e200)
        for _ in range(3):
            assert warned(staged, *given) == warned(squared_and_reduced, *given)


def squared_and_reduced(x, y):
    y = y * y
    return y + np.prod(x)


def test_a_loop_that_forgets_what_was_noted_is_no_hindrance():
    """NumPy's own loops for the larger of two clear the processor's flags."""
    with ag.config(backend="native"):
        staged = ag.function(largest_of_zeros)
        x = np.array([1.0, np.inf, 2.0])
        said = "invalid value encountered in multiply"
        plain = warned(largest_of_zeros, x, TWICE)
        assert warned(staged, x, TWICE) == plain
        assert set(plain) == {said}


def softmax(x, count):
    for _ in range(count):
        e = np.exp(x - np.max(x, axis=1, keepdims=True))
        x = e / np.sum(e, axis=1, keepdims=True)
    return x


def test_rows_are_reduced_and_divided():
    x = np.random.default_rng(0).random((9, 14))
    with ag.config(backend="native"):
        staged = ag.function(softmax)
        assert bits([staged(x, np.int64(5))]) == bits([softmax(x, 5)])
        (loop,) = loops_of(staged, (x, np.int64(5)))
    assert loop.function is not None


def columns(x, count):
    total, means = np.sum(x, 0), np.mean(x, 1)
    for _ in range(count):
        y = x * total
        total = np.sum(y, 0) + np.sum(x, 0) * 0.5 + y[0]
        means = means + np.mean(y, 1) + np.sum(x, 1) + y[:, 0]
    return total, means


@pytest.mark.parametrize("layout", ["C", "F", "steps"])
def test_no_loop_of_numpys_is_called_for_short_rows(layout):
    x = LAYOUTS[layout](np.random.default_rng(0).random((50, 5)))
    with ag.config(backend="native"):
        staged = ag.function(columns)
        for _ in range(2):
            found = disagreement(
                observe(columns, [x, TWICE]), observe(staged, [x, TWICE])
            )
            assert found is None
        text = staged.get_concrete_function(x, TWICE).inspect("loops")
    assert "while" in text
    assert "numpys" not in text


def of_whichever(x, y, count):
    """Of two arrays that change places, of unlike dtypes."""
    total = x.max()
    for k in range(count):
        if k % 3 == 1:
            x, y = y, x
        total = total + x.sum() - x.max() + x[0, 0]
    return total, x.sum(axis=0), x.max(axis=1), x


@pytest.mark.parametrize("other", ["f8", "u1", "f4", "D"])
def test_reductions_of_what_may_be_of_several_dtypes_are_numpys(other):
    """The dtype that they promote to need not be the one of the array at hand."""
    given = [np.arange(6).reshape(2, 3), np.arange(6).reshape(2, 3).astype(other)]
    with ag.config(backend="native", strict=True):
        staged = ag.function(of_whichever)
        for count in (0, 5, 6):
            arguments = [*given, np.int64(count)]
            found = disagreement(
                observe(of_whichever, arguments), observe(staged, arguments)
            )
            assert found is None


def divided_by_sums(x):
    return 1 / x.sum(1)


def divided_by_the_sum(x):
    return (1 / x.sum(axis=1)).sum(axis=0)


@pytest.mark.parametrize("program", [divided_by_sums, divided_by_the_sum])
def test_a_division_by_sums_of_nothing_is_warned_of(program):
    """LLVM knows that they are 0, and what it computes itself sets no flag."""
    with ag.config(backend="native"):
        staged = ag.function(program)
        for _ in range(3):
            said = warned(staged, np.ones((3, 0)))
            assert said == warned(program, np.ones((3, 0)))
            assert set(said) == {"divide by zero encountered in divide"}
