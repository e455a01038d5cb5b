"""What an exception was raised from, where that is known when the graph runs."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import Programs, check, x3

i = np.int64
PROGRAMS = Programs()
ENDS = [(x3, i(1)), (x3, i(7)), (x3, i(4))]


@PROGRAMS(*ENDS)
def after_a_handler_without_a_name(x, k):
    try:
        try:
            if k > 5:
                raise ValueError("a") from KeyError("b", k)
            return x[k]
        except:
            print("seen")
            raise
    except Exception as e:
        c = e.__cause__
        if c is None:
            return "none"
        if isinstance(c, KeyError):
            return "key", c.args[0], str(c), repr(c.__cause__)
        return "other"


@PROGRAMS(*ENDS)
def after_a_finally(x, k):
    try:
        try:
            try:
                return x[k]
            except IndexError as e:
                raise ValueError(f"v{k}") from e
        finally:
            print("left")
    except ValueError as e:
        return repr(e.__cause__), str(e), e.__cause__ is e


@PROGRAMS(*ENDS)
def told_after_the_handler(x, k):
    found = None
    try:
        try:
            if k > 5:
                raise ValueError("a") from KeyError("b", k)
            return x[k]
        finally:
            print("left")
    except Exception as e:
        found = e.__cause__
    return str(found), found is None


@PROGRAMS(*ENDS)
def raised_from_the_cause(x, k):
    try:
        try:
            if k > 5:
                raise ValueError("a") from KeyError("b", k)
            return x[k]
        finally:
            print("left")
    except Exception as e:
        raise RuntimeError("r") from e.__cause__


@PROGRAMS(*ENDS)
def at_each_round(x, k):
    last = None
    for j in range(4):
        try:
            try:
                if j > k:
                    raise ValueError("a") from KeyError("b", j)
                x[j] += 1
            except:
                raise
        except Exception as e:
            last = e.__cause__
            print(type(e).__name__, e, e.__cause__)
    return str(last), x


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_the_cause_is_that_of_the_run(function, arguments):
    check(function, arguments)


class Far(Exception):
    def __init__(self, place, value):
        super().__init__(f"at {place}")
        self.value = value


def of_values(x, k):
    if x[0] > k:
        raise ValueError("a", k) from Far("b", [k])
    return x


def of_one_another(x, k):
    inner = KeyError(k)
    inner.__cause__ = Far("c", {"k": x})
    if x[0] > k:
        raise ValueError("a") from inner
    return x


def within_a_handler(x, k):
    try:
        if x[0] > k:
            raise KeyError("q", [k])
    except KeyError:
        raise ValueError("z") from Far("h", k)
    return x


@pytest.mark.parametrize("function", [of_values, of_one_another, within_a_handler])
def test_a_cause_holds_what_the_run_has_put_into_it(function):
    def chain(error):
        while error is not None:
            yield repr(error), {name: repr(held) for name, held in vars(error).items()}
            yield repr(error.__context__), error.__suppress_context__
            error = error.__cause__

    told = []
    staged = ag.function(function)
    for call in (function, staged, staged):
        with pytest.raises(ValueError, match=r"a|z") as raised:
            call(x3, i(0))
        told.append([*chain(raised.value)])
    assert told[0] == told[1] == told[2]
