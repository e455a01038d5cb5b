"""Passes over the same rows, joined: NumPy's bits, and nothing between in memory."""

import warnings

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import crew, hot
from tests.runtime.backends.llvm.compiling import LAYOUTS, parts_of
from tests.runtime.backends.llvm.random_row_numbers import tried


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def softmax_by_slices(x):
    e = np.exp(x - np.max(x, -1)[..., None])
    return e / np.expand_dims(np.sum(e, -1), -1)


def layernorm(x):
    centred = x - np.mean(x, -1, keepdims=True)
    return centred / np.sqrt(np.mean(centred * centred, -1, keepdims=True) + 1e-5)


def logsumexp(x):
    most = np.max(x, -1)
    return np.log(np.sum(np.exp(x - most[..., None]), -1)) + most


def weighed(x):
    e = np.exp(x - np.max(x * 2, -1, keepdims=True))
    return np.sum(e / np.sum(e, -1, keepdims=True) * x, -1)


def chosen(x):
    mean = np.mean(x, -1, keepdims=True)
    above = np.where(x > mean, x, mean)
    return above - np.min(above, -1, keepdims=True)


def counted(x):
    some = np.any(x > 1, -1, keepdims=True)
    return x + some * np.sum(x, -1, keepdims=True)


def standardized(x):
    return (x - x.mean(-1)[..., None]) / (x.std(-1, keepdims=True) + 1e-5)


def spread(x):
    return np.exp(x).var(-1) * 2


PROGRAMS = [
    standardized,
    spread,
    softmax,
    softmax_by_slices,
    layernorm,
    logsumexp,
    weighed,
    chosen,
    counted,
]
FLOATS = ["f8", "f4", "f2"]


@pytest.fixture(autouse=True)
def native():
    with ag.config(backend="native"), np.errstate(all="ignore"):
        yield


def rows_of(shape, dtype, kind="usual"):
    rng = np.random.default_rng(sum(shape))
    x = rng.standard_normal(shape) * 4
    if kind == "zeros":
        x = np.copysign(0 * x, x)
    if kind == "special":
        x = np.where(rng.random(shape) < 0.1, np.nan, x)
        x = np.where(rng.random(shape) < 0.1, np.inf, x)
    return x.astype(dtype)


def same(staged, function, *given):
    found, wanted = staged(*given), function(*given)
    assert found.dtype == wanted.dtype
    assert found.shape == wanted.shape
    # The sign of a NaN is the processor's.
    nan = np.isnan(wanted)
    assert np.array_equal(nan, np.isnan(found))
    assert np.where(nan, 0, found).tobytes() == np.where(nan, 0, wanted).tobytes()


def instructions(staged, *given):
    """The instructions of the one region, each of them one piece of machine code."""
    (region,) = parts_of(staged, given, hot.Region)
    assert region.function is not None
    return [*region.function.body.walk()]


def arrays_made(staged, *given):
    """How many arrays a run of the one region makes."""
    found = [one for one in instructions(staged, *given) if one.op == "new"]
    assert not any(one.op == "python" for one in instructions(staged, *given))
    return len(found)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda one: one.__name__)
@pytest.mark.parametrize("dtype", [*FLOATS, "i8", "u1"])
def test_each_is_numpys_to_the_bit(function, dtype):
    staged = ag.function(function)
    for shape in (
        (3, 9),
        (1, 8),
        (3, 129),
        (2, 1),
        (2, 7),
        (3, 1000),
        (2, 3, 20),
        (0, 20),
    ):
        same(staged, function, rows_of(shape, dtype))


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda one: one.__name__)
@pytest.mark.parametrize("layout", [*LAYOUTS, "backwards"])
@pytest.mark.parametrize("kind", ["usual", "zeros", "special"])
def test_they_may_lie_anyhow_and_be_anything(function, layout, kind):
    lay = LAYOUTS.get(layout, lambda x: x[::-1, ::-1])
    staged = ag.function(function)
    same(staged, function, lay(rows_of((4, 200), "f8", kind)))
    same(staged, function, lay(rows_of((3, 33), "f8", kind)))


@pytest.mark.parametrize("function", [softmax, layernorm, logsumexp, weighed])
def test_rows_of_nothing_are_pythons(function):
    x, staged = np.ones((3, 0)), ag.function(function)

    def outcome(f):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return f(x).shape
            except ValueError as error:
                return str(error)

    assert outcome(staged) == outcome(function)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda one: one.__name__)
def test_what_is_between_the_passes_is_no_array(function):
    staged, x = ag.function(function), rows_of((6, 100), "f8")
    same(staged, function, x)
    assert arrays_made(staged, x) == 1


def test_what_takes_long_is_computed_once_for_all_passes():
    staged, x = ag.function(softmax), rows_of((6, 100), "f8")
    staged(x)
    loops = [one for one in instructions(staged, x) if "exp" in one.symbol]
    # One where rows lie side by side, and one for any steps.
    assert len(loops) == 2


@pytest.mark.parametrize("function", [softmax, weighed])
def test_rows_too_long_for_the_stack_have_a_place_in_an_array(function):
    staged = ag.function(function)
    for shape in ((5, 4096), (5, 4097), (4, 9000), (3, 20), (7, 20_000)):
        same(staged, function, rows_of(shape, "f8"))
    same(ag.function(function), function, rows_of((2, 3, 9000), "f8"))


def runs(staged, *given):
    """How many pieces of work the crew was given by a call."""
    before = crew.CREW.number
    staged(*given)
    return crew.CREW.number - before


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda one: one.__name__)
@pytest.mark.parametrize("shape", [(301, 300), (9, 12_000), (60, 5, 300)])
def test_threads_share_the_rows_to_the_bit(function, shape):
    with ag.config(num_threads=3):
        staged, x = ag.function(function), rows_of(shape, "f8", "special")
        for _ in range(3):
            same(staged, function, x)
        assert runs(staged, x) == 1


def test_what_several_steps_take_is_computed_where_they_meet():
    def twice(x, y):
        root = np.sqrt(x * y)
        return (root + 1) * root - np.exp(-root) / (2 - np.tanh(root))

    x, y = rows_of((2, 1000), "f8") ** 2
    staged = ag.function(twice)
    same(staged, twice, x, y)
    assert arrays_made(staged, x, y) == 1
    loops = [one for one in instructions(staged, x, y) if one.op == "sqrt"]
    # For the vectors, and for any steps: into a buffer, which all loops read.
    assert len(loops) == 2


def test_what_steps_take_that_do_not_meet_is_an_array():
    def apart(x):
        root = np.sqrt(x)
        return root + 1, root * 2

    x, staged = np.arange(200.0), ag.function(apart)
    for mine, wanted in zip(staged(x), apart(x), strict=True):
        assert mine.tobytes() == wanted.tobytes()
    # One of the two results is in the memory of the root.
    assert arrays_made(staged, x) == 2


def test_pairs_are_no_array():
    def pulls(p, m):
        d = p[None, :, :] - p[:, None, :]
        square = np.sum(d * d, 2) + 0.01
        pull = m / (square * np.sqrt(square))
        return np.sum(d * pull[:, :, None], 1)

    p, m = rows_of((40, 3), "f8"), np.ones(40)
    staged = ag.function(pulls)
    same(staged, pulls, p, m)
    made = [one.args for one in instructions(staged, p, m) if one.op == "new"]
    assert made == [(40, 3)]


def test_numbers_that_an_axis_before_repeats_are_computed_once():
    def against(x, y):
        return x[:, None, :] * np.sum(y * y, -1, keepdims=True) + y

    x, y = rows_of((5, 20), "f8"), rows_of((7, 20), "f8")
    staged = ag.function(against)
    same(staged, against, x, y)
    assert arrays_made(staged, x, y) == 2


def test_a_store_into_the_rows_that_are_read():
    def normed(x, count):
        for _ in range(count):
            x[...] = x / np.sum(x, -1, keepdims=True)
            x[1:] = x[:-1] - np.max(x[1:], 1)[:, None]
        return x

    x, staged = rows_of((4, 30), "f8"), ag.function(normed)
    for count in (np.int64(3), np.int64(2)):
        mine, wanted = x.copy(), x.copy()
        assert staged(mine, count).tobytes() == normed(wanted, count).tobytes()
        assert mine.tobytes() == wanted.tobytes()


def test_numbers_of_rows_that_are_given_are_arrays():
    def both(x):
        most = np.max(x, 1)
        e = np.exp(x - most[:, None])
        return e / np.sum(e, 1)[:, None], most, e

    x, staged = rows_of((4, 30), "f8"), ag.function(both)
    for mine, wanted in zip(staged(x), both(x), strict=True):
        assert mine.tobytes() == wanted.tobytes()
        assert mine.strides == wanted.strides


@pytest.mark.parametrize(
    "function",
    [
        lambda x: (np.sum(x[0], 1, keepdims=True) * 2) // (x + 1),
        lambda x: np.sqrt((x * (1 + 1j)).sum(-1)).argmin(1),
    ],
)
def test_what_was_made_an_array_for_a_step_that_python_does_is_an_expression_again(
    function,
):
    staged = ag.function(function)
    same(staged, function, np.arange(108).reshape(3, 4, 9) % 7)


def test_a_variance_of_too_few_is_pythons():
    def few(x):
        return (x * 2).var(-1, ddof=3) + 1

    staged = ag.function(few)
    for length in (4, 3, 2, 5):
        with warnings.catch_warnings(record=True) as shown:
            warnings.simplefilter("always")
            same(staged, few, rows_of((2, length), "f8"))
        # Python's own, and the compiled one's.
        assert len([one for one in shown if "Degrees" in str(one.message)]) in (0, 2)


def test_numbers_that_overflow_are_warned_of_once_at_a_line_of_theirs():
    def squares(x):
        total = np.sum(x * x, 1, keepdims=True)
        return x / total

    staged = ag.function(squares)
    with np.errstate(all="warn"), warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        staged(np.full((3, 300), 1e200))
    lines = [one.lineno for one in shown]
    assert lines == [squares.__code__.co_firstlineno + 1]


@pytest.mark.parametrize("seed", range(60))
def test_random_programs_give_numpys_bits(seed):
    assert tried(900_000 + seed) is None


def test_what_python_makes_anew_is_made_in_the_programs_order():
    def written_over(x, k):
        ratio = k / x
        beside = k - ratio
        mean = np.mean(x, axis=-1, keepdims=True)
        # The absolute values are written into `ratio`, which nothing needs any more.
        root = np.sqrt(np.abs(ratio))
        return root / (beside * mean)

    staged, k = ag.function(written_over), np.ones((2, 1))
    for lay in (np.asfortranarray, np.array):
        same(staged, written_over, lay(rows_of((2, 7), "f8")), k)


@pytest.mark.parametrize("count", [3, 5, 9, 13])
def test_nothing_beyond_the_last_element_is_warned_of(count):
    # Vectors are longer than this: their other lanes would divide by zero.
    def parts(x, y):
        return 2.0 / (x + y), 3.0 / (y * np.exp(x))

    x, staged = np.ones((count, 1)), ag.function(parts)
    with np.errstate(divide="warn"), warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        staged(x, x)
    assert told == []
