"""Shapes and axes that the run finds: given to NumPy, and asked of arrays."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import Programs, check

i = np.int64
CUBE = np.arange(24.0).reshape(2, 3, 4)
AXES = (CUBE, i(0)), (CUBE, i(-1)), (CUBE, i(1)), (CUBE, i(5))
SIZES = (CUBE, np.array([6, 4])), (CUBE, np.array([24])), (CUBE, np.array([2, 5]))
SQUARE, ROW = np.ones((2, 3)), np.ones(4)
CHOSEN = (CUBE, np.True_), (CUBE, np.False_)
EXCHANGED = (SQUARE, ROW, i(0)), (SQUARE, ROW, i(1)), (ROW, CUBE, i(1))
PROGRAMS = Programs()


@PROGRAMS(*AXES)
def means_along_an_axis(x, axis):
    shape = list(x.shape)
    shape[axis] = 1
    return x - x.mean(axis=axis).reshape(shape)


@PROGRAMS(*AXES)
def made_by_a_shape(x, axis):
    shape = list(x.shape)
    shape[axis] = 1
    z = np.ones(shape)
    z += x[:1, :1, :1]
    return z, z.shape, z.ndim, z.size, len(shape)


@PROGRAMS(*AXES)
def axes_exchanged(x, axis):
    v = x.swapaxes(0, axis)
    v += 1
    w = np.moveaxis(x, axis, 0)
    w[0] = 7
    return x, v


@PROGRAMS((CUBE, np.array([1, 2, 0])), (CUBE, np.array([0, -1])), (CUBE, np.array([3])))
def summed_over_axes(x, v):
    axes = []
    for axis in v:
        if axis > 0:
            axes.append(int(axis))
    along = tuple(axes)
    return np.sum(x, axis=along), x.max(along), np.mean(x, axis=along, keepdims=True)


@PROGRAMS((CUBE, np.array([1, 2, 0])), (CUBE, np.array([0, 1])))
def axes_put_in_order(x, v):
    axes = []
    for axis in v:
        axes.append(axis)
    return np.transpose(x, axes), x.transpose(tuple(axes))


@PROGRAMS(*SIZES)
def reshaped(x, sizes):
    shape = []
    for size in sizes:
        shape.append(int(size))
    y = x.reshape(shape)
    y[0] += 1
    z = np.reshape(x, tuple(shape))
    return y.shape, z.T, y.ndim, len(y.shape), y.size, y.nbytes, x


@PROGRAMS(*SIZES)
def turned(x, sizes):
    shape = [int(size) for size in sizes if size > 0]
    y = x.reshape(shape).swapaxes(0, -1)
    return y, y.transpose(), np.moveaxis(y, 0, -1)


@PROGRAMS(*EXCHANGED)
def shapes_of_either(x, y, n):
    for _ in range(n):
        x, y = y, x
    z = np.zeros(x.shape)
    z[0] = 1
    sizes = [size for size in x.shape], x.shape[0], x.shape[-1], x.shape + y.shape
    return x.shape, sizes, x.shape == y.shape, y.shape == (2, 3), z, x.size * 2


@PROGRAMS(*EXCHANGED)
def asked_by_how_many(x, y, n):
    for _ in range(n):
        x, y = y, x
    if x.ndim == 2:
        a, b = x.shape
        s = a * b
    else:
        s = x.shape[0]
    v = x.swapaxes(0, x.ndim - 1)
    v += 1
    np.moveaxis(x, 0, -1)[0] = 7
    return s, x, y, v


@PROGRAMS((np.arange(24.0).reshape(4, 6), np.array([1, 2])))
def keys_by_the_way(x, v):
    rows = []
    for row in v:
        rows.append(int(row))
    n = v[0]
    return x[np.s_[rows]], np.s_[rows], x[np.s_[:n]], x[np.index_exp[n, ::2]]


RESHAPED = [(np.arange(6.0), i(n), i(m)) for n, m in ((2, 2), (2, 3), (1, 6), (4, 4))]


@PROGRAMS(*RESHAPED)
def rows_that_meet_as_tables(x, n, m):
    return (x.reshape(n, -1) + x.reshape(m, -1)).reshape(6)


@PROGRAMS(*RESHAPED)
def a_row_that_is_no_table(x, n, m):
    return (x.reshape(n, -1) * 2).reshape(6)


@pytest.mark.parametrize(("program", "calls"), PROGRAMS)
def test_dims_may_be_found_by_the_run(program, calls):
    check(program, calls)


def output_of(program, *args):
    graph = ag.function(program).get_concrete_function(*args).graph
    return graph.outputs[0].spec


@PROGRAMS(*CHOSEN)
def matrices_of_what_may_have_one_dim(x, c):
    y = x if c else x[0, 0]
    z = y.mT
    z += 1
    return x, z


def test_how_many_dims_there_are_is_known_where_sizes_alone_are_set():
    def ones(x, axis):
        shape = list(x.shape)
        shape[axis] = 1
        return np.ones(shape)

    assert output_of(ones, CUBE, i(1)).rank == 3


def test_the_dtype_of_a_sum_over_axes_of_the_run_is_known():
    def summed(x, v):
        axes = []
        for axis in v:
            if axis > 0:
                axes.append(int(axis))
        return np.sum(x, axis=tuple(axes))

    assert output_of(summed, CUBE, np.array([0, 1])).dtype == np.float64
