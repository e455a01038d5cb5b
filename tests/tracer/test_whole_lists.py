"""Lists of numbers among the arguments that are one input each: as Python has them."""

import copy
import math
import warnings

import numpy as np
import pytest

import autograph as ag
from tests.conformance.harness import disagreement, observe
from tracer import lookup, whole_lists
from tracer.lookup import Lookup
from tracer.whole_lists import LONG


def total(xs):
    s = 0
    for x in xs:
        if x > 2:
            s += x
        else:
            s -= x * x
    return s


def grown(xs, k):
    if k > 1:
        xs.append(xs[0] + 1)
    return xs, len(xs), xs[-1]


def emptied(xs):
    s = 0
    while xs:
        s += xs.pop()
    return s


def sorted_by_exchange(xs):
    for i in range(len(xs)):
        for j in range(len(xs) - 1 - i):
            if xs[j] > xs[j + 1]:
                xs[j], xs[j + 1] = xs[j + 1], xs[j]


def of_two(xs, ys):
    xs[0], ys[-1] = ys[-1], xs[0]
    return xs is ys, [a * b for a, b in zip(xs, ys)]


def of_rows(rows):
    rows[0][1] = rows[1][0]
    return [sum(row) for row in rows]


def of_dict(held):
    held["a"].append(held["b"][0])
    return held


def asked(xs):
    return xs[1:3], xs * 2, xs.count(xs[0]), max(xs), sorted(xs), 3 in xs, str(xs)


def arrays(xs):
    return np.array(xs) * 2, np.sum(xs), np.ones(len(xs)) + xs


def alias(xs):
    ys = xs
    ys[0] = ys[1]
    return ys is xs, ys


def found(xs):
    for x in xs:
        if x > 90:
            return x
    raise ValueError(f"none of {len(xs)}")


def outside(xs):
    return xs[len(xs)]


def exact_sum(xs):
    return math.fsum(xs)


def counted(xs):
    counts = {}
    for x in xs:
        counts[x] = counts.get(x, 0) + 1
    return counts


KINDS = {
    "ints": lambda n: [k * 7919 % 101 - 3 for k in range(n)],
    "floats": lambda n: [k * 7919 % 101 / 4 for k in range(n)],
    "odd floats": lambda n: [(-0.0, math.nan, math.inf, 1.0)[k % 4] for k in range(n)],
    "of two types": lambda n: [k if k % 2 else k / 4 for k in range(n)],
    "NumPy's": lambda n: [np.float32(k * 7919 % 101 / 4) for k in range(n)],
    "complex": lambda n: [complex(k % 5, k) for k in range(n)],
    "bools": lambda n: [k % 3 == 0 for k in range(n)],
    "big ints": lambda n: [2**62 + k * 2**61 for k in range(n)],
}
PROGRAMS = (
    *(total, emptied, sorted_by_exchange, asked, alias, found, outside, exact_sum),
    counted,
)


def agree(function, calls):
    """A function and its graphs do the same to the same arguments, call by call."""
    staged = ag.function(function)
    for given in calls:
        ours, pythons = copy.deepcopy(given), copy.deepcopy(given)
        expected = observe(function, pythons)
        assert disagreement(expected, observe(staged, ours)) is None
    return staged


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_lists_of_any_length(program, kind):
    make = KINDS[kind]
    agree(program, [(make(n),) for n in (4, LONG, 5, LONG + 3, 4, 60)])


@pytest.mark.parametrize("kind", ["ints", "floats", "of two types"])
def test_lists_in_lists_and_dicts_and_two_of_them(kind):
    make = KINDS[kind]
    sizes = [(4, 5), (LONG, 20), (6, 3), (40, 17)]
    agree(of_two, [(make(a), make(b)) for a, b in sizes])
    agree(of_rows, [([make(a), make(b), make(a)],) for a, b in sizes])
    agree(of_dict, [({"a": make(a), "b": make(b)},) for a, b in sizes])
    agree(grown, [(make(a), np.int64(b % 4)) for a, b in sizes])


@pytest.mark.parametrize("kind", ["ints", "floats"])
def test_arrays_of_lists(kind):
    agree(arrays, [(KINDS[kind](n),) for n in (3, 20, 5, 17)])


@pytest.mark.parametrize("kind", ["ints", "floats"])
def test_one_trace_serves_all_lengths_of_long_lists(kind):
    staged = ag.function(total)
    for n in range(LONG, LONG + 40):
        staged(KINDS[kind](n))
    (row,) = staged.traces()
    assert row.signature == f"(xs: list[{kind[:-1]}])"


def test_a_short_list_is_an_input_once_its_length_differs():
    staged = ag.function(total)
    for n in (2, 3, 4, 5):
        staged(KINDS["ints"](n))
    signatures = [row.signature for row in staged.traces()]
    assert signatures == ["(xs[0]: -3, xs[1]: 38)", "(xs: list[int])"]


@pytest.mark.parametrize(
    ("program", "calls"),
    [
        (lambda s: {tuple(s): 1}, [[1], [1, 2], [3]]),
        (lambda s: np.sum(np.ones((2, 3, 4)), axis=tuple(s)), [[0], [0, 1], [2]]),
    ],
    ids=["key", "axes"],
)
def test_what_cannot_be_traced_so_takes_lists_apart(program, calls):
    staged = agree(program, [(call,) for call in calls])
    assert not any("list[" in row.signature for row in staged.traces())


def test_lists_are_refused_once_for_all_numbers_beside_them(monkeypatch):
    staged = ag.function(lambda s, x: ({tuple(s): 1}, x))
    for n in range(5):
        staged([2] * (n % 2) + [-1], n)
    assert len(staged.lookup._lists._refused) == 1


def test_static_lists_are_constants():
    staged = ag.function(lambda xs, x: sum(xs) * x, static_args=["xs"])
    for n in (2, 3, 20):
        assert staged([1] * n, 2.0) == 2.0 * n
    assert [row.signature.count("xs[") for row in staged.traces()] == [2, 3, 20]


def test_lists_are_taken_apart_where_nothing_is_to_be_widened():
    staged = ag.function(total, reduce_retracing=False)
    staged([1] * 20), staged([1] * 21)
    assert [row.signature.count("xs[") for row in staged.traces()] == [20, 21]


def test_one_list_passed_twice_is_one():
    xs = KINDS["ints"](20)
    mine, pythons = list(xs), list(xs)
    staged = ag.function(of_two)
    for _ in range(3):
        assert staged(mine, mine) == of_two(pythons, pythons)
        assert mine == pythons
        other = [list(xs), list(xs)]
        assert staged(*other)[0] is False


def test_a_list_that_is_returned_is_the_callers():
    staged = ag.function(lambda xs: xs)
    for n in (20, 30, 40):
        xs = [0.5] * n
        assert staged(xs) is xs


def test_calls_find_the_trace_without_the_long_way(monkeypatch):
    staged = ag.function(emptied)
    for n in (20, 21, 22):
        staged([1] * n)
    monkeypatch.setattr(Lookup, "call", None)
    for n in (17, 3, 30):
        xs = [2] * n
        assert staged(xs) == 2 * n
        assert xs == []
    for other in ([1.0] * 20, [1, 2.0] * 20, [2**70] * 20, [True] * 20, [], (1,) * 20):
        with pytest.raises(TypeError, match="not callable"):
            staged(other)


def test_a_trace_called_by_itself_takes_lists_of_its_type():
    staged = ag.function(total)
    staged([1] * 20)
    (trace,) = staged.concrete_functions
    assert trace([1, 2, 3]) == total([1, 2, 3])
    with pytest.raises(TypeError) as error:
        trace([1.0, 2.0])
    assert str(error.value) == (
        "total: `xs` is [1.0, 2.0], but this trace was made for list[~int64[]]"
    )
    for other in ([], [1, 2.5], [1, "a"], [1, 2**70]):
        with pytest.raises(TypeError, match="made for list"):
            trace(other)
    with pytest.raises(TypeError, match="nested in another way"):
        trace((1, 2))


def test_a_list_that_is_read_outside_too_is_run_as_python():
    kept = [1] * 20

    @ag.function
    def both(xs):
        xs[0] += 1
        return kept[0]

    for n in (1, 2, 3):
        assert both(kept) == n + 1
        assert both([5] * 20) == n + 1


def test_long_lists_do_not_warn_of_many_traces():
    staged = ag.function(lambda xs: max(xs) - min(xs))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for n in range(1, 60):
            staged(KINDS["floats"](n))
    assert len(staged.concrete_functions) == 2


def test_many_long_rows_of_two_types_are_pythons():
    rows = [KINDS["of two types"](100) for _ in range(12)]
    staged = ag.function(of_rows)
    assert staged(copy.deepcopy(rows)) == of_rows(copy.deepcopy(rows))
    assert staged.concrete_functions == []


def test_a_short_list_is_an_input_once_its_numbers_differ():
    staged = agree(total, [([k, k + 3, 2 * k, 5],) for k in range(6)])
    signatures = [row.signature for row in staged.traces()]
    assert len(signatures) == 3
    assert signatures[-1] == "(xs: list[int])"
    points = agree(total, [([float(k), k / 2],) for k in range(6)])
    assert points.traces()[-1].signature == "(xs[0]: float, xs[1]: float)"


def multiplied(xs):
    xs *= 2
    raise KeyError(xs[0])


def lengthened(xs):
    xs += [3]
    return xs[len(xs)]


@pytest.mark.parametrize("program", [multiplied, lengthened])
def test_lists_that_operators_change_before_a_raise(program):
    agree(program, [([1] * n,) for n in (2, 3, LONG, LONG + 1)])


def joined_by_numpy(x, xs):
    mine = [v for v in x if v > 0]
    mine += x
    xs += x[0]
    return mine, xs


def test_numpy_is_asked_before_a_list_is():
    agree(joined_by_numpy, [(np.ones(2), [1.0] * n) for n in (2, 3, LONG)])


def test_code_without_a_source_finds_all_items():
    names = {}
    exec("def size(xs): return len(xs), sorted(xs)[0], xs == [2] * 20", names)
    agree(names["size"], [([k + 2] * 20,) for k in range(3)])
    exec("def inner(xs): return len(xs)", names)

    def outer(x):
        return names["inner"]([v for v in x if v > 0])

    with pytest.warns(RuntimeWarning, match="`inner` could not be converted"):
        assert ag.function(outer)(np.array([1.0, -1.0, 2.0])) == 2


MANY = 10_000


def middle(table):
    return table[len(table) // 2]


@pytest.mark.filterwarnings("ignore:.*is run as Python")
@pytest.mark.parametrize(
    "table",
    [
        tuple(range(MANY)),
        dict.fromkeys(range(MANY), 0.5),
        [False] * (MANY // 10),
        ["a"] * (MANY // 10),
    ],
    ids=["tuple", "dict", "bools", "texts"],
)
def test_what_holds_very_many_is_pythons_before_it_is_gone_through(table, monkeypatch):
    def gone_through(*_):
        raise AssertionError

    monkeypatch.setattr(lookup, "signature_of", gone_through)
    monkeypatch.setattr(whole_lists, "signature_of", gone_through)
    f = ag.function(middle)
    assert [f(table), f(table)] == [middle(table)] * 2
    assert not f.traces()
