"""`text % value` of a text that a name, an attribute or an argument holds."""

import numpy as np
import pytest

import autograph as ag
from autograph.same import assert_same_as_python

FORMAT = "%d and %s"


class Formats:
    brief = "%5.1f|"


def of_a_name(text, x):
    chosen = "%d" if x[0] > 0 else "%5.2f"
    text %= x[0]
    return FORMAT % (x[0], x[1]), Formats().brief % x[0], chosen % x[0], text


def of_bytes(x):
    pattern = b"%d %a"
    return pattern % (x[0], x[1])


def of_a_dict(x):
    pattern = "%(a)s %(b)d"
    return pattern % {"a": x[0], "b": x[1]}


def of_too_few(x):
    pattern = "%d %d"
    try:
        return pattern % x[0]
    except TypeError as error:
        return str(error)


def of_numbers(x):
    first, second = x[0], x[1]
    first %= second
    return first % second, x % second, [7] % second if second < 0 else 7 % second


@pytest.mark.parametrize("x", [np.array([2.5, 3.0]), np.array([-2.0, 7.0])])
def test_a_text_is_a_format_whatever_holds_it(x):
    with ag.config(strict=True):
        for program in (of_bytes, of_a_dict, of_too_few, of_numbers):
            assert_same_as_python(program, x)
        assert_same_as_python(of_a_name, "%s!", x)
