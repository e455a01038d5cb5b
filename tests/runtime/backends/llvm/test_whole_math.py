"""`math.gcd` and `math.isqrt` of ints, without Python where 64 bits hold them."""

import math

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import agreeing, loops_of

n = np.int64
LARGE = 2**63
EDGES = [0, 1, -1, 2, -6, 4, 12, 97, 3**39, -(2**33) * 7, 2**40 * 9, LARGE // 2]
EDGES += [-LARGE // 2, LARGE - 1, 1 - LARGE]
ROOTS = [0, 1, 2, 3, 10, 2**26, 2**31 - 1, 94_906_265, 94_906_267, 3_037_000_499]
SQUARES = [one * one + more for one in ROOTS for more in (-1, 0, 1)][1:]
SQUARES += [LARGE - 1, LARGE - 2]


def in_common(x, y, count):
    found = 0
    for k in range(count):
        found = (found * 3 + math.gcd(x[k], y[k])) % 1_000_000_007
    return found


def roots(x, count):
    found = 0
    for k in range(count):
        found = (found * 3 + math.isqrt(x[k])) % 1_000_000_007
    return found


def last_in_common(x, y, count):
    found = 0
    for k in range(count):
        found = math.gcd(x[k], y[k])
    return found


def in_machine_code(function, given):
    with ag.config(backend="native"):
        staged = agreeing(function, given)
        (loop,) = loops_of(staged, given[0])
    assert loop.is_made


def test_what_two_ints_have_in_common():
    x, y = np.array([(a, b) for a in EDGES for b in EDGES]).T
    rng = np.random.default_rng(0)
    drawn = rng.integers(-(10**18), 10**18, (2, 300)) >> rng.integers(0, 60, (2, 300))
    in_machine_code(in_common, [(x, y, n(len(x))), (*drawn, n(300))])


@pytest.mark.parametrize("pair", [(-LARGE, 0), (0, -LARGE), (-LARGE, -LARGE)])
def test_what_is_too_large_for_the_machine_is_pythons(pair):
    x, y = (np.array([one]) for one in pair)
    in_machine_code(last_in_common, [(x, y, n(1)), (x, y, n(0))])


@pytest.mark.parametrize("dtype", ["i1", "u1", "i4", "u8"])
def test_ints_of_other_sizes(dtype):
    x = np.arange(100).astype(dtype)
    with ag.config(backend="native"):
        agreeing(in_common, [(x, x[::-1].copy(), n(100))])
        agreeing(roots, [(x, n(100))])


def test_each_root_of_a_large_int_is_exact():
    rng = np.random.default_rng(0)
    drawn = rng.integers(0, LARGE - 1, 500)
    in_machine_code(
        roots, [(np.array(one), n(len(one))) for one in (SQUARES, drawn, drawn >> 20)]
    )


def test_a_root_of_what_is_less_than_0_raises():
    in_machine_code(roots, [(np.array([9, -1, 4]), n(3)), (np.array([9, 1]), n(2))])
