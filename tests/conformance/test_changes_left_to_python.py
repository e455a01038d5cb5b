"""Changes in place in machine code, of which the next one is left to Python."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.harness import disagreement, observe
from tests.conformance.peak import most_memory

SIZE = 2**14


def doubled(x, y, n):
    z = y[:n]
    x *= 2
    x += z


def doubled_twice(x, y, n):
    z = y[:n]
    x *= 2
    x -= 1
    x += z
    x += 3
    x += z


def read_beside(x, y, n):
    z = y[:n]
    x *= 2
    w = x + 1
    x += z
    return w


def read_by_the_same_step(x, y, n):
    y *= 2
    w = y.astype(np.int64)
    return y + w


PROGRAMS = [doubled, doubled_twice, read_beside, read_by_the_same_step]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_what_was_changed_before_it_raises_is_changed(program):
    with ag.config(backend="native"):
        staged = ag.function(program)
        for n in (8, 7, 0, 9, 8, 1):  # no machine code adds uint16 to int64
            given = np.arange(8), np.arange(20, dtype=np.uint16), np.int64(n)
            found = disagreement(observe(program, given), observe(staged, given))
            assert found is None, f"{n}: {found.sentence}"


def test_no_memory_is_needed():
    x, y = np.arange(SIZE), np.arange(SIZE, dtype=np.uint16)
    arguments = x, y, np.int64(SIZE)
    _, ours = most_memory(ag.function(doubled_twice), arguments, "native")
    _, numpys = most_memory(doubled_twice, arguments, "native")
    # NumPy casts some elements at a time.
    assert ours < numpys + 0.1 * x.nbytes
