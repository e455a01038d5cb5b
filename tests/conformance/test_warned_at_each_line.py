"""What is computed twice, of the same values, is warned of at each of its lines."""

import warnings

import numpy as np
import pytest

import autograph as ag

LARGE = np.full(3, 1e200)
N = np.int64


def numbers(x, i, k):
    a = x[i * k]
    b = x[i * k]
    return a + b


def arrays(x, count):
    for _ in range(count):
        a = x * x
        b = x * x
    return np.sqrt(a) + np.cbrt(b)


def reductions(x):
    low = x[x > 5].mean()
    high = x[x > 5].mean()
    return low + high


def large_numbers(x):
    a = x * 1e300
    b = x * 1e300
    return np.sqrt(a + b)


def compared(x):
    a = np.sum(x < 1e300)
    b = np.sum(x < 1e300)
    return a + b


def in_order(x, y, count):
    found = 0
    for _ in range(count):
        found += np.sum(x < y)
        found += np.sum(x < y)
    return found


def cast(x):
    a = x.astype(np.int32)
    b = x.astype(np.int32)
    return a + b


def half(x):
    return x * x


def in_a_helper(x):
    a = np.sqrt(half(x))
    b = np.cbrt(half(x))
    return a + b


def on_one_line(s):
    return s * s - s * s


PROGRAMS = [
    (numbers, (np.ones(50), N(2**62), N(4))),
    (arrays, (LARGE, N(3))),
    (reductions, (np.zeros(3),)),
    (large_numbers, (np.ones(3, "f4"),)),
    (compared, (np.ones(3, "f4"),)),
    (in_order, (np.array([np.nan + 1j, 2]), np.array([np.nan, 3 + 2j]), N(3))),
    (cast, (np.array([np.nan, 1e300]),)),
    (in_a_helper, (LARGE,)),
    (on_one_line, (LARGE,)),
    (on_one_line, (LARGE[0],)),
]


def warned(function, arguments, action):
    """What is warned of, and where, each as often as it is shown."""
    globals().pop("__warningregistry__", None)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter(action)
        function(*arguments)
    return [(str(one.message), one.filename, one.lineno) for one in caught]


@pytest.mark.parametrize("backend", ["auto", "numpy", "native"])
@pytest.mark.parametrize(("program", "arguments"), PROGRAMS)
def test_each_line_is_warned_of_as_python_does(program, arguments, backend):
    actions = ["default"] if program in (on_one_line, in_a_helper) else []
    with ag.config(backend=backend):
        staged = ag.function(program)
        for action in actions or ["default", "always"]:
            said = warned(program, arguments, action)
            assert said
            for _ in range(3):
                assert warned(staged, arguments, action) == said


def squares(x):
    a = x * x + 1
    b = x * x + 2
    return a - b


def test_what_numpy_never_warns_of_is_computed_once():
    for x in (np.arange(3), np.arange(3.0)):
        graph = ag.function(squares).get_concrete_function(x).graph
        products = [node for node in graph.nodes if node.op.name == "multiply"]
        assert len(products) == 1 + (x.dtype.kind == "f")
