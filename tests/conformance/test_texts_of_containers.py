"""Texts of the containers of `collections` that hold what a run knows; odd keywords."""

from collections import Counter, OrderedDict, defaultdict, deque

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import check


def ordered(x):
    d = OrderedDict(a=x, b=x.sum())
    d.move_to_end("a")
    print(d, str(d))
    return f"{d!r}"


def defaulted(x):
    d = defaultdict(list)
    d["a"].append(x)
    d["b"] = x[0] * 2
    print(d)
    return "%s" % (d,)  # noqa: UP031 - what is tried


def counted(x):
    c = Counter()
    c["n"] += x[0]
    if x[1] > 1:
        raise ValueError(c)
    return str(c)


def queued(x):
    q = deque([x[0], 1], maxlen=2)
    q.append(x.sum())
    print(q)
    return repr(q), {"q": q}


@pytest.mark.parametrize("function", [ordered, defaulted, counted, queued])
def test_texts_are_those_of_python(function):
    check(function, ((np.array([1.0, 2.0]),), (np.array([3.0, 0.5]),)))


def test_an_argument_may_be_called_self():
    @ag.function
    def total(x, **others):
        return x + others["self"]

    class Holder:
        @ag.function
        def total(this, x, **others):
            return x + others["self"]

    for _ in range(3):
        assert total(1.0, self=2.0) == 3.0
        assert Holder().total(1.0, self=2.0) == 3.0
    assert total.get_concrete_function(1.0, self=2.0)(1.0, self=2.0) == 3.0
