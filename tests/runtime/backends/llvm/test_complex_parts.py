"""`z.real` and `z.imag` in loops of machine code are views, which stores go through."""

import numpy as np
import pytest

import autograph as ag


def sizes(z, n):
    for i in range(n):
        z.real[i] = abs(z[i])
    return z


def both(z, n):
    re, im = z.real, z.imag
    s = 0.0
    for i in range(n):
        re[i] += im[i] * 0.5
        im[i] -= re[i]
        s += z[i].real
    return s, z


def moved_between_them(z, n):
    for _ in range(n):
        z.real[1:] = z.imag[:-1]
        z.imag += z.real * 2
    return z


def exchanged(z, n):
    w = z * 2
    for i in range(n):
        w.real, w.imag = w.imag, w.real * 1
        r = w.imag
        r[i] = 3
    return w


def by_turns(z, n):
    s = 0.0
    for i in range(n):
        r = z.real if i % 3 else z.imag
        s += r[i]
    return s


def of_a_part(z, n):
    v = z[::2]
    for i in range(n // 2):
        v.imag[i] = v[i].real + z[i].imag
    return v


PROGRAMS = [sizes, both, moved_between_them, exchanged, by_turns, of_a_part]
LAYOUTS = {
    "own": lambda z: z,
    "backwards": lambda z: z[::-1],
    "steps": lambda z: np.repeat(z, 2)[::2],
}


@pytest.mark.parametrize("dtype", [complex, np.complex64])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_parts_of_complex_arrays_are_views(program, dtype):
    staged, rng = ag.function(program), np.random.default_rng(5)
    with ag.config(backend="native"):
        for size, count in ((40, 30), (40, 30), (39, 39), (38, 3), (38, 0), (41, 41)):
            for layout in LAYOUTS.values():
                drawn = (rng.random(size) + 1j * rng.random(size)).astype(dtype)
                wanted, found = layout(drawn.copy()), layout(drawn.copy())
                expected = program(wanted, np.int64(count))
                assert repr(expected) == repr(staged(found, np.int64(count)))
                assert np.array_equal(wanted, found)
    text = staged.inspect("loops")
    assert "run by Python" not in text
    assert "python step_" not in text
