"""What is wrong with the data of a loop: NumPy's exception, its text, the user's line.

The arguments hold what Python has left in them by then.
"""

import traceback

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import Programs

X, TABLE, WHOLE = np.arange(6.0), np.arange(12.0).reshape(3, 4), np.arange(6)
LOCKED = X.copy()
LOCKED.flags.writeable = False
BAD = Programs()


@BAD(X)
def an_index_beyond_the_last(x, n):
    for i in range(-n, n * 4):
        x[i] = x[i + 1] * 2


@BAD(TABLE)
def an_index_of_the_other_axis(m, n):
    for i in range(n):
        for j in range(n + 2):
            m[j, i] += 1


@BAD(WHOLE)
def an_index_from_an_array(k, n):
    x = np.ones(6)
    for i in range(len(k)):
        x[k[i] * 2] += 1
    return x


@BAD(X)
def in_a_while(x, n):
    i = len(x)
    while i > -9:
        i -= 1
        x[i] += i


@BAD(X)
def of_every_other(x, n):
    v = x[::2]
    for i in range(len(x)):
        v[i] += 1


@BAD(X)
def of_a_turned_reshape(x, n):
    v = x.reshape(2, 3).T
    for i in range(4):
        v[i, 0] += 1


@BAD(LOCKED)
def read_only(x, n):
    for i in range(n):
        if i == 2:
            x[i] = 0


@BAD(TABLE)
def rows_of_other_sizes(m, n):
    for i in range(n):
        m[i] = np.ones(i + 2)


@BAD(TABLE)
def an_output_of_another_size(m, n):
    for i in range(n):
        np.add(m[i], m[:, i], out=m[i])


@BAD(WHOLE)
def floats_that_are_not_cast(k, n):
    for i in range(n):
        k[i:] += 0.5


@BAD(WHOLE)
def no_int(k, n):
    for i in range(n):
        k[i] = np.inf if i == 2 else i


@BAD(np.arange(6, dtype=np.int8))
def too_large(k, n):
    t = 100
    for i in range(n):
        t += 20
        k[i] = t


@BAD(X)
def complex_numbers(x, n):
    z = x + 1j
    for i in range(n):
        z.real[i * 3] = 2
        x[i] = abs(z[i])
    return z


@BAD(X)
def too_many_to_unpack(x, n):
    for i in range(n):
        a, b = x[i : i + 2 + i]
        x[i] = a + b


@BAD(X)
def the_largest_of_nothing(x, n):
    for i in range(n):
        x[i] = x[:i].max()


@BAD(TABLE)
def a_product_of_other_sizes(m, n):
    for i in range(n):
        m[i] = m[i] @ m


@BAD(TABLE)
def indices_in_a_list(m, n):
    for i in range(n):
        m[i, [0, i * 2]] = 1


@BAD(X)
def several_outputs(x, n):
    for i in range(n):
        np.divmod(x, 0.5, out=(x, np.zeros(6 - i)))


@BAD(TABLE)
def in_a_helper(m, n):
    def add(r, k):
        for j in range(k):
            r[j] += r[j + 1]

    for i in range(n):
        add(m[i], i + 2)


def seen(function, array):
    """The exception, the line that raises it, and what the array holds then."""
    x = array.copy()
    x.flags.writeable = array.flags.writeable
    try:
        function(x, np.int64(3))
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        lines = [one.lineno for one in frames if one.filename == __file__]
        return type(error), str(error), lines[-1], repr(x)
    return None


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("function", "given"), BAD)
def test_a_loop_fails_as_numpy_does(function, given, backend):
    staged = ag.function(function)
    with ag.config(backend=backend):
        for _ in range(2):
            wanted = seen(function, *given)
            assert wanted is not None
            assert seen(staged, *given) == wanted
