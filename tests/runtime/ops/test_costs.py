"""What each op costs: a row for every op, and the counts against sums by hand."""

import importlib
import pkgutil

import numpy as np
import pytest

import runtime.ops
from runtime.op import OPS
from runtime.ops.costs import COSTS, span

for _module in pkgutil.iter_modules(runtime.ops.__path__, "runtime.ops."):
    importlib.import_module(_module.name)

X = np.ones((2, 3))
COMPLEX = np.ones((2, 3), complex)
INTS = np.ones((2, 3), int)


def work(name, *inputs, **attributes):
    """The flops and functions of an op on these inputs, by running its kernel."""
    found = OPS[name].kernel(*inputs, **attributes)
    outputs = found if isinstance(found, tuple) else (found,)
    row, given = COSTS[name], (inputs, outputs, attributes)
    return row.flops(*given), row.functions(*given)


def moved(name, *inputs, **attributes):
    """The bytes read and written."""
    found = OPS[name].kernel(*inputs, **attributes)
    outputs = found if isinstance(found, tuple) else (found,)
    return COSTS[name].moved(inputs, outputs, attributes)


def test_every_op_has_a_row_and_every_row_an_op():
    assert set(COSTS) == set(OPS)


@pytest.mark.parametrize(
    ("name", "inputs", "flops", "functions"),
    [
        ("add", (X, 1.0), 6, 0),
        ("add", (X, np.ones((4, 1, 1))), 24, 0),
        ("add", (COMPLEX, X), 12, 0),
        ("multiply", (COMPLEX, COMPLEX), 36, 0),
        ("add", (INTS, 1), 0, 0),
        ("divide", (INTS, INTS), 6, 0),
        ("less", (X, X), 6, 0),
        ("less", (INTS, INTS), 0, 0),
        ("add", (1.5, 2), 1, 0),
        ("add", (1, 2), 0, 0),
        ("sqrt", (X,), 6, 0),
        ("exp", (X,), 0, 6),
        ("exp", (COMPLEX,), 0, 6),
        ("array_power", (X, 2), 6, 0),
        ("array_power", (X, 3), 0, 6),
        ("number_power", (2, 3), 0, 0),
        ("sum", (X,), 5, 0),
        ("sum", (COMPLEX,), 10, 0),
        ("sum", (INTS,), 0, 0),
        ("mean", (X,), 6, 0),
        ("var", (X,), 24, 0),
        ("matmul", (X, np.ones((3, 5))), 60, 0),
        ("matmul", (np.ones((7, 2, 3)), np.ones((3, 5))), 420, 0),
        ("matmul", (np.ones(3), np.ones(3)), 6, 0),
        ("matmul", (COMPLEX, COMPLEX.T), 96, 0),
        ("matmul", (INTS, INTS.T), 0, 0),
        ("dot", (2.0, X), 6, 0),
        ("inner", (X, X), 24, 0),
        ("vdot", (X, X), 12, 0),
        ("outer", (np.ones(2), np.ones(3)), 6, 0),
        ("kron", (X, X), 36, 0),
        ("tensordot", (X, np.ones((3, 5))), 0, 0),
        ("zeros", (), 0, 0),
        ("sort", (X,), 0, 0),
    ],
)
def test_flops_and_functions(name, inputs, flops, functions):
    if name == "tensordot":
        attributes, flops = {"axes": 1}, 60
    else:
        attributes = {"shape": (2,), "dtype": float} if name == "zeros" else {}
    assert work(name, *inputs, **attributes) == (flops, functions)


@pytest.mark.parametrize(
    ("subscripts", "shapes", "flops"),
    [
        ("ij,jk->ik", [(2, 3), (3, 5)], 60),
        ("ij->ji", [(2, 3)], 0),
        ("ij->", [(2, 3)], 6),
        ("...ij,jk->...ik", [(7, 2, 3), (3, 5)], 420),
        ("i,j,k->", [(2,), (3,), (4,)], 72),
    ],
)
def test_flops_of_einsum(subscripts, shapes, flops):
    inputs = [np.ones(shape) for shape in shapes]
    assert work("einsum", *inputs, subscripts=subscripts) == (flops, 0)


def test_a_masked_ufunc_counts_where_the_mask_is_true():
    mask = np.array([True, False, True, True])
    inputs = (np.zeros(4), mask, np.ones(4), np.ones(4))
    assert work("masked_ufunc", *inputs, ufunc=np.add) == (3, 0)
    inputs = (np.zeros(4), mask, np.ones(4))
    assert work("masked_ufunc", *inputs, ufunc=np.exp) == (0, 3)


def test_a_reduction_by_a_ufunc_counts_as_the_ufunc_does():
    assert work("ufunc_reduce", X, ufunc=np.add, axis=0) == (3, 0)
    assert work("ufunc_at", X.copy(), np.ones(3), ufunc=np.add, index=(0,)) == (3, 0)


@pytest.mark.parametrize(
    ("name", "inputs", "attributes", "read", "written"),
    [
        ("add", (X, X), {}, 96, 48),
        ("add", (X, np.float64(1)), {}, 48, 48),
        ("add", (1.5, 2), {}, 0, 0),
        ("slice", (X,), {"index": (slice(1),)}, 0, 0),
        ("slice", (X,), {"index": (0, 1)}, 8, 0),
        ("index", (X, np.array([0, 1, 1])), {}, 24 + 72, 72),
        ("reshape", (X,), {"shape": (3, 2)}, 0, 0),
        ("reshape", (X.T,), {"shape": (2, 3)}, 48, 48),
        ("store", (X, 1.0), {"index": (0,)}, 48, 48 + 8),
    ],
)
def test_bytes(name, inputs, attributes, read, written):
    if name == "index":
        found = X[inputs[1]]
        assert COSTS[name].moved(inputs, (found,), {}) == (read, written)
    else:
        assert moved(name, *inputs, **attributes) == (read, written)


def test_what_is_stored_in_place_is_the_content_alone():
    x = np.ones(100)
    assert COSTS["store"].moved((x, np.ones(3)), (x,), {}) == (24, 24)


def test_elements_that_several_indices_meet_are_counted_once():
    assert span(np.broadcast_to(np.ones(3), (1000, 3))) == 24
    assert span(np.ones((0, 3))) == 0
