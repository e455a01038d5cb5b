"""Quotients and powers of complex numbers in machine code: Python's and NumPy's."""

import itertools
import warnings

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import agreeing

RARE = (0.0, -0.0, 1.5, 1e200, -1e-200, np.inf, np.nan, 5e-324)
NUMBERS = [complex(a, b) for a in RARE for b in RARE]


def pythons(x, y, out):
    for i in range(len(x)):
        a, b = complex(x[i]), complex(y[i])
        out[i] = a / b if b != 0 else a


def numpys(x, y, out):
    for i in range(len(x)):
        out[i] = x[i] / y[i]


def mixed(x, y, out):
    for i in range(len(x)):
        z = complex(x[i])
        if y[i].real != 0 and z != -1:
            out[i] = z / y[i].real + y[i].imag / (z + 1.0) + 3 / (z + 1)


def powers(x, y, out):
    for i in range(len(x)):
        z = complex(x[i])
        if 1e-20 < abs(z) < 1e20:
            out[i] = z**5 + z**-3 - z**2.0 + z**0 * y[i].real


def pairs():
    x, y = zip(*itertools.product(NUMBERS, NUMBERS), strict=True)
    draw = np.random.default_rng(0)
    more = draw.normal(size=(4, 400)) * 10.0 ** draw.integers(-3, 4, (4, 400))
    x, y = np.array(x), np.array(y)
    return np.concatenate([x, more[0] + 1j * more[1]]), np.concatenate(
        [y, more[2] + 1j * more[3]]
    )


@pytest.mark.parametrize("function", [pythons, numpys, mixed, powers])
def test_parts_have_pythons_bits(function):
    x, y = pairs()
    with ag.config(backend="native"), np.errstate(all="ignore"):
        staged = agreeing(function, [(x, y, np.zeros(len(x), complex))])
        out, wanted = np.zeros((2, len(x)), complex)
        staged(x, y, out)
        function(x, y, wanted)
    assert out.tobytes() == wanted.tobytes()
    text = staged.get_concrete_function(x, y, out).inspect("loops")
    # Where Python is asked it is in a branch that is seldom taken.
    assert 0 < text.count("python step") <= text.count("if seldom")


@pytest.mark.parametrize(
    ("number", "divisor"), [(1e200, 1e-200), (0j, 0j), (1 + 1j, 0j), (np.inf, 2j)]
)
def test_numpy_warns_of_quotients_as_without(number, divisor):
    said = []
    with ag.config(backend="native"):
        for function in (numpys, ag.function(numpys)):
            for _ in range(3):
                x, y = np.array([1, number, 2 + 0j]), np.array([1, divisor, 2 + 0j])
                with warnings.catch_warnings(record=True) as caught:
                    warnings.simplefilter("always")
                    function(x, y, np.zeros(3, complex))
                said.append([str(one.message) for one in caught])
    assert said[3:] == said[:3]


def test_python_says_what_a_quotient_or_a_power_is_not():
    def divided(x, out):
        for i in range(len(x)):
            out[i] = 1 / complex(x[i])

    def raised(x, out):
        for i in range(len(x)):
            out[i] = complex(x[i]) ** 3

    def turned(x, out):
        for i in range(len(x)):
            out[i] = complex(x[i]) ** -2

    calls = [(np.array([2j, 1e200, 0j, 1.0]), np.zeros(4, complex))]
    with ag.config(backend="native"):
        for function in (divided, raised, turned):
            agreeing(function, calls)
