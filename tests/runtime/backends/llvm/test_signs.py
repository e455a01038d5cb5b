"""The sign of what is negated, also where it is no number, is Python's."""

import numpy as np
import pytest

import autograph as ag

# LLVM's passes are what would turn a sign round.
pytestmark = pytest.mark.with_passes

VALUES = np.array([np.inf, 0.0, -np.inf, np.nan, 1.0, -2.0, -0.0, -np.nan])
# Of two that are none the processor, and LLVM, may take either.
A, B = (one.ravel().copy() for one in np.meshgrid(VALUES, VALUES[[0, 1, 2, 4, 5, 6]]))


def one_by_one(a, b, out):
    for i in range(a.shape[0]):
        out[i] = -(float(a[i]) * float(b[i]))
    return out


def sums(a, b, out):
    for i in range(a.shape[0]):
        out[i] = -float(a[i]) + float(b[i])
    return out


def chains(a, b, out):
    for _ in range(np.int64(3)):
        out = np.where(out == 0.0, -(a * b), -(out * b))
        out = -(a * b)
    return out


def chosen(a, b, out):
    for _ in range(np.int64(3)):
        out = np.where(a > 0, a, -a * 2)
    return out


def lanes(a, b, out):
    for i in range(a.shape[0]):
        k, x, y = 0, float(a[i]), float(b[i])
        total = 0.0
        while k < 5:
            total = -(x * y)
            k += 1
        out[i] = total
    return out


@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize("function", [one_by_one, sums, chains, chosen, lanes])
def test_the_bits_of_what_is_negated_are_pythons(function, dtype):
    a, b = A.astype(dtype), B.astype(dtype)
    with ag.config(backend="native"), np.errstate(all="ignore"):
        staged = ag.function(function)
        for _ in range(2):
            found = staged(a, b, np.zeros(a.size, dtype))
            wanted = function(a, b, np.zeros(a.size, dtype))
            assert found.tobytes() == wanted.tobytes()
        made = staged.get_concrete_function(a, b, np.zeros(a.size, dtype))
    assert "fneg" in made.inspect("loops")


def greatest(x, out):
    for i in range(x.shape[0]):
        out[i] = max(float(x[i]), 0.0)


def least(x, out):
    for i in range(x.shape[0]):
        out[i] = min(float(x[i]), -0.0)


def by_an_if(x, out):
    for i in range(x.shape[0]):
        v = float(x[i])
        out[i] = v if v >= 0 else 0.0


def by_a_store(x, out):
    for i in range(x.shape[0]):
        out[i] = float(x[i])
        if float(x[i]) < 0.0:
            out[i] = 0.0


@pytest.mark.parametrize("program", [greatest, least, by_an_if, by_a_store])
def test_the_zero_of_a_float32_that_is_compared_keeps_its_sign(program):
    x = np.array([-0.0, 0.0, 1.0, -1.0, np.nan, np.inf, -np.inf] * 20, np.float32)
    want, found = np.ones(x.shape), np.ones(x.shape)
    program(x, want)
    staged = ag.function(program)
    with ag.config(backend="native"):
        for _ in range(4):
            staged(x, found)
    assert "fcmp" in staged.inspect("loops")
    np.testing.assert_array_equal(found, want)
    np.testing.assert_array_equal(np.signbit(found), np.signbit(want))
