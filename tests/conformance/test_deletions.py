"""`del` of what only some runs have bound."""

import numpy as np
import pytest

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
