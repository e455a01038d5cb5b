"""Which matrices are the same in all turns of a loop: these have numbers, no others."""

import re
from types import SimpleNamespace

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import turns
from runtime.backends.llvm.loops import Array

X, W, V = (np.random.default_rng(0).standard_normal((70, 70)) / 8.0 for _ in range(3))
COUNT = np.int64(5)


@pytest.fixture(autouse=True)
def all_at_once():
    with ag.config(backend="native"):
        yield


def same(x, w, count):
    for _ in range(count):
        x = x @ w
    return x


def turned(x, w, count):
    for _ in range(count):
        x = x @ w.T[::1]
    return x


def made_anew(x, w, count):
    for _ in range(count):
        x = x @ w
        w = w * 0.5
    return x


def changed_in_place(x, w, count):
    w = w + 0.0
    for i in range(count):
        x = x @ w
        w[i] = x[0]
    return x


def same_in_an_inner_loop(x, w, count):
    for _ in range(count):
        for _ in range(count):
            x = x @ w
        w = w * 0.5
    return x


def two_that_are_made_before_the_loop(x, w, count):
    v, w = w * 2.0, w * 0.25
    for _ in range(count):
        x = x @ v - x @ w
    return x


def two_that_each_turn_makes(x, w, count):
    for i in range(count):
        x = x @ (w * float(i)) - x @ (w * 0.25)
    return x


def same_in_a_branch(x, w, count):
    for i in range(count):
        x = x @ w if i % 2 == 0 else x @ w.T
    return x


def by_parts(x, w, count):
    for i in range(count):
        k = i % 2
        x = x @ w[k * 35 : k * 35 + 35, :].T @ w[:35, :]
    return x


def alone(x, w, count):
    return (x @ w + 1.0) * count


def asked_by_the_test(x, w, count):
    turn = 0
    while np.sum(x @ w) < 1e9 and turn < count:
        x = np.tanh(x @ w)
        turn += 1
    return x


NUMBERED = [
    *(same, turned, same_in_an_inner_loop, two_that_are_made_before_the_loop),
    *(same_in_a_branch, by_parts, asked_by_the_test),
]


@pytest.mark.parametrize(
    "function",
    [*NUMBERED, made_anew, changed_in_place, two_that_each_turn_makes, alone],
    ids=lambda f: f.__name__,
)
def test_what_is_the_same_in_all_turns_has_a_number(function):
    staged = ag.function(function)
    for _ in range(2):
        found = staged(X, W, COUNT)
        assert found.tobytes() == function(X, W, COUNT).tobytes()
    text = staged.get_concrete_function(X, W, COUNT).inspect("loops")
    assert "product" in text
    assert ("begin()" in text) == (function in NUMBERED)


def test_each_matrix_has_a_number_of_its_own():
    staged = ag.function(two_that_are_made_before_the_loop)
    staged(X, W, COUNT)
    text = staged.get_concrete_function(X, W, COUNT).inspect("loops")
    (first,) = re.findall(r"(\w+) = begin\(\)", text)
    assert f"add i64({first}, 1)" in text


def test_a_run_has_numbers_of_its_own():
    staged = ag.function(same)
    for scale in (1.0, 0.5):
        w = W * scale
        for _ in range(3):
            w *= 0.9
            assert staged(X, w, COUNT).tobytes() == same(X, w, COUNT).tobytes()


@pytest.mark.parametrize(("is_view", "root"), [(True, "given"), (False, "made")])
def test_only_views_are_parts_of_what_they_are_given_first(is_view, root):
    """A branch's first input is its test."""
    array = Array(np.dtype(float), 0, 0, (2, 2), (16, 8), is_view=True)
    given = SimpleNamespace(index=-1)
    op = SimpleNamespace(view=is_view)
    step = SimpleNamespace(node=SimpleNamespace(op=op), inputs=[given])
    made = SimpleNamespace(index=0, home=SimpleNamespace(steps=[step]))
    values = {id(given): array, id(made): array}
    lowering = SimpleNamespace(values=SimpleNamespace(get=lambda one: values[id(one)]))
    assert turns._root(lowering, made) is {"given": given, "made": made}[root]
