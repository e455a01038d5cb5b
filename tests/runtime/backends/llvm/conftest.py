"""For the tests of compiled programs: they leave machine code as often as need be."""

import os
import warnings
import zlib
from importlib import import_module

import numpy as np
import pytest

import autograph as ag
from runtime import store
from runtime.backends.llvm import hot, lane_trials, product_choice, rests
from tests.runtime.backends.llvm.kept_twice import kept_twice
from tracer import entering

# LLVM is loaded, so that what is little is compiled at once.
import_module("runtime.backends.llvm.engine")


@pytest.fixture(autouse=True, scope="session")
def _kept_where_that_is_asked_for(tmp_path_factory):
    # With KEPT_TWICE=1 all that the tests run is what an earlier process has kept.
    if os.environ.get("KEPT_TWICE") != "1":
        yield
        return
    with kept_twice(tmp_path_factory.mktemp("kept")) as counts:
        yield
    print(f"\nmachine code: {dict(counts)}")


@pytest.fixture(autouse=True)
def _leave_as_often_as_need_be(monkeypatch):
    monkeypatch.setattr(hot, "LEAVINGS", 1_000_000)


@pytest.fixture(autouse=True)
def _have_lanes_whatever_they_cost(monkeypatch):
    monkeypatch.setattr(lane_trials, "TIMED", False)


@pytest.fixture(autouse=True)
def _warnings_are_usual():
    # Where a warning is an error, what writes into arrays stays Python.
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        yield
    assert not told, [str(one.message) for one in told]


@pytest.fixture(autouse=True)
def _calls_are_python_in_half_of_the_tests(request, monkeypatch):
    """What an entry has is the program's loops once more: one of both ways is compiled.

    LLVM is half of what tests take. `with_entries` marks those that ask for entries.
    """
    is_asked_for = request.node.get_closest_marker("with_entries") is not None
    if not is_asked_for and zlib.crc32(request.node.nodeid.encode()) & 1:
        monkeypatch.setattr(entering, "is_asked_for", lambda: False)


@pytest.fixture
def noted_in_machine_code(monkeypatch):
    """All is compiled, and what notes something stays so.

    Python would make the first runs anew in which something is noted.
    """
    monkeypatch.setattr(rests, "MADE_ANEW", 0)
    with ag.config(backend="native"), np.errstate(all="ignore"):
        yield


@pytest.fixture
def by_three():
    """All is compiled at once, and shared by three threads."""
    with ag.config(backend="native", num_threads=3):
        yield


@pytest.fixture
def kept_folder(tmp_path):
    """A folder of the test's own for machine code; all is compiled at once."""
    store._kept.clear()
    with ag.config(cache_dir=tmp_path / "kept", backend="native"):
        yield tmp_path / "kept"
    store._kept.clear()


@pytest.fixture
def afresh():
    """Nothing is known of any sizes."""
    product_choice._choice.cache_clear()
    yield
    product_choice._choice.cache_clear()
