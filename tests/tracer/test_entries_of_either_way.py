"""Calls that are timed by the graph and as Python get their entry, too."""

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import hot
from tests.tracer.timed_calls import (
    GRAPH,
    Counted,
    calls_as_python,
    runs_of,
    tried,
    until_kept,
)
from tracer import either_way, entering, entries
from tracer.either_way import ORDER, WON, EitherWay


def test_an_entry_that_calls_the_graph_waits_for_the_trial(clock, monkeypatch):
    pytest.importorskip("llvmlite")
    monkeypatch.setattr(entering, "is_asked_for", lambda: True)
    monkeypatch.setattr(hot, "is_asked_for", lambda: True)
    monkeypatch.setattr(entering, "CALLS", 20)
    looks, made = [], entries.EntryOfCall
    monkeypatch.setattr(
        entries, "EntryOfCall", lambda *of: looks.append(of) or made(*of)
    )
    awaited = [float("inf")]
    monkeypatch.setattr(either_way, "seconds_awaited", lambda run: awaited[0])
    x = np.eye(3)
    # There is no machine code of it: the entry calls the graph.
    staged = ag.function(lambda x: np.nanmedian(x))
    staged(x)
    counted = Counted(staged, clock, 3 * GRAPH)
    calls_as_python(staged, counted, x, calls=40)
    assert not staged._short.entries
    assert len(looks) <= 1 + 40 // 20
    awaited[0] = 0.0
    until_kept(staged, x)
    assert counted.calls == WON * len(ORDER) // 2
    calls_as_python(staged, counted, x, calls=40)
    assert staged._short.entries
    assert staged(x) == 0.0


def twice_and_one(x):
    return x * 2 + 1


@pytest.fixture
def entered_soon(clock, monkeypatch):
    """Entries are compiled when they are asked for; calls are short enough."""
    pytest.importorskip("llvmlite")
    monkeypatch.setattr(hot, "is_asked_for", lambda: True)
    monkeypatch.setattr(entering, "SECONDS_A_CALL", 10.0)
    monkeypatch.setattr(either_way, "FELT", 5.0)
    return clock


def test_one_long_call_does_not_keep_an_entry_away(entered_soon, monkeypatch):
    late = iter([0.0])
    monkeypatch.setattr(either_way, "clock", lambda: entered_soon() + next(late, 1e3))
    monkeypatch.setattr(entering, "CALLS", 20)
    monkeypatch.setattr(either_way, "CALLS_ENTERING", 20)
    x = np.arange(4.0)
    staged, counted = tried(twice_and_one, entered_soon, 0.5, x)
    assert calls_as_python(staged, counted, x, calls=30) == 0
    assert staged._short.entries
    assert staged(x).tolist() == [1.0, 3.0, 5.0, 7.0]


def test_calls_as_python_get_their_entry(entered_soon, monkeypatch):
    monkeypatch.setattr(either_way, "CALLS_ENTERING", 2)
    x = np.arange(4.0)
    staged, counted = tried(twice_and_one, entered_soon, 0.5, x)
    staged(x)
    assert not staged._short.entries
    (python,) = runs_of(staged)
    assert not isinstance(python, EitherWay)
    assert calls_as_python(staged, counted, x, calls=600) > 0
    assert staged._short.entries
    assert calls_as_python(staged, counted, x, calls=600) == 0
    # What the entry does not take is the graph's.
    assert python not in runs_of(staged)


def test_long_calls_as_python_get_no_entry(entered_soon, monkeypatch):
    monkeypatch.setattr(either_way, "CALLS_ENTERING", 2)
    monkeypatch.setattr(either_way, "FELT", 0.5)
    x = np.arange(4.0)
    staged, counted = tried(twice_and_one, entered_soon, 0.5, x)
    calls_as_python(staged, counted, x, calls=600)
    assert not staged._short.entries
