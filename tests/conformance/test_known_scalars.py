"""`C * v` of a NumPy scalar that the trace knows is the operator, not the ufunc."""

import linecache

import numpy as np
import pytest

import autograph as ag
from tests.conformance.told import BACKENDS, agreeing, told

OPERATORS = ["+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>"]
OPERATORS += ["<", "<=", ">", ">=", "==", "!="]
KNOWN = [np.float64(2.5), np.float64(0), np.float32(-1.5), np.int64(7), np.int8(-128)]
KNOWN += [np.uint8(200), np.bool_(True), np.complex128(2j), np.float64(np.inf)]
OF_RUN = ["x[0]", "x[1]", "float(x[1])", "int(x[2])", "n[0]", "n[1]", "bool(n[1])"]
X = np.array([3.0, 0.0, -2.0])
N = np.array([3, 0, -1])


def written(known, word, right):
    """A function of this operator, whose source can be found."""
    source = f"def f(x, n):\n    return C {word} {right}\n"
    file = f"<{known!r} {source}>"
    linecache.cache[file] = len(source), None, source.splitlines(True), file
    namespace = {"C": known}
    exec(compile(source, file, "exec"), namespace)
    return namespace["f"]


@pytest.mark.parametrize("word", OPERATORS)
def test_an_operator_of_a_known_scalar_does_what_pythons_does(word):
    for known in KNOWN:
        for right in OF_RUN:
            function = written(known, word, right)
            staged = ag.function(function)
            for arguments in ((X, N), (X + 1, N + 1)):
                assert told(staged, arguments) == told(function, arguments)


C = np.float64(2.5)
ZERO = np.int64(0)


def weighed(x, k):
    total = x[0] * 0
    for i in range(k):
        if C > x[i]:
            total = total + C * x[i] - C / x[i]
    return total


def whole_quotients(n, k):
    total = 0
    for i in range(k):
        total = total + np.int64(1000) // n[i]
    return total


def by_methods(x):
    return np.multiply(C, x[0]), C * x[0], np.less(C, x[0]), np.add(C, 1.0)


@pytest.mark.parametrize("backend", BACKENDS)
def test_loops_with_a_known_scalar_warn_as_they_stand(backend):
    agreeing(weighed, backend, (np.array([3.0, 0.0, -2.0, 1.0]), 4))
    agreeing(whole_quotients, backend, (np.array([1, 0, 3]), 3))
    agreeing(by_methods, backend, (X,))


def test_an_operator_of_a_known_scalar_is_no_call():
    graph = str(ag.function(weighed).get_concrete_function(X, 3).graph)
    assert "host_call" not in graph


class Own:
    """One in sight, so that operators may be the user's."""

    def __mul__(self, other):
        return other


OWN = Own()


def beside_a_class(x):
    return C * (OWN * x[0]) + (C < x[0]) + (C - x[1])


def test_an_operator_of_a_known_scalar_is_no_call_beside_operators_of_the_users():
    agreeing(beside_a_class, "auto", (X,))
    graph = str(ag.function(beside_a_class).get_concrete_function(X).graph)
    assert "host_call" not in graph
