"""What a function asks of NumPy's, decimal's or its frame's state is as it is then."""

import decimal

import numpy as np
import pytest

import autograph as ag

X = np.array([1.0, 2.0])


def asks_errors(x):
    return x * 2 if np.geterr()["divide"] == "ignore" else x * 3


def asks_printing(x):
    return x * 2 if np.get_printoptions()["precision"] == 3 else x * 3


def asks_for_a_call(x):
    return x * 2 if np.geterrcall() is None else x * 3


def computes_decimals(x):
    return x, str(decimal.Decimal(1) / 3)


def asks_the_context(x):
    return x * decimal.getcontext().prec


FUNCTIONS = (
    *(asks_errors, asks_printing, asks_for_a_call),
    *(computes_decimals, asks_the_context),
)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_what_a_library_has_set_is_asked_by_each_call(function):
    staged = ag.function(function)
    settings = (
        lambda: np.errstate(divide="ignore"),
        lambda: np.printoptions(precision=3),
        lambda: np.errstate(call=print),
        lambda: decimal.localcontext(decimal.Context(prec=4)),
        lambda: np.errstate(divide="warn"),
    )
    for setting in settings:
        with setting():
            assert repr(staged(X)) == repr(function(X))


def doubled(x):
    with decimal.localcontext():
        y = x * 2
    return y


def test_a_context_of_decimals_is_a_setting_of_what_is_computed_in_it():
    with pytest.raises(TypeError, match="around what happens when the graph runs"):
        ag.function(doubled).get_concrete_function(X)


def test_decimals_leave_the_flags_of_the_context_at_each_call():
    staged = ag.function(computes_decimals)
    for _ in range(3):
        with decimal.localcontext() as context:
            context.clear_flags()
            staged(X)
            assert context.flags[decimal.Inexact]


def names(x, n):
    y = x * 2
    while y.sum() < n:
        y = y + 1
    return sorted(locals()), sorted(vars()), sorted(dir())


def evaluated(x, n):
    for k in range(2):
        if x.sum() > 0:
            n = eval("n + k")
    return n


def executed(x, n):
    names = {}
    exec("y = x.sum() * n", {"x": x, "n": n}, names)
    return names["y"]


def acts(x, n):
    exec("done.append(1)", globals())
    return eval("np.random.random()", {"np": np}), eval(
        "done.append(2)", {"done": done}
    )


done: list[int] = []


def test_what_a_text_does_is_done_by_each_call():
    found = []
    for function in (acts, ag.function(acts)):
        np.random.seed(3)
        done.clear()
        found.append(([function(X, 1.0) for _ in range(3)], [*done]))
    assert found[0] == found[1]


@pytest.mark.parametrize("function", [names, evaluated, executed])
def test_the_names_of_a_frame_are_those_of_the_program(function):
    staged = ag.function(function)
    for n in (5.0, 30.0, 5.0):
        assert staged(X, n) == function(X, n)


def test_a_graph_that_is_asked_for_says_which_names_it_cannot_read():
    with pytest.raises(NotImplementedError) as caught:
        ag.function(names).get_concrete_function(X, 5.0)
    assert type(caught.value) is NotImplementedError
    assert str(caught.value) == "locals() reads names of which no graph knows"


def asks_flags(x, y):
    return x.flags == y.flags, x.flags != y.flags, str(x.flags), f"{y.flags!r}"


def finds_flags(x, y):
    return y.flags in [1, x.flags]


@pytest.mark.parametrize("function", [asks_flags, finds_flags])
def test_flags_are_compared_and_shown_as_numpys(function):
    staged, transposed = ag.function(function), np.ones((2, 3)).T
    for x, y in ((X, X + 1), (X, transposed), (transposed, transposed[::2])):
        assert staged(x, y) == function(x, y)


def gives_flags(x, y):
    return [y.flags], {"x": x.flags}


def test_flags_that_are_returned_are_numpys():
    (of_y,), of_x = ag.function(gives_flags)(X, X.reshape(1, 2))
    assert type(of_y) is type(of_x["x"]) is type(X.flags)
    assert (of_y, of_x["x"]) == (X.reshape(1, 2).flags, X.flags)


def differ_little(x, y):
    np.testing.assert_array_max_ulp(x, y, maxulp=1)
    return x


def test_what_raises_and_gives_something_nobody_uses_still_raises():
    staged = ag.function(differ_little)
    assert staged(X, X) is X
    with pytest.raises(AssertionError, match="max difference"):
        staged(X, X + 1)
