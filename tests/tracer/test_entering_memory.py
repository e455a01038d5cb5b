"""Where memory ends inside a call by machine code, which CPython's own tests can bring
about: the call raises a MemoryError, or gives what it should.
"""

import numpy as np
import pytest

import autograph as ag
from tests.tracer.entered import (
    at_once,  # noqa: F401 # a fixture
    entries_of,
    warm,
)
from tests.tracer.warm_calls import X, i

pytestmark = pytest.mark.usefixtures("at_once")
memory = pytest.importorskip("_testcapi")


def views_and_numbers(x):
    return x[1:], x[0], (x[1], x[2] * 2, 3.5)


def made_by_python(x):
    return {"a": x + 1}


def picked(x, n):
    return x[n], n + 1, n * 2.5


def opened(p):
    return p["a"][0] * 2


CASES = [
    *((lambda x: x * 2 + 1, (X,)), (views_and_numbers, (X,)), (made_by_python, (X,))),
    *((picked, (X, i(1))), (opened, ({"a": X},))),
]


@pytest.mark.parametrize(("function", "args"), CASES, ids=lambda x: str(x)[:20])
def test_a_call_without_memory_raises_or_is_right(function, args):
    f = ag.function(function)
    expected = repr(warm(f, *args))
    assert len(entries_of(f)) == 1
    found = []
    for k in range(12):
        try:
            found.append(repr(_without_memory(f, args, k)))
        except MemoryError:
            continue
    assert set(found) <= {expected}


def _without_memory(f, args, after=0):
    """The call, in which there is no memory for the one object after so many."""
    memory.set_nomemory(after, after + 1)
    try:
        return f(*args)
    finally:
        memory.remove_mem_hooks()


def test_the_end_of_memory_is_met():
    # So the test above has something to find.
    f = ag.function(picked)
    warm(f, X, i(1))
    args = X, i(1)
    with pytest.raises(MemoryError):
        _without_memory(f, args)
    assert f(X, i(1)) == (np.float64(2.0), 2, 2.5)
