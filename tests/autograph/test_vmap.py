"""ag.vmap is a plain loop over slices whose results are stacked."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.harness import disagreement, observe

CASES = []
x23 = np.array([[3.0, -4.0, 0.5], [6.0, 8.0, 2.0]])
x234 = np.arange(24.0).reshape(2, 3, 4)


def case(*arguments, **options):
    def note(function):
        CASES.append(pytest.param(function, arguments, options, id=function.__name__))
        return function

    return note


def by_a_loop(function, args, in_axes=0, out_axes=0):
    """What the call means, where the arguments and results are arrays or tuples."""
    axes = in_axes if isinstance(in_axes, tuple) else (in_axes,) * len(args)
    pairs = list(zip(args, axes, strict=True))
    count = next(np.shape(arg)[axis] for arg, axis in pairs if axis is not None)
    results = [
        function(
            *[a if axis is None else np.moveaxis(a, axis, 0)[k] for a, axis in pairs]
        )
        for k in range(count)
    ]
    if not isinstance(results[0], tuple):
        return np.stack(results, axis=out_axes)
    places = out_axes if isinstance(out_axes, tuple) else (out_axes,) * len(results[0])
    columns = zip(*results, strict=True)
    pairs = zip(columns, places, strict=True)
    return tuple(np.stack(column, axis=axis) for column, axis in pairs)


@case((x23,), (x234[0],), (x23.astype("f4"),), (x23 > 1,))
def norm(x):
    total = 0.0
    for part in x:
        total += part * part
    return total**0.5


@case((x234,), (x23,), in_axes=-1)
def along_another_axis(x):
    return x * 2 + x.sum()


@case((x23, x23[0]), (x234[:, 0], np.arange(4)), in_axes=(0, None), out_axes=1)
def with_a_whole(x, weights):
    return x * weights


@case((x23, x234), in_axes=(1, 1), out_axes=(1, -1))
def two_results(x, y):
    return x + 1, y.sum(axis=0) > x[0]


@case((x23,), (x234[1],))
def its_own_steps(x):
    y, steps = x.copy(), 0
    while np.abs(y).sum() > 1 and steps < 50:
        y = y * 0.5 if steps % 2 else y - y / 3
        steps += 1
    return y, steps


@case((x23,))
def prints_and_raises(x):
    print(x)
    if x[0] > 5:
        raise ValueError("too large")
    return x


@case((np.array([1.0, -1.0, 2.0]),), (np.array([-1.0, 2.0]),))
def ints_and_floats(x):
    return 1 if x > 0 else 0.5


@case((np.arange(3),), (np.arange(4),))
def numbers_alone(n):
    total = 0
    while n > 0:
        total += n
        n -= 1
    return total


@case((np.array([[2, 1], [4, 0]]),))
def stores_into_what_it_makes(x):
    y = np.zeros(3)
    for k in range(2):
        y[k] = x[k] * 2
    return y


@case((x23.copy(),), in_axes=1)
def changes_its_slice(x):
    x[0] = x[1]
    return x.sum()


@case((x23, np.array([2.0, 3.0])))
def parts_of_it(x, y):
    return x[1:], y


@pytest.mark.parametrize(("function", "arguments", "options"), CASES)
@pytest.mark.parametrize("backend", ["auto", "native"])
@pytest.mark.parametrize("where", ["plain", "inside"])
def test_it_is_a_loop_over_slices(function, arguments, options, backend, where):
    mapped = ag.vmap(function, **options)
    outer = mapped if where == "plain" else ag.function(lambda *a: mapped(*a))
    with ag.config(backend=backend):
        for given in (*arguments, *arguments):
            plain = observe(lambda *a: by_a_loop(function, a, **options), given)
            found = disagreement(plain, observe(outer, given))
            assert found is None, f"{given}: {found.sentence}"


def test_maps_of_maps_go_along_two_axes():
    both = ag.vmap(ag.vmap(norm, in_axes=1), out_axes=1)
    expected = np.array([[norm(row) for row in part.T] for part in x234]).T
    assert np.array_equal(both(x234), expected)
    inside = ag.function(lambda x: both(x) + 1)
    assert np.array_equal(inside(x234), expected + 1)


def test_axes_may_be_nested_as_the_arguments_are():
    def both(data, scale):
        return {"sum": data["y"][0] * scale + data["x"], "y": data["y"]}

    made = ag.vmap(
        both,
        in_axes=({"x": 0, "y": (1, None)}, None),
        out_axes={"sum": 1, "y": (1, 0)},
    )
    data = {"x": np.arange(3.0), "y": (x23, x23[:, 0])}
    for _ in range(2):
        found = made(data, 2.0)
        assert np.array_equal(found["sum"], x23 * 2 + np.arange(3.0))
        assert np.array_equal(found["y"][0], x23)
        assert np.array_equal(found["y"][1], np.stack([x23[:, 0]] * 3))


def test_keyword_arguments_are_mapped_along_their_first_axis():
    made = ag.vmap(lambda x, *, by: x * by)
    assert np.array_equal(made(x23, by=np.array([1.0, 2.0])), x23 * [[1.0], [2.0]])


def test_list_of_arrays_is_a_structure():
    made = ag.vmap(lambda pair: pair[0] - pair[1])
    assert np.array_equal(made([x23, x23 * 2]), -x23)


def test_it_is_a_decorator_with_and_without_options():
    @ag.vmap
    def doubled(x):
        return x * 2

    @ag.vmap(out_axes=1)
    def turned(x):
        return x * 2

    assert np.array_equal(doubled(x23), x23 * 2)
    assert np.array_equal(turned(x23), x23.T * 2)
    assert doubled.__name__ == "doubled"


def test_one_trace_serves_further_sizes():
    made = ag.vmap(norm)
    for size in range(2, 7):
        made(np.ones((size, size + 1)))
    assert len(made.concrete_functions) == 2
