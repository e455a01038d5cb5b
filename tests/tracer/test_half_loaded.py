"""A trace looks at modules that another thread is half-way through loading."""

import contextlib
import sys
from types import ModuleType

import numpy as np
import pytest

import autograph as ag
from autograph.operators import with_
from runtime import quiet
from tracer import opaque, raising

NAMES = ["pathlib", "bdb", "decimal", "random"]


@pytest.fixture(params=NAMES)
def half_loaded(request, monkeypatch):
    """The module is there, and nothing in it yet."""
    monkeypatch.setitem(sys.modules, request.param, ModuleType(request.param))


def halved(x):
    with contextlib.suppress(KeyError):
        if x.sum() > 100.0:
            raise KeyError("too much")
        for _ in range(3):
            x = x / max(2.0, abs(x[0]))
    return x


def test_a_call_is_as_it_would_be(half_loaded, assert_same_as_python):
    assert_same_as_python(ag.function(halved), np.ones(3))


def test_nothing_is_of_what_is_not_there(half_loaded):
    assert not opaque._is_skipped(object())
    assert not raising._is_quitting(ValueError())
    assert not with_._is_setting(contextlib.suppress(KeyError))


def test_what_is_not_there_has_drawn_nothing(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", ModuleType("torch"))
    with quiet.drawing() as drawn:
        pass
    assert drawn == []
