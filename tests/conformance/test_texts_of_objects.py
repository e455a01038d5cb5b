"""Texts of objects that hold what a run has, and of lists, tuples and dicts of them."""

import numpy as np
import pytest

from tests.conformance.things import Record, Thing
from tests.conformance.trying import check


def holds_one_of_two(x, kind):
    thing = kind(3)
    if x > 1:
        thing.items = 1
    print(thing, x)
    print([thing], {"k": thing}, (thing,), [], {}, ())
    return (
        str(thing),
        f"{thing} {[thing]!s:}",
        repr((thing, x)),
        str({x.dtype: [thing]}),
    )


def holds_a_number(x, kind):
    thing = kind(x + 1)
    print([thing, "text"], {1: (thing,)}, sep="|")
    return f"{[thing]}", str((thing,)), repr({"k": [thing, x]})


@pytest.mark.parametrize("kind", [Thing, Record])
@pytest.mark.parametrize("function", [holds_one_of_two, holds_a_number])
def test_the_text_is_that_of_what_the_object_holds_then(function, kind):
    check(function, ((np.int64(0), kind), (np.int64(3), kind)))


def made_by_a_library(x):
    thing = Thing(3)
    if x > 1:
        thing.items = 1
    return "%s" % thing, "{}".format(thing)  # noqa: UP031, UP032


def test_a_text_that_a_library_makes_of_it_is_that_of_the_run():
    check(made_by_a_library, ((np.int64(1),), (np.int64(3),)))


def of_a_list(x, function):
    found = [x, 3][: x % 3]
    return function(found)


@pytest.mark.parametrize("function", [int, float, complex, abs, round, hash, ord, chr])
def test_a_list_is_no_number_however_long_it_is(function):
    check(of_a_list, ((np.int64(2), function), (np.int64(3), function)))
