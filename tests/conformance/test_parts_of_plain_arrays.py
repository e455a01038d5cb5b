"""Parts of arrays of texts, dates and records that a function makes of constants.

Such are plain arrays while the function is traced, until one of them is written.
"""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import Programs, check, i

CASES = Programs()
DATA = [
    (np.array(values), i(k)) for values in ([1.0, 2.0], [-1.0, 3.0]) for k in (0, 1)
]
PAIRS = [("n", "i4"), ("v", "f8")]
NESTED = [("a", "i4,i4"), ("b", "f8", (2,))]


@CASES(*DATA)
def texts(x, k):
    names = np.array(["a", "b", "c", "d"])
    part, others = names[1:], names[::2]
    part[k] = "z"
    if x[0] > 0:
        others[0] = "q"
    return names, part, others, names[k + 1]


@CASES(*DATA)
def texts_gone_through(x, k):
    names = np.array(["a", "b", "c"])
    part, others = names[:2], names[1:]
    part[1] = "z"
    print(names, f"{others}", *names)
    found = [name for name in names], [*others], "z" in others, "b" in names
    return found, list(names), {name: x for name in others}, np.char.upper(names)


@CASES(*DATA)
def texts_compared(x, k):
    names = np.array(["a", "b", "c"])
    names[k] = "z"
    same = names == "z", (names != "a").sum(), "q" + names[0], names[1] * 2
    return same, np.array([names, names]), np.where(names == "z", x[0], 2.0)


@CASES(*DATA)
def texts_written_by_functions(x, k):
    names, others = np.array(["ab", "c"]), np.array(["ab", "c"])
    np.copyto(names, np.where(np.arange(2) == k, "z", "q"))
    np.put(others, [k], ["z"])
    return names == "z", others == "z"


@CASES(*DATA)
def dates(x, k):
    days = np.array(["2020-01-01", "2020-02-01", "2020-03-01"], "M8[D]")
    part = days[1:]
    part += k
    back = days[::-1]
    back[0] = days[0]
    return days, part, back, days - days[0], days == back, (days[0] + 1).astype(int)


@CASES(*DATA)
def records(x, k):
    rows = np.array([(1, 2.0), (3, 4.0)], PAIRS)
    part, values = rows[1:], rows["v"]
    part["n"] = k
    values += x
    rows["v"][0] *= 2
    return rows, part, values, rows["v"].flags.c_contiguous, rows == part[0]


@CASES(*DATA)
def records_in_records(x, k):
    rows = np.array([((1, 2), (3, 4)), ((5, 6), (7, 8))], NESTED)
    rows["a"]["f1"] += k
    rows["b"][:, 1] = x
    column = rows.reshape(2, 1).T["a"]["f0"]
    column[0, k] = 9
    return rows, column


@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_what_is_written_into_a_part_is_in_the_whole(function, arguments):
    check(function, arguments)


@pytest.mark.parametrize("function", [texts, dates, records])
def test_parts_that_are_returned_share_memory_with_the_whole(function):
    x, k = DATA[0]
    whole, part, other, *_ = ag.function(function)(x, k)
    assert np.shares_memory(whole, part)
    assert np.shares_memory(whole, other)
