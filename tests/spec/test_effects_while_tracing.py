"""What the documents say of Python's effects: by `python_effects="trace"` as they show
it, and by default as plain Python has it.
"""

import numpy as np
import pytest

import autograph as ag

TRACED = 0
VAR = ag.Variable(0)


def side_effect(iterator):
    VAR.assign_add(next(iterator))
    ag.print("Value of variable:", VAR.read())


@pytest.fixture(autouse=True)
def _fresh():
    global TRACED
    TRACED = 0
    VAR.assign(0)


def numbers():
    for number in range(4):
        print("next is", number)
        yield number


# The tutorial, 6, "Iterator works only once", with the variable outside as there.


def test_iterator_gives_its_first_item_to_all_calls_under_trace_effects(capsys):
    f = ag.function(side_effect, python_effects="trace")
    iterator = iter([0, 1, 2, 3])
    for _ in range(3):
        f(iterator)
    assert capsys.readouterr().out == "Value of variable: 0\n" * 3
    assert list(iterator) == [1, 2, 3]


def test_iterator_goes_on_at_each_call_without_a_function(capsys):
    iterator = iter([0, 1, 2, 3])
    for _ in range(3):
        side_effect(iterator)
    assert capsys.readouterr().out == (
        "Value of variable: 0\nValue of variable: 1\nValue of variable: 3\n"
    )


def test_generator_is_asked_once_under_trace_effects(capsys):
    f = ag.function(side_effect, python_effects="trace")
    generator = numbers()
    for _ in range(2):
        f(generator)
    assert capsys.readouterr().out == "next is 0\n" + "Value of variable: 0\n" * 2
    assert next(generator) == 1


def test_each_iterator_has_a_trace_of_its_own_under_trace_effects(capsys):
    f = ag.function(side_effect, python_effects="trace")
    first, second = iter([1, 2]), iter([10, 20])
    for iterator in (first, second, first):
        f(iterator)
    assert capsys.readouterr().out.split()[3::4] == ["1", "11", "12"]


def test_iterator_that_a_graph_cannot_ask_again_is_asked_by_python_by_default():
    iterator = iter([0, 1, 2, 3])
    staged = ag.function(side_effect)
    with pytest.raises(TypeError, match="this iterator was made outside"):
        staged.get_concrete_function(iterator)
    staged(iterator)
    staged(iterator)
    assert list(iterator) == [2, 3]


# The tutorial, 6: "printing, appending to lists, and mutating globals".


def count(x):
    global TRACED
    TRACED += 1
    return x + TRACED


@pytest.mark.parametrize(
    ("effects", "results", "last"),
    [("trace", [2.0, 3.0, 4.0], 1), ("run", [2.0, 4.0, 6.0], 3)],
)
def test_global_is_changed_by_the_trace_or_by_each_call(effects, results, last):
    f = ag.function(count, python_effects=effects)
    assert [f(np.float64(x)) for x in (1, 2, 3)] == results
    assert last == TRACED


@pytest.mark.parametrize(("effects", "expected"), [("trace", 1), ("run", 3)])
def test_outer_list_gets_one_item_by_the_trace_or_one_by_each_call(effects, expected):
    calls = []

    @ag.function(python_effects=effects)
    def f(x):
        calls.append("called")
        return x

    for x in (1.0, 2.0, 3.0):
        f(np.float64(x))
    assert calls == ["called"] * expected


def test_outer_list_gets_the_items_of_a_loop_where_the_page_warns(capsys):
    seen = []

    @ag.function
    def g(x):
        for i in x:
            seen.append(i)

    g(np.array([1.0, 2.5]))
    g(np.array([4.0]))
    assert seen == [1.0, 2.5, 4.0]


def test_tensor_kept_in_an_outer_list_is_refused_under_trace_effects():
    seen = []

    @ag.function(python_effects="trace")
    def g(x):
        for i in x:
            seen.append(i)

    with pytest.raises(TypeError, match="would keep a list"):
        g(np.array([1.0, 2.5]))
    assert seen == []


# The API page: "add_noise() will return a different output every time".


def test_noise_from_numpys_global_generator_is_drawn_at_each_call():
    def add_noise():
        return np.eye(5) + np.random.randn(5, 5)

    traced = ag.function(add_noise)
    state = np.random.get_state()
    try:
        np.random.seed(3)
        ours = traced(), traced(), traced()
        np.random.seed(3)
        assert np.array_equal(ours, (add_noise(), add_noise(), add_noise()))
    finally:
        np.random.set_state(state)
    assert not np.array_equal(ours[0], ours[1])


# The guides: "add a print statement to see when the function is tracing".


def traced_twice(x):
    print("Tracing!")
    return x * x + 2


def test_print_shows_each_trace_and_its_result(capsys):
    f = ag.function(traced_twice, python_effects="trace")
    for x in (np.int64(2), np.int64(3), 2, 3):
        print(f(x))
    assert capsys.readouterr().out == ("Tracing!\n6\n11\nTracing!\n6\nTracing!\n11\n")


def test_numbers_from_the_third_on_share_a_trace(capsys):
    f = ag.function(traced_twice, python_effects="trace")
    assert [f(x) for x in (2, 3, 4, 5, 6)] == [6, 11, 18, 27, 38]
    assert capsys.readouterr().out == "Tracing!\n" * 3


def test_relu_of_the_guide_says_what_each_trace_is_made_with(capsys):
    @ag.function(python_effects="trace")
    def my_relu(x):
        print("Tracing my_relu(x) with:", x)
        return np.maximum(0.0, x)

    calls = [np.float64(5.5), [1.0, -1.0], np.array([3.0, -3.0])]
    calls += [np.float64(-2.5), np.array([-1.0, 1.0])]
    for x in calls:
        print(my_relu(x))
    assert capsys.readouterr().out == (
        "Tracing my_relu(x) with: Tensor(float64[])\n5.5\n"
        "Tracing my_relu(x) with: [1.0, -1.0]\n[1. 0.]\n"
        "Tracing my_relu(x) with: Tensor(float64[2])\n[3. 0.]\n"
        "0.0\n[0. 1.]\n"
    )
