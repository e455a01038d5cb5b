"""A `finally`, a bare `except` and a `raise` in a handler are branches, in loops."""

import math
import traceback

import numpy as np
import pytest

import autograph as ag


def at_last(xs):
    y, ends = 0.0, 0
    for x in xs:
        try:
            if x != 4.0:
                y += 1 / x
        finally:
            ends += 1
    return y, ends


def notes(xs, seen):
    for k in range(len(xs)):
        try:
            seen[k] = 1 / xs[k]
        finally:
            seen[k + 1] += 1.0
    return seen


def adds(xs, seen):
    for x in xs:
        try:
            seen.append(math.sqrt(x))
        finally:
            seen.append(x)
    return len(seen)


def all_that_comes(xs):
    y = 0.0
    for x in xs:
        try:
            y += math.log(x)
        except:  # noqa: E722 - what is tried
            y -= 1
    return y


def again(xs, seen):
    y = 0.0
    for x in xs:
        try:
            y += math.sqrt(x)
        except ValueError:
            seen[0] += y
            raise
    return y


def named_again(xs):
    y = 0.0
    for x in xs:
        try:
            y += math.sqrt(x)
        except ValueError as error:
            y = -y
            raise error
    return y


def sometimes_again(xs, seen):
    y = 0.0
    for x in xs:
        try:
            y += math.sqrt(x)
        except ValueError:
            seen[0] += 1.0
            if seen[0] > 2:
                raise
            y -= 1
    return y


def both(xs, seen):
    y = 0.0
    for x in xs:
        try:
            y += 1 / x
        except ZeroDivisionError:
            y += 5
        finally:
            seen[0] += 1
    return y


def two_handlers(xs, seen):
    y = 0.0
    for x in xs:
        try:
            y += math.log(1 / x)
        except ZeroDivisionError:
            y += 5
        except ValueError:
            seen[0] += y
            raise
    return y


def with_else(xs, seen):
    y = 0.0
    for x in xs:
        try:
            z = 1 / x
        except ZeroDivisionError:
            seen[1] += 1
            raise
        else:
            y += z
            seen[0] = y
    return y


def swallowed(xs):
    y = 0.0
    for x in xs:
        try:
            y += 1 / x
        finally:
            y += 1
            continue
    return y


def checks(xs, seen):
    y = 0.0
    for x in xs:
        if x < 0:
            seen[0] += y
            raise ValueError(x)
        y += math.sqrt(x)
    return y


def its_own(xs, seen):
    y = 0.0
    for x in xs:
        try:
            if x < 0:
                raise ValueError("less than", 0)
            y += 1 / x
        finally:
            seen[0] += y
    return y


def read_after(xs, at):
    y = 0
    for k in range(len(xs)):
        try:
            z = xs[at[k]]
        except IndexError:
            y += 1
            raise
        y += z
    return y


GOOD = [1.0, 2.0, 0.5, 4.0] * 9
BAD = {
    "none": GOOD,
    "zero": [*GOOD, 0.0, 1.0],
    "minus": [*GOOD, -0.0, -1.0, *GOOD],
    "first": [-1.0, *GOOD],
    "both": [-1.0, -2.0, 0.0, *GOOD],
    "nan": [math.nan, math.inf, *GOOD, -math.inf],
    "ints": [3, 1, 2, 0, 4] * 5,
}
ALONE = [at_last, all_that_comes, named_again, swallowed]
SEEN = [
    notes,
    adds,
    again,
    checks,
    sometimes_again,
    both,
    two_handlers,
    with_else,
    its_own,
]


def told(function, *args):
    """What a call gives or raises, at which line, and what it has done."""
    try:
        found = repr(function(*args))
    except Exception as error:
        lines = [one.lineno for one in traceback.extract_tb(error.__traceback__)]
        context = type(error.__context__), type(error.__cause__)
        found = type(error), error.args, context, lines[-1]
    return found, repr(args)


def agree(function, make):
    wanted = told(function, *make())
    for backend in ("numpy", "native"):
        with ag.config(backend=backend):
            staged = ag.function(function)
            for _ in range(3):
                assert told(staged, *make()) == wanted, backend
    return staged


@pytest.mark.parametrize("given", BAD)
@pytest.mark.parametrize("function", ALONE)
def test_it_gives_and_raises_what_python_does(function, given):
    agree(function, lambda: ([*BAD[given]],))
    agree(function, lambda: (np.array(BAD[given], float).tolist(),))


@pytest.mark.parametrize("given", BAD)
@pytest.mark.parametrize("function", SEEN)
def test_what_was_done_half_way_is_done(function, given):
    seen = [] if function is adds else [0.0] * 80
    agree(function, lambda: ([*BAD[given]], [*seen]))
    if function is not adds:
        agree(function, lambda: ([*BAD[given]], np.zeros(80)))


class Account:
    def __init__(self):
        self.spent, self.notes = 0.0, {}


def test_attributes_and_dicts_that_only_a_path_that_raises_changes_are_changed():
    def spend(xs, account):
        y = 0.0
        for x in xs:
            if x < 0:
                account.spent += y
                account.notes["last"] = x
                raise ValueError(x)
            y += x
        return y

    for backend in ("numpy", "native"):
        with ag.config(backend=backend):
            staged, account, other = ag.function(spend), Account(), Account()
            for xs in ([1.0, 2.0] * 9, [1.0, -1.0] * 9, [3.0, 2.0, -4.0] * 9):
                assert told(staged, xs, account)[0] == told(spend, xs, other)[0]
                assert vars(account) == vars(other)


@pytest.mark.parametrize("last", [3, -4, 4, -5, 2**40])
def test_indices_raise_again(last):
    at = [0, 1, 2, 3] * 10 + [last, 0]
    xs = [*range(4), *range(50)]
    agree(read_after, lambda: (xs[:4] + [0] * 40, at))
    agree(read_after, lambda: (np.arange(4) if last < 0 else np.arange(44), at))


@pytest.mark.parametrize("function", [at_last, named_again, all_that_comes])
def test_it_is_no_try_any_more(function):
    staged = agree(function, lambda: ([*GOOD],))
    names = [node.op.name for node in staged.concrete_functions[0].graph.walk()]
    assert "try" not in names
    assert "reraise" not in names


def late(xs):
    y = 0.0
    for n in xs:
        try:
            for k in range(n):
                y += 1 / k
        except:  # noqa: E722 - what is tried
            y -= 1
    return y


def after_a_loop(xs):
    y = 0.0
    for x in xs:
        total = 0
        try:
            for k in range(x):
                total += k
            y += total / x
        except:  # noqa: E722 - what is tried
            y -= 1
    return y


def test_a_loop_that_does_not_fail_keeps_a_bare_except_too():
    staged = agree(after_a_loop, lambda: ([3, 0, 2] * 9,))
    names = [node.op.name for node in staged.concrete_functions[0].graph.walk()]
    assert "try" in names


def test_a_body_in_which_python_looks_for_signals_stays_a_try():
    staged = agree(late, lambda: ([3, 0, 2] * 9,))
    names = [node.op.name for node in staged.concrete_functions[0].graph.walk()]
    assert "try" in names
