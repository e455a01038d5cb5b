"""Turns that ask for remainders of the counter are rounds, and do what Python does."""

import random

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import periods
from tests.conformance.by_hand import function_of
from tests.runtime.backends.llvm.compiling import agreeing, cases

draw = np.random.default_rng(5)
FLOATS, LARGE = draw.normal(size=400), np.full(400, 2**54)
CASES, case = cases()
# Where a round begins at once, one or two turns later, and where there is none.
SPANS = [
    (a, a + n) for a in (0, 1, 2, -3, -40) for n in (0, 1, 5, 6, 7, 11, 12, 13, 97)
]


@case(*SPANS)
def threes_and_fives(begin, end):
    value, total = 1.0, 0.0
    for i in range(begin, end):
        if i % 3 == 0:
            value = value * 1.5 + 1.0
        elif i % 5 == 0:
            value = value - 7.0
        elif value > 50.0:
            value = value / 3.0
        else:
            value = value + 0.25
        if value > 100.0:
            total += value
            value = 1.0
        elif value < 0.0:
            value = -value
    return value, total


@case(*SPANS)
def twos_and_threes_and_fours(begin, end):
    a = b = c = 0
    for i in range(begin, end):
        if i & 1:
            a += i
        elif (i + 1) % 3 != 0:
            b += 1
        elif (i - 2) % 4 == 3:
            c -= i
    return a, b, c


@case(*SPANS)
def from_a_number_before(begin, end):
    s = 0
    i = begin + 2
    while i < end:
        if (i + 5) % 3 == 1:
            s += 2
        else:
            s -= i
        i += 1
    return s, i


@case((np.int64(160),), (np.int64(-20),))
def asked_of_those_above_0(n):
    a = b = 0
    for i in range(-41, n):
        if i >= 2 and (i - 2) % 3 == 1:
            a += i
        else:
            b += 1
    return a, b


@case((np.int64(160),), (np.int64(-20),))
def bits(n):
    a = b = 0
    for i in range(-41, n):
        if i & 5 == 4:
            a += i
        elif (2 - i) % 3 == 0:
            b += i
        else:
            b -= 1
    return a, b


@case(*(np.int64((150, a, b)) for a, b in ((0, 0), (1, -3), (7, 7), (-8, 3))))
def beside_two_numbers(n, a, b):
    s = t = 0
    for i in range(n):
        if (i + a) % 3 == 0:
            s += i
        elif (b + i) % 3 == 1:
            t += i
    return s, t


@case((np.int64(100), FLOATS))
def without_a_sign(n, x):
    s = 0
    for i in range(-41, n):
        if np.int64(i).astype(np.uint64) % np.uint64(3) == 0:
            s += i
        elif x[i] > 0:
            s -= 1
    return s


@case(*((np.int64(100), a, FLOATS) for a in np.int64((2**63 - 50, -(2**63), 2**61))))
def sums_that_come_round(n, a, x):
    s = 0
    for i in range(n):
        if (np.int64(i) + a) % 3 == 0:
            s += i
        elif x[i] > 0:
            s -= 1
    return s


@case(*(np.int64((150, a)) for a in (0, 1, -8)))
def less_a_number_of_the_run(n, a):
    s = 0
    for i in range(n):
        if (i - a) % 3 == 0:
            s += i
    return s


@case(*(np.int64((150, a, b)) for a, b in ((0, 3), (1, 3), (-8, -2))))
def by_a_number_of_the_run(n, a, b):
    s = 0
    for i in range(n):
        if (i + a) % b == 0:
            s += i
        elif (i + a) % 2 == 0:
            s -= 1
    return s


@case(*(np.int64((150, a, b)) for a, b in ((0, 0), (1, -3), (7, 7), (-8, 3))))
def beside_a_sum_of_two_numbers(n, a, b):
    s = 0
    for i in range(n):
        if (i + a + b) % 3 == 0:
            s += i
        elif (i - a) % 2 == 0:
            s -= 1
    return s


@case(*((np.int64(n),) for n in (0, 7, 150)))
def beside_numbers_that_change(n):
    s, k = 0, 1
    for i in range(n):
        if (i + k) % 3 == 0:
            s += i
            k = k * 5 % 7
    return s, k


@case((FLOATS, 400), (FLOATS, 3), (FLOATS, 401), (FLOATS, 407))
def elements_and_one_outside(x, n):
    s = 0.0
    for i in range(n):
        if i % 3 == 1:
            x[i] = s * 0.5
        elif x[i] > 0:
            s += x[i]
        else:
            s = -s
    return s, x


@case((LARGE, 400), (LARGE, 7), (LARGE[:9], 12))
def ints_that_outgrow_the_machine(x, n):
    s = t = 0
    for i in range(n):
        if i % 4 == 1:
            s += int(x[i]) * 8
        else:
            t += i
    return s, t


@case(*((np.int64(n),) for n in (0, 5, 64, 200)))
def rounds_in_turns_of_rounds(n):
    s = 0
    for i in range(n):
        if i % 2 == 0:
            for j in range(i, n):
                if j % 3 == 0:
                    s += j
                else:
                    s -= 1
    return s


@case(*(np.int64((a, a + 39)) for a in (2**63 - 40, 2**61 - 20, -(2**63))))
def near_the_ends_of_ints(begin, end):
    s = 0
    for i in range(begin, end):
        if i % 3 == 0:
            s += 1
        elif i % 2 == 0:
            s += 5
    return s


@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_remainders_are_those_of_python(function, arguments):
    with ag.config(backend="native"):
        agreeing(function, arguments)


def lines_of(function, *arguments):
    """The loop IR of its machine code."""
    with ag.config(backend="native"):
        staged = ag.function(function)
        for _ in range(2):
            staged(*arguments)
        return staged.inspect("loops")


def threes(n):
    s = 1.0
    for i in range(n):
        if i % 3 == 0:
            s = s * 1.5
        elif i % 5 != 0 and s > 9.0:
            s = s - 9.0
    return s


def test_a_round_is_as_long_as_its_remainders_need():
    text = lines_of(threes, np.int64(100))
    # What is left, and three turns of a round, all of which may ask for fives.
    assert text.count("while once") == 2
    assert text.count("fmul double") == 4
    assert text.count(", 5)") == 2 * 4
    assert text.count("urem i64(v1, 3)") == 1


def test_what_is_counted_from_a_number_of_the_run_has_rounds():
    assert "while once" in lines_of(threes_and_fives, *np.int64((-40, 100)))


def thousands(n):
    s = 0
    for i in range(n):
        if i % 1000 == 0:
            s += 1
    return s


def nothing_asked(n):
    s = 0.0
    for i in range(n):
        s = s * 0.5 + i % 3
    return s


def of_another(n, k):
    s = 0
    for i in range(n):
        if k % 3 == 0:
            s += i
    return s


@pytest.mark.parametrize("function", [thousands, nothing_asked])
def test_other_loops_have_no_rounds(function):
    assert "while once" not in lines_of(function, np.int64(100))
    assert "while once" not in lines_of(of_another, *np.int64((100, 7)))


def program(seed):
    """The source of a loop of random tests of remainders."""
    rng = random.Random(seed)
    lines = [
        "def f(begin, end):",
        "    s, v = 0, 1.0",
        "    for i in range(begin, end):",
    ]
    word = "if"
    for _ in range(rng.randint(1, 3)):
        of, offset = rng.choice([2, 3, 4, 5, 6]), rng.choice([0, 0, 1, -1, 3])
        test = f"(i + {offset}) % {of} {rng.choice(['==', '!='])} {rng.randrange(of)}"
        if rng.random() < 0.3:
            test += f" {rng.choice(['and', 'or'])} v {rng.choice('<>')} 2.0"
        steps = rng.sample(
            ["s += i", "v = v * 0.5 + s % 7", "v = -v", "s -= 3", "v += 1.5"], 2
        )
        lines += [f"        {word} {test}:", *(f"            {one}" for one in steps)]
        word = "elif"
    lines += ["        else:", "            v = v + 0.25", "    return s, v"]
    return "\n".join(lines)


@pytest.mark.parametrize("seed", range(12))
def test_random_tests_of_remainders(seed):
    function = function_of(program(seed), f"<remainders {seed}>")
    with ag.config(backend="native"):
        staged = agreeing(function, SPANS[::3])
        assert "while once" in staged.inspect("loops")


def test_a_user_who_interrupts_and_a_clock_are_asked_for_as_before(monkeypatch):
    """Rounds are in chunks, which end where a look is due."""
    monkeypatch.setattr(periods, "ROUNDS", 10**9)
    with ag.config(backend="native"):
        agreeing(threes_and_fives, [np.int64((0, 10_000))])
    monkeypatch.undo()
    with ag.config(backend="native"):
        agreeing(threes_and_fives, np.int64([(0, 10_000), (0, 100_000)]))
