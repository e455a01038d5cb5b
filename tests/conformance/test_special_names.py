"""Methods that Python calls, called by name: `x.__repr__()`, `x.__contains__(v)`."""

import numpy as np
import pytest

import autograph as ag

ARRAY, NUMBER = np.array([3.0, 1.0, 2.0]), np.float64(2.5)


def shown(x, n):
    return f"{x.__repr__()}, {n.__repr__()}"


def shown_of_the_run(x, n):
    return (x * 2).__repr__(), (n + 1).__repr__(), x.__str__(), n.__format__("")


def contains(x, n):
    return x.__contains__(n), x.__contains__(1.0)


def where_it_lies(x, n):
    return x.__array_interface__["shape"], (x * 1).__array_wrap__(x)


def rounded(x, n):
    return n.__round__(), n.__trunc__(), n.__floor__(), (n * 2).__ceil__()


def asked(x, n):
    names = "__len__ __contains__ __round__ __iadd__ __array_wrap__ __name__".split()
    return [(hasattr(x, name), hasattr(n * 2, name)) for name in names]


PROGRAMS = [shown, shown_of_the_run, contains, where_it_lies, rounded, asked]


@pytest.mark.parametrize("number", [NUMBER, 2.5])
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_method_called_by_its_name_is_pythons(program, number):
    staged = ag.function(program)
    for k in range(3):
        args = ARRAY + k, number + k
        assert repr(staged(*args)) == repr(program(*args))
