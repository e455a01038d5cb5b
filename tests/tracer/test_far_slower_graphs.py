"""Calls that a graph takes far longer for than Python are Python's after a few."""

from contextlib import nullcontext

import numpy as np
import pytest

from tests.tracer.timed_calls import GRAPH, calls_as_python, total, tried
from tracer import either_way
from tracer.by_python import LOOK
from tracer.either_way import AGAIN, FAR, MOST_LONG, ORDER, SURE

XS, Y = np.arange(3.0), 1.0
# What a call as Python takes, less than the graph's by more than FAR.
QUICK = GRAPH / (100 * FAR)


def test_a_few_calls_of_each_kind_tell(clock):
    _, counted = tried(total, clock, QUICK, XS, Y)
    # Some before the trial, and as many in it as are enough.
    assert 1 + MOST_LONG + len(ORDER) - counted.calls <= 1 + MOST_LONG + SURE


def test_a_trial_is_a_small_part_of_the_time_until_the_next(clock):
    staged, counted = tried(total, clock, QUICK, XS, Y)
    calls = calls_as_python(staged, counted, XS, Y, calls=4 * AGAIN)
    assert calls == 4 * AGAIN  # GRAPH / QUICK of them are a call by the graph


@pytest.fixture
def making(monkeypatch):
    """Machine code is being made, until a test says otherwise."""
    making = [True]
    monkeypatch.setattr(either_way, "seconds_awaited", lambda run: float("inf"))
    monkeypatch.setattr(either_way, "is_making", lambda run: making[0])
    monkeypatch.setattr(either_way, "MOST_CALLS", LOOK)
    return making


def test_calls_are_pythons_while_machine_code_is_made(clock, making):
    staged, counted = tried(total, clock, QUICK, XS, Y)
    calls = calls_as_python(staged, counted, XS, Y, calls=100)
    assert calls == 100
    making[0] = False
    assert calls_as_python(staged, counted, XS, Y, calls=AGAIN // 2) < AGAIN // 2


def test_a_graph_that_is_little_slower_is_waited_for(clock, making):
    staged, counted = tried(total, clock, GRAPH / 2, XS, Y)
    # Who never asks the graph does not learn that machine code is there.
    assert 25 < calls_as_python(staged, counted, XS, Y, calls=100) < 75


class Working:
    """Machine code that takes more than half of the run, and less with the search."""

    def __init__(self, clock):
        self.seconds = 0.3 * GRAPH

    def of(self, run):
        return nullcontext()


def test_what_it_takes_to_look_at_what_is_passed_is_the_graphs(clock, monkeypatch):
    monkeypatch.setattr(either_way, "Spent", Working)
    staged, counted = tried(total, clock, QUICK, XS, Y)
    assert calls_as_python(staged, counted, XS, Y, calls=10) == 10
