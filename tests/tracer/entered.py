"""What the tests of calls by machine code share: entries made at once, and asked."""

import warnings

import pytest

import autograph as ag
from runtime.backends.llvm import hot
from runtime.vectored import MISS
from tracer import entering


@pytest.fixture
def at_once(monkeypatch):
    """Entries are made by the first calls."""
    _set(monkeypatch, True)


@pytest.fixture(params=["python", "machine code"])
def both_ways(request, monkeypatch):
    """Calls by Python, and by entries that the first calls make."""
    _set(monkeypatch, request.param == "machine code")


@pytest.fixture
def usual_warnings():
    """Warnings are no errors: where they are, what writes into arrays is Python's."""
    with warnings.catch_warnings(record=True) as told:
        warnings.resetwarnings()
        warnings.simplefilter("always")
        yield
    assert not told, [str(one.message) for one in told]


def not_at_once(monkeypatch):
    """Entries are made when they are worth it."""
    _set(monkeypatch, False)


def _set(monkeypatch, is_asked_for):
    for module in (entering, hot):
        monkeypatch.setattr(module, "is_asked_for", lambda: is_asked_for)


def entries_of(function):
    return function._entries[:-1]


def warm(function, *args, **kwargs):
    """Call it until it has its entries; gives the last result."""
    for _ in range(3):
        result = function(*args, **kwargs)
    return result


def takes(function, *args, **kwargs):
    """Whether one of its entries takes a call; the call is made."""
    return any(entry(*args, **kwargs) is not MISS for entry in entries_of(function))


@ag.function
def linear(x):
    return x * 2 + 1
