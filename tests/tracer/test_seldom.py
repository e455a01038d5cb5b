"""Calls that are run as Python again and again: few of them look for a graph."""

import numpy as np
import pytest

import autograph as ag
from tracer.in_vain import MOST


def added(rows, others):
    others[0][0] = rows[0][0] + 1
    return rows[0][0] + others[0][0]


def counted(monkeypatch, staged):
    """Gets an item for each call of a Function that looks for a graph."""
    looks, look_up = [], staged.lookup._look_up
    monkeypatch.setattr(
        staged.lookup, "_look_up", lambda *of: looks.append(of) or look_up(*of)
    )
    return looks


def test_what_is_run_as_python_looks_for_a_graph_ever_more_seldom(monkeypatch):
    staged, rows, plain = ag.function(added), [[1.0, 2.0]], [[1.0, 2.0]]
    looks = counted(monkeypatch, staged)
    for _ in range(500):
        assert staged(rows, rows) == added(plain, plain)
    assert rows == plain
    assert 8 <= len(looks) <= 8 + 7 + 500 // MOST


def test_calls_of_another_kind_look_for_theirs(monkeypatch):
    staged, rows = ag.function(added), [[1.0, 2.0]]
    for _ in range(20):
        staged(rows, rows)
    looks = counted(monkeypatch, staged)
    for _ in range(4):
        staged([[1.0, 2.0], [3.0]], [[1.0], [2.0, 3.0]])
    assert len(looks) == 1
    assert staged.concrete_functions


def test_a_graph_is_used_again_soon(monkeypatch):
    staged, rows = ag.function(added), [[1.0, 2.0]]
    for _ in range(200):
        staged(rows, rows)
    for _ in range(MOST + 3):
        assert staged([[1.0, 2.0]], [[3.0, 4.0]]) == 3.0
    assert staged.concrete_functions
    looks = counted(monkeypatch, staged)
    for _ in range(5):
        assert staged([[1.0, 2.0]], [[3.0, 4.0]]) == 3.0
    assert looks == []
    # And a further one in vain is the first of its kind again.
    for _ in range(5):
        staged(rows, rows)
    assert len(looks) == 5


@pytest.mark.parametrize("count", [1, 7])
def test_few_looks_in_vain_leave_none_out(monkeypatch, count):
    staged, x = ag.function(lambda x: x.size), np.array("text")
    looks = counted(monkeypatch, staged)
    for _ in range(count):
        staged(x)
    assert len(looks) == count
