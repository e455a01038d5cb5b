"""within: loops whose lanes would read beyond an array if they took on trust what only
turns that have ended tell. `python -m tests.runtime.backends.llvm.within` runs them
with arrays behind which there is no memory.
"""

from importlib import import_module
from unittest import mock

import numpy as np

import autograph as ag
from runtime.backends.llvm import hot, lanes
from tests.runtime.backends.llvm.fenced import fenced
from tests.runtime.backends.llvm.random_lanes import has_lanes


def reads_the_one_before(x, y, n):
    s = 0.0
    for i in range(1, n):
        a, k = float(x[i - 1]), 0
        while a > 0.01:
            a *= 0.5
            k += 1
        s += x[i] * k
    return s


def ends_by_a_break(x, y, n):
    s = 0.0
    for i in range(1, n):
        a, k = float(x[i - 1]), 0
        while a > 0.01:
            a *= 0.5
            k += 1
        s += x[i] * k
        if s > 1e9:
            break
    return s


def divides_by_what_the_size_keeps_from_zero(x, y, n):
    s = 0.0
    for i in range(n):
        a, k = 100_000 // (len(x) + 1 - i), 0
        while a > 1:
            a //= 2
            k += 1
        s += x[i] * k
    return s


def has_read_it_in_both_branches(x, y, n):
    s = 0.0
    for i in range(n):
        if y[i % 4] > 0.5:
            s -= x[i]
        else:
            s += x[i]
        a, k = float(x[i]), 0
        while a > 0.01:
            a *= 0.5
            k += 1
        s += k
    return s


PROGRAMS = (
    reads_the_one_before,
    ends_by_a_break,
    divides_by_what_the_size_keeps_from_zero,
    has_read_it_in_both_branches,
)


def main() -> None:
    """Run each to the end of its array and beyond, from any lane."""
    draw = np.random.default_rng(1)
    for function in PROGRAMS:
        staged = ag.function(function)
        for size in range(401, 418, 3):
            x, y = fenced(draw.random(size) * 40), fenced(draw.random(size))
            assert staged(x, y, np.int64(size)) == function(x, y, size)
            assert size > 401 or has_lanes(staged, (x, y, np.int64(size)))
            for _ in range(2):
                try:
                    staged(x, y, np.int64(size + 100))
                except IndexError as error:
                    print(error)


if __name__ == "__main__":
    # LLVM is loaded, so that what is little is compiled at once.
    import_module("runtime.backends.llvm.engine")
    leavings = mock.patch.object(hot, "LEAVINGS", 1_000_000)
    with ag.config(backend="native"), leavings, mock.patch.object(lanes, "ALONE", 0):
        main()
