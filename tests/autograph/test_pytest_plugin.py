"""The pytest plugin: what the fixture compares, and the option that runs no graphs."""

import dataclasses
import random

import numpy as np
import pytest

import autograph as ag
from autograph.same import assert_same_as_python

pytest_plugins = ["pytester"]

X = np.array([1.0, -2.0, 3.0])
counter = ag.Variable(np.int64(0))
calls = [1, 2]


def _is_traced():
    from runtime import build

    return build.current() is not None


hidden = ag.do_not_convert(_is_traced)


def same(x, limit):
    """Prints, changes its argument and returns."""
    steps = 0
    while x.sum() > limit:
        x *= 0.5
        steps += 1
        print("step", steps)
    return steps, x


def test_what_python_returns_is_returned():
    steps, x = assert_same_as_python(same, X, limit=1.0)
    assert (steps, x.tolist()) == (1, [0.5, -1.0, 1.5])
    assert X.tolist() == [1.0, -2.0, 3.0]


def test_a_decorated_function_keeps_its_options():
    @ag.function(input_signature=[ag.TensorSpec((None,), np.float64)])
    def doubled(x):
        return x * 2

    assert assert_same_as_python(doubled, X).tolist() == [2.0, -4.0, 6.0]
    assert len(doubled.traces()) == 1


def test_the_exception_of_both_is_raised():
    def failing(x):
        if x[0] > 0:
            raise ValueError(f"{x[0]} is positive")

    with pytest.raises(ValueError, match=r"1\.0 is positive"):
        assert_same_as_python(failing, X)


def test_a_method_is_compared_with_its_instance():
    class Model:
        def __init__(self):
            self.rate = np.float64(2.0)

        @ag.function
        def step(self, x):
            self.rate = self.rate * 2
            return x * self.rate

    model = Model()
    assert assert_same_as_python(model.step, X).tolist() == [4.0, -8.0, 12.0]
    assert model.rate == 2.0


def test_outer_state_is_put_back_between_the_calls():
    def drawn(x):
        counter.assign_add(1)
        return x + counter.value + calls[0]

    before = np.random.get_state()[1].tolist(), random.getstate()
    assert assert_same_as_python(drawn, X).tolist() == [3.0, 0.0, 5.0]
    assert counter.value == 0
    assert (np.random.get_state()[1].tolist(), random.getstate()) == before


def test_a_result_that_is_the_argument_itself_is_told_from_a_copy():
    def kept(x):
        return x.copy() if hidden() else x

    assert differs(kept, X) == [
        "the result:",
        "  in Python: the very argument 1",
        "  the graph: a new array",
    ]


@dataclasses.dataclass
class Point:
    x: object


class Plain:
    def __init__(self, x):
        self.x = x


def differs(f, *args, **kwargs):
    """The lines that the assertion says after its first."""
    with pytest.raises(AssertionError) as caught:
        assert_same_as_python(f, *args, **kwargs)
    first, *lines = str(caught.value).splitlines()
    assert first == f"{f.__name__} is not the same as a graph, in the first call:"
    return [line[2:] for line in lines]


def shown(what, python, graph):
    return [f"{what}:", f"  in Python: {python}", f"  the graph: {graph}"]


@pytest.mark.parametrize(
    ("python", "graph", "lines"),
    [
        (1, 1.0, shown("the result", "int 1", "float 1.0")),
        (1.0, np.float64(1.0),
         shown("the result", "float 1.0", "np.float64(1.0)")),
        (0.0, -0.0, shown("the result", "float 0.0", "float -0.0")),
        (None, 0, shown("the result", "NoneType None", "int 0")),
        ((1, 2), [1, 2], shown("the result", "tuple (1, 2)", "list [1, 2]")),
        ((1, 2), (1, 3), shown("[1] of the result", "int 2", "int 3")),
        ([1], [1, 2], shown("the result", "list [1]", "list [1, 2]")),
        ({"a": 1}, {"b": 1}, shown("the result", "dict {'a': 1}", "dict {'b': 1}")),
        ({"a": [1]}, {"a": [2]},
         shown("[0] of ['a'] of the result", "int 1", "int 2")),
        (Point(1), Point(2), shown(".x of the result", "int 1", "int 2")),
        (Point(np.ones(1)), Point(np.zeros(1)),
         shown(".x of the result", "float64 array([1.])",
               "float64 array([0.])")),
        (Plain(1), Plain(2), shown(".x of the result", "int 1", "int 2")),
        ({1}, {2}, shown("the result", "set {1}", "set {2}")),
    ],
)  # fmt: skip
def test_a_result_that_differs_is_shown_by_its_innermost_part(python, graph, lines):
    def either(x):
        return graph if hidden() else python

    assert differs(either, X) == lines


@pytest.mark.parametrize(
    ("python", "graph"),
    [
        (np.float32(1), np.float64(1)),
        (np.ones(2), np.ones((1, 2))),
        (np.ones(2), np.ones(2, int)),
        (np.array([0.0]), np.array([-0.0])),
        (np.array(1.0), np.float64(1.0)),
    ],
)
def test_arrays_differ_by_dtype_shape_bits_and_type(python, graph):
    def either(x):
        return graph if hidden() else python

    assert differs(either, X)[0] == "the result:"


def test_nans_are_the_same():
    def nans(x):
        return x / 0, np.float64(np.nan), float("nan"), Point(x - np.inf + np.inf)

    with np.errstate(all="ignore"):
        assert_same_as_python(nans, np.zeros(2))


def test_printed_text_and_exceptions_that_differ_are_shown():
    def printing(x):
        print("graph" if hidden() else "python")

    def raising(x):
        if hidden():
            raise KeyError("here")

    assert differs(printing, X) == shown(
        "printed text", repr("python\n"), repr("graph\n")
    )
    assert differs(raising, X) == shown("exception", "none", "KeyError: 'here'")


def test_arguments_that_are_left_otherwise_are_shown():
    def filling(x, *, items):
        items[0] = 2 if hidden() else 1
        x[0] = 4 if hidden() else 3

    assert differs(filling, np.zeros(1), items=[0]) == [
        *shown("argument 1 afterwards", "float64 array([3.])",
               "float64 array([4.])"),
        *shown("[0] of argument `items` afterwards", "int 1", "int 2"),
    ]  # fmt: skip


def test_surroundings_that_are_left_otherwise_are_shown_and_put_back():
    def counting(x):
        calls[0] = 5 if hidden() else 4

    assert differs(counting, X)[:3] == shown(
        "[0] of `calls` afterwards", "int 4", "int 5"
    )
    assert calls == [1, 2]


def test_an_argument_that_cannot_be_copied_is_refused():
    with pytest.raises(TypeError) as caught:
        assert_same_as_python(lambda x: x, (n for n in range(3)))
    assert str(caught.value) == (
        "assert_same_as_python calls the function several times, each with a copy of "
        "its arguments, but one cannot be copied: cannot pickle 'generator' object"
    )


TESTS = """
import numpy as np
import autograph as ag

@ag.function
def double(x):
    return x * 2

def test_same(assert_same_as_python):
    assert assert_same_as_python(double, np.float64(2.0)) == 4.0

def test_eager():
    assert ag.config.eager
"""


def test_the_fixture_and_the_option_work_in_a_session(pytester):
    pytester.makepyfile(TESTS)
    plugin = ("-p", "autograph.pytest_plugin", "-p", "no:cacheprovider")
    result = pytester.runpytest_inprocess(*plugin)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.no_fnmatch_line("autograph: functions run*")
    result = pytester.runpytest_inprocess(*plugin, "--autograph-eager")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(
        ["autograph: functions run as plain Python (--autograph-eager)"]
    )
    assert not ag.config.eager


def test_the_option_and_the_fixture_are_listed(pytester):
    plugin = ("-p", "autograph.pytest_plugin")
    help_ = pytester.runpytest_inprocess(*plugin, "--help")
    help_.stdout.fnmatch_lines(["autograph:", "  --autograph-eager*"])
    fixtures = pytester.runpytest_inprocess(*plugin, "--fixtures")
    fixtures.stdout.fnmatch_lines(["assert_same_as_python*"])
