"""Stores into parts of parts: one step, without a copy of a part."""

import numpy as np
import pytest

import autograph as ag
from runtime.backends.numpy import compile_graph
from tests.conformance.trying import check

x34, two = np.arange(12.0).reshape(3, 4), np.int64(2)


def parts_of_parts(x, n):
    v = x[1:]
    w = v[:, ::2]
    for i in range(2):
        w[i, n - 1] = 50 + i
        v[i] += 1
        if w[0, 0] > 3:
            w[i] = v[i, :2]
    return x, v, w


def rows_by_data(x, n):
    row = x[n - 1]
    old = x.copy()
    m = n
    for j in range(4):
        m = m + 1
        row[j] = j * m
    row[1:3][0] = -1
    return x, row, old


def other_views_between(x, n):
    v = x.T[1:]
    v[0][1] = 5
    v[1, ...][n] = 6
    u = x.reshape(-1)[2:]
    u[n] = 7
    u[u > 5] = 0
    u[[0, 1]] = [3, 4]
    return x, v, u


def wrong_content(x, n):
    v = x[0]
    v[1:] = v[:-1]
    v[:2] = [1, 2, 3]
    return x


def exchanged_rows(x, n):
    a, b = x[0], x[1]
    a[0], b[0] = b[0], a[0]
    a[:], b[:] = b.copy(), a.copy()
    return x, a, b


def records(x, n):
    r = np.zeros(3, [("a", float), ("b", int)])
    v = r[1:]
    v[0]["a"] = x[0, 1]
    v["b"][n - 1] = 3
    w = v["a"][::-1]
    w[0] = 9
    return r["a"], r["b"]


PROGRAMS = [
    *(parts_of_parts, rows_by_data, other_views_between, wrong_content),
    *(exchanged_rows, records),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_a_store_through_views_does_what_python_does(program):
    check(program, ((x34, two), (x34, np.int64(7))))


def test_a_store_through_views_is_one_statement():
    def stored(x, i):
        x[1:][::2][i] = 5.0

    concrete = ag.function(stored).get_concrete_function(np.zeros(9), np.int64(1))
    source = compile_graph(concrete.graph, donated={0}).source
    assert "v1[1:][::2][v2] = 5.0" in source
