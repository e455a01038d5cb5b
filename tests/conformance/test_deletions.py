"""`del` of what only some runs have bound."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import Programs, check

BOTH = ((np.float64(1.0),), (np.float64(-1.0),))
PROGRAMS = Programs()


@PROGRAMS(*BOTH)
def a_name_in_a_try(x):
    if x > 0:
        z = 1
    try:
        del z
    except UnboundLocalError as e:
        return str(e)
    return "ok"


@PROGRAMS(*BOTH)
def a_name(x):
    if x > 0:
        z = 1
    del z
    return "ok"


@PROGRAMS(*BOTH)
def a_name_twice(x):
    z = 1
    if x > 0:
        del z
    try:
        del z
        w = 1
    except UnboundLocalError:
        w = 2
    return w


@PROGRAMS(*BOTH)
def an_attribute(x):
    class Thing:
        pass

    o = Thing()
    if x > 0:
        o.a = 1
    try:
        del o.a
    except AttributeError as e:
        return str(e)
    return hasattr(o, "a")


@PROGRAMS(*BOTH)
def a_key(x):
    d = {}
    if x > 0:
        d["a"] = 1
    try:
        del d["a"]
    except KeyError as e:
        return str(e)
    return d


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_what_is_not_there_is_not_deleted(function, arguments):
    check(function, arguments)


class Holder:
    pass


HELD = Holder()


def set_anew_by_data(x):
    if x > 0:
        del HELD.a
        HELD.a = x
    return x


def set_anew_in_rounds(x):
    for k in range(int(x)):
        del HELD.a
        HELD.a = x + k
    return x


@pytest.mark.parametrize("function", [set_anew_by_data, set_anew_in_rounds])
def test_an_attribute_set_anew_on_some_path_stands_last_there_alone(function):
    staged = ag.function(function)
    for x in (1.0, -1.0, 2.0, -2.0):
        found = []
        for one in (function, staged):
            vars(HELD).clear()
            HELD.a, HELD.b = 0.0, 1.0
            one(np.float64(x))
            found.append(list(vars(HELD).items()))
        assert found[0] == found[1]
