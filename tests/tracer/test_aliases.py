"""An array that may be another one, depending on data, when the other one changes."""

import numpy as np
import pytest

import autograph as ag

Z = np.zeros(2)


def returned_by_a_recursion(n, p, q):
    p = p.copy()

    def get(n, p):
        if n <= 0:
            return p * 2
        get(n - 1, p)
        return p

    r = get(n, p)
    p[0] = 1
    return r + 0


def test_a_read_of_what_may_have_changed_is_no_graphs():
    program, n = returned_by_a_recursion, np.int64(2)
    staged = ag.function(program)
    with pytest.raises(ValueError, match=r"^this array may have been changed in place"):
        staged.get_concrete_function(n, Z, Z)
    assert staged(n, Z, Z).tolist() == program(n, Z, Z).tolist()


def test_parts_of_numbers_that_a_loop_takes_are_read_again():
    @ag.function
    def program(n, p, q):
        p, r = p + 1j, q.copy()
        for _ in range(n):
            r = p.real[n - 2 :]
        p[0] = 1
        return r + 0

    program.get_concrete_function(np.int64(2), Z, Z)
    assert program(np.int64(2), Z, Z).tolist() == [1.0, 0.0]
    assert program(np.int64(0), Z, Z).tolist() == [0.0, 0.0]


def test_two_arrays_that_are_exchanged_are_never_the_same():
    @ag.function
    def program(c, p, q):
        p, q = p.copy(), q.copy()
        if c:
            p, q = q, p
        p[0] = 1
        return q + 0

    assert program(np.True_, Z, Z).tolist() == [0.0, 0.0]


def test_what_is_chosen_anew_after_the_change_is_read():
    @ag.function
    def program(c, p, q):
        p, q = p.copy(), q.copy()
        r = p if c else q
        p[0] = 1
        r = p if c else q
        return r + 0

    assert program(np.True_, Z, Z).tolist() == [1.0, 0.0]
