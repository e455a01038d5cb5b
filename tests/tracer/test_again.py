"""A graph that fails where Python does not is wrong, and says so."""

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
