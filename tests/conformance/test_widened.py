"""Sizes and numbers that differ from call to call: one trace, and Python's answers."""

import dataclasses
import enum
import operator
from typing import Any

import numpy as np
import pytest

import autograph as ag
from tests.conformance.harness import disagreement, observe

ones = np.ones


def traces_of(program, calls, **options):
    """How many traces the calls need, each of which is as in Python."""
    staged = ag.function(program, **options)
    for given in calls:
        found = disagreement(observe(program, given), observe(staged, given))
        assert found is None, f"{given}: {found.sentence}"
    return len(staged.concrete_functions)


def halved(x, n):
    count = 0
    while x.sum() > n:
        x = x / 2
        count += 1
    return x, count, n, x.shape[0]


def sized(x, n):
    return np.zeros((n, 2)) + x.sum(), [i * n for i in range(n)], f"{n:03}", -n // 3


def kept(x, n):
    return n, (n, n + 1), {"n": n}, isinstance(n, int), type(n).__name__, divmod(n, 2)


def keyed(x, n):
    return {1: "one", 2: "two"}.get(n, "many"), "ab" * n, x * n


def refused_by_numpy(x, n):
    return np.concatenate([x] * n), x.reshape((-1, n)) if len(x) % n == 0 else x


def formatted(x, n):
    print(n)
    try:
        return n.__format__("x"), f"{n:03}"
    except TypeError:
        return "no"


def raises(x, n):
    if n > 3:
        raise ValueError(f"n is {n}")
    return x[n]


def written(x, n):
    x[n] = n
    x += n
    return x.sum()


def reshaped_and_written(x, n):
    z = np.outer(x, x).T + n
    y = z.ravel()
    y[0] = 9.0
    return z, y


def items(pair, n):
    return [v * n for v in pair], sum(pair)


SIZES = [(ones(k), 2) for k in (2, 3, 4, 1, 0, 7)]
NUMBERS = [(np.arange(4.0), k) for k in (1, 2, 3, 4, 0, -1, 7)]
LARGE = (1, 2, 3, 2**62, 2**63, -(2**63), 10**30)
SMALL = [(np.arange(6.0), k) for k in (1, 2, 3, 4, 5, 6)]
FLOATS = [(ones(3), k) for k in (0.5, 1.5, 2.5, -0.0, float("inf"), float("nan"))]
PAIRS = [([k, 2 * k], k) for k in range(1, 7)]
BOTH = [(np.arange(k + 2.0), k) for k in range(1, 7)]


@pytest.mark.parametrize(
    ("program", "calls", "most"),
    [
        (halved, SIZES, 2),
        (halved, FLOATS, 3),
        (halved, BOTH, 5),
        (sized, SMALL, 3),
        (kept, NUMBERS, 3),
        (keyed, SMALL, 6),
        (refused_by_numpy, SMALL, 6),
        (formatted, SMALL, 6),
        (raises, SMALL, 3),
        (written, BOTH, 5),
        (reshaped_and_written, BOTH, 6),
        (items, PAIRS, 3),
    ],
)
def test_few_traces_serve_many_sizes_and_numbers(program, calls, most):
    assert traces_of(program, calls) <= most
    exact = traces_of(program, calls, reduce_retracing=False)
    assert exact == (len(calls) if program is not raises else 3)


def test_ints_beyond_64_bits_are_constants_again():
    staged = ag.function(lambda x, n: (x * n, n + 1, 2 * n))
    for n in LARGE:
        product, more, twice = staged(ones(1), n)
        assert (product[0], more, twice) == (float(n), n + 1, 2 * n)
    assert len(staged.concrete_functions) == 5


class Size(enum.IntEnum):
    TWO = 2
    FOUR = 4


def test_members_of_an_enum_stay_constants():
    calls = [(np.arange(4.0), n) for n in (1, 2, Size.TWO, 4, Size.FOUR, 3)]
    assert traces_of(lambda x, n: (n, x.reshape(n, -1)), calls[:-1]) == 5
    assert traces_of(lambda x, n: (n, np.arange(n), x[:n]), calls) == 5


def test_ints_and_floats_are_told_apart():
    calls = [(ones(3), kind(k)) for k in range(1, 5) for kind in (int, float, bool)]
    assert traces_of(lambda x, n: (x * n, n), calls) == 3 + 3 + 1


@dataclasses.dataclass
class Options:
    rate: float
    steps: int


def test_numbers_inside_of_arguments_become_inputs():
    staged = ag.function(lambda x, o: x * o.rate + o.steps)
    for k in range(1, 6):
        assert staged(ones(2), Options(k / 2, k)).tolist() == [k * 1.5] * 2
    assert len(staged.concrete_functions) == 3


def test_matrices_get_unknown_sizes_where_they_differ():
    staged = ag.function(lambda x: x.T @ x)
    for shape in ((2, 3), (4, 3), (5, 3), (5, 4), (6, 7)):
        assert staged(ones(shape)).shape == (shape[1], shape[1])
    assert [row.signature for row in staged.traces()] == [
        "(x: float64[2,3])",
        "(x: float64[?,3])",
        "(x: float64[?,?])",
    ]


def test_a_number_that_is_an_input_is_named_by_its_type():
    staged = ag.function(lambda x, n: x * n)
    for n in range(4):
        staged(ones(2), n)
    last = staged.traces()[-1]
    assert (last.signature, last.reason) == (
        "(x: float64[2], n: int)",
        "argument `n`: 1 -> int",
    )
    assert last.concrete(ones(2), 17).tolist() == [17.0, 17.0]


def test_static_args_are_constants_always():
    calls = [(ones(k), k) for k in range(1, 6)]
    assert traces_of(lambda x, n: x * n, calls, static_args="n") == 5
    assert traces_of(lambda x, n: x * n, calls, static_args=["x", "n"]) == 5


def test_dynamic_args_are_inputs_from_the_first_call_on():
    calls = [(ones(2), k) for k in range(1, 6)]
    assert traces_of(lambda x, n: x * n, calls, dynamic_args="n") == 1
    calls = [(ones(2), True), (ones(2), False)]
    assert traces_of(lambda x, n: x if n else -x, calls, dynamic_args=["n"]) == 1


def test_what_numpy_must_know_of_a_dynamic_argument_is_told_from_the_call():
    staged: Any = ag.function(keyed, dynamic_args="n")
    for n in (1, 2, 3):
        assert staged(ones(1), n)[0] == keyed(ones(1), n)[0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"static_args": "k"},
            "static_args names `k`, but keyed() has the arguments `x`, `n`",
        ),
        (
            {"dynamic_args": ["n", "y"]},
            "dynamic_args names `y`, but keyed() has the arguments `x`, `n`",
        ),
        (
            {"static_args": "n", "dynamic_args": "n"},
            "`n` is in static_args and in dynamic_args",
        ),
    ],
)
def test_names_that_are_no_arguments_are_refused(options, message):
    with pytest.raises(TypeError) as caught:
        ag.function(keyed, **options)
    assert str(caught.value) == message


def test_a_concrete_function_is_for_the_very_sizes():
    staged = ag.function(lambda x: x * 2)
    for n in range(1, 4):
        staged(ones(n))
    assert "float64[5]" in repr(staged.get_concrete_function(ones(5)))


def test_lengths_of_unknown_sizes_are_known_when_it_runs():
    staged = ag.function(lambda x: (len(x), operator.length_hint(x)))
    assert [staged(ones(n)) for n in (3, 4, 5)] == [(3, 3), (4, 4), (5, 5)]
