"""Refused calls: the next one like them is refused without another trace."""

import gc
import sys
import traceback
import weakref
from types import SimpleNamespace

import numpy as np
import pytest

import autograph as ag

pytestmark = pytest.mark.usefixtures("others_set_aside")

X = np.ones(3)
MOVES = True


@pytest.fixture(autouse=True)
def _strict():
    with ag.config(strict=True):
        yield


def moved(x):
    items = [{"at": one} for one in x if one > 0]
    items[0]["at"] += 1
    return items


def by_global(x, scale=2.0):
    return moved(x) if MOVES else x * scale


def by_attribute(x, state):
    return moved(x) if state.rows[1][1] is True else x + state.rows[1][0]


def said(call, *arguments):
    """All that the traceback of a refused call shows."""
    try:
        call(*arguments)
    except TypeError:
        return traceback.format_exc()
    raise AssertionError("it was not refused")


@pytest.fixture
def untraced(monkeypatch):
    """Makes a Function fail that is traced once more."""
    return lambda staged: monkeypatch.setattr(staged.lookup, "specialize", None)


@pytest.mark.parametrize("arguments", [(X,), (X, "a")])
def test_a_second_call_says_the_same_without_a_trace(arguments, untraced):
    staged, told = ag.function(by_global), []
    for _ in range(3):
        told.append(said(staged, *arguments))
        untraced(staged)
    assert told == told[:1] * 3
    assert told[0].count("in moved") == 2  # an entry, and a note


def test_a_refused_call_is_tried_again_when_a_global_has_changed(monkeypatch):
    staged = ag.function(by_global)
    said(staged, X)
    monkeypatch.setitem(globals(), "MOVES", False)
    assert staged(X).tolist() == [2.0, 2.0, 2.0]
    monkeypatch.undo()
    said(staged, X)
    assert staged.concrete_functions


def test_a_refused_call_is_tried_again_when_what_an_object_holds_has_changed(untraced):
    staged = ag.function(by_attribute)
    state = SimpleNamespace(rows=[[1, 2], [3, True]])
    first = said(staged, X, state)
    state.rows[1][1] = False
    assert staged(X, state).tolist() == [4.0, 4.0, 4.0]
    state.rows[1][1] = True
    assert said(staged, X, state) == first
    untraced(staged)
    assert said(staged, X, state) == first


def test_calls_with_other_arguments_are_traced():
    staged = ag.function(lambda x, moves: moved(x) if moves else x)
    for _ in range(2):
        said(staged, X, True)
        assert staged(X, False) is X


def test_a_new_code_is_tried():
    def program(x):
        return moved(x)

    staged = ag.function(program)
    said(staged, X)
    program.__code__ = (lambda x: x + 1).__code__
    assert staged(X).tolist() == [2.0, 2.0, 2.0]


def test_a_graph_that_is_asked_for_by_name_is_tried_again(monkeypatch):
    staged, tried = ag.function(by_global), []
    said(staged, X)
    made = staged.lookup.specialize
    monkeypatch.setattr(
        staged.lookup, "specialize", lambda *of: tried.append(of) or made(*of)
    )
    said(staged.get_concrete_function, X)
    assert tried


KEPT = [1.0]


def appending(x, items):
    items.append(2.0)
    KEPT[0] = len(KEPT)
    return moved(x)


@pytest.mark.parametrize("is_first", [True, False])
def test_a_list_that_is_met_twice_is_told_from_one_that_is_not(is_first):
    staged = ag.function(appending)
    if is_first:
        said(staged, X, [1.0])
    # As Python, where the list from outside is passed.
    found = staged(X, KEPT)
    assert (found[0], len(found), KEPT) == ({"at": 2.0}, 3, [2, 2.0])
    KEPT[:] = [1.0]
    said(staged, X, [1.0])


def test_what_was_refused_keeps_nothing_alive():
    class Model:
        rows = ((1, 2), (3, True))

    staged, model, x = ag.function(by_attribute), Model(), np.ones(3)
    said(staged, x, model)
    gone = weakref.ref(model), weakref.ref(x)
    del model, x
    gc.collect()
    assert [one() for one in gone] == [None, None]


def of_objects(x):
    return np.array([x, None], object)[1]


def own_memory(x):
    return x.base is None


@pytest.mark.parametrize("function", [of_objects, own_memory])
def test_what_no_graph_serves_keeps_nothing_alive(function):
    """The error that says so was raised by each call, and held what each was given."""
    staged, x = ag.function(function), np.ones(3)
    with ag.config(strict=False):
        for _ in range(3):
            assert staged(x) == function(x)
    gc.collect()
    before = sys.getrefcount(x)
    with ag.config(strict=False):
        for _ in range(50):
            staged(x)
    assert sys.getrefcount(x) == before
    gone = weakref.ref(x)
    del x
    gc.collect()
    assert gone() is None


def test_so_many_refusals_are_kept():
    staged = ag.function(by_global)
    for n in range(150):
        said(staged, X, str(n))
    assert len(staged.lookup._refusals._known) <= 100
