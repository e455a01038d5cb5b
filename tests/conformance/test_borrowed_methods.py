"""Classes whose attributes are items, or whose special methods are others of C's."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.harness import disagreement, observe

ONE, TWO = np.float64(1.0), np.float64(-2.0)


class Record(dict):
    """Attributes are items, as in SciPy's results."""

    __getattr__ = dict.__getitem__
    __setattr__ = dict.__setitem__
    __delattr__ = dict.__delitem__

    def __deepcopy__(self, memo):
        return Record(self)


class Asked(dict):
    """What is not there is None."""

    __getattr__ = dict.get


class Pile(list):
    """Is called, and told by its length."""

    __call__ = list.append
    __bool__ = list.__len__
    __invert__ = list.copy


def sets(record, x):
    record.total = x * 2
    record.n += 1
    return record.total + record.n, record["total"]


def sets_by_data(record, x):
    if x > 0:
        record.n = x
        record.new = 1
    else:
        del record.n
    return record


def makes(record, x):
    made = Record(n=1)
    for k in range(3):
        made.n = made.n * x
        made[str(k)] = made.n
    made.inside = record
    return made, record.n


def asks(record, x):
    made = Asked(a=x)
    return made.a, made.b, made.b is None, Asked(record).n


def missing(record, x):
    try:
        return record.other
    except KeyError as error:
        return str(error), x


def piles(record, x):
    pile = Pile()
    pile(x)
    if x > 0:
        pile(x * 2)
    return pile, ~pile, len(pile)


@pytest.mark.parametrize(
    "program",
    [sets, sets_by_data, makes, asks, missing, piles],
    ids=lambda f: f.__name__,
)
def test_they_mean_what_they_mean_in_python(program):
    staged = ag.function(program)
    for x, n in [(ONE, 3), (TWO, 3), (TWO, 4), (ONE, 5)]:
        with ag.config(strict=False):
            python, graph = (observe(f, (Record(n=n), x)) for f in (program, staged))
        assert disagreement(python, graph) is None


def test_what_is_outside_is_changed_by_each_call_and_looked_at():
    record = Record(n=1)

    @ag.function
    def counts(x):
        record.n += 1
        record.last = x * record.n
        return record.n

    assert [counts(ONE), counts(TWO)] == [2, 3]
    record.n = 10
    assert counts(ONE) == 11
    assert repr(record) == "{'n': 11, 'last': np.float64(11.0)}"
