"""Arrays of the user's own: read at each call, changed for the user."""

import numpy as np

import autograph as ag
from runtime.build import current


class Model:
    def __init__(self):
        self.weights = np.zeros(2)
        self.layers = [np.ones(2)]

    def step(self, x):
        w = self.weights
        w += 1
        first = self.layers[0]
        first *= 2
        return w + first + x


def test_array_taken_out_of_an_object_is_changed_at_each_call():
    plain, staged = Model(), Model()
    step = ag.function(staged.step)
    for _ in range(3):
        wanted = plain.step(np.float64(1))
        np.testing.assert_array_equal(step(np.float64(1)), wanted)
    np.testing.assert_array_equal(staged.weights, plain.weights)
    np.testing.assert_array_equal(staged.layers[0], plain.layers[0])


def test_array_that_the_trace_made_starts_anew_at_each_call():
    def f(x):
        holder = {"made": np.add(np.ones(2), 1)}
        made = holder["made"]
        made += x
        return made

    staged = ag.function(f)
    for _ in range(2):
        assert staged(np.float64(1)).tolist() == [3, 3]


def test_global_array_is_read_at_each_call():
    table = np.arange(3.0)

    @ag.function
    def f(x):
        return table * 2 + x

    assert f(np.float64(0)).tolist() == [0, 2, 4]
    table[0] = 5
    assert f(np.float64(0)).tolist() == [10, 2, 4]


def test_argument_that_is_also_an_outer_array_is_one_array():
    table = np.zeros(3)

    @ag.function
    def f(x):
        table[0] = table[0] + 1
        return x.sum()

    assert f(table) == 1
    assert f(np.zeros(3)) == 0
    assert f(table) == 3


def test_second_call_is_fitted_to_the_input_signature_too():
    @ag.function(input_signature=[ag.TensorSpec([None], float)])
    def f(x):
        return x * 2

    for _ in range(2):
        assert f(np.array([1, 3])).dtype == float


def test_arrays_of_objects_are_told_apart():
    @ag.function
    def f(x):
        return x[0]

    assert f(np.array([1, 2], object)) == 1
    assert f(np.array([5, 2], object)) == 5


def test_array_attribute_is_read_at_each_call_wherever_it_stands():
    model = Model()

    @ag.function
    def f(x):
        print(model.weights, f"{model.weights[0]}")
        return x + model.weights.sum() + (model.weights * 2)[0]

    assert f(np.float64(0)) == 0
    model.weights[:] = 1
    assert f(np.float64(0)) == 4


def test_what_a_function_that_is_met_has_traced_is_not_gone_through():
    @ag.function
    def inner(x):
        return x + 1

    @ag.function
    def outer(x):
        seen = current().trace.kinds
        found.update(kind.__module__ + "." + kind.__qualname__ for kind in seen)
        return inner(x)

    found = set()
    inner(np.float64(1.0))
    outer(np.float64(2.0))
    assert "tracer.function.Function" in found
    assert not {"tracer.lookup.Lookup", "tracer.short_keys.ShortKeys"} & found
    # Nor what C's classes are full of.
    assert "builtins.wrapper_descriptor" not in found


def test_array_of_a_callable_in_a_function_is_changed_in_place():
    class Adds:
        def __init__(self):
            self.total = np.zeros(2)

        def __call__(self, x):
            self.total += x
            return self.total * 2

    adds = Adds()
    inner = ag.function(adds)

    @ag.function
    def f(x):
        return inner(x) + 1

    for k in (1, 2, 3):
        assert f(np.float64(1.0)).tolist() == [2.0 * k + 1] * 2
    assert adds.total.tolist() == [3.0, 3.0]
