"""Calls that no graph can be made for: Python's, with one warning, or an error."""

import contextlib
import io
import linecache
import warnings

import numpy as np
import pytest

import autograph as ag

X = np.array([1.0, 5.0, 2.0])
LIMIT = np.float64(3.0)
outer: list[float] = []
kept = None


class Failed(Exception):
    """Keeps what it is given."""


def moved(x, limit):
    """Changes dicts in a list of data's length, which no graph holds."""
    print("moves", len(x))
    outer.append(float(x[0]))
    found = []
    for v in x:
        if v < limit:
            found.append({"x": v})
    x[0] += 1
    for one in found:
        one["x"] += 1
    return found


TEXT = """\
moved() is run as Python, without a graph: this changes an item of a list whose \
length, or a dict whose keys, depend on data: what it is in would not see it
  Make a new item and put that in its place: `xs[i] = [...]`."""


def observed(function, limit=LIMIT):
    """What a call gives, prints, and does to its argument and outside."""
    x, printed = X.copy(), io.StringIO()
    outer.clear()
    with contextlib.redirect_stdout(printed):
        given = function(x, limit)
    return repr((given, x, outer)), printed.getvalue()


def test_a_call_that_no_graph_can_be_made_for_is_pythons_and_told_once():
    staged = ag.function(moved)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        # The last ones are made without a look.
        for _ in range(12):
            assert observed(staged) == observed(moved)
    assert [str(one.message) for one in told] == [TEXT]
    assert told[0].category is RuntimeWarning
    at = told[0].filename, told[0].lineno
    assert linecache.getline(*at).strip() == 'one["x"] += 1'
    assert not staged.concrete_functions


def test_strict_settings_and_warnings_that_are_errors_raise():
    before = repr(X)
    staged = ag.function(moved)
    for _ in range(2):
        with ag.config(strict=True), pytest.raises(TypeError) as caught:
            observed(staged)
        assert str(caught.value) == TEXT.partition("graph: ")[2].partition("\n")[0]
    assert not outer
    assert repr(X) == before
    for _ in range(2):
        with pytest.raises(RuntimeWarning):  # the suite makes errors of warnings
            observed(staged)
    with pytest.raises(TypeError):
        staged.get_concrete_function(X, LIMIT)


@pytest.mark.filterwarnings("ignore:.*is run as Python")
def test_a_strict_call_raises_after_many_that_were_python():
    staged = ag.function(moved)
    for _ in range(20):  # the last ones are made without a look
        observed(staged)
    with ag.config(strict=True), pytest.raises(TypeError):
        observed(staged)


@pytest.mark.filterwarnings("ignore:.*is run as Python")
def test_the_log_says_that_it_is_python(caplog):
    with ag.config(log="exec"), caplog.at_level("INFO", logger="autograph"):
        observed(ag.function(moved))
    assert "moved: run as Python, as no graph can be made for it" in caplog.text


@pytest.mark.filterwarnings("ignore:.*is run as Python")
def test_a_function_that_is_refused_may_call_one_that_is_not():
    @ag.function
    def total(x):
        return (x * x).sum()

    @ag.function
    def both(x, limit):
        return moved(x, limit), total(x)

    with contextlib.redirect_stdout(io.StringIO()):
        given = both(X.copy(), LIMIT)
    expected = "([{'x': np.float64(2.0)}, {'x': np.float64(3.0)}], np.float64(33.0))"
    assert repr(given) == expected
    assert len(total.concrete_functions) == 1


def keeps(x):
    global kept
    kept = Failed()
    kept.x = x
    return x * 2


@pytest.mark.filterwarnings("ignore:.*is run as Python")
def test_what_a_trace_left_outside_is_taken_out_before_python_runs():
    assert ag.function(keeps)(LIMIT) == 6.0
    assert type(kept.x) is np.float64


def test_what_cannot_be_taken_out_is_refused_always():
    hidden = []

    @ag.do_not_convert
    def hide(thing):
        hidden.append(lambda: thing)

    def hides(x):
        thing = Failed()
        thing.x = x
        hide(thing)
        return x * 2

    with pytest.raises(TypeError, match="after the trace"):
        ag.function(hides)(LIMIT)


@pytest.mark.parametrize("options", [{"autograph": False}, {"python_effects": "trace"}])
def test_who_asks_for_another_meaning_than_pythons_gets_an_error(options):
    def grows(x):
        pair = ()
        while x > 0:
            pair, x = (pair, "a"), x - 1
        return pair

    with pytest.raises(TypeError):
        ag.function(grows, **options)(LIMIT)


def test_variables_made_by_each_call_are_refused():
    def makes(x):
        return ag.Variable(1.0) + x

    made = ag.function(makes)
    made(LIMIT)
    with pytest.raises(TypeError, match="a Variable is made here at each call"):
        made(LIMIT)


@pytest.mark.filterwarnings("ignore:.*is run as Python")
def test_a_decorated_generator_is_a_generator():
    @ag.function
    def doubled(x):
        for v in x:
            yield v * 2

    assert repr([*doubled(X)]) == repr([v * 2 for v in X])
