"""Lists of numbers whose loops take them into memory as a machine has them."""

import _thread
import threading

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import either
from tests.runtime.backends.llvm.compiling import agreeing, cases, kept_by, loops_of
from tests.runtime.backends.llvm.random_lists import tried
from tools.bench.rows import lists as rows

CASES, case = cases()
n = np.int64

case((n(30),), (n(0),))(rows.common_subsequence)
case((n(5), 3))(rows.list_bodies)


@pytest.fixture(autouse=True)
def _at_once():
    with ag.config(backend="native"):
        yield


@case((n(6),))
def every_change(count):
    """What is done to lists in loops in loops, of each kind of number."""
    count = int(count)
    ints, floats, truths = [3, 1, 2] * count, [0.5] * count, [True, False]
    for k in range(count):
        for j in range(k + 2):
            ints[j] = ints[-1] + k
            ints.append(ints[j] * 2)
            floats[k] = floats[k] * 0.5 + j
            truths.append(ints[k] > 4)
            ints.pop(j)
        copied = ints[:]
        part = floats[1:-1]
        copied[0] = len(part)
        part.append(copied[0] * 0.25)
        ints, floats = copied, part + part[:1]
    return ints, floats, truths, len(truths)


@case((n(20),))
def lists_that_grow(count):
    """Beyond the room that they had at first, and again."""
    ints, floats, truths = [], [], []
    for k in range(count):
        for j in range(count):
            ints.append(k * j)
            floats.append(k * 0.5 - j)
            truths.append(ints[-1] > ints[k])
    return ints, floats, truths


@case((n(5),))
def names_change_places(count):
    """Rows that take turns: the old one is made anew."""
    count = int(count)
    before, now = [1] * (count + 1), [0] * (count + 1)
    for k in range(count):
        now[0] = k
        for j in range(count):
            now[j + 1] = before[j] + before[j + 1] + now[j]
        before, now = now, before
    return before, now


@case((n(4),))
def a_list_that_is_read_later(count):
    """Each turn changes a copy of what the next one reads again."""
    count = int(count)
    first = [k * 10 for k in range(count)]
    found = [0]
    for k in range(count):
        mine = first[:]
        for j in range(count):
            mine[j] = mine[j] + k
            mine.append(first[j])
        found.append(mine[k] + mine[-1])
    return first, found


@case((n(5),))
def rows_of_a_loop(count):
    """Lists that are made anew in each turn, and in branches."""
    total = 0
    for k in range(count):
        row = [k] if k % 2 else [0] * k
        for j in range(3):
            row.append(j)
            total = total * 3 % 1009 + row[j]
        last = row if k > 2 else row[1:]
        total += len(last)
    return total


@case((n(6), n(3)), (n(6), n(9)), (n(6), n(-9)), (n(0), n(0)))
def an_index_outside(count, at):
    """An error in the middle, with what was changed before."""
    xs, seen = [0] * int(count), 0
    try:
        for k in range(count):
            for j in range(2):
                xs[k] += j
                seen += 1
            xs[at] = seen
    except IndexError as error:
        return xs, seen, str(error)
    return xs, seen


@case((n(9),))
def ints_that_outgrow_64_bits(count):
    xs = [3]
    for k in range(count):
        for j in range(k):
            xs.append(xs[j] * 1_000_003)
    return xs


@case((n(5), n(0)), (n(5), n(-2)), (n(5), n(99)), (n(5), n(-99)))
def put_between_and_turned_round(count, at):
    xs, ys, zs = [1, 2], [0.5], [True]
    for k in range(count):
        for j in range(k):
            xs.insert(at, xs[j] + k)
            ys.insert(j, ys[-1] * 0.5)
            zs.insert(-1, xs[0] > j)
            xs.reverse()
        del ys[k // 3]
        ys.append(k * 0.25)
        del xs[-1]
        zs.reverse()
    return xs, ys, zs


@case((n(6), n(4)), (n(6), n(40)), (n(0), n(40)))
def numbers_that_are_looked_for(count, sought):
    xs, found = [0], 0
    for k in range(count):
        for j in range(k):
            xs.append(k * 3 - j)
            if j * 3 in xs:
                found += xs.index(j * 3) + (sought in xs) * 100
    return found * 10 + xs.index(sought)


@case((n(3),))
def other_kinds_come_in(count):
    xs = [1, 2, 3]
    for k in range(count):
        for j in range(3):
            xs[j] = xs[j] / 2 if k == 2 else xs[j] + 1
    return xs


@case((n(4),))
def what_only_python_does(count):
    """Sorted, and looked for: then it is Python's list."""
    xs, ys, found = [3, 1, 2], [0.5], 0
    for k in range(count):
        for j in range(3):
            xs[j] = xs[j] * 7 % 11
            ys.append(xs[j] * 0.5)
        xs.sort()
        found += xs.index(xs[1]) + xs.count(k)
    return xs, ys, found


@case((2**60,), (-3,))
def more_than_there_is_memory_for(count):
    total = 0
    for k in range(np.int64(2)):
        xs = [k] * count
        for j in range(2):
            xs.append(j)
        total += len(xs)
    return total


@case(([k * 7 % 19 for k in range(20)], [k * 0.5 for k in range(20)]))
def given_lists(xs, ys):
    """Arguments, of which one is changed and one grows."""
    for i in range(len(xs)):
        for j in range(i):
            if xs[j] > xs[i]:
                xs[i], xs[j] = xs[j], xs[i]
        ys.append(ys[i] + xs[i])
    return ys[-1]


@pytest.mark.parametrize(("function", "arguments"), CASES)
@pytest.mark.parametrize("first", [10**6, 0])
def test_lists_of_numbers_are_what_python_makes_them(
    monkeypatch, function, arguments, first
):
    monkeypatch.setattr(either, "FIRST", first)
    with np.errstate(all="ignore"):
        agreeing(function, arguments)


@pytest.mark.parametrize("seed", range(7000, 7012))
def test_random_programs_of_lists_are_what_python_makes_them(seed):
    assert tried(seed) is None


@pytest.fixture
def loop():
    """The outer loop of a sort, whose inputs are a counter, a list and the end."""
    staged = ag.function(sort)
    staged(n(9))
    made = loops_of(staged, (n(9),))[-2]
    made.turns.word.value = 10**6  # as if it had taken so many
    yield made
    assert staged(n(9)) == sort(9)


def sort(count):
    xs = [k * 7 % 10 for k in range(count)]
    for i in range(1, int(count)):
        j = i
        while j > 0 and xs[j - 1] > xs[j]:
            xs[j], xs[j - 1] = xs[j - 1], xs[j]
            j -= 1
    return xs


def test_the_text_of_a_loop_tells_lists_in_memory(loop):
    head, *lines = str(loop.function).splitlines()
    assert "int64 list[" in head
    assert not any("list_" in line for line in lines)
    assert any("load(" in line for line in lines)


@pytest.mark.parametrize(
    "function", [put_between_and_turned_round, numbers_that_are_looked_for]
)
def test_nothing_that_is_known_makes_a_list_pythons(function):
    staged = ag.function(function)
    staged(n(6), n(0))
    loop = loops_of(staged, (n(6), n(0)))[0]
    assert "list[~" not in str(loop.function)


def test_a_list_that_is_changed_in_place_is_the_list_that_it_was(loop):
    xs = [5000, 3, 5000, 10**12, 4000]
    same = xs[3]
    _, found = loop.run(0, xs, 4)
    assert found is xs
    assert xs == [3, 4000, 5000, 5000, 10**12]
    assert xs[4] == same
    assert same == 10**12


def test_numbers_that_others_hold_are_not_written_over(loop):
    held = [5000, 6000, 70, 4000, 9000]
    xs = held[:]
    loop.run(0, xs, 4)
    assert held == [5000, 6000, 70, 4000, 9000]
    assert xs == [70, 4000, 5000, 6000, 9000]


def test_ints_beyond_64_bits_are_pythons_to_compare(loop):
    xs = [3, 2**70, 1]
    assert loop.run(0, xs, 2)[1] == [1, 3, 2**70]


def test_a_loop_of_few_turns_leaves_a_long_list_as_it_is(loop):
    assert isinstance(loop.run, either.Either)
    xs, one, calls = [*range(5000)], loop.run, []
    loop.turns.word.value = 0
    loop.run(0, xs, 1)
    assert "list[~int64[]]" in str(one.plain.function)
    plain = one.plain.run
    one.plain.run = lambda *values: calls.append(1) or plain(*values)
    loop.turns.word.value = 10**6
    assert loop.run(0, xs, 1)[1] is xs
    assert not calls
    assert 0 < loop.turns.word.value < 100
    # By now it is known that there are few.
    assert loop.run(0, xs, 1)[1] is xs
    assert calls
    for _ in range(either.MISSES):
        loop.turns.word.value = 0
        loop.run(0, xs, 1)
    assert loop.run == one.plain.run
    assert xs == [*range(5000)]


def test_a_loop_of_many_turns_takes_lists_into_memory_again(loop):
    loop.turns.word.value = 0
    loop.run(0, [*range(3000, 0, -1)], 2999)
    assert loop.turns.word.value > 30_000
    xs = [*range(300, 0, -1)]
    loop.run(0, xs, 299)
    assert loop.turns.word.value in range(300 * 299 // 2, 300 * 303 // 2)
    assert xs == [*range(1, 301)]


def test_a_loop_that_goes_through_a_list_is_not_looked_at(loop):
    lines = [line.strip() for line in str(loop.function).splitlines()]
    outer, inner = (line for line in lines if line.startswith("while"))
    assert outer.startswith("while(")
    # It says what counts its turns.
    assert not inner.startswith("while(")


def walked(turns):
    """A loop that its items end, which may go on for ever."""
    xs, at, seen = [1, 2, 0], 0, 0
    for k in range(turns):
        while seen < 5 * k:
            at = xs[at]
            seen += 1
        xs[0] = xs[0]
    return seen, at


def test_other_loops_over_lists_are():
    staged = ag.function(walked)
    assert staged(n(9)) == walked(9)
    loop = loops_of(staged, (n(9),))[0]
    assert "int64 list[" in str(loop.function)
    heads = ("while(", "while chunk(")
    assert all(line.strip().startswith(heads) for line in whiles(loop))


def whiles(loop):
    return [line for line in str(loop.function).splitlines() if "while" in line]


def test_a_sort_is_interrupted():
    staged = ag.function(sort)
    staged(n(9))
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        # Hours of Python.
        staged(n(3_000_000))
    timer.join()
    assert staged(n(9)) == sort(9)


def test_what_is_not_taken_in_the_end_leaves_nothing(loop):
    one = loop.run

    def run():
        for _ in range(300):
            loop.turns.word.value = 10**6
            one(0, [3, 2, 1] * 90 + [2**70], 2)

    run()
    assert kept_by(run, 200) < 200
