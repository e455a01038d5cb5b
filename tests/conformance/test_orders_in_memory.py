"""`order=`: how what NumPy makes lies in memory, or is gone through."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.harness import disagreement, observe

i = np.int64
MATRIX = np.arange(6.0).reshape(2, 3)
ORDERS = ("C", "F", "K", "A", "f", "Z", "", None, 1)

PROGRAMS = {
    "zeros": lambda x, n, o: np.zeros((2, 3), order=o),
    "ones of sizes of the run": lambda x, n, o: np.ones((n, 3), order=o),
    "full": lambda x, n, o: np.full((n, 3), 1.0, order=o),
    "zeros_like": lambda x, n, o: np.zeros_like(x, order=o),
    "ones_like of a shape": lambda x, n, o: np.ones_like(x, order=o, shape=(3, 2)),
    "full_like": lambda x, n, o: np.full_like(x, 2, order=o),
    "method copy": lambda x, n, o: x.copy(o),
    "flatten": lambda x, n, o: x.flatten(o),
    "ravel": lambda x, n, o: np.ravel(x, o),
    "reshape": lambda x, n, o: x.reshape(3, 2, order=o),
    "astype": lambda x, n, o: x.astype(int, order=o),
    "astype without a copy": lambda x, n, o: x.astype(float, o, copy=False),
    "array": lambda x, n, o: np.array(x, order=o),
    "asarray": lambda x, n, o: np.asarray(x, order=o),
    "array of ints": lambda x, n, o: np.array(x, dtype=int, order=o),
    "array of a list": lambda x, n, o: np.array([[1, n], [3, 4]], order=o),
    "copy": lambda x, n, o: np.copy(x, o),
    "flags of what is known": lambda x, n, o: np.array(
        [np.eye(3, order=o).flags.f_contiguous, np.tri(3).T.flags.c_contiguous]
    ),
    "ravel of what is known": lambda x, n, o: np.eye(3, 2, order=o).ravel("K") * n,
    "asfortranarray": lambda x, n, o: np.asfortranarray(x),
}


def seen(function, *args):
    outcome = observe(function, args)
    result = outcome.result
    lies = None if result is None else (result.strides, result.tobytes())
    return outcome.raised, lies


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_results_lie_in_memory_as_numpys(name, order):
    program = PROGRAMS[name]
    for x in (MATRIX, np.asfortranarray(MATRIX)):
        staged = ag.function(program, static_args=["o"])
        for _ in range(2):
            assert seen(staged, x, i(2), order) == seen(program, x, i(2), order)


@pytest.mark.parametrize("name", PROGRAMS)
def test_an_order_may_be_any_text_of_the_caller(name):
    program = PROGRAMS[name]
    staged = ag.function(program)
    for order in ("C", "F", "K", "A", "f", "Z", "y", "F"):
        assert seen(staged, MATRIX, i(2), order) == seen(program, MATRIX, i(2), order)


@pytest.mark.parametrize("order", ["C", "F", "K"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_trace_knows_how_results_lie(name, order):
    def program(x, n):
        made = PROGRAMS[name](x, n, order)
        row = made.reshape(-1)
        row += 1
        return row, made, made.ravel("K"), made.strides, made.flags.f_contiguous

    staged = ag.function(program)
    for x in (MATRIX, np.asfortranarray(MATRIX), MATRIX):
        python, graph = observe(program, (x, i(2))), observe(staged, (x, i(2)))
        assert disagreement(python, graph) is None


def test_what_lies_in_the_wanted_order_is_the_array_itself():
    def program(x):
        made = np.asfortranarray(x)
        same = made.astype(x.dtype, order="F", copy=False)
        same += 1
        return same is made, made, x.astype(x.dtype, order="F", copy=False) is x

    staged = ag.function(program)
    for x in (MATRIX, np.asfortranarray(MATRIX), MATRIX + 1j, MATRIX[:1], MATRIX.T):
        python, graph = observe(program, (x,)), observe(staged, (x,))
        assert disagreement(python, graph) is None


@pytest.mark.parametrize("order", ["K", "A"])
@pytest.mark.parametrize("given", [MATRIX[:1, :2], MATRIX[:, :1], MATRIX[:, None]])
def test_axes_that_repeat_elements_stay_where_they_are(given, order):
    def program(x):
        wide = np.broadcast_to(x, (3, 2, 2) if x.shape[-1] == 2 else (3, *x.shape))
        long = np.broadcast_to(x[:1], (2, 4, *x.shape[1:])).swapaxes(0, -1)
        found = [part.ravel(order) for part in (wide, wide.T, wide[::-1], long)]
        return found, wide.flatten(order), long[..., ::-1].flatten(order)

    found = disagreement(
        observe(program, (given,)), observe(ag.function(program), (given,))
    )
    assert found is None, found.sentence


def listed(x, n):
    made = np.array([x.T, x.T + n])
    row = made.reshape(-1)
    row[1] = 9
    deep = np.array([[x.T[1:], x.T[:2]]], dtype=int)
    return made, made.ravel("K"), made.strides, deep.ravel("K"), deep.strides


def listed_in_a_loop(x, n):
    total = np.zeros(12)
    for k in range(n):
        made = np.array([x.T, x.T + k])
        row = made.reshape(-1)
        row[k] = 9
        total += made.ravel("K")
    return total


@pytest.mark.parametrize("backend", ["auto", "native", "numpy"])
@pytest.mark.parametrize("program", [listed, listed_in_a_loop])
def test_an_array_of_a_list_of_arrays_lies_in_c_order(program, backend):
    staged = ag.function(program)
    with ag.config(backend=backend):
        for x in (MATRIX, np.asfortranarray(MATRIX), MATRIX):
            python, graph = observe(program, (x, i(3))), observe(staged, (x, i(3)))
            found = disagreement(python, graph)
            assert found is None, found.sentence


@pytest.mark.parametrize("given", [MATRIX, MATRIX.T, MATRIX.T[::2], MATRIX[:, ::2]])
def test_a_copy_in_order_a_is_in_that_of_c_or_of_fortran(given):
    def program(x):
        wide = np.broadcast_to(x[:, None], (x.shape[0], 4, x.shape[1]))
        found = []
        for part in (x, wide, wide.T):
            copies = np.array(part, order="A"), np.copy(part, "A"), part.copy("A")
            found += [(one.strides, one.ravel("K")) for one in copies]
            found += [part.astype(int, order="A").strides]
            found += [part.astype(float, "A", copy=False).strides]
        return found

    found = disagreement(
        observe(program, (given,)), observe(ag.function(program), (given,))
    )
    assert found is None, found.sentence
