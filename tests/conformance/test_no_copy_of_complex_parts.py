"""A change of `.real` or `.imag` leaves the rest of the array where it lies."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.peak import most_memory
from tests.conformance.trying import Programs, check

SIZE = 100_000
Z = np.arange(24.0).reshape(4, 6) * (1 + 2j)
ARGUMENTS = [(z, np.int64(k)) for z in (Z, Z.T, Z[::2]) for k in (0, 1, 3)]
IN_PLACE, CASES = Programs(), Programs()


@IN_PLACE(0)
@CASES(*ARGUMENTS)
def real_parts(z, n):
    r = z.real
    r += n
    return r


@IN_PLACE(0)
@CASES(*ARGUMENTS)
def both_parts(z, n):
    z.real += z.imag[n:].sum()
    z.imag *= 2
    np.add(z.real, z.imag, out=z.imag)


@IN_PLACE(0)
@CASES(*ARGUMENTS)
def taken_anew_in_a_loop(z, n):
    r = z.real
    for k in range(n):
        r[k] += 1
        r = z.imag if k % 2 else z.real
        r += k
        z.imag -= r


@IN_PLACE(0)
@CASES(*ARGUMENTS)
def elements_in_a_loop(z, n):
    r, i = z.real, z.imag
    for k in range(n):
        r[k] += 1
        i[k] -= r[k]
    return i


@CASES(*ARGUMENTS)
def that_is_kept(z, n):
    old, r = z.real + 0, z.real
    row = r[0]
    z.real = 5
    z.imag += old
    if n > 1:
        z.real = z.imag[::-1]
    return r, old, row


@CASES(*ARGUMENTS)
def that_fails_half_way(z, n):
    z.real = 1
    z.imag[n + 1] = 5
    z.real[n + 2] = 6


@CASES(*ARGUMENTS)
def that_a_handler_sees(z, n):
    try:
        z.real += 1
        z.imag[n + 2] = 5
    except IndexError:
        z.real -= 10
        return z.imag
    finally:
        z.imag *= 2
    return z.real


@CASES(*ARGUMENTS)
def of_arrays_of_its_own(z, n):
    y = z * 2
    x = y
    y.real = z.imag
    for k in range(n):
        y = y + z
        y.imag[...] = y.real
        y.real += k
    return x, y


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("function", "arrays"), IN_PLACE)
def test_no_copy_of_the_whole_is_made(function, arrays, backend):
    arguments = np.ones(SIZE, complex), np.int64(3)
    _, most = most_memory(ag.function(function), arguments, backend)
    assert most < (arrays[0] + 0.1) * SIZE * 16


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_it_is_what_python_leaves(function, arguments, backend):
    with ag.config(backend=backend):
        check(function, arguments)
