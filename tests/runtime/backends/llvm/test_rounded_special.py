"""What is not usual: our functions with the C library's bits give NumPy's."""

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm.library_bits import is_librarys
from runtime.backends.llvm.mathematics import PREFIX
from tests.runtime.backends.llvm.test_rounded import (
    EXPONENTS,
    SPECIAL,
    USUAL,
    USUALLY,
    is_same,
    of_arrays,
    only_where_known,
    told_by,
)

pytestmark = [only_where_known, pytest.mark.usefixtures("noted_in_machine_code")]


@pytest.mark.parametrize("name", USUAL)
def test_nans_have_the_bits_of_numpys(name):
    """Of numbers below 0 the C library has two logarithms, with a NaN each."""
    ufunc, function = of_arrays(name)

    def by_index(x, made):
        for i in range(len(x)):
            made[i] = ufunc(x[i])
        return made

    x = np.array([*SPECIAL, -np.nan] * 3)
    wanted = ufunc(x).tobytes()
    assert function(x).tobytes() == wanted
    assert ag.function(by_index)(x, np.zeros(len(x))).tobytes() == wanted


@pytest.mark.parametrize("exponent", [*EXPONENTS, 1, 2, 7])
def test_powers_by_a_number_are_numpys(exponent):
    def raised(x):
        return x**exponent * 1.0

    x = np.array([*SPECIAL] * 3)
    assert is_same(ag.function(raised)(x), raised(x))


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_powers_that_are_too_large_or_too_small_are_numpys(sign):
    if not is_librarys("power"):
        pytest.skip("NumPy has a function of its own")  # with AVX-512
    x = np.linspace(1.5, 1e3, 4001)
    y = sign * np.linspace(690.0, 2900.0, 4001)[::-1] / np.log(x)
    found = ag.function(lambda x, y: 1.0 * np.power(x, y))(x, y)
    assert found.tobytes() == np.power(x, y).tobytes()


# --- loops by index -------------------------------------------------------------------
def squares(x, y):
    for i in range(x.shape[0]):
        y[i] = x[i] ** 2
    return y


def cubes_and_roots(x, y):
    for i in range(x.shape[0]):
        y[i] = x[i] ** -3 * 0.5 + x[i] ** 0.5
    return y


def exponentials(x, y):
    for i in range(1, x.shape[0]):
        y[i] = np.exp(-x[i]) * np.log(x[i - 1])
    return y


def angles(x, y):
    for i in range(x.shape[0]):
        y[i] = np.sin(x[i]) - np.cos(x[i])
    return y


def of_rows(x, y):
    rows, made = x.reshape(-1, 20), y.reshape(-1, 20)
    for i in range(rows.shape[0]):
        for k in range(rows.shape[1]):
            made[i, k] = rows[i, k] ** 2
    return y


LOOPS = [squares, cubes_and_roots, exponentials, angles, of_rows]


@pytest.mark.parametrize("function", LOOPS)
def test_loops_by_index_are_vectors(function, capfd):
    if not all(is_librarys(name) for name in USUAL):
        pytest.skip("NumPy has a function of its own")  # with AVX-512
    x = np.random.default_rng(23).uniform(0.01, 9.0, 9_000)
    staged = ag.function(function)
    assert is_same(staged(x, np.zeros(9_000)), function(x, np.zeros(9_000)))
    concrete = staged.get_concrete_function(x, x.copy())
    assert "for turns" in concrete.inspect("loops")
    assert f"{PREFIX}rounded_" in concrete.inspect("llvm")
    assert " x double> " in concrete.inspect("llvm")
    # LLVM may say where it makes no vectors.
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("function", LOOPS)
@pytest.mark.parametrize("size", [0, 20, 140, 300])
def test_loops_by_index_give_and_tell_what_numpys_do(function, size):
    x = np.linspace(0.25, 4.0, size)
    staged = ag.function(function)
    for place, one in enumerate([1.0, *SPECIAL]):
        if size:
            x[(7 * place) % size] = one
        with np.errstate(**USUALLY):
            assert told_by(staged, [x, np.zeros(size)]) == told_by(
                function, [x, np.zeros(size)]
            )
        assert is_same(staged(x, np.zeros(size)), function(x, np.zeros(size)))
        x[:] = np.linspace(0.25, 4.0, size)


def test_a_branch_computes_functions_only_where_it_is_taken():
    def chosen(x, y):
        for i in range(x.shape[0]):
            if x[i] > 0.5:
                y[i] = np.log(x[i])
        return y

    x = np.linspace(-1.0, 1.0, 301)
    staged = ag.function(chosen)
    with np.errstate(all="warn"):
        assert told_by(staged, [x, np.zeros(301)]) == set()
    assert is_same(staged(x, np.zeros(301)), chosen(x, np.zeros(301)))
    # Vectors would compute them of all elements.
    loops = staged.get_concrete_function(x, x.copy()).inspect("loops")
    assert "for turns" not in loops


@pytest.mark.parametrize("far", [-9, -4, -1, 0, 1, 3, 8])
def test_elements_that_meet_are_changed_in_order(far):
    def both(whole):
        return squares(whole[20:820], whole[20 + far : 820 + far])

    found, wanted = np.linspace(0.5, 1.5, 900), np.linspace(0.5, 1.5, 900)
    ag.function(both)(found)
    both(wanted)
    assert is_same(found, wanted)
