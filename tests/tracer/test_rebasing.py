"""What a call returns is a part of its argument, where it is one in Python."""

import numpy as np
import pytest

import autograph as ag
from tracer.rebasing import rebased

PLAIN = np.arange(24.0).reshape(4, 6)
WAVES = PLAIN * (1 + 2j)
PAIRS = np.zeros((4, 6), [("a", "f8"), ("b", "i4")])
LAYOUTS = {
    "in C's order": np.copy,
    "turned": lambda a: a.T.copy().T,
    "every second": lambda a: np.repeat(a, 2, axis=1)[:, ::2],
    "upside down": lambda a: a[::-1].copy()[::-1],
}


def real_part(z, n):
    r = z.real
    r[0] += n
    return r


def both_parts_in_a_loop(z, n):
    r, i = z.real, z.imag
    for k in range(n):
        r[k] += i[k]
        i[...] = r
    return r, i[1:]


def real_part_taken_in_a_loop(z, n):
    for k in range(n):
        r = z.real
        r[k] = k
    return r


def part_of_a_real_part_in_a_loop(z, n):
    for k in range(n):
        r = z.real
        r[k] = k
        w = r[1:]
    return w


def either_part_in_a_loop(z, n):
    for k in range(n):
        if k > 1:
            r = z.real
            r[k] = k
            q = r[1:]
        else:
            q = z.imag
        q[0] += 1
    return q


def turned_in_a_loop(x, n):
    for k in range(n):
        t = x.T
        t[k] = k
    return t


def of_one_dim_in_a_loop(x, n):
    for k in range(n):
        v = x[1].reshape(-1)
        v[k] = 50
        w = v[::2]
        w += 1
    return v, w


def upside_down_by_a_branch(x, n):
    if n > 1:
        v = np.flip(x)
        v[0] = 7
    else:
        v = np.rot90(x)
        v[1] = 8
    return v


def two_halves(x, n):
    a, b = np.split(x, 2)
    for k in range(n):
        a[0] += b[1]
        b[0] = k
    return a, b


def field_taken_in_a_loop(s, n):
    for k in range(n):
        a = s["a"]
        a[k] += 1
        s["b"] += 1
    return a, s["b"]


def an_array_of_its_own(x, n):
    w = x.T * 2
    for k in range(n):
        w[k] = k
        x[...] = w.T
    return w


PROGRAMS = [
    *((real_part, WAVES), (both_parts_in_a_loop, WAVES), (turned_in_a_loop, PLAIN)),
    *((part_of_a_real_part_in_a_loop, WAVES), (either_part_in_a_loop, WAVES)),
    *((real_part_taken_in_a_loop, WAVES), (of_one_dim_in_a_loop, PLAIN)),
    *((upside_down_by_a_branch, PLAIN), (two_halves, PLAIN)),
    *((field_taken_in_a_loop, PAIRS), (an_array_of_its_own, PLAIN)),
]


def observed(function, x, n):
    made = function(x, n)
    made = made if isinstance(made, tuple) else (made,)
    before = [one.tolist() for one in (*made, x)]
    for k, one in enumerate(made):
        if one.size:
            one.flat[:2] = 100 + k  # what the caller then writes
    return before, [one.tolist() for one in (*made, x)], [one.strides for one in made]


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
@pytest.mark.parametrize(
    ("program", "x"), PROGRAMS, ids=[program.__name__ for program, _ in PROGRAMS]
)
def test_what_the_caller_writes_into_a_result_is_in_the_argument(program, x, layout):
    with ag.config(strict=True):
        staged = ag.function(program)
        for n in (np.int64(1), np.int64(3)):
            found = observed(staged, layout(x), n)
            assert found == observed(program, layout(x), n)


def test_what_lies_in_two_elements_of_the_array_is_left():
    content, array = np.arange(8, dtype="i4"), np.zeros(16, "i4")[::2]
    output = content.view("i8")
    assert rebased(output, content, array) is output
    output = content.view("i2")[1::2]
    assert np.shares_memory(rebased(output, content, array), array)


def test_what_is_no_part_of_the_content_is_left():
    whole, array = np.arange(8.0), np.zeros(4)
    for output in (whole, np.arange(4.0), 3, whole[4:]):
        assert rebased(output, whole[:4], array) is output


def test_what_would_be_no_view_of_the_array_is_left():
    content, array = np.arange(24.0).reshape(4, 6), np.zeros((6, 4)).T
    output = content.reshape(-1)
    assert rebased(output, content, array) is output


def test_a_part_with_gaps_is_one_of_an_array_with_the_same():
    content, array = (np.zeros((4, 6))[:, ::2] for _ in range(2))
    made = rebased(content[1:, 1], content, array)
    made[...] = 5
    assert array.tolist() == [[0, 0, 0], [0, 5, 0], [0, 5, 0], [0, 5, 0]]


def test_a_read_only_part_stays_read_only():
    content, array = np.arange(6.0).reshape(2, 3), np.zeros((3, 2)).T
    output = content[1:]
    output.flags.writeable = False
    made = rebased(output, content, array)
    assert np.shares_memory(made, array)
    assert not made.flags.writeable


def test_a_part_that_has_two_names_is_one_object():
    class Held:
        pass

    def kept(held):
        part = held.whole[2:6]
        held.part = part
        part[0] = 7
        return part, held.whole[2:6]

    held = Held()
    held.whole, held.part = np.arange(9.0), np.zeros(4)
    part, other = ag.function(kept)(held)
    assert part is held.part
    assert other is not part
    assert np.shares_memory(part, held.whole)
    assert part[0] == held.whole[2] == 7
