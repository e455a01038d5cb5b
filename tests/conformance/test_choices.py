"""A name that holds one of several kinds of things, depending on data."""

import datetime

import numpy as np
import pytest

from autograph.same import assert_same_as_python
from tests.conformance.trying import check


def none_or_value(x):
    best = None
    if x > 0:
        best = x
    return best is None


def none_or(x):
    best = None
    if x > 0:
        best = x
    return best


def word(x):
    return "large" if x > 0 else "small"


def told_apart(x):
    best = None
    if x > 0:
        best = x
    if best is None:
        best = -1.0
    return best + 1


def none_plus_one(x):
    best = None
    if x > 0:
        best = x
    return best + 1


def numpy_function(x):
    f = np.sin if x > 0 else np.cos
    return f(x)


def own_function(x):
    def a(v):
        return v + 1

    def b(v):
        return v * 2

    f = a if x > 0 else b
    return f(x)


def loopbest(xs):
    best = None
    for v in xs:
        if best is None or v > best:
            best = v
    return best


def argmax(xs):
    best, at = None, None
    i = 0
    while i < len(xs):
        if xs[i] > 0 and (best is None or xs[i] > best):
            best, at = xs[i], i
        i += 1
    if at is not None and best > 1:
        return at
    return None


def tuple_or_none(x):
    if x > 0:
        return x, 1
    return None


def mode(x):
    m = "a"
    while abs(x) < 10:
        x = x * 2
        if m == "a":
            m = "b"
        else:
            m = "a"
    return m, x


def printed(x):
    m = "pos" if x > 0 else None
    print("it is", m, f"{m!r}")
    return 0


def other_keys(x):
    d = {"a": 1}
    if x > 0:
        d = {"a": 2, "b": x}
    return d


def or_default(x):
    y = None
    if x > 0:
        y = x
    z = y or 5.0
    return z


def by_type(x):
    y = None if x > 0 else "abc"
    if isinstance(y, str):
        return len(y)
    return 0


def unpacked(x):
    p = (1, x) if x > 0 else ("one", 2)
    a, b = p
    return a, b


def index_or_nothing(xs, t=5.0):
    for i, v in enumerate(xs):
        if v == t:
            return i


def bare_return(x):
    if x > 0:
        return
    return x


def lists_of_other_lengths(x):
    if x > 0:
        items = [x]
    else:
        items = [x, x]
    return items


def date_and_number(x):
    day = datetime.date(2020, 1, 1)
    if x > 0:
        day = 3
    return day


def value_or_pair(x):
    while x > 0:
        if x > 3:
            return x, x
        x = x - 1
    return x


def raised(x):
    m = "bad" if x > 0 else None
    if m is not None:
        raise ValueError(m)
    return x


def returned_function(x):
    if x > 0:
        return max
    return min


def operand_or_none(x):
    limit = 1 if x > 3 else None
    return np.minimum(np.arange(4), limit)


def array_or_none(x):
    limit = np.arange(4) if x > 3 else None
    return np.minimum(limit, x), limit + x


NUMBER = [
    *(
        none_or_value,
        none_or,
        word,
        numpy_function,
        own_function,
        tuple_or_none,
        mode,
        printed,
        other_keys,
        by_type,
    ),
    *(
        bare_return,
        lists_of_other_lengths,
        date_and_number,
        value_or_pair,
        returned_function,
    ),
]
ARRAY = [loopbest, argmax, index_or_nothing]


@pytest.mark.parametrize("program", NUMBER, ids=lambda program: program.__name__)
@pytest.mark.parametrize("number", [4.0, 2.0, -3.0])
def test_a_choice_is_what_python_has(program, number):
    assert_same_as_python(program, np.float64(number))


def sum_with_none(x):
    return np.sum([x, 1 if x > 3 else None]), np.maximum([x, None if x < 3 else 2], 2)


@pytest.mark.parametrize("program", [operand_or_none, array_or_none, sum_with_none])
def test_none_is_no_operand_of_numpys_functions(program):
    check(program, ((np.float64(4.0),), (np.float64(-3.0),)))


@pytest.mark.parametrize("program", [none_plus_one, raised])
@pytest.mark.parametrize("number", [2.0, -3.0])
def test_an_error_of_one_option_is_raised_if_it_is_the_one(program, number):
    if (number < 0) == (program is none_plus_one):
        with pytest.raises((TypeError, ValueError)):
            assert_same_as_python(program, np.float64(number))
    else:
        assert_same_as_python(program, np.float64(number))


@pytest.mark.parametrize("program", ARRAY, ids=lambda program: program.__name__)
@pytest.mark.parametrize("items", [[1.0, 5.0, 3.0], [-1.0, -2.0], [0.5, 0.25]])
def test_a_choice_in_a_loop_is_what_python_has(program, items):
    assert_same_as_python(program, np.array(items))


def ufunc_of_what_is_not_known(x, p):
    m = 0
    for _ in p:
        m = np.add(m, None if x > 2 else 3)
    return m


def test_a_ufunc_of_what_is_not_known_gives_a_number_of_numpys():
    p = np.arange(3.0)
    check(ufunc_of_what_is_not_known, tuple((np.int64(n), p) for n in (1, 2, 0)))
