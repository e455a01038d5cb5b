"""Generator functions do as graphs what they do in Python."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.test_programs import comparable, outcome

i8, f8 = np.int64, np.float64
ROW = np.array([1.0, -2.0, 4.0, 3.0])
NONE = np.array([-1.0, -2.0])


def squares(x):
    """The squares of what is positive."""
    for v in x:
        if v > 0:
            yield v * v


def count(n):
    i = 0
    while i < n:
        yield i
        i += 1


def endless(n):
    while True:
        yield n
        n = n * 2 + 1


def collatz(n):
    while True:
        yield n
        if n == 1:
            return
        n = n // 2 if n % 2 == 0 else 3 * n + 1


def closing(x):
    try:
        for v in x:
            print("give", v)
            yield v
        print("end")
    finally:
        print("closed")


def known(n):
    for i in range(n):
        got = yield i
        print("got", got)
    return n


def totals(n):
    total = 0
    for i in range(n):
        total += i
        yield total
    return total


def in_turn(n):
    a = yield from totals(n)
    b = yield from totals(n + 1)
    yield from (a, b)
    return (yield from totals(a))


def tree(t):
    if isinstance(t, tuple):
        for part in t:
            yield from tree(part)
    else:
        yield t


def several(x):
    yield x[0]
    if x[1] > 0:
        yield x[1]
        yield x[1] * 2
    elif x[0] > 0:
        return
    yield x[0] + x[1]


def nothing(x):
    if False:
        yield x


def matched(x, n):
    match n:
        case 1:
            yield x[0]
        case 2 if x[0] > 0:
            yield x[1]
        case _:
            yield from x


def changing(x):
    for i in range(len(x)):
        if x[i] > 0:
            x[i] = 0.0
            yield i


def sum_of(x):
    return sum(squares(x), 0.0), max(squares(x), default=f8(0)), any(squares(x))


def loop_with_break(n, m):
    total = 0
    for i in count(n):
        if i == m:
            break
        total += i
    else:
        total = -total
    return total


def loop_with_continue(x):
    total = 0.0
    for v in squares(x):
        if v < 2:
            continue
        total = total * 2 + v
    return total


def loop_with_return(x, limit):
    for v in squares(x):
        for w in squares(x):
            if v + w > limit:
                return v, w
    return x[0], limit


def of_an_endless_one(n, limit):
    for k, v in enumerate(endless(n)):
        if v > limit:
            break
    return k, v


def finally_is_run(x):
    for v in closing(x):
        print("use", v)
        if v > 1:
            break
    return v


def finally_is_run_by_return(x):
    for v in closing(x):
        if v > 1:
            return v
    return -v


def steps(n):
    best = 0
    for i, v in enumerate(collatz(n)):
        best = max(best, v)
    return i, best


def one_by_one(x):
    g = known(4)
    a = next(g)
    b = next(g)
    c, d = g
    return x[a] + x[b] + c + d, next(g, None)


def sent(x):
    g = known(3)
    return next(g), g.send("word"), x[g.send("other")]


def results(n):
    total = 0
    for v in in_turn(n):
        total = total * 3 + v
    return total


def of_a_tree(x):
    return sum(tree((x[0], (x[1], x[2]), ((x[0],),))))


def of_several(x):
    total = 1.0
    for v in several(x):
        total = total * 2 + v
    return total


def of_nothing(x):
    for v in nothing(x):
        x = v
    else:
        x = x * 2
    return x, sum(nothing(x))


def of_matched(x, n):
    return sum(matched(x, n))


def of_changing(x):
    total = 0
    for i in changing(x):
        total = total * 5 + i
        if total > 3:
            break
    return total, x


def zipped_with_rows(x):
    return sum(a * b for a, b in zip(squares(x), x))


def zipped_after_rows(x):
    total = 0.0
    for a, b in zip(x[:2], closing(x)):
        print("pair")
        total += a * b
    return total


def zipped_known(x):
    return [x[i] + j for i, j in zip(count(3), known(5))]


def nested_with_outer_names(x):
    def inner():
        nonlocal seen
        for v in x:
            if v > 0:
                seen += 1
            yield v

    seen, total = 0, 0.0
    for v in inner():
        total += v * seen
    return total, seen


def in_a_branch(x, n):
    if n > 2:
        total = sum(count(n))
    else:
        total = 0
        for i in count(n + 3):
            total -= i
    return total


def in_a_staged_loop(x, n):
    total, i = 0, 0
    while i < n:
        i += 1
        for j in count(i):
            if j > 2:
                break
            total += j
    return total


def methods(x):
    class Bag:
        def __init__(self, rows):
            self.rows = rows

        def positive(self):
            for v in self.rows:
                if v > 0:
                    yield v

        def __iter__(self):
            return self.positive()

    bag = Bag(x)
    return sum(bag.positive())


def piped(x):
    def doubled(items):
        for v in items:
            yield v * 2

    def below(items, limit):
        for v in items:
            if v > limit:
                return
            yield v

    return sum(below(doubled(squares(x)), 20.0))


def passed_as_a_function(x):
    return sum(v for make in (squares, lambda y: (w for w in y)) for v in make(x))


def wrong_arguments(x):
    return squares(x, x)


def raises_when_gone_through(x):
    def failing(y):
        yield y[0]
        raise ValueError("no more")

    total = 0.0
    for v in failing(x):
        total += v
    return total


def raises_in_the_loop(x):
    for v in closing(x):
        if v < 0:
            raise ValueError("negative")
    return v


PROGRAMS = [
    (sum_of, (ROW,)),
    (sum_of, (NONE,)),
    (loop_with_break, (i8(4), i8(9))),
    (loop_with_break, (i8(9), i8(4))),
    (loop_with_continue, (ROW,)),
    (loop_with_return, (ROW, f8(9))),
    (loop_with_return, (ROW, f8(99))),
    (of_an_endless_one, (i8(3), i8(50))),
    (finally_is_run, (ROW,)),
    (finally_is_run, (NONE,)),
    (finally_is_run_by_return, (ROW,)),
    (finally_is_run_by_return, (NONE,)),
    (steps, (i8(7),)),
    (steps, (i8(1),)),
    (one_by_one, (ROW,)),
    (sent, (ROW,)),
    (results, (i8(3),)),
    (of_a_tree, (ROW,)),
    (of_several, (ROW,)),
    (of_several, (NONE,)),
    (of_several, (np.array([0.0, 2.0]),)),
    (of_nothing, (ROW,)),
    (of_matched, (ROW, i8(1))),
    (of_matched, (ROW, i8(2))),
    (of_matched, (NONE, i8(2))),
    (of_changing, (ROW,)),
    (zipped_with_rows, (ROW,)),
    (zipped_after_rows, (ROW,)),
    (zipped_known, (ROW,)),
    (nested_with_outer_names, (ROW,)),
    (in_a_branch, (ROW, i8(1))),
    (in_a_branch, (ROW, i8(4))),
    (in_a_staged_loop, (ROW, i8(5))),
    (methods, (ROW,)),
    (piped, (ROW,)),
    (passed_as_a_function, (ROW,)),
    (wrong_arguments, (ROW,)),
    (raises_when_gone_through, (ROW,)),
    (raises_in_the_loop, (ROW,)),
    (raises_in_the_loop, (ROW[2:],)),
]


@pytest.mark.parametrize(
    ("function", "arguments"),
    PROGRAMS,
    ids=[f"{f.__name__}{i}" for i, (f, _) in enumerate(PROGRAMS)],
)
def test_a_generator_does_in_a_graph_what_it_does_in_python(
    function, arguments, capsys
):
    wanted = comparable(outcome(function, arguments))
    text = capsys.readouterr().out
    staged = ag.function(function)
    for _ in range(2):  # traced, and from the cache
        assert comparable(outcome(staged, arguments)) == wanted
        assert capsys.readouterr().out == text
