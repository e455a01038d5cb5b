"""Of which sizes it is asked whether ours is taken, and how that is tried."""

import itertools

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import own_time, product_choice, product_trial
from tests.runtime.backends.llvm.test_packed import (
    DTYPES,
    OTHER,
    SQUARE,
    TURNS,
    choice_of,
    entries,
    has_openblas,
    noted_sizes,
    product,
)

# Products of ours are timed.
pytestmark = [pytest.mark.usefixtures("by_three", "afresh"), pytest.mark.with_passes]


def asked(choice, sizes, monkeypatch):
    """Ask, by the default backend, of these sizes one after the other; the trials."""
    tried = []
    monkeypatch.setattr(product_choice, "found_by", lambda *_: None)
    monkeypatch.setattr(product_choice, "keep_as", lambda *_: None)
    monkeypatch.setattr(
        product_choice, "Trial", lambda _, one, layout: tried.append(one) or NoTrial()
    )
    with ag.config(backend="auto"):
        for one in sizes:
            choice._asked(*one, 0)
    return tried


class NoTrial:
    """Whose answer is NumPy's."""

    def parts(self):
        return product_trial.NUMPYS


def test_sizes_are_tried_when_they_have_come_often(monkeypatch):
    choice, sizes = choice_of("d"), (90, 91, 92)
    often = [sizes] * (product_choice.OFTEN - 1)
    assert asked(choice, [*often, (93, 91, 92)], monkeypatch) == []
    assert choice.table.count == 0
    assert asked(choice, [sizes], monkeypatch) == [(90, 91, 92)]
    assert entries(choice.table) == [(90, 91, 92, 0, 0)]


def test_no_more_is_asked_when_many_sizes_have_come(monkeypatch):
    monkeypatch.setattr(product_choice, "MANY", 20)
    choice = choice_of("d")
    assert asked(choice, [(90 + one, 91, 92) for one in range(19)], monkeypatch) == []
    assert choice.table.ask
    asked(choice, [(8, 91, 900)], monkeypatch)
    assert not choice.table.ask


@has_openblas
def test_small_products_do_not_take_the_room_of_large_ones(monkeypatch):
    monkeypatch.setattr(product_choice, "KNOWN_SMALL", 2)
    asked = noted_sizes(monkeypatch)
    staged = ag.function(product)
    for size in (30, 31, 32, 30, 80):
        x, y = SQUARE[:size, :size], OTHER[:size, :size]
        assert staged(x, y, TURNS).tobytes() == product(x, y, TURNS).tobytes()
    assert [one[0] for one in asked] == [30, 31, 80]


def test_of_many_small_sizes_large_ones_are_asked_all_the_same(monkeypatch):
    monkeypatch.setattr(product_choice, "MANY", 5)
    choice = choice_of("d")
    assert asked(choice, [(20 + one, 20, 50) for one in range(6)], monkeypatch) == []
    assert choice.table.ask
    assert choice.table.least == product_trial.LARGE


def test_ours_is_to_be_faster_where_openblas_has_no_threads():
    for size, is_fast in ((40, False), (80, True)):
        trial = product_trial.Trial(choice_of("d"), (size, size, size), 0)
        trial.took = 2 * trial.numpys
        assert trial.is_fast() is is_fast


def test_a_trial_of_a_small_product_times_the_product_alone(monkeypatch):
    clock = itertools.count(0.0, 2.0**-14)
    monkeypatch.setattr(own_time.time, "thread_time", lambda: next(clock))
    trial = product_trial.Trial(choice_of("d"), (32, 32, 32), 0)
    assert trial.numpys == 2.0**-14 / 9
    trial.parts()
    assert trial.took == 2.0**-14 / 9


@pytest.mark.parametrize("dtype", DTYPES)
def test_what_is_tried_differs_where_it_is_added_in_another_order(dtype):
    trial = product_trial.Trial(choice_of(dtype), (4000, 8, 64), 0)
    terms = trial.x * trial.y[:, 0]
    forth, back = (np.add.accumulate(terms[:, ::step], 1)[:, -1] for step in (1, -1))
    usual = np.abs(terms).max(1)
    assert (np.abs(forth) < usual / 100).mean() > 0.9
    assert (forth == back).mean() < 0.05


def test_who_asks_while_another_thread_fills_the_table_is_told_nothing(monkeypatch):
    monkeypatch.setattr(product_choice, "KNOWN", 1)
    choice = choice_of("d")
    for size in (90, 95):
        asked(choice, [(size, 91, 92)] * product_choice.OFTEN, monkeypatch)
    assert entries(choice.table) == [(90, 91, 92, 0, 0)]
