"""f.cost: what a call computes and moves, counted while it runs."""

import numpy as np
import pytest

import autograph as ag


@ag.function
def forward(x, w, b):
    h = x @ w + b
    h = np.maximum(h, 0)
    return np.exp(h)


@ag.function
def halve(x, limit):
    while np.sum(x) > limit:
        x = x * 0.5
    return x


ARRAYS = (np.ones((2, 3)), np.ones((3, 4)), np.ones(4))


def test_numbers_of_a_call_are_attributes():
    cost = forward.cost(*ARRAYS)
    assert (cost.flops, cost.functions) == (2 * 2 * 3 * 4 + 8 + 8, 8)
    # x, w; x @ w, b; h; h
    assert cost.read == 48 + 96 + 64 + 32 + 64 + 64
    assert cost.written == 4 * 64
    assert cost.result.tolist() == forward.python_function(*ARRAYS).tolist()


def test_table_is_by_the_lines_of_the_function():
    cost = forward.cost(*ARRAYS)
    first = forward.python_function.__code__.co_firstlineno
    assert str(cost).splitlines() == [
        "forward: 64 flops, 8 functions; 368 B read, 256 B written; "
        f"64 B of arrays at the peak, line {first + 2}",
        "     flops functions      read   written      runs",
        f"        56         0     240 B     128 B         1  line {first + 2}: "
        "h = x @ w + b",
        f"         8         0      64 B      64 B         1  line {first + 3}: "
        "h = np.maximum(h, 0)",
        f"         0         8      64 B      64 B         1  line {first + 4}: "
        "return np.exp(h)",
    ]
    lines = [(line.place.line, line.flops, line.functions) for line in cost.lines]
    assert lines == [(first + 2, 56, 0), (first + 3, 8, 0), (first + 4, 0, 8)]


@pytest.mark.parametrize(("limit", "turns"), [(100.0, 0), (1.0, 3), (0.1, 6)])
def test_turns_of_a_loop_are_those_of_this_call(limit, turns):
    cost = halve.get_concrete_function(np.ones(6), np.float64(1)).cost(
        np.ones(6), np.float64(limit)
    )
    # Each turn a sum, a comparison and a product; the last has no product.
    assert cost.flops == turns * (5 + 1 + 6) + 5 + 1
    runs = {node.op.name: spent.runs for node, spent in cost.nodes.items()}
    assert runs.get("multiply", 0) == turns
    assert runs["sum"] == turns + 1


@pytest.mark.parametrize("size", [5, 7, 11, 1000])
def test_sizes_are_those_of_this_call(size):
    cost = halve.cost(np.ones(size), np.float64(size * 0.75))
    assert cost.flops == 2 * (size - 1 + 1) + size


def test_memory_at_its_peak_is_that_of_the_arrays_that_live_at_once():
    @ag.function
    def several(x):
        a = x * 2.0
        b = np.sin(a)
        return a + b

    @ag.function
    def in_place(x):
        for _ in range(5):
            x += 1.0
        return x[::2]

    n = 1000
    assert several.cost(np.ones(n)).memory == 2 * 8 * n
    assert in_place.cost(np.ones(n)).memory == 0
    # A turn's product is made beside the one of the turn before.
    assert halve.cost(np.ones(n), np.float64(1)).memory == 2 * 8 * n
    assert halve.cost(np.ones(n), np.float64(1e-9)).memory == 2 * 8 * n


def test_a_part_that_data_chooses_is_counted_as_it_is():
    @ag.function
    def positive(x):
        return np.sqrt(x[x > 0])

    cost = positive.cost(np.array([1.0, -1.0, 4.0, 9.0]))
    assert cost.flops == 4 + 3
    assert cost.result.tolist() == [1, 2, 3]


def test_host_calls_are_named_and_not_counted():
    @ag.function
    def inverse(x):
        return np.linalg.inv(x) + 1

    cost = inverse.cost(np.eye(3))
    assert dict(cost.uncounted) == {"inv": 1}
    assert cost.flops == 9
    assert str(cost).endswith("  not counted: what is computed in inv 1x")


def test_it_is_a_call_with_its_changes_and_its_output(capsys):
    @ag.function
    def shown(x):
        x[0] = 7
        print(x)

    x = np.ones(2)
    assert shown.cost(x).result is None
    assert x.tolist() == [7, 1]
    assert capsys.readouterr().out == "[7. 1.]\n"


def test_a_call_after_it_is_as_fast_and_counts_nothing():
    run = forward.get_concrete_function(*ARRAYS).run
    cost = forward.cost(*ARRAYS)
    before = cost.flops
    forward(*ARRAYS)
    assert forward.get_concrete_function(*ARRAYS).run is run
    assert cost.flops == before


def test_a_method_of_an_instance_is_asked_too():
    class Net:
        def __init__(self):
            self.w = np.ones((3, 4))

        @ag.function
        def step(self, x):
            return x @ self.w

    assert Net().step.cost(np.ones((2, 3))).flops == 48


def test_reading_a_variable_makes_no_array():
    total = ag.Variable(np.zeros(100))

    @ag.function
    def add(x):
        total.assign_add(x)
        return x.sum()

    assert add.cost(np.ones(100)).memory == 800


def test_what_is_run_as_python_has_no_cost():
    @ag.function
    def first(x):
        return x[0]

    with pytest.raises(TypeError) as caught:
        first.cost(np.ma.masked_array([1.0, 2.0]))
    assert str(caught.value) == (
        "first is run as Python, as an argument is no array of NumPy's own kind"
    )


def test_programs_with_try_recursion_and_lists_are_counted():
    @ag.function
    def risky(x, n):
        found = []
        for i in range(n):
            try:
                found.append(x[i] * 2)
            except IndexError:
                found.append(np.float64(-1.0))
        return np.array(found)

    cost = risky.cost(np.ones(2), np.int64(3))
    assert cost.result.tolist() == [2, 2, -1]
    assert cost.flops == 2
