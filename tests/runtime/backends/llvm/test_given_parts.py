"""Parts that loops and branches of machine code give are parts outside, too."""

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import operands
from tests.runtime.backends.llvm.compiling import LAYOUTS, cases, kept_by

CASES, case = cases()
n = np.int64
rng = np.random.default_rng(3)
Z, W, X = rng.random((40, 6)), rng.random((40, 6)), rng.random(60)


@case(Z)
def read_behind(z):
    s, r = 0.0, z[0]
    for i in range(len(z)):
        r = z[i]
        s += r[0]
    return s, r


@case(Z)
def of_rows(z):
    s = 0.0
    for r in z:
        s += r[-1]
    return s, r


@case(Z)
def the_best(z):
    best = z[0]
    for i in range(len(z)):
        if z[i][0] > best[0]:
            best = z[i]
    return best


@case(Z, W)
def of_one_of_two(z, w):
    s = 0.0
    for i in range(len(z)):
        r = z[i] if z[i, 0] > 0.5 else w[i, ::-1]
        s += r[0]
    return s, r


@case(Z, W)
def of_one_or_anew(z, w):
    s = 0.0
    for i in range(len(z)):
        r = z[i] if z[i, 0] > 0.5 else w[i] * 2
        s += r[0] - r[1]
    return s, r


@case(Z, W)
def changed_of_one_or_anew(z, w):
    s = 0.0
    for i in range(len(z)):
        r = z[i] if z[i, 0] > 0.5 else w[i] * 2
        r[0] += 1
        s += r[0]
    return s


@case(Z)
def lagged(z):
    last = z[0]
    s = 0.0
    for i in range(1, len(z)):
        now = z[i]
        d = now - last
        s += (d * d).sum()
        last = now
    return s, last


@case(X)
def eaten(x):
    s = 0.0
    while len(x) > 3:
        s = s * 0.5 + x[0] - x[-1]
        x = x[1:-1]
    return s, x


@case(X, np.float64(0.4))
def halved(x, v):
    y = x
    while len(y) > 1:
        half = len(y) // 2
        y = y[half:] if y[half] <= v else y[:half]
    return y


@case(Z)
def turned(z):
    s = 0.0
    for k in range(41):
        z = z.T
        s += z[0, 1] * k
    return s, z


@case(Z, n(3))
def in_loops_in_loops(z, count):
    r = z[0]
    s = 0.0
    for k in range(count):
        for i in range(k, len(z)):
            if z[i, 0] < r[0]:
                r = z[i]
            s += r[1]
        r = r[:]
    return s, r


@case(Z)
def all_of_it(z):
    s, r = 0.0, z
    for i in range(len(z)):
        s += r[i, 0]
        r = z if z[i, 1] > 0.5 else z + 1
    return s, r


@case(Z, n(0))
def of_no_turn(z, count):
    r = z[1]
    for i in range(count):
        r = z[i]
        r = r * 2 if r[0] > 2 else r
    return r


@case(Z)
def left_alone_or_doubled(z):
    made = np.empty_like(z)
    for i in range(len(z)):
        row = z[i].copy()
        if row[0] < 0.5:
            row = row * 2
        row[1] += 1
        made[i] = row
    return made


@case(X)
def moved_within_what_it_may_be(x):
    s = 0.0
    for i in range(20):
        y = x * i
        r = y[1:] if x[i] > 0.5 else x[1:]
        y[:-1] = r
        s += y[0] - y[-2] + y[7]
    return s


@case(X, n(2))
def moved_within_what_a_loop_gives(x, count):
    s = 0.0
    for i in range(20):
        y = x * i
        r = x[2:]
        for k in range(count):
            r = y[k : len(y) - 2 + k] if x[i + k] > 0.5 else r
        y[2:] = r
        s += y[3] + y[-1] * 0.5 + y[20]
    return s


@case(Z)
def under_two_names(z):
    s, r = 0.0, z[0]
    for i in range(len(z)):
        r = z[i]
        s += r[0]
        last = r
    return s, r, last, z


def arrays_of(thing):
    if isinstance(thing, tuple):
        return [one for part in thing for one in arrays_of(part)]
    return [thing] if isinstance(thing, np.ndarray) else []


def lying(result, given):
    """How each array of a result lies in those that were passed."""
    places = {one.__array_interface__["data"][0]: at for at, one in enumerate(given)}
    found = []
    for one in arrays_of(result):
        base = one
        while base.base is not None and not any(base is x for x in given):
            base = base.base
        start = base.__array_interface__["data"][0]
        offset = one.__array_interface__["data"][0] - start
        whole = [one.base is None, *(one is x for x in given)]
        found.append((places.get(start), offset, one.strides, one.shape, whole))
    found += [
        [one is other for other in arrays_of(result)] for one in arrays_of(result)
    ]
    return found


@case(Z[0] + 1j * W[0], X)
def of_another_dtype(z, x):
    r = z.imag
    for i in range(len(z)):
        r = z.real if x[i] > 2 * x[-1 - i] else z.imag
    return r


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_parts_are_views_of_what_they_are_parts_of(function, arguments, layout):
    staged = ag.function(function)
    with ag.config(backend="native"):
        for size in (None, None, -1, -1, -2, -2, -2):
            wanted, found = (
                [
                    LAYOUTS[layout](np.array(a[:size])) if a.ndim else a
                    for a in arguments
                ]
                for _ in range(2)
            )
            expected, result = function(*wanted), staged(*found)
            assert repr(expected) == repr(result)
            assert lying(expected, wanted) == lying(result, found)
            for one, other in zip(arrays_of(expected), arrays_of(result), strict=True):
                if one.flags.writeable:
                    one += 1
                    other += 1
            for one, other in zip(wanted, found, strict=True):
                assert np.array_equal(one, other)
    assert "run by Python" not in staged.inspect("loops")


def test_nothing_is_left_of_parts():
    staged = ag.function(of_one_or_anew)
    with ag.config(backend="native"):
        for _ in range(3):
            staged(Z, W)
        assert kept_by(lambda: [staged(Z, W) for _ in range(50)], 60) < 60


def test_what_is_changed_in_blocks_within_blocks_is_looked_for_once(monkeypatch):
    asked, look = [], operands.source_of

    def counted(body, variable):
        asked.append(variable)
        return look(body, variable)

    def changed(x, y, z, c, n):
        for i in range(n):
            if c[i]:
                for j in range(i):
                    if c[j]:
                        for k in range(j):
                            if c[k]:
                                x[k] += 1
                                y[j] += x[k]
                                z[i] += y[j]
        return x

    monkeypatch.setattr(operands, "source_of", counted)
    staged, c = ag.function(changed), np.arange(6) % 2 == 0
    with ag.config(backend="native"):
        found = [staged(*np.ones((3, 6)), c, n(6)) for _ in range(3)]
    assert np.array_equal(found[2], changed(*np.ones((3, 6)), c, 6))
    assert len(asked) < 2_000
