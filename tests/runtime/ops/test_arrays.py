"""Ops on shapes, indices, products, order and creation: NumPy's results and our specs.

Each case is an op, the same thing in NumPy, operands and attributes. The kernel must
give what NumPy gives; the type rule must describe it, knowing all or little.
"""

import numpy as np
import pytest

from runtime.ops import basic, create, index, join, linalg, shape, sort
from runtime.ops.template import Input
from runtime.spec import spec_of

DTYPES = ("bool", "int8", "int64", "uint8", "float32", "float64", "complex128")
I = Input


def sample(dims, dtype="float64"):
    count = int(np.prod(dims, dtype=int))
    return (np.arange(count)[::-1].reshape(dims) % 5).astype(dtype)


A23, A3, A0, A123 = sample((2, 3)), sample((3,)), sample((0,)), sample((1, 2, 3))
A33, A1, A2 = sample((3, 3)), sample((1,)), sample((2,))
ONE = np.float64(2.5)

# op, what NumPy calls it, operands, attributes
CASES = [
    (shape.reshape, lambda x: x.reshape(3, 2), (A23,), {"shape": (3, 2)}),
    (shape.reshape, lambda x: x.reshape(-1), (A23,), {"shape": (-1,)}),
    (shape.reshape, lambda x: x.reshape(0, 3), (A0,), {"shape": (0, 3)}),
    (shape.reshape, lambda x, n: x.reshape(n, -1), (A23, 6), {"shape": (I(0), -1)}),
    (shape.ravel, np.ravel, (A23,), {}),
    (shape.ravel, np.ravel, (ONE,), {}),
    (shape.transpose, np.transpose, (A123,), {}),
    (shape.transpose, lambda x: x.transpose(2, 0, 1), (A123,), {"axes": (2, 0, 1)}),
    (shape.expand_dims, lambda x: np.expand_dims(x, 1), (A23,), {"axis": 1}),
    (shape.expand_dims, lambda x: np.expand_dims(x, (0, -1)), (A3,), {"axis": (0, -1)}),
    (shape.squeeze, np.squeeze, (A123,), {}),
    (shape.squeeze, lambda x: np.squeeze(x, 0), (A123,), {"axis": 0}),
    (
        shape.broadcast_to,
        lambda x: np.broadcast_to(x, (2, 3)),
        (A3,),
        {"shape": (2, 3)},
    ),
    (shape.flip, np.flip, (A23,), {}),
    (shape.flip, lambda x: np.flip(x, 1), (A23,), {"axis": 1}),
    (shape.roll, lambda x: np.roll(x, 1), (A23,), {"shift": 1}),
    (shape.roll, lambda x, n: np.roll(x, n, 0), (A23, 1), {"shift": I(0), "axis": 0}),
    (shape.rot90, np.rot90, (A23,), {}),
    (shape.rot90, lambda x: np.rot90(x, 2), (A23,), {"k": 2}),
    (shape.tile, lambda x: np.tile(x, (2, 1, 2)), (A23,), {"reps": (2, 1, 2)}),
    (shape.tile, lambda x, n: np.tile(x, n), (A23, 2), {"reps": (I(0),)}),
    (shape.repeat, lambda x: np.repeat(x, 2), (A23,), {"repeats": 2}),
    (shape.repeat, lambda x: np.repeat(x, 2, 1), (A23,), {"repeats": 2, "axis": 1}),
    (shape.repeat, np.repeat, (A3, np.array([1, 0, 2])), {"repeats": I(0)}),
    (
        shape.pad,
        lambda x: np.pad(x, ((1, 0), (0, 2))),
        (A23,),
        {"width": ((1, 0), (0, 2)), "mode": "constant", "options": {}},
    ),
    (join.concatenate, lambda *xs: np.concatenate(xs), (A23, A33[:2]), {}),
    (join.concatenate, lambda *xs: np.concatenate(xs, 1), (A23, A23), {"axis": 1}),
    (join.concatenate, lambda *xs: np.concatenate(xs, None), (A23, A0), {"axis": None}),
    (join.stack, lambda *xs: np.stack(xs), (A3, A3), {}),
    (join.stack, lambda *xs: np.stack(xs, -1), (A23, A23), {"axis": -1}),
    (join.split, lambda x: np.array_split(x, 2, 1), (A23,), {"sections": 2, "axis": 1}),
    (
        join.split,
        lambda x: np.split(x, [1, 2], 1),
        (A23,),
        {"sections": (1, 2), "axis": 1},
    ),
    (linalg.matmul, np.matmul, (A23, A33), {}),
    (linalg.matmul, np.matmul, (A123, A3), {}),
    (linalg.matmul, np.matmul, (A3, A33), {}),
    (linalg.dot, np.dot, (A23, A3), {}),
    (linalg.dot, np.dot, (A123, A33), {}),
    (linalg.dot, np.dot, (A23, ONE), {}),
    (linalg.vdot, np.vdot, (A23, A23), {}),
    (linalg.inner, np.inner, (A23, A33), {}),
    (linalg.outer, np.outer, (A23, A3), {}),
    (linalg.kron, np.kron, (A23, A3), {}),
    (linalg.cross, np.cross, (A23, A3), {}),
    (linalg.tensordot, lambda x, y: np.tensordot(x, y, 1), (A23, A33), {"axes": 1}),
    (
        linalg.tensordot,
        lambda x, y: np.tensordot(x, y, ((1,), (0,))),
        (A23, A33),
        {"axes": ((1,), (0,))},
    ),
    (
        linalg.einsum,
        lambda x, y: np.einsum("ij,kj->ik", x, y),
        (A23, A33),
        {"subscripts": "ij,kj->ik"},
    ),
    (linalg.einsum, lambda x: np.einsum("ii", x), (A33,), {"subscripts": "ii"}),
    (linalg.trace, np.trace, (A33,), {}),
    (linalg.trace, lambda x: np.trace(x, 0, 1, 2), (A123,), {"axis1": 1, "axis2": 2}),
    (linalg.diagonal, lambda x: np.diagonal(x, 1), (A23,), {"offset": 1}),
    (linalg.diagonal, lambda x: np.diagonal(x, -1), (A23,), {"offset": -1}),
    (linalg.diag, np.diag, (A3,), {}),
    (linalg.diag, lambda x: np.diag(x, -1), (A3,), {"k": -1}),
    (linalg.diag, lambda x: np.diag(x, 1), (A23,), {"k": 1}),
    (linalg.tril, np.tril, (A33,), {}),
    (linalg.triu, lambda x: np.triu(x, 1), (A3,), {"k": 1}),
    (
        index.take,
        lambda x, i: np.take(x, i, 1),
        (A23, np.array([[2, -1]])),
        {"axis": 1},
    ),
    (index.take, np.take, (A23, np.array([5, 0])), {}),
    (
        index.take_along_axis,
        lambda x, i: np.take_along_axis(x, i, 1),
        (A23, np.array([[2], [0]])),
        {"axis": 1},
    ),
    (index.where, np.where, (A23 > 1, A23, A3), {}),
    (index.where, np.where, (A23 > 1, A23, 0), {}),
    (index.nonzero, np.nonzero, (A23,), {"rank": 2}),
    (index.flatnonzero, np.flatnonzero, (A23,), {}),
    (index.argwhere, np.argwhere, (A23,), {}),
    (index.clip, np.clip, (A23, 1, A3), {}),
    (index.round_, np.round, (A23 / 3,), {}),
    (index.round_, lambda x: np.round(x, 1), (A23 / 3,), {"decimals": 1}),
    (sort.sort, np.sort, (A23,), {}),
    (sort.sort, lambda x: np.sort(x, None), (A23,), {"axis": None}),
    (sort.argsort, lambda x: np.argsort(x, 0), (A23,), {"axis": 0}),
    (sort.searchsorted, np.searchsorted, (np.arange(3.0), A23), {}),
    (sort.unique, np.unique, (A23,), {}),
    (sort.bincount, np.bincount, (np.array([3, 1, 3]),), {}),
    (create.zeros, lambda: np.zeros((2, 3)), (), {"shape": (2, 3), "dtype": A3.dtype}),
    (create.ones, np.ones, (4,), {"shape": (I(0),), "dtype": A3.dtype}),
    (create.full, lambda x: np.full(2, x), (ONE,), {"shape": (2,), "dtype": None}),
    (create.arange, lambda: np.arange(1, 7, 2), (), {"args": (1, 7, 2), "dtype": None}),
    (create.arange, np.arange, (5,), {"args": (I(0),), "dtype": None}),
    (create.arange, np.arange, (0.5, 3), {"args": (I(0), I(1)), "dtype": None}),
    (
        create.linspace,
        lambda x, y: np.linspace(x, y, 4),
        (A3, 1),
        {"num": 4, "endpoint": True, "dtype": None},
    ),
    (
        create.eye,
        lambda: np.eye(2, 3, 1, int),
        (),
        {"shape": (2, 3), "k": 1, "dtype": int},
    ),
    (
        create.tri,
        lambda: np.tri(2, 3, -1),
        (),
        {"shape": (2, 3), "k": -1, "dtype": float},
    ),
    (create.meshgrid, lambda *xs: tuple(np.meshgrid(*xs)), (A3, A2), {}),
    (
        create.meshgrid,
        lambda *xs: tuple(np.meshgrid(*xs, indexing="ij", sparse=True)),
        (A3, A2, A1),
        {"indexing": "ij", "sparse": True},
    ),
    (basic.identity, lambda x: x, (A23,), {}),
    (basic.copy, np.copy, (A23,), {}),
    (basic.strong, np.float64, (2.5,), {}),
    (basic.cast, lambda x: x.astype("i4"), (A23,), {"dtype": np.dtype("i4")}),
    (basic.cast, int, (ONE,), {"dtype": np.dtype(int), "weak": True}),
    (basic.cast, lambda x: np.int8(x), (7,), {"dtype": np.dtype("i1")}),
    (basic.truth, bool, (ONE,), {}),
    (basic.not_, lambda x: not x, (True,), {}),
    (basic.dim, lambda x: x.shape[1], (A23,), {"axis": 1}),
    (basic.size, lambda x: x.size, (A23,), {}),
    (basic.real, np.real, (A23 + 1j,), {}),
    (basic.imag, np.imag, (A23 + 1j,), {}),
    (basic.imag, np.imag, (A23,), {}),
]
IDS = [f"{case[0].name}{case[3]}" for case in CASES]


def widened(spec, dims, rank):
    if spec.weak or spec.shape is None:
        return spec
    if rank:
        return spec.with_shape(None)
    return spec.with_shape((None,) * len(spec.shape)) if dims else spec


def refusal(function, *args, **kwargs):
    """The type and text of the exception that a call raises, or None."""
    try:
        function(*args, **kwargs)
    except (TypeError, ValueError, IndexError) as error:
        return type(error), str(error)
    return None


def assert_case(op, function, operands, attributes):
    expected = function(*operands)
    results = expected if isinstance(expected, (tuple, list)) else (expected,)
    made = op.kernel(*operands, **attributes)
    for one, other in zip(
        made if isinstance(expected, (tuple, list)) else (made,), results, strict=True
    ):
        assert np.asarray(one).dtype == np.asarray(other).dtype
        np.testing.assert_array_equal(one, other)
    for dims, rank in ((False, False), (True, False), (True, True)):
        specs = [widened(spec_of(x), dims, rank) for x in operands]
        inferred = op.infer(*specs, **attributes)
        declared = inferred if isinstance(inferred, tuple) else (inferred,)
        for spec, result in zip(declared, results, strict=True):
            assert spec.describes(spec_of(result))
            # What is computed from known sizes and plain attributes is known too.
            if not dims and op not in DATA_DEPENDENT and "Input" not in str(attributes):
                assert spec.is_static


DATA_DEPENDENT = (
    index.nonzero,
    index.flatnonzero,
    index.argwhere,
    sort.unique,
    sort.bincount,
)


@pytest.mark.parametrize(("op", "function", "operands", "attributes"), CASES, ids=IDS)
def test_op_is_numpys(op, function, operands, attributes):
    assert_case(op, function, operands, attributes)


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.parametrize(("op", "function", "operands", "attributes"), CASES, ids=IDS)
def test_op_takes_every_dtype_that_numpys_takes(op, function, operands, attributes):
    for dtype in DTYPES:
        given = tuple(
            x.astype(dtype) if getattr(x, "dtype", None) == np.float64 else x
            for x in operands
        )
        expected = refusal(function, *given)
        if expected is None:
            assert_case(op, function, given, attributes)
        else:
            specs = map(spec_of, given)
            assert refusal(op.infer, *specs, **attributes) == expected


REFUSALS = [
    (shape.reshape, np.reshape, (A23, (4, 2)), {"shape": (4, 2)}),
    (shape.reshape, np.reshape, (A23, (-1, 4)), {"shape": (-1, 4)}),
    (shape.reshape, np.reshape, (A23, (-1, -1)), {"shape": (-1, -1)}),
    (shape.transpose, np.transpose, (A23, (0,)), {"axes": (0,)}),
    (shape.transpose, np.transpose, (A23, (0, 0)), {"axes": (0, 0)}),
    (shape.squeeze, np.squeeze, (A23, 0), {"axis": 0}),
    (shape.broadcast_to, np.broadcast_to, (A23, (3, 2)), {"shape": (3, 2)}),
    (shape.broadcast_to, np.broadcast_to, (A23, (3,)), {"shape": (3,)}),
    (linalg.matmul, np.matmul, (A23, A23), {}),
    (linalg.matmul, np.matmul, (A23, ONE), {}),
    (linalg.dot, np.dot, (A23, A23), {}),
    (linalg.inner, np.inner, (A23, A2), {}),
    (linalg.trace, np.trace, (A3,), {}),
    (sort.sort, np.sort, (A23, 2), {"axis": 2}),
    (create.zeros, np.zeros, ((-1,),), {"shape": (-1,), "dtype": float}),
]


@pytest.mark.parametrize(("op", "function", "args", "attributes"), REFUSALS)
def test_what_numpy_certainly_refuses_is_refused_in_its_words(
    op, function, args, attributes
):
    with pytest.raises((ValueError, IndexError)) as numpys:
        function(*args)
    operands = [x for x in args if isinstance(x, (np.ndarray, np.generic))]
    with pytest.raises(type(numpys.value)) as ours:
        op.infer(*map(spec_of, operands), **attributes)
    assert str(ours.value) == str(numpys.value)


@pytest.mark.parametrize(
    ("xs", "axis"), [((A23, A3), 0), ((A23, A33), 1), ((ONE, A3), 0), ((A23, A23), 5)]
)
def test_arrays_that_do_not_go_together_are_refused_in_numpys_words(xs, axis):
    for op, function in ((join.concatenate, np.concatenate), (join.stack, np.stack)):
        expected = refusal(function, xs, axis)
        assert refusal(op.infer, *map(spec_of, xs), axis=axis) == expected


def test_split_into_equal_parts_checks_it():
    with pytest.raises(ValueError, match="array split does not result in an equal"):
        join.split.infer(spec_of(A23), sections=2, axis=1, even=True)
    with pytest.raises(ValueError, match="array split does not result in an equal"):
        join.split.kernel(A23, sections=2, axis=1, even=True)


@pytest.mark.parametrize("value", [A23, ONE, 2.5, True])
def test_constant_is_its_value(value):
    assert basic.constant.kernel(value=value, shared=False) is value
    assert basic.constant.infer(value=value) == spec_of(value)


def test_part_of_complex_numbers_is_written():
    x = np.array([1 + 2j])
    made = basic.with_part.kernel(x, 5.0, part="imag")
    np.testing.assert_array_equal(made, [1 + 5j])
    np.testing.assert_array_equal(x, [1 + 2j])
