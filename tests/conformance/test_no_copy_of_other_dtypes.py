"""What a ufunc gives in another dtype than its array has: cast some at a time."""

import warnings

import numpy as np
import pytest

import autograph as ag
from tests.conformance.harness import disagreement, observe
from tests.conformance.peak import most_memory

SIZE = 2**16


def added(x, y):
    x += y
    x[1:] -= y[1:]
    x *= np.float64(1.5)


def given_an_out(x, y):
    np.add(x, y, out=x)
    np.sqrt(x, out=y)
    np.multiply(y, 2, out=x)


def truths(x, y):
    np.greater(x, y, out=x)
    np.isfinite(x, out=y)


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize("program", [added, given_an_out, truths])
def test_no_array_is_made_of_the_result(program, backend):
    def arguments():
        y = np.random.default_rng(0).random(SIZE)
        return y.astype(np.float32), y

    given, wanted = arguments(), arguments()
    # NumPy has room for 8192 elements of each operand.
    _, most = most_memory(ag.function(program), given, backend)
    assert most < given[0].nbytes * 0.75
    for _ in range(4):
        program(*wanted)
    assert all(map(np.array_equal, given, wanted))


def refused_at_last(x, y):
    np.add(y, y, out=x)
    x += y
    np.sqrt(y * 1j, out=x)
    return x


def a_part_turned(x, y):
    z = x.reshape(2, 2).T
    z += y.reshape(2, 2)
    z **= 2
    x += y[:1]
    return x


def in_a_loop(x, y):
    for k in range(3):
        x += y * k
        x -= 1
        np.less(y, x, out=x)
    return x


DTYPES = "? i1 u2 i8 f2 f4 f8 D".split()


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize("program", [refused_at_last, a_part_turned, in_a_loop])
def test_what_is_cast_is_as_in_numpy(program, backend):
    with ag.config(backend=backend), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        staged = ag.function(program)
        for one in DTYPES:
            for other in DTYPES:
                x = np.array([3, 1, 2, 60000]).astype(one)
                given = x, np.array([1, 2, 5, 70000]).astype(other)
                for _ in range(2):
                    python, graph = observe(program, given), observe(staged, given)
                    found = disagreement(python, graph)
                    assert found is None, f"{one}, {other}: {found.sentence}"
