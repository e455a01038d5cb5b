"""The guides' cells on running functions eagerly, in our names."""

import numpy as np
import pytest

import autograph as ag

Y_TRUE, Y_PRED = np.array([7, 7, 1, 4, 0]), np.array([5, 2, 6, 0, 3])


@pytest.fixture(autouse=True)
def _back():
    yield
    ag.config.run_functions_eagerly(False)


@pytest.fixture
def get_mse():
    @ag.function(python_effects="trace")
    def get_mse(y_true, y_pred):
        print("Calculating MSE!")
        return np.mean((y_true - y_pred) ** 2)

    return get_mse


def test_eager_execution_computes_what_the_graph_does(get_mse):
    by_graph = get_mse(Y_TRUE, Y_PRED)
    ag.config.run_functions_eagerly(True)
    eagerly = get_mse(Y_TRUE, Y_PRED)
    assert (type(eagerly), eagerly) == (type(by_graph), by_graph)


def test_print_of_python_runs_once_in_graphs_and_each_time_eagerly(get_mse, capsys):
    for _ in range(3):
        get_mse(Y_TRUE, Y_PRED)
    assert capsys.readouterr().out == "Calculating MSE!\n"
    ag.config.run_functions_eagerly(True)
    for _ in range(3):
        get_mse(Y_TRUE, Y_PRED)
    assert capsys.readouterr().out == "Calculating MSE!\n" * 3


def test_traced_functions_remain_traced_when_set_back(get_mse, capsys):
    get_mse(Y_TRUE, Y_PRED)
    (concrete,) = get_mse.concrete_functions
    with ag.config.run_functions_eagerly(True):
        get_mse(Y_TRUE, Y_PRED)
    capsys.readouterr()
    get_mse(Y_TRUE, Y_PRED)
    assert capsys.readouterr().out == ""
    assert get_mse.concrete_functions == [concrete]


def test_as_a_context_manager_it_holds_for_the_block_alone(get_mse, capsys):
    with ag.config.run_functions_eagerly(True):
        assert ag.config.eager
        with ag.config.run_functions_eagerly(False):
            assert not ag.config.eager
        get_mse(Y_TRUE, Y_PRED)
    assert not ag.config.eager
    assert get_mse.concrete_functions == []


def test_block_left_by_an_exception_is_left():
    with pytest.raises(KeyError), ag.config.run_functions_eagerly(True):
        raise KeyError
    assert not ag.config.eager


def test_only_booleans_switch_it():
    with pytest.raises(TypeError, match="`eager` must be True or False, not 1"):
        ag.config.run_functions_eagerly(1)


def test_what_is_asked_for_is_traced_and_calls_run_the_effect_each_time(capsys):
    class Model:
        def __call__(self, x):
            print("\nCurrently running eagerly")
            return x * 2

    model, x = Model(), np.ones((2, 3))
    ag.config.run_functions_eagerly(True)
    polymorphic = ag.function(model.__call__)
    concrete = polymorphic.get_concrete_function(x)
    assert (
        repr(concrete) == "<ConcreteFunction __call__(x: float64[2,3]) -> float64[2,3]>"
    )
    assert capsys.readouterr().out == ""
    for _ in range(2):
        assert np.array_equal(polymorphic(x), x * 2)
    assert capsys.readouterr().out == "\nCurrently running eagerly\n" * 2


def test_the_systems_print_prints_in_both_modes(capsys):
    @ag.function(python_effects="trace")
    def f(x):
        ag.print("value", x)
        return x

    for eager in (False, True):
        with ag.config.run_functions_eagerly(eager):
            f(np.float64(1.0))
            f(np.float64(2.0))
        assert capsys.readouterr().out == "value 1.0\nvalue 2.0\n"


# Non-strict execution: errors of what nobody uses are eager execution's alone.


@ag.function
def unused_return(x):
    np.take(x, [2])  # unused
    return x


def test_all_operations_are_run_eagerly_and_needed_ones_in_graphs():
    x = np.zeros(1)
    with ag.config.run_functions_eagerly(True), pytest.raises(IndexError) as caught:
        unused_return(x)
    assert str(caught.value) == "index 2 is out of bounds for axis 0 with size 1"
    assert unused_return(x).tolist() == [0.0]


def test_assertions_are_effects_that_are_always_run():
    @ag.function
    def positive(x):
        assert np.all(x > 0), "not positive"
        return 1

    assert positive(np.ones(2)) == 1
    with pytest.raises(AssertionError) as caught:
        positive(np.zeros(2))
    assert str(caught.value) == "not positive"
