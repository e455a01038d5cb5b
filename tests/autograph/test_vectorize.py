"""ag.vectorize is a plain loop over the elements, whatever the function does."""

import math

import numpy as np
import pytest

import autograph as ag
from tests.conformance.harness import disagreement, observe
from tests.runtime.backends.llvm.random_lanes import has_lanes

CASES = []
SEEN = []
x4 = np.array([3.5, -1.0, 0.0, 2.25])
i23 = np.arange(1, 7).reshape(2, 3)


def case(*arguments, **options):
    def note(function):
        CASES.append(pytest.param(function, arguments, options, id=function.__name__))
        return function

    return note


def by_a_loop(function, args, otypes=None, excluded=()):
    """What the call of the vectorized function means."""
    args = [np.asarray(one) if isinstance(one, list) else one for one in args]
    mapped = [at for at in range(len(args)) if at not in excluded and np.ndim(args[at])]
    views = np.broadcast_arrays(*[args[at] for at in mapped])
    results = []
    for index in np.ndindex(views[0].shape if views else ()):
        given = list(args)
        for at, view in zip(mapped, views, strict=True):
            given[at] = view[index]
        results.append(function(*given))
    shape = views[0].shape if views else ()
    if not isinstance(results[0], tuple):
        return np.array(results, otypes and otypes[0]).reshape(shape)[()]
    columns = zip(*results, strict=True)
    dtypes = otypes or [None] * len(results[0])
    made = zip(columns, dtypes, strict=True)
    return tuple(np.array(one, dtype).reshape(shape)[()] for one, dtype in made)


@case((i23,), (i23.T,), (7,), (np.int64(9),), ([3, 4],), (np.int32(5) * i23[:, :1],))
def steps_of_collatz(n):
    count = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        count += 1
    return count


@case((x4, 2), (x4, x4[:, None]), (i23, x4[:3]), (1, 2.5), (x4.astype("f4"), 1.5))
def two_results(a, b):
    return a + b, a > b


@case((x4,), (np.abs(x4) + 1,), (np.array([2.0, -1.0]),), (np.array([-1.0, 2.0]),))
def ints_and_floats(a):
    return 1 if a > 0 else 0.5


@case((x4,), (x4 > 0,), (x4.astype("c8"),), (np.arange(3, dtype="u1"),))
def its_own_dtype(a):
    return a


@case((x4,), (i23,))
def always_the_same(a):
    return 3


@case((x4,), (i23,))
def prints_and_raises(a):
    print("at", a)
    if a == 0 or a == 5:
        raise ValueError(f"no {a}")
    return a * 2


@case((i23, 0), (i23, 3))
def python_raises(a, b):
    return int(a) // (b - int(a))


@case((x4,), (i23,))
def changes_a_list_outside(a):
    SEEN.append(float(a))
    return len(SEEN) % 1000 * 0 + a


@case((np.array(["ab", "c"]),), ("abc",))
def texts(a):
    return str(a).upper() + "!"


@case((x4,))
def nothing(a):
    return None


@case((x4, np.array([1.0, 2.0])), (i23, np.array([1, 0])))
def shapes_that_do_not_fit(a, b):
    return a + b


@case((x4, 1), (i23, 1.5), otypes=[np.float32, complex])
def asked_for_dtypes(a, b):
    return a + b, a * b


@case((x4, [1.0, 2.0]), (i23, np.arange(3.0)), excluded=[1])
def gets_the_whole(a, coefficients):
    total = 0.0
    for one in coefficients:
        total = total * a + one
    return total


@case((np.abs(x4),), ([0.5, 1, 2],))
def c_library(a):
    return math.sin(a) + math.sqrt(a)


@pytest.mark.parametrize(("function", "arguments", "options"), CASES)
@pytest.mark.parametrize("backend", ["auto", "native"])
@pytest.mark.parametrize("where", ["plain", "inside"])
def test_it_is_a_loop_over_elements(function, arguments, options, backend, where):
    vectorized = ag.vectorize(function, **options)
    outer = vectorized if where == "plain" else ag.function(lambda *a: vectorized(*a))
    with ag.config(backend=backend):
        for given in (*arguments, *arguments):
            SEEN.clear()
            plain = observe(lambda *a: by_a_loop(function, a, **options), given)
            seen = [*SEEN]
            SEEN.clear()
            found = disagreement(plain, observe(outer, given))
            assert found is None, f"{given}: {found.sentence}"
            assert seen == SEEN


def test_keyword_arguments_have_elements_too():
    @ag.vectorize
    def scaled(a, *, by=1.0):
        return a * by

    assert scaled(x4, by=np.array([[1.0], [2.0]])).tolist() == [
        x4.tolist(),
        (2 * x4).tolist(),
    ]
    assert scaled(x4).tolist() == x4.tolist()


def test_excluded_names_are_passed_as_they_are():
    @ag.vectorize(excluded=["table"])
    def looked_up(a, *, table):
        return table[a]

    table = np.array([5.0, 6.0, 7.0])
    assert looked_up(np.array([[2, 0]]), table=table).tolist() == [[7.0, 5.0]]


def test_otypes_may_be_letters():
    pair = ag.vectorize(lambda a: (a, a), otypes="fi")
    first, second = pair(np.array([1.5, 2.5]))
    assert (first.dtype, second.dtype) == (np.float32, np.intc)
    assert second.tolist() == [1, 2]


def test_no_elements_give_no_results_where_the_dtypes_are_known():
    def fails(a):
        raise AssertionError(a)

    made = ag.vectorize(fails, otypes=[np.float32])(np.ones((0, 3)))
    assert (made.shape, made.dtype) == ((0, 3), np.float32)
    first, second = ag.vectorize(fails, otypes="d?")(np.ones((2, 0)), 5)
    assert (first.shape, second.dtype) == ((2, 0), bool)


def test_decorated_function_is_part_of_the_loop():
    @ag.function
    def halves(a):
        count = 0
        while a > 1:
            a = a / 2
            count += 1
        return count

    assert ag.vectorize(halves)(np.array([1.0, 8.0, 5.0])).tolist() == [0, 3, 3]


def test_it_is_called_what_the_function_is_called():
    def named(a):
        """What it says."""
        return a

    made = ag.vectorize(named)
    assert (made.__name__, made.__doc__) == ("named", "What it says.")
    assert isinstance(made, ag.Function)


def test_loop_over_pixels_has_lanes():
    @ag.vectorize
    def mandelbrot(a, b, limit):
        x = y = 0.0
        k = 0
        while k < limit and x * x + y * y <= 4.0:
            x, y = x * x - y * y + a, 2 * x * y + b
            k += 1
        return k

    given = np.linspace(-2, 1, 40), np.linspace(-1.5, 1.5, 30)[:, None], 60
    with ag.config(backend="native"):
        found = mandelbrot(*given)
        assert has_lanes(mandelbrot, given)
    by_python = by_a_loop(mandelbrot.python_function, given)
    assert np.array_equal(found, by_python)
    assert found.max() == 60
