"""Lists and dicts that a program makes where a loop or branch changes them."""

import numpy as np
import pytest

import autograph as ag


def list_of_a_loop_body(n):
    turns = 0
    while n > 0:
        found = []
        found.append(n)
        n -= found[0]
        turns += 1
    return turns


def list_of_known_length(n):
    total = n * 0
    for i in range(n):
        pair = [i, n]
        pair[0] = pair[0] + 1
        total += pair[0] + pair[1]
    return total


def dict_of_a_loop_body(n):
    total = n * 0
    for i in range(n):
        found = {"i": i}
        found["twice"] = i * 2
        total += found["i"] + found["twice"]
    return total


def list_of_a_repeated_item(n):
    total = n * 0
    for i in range(n):
        row, head = [0] * 3, [i] + [1] * 2
        row[1] = i
        head[2] = row[1] + 1
        total += row[0] + row[1] + head[0] + head[2]
    return total


def copies_of_a_list(n):
    base = [0, 1]
    total = n * 0
    for i in range(n):
        mine, yours = base.copy(), list(base)
        mine[0] = i
        yours[1] = mine[0] + 1
        total += mine[0] + yours[1]
    return total + base[0]


def comprehension_of_a_loop_body(n):
    total = n * 0
    for i in range(n):
        found = [i * k for k in range(3)]
        found.append(i)
        total += sum(found)
    return total


def nested_lists_of_a_branch(n):
    if n > 2:
        grid = [[n], []]
        grid[1].append(n * 2)
        result = grid[0][0] + grid[1][0]
    else:
        result = n
    return result


def helper(n):
    found = []
    found.append(n * 2)
    return found[0]


def list_of_a_callee(n):
    total = n * 0
    for i in range(n):
        total += helper(i)
    return total


def list_of_targets(n):
    while n > 0:
        [n, _old] = [n - 2, n]
    return n


PROGRAMS = [
    list_of_a_loop_body,
    list_of_known_length,
    list_of_a_repeated_item,
    copies_of_a_list,
    dict_of_a_loop_body,
    comprehension_of_a_loop_body,
    nested_lists_of_a_branch,
    list_of_a_callee,
    list_of_targets,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_container_made_in_a_staged_body_is_the_bodys_own(program):
    for n in map(np.int64, (0, 1, 5)):
        assert ag.function(program)(n) == program(n)
