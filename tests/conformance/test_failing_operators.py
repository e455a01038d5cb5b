"""`t -= x` that Python refuses: it names `-=`, where `t - x` names `-`."""

import linecache

import numpy as np
import pytest

import autograph as ag
from tests.conformance.told import BACKENDS, told

OPERATORS = ["+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "^", "<<", ">>"]
FORMS = {
    "in place": "t {}= u",
    "in a branch": "if x[0] > 0:\n        t {}= u",
    "of an item": "d = {{0: t}}\n    d[0] {}= u\n    t = d[0]",
    "in a loop": "for k in range(int(x[0])):\n        t {}= u",
    "not in place": "t = t {} u",
}
LEFT = ["float(x[0])", "int(x[0])", "x[0]", "f'{x[0]}'", "2.5", "complex(x[0])"]
LEFT += ["{1, 2}", "{x[0], 2}", "[1, x[0]]", "(1, x[0])", "{1: x[0]}", "'abc'"]
RIGHT = ["float(x[0])", "x[0]", "f'{x[0]}'", "np.int64(3)", "None", "[1]"]
X = np.array([1.0, 2.0, 3.0])


def written(left, right, statement):
    """A function of this statement, whose source can be found."""
    source = f"def f(x):\n    t, u = {left}, {right}\n    {statement}\n    return t\n"
    file = f"<{source}>"
    linecache.cache[file] = len(source), None, source.splitlines(True), file
    namespace = {"np": np}
    exec(compile(source, file, "exec"), namespace)
    return namespace["f"]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("word", OPERATORS)
def test_a_refused_operator_is_named_as_it_is_written(word, form):
    for left in LEFT:
        for right in RIGHT:
            if word == "*" and left[0] == "{" and right[0] == "f":
                continue  # which of the two is asked for a factor differs
            function = written(left, right, FORMS[form].format(word))
            expected = told(function, (X,))
            if expected["done"][0] == "raised":
                found = told(ag.function(function), (X,))
                assert found["done"] == expected["done"], (left, right)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_refused_operator_is_named_by_each_call(backend):
    function = written("int(x[0])", "f'{x[1]}'", "t -= u")
    text = "TypeError: unsupported operand type(s) for -=: 'int' and 'str'"
    with ag.config(backend=backend):
        staged = ag.function(function)
        for _ in range(3):
            assert told(staged, (X,))["done"] == ("raised", text)


class Other:
    def __rsub__(self, other):
        return "asked"


def test_a_class_of_the_users_is_asked_before_python_refuses():
    def of_a_number(x, other):
        t = int(x[0])
        t -= other
        return t

    assert ag.function(of_a_number)(X, Other()) == "asked"
