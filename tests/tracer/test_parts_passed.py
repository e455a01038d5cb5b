"""Calls that are given several parts of one array run as graphs, and mean Python."""

import gc
from contextlib import nullcontext

import numpy as np
import pytest

import autograph as ag
from tracer import placeholders

pytestmark = pytest.mark.usefixtures("others_set_aside")


def shift(a, b):
    for i in range(min(len(a), len(b))):
        a[i] = b[i] * 2 + a[i - 1]
    b += 1
    return b, a.sum()


def grid():
    return np.arange(1.0, 25.0).reshape(4, 6)


# Each gives two arrays of `x`, of 24 numbers, and of `u`, which has them in four rows.
LYING = {
    "shifted": lambda x, u: (x[:-1], x[1:]),
    "the other way": lambda x, u: (x[1:], x[:-1]),
    "one and a part of it": lambda x, u: (x, x[2:]),
    "in steps": lambda x, u: (x[::2], x[1::3]),
    "backwards": lambda x, u: (x[::-1], x[3:]),
    "back in steps": lambda x, u: (x[20:2:-4], x[1:6]),
    "columns": lambda x, u: (u[:, 1], u[:, 4]),
    "a row and a column": lambda x, u: (u[1], u[:, 2]),
    "in rows": lambda x, u: (u[:3], u[1:]),
    "in both dims": lambda x, u: (u[:-1, 1:-2:2], u[1:, ::2][:, ::-1][:, :2]),
    "with one row": lambda x, u: (u[1:2, 1:], u[1:2, :-1]),
    "an array twice": lambda x, u: (x[:5],) * 2,
}


@pytest.mark.parametrize("lying", LYING)
def test_parts_of_one_array_change_as_in_python_and_run_as_a_graph(lying):
    staged = ag.function(shift)
    for n in range(3):
        plain, own = grid() + n, grid() + n
        of_plain = LYING[lying](plain.reshape(-1), plain)
        of_own = LYING[lying](own.reshape(-1), own)
        expected, got = shift(*of_plain), staged(*of_own)
        assert own.tolist() == plain.tolist()
        assert got[0] is of_own[1]  # as `expected[0] is of_plain[1]`
        assert got[1] == expected[1]
    used = [one.concrete for one in staged.traces() if one.concrete.signature.wholes]
    assert len(used) == (lying != "an array twice")


def test_other_sizes_of_such_parts_share_a_trace():
    staged = ag.function(shift)
    for n in range(4, 10):
        plain, own = np.arange(float(n)), np.arange(float(n))
        shift(plain[:-1], plain[1:])
        staged(own[:-1], own[1:])
        assert own.tolist() == plain.tolist()
    reasons = [one.reason for one in staged.traces() if one.concrete.signature.wholes]
    assert len(reasons) == 2
    assert reasons[0] == "arguments `a` and `b`: parts of one array"


def test_a_call_like_one_before_is_known_by_how_its_arrays_lie(monkeypatch):
    staged = ag.function(shift)
    x = np.arange(6.0)
    staged(x[:-1], x[1:])
    plain = x.copy()
    shift(plain[:-1], plain[1:])
    lookup = staged.lookup
    monkeypatch.setattr(lookup, "_look_up", None)
    staged(x[:-1], x[1:])
    assert x.tolist() == plain.tolist()
    # Another one of the same size and steps lies elsewhere.
    for other in ((x[1:], x[:-1]), (x[:-1].copy(), x[1:]), (x[:-1], x[1:-1])):
        with pytest.raises(TypeError, match="not callable"):
            staged(*other)


def test_what_is_read_outside_is_looked_at_by_such_a_call():
    def add(a, b):
        a[0] = b[1] + step

    staged = ag.function(add)
    x = np.zeros(4)
    for step in (1.0, 1.0, 2.0):
        staged(x[:-1], x[1:])
        assert x[0] == step
        x[:] = 0


def test_one_of_two_names_of_one_part_is_no_other_part():
    staged = ag.function(lambda a, b: (a is b, a.__setitem__(0, 5.0))[0])
    x = np.zeros(3)
    first = x[:2]
    assert [staged(first, x[:2]), staged(first, first), staged(first, x[:2])] == [
        False,
        True,
        False,
    ]


def test_a_run_that_fails_leaves_what_python_leaves():
    def store(a, b, n):
        a[0] = b[1]
        b[n] = 3.0
        a[n + 2] = 1.0

    plain, own = np.arange(6.0), np.arange(6.0)
    for x, f in ((plain, store), (own, ag.function(store))):
        for n in (0, 3, 0):
            fails = pytest.raises(IndexError, match=r"^index 5 is .* size 5$")
            with fails if n else nullcontext():
                f(x[:-1], x[1:], np.int64(n))
    assert own.tolist() == plain.tolist()


def outcome(f, *args):
    try:
        return f(*args).tolist()
    except ValueError as error:
        return str(error)


def locked(x):
    x = x[:]
    x.flags.writeable = False
    return x


@pytest.mark.parametrize(
    "pick",
    [
        lambda x: (locked(x[1:]), x[:-1]),
        lambda x: (x[1:].view(np.int64), x[:-1]),
        lambda x: (np.lib.stride_tricks.as_strided(x, (3,), (8,)), x[:3]),
        lambda x: (x.reshape(2, 3).T, x.reshape(2, 3).T[:2]),
        lambda x: (np.asarray(memoryview(x))[:3], x[1:4]),
    ],
)
def test_other_memory_is_pythons(pick):
    def store(a, b):
        b[0] = a[1] + 2
        result = a * 1
        a[0] = 5
        return result

    plain, own = np.arange(6.0), np.arange(6.0)
    expected = [outcome(store, *pick(plain)) for _ in range(2)]
    staged = ag.function(store)
    assert [outcome(staged, *pick(own)) for _ in range(2)] == expected
    assert own.tolist() == plain.tolist()
    assert not any(one.concrete.signature.wholes for one in staged.traces())


def test_ways_to_lie_get_a_trace_each_up_to_a_number_of_them():
    staged = ag.function(shift)
    for n in range(1, 12):
        plain, own = np.arange(30.0), np.arange(30.0)
        shift(plain[:12], plain[n : n + 12])
        staged(own[:12], own[n : n + 12])
        assert own.tolist() == plain.tolist()
    assert sum(bool(one.concrete.signature.wholes) for one in staged.traces()) < 9


def test_the_trace_itself_takes_such_parts_alone():
    staged = ag.function(shift)
    x = np.arange(6.0)
    staged(x[:-1], x[1:])
    (concrete,) = (
        one.concrete for one in staged.traces() if one.concrete.signature.wholes
    )
    plain, own = np.arange(6.0), np.arange(6.0)
    shift(plain[:-1], plain[1:])
    concrete(own[:-1], own[1:])
    assert own.tolist() == plain.tolist()
    with pytest.raises(TypeError, match=r"`a` and `b` are not parts of one array"):
        concrete(own[1:], own[:-1])


def test_a_fault_of_the_tracers_is_not_hidden(monkeypatch):
    def fault(*_):
        raise ZeroDivisionError("a fault")

    staged, x = ag.function(shift), np.arange(5.0)
    staged(x, x.copy())
    monkeypatch.setattr(placeholders, "taken", fault)
    with pytest.raises(ZeroDivisionError, match="a fault"):
        staged(x[1:], x[:-1])


def test_what_the_program_raises_in_such_a_call_python_raises():
    def summed(a, b):
        first = a[int(b[0])]
        if not a.flags.c_contiguous:
            raise KeyError("in steps")
        return a + b + first

    staged, x = ag.function(summed), np.arange(6.0)
    assert staged(x, x.copy()).tolist() == (x + x).tolist()
    for k, error in ((1, KeyError), (5, IndexError), (1, KeyError)):
        x[1] = k
        with pytest.raises(error):
            staged(x[::2], x[1::2])


def test_what_a_trace_of_such_a_call_has_raised_is_held_by_nobody():
    class Steps(Exception):
        pass

    def summed(a, b):
        if not a.flags.c_contiguous:
            raise Steps("in steps")
        return a + b

    staged, x = ag.function(summed), np.arange(6.0)
    staged(x, x.copy())
    with pytest.raises(Steps):
        staged(x[::2], x[1::2])
    gc.collect()
    assert not [one for one in gc.get_objects() if type(one) is Steps]
