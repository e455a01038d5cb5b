"""ag.debugging: checks that a graph makes at each run, as plain Python makes them."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import Programs, check

check_numerics, check_shapes = ag.debugging.check_numerics, ag.debugging.check_shapes
i = np.int64
FINE, BAD = np.array([1.0, 2.0]), np.array([1.0, np.nan])
PROGRAMS = Programs()
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


@PROGRAMS((FINE,), (BAD,), (np.array([[1.0, 2.0], [-np.inf, 1.0]]),), (np.zeros(0),))
def returns_what_it_checks(x):
    return check_numerics(x, "x") * 2


@PROGRAMS((np.float64(0.5),), (np.float64(np.nan),), (np.float32(np.inf),))
def checks_a_number(x):
    return check_numerics(x + 1)


@PROGRAMS((np.array([1, 2]),), (np.array([True]),), (np.array([1j, complex("nan")]),))
def checks_other_dtypes(x):
    return check_numerics(x)


@PROGRAMS((FINE,), (np.array([1.0, 0.0]),))
def checks_what_nobody_uses(x):
    check_numerics(1 / x, "the inverse")
    return x


@PROGRAMS((FINE, i(1)), (FINE, i(-1)), (BAD, i(1)), (BAD, i(-1)))
def checks_in_the_branch_that_is_taken(x, n):
    if n > 0:
        check_numerics(x, "x")
    return n


@PROGRAMS((FINE, i(3)), (BAD, i(3)), (BAD, i(0)))
def checks_in_each_round_and_says_which(x, n):
    k = 0
    while k < n:
        print("round", k)
        x = x / (2 - k)
        check_numerics(x[0], f"round {k}")
        k += 1
    return x


@PROGRAMS((FINE,), (BAD,))
def is_caught(x):
    try:
        check_numerics(x, "x")
        word = "fine"
    except FloatingPointError as error:
        word = str(error)
    return word


@PROGRAMS((FINE,), (BAD,))
def comes_after_what_was_printed_and_written(x):
    print("before")
    x[0] = 5.0
    check_numerics(x)
    x[1] = 7.0
    print("after")


@PROGRAMS((FINE,), ("text",), (None,), ([1.0],))
def takes_arrays_and_numbers(x):
    return check_numerics(x)


W = np.ones((3, 2))


@PROGRAMS(
    (np.ones((5, 3)), W), (np.ones((5, 2)), W), (np.ones(3), W), (np.ones((7, 2)), W)
)
def compares_named_sizes(x, w):
    check_shapes((x, ("n", "k")), (w, ("k", 2)))
    return x @ w


@PROGRAMS((np.ones((4, 5, 3)),), (np.ones(3),), (np.ones((3, 4)),), (np.float64(1),))
def takes_any_further_dims(x):
    check_shapes((x, (..., 3)))
    return x.sum()


@PROGRAMS((np.ones((4, 5)), i(1)), (np.ones(3), i(1)), (np.ones(3), i(0)))
def any_size_will_do_where_the_check_is_reached(x, n):
    if n:
        check_shapes((x, (None, None)), (n, ()))
    return x.sum()


@PROGRAMS((FINE, i(1)), (FINE, i(0)), (np.zeros(3), i(0)))
def sizes_that_the_run_finds(x, n):
    check_shapes((x[x > n], ("m",)), (x[x > 0], ("m",)))
    return n


@pytest.mark.parametrize(("program", "arguments"), PROGRAMS)
def test_check_is_that_of_plain_python(program, arguments):
    check(program, arguments)


def test_variable_is_checked_for_what_it_holds():
    v = ag.Variable(np.zeros(2))

    @ag.function
    def f(x):
        v.assign(x)
        check_shapes((v, (2,)))
        return check_numerics(v, "v").read()

    assert f(FINE).tolist() == [1.0, 2.0]
    for called in (f, f.python_function):
        with pytest.raises(FloatingPointError) as caught:
            called(BAD)
        assert (
            str(caught.value) == "v: 1 of 2 elements are not finite, first nan at [1]"
        )


def test_shapes_that_are_known_to_fit_cost_nothing():
    @ag.function
    def f(x):
        check_shapes((x, ("n", "n")))
        return x + 1

    graph = f.get_concrete_function(np.ones((2, 2))).graph
    assert [node.op.name for node in graph.nodes if node.inputs] == ["add"]


def test_all_operations_raise_where_numpy_is_told_so():
    @ag.function
    def f(x):
        y = np.log(x)
        return y * 2

    with np.errstate(divide="raise"), pytest.raises(FloatingPointError) as caught:
        f(np.zeros(2))
    assert str(caught.value) == "divide by zero encountered in log"
