"""Calls that raise take their time: it decides how they are made, as that of others."""

from itertools import repeat

import pytest

import autograph as ag
from tests.tracer.timed_calls import Counted
from tracer.by_python import LOOK, Manner, run_as_python
from tracer.either_way import ORDER


def looked_up(table, key):
    if key not in table:
        raise KeyError(key)
    return table[key]


TABLE = {1: 1.5, 2: 2.5}


def missing(staged, key):
    with pytest.raises(KeyError) as raised:
        staged(TABLE, key)
    assert raised.value.args == (key,)


def timed(clock, seconds):
    """Calls whose key is an input of one trace, until their trial is over."""
    staged = ag.function(looked_up)
    for key in (1, 2, 3, 4, 5, 6):
        staged(TABLE, key) if key < 3 else missing(staged, key)
    counted = Counted(staged, clock, seconds)
    for key in range(2 + 2 * len(ORDER)):
        missing(staged, 10 + key)
    return staged, counted


def made_as_python(staged, counted, calls):
    before = counted.calls
    for key in range(calls):
        missing(staged, 10 + key % 20)
    return counted.calls - before


def test_calls_that_raise_are_pythons_where_that_is_faster(clock):
    staged, counted = timed(clock, 0.5)
    assert made_as_python(staged, counted, 50) == 50
    assert staged(TABLE, 2) == 2.5


def test_calls_as_python_that_raise_are_looked_at_now_and_then():
    staged, looks = ag.function(looked_up), []

    def look(owner, args, kwargs):
        looks.append(args)
        return owner.python_function(*args, **kwargs), repeat(None, LOOK)

    run = run_as_python((), {}, Manner(staged, False), None, look)
    for key in range(10 * (LOOK + 1)):
        with pytest.raises(KeyError):
            run(staged, (TABLE, -key), {})
    assert len(looks) == 10
