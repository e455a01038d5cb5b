"""Powers of arrays: NumPy's loop where it takes no short cut of its own, by blocks."""

import itertools
import warnings

import numpy as np
import pytest

import autograph as ag

EXPONENTS = (3, 4, -2, 2.5, 1 / 3, -0.5, 0, 1, 2, -1, 0.5, np.float64(3))
SHAPES = ((7,), (1,), (1025,), (3, 700), (40, 40))
LAYOUTS = {
    "C": lambda x: x,
    "strided": lambda x: np.repeat(x, 2, -1)[..., ::2],
    "turned": lambda x: x.T.copy().T,
    "backwards": lambda x: x[..., ::-1],
}


@pytest.fixture(autouse=True)
def native():
    with ag.config(backend="native"):
        yield


def told(function, *args):
    """The result, and what was warned of."""
    with warnings.catch_warnings(record=True) as met:
        warnings.simplefilter("always")
        found = function(*args)
    return found, sorted(str(one.message) for one in met)


def numbers(shape, dtype):
    x = (np.random.default_rng(0).standard_normal(shape) * 3).astype(dtype)
    if x.size > 3:
        x.flat[:3] = [0, np.inf, -0.0]
    return x


@pytest.mark.parametrize("dtype", ["e", "f", "d", "D"])
@pytest.mark.parametrize("exponent", EXPONENTS)
def test_by_a_constant_they_are_numpys_to_the_bit(exponent, dtype):
    def power(x):
        return (x * 0.5) ** exponent + 1

    staged = ag.function(power)
    for shape, lie in itertools.product(SHAPES, LAYOUTS.values()):
        x = lie(numbers(shape, dtype))
        wanted, words = told(power, x)
        told(staged, x)
        found, mine = told(staged, x)
        assert (found.dtype, found.tobytes()) == (wanted.dtype, wanted.tobytes())
        assert mine == words


def test_by_a_constant_they_share_a_loop_with_what_is_around():
    staged = ag.function(lambda x: x**3 + 1)
    staged(np.ones(1000))
    loops = staged.inspect("loops")
    assert "numpys power" in loops or "rounded_pow" in loops
    assert "python" not in loops


@pytest.mark.parametrize(
    ("shape", "other"),
    [((7,), (7,)), ((7,), (1, 1)), ((600,), (3, 1)), ((3, 5), (1, 5)), ((1,), (1,))],
)
def test_by_an_array_they_are_numpys_to_the_bit(shape, other):
    def operator(x, y):
        return (x * 0.5) ** (y * 1) + 1

    def function(x, y):
        return np.power(x, y) * x

    def into(x, y):
        result = np.zeros(np.broadcast_shapes(x.shape, y.shape), x.dtype)
        np.power(x, y, out=result)
        return result * x

    x = np.random.default_rng(1).random(shape, "f") + np.float32(0.5)
    for program, value in itertools.product((operator, function, into), (2, 0.5, -1)):
        staged, y = ag.function(program), np.full(other, value, "f")
        staged(x, y)
        assert staged(x, y).tobytes() == program(x, y).tobytes()


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (lambda x: (x * 0.5) ** 2.5, "invalid value encountered in power"),
        (lambda x: (x + 1) ** 0.5 * 2, "invalid value encountered in sqrt"),
        (lambda x: np.log(x - 1) / 3, "invalid value encountered in log"),
        (lambda x: (x * 0.5) ** 4000, "overflow encountered in power"),
    ],
)
def test_what_a_constant_excludes_is_not_named(program, words):
    x = np.array([-4.0, -2.5, 6.0])
    assert told(program, x)[1] == [words]
    staged = ag.function(program)
    told(staged, x)
    assert told(staged, x)[1] == [words]


OF_INTS = {
    "square": lambda k, j: (k - j) ** 2 * 2,
    "cube": lambda k, j: k**3 - k,
    "large": lambda k, j: k**70 + 1,
    "of the function": lambda k, j: np.power(k, 4) + 1,
    "shifted left": lambda k, j: (k << 2) + 1,
    "shifted right": lambda k, j: (k >> j) + 1,
    "gcd": lambda k, j: np.gcd(k, j) + 1,
    "lcm": lambda k, j: np.lcm(k, 4) + 1,
}


@pytest.mark.parametrize("name", OF_INTS)
def test_of_ints_they_wrap_as_numpys(name):
    program, rng = OF_INTS[name], np.random.default_rng(0)
    for char in "bBhHiIlL":
        staged, info = ag.function(program), np.iinfo(char)
        k = rng.integers(info.min, info.max, 600, char, endpoint=True)
        j = rng.integers(0, 9, 600).astype(char)
        staged(k, j)
        found, wanted = staged(k, j), program(k, j)
        assert (found.dtype, found.tobytes()) == (wanted.dtype, wanted.tobytes())
    assert "python" not in staged.inspect("loops")


def test_of_ints_what_numpy_refuses_is_refused():
    staged, k = ag.function(lambda k, j: k**j + 1), np.arange(600)
    assert staged(k, k % 3).tobytes() == (k ** (k % 3) + 1).tobytes()
    with pytest.raises(
        ValueError, match=r"^Integers to negative integer powers are not"
    ):
        staged(k, k % 3 - 1)
    booleans = ag.function(lambda x: x**2 + 1)
    booleans(k > 3)
    assert booleans(k > 3).dtype == ((k > 3) ** 2 + 1).dtype
