"""Objects that a function makes are each call's own, also where C has made them."""

import decimal
import enum
import hashlib
import threading
import xml.etree.ElementTree as ET

import numpy as np
import pytest

import autograph as ag

LOCK = threading.Lock()


def lock(x):
    return x + 1, threading.Lock()


def in_a_list(x):
    return x + 1, [threading.RLock()][0]


def digest(x):
    return x + 1, hashlib.sha256()


def element(x):
    return x + 1, ET.Element("a")


def context(x):
    return x + 1, decimal.Context(prec=3)


def error(x):
    return x + 1, ValueError(3)


class OwnError(Exception):
    def __init__(self, code):
        super().__init__(code)
        self.code = code


def own_error(x):
    return x + 1, OwnError(3)


def caught(x):
    try:
        int("a")
    except ValueError as error:
        return x + 1, error


def raised(x):
    try:
        raise OwnError(7)
    except OwnError as error:
        return x + 1, error


PROGRAMS = (
    *(lock, in_a_list, digest, element, context),
    *(error, own_error, caught, raised),
)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda one: one.__name__)
def test_each_call_has_one_of_its_own(program):
    staged = ag.function(program)
    found = [staged(np.ones(2))[1] for _ in range(4)]
    assert len(set(map(id, found))) == len(found)
    (want,) = {(type(one), str(getattr(one, "args", ""))) for one in found}
    plain = program(np.ones(2))[1]
    assert want == (type(plain), str(getattr(plain, "args", "")))


def test_one_from_outside_is_that_one():
    @ag.function
    def given(x):
        return x + 1, LOCK

    assert [given(np.ones(2))[1] is LOCK for _ in range(3)] == [True] * 3
    assert len(given.concrete_functions) == 1


def test_exceptions_in_a_result_have_a_graph_and_are_one_where_they_are_one():
    @ag.function
    def found(x):
        error = OwnError("a")
        return x + 1, error, [error]

    for _ in range(3):
        _, first, (second,) = found(np.ones(2))
        assert first is second
        assert first.code == "a"
        first.code = "b"
    assert len(found.concrete_functions) == 1


@pytest.mark.parametrize("end", [1.0, 0.0, np.nan])
def test_what_gives_its_argument_back_but_for_zeros_is_asked_at_the_run(end):
    def trim(x):
        return np.polynomial.polyutils.trimseq(x)

    x, staged = np.array([1.0, 2.0, end]), ag.function(trim)
    for _ in range(3):
        np.testing.assert_array_equal(staged(x), trim(x))
        assert (staged(x) is x) == (trim(x) is x)


def test_an_enum_made_by_a_call_is_of_the_functions_module():
    @ag.function
    def made(x):
        return enum.Enum("Way", "UP DOWN").__module__, enum.IntFlag("F", "A").__module__

    assert made(np.ones(2)) == (__name__, __name__)


def test_what_is_made_of_constant_bytes_is_read_only():
    @ag.function
    def read(x):
        made = np.frombuffer(b"abcd", "u1")
        part, own = made[1:], made.copy()
        own[0] = 7
        return made, part, own, made + 1

    for _ in range(2):
        flags = [one.flags.writeable for one in read(np.ones(2))]
        assert flags == [False, False, True, True]


def test_a_write_into_constant_bytes_is_refused():
    @ag.function
    def write(x):
        made = np.frombuffer(b"abcd", "u1")
        made[0] = 1
        return made

    for _ in range(2):
        with pytest.raises(ValueError, match="read-only"):
            write(np.ones(2))
