"""Traces that take long are not made, or not made again, until calls have earned it."""

import textwrap
import warnings

import numpy as np
import pytest

import autograph as ag
from autograph import conversion
from tests.tracer.idle_calls import MANY, STEP, Counter, let_tick
from tracer import idle, in_vain, many_traces, new_objects, waiting

# Turns that the traces of a call may take in all, and those of what has acted.
WHOLE = int(idle.MOST_AT_FIRST * idle.LIMIT / STEP)
ACTED = int((1 + idle.MOST_ACTED) * idle.LIMIT / STEP)


@pytest.fixture(autouse=True)
def _ticking(monkeypatch):
    let_tick(monkeypatch)


def chain_of(count):
    """A function of so many turns, each of which has operations."""
    turns = tuple(range(count))

    def chain(x):
        for k in turns:
            x = np.tanh(x) * 2 + k
        return x

    return chain


@pytest.mark.parametrize(("count", "traces"), [(WHOLE // 2, 1), (WHOLE + 9, 0)])
def test_a_trace_may_take_so_long_whatever_its_operations(count, traces):
    chain, x = chain_of(count), np.ones(3)
    staged = ag.function(chain)
    assert staged(x).tolist() == chain(x).tolist()
    assert len(staged.concrete_functions) == traces


def acting(one):
    text = textwrap.dedent("  a")
    for k in range(one.turns):
        text = text[:3] + str(k)
    return text


@pytest.mark.parametrize(("count", "traces"), [(MANY, 1), (ACTED + 9, 0)])
def test_what_has_acted_goes_on_for_longer_and_is_pythons_then(count, traces):
    staged, one = ag.function(acting), Counter(count)
    for _ in range(2):
        assert staged(one) == acting(one)
    assert len(staged.concrete_functions) == traces


def test_to_convert_a_function_costs_a_trace_nothing(monkeypatch):
    convert = conversion.convert_code

    def slowly(*given):
        for _ in range(2 * WHOLE):
            idle.thread_time()
        return convert(*given)

    def converted_first_here(x):
        for k in (1, 2, 3):
            x = x * 2 + k
        return x

    monkeypatch.setattr(conversion, "convert_code", slowly)
    staged, x = ag.function(converted_first_here), np.ones(3)
    assert staged(x).tolist() == converted_first_here(x).tolist()
    assert len(staged.concrete_functions) == 1


class Filled:
    """Made by a decorated function."""

    @ag.function
    def __init__(self, k):
        self.k = k


def test_an_object_made_by_a_decorated_function_is_undone(monkeypatch):
    asked, may_act = [], idle.may_act
    monkeypatch.setattr(idle, "may_act", lambda one: asked.append(one) or may_act(one))

    @ag.function
    def count(one):
        made = [Filled(k).k for k in range(one.turns)]
        return made, type(Filled(2)).__name__

    assert count(Counter(MANY)) == ([*range(MANY)], "Filled")
    assert not count.concrete_functions
    # It has a source, and is no part of what may have acted.
    assert Filled not in asked


def refused_after(count):
    """A function that no graph can be made for, after so many turns with operations."""
    chain = chain_of(count)

    def refused(x):
        found = []
        for v in chain(x):
            if v < 3:
                found.append({"x": v})
        for one in found:
            one["x"] += 1
        return found

    return refused


def traced(staged, monkeypatch):
    """A list that has an item for each trace that is begun from now on."""
    found, begin = [], idle.begin
    monkeypatch.setattr(idle, "begin", lambda: found.append(1) or begin())
    return found


@pytest.mark.parametrize(("count", "begun"), [(5, 3), (WHOLE // 4, 1)])
def test_what_was_refused_after_long_waits(count, begun, monkeypatch):
    refused = refused_after(count)
    staged = ag.function(refused)
    found = traced(staged, monkeypatch)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for size in (3, 4, 5):
            assert staged(np.ones(size)) == refused(np.ones(size))
    assert len([one for one in told if "without a graph" in str(one.message)]) == 1
    assert bool(idle.ledger.owed) == (begun == 1)
    assert len(found) >= begun if begun > 1 else len(found) <= 2


@pytest.mark.parametrize("owed", [0.0, idle.LOST + 0.1])
def test_within_calls_as_python_traces_wait_where_others_came_to_nothing(owed):
    inner, refused = ag.function(lambda x: x * 2), refused_after(1)

    @ag.function
    def outer(x):
        return refused(x), inner(x)

    idle.ledger.owed = idle.FACTOR * owed
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        outer(np.ones(3))
    assert len(inner.concrete_functions) == (not owed)
    # Another kind of call, from elsewhere, has its trace at once.
    inner(np.float64(2))
    assert len(inner.concrete_functions) == 1 + (not owed)


def test_calls_of_new_kinds_in_a_row_are_looked_at_seldom(monkeypatch):
    def length(x, key):
        return x * len(key)

    staged, looks = ag.function(length), []
    look = many_traces.ManyTraces.look
    monkeypatch.setattr(
        many_traces.ManyTraces,
        "look",
        lambda self, *given: looks.append(1) or look(self, *given),
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for n in range(many_traces.MANY):
            staged(1.5, ["a"] * n)
        looks.clear()
        for n in range(100, 500):
            assert staged(1.5, ["a"] * n) == 1.5 * n
    assert in_vain.FIRST < len(looks) < 30
    assert len(staged.concrete_functions) == many_traces.MANY
    staged.lookup._many.in_vain.note(found=True)
    looks.clear()
    staged(1.5, ["a"] * 501)
    assert looks


class Held:
    """An object for which a trace is made."""

    def __init__(self, k):
        self.k = k

    def double(self):
        self.k = self.k * 2
        return self.k


def traced_objects(monkeypatch, in_all):
    """How many of ten living objects have traces, where traces took so long in all."""
    monkeypatch.setattr(new_objects, "LONG_IN_ALL", in_all)
    staged = ag.function(Held.double)
    held = [Held(k) for k in range(10)]
    for one in held:
        for turn in range(2, 5):
            assert staged(one) == (one.k if turn else 0)
    return len(staged.concrete_functions)


def test_objects_have_traces_at_once_until_these_took_long(monkeypatch):
    assert traced_objects(monkeypatch, 1000.0) == 10
    assert traced_objects(monkeypatch, 0.0) == new_objects.FEW


def test_very_many_calls_with_new_objects_wait_as_one_kind(monkeypatch):
    monkeypatch.setattr(new_objects, "LONG_IN_ALL", 0.0)
    monkeypatch.setattr(waiting, "UNTIMED", 1.0)
    staged = ag.function(Held.double)
    looks, found = [], new_objects.NewObjects.found
    monkeypatch.setattr(
        new_objects.NewObjects,
        "found",
        lambda self, *given: looks.append(1) or found(self, *given),
    )
    kept = []
    for k in range(new_objects.MANY_CALLS + 50):
        kept.append(Held(k))
        assert staged(kept[-1]) == 2 * k
    looks.clear()
    for k in range(100):
        kept.append(Held(k))
        assert staged(kept[-1]) == 2 * k
    assert len(looks) < 5
    assert len(staged.concrete_functions) == new_objects.FEW


def test_short_refusals_add_up(monkeypatch):
    refused, sizes, spent = refused_after(5), (3, 4, 5), [0.0]
    first, second = ag.function(refused), ag.function(refused)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for size in sizes:
            first(np.ones(size))
            spent += first.lookup._put_off._refused.values()
        assert not first.lookup._put_off._known
        # Longer than each of them.
        longest = max(np.diff(spent).tolist())
        assert longest < 0.8 * spent[-1]
        monkeypatch.setattr(idle, "REFUSED", 1.1 * longest)
        for size in sizes:
            assert second(np.ones(size)) == refused(np.ones(size))
    assert second.lookup._put_off._known


class Book:
    def __init__(self):
        self.pages = {}

    def write(self, x):
        for k in range(MANY * len(self.pages)):
            x = (x, k)[0]
        self.pages[len(self.pages)] = x
        return x + len(self.pages)


def test_a_trace_for_another_form_of_what_is_changed_outside_is_timed_as_well():
    staged, book, plain = ag.function(Book.write), Book(), Book()
    for _ in range(3):
        assert staged(book, 1.0) == plain.write(1.0)
        assert book.pages == plain.pages
    assert len(staged.concrete_functions) == 1


def test_such_traces_may_take_as_long_as_a_first_one_in_all(monkeypatch):
    monkeypatch.setattr(idle, "MOST_AT_FIRST", 2)
    turns = tuple(range(MANY // 4))
    places = {}

    def grow(x):
        for k in turns:
            x = np.tanh(x) * 2 + k
        places[len(places)] = 1
        return x

    staged = ag.function(grow)
    for _ in range(12):
        assert staged(np.ones(2)).tolist() == grow(np.ones(2)).tolist()
    assert 1 < len(staged.concrete_functions) < 7
