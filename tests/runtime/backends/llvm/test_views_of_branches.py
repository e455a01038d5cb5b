"""Branches that give a part of an array, of any size and however it lies."""

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import agreeing

X = np.arange(24.0).reshape(6, 4)


def chosen(x, c, n):
    total = np.zeros(4)
    for k in range(n):
        row = x[k] * 2 if c[k] else x[-k]
        total += row
    return total


def both(x, c, n):
    total = np.zeros(4)
    for k in range(n):
        a, b = (x[k], x[0] + 1) if c[k] else (x[1] + 0, x[k])
        total = total + a * b
    return total, a, b


def changed(x, c, n):
    x = x * 1
    for k in range(n):
        row = x[k] if c[k] else x[k] + 0
        x[k, 0] = 100
        row[1] = -1
        x[0, 2] += row[0]
    return x


def columns(x, c, n):
    total = np.zeros(6)
    for k in range(n - 2):
        total += x[:, k] if c[k] else x[:, k] * 3
    return total


def halves(x, c, n):
    row = x.ravel()
    for k in range(n):
        row = row[1:] if c[k] else row * 2
    return row


def large(x, c, n):
    total = 0.0
    for k in range(n):
        half = x[k:] if c[k] else x * 2
        total += half[0] + half[-1]
    return total


def middles(x, c, n):
    rows = x[:3]
    for k in range(n):
        means = [
            x[c == j].mean(axis=0) if np.any(c == j + k) else rows[j] for j in range(3)
        ]
        rows = np.array(means)
    return rows


def run(function, *arguments):
    with ag.config(backend="native"):
        staged = agreeing(function, [arguments])
    return staged.get_concrete_function(*arguments).inspect("loops")


C = np.array([True, False, True, True, False, True])


@pytest.mark.parametrize("function", [chosen, both, columns, halves])
def test_parts_that_branches_give_are_machine_code(function):
    assert "run by Python" not in run(function, X, C, np.int64(6))


@pytest.mark.parametrize("function", [changed, columns, halves])
def test_what_lies_otherwise_or_is_changed_is_as_in_python(function):
    run(function, X, C, np.int64(6))
    run(function, X[::-1], ~C, np.int64(6))
    run(function, np.asfortranarray(X), C, np.int64(6))


def test_an_index_outside_raises_in_a_branch():
    run(chosen, X[:4], C, np.int64(6))


@pytest.mark.parametrize("count", [4096, 200])
def test_large_parts_are_no_copies(count):
    assert "run by Python" not in run(large, np.arange(float(count)), C, np.int64(6))


def test_means_of_groups_are_machine_code():
    text = run(middles, np.random.default_rng(0).random((30, 2)), np.arange(30) % 3, 4)
    assert "run by Python" not in text
