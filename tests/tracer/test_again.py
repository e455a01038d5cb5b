"""A graph that fails where Python does not is wrong, and says so."""

import hashlib
import io

import numpy as np
import pytest

import autograph as ag


@pytest.fixture
def broken(monkeypatch):
    """A function that changes its list, whose graph fails when it runs."""

    @ag.function
    def function(x, held):
        held[0] = x.sum()
        return x

    concrete = function.get_concrete_function(np.ones(2), [1.0])
    assert concrete.made_again

    def fails(*_):
        raise KeyError("only in the graph")

    monkeypatch.setattr(concrete, "run", fails)
    return function


def test_a_graph_that_fails_where_python_does_not_is_not_covered_up(broken):
    with pytest.raises(KeyError, match="only in the graph"):
        broken(np.ones(2), [1.0])


def test_what_is_called_before_a_trace_raises_is_called_once():
    # The index may fail when it runs, so without the calls Python would run it again.
    digest = hashlib.sha256()

    @ag.function
    def function(x, i):
        x[i]
        digest.update(b"a")
        raise ValueError("always")

    with pytest.raises(ValueError, match="always"):
        function(np.ones(3), np.int64(1))
    assert digest.digest() == hashlib.sha256(b"a").digest()


def test_what_is_made_before_a_trace_raises_is_made_once(tmp_path):
    path = tmp_path / "made"

    @ag.function
    def function(x, i):
        x[i]
        io.FileIO(path, "x").close()  # which raises where the file is there
        raise ValueError("always")

    with pytest.raises(ValueError, match="always"):
        function(np.ones(3), np.int64(1))


def test_what_nobody_converts_is_called_once_where_a_trace_raises():
    called = []

    @ag.do_not_convert
    def note():
        called.append(1)

    @ag.function
    def function(x, i):
        x[i]
        note()
        raise ValueError("always")

    with pytest.raises(ValueError, match="always"):
        function(np.ones(3), np.int64(1))
    assert called == [1]
