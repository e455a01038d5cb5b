"""Searches: what waits in a deque, and what has been met, in loops of machine code."""

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


@pytest.mark.parametrize("seed", [2, 3, 5])
def test_random_searches_agree_with_python(seed, monkeypatch):
    monkeypatch.setattr(either, "FIRST", either.FIRST)
    assert tried(seed) is None
