"""How branches and loops are staged: what becomes a node, what is carried, refused."""

import numpy as np
import pytest

import autograph as ag
from autograph.operators import loops
from autograph.same import assert_same_as_python


def traced(function, *arguments):
    staged = ag.function(function)
    staged(*arguments)
    (concrete,) = staged.concrete_functions
    return concrete.graph


def ops(graph):
    return [node.op.name for node in graph.walk()]


def test_python_condition_adds_no_branch():
    def f(x, flag):
        if flag:
            return x + 1
        return x - 1

    assert ops(traced(f, np.float64(1), True)) == ["constant", "add"]


def test_early_return_is_one_if_with_the_returned_value():
    def f(x):
        if x > 0:
            return x * x
        x = x - 1
        return x

    graph = traced(f, np.float64(3))
    (node,) = [node for node in graph.nodes if node.op.name == "if"]
    assert graph.outputs == node.outputs


def test_an_int_and_a_float_meet_as_both():
    def f(x):
        y = 0
        if x > 0:
            y = 0.5
        return y

    staged = ag.function(f)
    assert staged(np.float64(1)) == 0.5
    assert repr(staged(np.float64(-1))) == "0"
    spec = staged.concrete_functions[0].graph.outputs[0].spec
    assert repr(spec) == "~int64|~float64[]"


def test_loop_types_widen_until_they_hold():
    def f(n):
        a = b = c = 0
        while n > 0:
            a, b, c = b, c, c + 0.5
            n -= 1
        return a, b, c

    assert ag.function(f)(np.int64(5)) == f(5) == (1.5, 2.0, 2.5)


def test_changing_shape_widens_to_an_unknown_dim():
    def f(n):
        x = np.zeros((1, 3))
        while n > 0:
            x = np.concatenate([x, x])
            n -= 1
        return x

    staged = ag.function(f)
    assert staged(np.int64(3)).shape == (8, 3)
    assert repr(staged.concrete_functions[0].graph.outputs[0].spec) == "float64[?,3]"


def test_short_range_is_unrolled_and_a_long_one_is_a_loop():
    def f(x, n):
        for _ in range(n):
            x = x * 0.5
        return x

    assert "while" not in ops(traced(f, np.float64(1), 3))
    assert ops(traced(f, np.float64(1), 1000)).count("while") == 1


def test_loop_whose_later_turns_are_long_is_a_loop():
    def triangle(x):
        for i in range(30):
            for j in range(i):
                x[i] = max(x[i], x[j] + 1)
        return x

    graph = traced(triangle, np.arange(30.0))
    assert [node.op.name for node in graph.nodes].count("while") == 1
    x = np.arange(30.0)[::-1] % 7
    assert_same_as_python(ag.function(triangle), x)


def test_loop_of_many_operations_inside_its_branches_is_a_loop():
    def f(x, n):
        for i in range(n):
            if x[0] > i:
                x = x + np.sqrt(x) * 2 - x / 3 + np.exp(-x) * x - np.sin(x) + x * 3
            else:
                x = x - np.sqrt(x) * 2 - x / 3 + np.exp(-x) * x - np.cos(x) - x * 3
        return x

    assert "while" not in ops(traced(f, np.ones(2), 5))
    assert ops(traced(f, np.ones(2), 40)).count("while") == 1


@pytest.fixture
def tried(monkeypatch):
    """How many turns those loops have of which a turn was unrolled on trial."""
    turns, asked = [], loops.Checkpoint.is_dear

    def is_dear(self, done, of):
        turns.append(of)
        return asked(self, done, of)

    monkeypatch.setattr(loops.Checkpoint, "is_dear", is_dear)
    return turns


def test_loops_inside_one_another_are_unrolled_on_trial_once_each(tried):
    def f(x):
        total = 0.0
        for a in range(50):
            for b in range(60):
                for c in range(70):
                    for d in range(80):
                        total += x[a] * x[b] * x[c] - x[d]
        return total

    ag.function(f).get_concrete_function(np.ones(80))
    assert sorted(tried) == [50, 60, 70, 80]


def test_long_loops_that_store_into_arrays_are_loops_without_a_trial(tried):
    def f(x):
        for a in range(loops.MOST_STORED):
            x[a] += 1.0
        for a in range(70):
            for b in range(60):
                x[a] += x[b]
        return x

    x = np.arange(80.0)
    graph = traced(f, x)
    assert set(tried) == {loops.MOST_STORED}
    assert ops(graph).count("while") == 2
    assert ag.function(f)(x.copy()).tolist() == f(x.copy()).tolist()


def test_long_loop_that_stores_what_it_picks_from_a_list_is_unrolled():
    layers = [np.maximum, np.minimum] * 20

    def f(x):
        y = np.zeros(40)
        for i in range(40):
            y[i] = layers[i](x[i], 0.5)
        return y

    x = np.linspace(0.0, 1.0, 40)
    assert "while" not in ops(traced(f, x))
    assert ag.function(f)(x).tolist() == f(x).tolist()


def test_long_loop_that_picks_from_a_list_is_unrolled():
    layers = [np.maximum, np.minimum] * 75

    def f(x):
        for i in range(150):
            x = layers[i](np.ones(3), x + 1)
        return x

    x = np.zeros(3)
    graph = traced(f, x)
    assert "while" not in ops(graph)
    np.testing.assert_array_equal(ag.function(f)(x), f(x))


def test_loop_over_python_values_stays_python():
    def f(x):
        total = 0
        for i in range(10_000):
            total += i
        return x + total

    assert "while" not in ops(traced(f, np.float64(1)))


def test_while_true_with_a_data_dependent_break_is_a_loop():
    def f(x):
        steps = 0
        while True:
            x = x / 2
            if x < 1:
                break
            steps += 1
        return steps

    assert ag.function(f)(np.float64(100)) == f(100.0) == 6
    assert "while" in ops(traced(f, np.float64(100)))


def test_loop_becomes_staged_when_its_test_does():
    def f(eps):
        d = 1.0
        while d > eps:
            d = d / 2
        return d

    assert ag.function(f)(np.float64(1e-3)) == f(1e-3)


def test_what_only_the_branch_made_is_no_output():
    def f(x):
        if x > 0:
            unused = x * 2  # noqa: F841 - so it is
            x = x + 1
        return x

    graph = traced(f, np.float64(1))
    (node,) = [node for node in graph.nodes if node.op.name == "if"]
    assert len(node.outputs) == 1


def test_in_place_store_in_a_branch_is_seen_by_every_alias():
    def f(a, flag):
        b = a
        view = a[1:]
        if flag > 0:
            view[0] = 7
        return b, a

    a = np.zeros(3)
    b, c = ag.function(f)(a, np.int64(1))
    assert b is a
    assert c is a
    assert a.tolist() == [0, 7, 0]


def test_changes_of_lists_dicts_and_attributes_are_joined():
    class Thing:
        pass

    def f(x):
        thing = Thing()
        thing.value = x
        table = {"k": [x, 1]}
        if x > 0:
            thing.value = x * 2
            table["k"][1] = 5
        return thing.value, table

    staged = ag.function(f)
    assert staged(np.float64(2)) == (4, {"k": [2, 5]})
    assert staged(np.float64(-2)) == (-2, {"k": [-2, 1]})


def test_branch_that_raises_does_so_only_when_taken():
    def f(x):
        if x < 0:
            raise ValueError("negative")
        return x + 1

    staged = ag.function(f)
    assert staged(np.float64(1)) == 2
    with pytest.raises(ValueError, match=r"^negative$"):
        staged(np.float64(-1))


def test_branch_with_a_fault_that_python_would_meet_raises_only_when_taken():
    def f(x, a, b):
        if x > 0:
            return a + b
        return a

    staged = ag.function(f)
    assert staged(np.float64(-1), np.ones(2), np.ones(3)).tolist() == [1, 1]
    with pytest.raises(ValueError, match="could not be broadcast"):
        staged(np.float64(1), np.ones(2), np.ones(3))


def test_each_exception_is_raised_afresh():
    def f(x):
        if x < 0:
            raise ValueError("negative")
        return x

    staged = ag.function(f)
    lengths = []
    for _ in range(3):
        with pytest.raises(ValueError, match="negative") as caught:
            staged(np.float64(-1))
        lengths.append(len(caught.traceback))
    assert len(set(lengths)) == 1


@pytest.mark.parametrize("n", [0, 1, 5])
@pytest.mark.parametrize("stop", [2, 9])
def test_for_else_and_the_loop_variable_after_the_loop(n, stop):
    def f(n, stop):
        i = -1
        for i in range(n):
            if i == stop:
                found = True
                break
        else:
            found = False
        return i, found

    assert ag.function(f)(np.int64(n), np.int64(stop)) == f(n, stop)


def test_nested_loops_trace_in_linear_time():
    def f(n):
        t = 0
        for a in range(n):
            for b in range(a):
                for c in range(b):
                    for d in range(c):
                        t += d
        return t

    graph = traced(f, np.int64(7))
    assert ag.function(f)(np.int64(7)) == f(7)
    assert len(list(graph.walk())) < 150


@pytest.mark.parametrize("x", [-2.0, 0.0, 3.0])
def test_a_comprehension_over_a_plain_range_asks_data_at_each_turn(x):
    def f(x):
        found = [j for j in range(5) if x + j > 0]
        return sum(found) + len(found)

    assert ag.function(f)(np.float64(x)) == f(np.float64(x))
