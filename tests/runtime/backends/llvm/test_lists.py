"""Loops that read and change Python's lists as machine code."""

import math

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import agreeing, cases, kept_by, loops_of
from tools.bench.rows import lists as rows

CASES, case = cases()
n = np.int64
big = 2**40


for one in (rows.list_sieve, rows.insertion_sort):
    case((n(30),), (n(2),))(one)


@case((n(40),), (n(1),))
def driven_by_a_stack(size):
    todo, seen = [1], []
    while todo:
        x = todo.pop()
        seen.append(x)
        if 2 * x < size:
            todo.append(2 * x)
            todo.append(2 * x + 1)
    return seen


@case((n(9),))
def a_queue_that_is_popped_in_front(count):
    waiting, found = [0], []
    for k in range(count):
        x = waiting.pop(0)
        found.append(x)
        waiting.append(x + k)
        waiting.append(x - k)
        waiting.pop(-2)
    return waiting, found


@case((n(9),))
def ints_of_every_size(count):
    xs = [0, 0, 0, 0]
    for k in range(-int(count), int(count)):
        xs[0] = xs[0] * 0 + k * 50
        xs[1] = xs[1] + k * 1_000_003
        xs[2] = k * 2**40
        xs[3] = -xs[3] + 2**30 - 1 + k % 3
        xs.append(xs[2] - xs[k])
    return xs


@case((n(12),))
def ints_that_outgrow_64_bits(count):
    xs = [3]
    for _ in range(count):
        xs.append(xs[-1] * 1_000_003)
    return xs


@case((n(5), 0.5), (n(5), np.float64(0.5)), (n(5), np.float32(0.5)), (n(5), 1 + 2j))
def numbers_of_every_kind(count, x):
    xs = [x * 2.0, x]
    for k in range(count):
        xs[0] = xs[0] * xs[1]
        xs.append(xs[k] + xs[0])
    return xs


@case((n(4),))
def one_object_in_two_lists(count):
    """A number is written over only where no other list has it."""
    xs = [float(k) for k in range(4)]
    ys = xs[:]
    for k in range(count):
        ys[k] = ys[k] + 0.5
        xs[-1] = ys[k]
        ys[k] = xs[-1] * 2.0
    return xs, ys


@case((n(3), n(9)), (n(3), n(-4)), (n(3), n(2)), (n(0), n(9)))
def an_item_that_is_not_there(count, at):
    xs = [k * 2 for k in range(count)]
    found = 0
    for k in range(4):
        xs.append(k)
        found += xs[at]
        xs[k] = found
    return xs


@case((n(5),))
def popped_until_it_is_empty(count):
    xs, last = [1.5, 2.5, 3.5], 0.0
    for _ in range(count):
        last += xs.pop()
        xs[-1] = last
    return last


@case((n(4),))
def an_error_after_changes(count):
    xs = [1, 2, 3]
    total = 0
    try:
        for k in range(count):
            xs.append(k)
            total += 6 // (2 - k)
            xs[0] += 1
    except ZeroDivisionError as error:
        return xs, total, str(error)
    return xs, total


@case((n(6),))
def parts_and_copies(count):
    xs = [0]
    total = 0
    for k in range(count):
        ys = xs[1:]
        zs = xs[-3:k]
        ys.append(k)
        xs.extend(ys)
        xs += zs
        xs.reverse()
        total += len(ys) * 100 + len(zs)
        if len(xs) > 12:
            xs = xs[:-7]
    return xs, total


@case((n(4),))
def copies_that_are_one_value(count):
    """What is read later is not changed in place."""
    xs = [1.0, 2.0]
    for k in range(count):
        ys, zs = xs[1:], xs[1:]
        ys.append(k * 0.5)
        zs[0] = zs[0] + 1.0
        ys.reverse()
        last = zs.pop()
        xs = ys + zs + xs[:1] + [last]
    return xs


@case((n(7),))
def changed_in_branches(count):
    xs, ys = [0], [1]
    for k in range(count):
        if k % 3 == 0:
            xs.append(k)
        elif k % 3 == 1:
            xs, ys = ys, xs
        else:
            ys.append(-k)
            xs[0] = xs[0] + ys[-1]
    return xs, ys


@case((n(5),))
def arrays_in_a_list(count):
    xs = [np.ones(2)]
    for k in range(count):
        xs.append(xs[-1] + k)
        xs[k] = xs[k] * xs[0]
    return xs


@case((n(5),))
def made_in_the_loop(count):
    total = 0.0
    for k in range(count):
        row = [0.5] * 3
        pair = [total, 1.0]
        row[k % 3] = pair[0] + pair[k % 2]
        total += row[0] - row[2] + len(row)
    return total


@case((n(3),))
def sorted_and_put_between(count):
    xs = [3, 1, 2]
    found = 0
    for k in range(count):
        xs.append(-k)
        xs.sort()
        xs.insert(1, k * 7)
        for i in range(4):
            found = found * 3 + xs[i] * i - k
            found = found % 10_007 + i * k
            found = found * 5 - xs[k] + i
            found = found + xs[i] * xs[k] - k
    return xs, found


@case((n(6),), (n(1),))
def numbers_that_are_looked_for(count):
    xs, found = [0], []
    for k in range(count):
        xs.append(k * 3 % 7)
        if k in xs:
            found.append(xs.index(k) * 100 + xs.count(k) * 10 + (7 in xs))
        xs.insert(-1, k)
        if k % 2:
            del xs[k - 4]
    return xs, found


@case((n(4),), (n(2),))
def a_number_that_is_not_there(count):
    xs, total = [0, 1, 2], 0
    for k in range(count):
        xs.append(-k)
        total += xs.index(k)
        xs.sort()
    return xs, total


@case((n(4),))
def nan_is_the_object_that_it_is(count):
    xs, nan, found = [0.5], math.nan, 0
    for k in range(count):
        xs.append(nan if k % 2 else k * 0.5)
        found += (xs[-1] in xs) + (nan in xs) * 10
        xs.sort()
    return len(xs), found


@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_lists_are_what_python_makes_them(function, arguments):
    with ag.config(backend="native"), np.errstate(all="ignore"):
        agreeing(function, arguments)


ONLY = [
    *(rows.list_sieve, driven_by_a_stack, changed_in_branches, parts_and_copies),
    *(sorted_and_put_between, numbers_that_are_looked_for),
]


@pytest.mark.parametrize("function", ONLY)
def test_nothing_is_left_to_python(function):
    with ag.config(backend="native"):
        staged = ag.function(function)
        staged(n(7))
        made = [one.function for one in loops_of(staged, (n(7),)) if one.function]
        assert made
    for one in made:
        assert "python" not in [inner.op for inner in one.body.walk()]


def test_loops_of_lists_are_counted_as_those_of_numbers_are():
    staged = ag.function(driven_by_a_stack)
    staged(n(40))
    (loop,) = loops_of(staged, (n(40),))
    assert not loop.is_timed
    assert loop.begin > 0


def test_lists_are_named_in_the_text_of_a_loop():
    with ag.config(backend="native"):
        staged = ag.function(driven_by_a_stack)
        staged(n(40))
        (loop,) = loops_of(staged, (n(40),))
    head, *lines = str(loop.function).splitlines()
    assert head.count("list[~int64[]]") == 2
    assert any("list_append(" in line for line in lines)
    assert any("list_cut(" in line and "else exit" in line for line in lines)


def changing(turns):
    """Every change of a list that machine code makes, a long time."""
    xs, ys = [0.5, 1.5], [1, 2**40]
    for k in range(turns):
        xs[k % 2] = xs[1] * 0.5
        ys[k % 2] = ys[0] + k
        xs.append(xs[0] + k)
        ys.append(k * 2**33)
        zs = xs[1:]
        zs.append(2.5)
        xs[0] += zs.pop()
        xs.pop()
        ys.pop(0)
        made = [xs[0], 1.0] * 2
        made.extend(zs)
        xs[1] = made[-1]
    return xs, ys


def test_a_million_turns_leave_nothing():
    with ag.config(backend="native"):
        staged = ag.function(changing)
        assert staged(n(10)) == changing(10)
        assert kept_by(lambda: staged(n(1_000_000)), 1000) < 1000


def leaving(turns):
    xs = [0]
    for k in range(turns):
        xs.append(k)
        xs[0] += 3 // (k - 500)
    return xs


def test_an_error_amid_changes_leaves_nothing():
    with ag.config(backend="native"):
        staged = ag.function(leaving)
        for _ in range(3):
            fail(staged)

        def run():
            for _ in range(20):
                fail(staged)

        assert kept_by(run, 1000) < 1000


def fail(staged):
    with pytest.raises(ZeroDivisionError) as raised:
        staged(n(1000))
    raised.value.__traceback__ = None


def known_once(turns):
    xs = [7, 300]
    for k in range(turns):
        xs[0] = xs[0] + k * 0
        xs[1] = xs[0] - 7
        xs[0] = 1000 + k
        xs[0] = 7
    return xs


def test_ints_that_python_has_once_are_not_made_anew():
    with ag.config(backend="native"):
        found = ag.function(known_once)(n(5))
    assert found[0] is 10 - int("3")
    assert found[1] is int("0")
    assert 256 + int("1") == 257  # no such int was written over
    assert math.prod([1] * 3) == 1
