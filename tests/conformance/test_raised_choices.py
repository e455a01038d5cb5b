"""Raising one of several exceptions, classes and causes."""

import numpy as np
import pytest

from tests.conformance.trying import Programs, check

BOTH = ((np.float64(1.0),), (np.float64(-1.0),))
PROGRAMS = Programs()


@PROGRAMS(*BOTH)
def of_two_classes(x):
    E = ValueError if x > 0 else KeyError
    raise E("m", x)


@PROGRAMS(*BOTH)
def handled_by_class(x):
    try:
        raise (ValueError if x > 0 else KeyError)("m")
    except LookupError as e:
        return repr(e)
    except ValueError as e:
        return "V" + repr(e)


@PROGRAMS(*BOTH)
def none_or_one(x):
    err = None
    if x > 0:
        err = ValueError("a")
    if err is not None:
        raise err
    return 1


@PROGRAMS(*BOTH)
def with_a_cause(x):
    err = ValueError("a") if x > 0 else KeyError("b")
    raise err from (IndexError("c") if x > 0 else None)


@PROGRAMS(*BOTH)
def a_class_from_a_dict(x):
    k = "v" if x > 0 else "k"
    try:
        raise {"v": ValueError, "k": KeyError}[k](k)
    except Exception as e:
        return type(e).__name__, str(e)


@PROGRAMS(*BOTH)
def made_by_a_function(x):
    def make():
        if x > 0:
            return ValueError("v")
        return None

    try:
        raise make()
    except (TypeError, ValueError) as e:
        return repr(e)


@PROGRAMS(*BOTH)
def one_of_two_causes(x):
    try:
        raise ValueError("a") from (IndexError("c") if x > 0 else None)
    except ValueError as e:
        return repr(e.__cause__), e.__suppress_context__


@PROGRAMS(*BOTH)
def a_class_from_what_was_caught(x):
    try:
        try:
            raise KeyError("k")
        except KeyError as k:
            raise (ValueError if x > 0 else IndexError) from k
    except (ValueError, IndexError) as e:
        return repr(e), repr(e.__cause__), repr(e.__context__)


@PROGRAMS(*BOTH)
def what_is_no_exception(x):
    def f(e):
        raise e

    try:
        f(OSError(2, "m") if x > 0 else 5)
    except (OSError, TypeError) as e:
        return repr(e)


@PROGRAMS(*BOTH)
def what_is_no_cause(x):
    try:
        raise ValueError("q") from (3 if x > 0 else None)
    except (ValueError, TypeError) as e:
        return repr(e)


@PROGRAMS(*BOTH)
def types_that_data_choose(x):
    kinds = (IndexError, KeyError) if x > 0 else (ValueError,)
    try:
        raise KeyError(x)
    except kinds as e:
        return "chosen", e.args
    except LookupError as e:
        return "other", e.args


class Fixed:
    @property
    def size(self):
        return [1]


@PROGRAMS(*BOTH)
def attributes_that_an_object_refuses(x):
    fixed = Fixed()
    try:
        if x > 0:
            fixed.size = x
        elif x < 0:
            del fixed.size
    except AttributeError as e:
        print(e)
    return fixed.size


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_one_of_several_is_raised_as_in_python(function, arguments):
    check(function, arguments)
