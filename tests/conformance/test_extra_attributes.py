"""Attributes of dataclasses that are no fields."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.things import Record, Thing
from tests.conformance.trying import check


def set_in_a_branch(x):
    record = Record(x)
    record.extra = 5
    if x > 1:
        record.extra, record.n = x, 3
    return record.extra, str(record)


def of_an_argument(x, record):
    if x > 1:
        return record.extra + record.n
    record.extra = x + 1
    return vars(record)["extra"]


def set_on_one_path_of_a_try(x, y):
    record = Record(1)
    try:
        if y < 2:
            record = Thing(2)
        elif x:
            record.extra = x
        else:
            return 0
        if x > 1:
            if 6 / x > 2:
                record = Thing(3)
    except ValueError:
        y = y + 2
    return str(record), getattr(record, "extra", 0), y


def by_their_dict(x):
    record = Record(x)
    if x > 1:
        record.extra = 5
    return sorted(vars(record)), record.__dict__.get("extra", 7)


def of_a_class_that_the_call_makes(x):
    class Counted:
        made = 0

        def __init__(self):
            Counted.made += 1

    for _ in range(2):
        Counted()
    if x > 1:
        Counted()
    return Counted.made


def test_what_no_graph_tells_of_them_is_what_python_tells():
    calls = (np.int64(0),), (np.int64(3),)
    check(by_their_dict, calls)
    check(of_a_class_that_the_call_makes, calls)


def test_they_are_seen_and_changed_as_fields_are():
    check(set_in_a_branch, ((np.int64(0),), (np.int64(3),)))


@pytest.mark.parametrize("x", [0, 1, 2, 6])
def test_one_that_a_path_sets_beside_another_object_in_a_try(x):
    calls = [(np.int64(x), np.float64(y)) for y in (0.5, 5.5)]
    check(set_on_one_path_of_a_try, tuple(calls))


@pytest.mark.parametrize("n", [0, 3])
def test_those_of_an_argument_are_changed_for_the_caller(n):
    plain, given = Record(3), Record(3)
    plain.extra, given.extra = 4, 4
    staged = ag.function(of_an_argument)(np.int64(n), given)
    assert staged == of_an_argument(np.int64(n), plain)
    assert vars(given) == vars(plain)
