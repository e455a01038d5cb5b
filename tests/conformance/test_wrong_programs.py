"""Wrong programs: what Python raises, in its words and at the user's line.

The words are those of the numbers and arrays that the user has, not of what stands for
them while tracing.
"""

import traceback

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import Programs

X, ONE, N = np.array([1.0, 2.0, 3.0]), np.float64(1.0), np.int64(3)
program = Programs()


class Model:
    def forgot(x):
        return x


def takes_two(a, b):
    return a


@program((X,))
def attribute_of_an_array(x):
    return x.length


@program((X,))
def attribute_of_a_number(x):
    return x[0].spec


@program((X,))
def calls_an_array(x):
    return x(1)


@program((X,))
def calls_without_self(x):
    return Model().forgot(x)


@program((X,))
def too_few_arguments(x):
    return takes_two(x)


@program((X,))
def wrong_keyword_of_numpy(x):
    return np.sum(x, axes=0)


@program((X,), (ONE,), (N,))
def text_plus_a_number(x):
    return "loss: " + x


@program((X,), (ONE,), (N,))
def less_than_none(x):
    best = None
    return x < best


@program((X,), (ONE,), (N,))
def none_less_than(x):
    best = None
    return best < x


@program((ONE,), (N,))
def python_number_and_a_text(x):
    number = x.item() + 1
    return number < "a"


@program((X,), (ONE,), (N,))
def plus_a_function(x):
    return x + takes_two


@program((X,), (ONE,), (N,))
def divmod_of_a_dict(x):
    return divmod(x, {})


@program((X,), (ONE,))
def number_times_a_list(x):
    items = [1, 2]
    return items * x[0] if x.ndim else x * items


@program((ONE,), (N,))
def python_number_and_a_list(x):
    return [1] + (x.item() + 1)


@program((ONE,), (N,))
def unpacks_a_number(x):
    a, b = x
    return a + b


@program((X,))
def stores_an_array_in_an_item(x):
    x[0] = np.zeros(2)


@program((ONE,), (X,))
def next_of_an_array(x):
    return next(x)


@program((ONE,), (X,))
def enters_an_array(x):
    with x as y:
        return y


@program((X,))
def array_as_a_key(x):
    return {x: 1}


@program((X,))
def array_in_a_set(x):
    return {1, x}


@program((X, N + 2))
def index_in_a_loop(x, n):
    total = 0.0
    for i in range(n):
        total += x[i]
    return total


@program((X,))
def name_that_is_not_there(x):
    return np.sum(x) + undefined_name  # noqa: F821


def outcome(function, arguments):
    with pytest.raises(Exception) as caught:  # noqa: PT011 - whatever Python raises
        function(*(np.copy(a)[()] for a in arguments))
    frames = traceback.extract_tb(caught.tb)
    lines = [frame.lineno for frame in frames if frame.filename == __file__]
    return caught.type.__name__, str(caught.value), lines[-1]


@pytest.mark.parametrize(("function", "arguments"), program)
def test_python_says_what_is_wrong(function, arguments):
    graph = ag.function(function)
    for given in (*arguments, *arguments):
        assert outcome(graph, given) == outcome(function, given)


@pytest.mark.parametrize("other", ["a", {}, None, len, slice(1)], ids=repr)
def test_what_is_no_number_equals_none(other):
    def equal(x):
        return x == other, other != x

    for x in (X, ONE, N):
        got, wanted = ag.function(equal)(x), equal(x)
        assert repr(got) == repr(wanted)
