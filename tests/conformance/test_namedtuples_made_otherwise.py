"""Classes of namedtuples with a `__new__` of their own, which is called once."""

import copy
from collections import namedtuple

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import Programs, check

PROGRAMS = Programs()
ONE, TWO, X = np.float64(1.0), np.float64(2.0), np.arange(3.0)


class Pair(namedtuple("Pair", "a b")):
    """Can be copied, past its classes' `__new__`."""

    __slots__ = ()

    def __deepcopy__(self, memo):
        return tuple.__new__(type(self), copy.deepcopy(tuple(self), memo))


class Twice(Pair):
    """Has one thing twice."""

    def __new__(cls, a):
        return super().__new__(cls, a, a * 2)


class Next(Pair):
    """Holds other things than it is given."""

    __slots__ = ()

    def __new__(cls, a, b=None):
        return super().__new__(cls, a + 1, b)

    @property
    def total(self):
        return self.a + (0 if self.b is None else self.b)


class Checked(Pair):
    """Asks what it is given."""

    def __new__(cls, a, b):
        if not isinstance(b, int):
            raise TypeError(f"b is {b!r}")
        return super().__new__(cls, float(a), b)


@PROGRAMS((ONE,), (X,))
def returned(x):
    return Twice(x), [Next(x)], {"c": Next(x, x)}


@PROGRAMS((ONE,), (X,))
def shown(x):
    print(Twice(x), Next(x, 1))
    return repr(Next(x)), f"{Twice(x)}"


@PROGRAMS((Twice(X),), (Next(ONE, 3),), (Next(X, X),))
def passed(t):
    return t.a + 1, t, t[::-1], t == t[:], len(t)


@PROGRAMS((Checked(3, 2), ONE), (Checked(1.5, 7), TWO))
def checked(t, x):
    return t.a * x, t, Checked(2, t.b + 1), t._replace(a=x)


@PROGRAMS((Next(1.0, 2.0), ONE), (Next(1.0, 2.0), -ONE))
def in_a_branch(t, x):
    if x > 0:
        t = Next(x, x)
    return t.total, t


@PROGRAMS((ONE, np.int64(3)), (TWO, np.int64(0)))
def in_rounds(x, n):
    t = Next(x, 2.0)
    for k in range(n):
        t = Next(t.a, t.b * 1.5) if x > k else Next(x, t.b)
    return t, t.total


@PROGRAMS((ONE, np.int64(5)), (TWO, np.int64(1)))
def in_a_list(x, n):
    found = [Next(x, x)]
    try:
        found.append(Next(X[n], x))
    except IndexError:
        found.append(Twice(x))
    return found


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_they_are_what_they_are_in_python(function, arguments, backend):
    with ag.config(backend=backend):
        check(function, arguments)
