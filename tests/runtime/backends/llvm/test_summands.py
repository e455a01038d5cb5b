"""What branches of loops add is chosen, and no sum, warning or way out is another."""

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import LAYOUTS, agreeing

LONG = np.random.default_rng(0).standard_normal(9_000)  # more than two stretches


def positive(x):
    s = -0.0
    for i in range(x.shape[0]):
        if x[i] > 0:
            s += x[i]
    return s


def both_ways(x):
    up, down, count = -0.0, -0.0, 0
    for i in range(x.shape[0]):
        if x[i] > 0.25:
            up = x[i] + up
            count += 1
        else:
            down -= x[i]
    return up, down, count


def within(x):
    s = 0.0
    last = 0
    for i in range(x.shape[0]):
        if x[i] > -1:
            if x[i] < 1:
                s += x[i]
                last = i
    return s, last


def since(x):
    longest, length, level = 0, 1, -0.0
    for i in range(1, x.shape[0]):
        if x[i] > x[i - 1]:
            length += 1
            level = level + 0.0
        else:
            length = 1
            level = -0.0
        if length > longest:
            longest = length
    return longest, length, level


def positive_ints(x):
    s, n = x[0], 3
    for i in range(x.shape[0]):
        if x[i] > 0:
            s += x[i]
            n -= x[i]
    return s, n


def ends(x):
    most, least, second = x[0], x[0], x[0]
    for i in range(x.shape[0]):
        if x[i] > most:
            most = x[i]
        if x[i] <= least:
            least = x[i]
        if second < x[i]:
            second = second
        else:
            second = x[i]
    return most, least, second


def farthest_above(x):
    most, count = x[0], 0
    for i in range(x.shape[0]):
        if x[i] > most:
            most = x[i]
            count += 1
    return most, count


def until_sum(x):
    s = 0.0
    for i in range(x.shape[0]):
        if x[i] > s:
            s += x[i]
    return s


def products(x):
    s = 0.0
    for i in range(x.shape[0]):
        if x[i] < 1e200:
            s += x[i] * x[i]
    return s


def shown(function, *arguments):
    staged = ag.function(function)
    return staged.get_concrete_function(*arguments).inspect("loops")


def odd_floats(size):
    x = np.random.default_rng(size).standard_normal(size)
    x[::7], x[3::11], x[5::13] = np.nan, np.inf, -0.0
    return x


@pytest.mark.parametrize("function", [positive, both_ways, within])
def test_sums_in_branches_have_no_branch(function):
    assert "if(" not in shown(function, LONG)


@pytest.mark.parametrize("function", [farthest_above, until_sum, products])
def test_what_is_waited_for_or_noted_stays_a_branch(function):
    assert "if(" in shown(function, LONG)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("kind", ["f8", "f4"])
@pytest.mark.parametrize(
    "function",
    [positive, both_ways, within, since, until_sum, farthest_above, products],
)
def test_sums_of_floats_are_pythons(function, kind, layout):
    calls = [(LONG[:200].astype(kind),), (-np.abs(LONG[:50]).astype(kind),)]
    calls += [(odd_floats(size).astype(kind),) for size in (1, 2, 37, 300)]
    with ag.config(backend="native"):
        agreeing(function, calls, LAYOUTS[layout])


def test_a_sum_to_which_nothing_is_added_keeps_its_sign():
    with ag.config(backend="native"):
        up, _, _ = ag.function(both_ways)(np.full(40, -1.0))
        _, down, _ = ag.function(both_ways)(np.full(40, 1.0))
        none = ag.function(positive)(np.full(40, -1.0))
    assert np.signbit([up, down, none]).all()


@pytest.mark.parametrize("kind", ["i8", "i4", "u8", "u1"])
@pytest.mark.parametrize("function", [positive_ints, ends, farthest_above])
def test_sums_and_ends_of_ints_are_pythons(function, kind):
    x = np.random.default_rng(1).integers(0, 100, 300)
    calls = [((x - 50).astype(kind),), (x[:1].astype(kind),), (x[::-1].astype(kind),)]
    with ag.config(backend="native"):
        agreeing(function, calls)


@pytest.mark.parametrize("place", [0, 5, 150, 298])
def test_sums_of_ints_that_outgrow_the_machine_leave_at_their_turn(place):
    x = np.random.default_rng(place).integers(-50, 50, 300)
    x[place], x[place + 1] = 2**62 + 5, 2**62 + 7
    x[40:60] = -(2**62)
    with ag.config(backend="native"):
        agreeing(positive_ints, [(x,)])


def test_only_sums_that_are_made_warn():
    x = np.array([1e308, -1e308, -1e308, -1e308, 5.0, 1e307])
    with ag.config(backend="native"):
        agreeing(positive, [(x,), (np.append(x, 1.5e308),)])
        agreeing(both_ways, [(x,), (np.append(x, -1e308),)])


@pytest.mark.parametrize("size", [300, 4_095, 4_096, 4_097, 9_000])
@pytest.mark.parametrize("step", [1, 2, -1])
def test_ends_of_ints_are_vectors(size, step):
    x = np.random.default_rng(size).integers(-(2**63), 2**63 - 1, 2 * size)[::step]
    with ag.config(backend="native"):
        assert ag.function(ends)(x) == ends(x)
    loops = shown(ends, x)
    assert "for turns" in loops
    assert "if(v" not in loops.split("for turns")[1].split("}")[0]


def test_ints_that_are_added_up_and_kept_are_no_vectors():
    def mixed(x):
        best = 0
        for i in range(x.shape[0]):
            best = max(best, int(x[i] > 0.5))
            best += int(x[i] > 0.75)
            best = min(best, 100)
        return best

    assert "for turns" not in shown(mixed, LONG)
    with ag.config(backend="native"):
        agreeing(mixed, [(LONG,)])
