"""The text of a Variable is made of what it holds when the text is made."""

import numpy as np
import pytest

import autograph as ag

one, minus = np.float64(1.0), np.float64(-1.0)
count, named = ag.Variable(3.0), ag.Variable(np.zeros(2), name="w")


def in_an_f_string(x):
    count.assign(count + x)
    before = f"{count}|{count!r:>20}"
    if x > 0:
        count.assign(count * 2)
        before += str(count)
    return before, repr(count), "%s" % count, "{}".format(count)  # noqa: UP031, UP032


def printed(x):
    print(count, [named, 1])
    named.assign_add(x)
    print(named, end=f"{named}!")


def with_a_format(x):
    return f"{count:>9}", x


@pytest.mark.parametrize("program", [in_an_f_string, printed, with_a_format])
def test_the_text_is_that_of_plain_python(program, capsys):
    said = []
    for function in (program, ag.function(program)):
        count.assign(3.0)
        named.assign(np.zeros(2))
        found = []
        for x in (one, one, minus, one):
            try:
                found.append(function(x))
            except TypeError as error:
                found.append(str(error))
        said.append((repr(found), capsys.readouterr().out))
    assert said[0] == said[1]
