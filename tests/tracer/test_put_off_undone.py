"""What a trace has done that is put off is undone, or it goes on."""

import random
from collections import deque

import numpy as np
import pytest

import autograph as ag
from tests.conformance.harness import disagreement, observe
from tests.tracer.idle_calls import MANY, Counter, let_tick


@pytest.fixture(autouse=True)
def _ticking(monkeypatch):
    let_tick(monkeypatch)


class Once(Exception):
    """Raised by one of the programs."""


OUTSIDE, NAMES, ONE = [], {}, Counter(MANY)


def changing_outside(xs):
    for k in range(MANY):
        OUTSIDE.append(k)
        NAMES[k % 3] = len(OUTSIDE)
        ONE.last = k
        xs[k % len(xs)] += 1
    return len(OUTSIDE), ONE.last


def printing(xs):
    print("begin", len(xs))
    for k in range(MANY):
        xs[0] = k
    print("end", xs)
    return sum(xs)


def raising(xs):
    xs.append(0)
    for k in range(MANY):
        OUTSIDE.append(k)
        if k == MANY - 1:
            raise Once(k, len(OUTSIDE))


def drawing(xs):
    found = [random.random(), float(np.random.rand())]
    for k in range(MANY):
        xs[0] = k
    return found, random.random()


def with_finally(xs):
    made = deque()
    for k in range(MANY):
        try:
            made.append(xs[k])
        except IndexError:
            made.append(-1)
        finally:
            OUTSIDE.append(len(made))
    return list(made)


def generated(xs):
    def each():
        try:
            for k in range(MANY):
                yield k + 1
        finally:
            OUTSIDE.append("closed")

    return sum(each()), list(map(str, xs)), sorted(xs, key=lambda k: -k)


EFFECTS = [changing_outside, printing, raising, drawing, with_finally, generated]


@pytest.mark.parametrize("program", EFFECTS, ids=lambda one: one.__name__)
def test_what_a_trace_has_done_is_undone(program):
    def observed(function):
        random.seed(3)
        np.random.seed(3)
        OUTSIDE.clear()
        NAMES.clear()
        vars(ONE).pop("last", None)
        seen = []
        for _ in range(3):
            outcome = observe(function, ([3, 1, 2],))
            seen.append((outcome, [*OUTSIDE], {**NAMES}, vars(ONE).copy()))
        return seen, random.random(), np.random.rand()

    staged = ag.function(program)
    (plain, *drawn), (found, *drawn_too) = observed(program), observed(staged)
    assert drawn == drawn_too
    for (wanted, *state), (outcome, *state_too) in zip(plain, found, strict=True):
        assert disagreement(wanted, outcome) is None
        assert state == state_too
    assert not staged.concrete_functions


def test_an_iterator_goes_on_once():
    def taken(one, items):
        for k in range(one.turns):
            one.last = k
        return next(items), next(items)

    staged, items = ag.function(taken), iter(range(10))
    found = [staged(Counter(MANY), items) for _ in range(3)]
    assert found == [(0, 1), (2, 3), (4, 5)]


def test_what_may_have_acted_is_not_undone():
    seen = []

    @ag.do_not_convert
    def acts(k):
        seen.append(k)

    def run(one):
        acts(one.turns)
        return Counter.count(one)

    staged, one = ag.function(run), Counter(MANY)
    staged(one)
    assert seen == [MANY]
    assert len(staged.concrete_functions) == 1


def test_a_class_statement_is_not_run_twice():
    seen = []

    def run(one):
        class Own:
            seen.append(one.turns)

        return Own.__name__, Counter.count(one)

    staged = ag.function(run)
    staged(Counter(MANY))
    assert seen == [MANY]
