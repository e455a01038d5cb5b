"""Deques whose length depends on data, as Python's are."""

from collections import deque

import numpy as np
import pytest

import autograph as ag
from autograph.same import assert_same_as_python

GIVEN = (([1.0, -2.0, 3.0], 3), ([-1.0, -2.0, -3.0], 0), ([-1.0, 4.0, 5.0], 7))


def breadth_first(x, n):
    queue, seen = deque([0]), []
    while queue:
        at = queue.popleft()
        seen.append(at)
        if at < n:
            queue.append(at + 1)
            if x[at % 3] > 0:
                queue.append(at + 2)
    return seen, queue, len(queue)


def at_both_ends(x, n):
    q = deque()
    for v in x:
        if v > 0:
            q.append(v)
        else:
            q.appendleft(v)
    print(q, f"{q}", type(q), isinstance(q, deque))
    return q, list(q), len(q), q[0], q[-1], [v * 2 for v in q], bool(q), 3.0 in q


def every_method(x, n):
    q = deque([0.5])
    for v in x:
        if v > 0:
            q.append(v)
    q.extend([7.0, 8.0])
    q.extendleft([5.0, 6.0])
    q.rotate(1)
    q.rotate(-n)
    other = q.copy()
    q.reverse()
    last, first = q.pop(), q.popleft()
    q.insert(1, 9.0)
    q[0] = 4.0
    del q[1]
    q += [1.0]
    total = 0.0
    for v in q:
        total = total * 2 + v
    other.clear()
    return q, other, last, first, total, q.count(7.0), sum(q), max(q), sorted(q)


def compared(x, n):
    q = deque(v for v in x if v > 0)
    return q == deque(q), q == deque(), q != deque([1.0]), q == [1.0], q + deque([n])


def pairs(x, n):
    stack = deque([(0, x[0])])
    total = 0.0
    while stack:
        depth, v = stack.pop()
        total += v
        if depth < n:
            stack.append((depth + 1, v / 2))
    return total, stack


def of_a_list(x, n):
    return deque([v for v in x if v > 0])


def empty(x, n):
    q = deque(v for v in x if v > 0)
    try:
        return q.popleft()
    except IndexError as error:
        return str(error)


def no_such_item(x, n):
    q = deque(v for v in x if v > 0)
    try:
        q[0] = 2.0
        del q[0]
        q[0] += 1
        return q[1]
    except IndexError as error:
        return str(error)


def on_one_path(x, n):
    q = deque([1.0])
    if x[0] > 0:
        q.append(x[0])
    return q


def with_a_greatest_length(x, n):
    q = deque(maxlen=2)
    for v in x:
        if v > 0:
            q.append(v)
    return q, q.maxlen


FUNCTIONS = [
    *(breadth_first, at_both_ends, every_method, compared, pairs, of_a_list, empty),
    *(no_such_item, on_one_path, with_a_greatest_length),
]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("given", GIVEN)
def test_a_deque_is_what_it_is_in_python(function, given):
    x, n = given
    assert_same_as_python(function, np.array(x), np.int64(n))


def changed(q, x):
    while q and q[0] < x:
        q.popleft()
    q.append(x)
    return len(q)


@pytest.mark.parametrize("x", [0.0, 2.5, 9.0])
def test_a_deque_that_is_passed_is_changed(x):
    assert_same_as_python(changed, deque([1.0, 2.0, 3.0]), np.float64(x))


def removed(x):
    q = deque(v for v in x if v > 0)
    q.remove(1.0)
    return q


def test_what_is_not_staged_is_run_as_python():
    x = np.array([1.0, -1.0, 2.0])
    with pytest.raises(TypeError, match="is given to code that is not converted"):
        ag.function(removed).get_concrete_function(x)
    assert_same_as_python(removed, x)
