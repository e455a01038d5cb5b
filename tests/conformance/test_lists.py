"""Lists whose length depends on data do as graphs what they do in Python."""

import copy

import numpy as np
import pytest

import autograph as ag
from tests.conformance.test_programs import comparable, outcome

i8, f8 = np.int64, np.float64
ROW = np.array([1.0, -2.0, 3.0, 0.5, -1.0, 3.0])


def powers(x, limit):
    found, pairs, k = [], [], 0
    while x < limit:
        found.append(x)
        pairs.append((k, x))
        x, k = x * 2, k + 1
    return found, pairs, len(found), sum(found)


def appended_on_both_paths(x):
    found = []
    for v in x:
        if v > 0:
            found.append(v)
        else:
            found.append(-v)
            found.append(v * 2)
    return found


def work_stack(n):
    stack, seen = [n], []
    while stack:
        v = stack.pop()
        seen.append(v)
        if v > 1:
            stack.append(v // 2)
            stack.append(v - 2)
    return seen, stack


def queue_that_grows_while_gone_through(n):
    queue, total = [n, 3], 0
    for v in queue:
        total += v
        if v > 1:
            queue.append(v - 1)
    return queue, total


def left_while_it_grows(n):
    queue, total = [n], 0
    for v in queue:
        total += v
        if total > 7:
            break
        if v > 0:
            queue.append(v + 1)
    else:
        total = -total
    return queue, total


def counted_while_it_grows(n):
    queue, total = [n], 0
    for k in range(3):
        queue.append(k)
        for v in queue:
            total += v
    return queue, total


def queue_popped_from_the_front(n):
    queue, order = [n], []
    while len(queue) > 0:
        v = queue.pop(0)
        order.append(v)
        if v > 2:
            queue.extend([v - 1, v - 2])
    return order


def two_lists(x):
    up, down = [], []
    for v in x:
        if v > 0:
            up.append(v)
        else:
            down.append(v)
    return up, down, up + down, sorted(up + down), sorted(up, reverse=True)


def rows_of_a_fixed_length(n):
    rows, i, total = [], 0, 0
    while i < n:
        rows.append([i, i * 2])
        i += 1
    for a, b in rows:
        total += a * b
    return rows, total


def one_list_is_the_source_of_another(x):
    kept = [v for v in x if v > 0]
    made = []
    for k, v in enumerate(kept):
        made.append(v * k)
    return made, [a * b for a, b in zip(kept, made)], list(reversed(kept))


def membership(x):
    seen = []
    for v in x:
        if v not in seen:
            seen.append(v)
    return seen, 3.0 in seen, seen.index(3.0), seen.count(0.5)


def _add(found, v):
    if v > 1:
        found.append(v)
    return found


def through_a_helper(x):
    found = []
    for v in x:
        _add(found, v)
    return found


def left_early(x):
    found = []
    for v in x:
        if v < 0:
            return found
        found.append(v)
    return found


def primes(n):
    found, k = [], 2
    while k <= n:
        for q in found:
            if k % q == 0:
                break
        else:
            found.append(k)
        k += 1
    return found


def inserted_where_they_belong(x):
    made = []
    for v in x:
        low, high = 0, len(made)
        while low < high:
            middle = (low + high) // 2
            if made[middle] < v:
                low = middle + 1
            else:
                high = middle
        made.insert(low, v)
    return made


def arrays_in_a_list(x, n):
    found, i = [x], 0
    while i < n:
        x = x * 2
        found.append(x)
        i += 1
    joined = np.concatenate(found), np.stack(found), np.array(found)
    return found, joined, found[-1], sum(found)


def copies_of_an_array_that_changes(x, n):
    found, i = [], 0
    while i < n:
        x += 1
        found.append(x.copy())
        i += 1
    return found


def another_name_for_it(x):
    found = []
    other = found
    for v in x:
        if v > 0:
            other.append(v)
    return found, other, found is other


def in_a_dict_and_an_object(x):
    class Kept:
        def __init__(self):
            self.items = []

        def push(self, v):
            self.items.append(v)

    groups, kept = {"up": [], "down": []}, Kept()
    for v in x:
        if v > 0:
            groups["up"].append(v)
            kept.push(v)
        else:
            groups["down"].append(v)
    return groups, kept.items, len(kept.items)


def words(x):
    found = []
    for v in x:
        if v > 0:
            found.append("up")
    return found, len(found), "up" in found


def by_operators(x):
    found, other = [], []
    for v in x:
        if v > 0:
            found += [v, v]
            other = [*other, v]
        else:
            other = other[1:] + [v]
    found *= 2
    return found, other, found == other, found != [1.0], other == other[:]


def every_method(i):
    xs = [1, 2, 3, 4][i:]
    xs.append(7)
    xs.insert(0, 9)
    xs.extend([5, 6])
    xs.reverse()
    last = xs.pop()
    xs[0] = xs[1] + xs[-1]
    del xs[1]
    xs[1:2] = [8, 8]
    ys = xs.copy()
    ys.sort()
    ys.remove(8)
    zs = list(ys)
    zs.clear()
    return xs, ys, zs, last, min(xs), max(xs), any(xs), all(xs), xs[::2], ys[-2:]


def tuples(i):
    xs = [(1, 2.0), (3, 4.0), (0, 1.0)][i:]
    xs.append((7, 8.5))
    xs.sort()
    a, b = xs[0]
    return xs, a, b, (3, 4.0) in xs, max(xs), sorted(xs, key=lambda t: -t[1])


def truth(i):
    xs = [1, 2, 3][i:]
    taken = 0
    if xs:
        taken += 1
    if not xs:
        taken += 2
    return taken, 5 if xs else 6, bool(xs), len(xs) == 0


def shown(i):
    xs = [(1, 2.0), (3, 4.0)][i:]
    print(xs, len(xs))
    print(f"{xs} {xs!r:>3}", "a%s" % (xs,))  # noqa: UP031 - tried
    return str(xs)


def unpacked(x):
    found = [v for v in x if v > 1]
    a, b, c = found
    first, *rest = found
    return a, b, c, first, rest


def to_numpy(i):
    xs = [1.0, 2.0, 4.0][i:]
    return np.array(xs), np.sum(xs), np.max(xs), np.array(xs) * 2, np.array(xs, int)


def changes_its_argument(xs, c):
    if c > 0:
        xs.append(c)
    return len(xs), xs


def popped_too_often(i):
    xs = [1, 2, 3][i:]
    return xs.pop() + xs.pop() + xs.pop()


def index_too_far(i):
    return [1, 2, 3][i:][2]


def store_too_far(i):
    xs = [1, 2, 3][i:]
    xs[2] = 5
    return xs


def removed_twice(i):
    xs = [1, 2, 3][i:]
    xs.remove(3)
    xs.remove(3)
    return xs


def not_in_it(i):
    return [1, 2, 3][i:].index(1)


def least_of_none(i):
    return min([1, 2, 3][i + 2 :])


CALLS = {
    powers: [(f8(1), f8(100)), (f8(1), f8(1.5))],
    appended_on_both_paths: [(ROW,), (ROW[:0],)],
    work_stack: [(i8(9),), (i8(0),)],
    queue_that_grows_while_gone_through: [(i8(3),), (i8(0),)],
    left_while_it_grows: [(i8(3),), (i8(0),)],
    counted_while_it_grows: [(i8(3),)],
    queue_popped_from_the_front: [(i8(5),)],
    two_lists: [(ROW,)],
    rows_of_a_fixed_length: [(i8(3),), (i8(0),)],
    one_list_is_the_source_of_another: [(ROW,), (-abs(ROW),)],
    membership: [(ROW,), (ROW[:2],)],
    through_a_helper: [(ROW,)],
    left_early: [(ROW,), (abs(ROW),)],
    primes: [(i8(30),)],
    inserted_where_they_belong: [(ROW,)],
    arrays_in_a_list: [(np.ones(2), i8(3)), (np.ones(2), i8(0))],
    copies_of_an_array_that_changes: [(np.ones(2), i8(3))],
    another_name_for_it: [(ROW,)],
    in_a_dict_and_an_object: [(ROW,)],
    words: [(ROW,), (-abs(ROW),)],
    by_operators: [(ROW,)],
    every_method: [(i8(0),), (i8(2),)],
    tuples: [(i8(1),), (i8(3),)],
    truth: [(i8(1),), (i8(3),)],
    shown: [(i8(1),), (i8(2),)],
    unpacked: [(abs(ROW),), (ROW,)],
    to_numpy: [(i8(1),)],
    changes_its_argument: [([f8(1.0)], f8(2)), ([f8(1.0)], f8(-2))],
    popped_too_often: [(i8(0),), (i8(1),)],
    index_too_far: [(i8(0),), (i8(1),)],
    store_too_far: [(i8(0),), (i8(1),)],
    removed_twice: [(i8(0),)],
    not_in_it: [(i8(0),), (i8(1),)],
    least_of_none: [(i8(0),), (i8(1),)],
}


@pytest.mark.parametrize(
    ("function", "args"),
    [
        pytest.param(function, args, id=f"{function.__name__}-{k}")
        for function, calls in CALLS.items()
        for k, args in enumerate(calls)
    ],
)
def test_same_as_python(function, args):
    mine, ours = copy.deepcopy(args), copy.deepcopy(args)
    python = outcome(function, mine)
    graph = outcome(ag.function(function), ours)
    assert comparable(graph) == comparable(python)
    assert comparable(ours) == comparable(mine)
