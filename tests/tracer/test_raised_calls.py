"""Calls whose trace raises what the program raises: further ones are Python's."""

import numpy as np
import pytest

import autograph as ag
from tests.tracer.idle_calls import let_tick
from tracer import idle, waiting
from tracer.raised_calls import MANY

X = np.ones(3)
SCALES = {"metre": 1.0, "inch": 0.0254}


def scaled(x, unit):
    if unit not in SCALES:
        raise ValueError(f"no such unit: {unit}")
    return x * SCALES[unit]


def traced(monkeypatch, staged):
    """Gets an item for each trace of a Function."""
    found, made = [], staged.lookup.specialize
    monkeypatch.setattr(
        staged.lookup, "specialize", lambda *of: found.append(of) or made(*of)
    )
    return found


def test_a_call_that_raises_is_traced_once(monkeypatch):
    staged = ag.function(scaled)
    traces = traced(monkeypatch, staged)
    for _ in range(5):
        with pytest.raises(ValueError, match="no such unit: mile"):
            staged(X, "mile")
    assert len(traces) == 1


def test_calls_with_another_constant_have_their_graph(monkeypatch):
    staged = ag.function(scaled)
    traces = traced(monkeypatch, staged)
    for _ in range(4):
        with pytest.raises(ValueError, match="mile"):
            staged(X, "mile")
        assert staged(X, "inch").tolist() == [0.0254] * 3
    assert len(traces) == 2
    assert len(staged.concrete_functions) == 1


def test_calls_that_raise_no_more_have_their_graph_again(monkeypatch):
    staged = ag.function(scaled)
    for _ in range(2):
        with pytest.raises(ValueError, match="mile"):
            staged(X, "mile")
    monkeypatch.setitem(SCALES, "mile", 1609.0)
    for _ in range(2):
        assert staged(X, "mile").tolist() == [1609.0] * 3
    assert len(staged.concrete_functions) == 1


def joined(x, y, names):
    names.append("joined")
    return x + y


def test_what_it_changes_before_it_raises_is_changed_once_by_each_call():
    staged, names, told = ag.function(joined), [], []
    for _ in range(4):
        with pytest.raises(ValueError, match="operands could not be broadcast") as info:
            staged(X, np.ones(2), names)
        told.append(str(info.value))
    assert names == ["joined"] * 4
    assert told == told[:1] * 4
    assert staged(X, np.ones((2, 3)), names).shape == (2, 3)


def test_arrays_of_another_dtype_are_another_call():
    def inverted(x, n):
        return ~x + n

    staged = ag.function(inverted)
    for _ in range(3):
        with pytest.raises(TypeError, match="ufunc 'invert' not supported"):
            staged(X, 1)
        assert staged(X.astype(int), 1).tolist() == [-1] * 3
    assert len(staged.concrete_functions) == 1


def refused(staged, x, unit):
    with pytest.raises(ValueError, match=f"no such unit: {unit}"):
        staged(x, unit)


def test_many_calls_that_raise_are_told_by_their_types(monkeypatch):
    let_tick(monkeypatch)
    monkeypatch.setattr(waiting, "UNTIMED", 1.0)
    staged = ag.function(scaled)
    assert staged(X, "inch").tolist() == [0.0254] * 3
    refused(staged, X, "mile")
    assert len(staged._short.readers[2]) == 1
    for _ in range(MANY + 1):
        refused(staged, X, "mile")
    assert len(staged._short.readers[2]) == 2
    looks, call = [], staged.lookup.call
    monkeypatch.setattr(
        staged.lookup, "call", lambda *of: looks.append(of) or call(*of)
    )
    for k in range(20):
        refused(staged, X, f"{k} miles")
    assert len(looks) < 5
    assert staged(X, "inch").tolist() == [0.0254] * 3


def test_traces_that_raise_are_to_be_earned(monkeypatch):
    let_tick(monkeypatch)
    monkeypatch.setattr(idle, "REFUSED", 0.0)
    staged = ag.function(scaled)
    traces = traced(monkeypatch, staged)
    for k in range(5):
        refused(staged, X, f"{k} miles")
    assert len(traces) == 1
