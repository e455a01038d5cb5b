"""Host calls: functions without an op, called by the graph."""

import numpy as np
import pytest
import scipy.linalg
import scipy.special

from runtime.effects import writes
from runtime.numpy_api import call_function, callbacks, trials
from runtime.spec import TensorSpec
from tests.runtime.staging import check, stage, trace, unknown_dims

MATRIX = np.array([[4.0, 1.0], [2.0, 3.0]])
VECTOR = np.array([3.0, 2.0])


def host_calls(function, *args, **options):
    graph, _ = trace(function, *args, **options)
    return [node for node in graph.nodes if node.op.name == "host_call"]


def results(function, *args, **options):
    (call,) = host_calls(function, *args, **options)
    return [value.spec for value in call.outputs]


def staged_call(function):
    """SciPy's functions know no tensors; generated code calls them so."""
    return lambda *args: call_function(function, args, {})


@pytest.mark.parametrize(
    "function", [scipy.linalg.solve, scipy.linalg.lstsq, scipy.special.xlogy]
)
def test_scipy_function_is_called_by_the_graph(function):
    staged, _ = stage(staged_call(function), MATRIX, VECTOR)
    plain = function(MATRIX, VECTOR)
    for one, other in zip(staged, plain, strict=True):
        np.testing.assert_array_equal(one, other)


def test_ufunc_of_scipy_has_a_known_result():
    assert results(lambda x: scipy.special.erf(x), VECTOR, spec=unknown_dims) == [
        TensorSpec((None,), float)
    ]


def test_result_is_found_by_a_trial():
    assert results(lambda a: np.linalg.inv(a), MATRIX) == [TensorSpec((2, 2), float)]
    assert results(lambda a: np.linalg.eigh(a), MATRIX.astype("f4")) == [
        TensorSpec((2,), "f4"),
        TensorSpec((2, 2), "f4"),
    ]


def test_unknown_sizes_leave_the_number_of_dims_known():
    assert results(lambda a: np.linalg.inv(a), MATRIX, spec=unknown_dims) == [
        TensorSpec((None, None), float)
    ]


def test_shape_that_may_depend_on_content_is_not_taken_from_the_trial():
    trimmed = staged_call(np.polynomial.polynomial.polytrim)
    assert results(trimmed, VECTOR) == [TensorSpec((None,), float)]


def test_function_of_the_users_is_not_tried():
    tried = []

    def function(row, tried=tried):
        tried.append(row)
        return row

    calls = host_calls(lambda a: np.apply_along_axis(function, 0, a), MATRIX)
    assert len(calls) == 1
    assert tried == []
    check(lambda a: np.apply_along_axis(lambda row: row.sum(), 0, a), MATRIX)


def test_users_array_among_the_arguments_is_read_at_each_call():
    table = np.array([1.0, 2.0])

    def function(x):
        return np.interp(x, [0.0, 1.0], table)

    graph, _ = trace(function, VECTOR)
    (call,) = (node for node in graph.nodes if node.op.name == "host_call")
    assert len(call.inputs) == 2


def test_saving_runs_in_its_place_and_is_not_tried(tmp_path):
    path = tmp_path / "x.npy"

    def function(x):
        np.save(path, x)
        x.tofile(tmp_path / "x.bin")

    calls = host_calls(function, VECTOR)
    assert all(writes(call.effects) for call in calls)
    assert list(tmp_path.iterdir()) == []
    stage(function, VECTOR)
    np.testing.assert_array_equal(np.load(path), VECTOR)
    np.testing.assert_array_equal(np.fromfile(tmp_path / "x.bin"), VECTOR)


def test_what_holds_for_equal_inputs_alone_is_tried_on_such():
    # An assertion gives nothing, and is not left out: its result has no spec.
    of = staged_call(np.testing.assert_array_equal)
    assert results(of, VECTOR, VECTOR) == []


@pytest.mark.parametrize("other", [[7.0, 9.0], 0.1])
def test_assertion_about_a_constant_stands_though_it_gives_nothing(other):
    asserting = staged_call(np.testing.assert_allclose)
    (call,) = host_calls(lambda x: asserting(x, other), VECTOR)
    assert call.outputs == ()
    assert writes(call.effects)


def test_failing_trial_leaves_the_result_open():
    def function(x):
        return np.linalg.solve(x, x)  # no matrix

    (call,) = host_calls(function, VECTOR)
    assert call.outputs[0].spec == TensorSpec(None, None)
    check(function, VECTOR)


@pytest.mark.parametrize("dtype", ["bool", "int8", "float32", "complex128"])
def test_sample_suits_its_spec(dtype):
    spec = TensorSpec((3, 3), dtype)
    made = trials.sample(spec)
    assert spec.accepts(made)
    if dtype != "bool":
        assert np.all(np.linalg.eigvalsh(made.astype(complex)) > 0)


def test_large_arrays_are_tried_by_smaller_ones():
    image = np.zeros((300, 400))
    assert results(lambda a: np.linalg.svd(a), image) == [
        TensorSpec((300, 300), float),
        TensorSpec((300,), float),
        TensorSpec((400, 400), float),
    ]
    # A size that is none of the arguments' is not said.
    assert results(lambda a: np.fft.rfft(a), image) == [
        TensorSpec((300, None), complex)
    ]


def test_dtype_that_depends_on_content_is_not_taken_from_the_trials():
    assert results(lambda a: np.emath.sqrt(a), VECTOR) == [TensorSpec((None,), None)]
    assert results(lambda a: np.linalg.eigvals(a), MATRIX) == [TensorSpec((2,), None)]


def halved(x):
    while x > 1:
        x = x / 2
    return x


def noted(x):
    NOTED.append(x)
    return x


def filled(x):
    made = np.empty(2)
    made[0] = x
    return [v for v in made if v > 0]


NOTED: list[float] = []


def test_trials_call_users_functions_that_only_compute_and_end():
    assert callbacks.is_harmless(filled)
    assert callbacks.is_harmless(np.vectorize(filled))
    assert not callbacks.is_harmless(halved)
    assert not callbacks.is_harmless(noted)
    assert not callbacks.is_harmless(lambda x: noted(x) + 1)
