"""An `out` that a function without an op is given: NumPy writes into it at once."""

import numpy as np
import pytest

from tests.conformance.peak import check_in_place
from tests.conformance.trying import check

SIZE = 40_000


def rounded_to_zero(x, n):
    np.fix(x, out=x)


def rounded_in_a_loop(x, n):
    for k in range(n):
        x[k] += 0.5
        np.fix(x[k:], out=x[k:])


def swapped_bytes(x, n):
    x.byteswap(inplace=True)
    x[::2].byteswap(inplace=True)


def taken(x, n):
    np.take(x[:4], [1, 2, 3], out=x[5:8], mode="clip")
    np.take(x, [n, SIZE - 1], out=x[:2], mode="wrap")


def joined(x, n):
    np.concatenate([x[:100], x[200:300]], out=x[1000:1200])
    np.stack([x[:100], x[200:300]], out=x[400:600].reshape(2, 100))


def reshaped(x, n):
    z = x.reshape(4, -1)
    np.cumsum(x.reshape(200, -1), axis=1, out=x.reshape(200, -1))
    np.sqrt(z, out=x.reshape(4, -1))
    np.add(x.reshape(200, -1), 1, out=x.reshape(200, -1))
    np.cumsum(x.reshape(200, -1).T, axis=0, out=x.reshape(200, -1).T)


def of_another_array(x, n):
    half = x[: SIZE // 2].reshape(100, -1)
    np.sqrt(half, out=x[SIZE // 2 :].reshape(100, -1))


PROGRAMS = [
    reshaped,
    of_another_array,
    rounded_to_zero,
    rounded_in_a_loop,
    swapped_bytes,
    taken,
    joined,
]


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_no_memory_is_needed_for_the_result(program, backend):
    check_in_place(program, 0, backend, SIZE, np.int64(3))


def joined_of_large_parts(x, n):
    y = np.empty(SIZE)
    np.concatenate([x[: SIZE // 2], x[: SIZE // 2]], out=y)
    return y


def added_up_from_far(x, n):
    np.add.reduceat(x, [0, SIZE // 2], out=x[:2])
    np.add.reduceat(x, [0, SIZE // 2], 0, None, x[5:7])
    return x


def not_of_the_size(x, n):
    x[0] = 7
    return np.concatenate([x[: SIZE // 2], x[: SIZE // 2]], out=np.empty(SIZE - 1))


def refused_at_the_run(x, n):
    try:
        np.fix(x / 3, out=x)
        np.fix(x, out=x[:n])
    except ValueError as error:
        return x, str(error)


def of_another_dtype(x, n):
    y, z = np.empty(SIZE, np.float32), np.empty(SIZE, int)
    return np.fix(x / 3, out=y), np.concatenate([x], out=z, casting="unsafe")


def turned_round(x, n):
    y = x.reshape(200, 200)
    np.nancumsum(y.T, axis=1, out=y.T)
    np.fix(y[::2] / 3, out=y[1::2])
    return x, np.fix(x / 5, out=y[0].base[::1]) is x


def either(x, n):
    y = x + 1
    v = x if n < 5 else y
    np.fix(y / 3, out=v)
    return x, y


ALIKE = [
    *(joined_of_large_parts, added_up_from_far, not_of_the_size, refused_at_the_run),
    *(of_another_dtype, turned_round, either),
]


@pytest.mark.parametrize("program", ALIKE, ids=lambda program: program.__name__)
def test_what_is_written_is_as_in_numpy(program):
    x = np.arange(float(SIZE))
    check(program, ((x, np.int64(2)), (x, np.int64(7))))


def test_what_no_sample_suits_is_written_all_the_same():
    ndimage = pytest.importorskip("scipy.ndimage")

    def zoomed(x, n):
        y = np.zeros(SIZE)
        ndimage.zoom(x[: SIZE // 2], 2, output=y, order=1)
        return y

    check(zoomed, ((np.arange(float(SIZE)), np.int64(2)),))
