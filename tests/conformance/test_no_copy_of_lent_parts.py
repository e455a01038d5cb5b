"""A loop that changes an array by parts of it alone changes these where they lie."""

import warnings

import numpy as np
import pytest

import autograph as ag
from tests.conformance.peak import most_memory
from tests.conformance.trying import Programs, check

SIZE = 90_000
COUNTS = [np.int64(k) for k in (0, 1, 3, 9)]
Z = np.arange(1.0, 5.0) * (1 + 2j)
TABLE = np.arange(1.0, 13.0).reshape(4, 3)
FIELDS = np.dtype([("x", float), ("v", float), ("n", int), ("w", float, 2)])
RECORDS = np.zeros(4, FIELDS)
RECORDS["x"] = Z.real
OVERLAPPING = np.dtype(
    {"names": ["a", "b"], "formats": ["f8", "i8"], "offsets": [0, 0], "itemsize": 16}
)
COMPLEX = [(z, n) for z in (Z, Z[::-1], Z[::2]) for n in COUNTS]
TURNED = [TABLE, np.asfortranarray(TABLE), TABLE[::-1], TABLE[:, ::2], TABLE.T]
TABLES = [(x, n) for x in TURNED for n in COUNTS]
OF_RECORDS = [(x, n) for x in (RECORDS, RECORDS[::2]) for n in COUNTS]
LARGE = np.ones((300, 300))
IN_PLACE, CASES = Programs(), Programs()


@IN_PLACE(LARGE * 1j)
@CASES(*COMPLEX)
def real_and_imaginary_parts(z, n):
    re, im = z.real, z.imag
    for i in range(n):
        re[i] += im[i - 1]
        im[i] -= re[i] * 2


@IN_PLACE(LARGE * 1j)
@CASES(*COMPLEX)
def the_real_parts_alone(z, n):
    for i in range(n):
        z.real[i] += z.imag[i]
        if i > 1:
            z.real[i - 1] = i


@CASES(*COMPLEX)
def the_array_is_read_beside(z, n):
    re = z.real
    for i in range(n):
        re[i] += 1
        z[i] *= 2
    return re


@CASES(*COMPLEX)
def what_is_put_there_is_another_array(z, n):
    other = np.arange(len(z)) + 0.5
    for i in range(n):
        z.real = other
        other[i] += 1
        z.imag = 3
        z.imag[i] += z.real[i]
    return other


@CASES(*COMPLEX)
def made_anew_in_each_round(z, n):
    for i in range(n):
        z.real = np.sort(z.real)[::-1]
        z.imag[i] += z.real[i]


@CASES(*COMPLEX)
def exchanged_with_another(z, n):
    v, w = z.real, np.arange(len(z)) + 0.5
    for i in range(n):
        v[i] += 1
        if i == 1:
            v = w
        w[i] -= 2
    return v


@CASES(*COMPLEX)
def before_an_exception(z, n):
    re = z.real
    for i in range(n):
        re[i] += 1
        z.imag[i - 2] = re[i]
    re[0] = 5
    raise ValueError(re[1])


@CASES(*COMPLEX)
def in_a_try(z, n):
    re = z.real
    try:
        for i in range(n):
            re[i] += 1
    except IndexError:
        z.imag[0] = 3
    return re.sum()


@IN_PLACE(np.zeros(SIZE, FIELDS))
@CASES(*OF_RECORDS)
def fields(p, n):
    x, v = p["x"], p["v"]
    for i in range(n):
        v[i] -= 0.1 * x[i]
        x[i] += 0.1 * v[i]
        p["n"][i] += i
    p["w"][:, 1] += x


@IN_PLACE(np.zeros(SIZE, FIELDS))
@CASES(*OF_RECORDS)
def fields_of_a_part(p, n):
    q = p[1:]
    for k in range(2):
        for i in range(n):
            q["x"][i] += q["v"][i - 1] + k
            if k:
                q["w"][i, k] = q["n"][i]


def fields_in_one_place(p, n):
    a, b = p["a"], p["b"]
    for i in range(n):
        a[i] += 1.5
        b[i] += 3
    return a + b


@IN_PLACE(LARGE)
@CASES(*TABLES)
def a_part_turned(x, n):
    v = x[1:].T
    for i in range(n):
        for j in range(2):
            v[i, j] += v[i - 1, j] + 1


@IN_PLACE(LARGE)
@CASES(*TABLES)
def a_part_as_a_row(x, n):
    v = x[1:].reshape(-1)
    for i in range(n):
        v[i] += v[i - 1]
    v[0] = 9
    return v


@IN_PLACE(LARGE)
@CASES(*TABLES)
def parts_turned_side_by_side(x, n):
    v, w = x[:2].T, x[2:].T
    for i in range(n):
        v[i, 0] += w[i, 1]
        w[i, 0] -= v[i, 1]


@CASES(*TABLES)
def parts_that_meet(x, n):
    v, w = x[:3].T, x[1:].T
    for i in range(n):
        v[i, 1] += w[i, 1]
        w[i, 0] -= v[i, 1]


@IN_PLACE(LARGE)
@CASES(*TABLES)
def a_part_turned_without_a_loop(x, n):
    v = x[1:].T
    v += 1
    v[0] -= v[1]


@CASES(*TABLES)
def a_part_turned_as_a_whole(x, n):
    v = x[1:].T
    for _ in range(n):
        v *= 2
        v[0] -= v[1]


@CASES(*TABLES)
def by_views_of_the_part_as_a_whole(x, n):
    v = x[None]
    w, u = v.reshape(2, -1), v[::2, ::-1]
    for k in range(n):
        w *= 2
        u.sort(axis=0)
        w[k, 0] += 1
    return w


@CASES(*COMPLEX)
def a_part_as_a_whole(z, n):
    re, turned = z.real, z.imag.reshape(2, -1).T
    for k in range(n):
        re *= 2
        turned += 1
        re[k] = turned[0, 0]


@CASES(*TABLES)
def beside_the_array(x, n):
    v = x[1:].T
    for i in range(n):
        v[i, 0] += 1
        x[i, 1] += v[i, 0]
        for j in range(2):
            v[j, i] -= x[0, 0]
    return v


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("program", "given"), IN_PLACE)
def test_a_loop_takes_no_memory_for_parts(program, given, backend):
    staged, n = ag.function(program), np.int64(250)
    arrays = [given[0].copy() for _ in range(2)]
    for _ in range(4):
        program(arrays[1], n)
    _, most = most_memory(staged, (arrays[0], n), backend)
    assert most < given[0].nbytes * 0.1
    assert np.array_equal(*arrays)


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_parts_hold_what_python_leaves(function, arguments, backend):
    with ag.config(backend=backend), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(function, arguments)


@pytest.mark.parametrize("backend", ["numpy", "native"])
def test_fields_in_one_place_are_no_parts_side_by_side(backend):
    staged, n = ag.function(fields_in_one_place), np.int64(3)
    arrays = [np.zeros(4, OVERLAPPING) for _ in range(2)]
    with ag.config(backend=backend):
        for _ in range(2):
            assert np.array_equal(
                *(f(x, n) for f, x in zip((staged, fields_in_one_place), arrays))
            )
            assert arrays[0].tobytes() == arrays[1].tobytes()
