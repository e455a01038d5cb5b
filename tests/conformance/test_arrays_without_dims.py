"""Arrays without dims beside numbers, and dtypes that are asked for by an array's."""

import warnings

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import Programs, check

i = np.int64
ONE = np.float64(1.0)
NUMBERS = (ONE, i(3)), (ONE, i(0)), (-ONE, i(1))
PROGRAMS = Programs()


@PROGRAMS(*NUMBERS)
def on_one_path(x, n):
    t = np.where(x > 0, x, 1.0)
    if n > 0:
        t = t + 1
    return t


@PROGRAMS(*NUMBERS)
def in_a_loop(x, n):
    t = np.where(x > 0, x, 1.0)
    for _ in range(n):
        t = t * 2
    return t


@PROGRAMS(*NUMBERS)
def changed_afterwards(x, n):
    t = np.zeros(())
    while n > 0:
        t = t + x
        n -= 1
    u = t
    t += 1
    return t, type(t).__name__, u


@PROGRAMS((np.array(2.0), ONE), (np.array(0.0), ONE))
def trimmed(x, y):
    u = np.trim_zeros(x, "F")
    u += 1
    return u, u is x, np.trim_zeros(y), np.flip(x), np.flip(x, ()), np.flip(y)


@PROGRAMS(*NUMBERS)
def shared_before(x, n):
    t = np.where(x > 0, x, 1.0)
    u = t
    if n > 0:
        t = t + 1
    t += 1
    return t, u


@PROGRAMS(*NUMBERS)
def a_number_at_last(x, n):
    t = np.array(x)
    for k in range(n):
        t += k
    if n > 1:
        t = t.max()
    return t


@PROGRAMS((np.arange(3), np.ones(2)), (np.arange(3.0), np.arange(2)))
def of_anothers_dtype(a, b):
    like = np.zeros_like(a, dtype=b.dtype), np.full_like(a, 2, b.dtype)
    kept = np.asarray(a, b.dtype), a.astype(b.dtype, copy=False)
    return *like, *kept, np.require(a, b.dtype), np.array([a.sum(), 2], b.dtype)


@PROGRAMS((np.eye(2, dtype="f4"), i(2)), (np.array([[0, 1], [-1, 0]], "f4"), i(9)))
def of_an_unknown_dtype(a, n):
    found = np.linalg.eigvals(a * np.float32(n)).real
    return np.asarray(found, float), np.array(found, float), found.astype(float)


@PROGRAMS((i(1),))
def known_while_tracing(n):
    day, pair = np.datetime64("2020-01-01"), [("a", int), ("b", float)]
    texts = np.array("ab"), np.array(b"x"), np.array(str(n))
    return *texts, np.array(day), np.array((1, 2.0), pair), n


@PROGRAMS(*[(text, i(1)) for text in ("a", "bc", "def", "g", "hi")])
def a_text_that_is_an_input(text, n):
    return np.array(text), np.asarray(text + "z"), np.array([text, "z"]), n


@PROGRAMS((i(3),), (i(0),))
def draws_by_numbers_of_several_kinds(n):
    rng = np.random.default_rng(7)
    v = 1 if n > 0 else 2.0
    drawn = rng.normal(v, 0.1)
    drawn += 1
    return drawn, drawn * 2, rng.poisson(v), rng.normal(v, 0.1, 3)


@PROGRAMS((np.zeros(2, "i4,f4"), i(0)))
def a_record_is_no_number(records, n):
    return np.asarray(records[n], "u8")


class Holder:
    def __init__(self, held):
        self.held = held

    def __repr__(self):
        return f"Holder({self.held!r})"


@PROGRAMS((np.arange(3.0), i(1)), (np.ones(1), i(0)), (np.array(["ab"]), i(0)))
def told_as_what_they_are(x, n):
    y, z = x[n, ...], np.squeeze(x[:1])
    print(y, [y], (z,), {"a": z}, Holder(y))
    # `%` is among what is tried.
    texts = repr(y), f"{z!r:>20} {y}", ascii(y), "%r" % y  # noqa: UP031
    try:
        raise ValueError(y)
    except ValueError as error:
        texts += (repr(error), str(error))
    return texts, str([y, x[n]]), repr(Holder(z))


@PROGRAMS((np.arange(4.0), i(1)), (np.ones((2, 2)), i(0)))
def printed_where_dims_are_unknown(x, n):
    y = x.sum(axis=n - n)
    print([y], repr(x[0]))
    return f"{y!r}"


@PROGRAMS((np.arange(3.0),), (np.zeros(2),))
def in_a_list_of_unknown_length(x):
    found = []
    for v in x:
        if v > 0:
            found.append(np.array(v))
    return found, [np.array(v) for v in x]


@PROGRAMS((np.array(3.0),), (ONE,), (4,))
def in_an_order(x):
    return np.asfortranarray(x), np.ascontiguousarray(x)


@pytest.mark.parametrize(("program", "calls"), PROGRAMS)
def test_an_array_without_dims_is_no_number(program, calls):
    check(program, calls)


def in_a_list_that_a_loop_fills(x, n):
    found = []
    while n > 0:
        found.append(np.zeros(()) + x[0])
        found.append(np.array(n))
        n -= 1
    return found


def test_a_loop_that_puts_them_into_a_list_is_pythons():
    with ag.config(strict=False), warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*is run as Python")
        check(in_a_list_that_a_loop_fills, ((np.arange(3.0), i(2)), (np.ones(2), i(0))))
