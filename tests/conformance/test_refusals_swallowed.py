"""Code that is not converted, and catches what a tensor says when it is asked."""

import struct

import numpy as np
import pytest

import autograph as ag

pytestmark = pytest.mark.filterwarnings("ignore:.* is run as Python:RuntimeWarning")


@ag.do_not_convert
def as_number(x):
    try:
        return float(x)
    except TypeError:
        return -1.0


@ag.do_not_convert
def required(x):
    try:
        return float(x)
    except Exception:
        raise ValueError("no number") from None


@ag.do_not_convert
def listed(x):
    try:
        return np.array(x).tolist()
    except Exception:
        return None


@ag.do_not_convert
def positive(x):
    try:
        return "yes" if x > 0 else "no"
    except Exception:
        return "who knows"


@ag.do_not_convert
def packed(x):
    try:
        return struct.pack("f", x)
    except struct.error:
        return b"no number"


class Numbers:
    """A class of a library, whose `__init__` nobody converts."""

    @ag.do_not_convert
    def __init__(self, x):
        self.number = as_number(x)


@ag.do_not_convert
def given_one_by_one(x):
    yield as_number(x)


class Wrapped:
    def __init__(self, x):
        self.x = x

    @property
    @ag.do_not_convert
    def number(self):
        return as_number(self.x)

    @ag.do_not_convert
    def __getitem__(self, at):
        return as_number(at)

    @ag.do_not_convert
    def __bool__(self):
        return as_number(self.x) > 0

    @ag.do_not_convert
    def __str__(self):
        return str(as_number(self.x))

    @ag.do_not_convert
    def __enter__(self):
        return as_number(self.x)

    @ag.do_not_convert
    def __exit__(self, *error):
        pass


def goes_on(x):
    return as_number(x) * 2


def says_so(x):
    try:
        return required(x)
    except ValueError as error:
        return str(error)


def whole(x):
    return listed(np.stack([x, x]))


def asked(x):
    return positive(x) + positive(-x)


def constructed(x):
    return Numbers(x).number


def by_a_callback(x):
    return as_number(max([x, -x], key=as_number))


def from_a_generator(x):
    total = 0.0
    for number in given_one_by_one(x):
        total += number
    return total, list(given_one_by_one(x))


def by_operators(x):
    one = Wrapped(x)
    with one as number:
        return one.number, one[x], number, 1 if one else 2, f"{one}"


def by_c(x):
    return packed(x) + b"."


def raised_of_it(x):
    return 1 / (as_number(x) + 1)


@pytest.mark.parametrize(
    "function",
    [
        *(goes_on, says_so, whole, asked, constructed, by_a_callback),
        *(from_a_generator, by_operators, raised_of_it, by_c),
    ],
)
def test_a_refusal_that_is_caught_refuses_the_call(function):
    staged = ag.function(function)
    for x in (np.float64(1.5), np.float64(-2.0), np.float64(1.5)):
        assert staged(x) == function(x)


@ag.do_not_convert
def only_asks_of_none(x):
    try:
        float("no number")
    except ValueError:
        return x + 1


def test_what_asks_no_tensor_is_in_the_graph():
    staged = ag.function(lambda x: only_asks_of_none(x) * 2)
    assert "add" in str(staged.get_concrete_function(np.float64(1.0)).graph)


class Compiled:
    """Takes arrays alone, and has a `__code__`, as functions of Cython's do."""

    __code__ = as_number.__code__

    @ag.do_not_convert
    def __call__(self, x):
        if type(x) is not np.ndarray:
            raise TypeError("Function call with ambiguous argument types")
        return x.sum()


compiled = Compiled()


def test_what_compiled_code_raises_of_a_tensor_is_not_the_programs_error():
    x = np.array([1.0, 2.0])
    staged = ag.function(lambda x: compiled(x * 2))
    assert staged(x) == staged(x) == 6.0
