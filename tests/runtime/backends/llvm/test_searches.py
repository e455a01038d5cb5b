"""Searches: what waits in a deque, and what has been met, in loops of machine code."""

import heapq
from collections import deque

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import either
from tests.runtime.backends.llvm.compiling import agreeing
from tests.runtime.backends.llvm.random_searches import tried

GRID = [[0, 0, 1, 0], [1, 0, 1, 0], [0, 0, 0, 0], [0, 1, 1, 0]]


@pytest.fixture(autouse=True)
def _at_once():
    with ag.config(backend="native"):
        yield


def steps_to_corner(grid, r0, c0):
    """A deque of places, and a set of them that begins with a constant one."""
    h, w = len(grid), len(grid[0])
    todo, seen = deque([(0, 0, 0)]), {(0, 0)}
    while todo:
        r, c, n = todo.popleft()
        if r == h - 1 and c == w - 1:
            return n, len(seen)
        for dr, dc in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            nr, nc = r + dr, c + dc
            if 0 <= nr < h and 0 <= nc < w and grid[nr][nc] == 0:
                if (nr, nc) not in seen:
                    seen.add((nr, nc))
                    todo.append((nr, nc, n + 1))
    return -1, len(seen)


def test_a_search_through_a_grid_is_a_loop_of_machine_code():
    grids = [GRID, [[0] * 9 for _ in range(9)], [[0, 1], [1, 0]]]
    staged = agreeing(steps_to_corner, [(grid, 0, 0) for grid in grids])
    # What a branch adds is a key of one table, not another set for each path.
    graph = str(staged.concrete_functions[-1].graph)
    assert graph.count(" = while[") == 1
    assert graph.count(" = table_has") <= 8
    assert "table_find" in staged.inspect("loops")


def least_costs(grid, limit):
    """A dict that a branch of the first round gives constant keys, with tuples."""
    todo, cost = deque([(0, 0)]), {(0, 0): (0, 1)}
    while todo:
        r, c = todo.popleft()
        for nr, nc in ((r + 1, c), (r, c + 1)):
            if nr < len(grid) and nc < len(grid[0]):
                n = cost[(r, c)][0] + grid[nr][nc]
                if n < cost.get((nr, nc), (limit, 0))[0]:
                    cost[(nr, nc)] = (n, grid[nr][nc])
                    todo.append((nr, nc))
    return cost


def test_a_dict_that_branches_give_constant_keys_is_a_table():
    staged = agreeing(least_costs, [(GRID, 5), (GRID, 9)])
    # One for each path of the first round otherwise, with all that is put into it.
    graph = str(staged.concrete_functions[-1].graph)
    assert graph.count(" = table_of") <= 3
    assert "table_find" in staged.inspect("loops")


def taken_in_front(n, xs):
    """A deque that is long, so that nothing may move where the first item goes."""
    waiting, total = deque([1]), 0
    for k in range(n):
        waiting.append(xs[k % 4])
        waiting.append(k)
        if k % 3:
            total += waiting.popleft() * k
    return total, list(waiting)


def test_the_room_in_front_of_a_deque_is_used_again():
    xs = [3, 1, 4, 1]
    given = [(np.int64(n), xs) for n in (5, 100, 3000, 1)]
    staged = agreeing(taken_in_front, given)
    assert "typed_behead" in staged.inspect("loops")


def emptied(n, at):
    """An error amid the loop, after what was taken and set before."""
    waiting, taken = deque([n, 2, 5, 7]), []
    try:
        for k in range(n):
            waiting[at] = k
            taken.append(waiting.popleft())
            del waiting[at]
    except IndexError as error:
        return list(waiting), taken, str(error)
    return list(waiting), taken


def test_an_empty_deque_says_so():
    agreeing(emptied, [(np.int64(n), np.int64(at)) for n in (1, 9) for at in (0, 1)])


def shortest(edges, start):
    """Dijkstra's: a heap of tuples, whose first is of floats and ints."""
    best, waiting, order = {start: 0}, [(0, start)], []
    while waiting:
        length, at = heapq.heappop(waiting)
        if length > best[at]:
            continue
        order.append((length, at))
        for other, step in edges[at]:
            there = length + step
            if other not in best or there < best[other]:
                best[other] = there
                heapq.heappush(waiting, (there, other))
    return order, best


def test_a_heap_of_tuples_is_moved_by_the_loop():
    edges = [[(1, 4), (2, 1)], [(3, 1)], [(1, 2), (3, 5)], [(0, 1)], [(0, 2)]]
    staged = agreeing(shortest, [(edges, 0), (edges, 3), (edges, 4)])
    assert "table_find" in staged.inspect("loops")
    assert " = python " not in staged.inspect("loops")


def halves(xs):
    """Two heaps of numbers, and each step that heapq has for them."""
    low, high, found = [], [], []
    for x in xs:
        heapq.heappush(high, -heapq.heappushpop(low, -x))
        if len(high) > len(low):
            heapq.heappush(low, -heapq.heappop(high))
        if x > 90 and high:
            found.append(heapq.heapreplace(high, x))
        found.append(-low[0])
    return found, low, high


def test_heaps_of_numbers_are_moved_by_the_loop():
    xs = [k * 37 % 101 for k in range(60)]
    staged = agreeing(halves, [(xs,), (xs[::-1],), ([0.5 * x for x in xs],)])
    loops = staged.inspect("loops")
    assert "while" in loops
    assert " = python " not in loops


def emptied_heap(n):
    """heapq's own words, after what was done before."""
    heap, taken = [(n, 0)], []
    try:
        for k in range(9):
            if k < n:
                heapq.heappush(heap, (k % 3, k))
            taken.append(heapq.heappop(heap))
    except IndexError as error:
        return heap, taken, str(error)
    return heap, taken


def test_an_empty_heap_says_so():
    agreeing(emptied_heap, [(np.int64(n),) for n in (1, 3, 9)])


def greatest_of_windows(xs, k):
    """The ends of a deque are asked in each turn."""
    waiting, found = deque(), []
    for i, x in enumerate(xs):
        while waiting and xs[waiting[-1]] <= x:
            waiting.pop()
        waiting.append(i)
        if waiting[0] <= i - k:
            waiting.popleft()
        found.append(xs[waiting[0]])
    return found


def test_an_item_of_a_deque_is_no_call_of_python():
    xs = [k * 37 % 101 for k in range(60)]
    staged = agreeing(greatest_of_windows, [(xs, 5), (xs, 1)])
    assert " = python " not in staged.inspect("loops")


@pytest.mark.parametrize("seed", [2, 3, 5])
def test_random_searches_agree_with_python(seed, monkeypatch):
    monkeypatch.setattr(either, "FIRST", either.FIRST)
    assert tried(seed) is None
