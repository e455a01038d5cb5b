"""Small arrays that machine code alone sees have no objects till Python sees them."""

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import LAYOUTS, agreeing, loops_of

TWICE = np.int64(2)


def news_of(function, arguments):
    """The arrays that each turn of the loop makes, and the memory on the stack."""
    with ag.config(backend="native"):
        staged = agreeing(function, [arguments])
        (loop,) = loops_of(staged, arguments)
    (whole,) = loop.function.body.instructions
    ops = [one.op for one in whole.blocks[1].instructions]
    return ops.count("new"), ops.count("buffer")


def pairs(p, count):
    for _ in range(count):
        d = p[None, :, :] - p[:, None, :]
        near = np.sum(d * d, 2) + 0.01
        pull = 1.0 / (near * np.sqrt(near))
        p = p + 0.001 * np.min(near) * np.sum(d * pull[:, :, None], 1)
    return p


def slopes(y, count):
    for _ in range(count):
        k = np.concatenate((y[1:], -np.sin(y[:1])))
        k = np.concatenate((k[1:], -np.sin(k[:1])))
        y = y + 0.1 * k
    return y


@pytest.mark.parametrize(
    ("function", "argument"), [(pairs, np.eye(4, 3)), (slopes, np.array([0.5, 1.0]))]
)
def test_only_what_is_carried_is_an_object(function, argument):
    made, on_stack = news_of(function, (argument, TWICE))
    assert made == 1
    assert on_stack > 0


def sorted_on_the_way(x, count):
    for _ in range(count):
        small = x * x + 1.0
        part = small[1:]
        x = np.sort(small) + small / part[0] + np.sort(part[::2])[0] + np.sum(part)
    return x


def test_python_is_given_a_copy():
    agreeing(sorted_on_the_way, [(np.array([3.0, -1.0, 2.0, 0.5]), TWICE)])
    with ag.config(backend="native"):
        agreeing(sorted_on_the_way, [(np.array([3.0, -1.0, 2.0, 0.5]), TWICE)])


def looked_up(x, places, count):
    total = 0.0
    for i in range(count):
        small = x * 2.0 - 1.0
        total = total + small[places[i]] * np.sum(small / x)
        x = x + small * 0.5
    return total, x


def test_what_is_alive_where_machine_code_is_left_is_handed():
    x, places = np.array([3.0, -1.0, 2.0]), np.array([0, 1, 2, 7, 1])
    with ag.config(backend="native"):
        agreeing(looked_up, [(x, places, np.int64(n)) for n in (3, 5)])


def kept(x, count):
    before = x * 0.0
    for i in range(count):
        small = x + 1.0
        other = small * 2.0 + small
        if i % 2 == 0:
            before = other
        else:
            before = before + np.max(small / other)
        x = x - other * before
    return before, x


def shared(x, count):
    """What is written into the memory of what is used no more."""
    for _ in range(count):
        d = x - 1.0
        x = x * 2.0
        x = x + 1.0
        e = d * d
        x = x * e + d
    return x


@pytest.mark.parametrize("function", [kept, shared])
@pytest.mark.parametrize("size", [1, 3, 40, 300])
def test_what_is_kept_or_written_over_is_as_in_python(function, size):
    with ag.config(backend="native"):
        agreeing(function, [(np.linspace(0.1, 0.9, size), np.int64(5))])


def smoothed(x, count):
    for _ in range(count):
        x[1:-1, 1:] = 0.25 * (x[:-2, 1:] + x[2:, :-1]) - x[1:-1, ::-1][:, 1:]
        x[0] = x[0, ::-1] * 0.5
    return x


@pytest.mark.parametrize("shape", [(8, 6), (3, 2), (40, 30)])
def test_what_is_stored_where_it_is_read_waits_on_the_stack_if_it_is_small(shape):
    x = np.random.default_rng(0).random(shape)
    for layout in LAYOUTS.values():
        with ag.config(backend="native"):
            staged = agreeing(smoothed, [(x.copy(), TWICE)], layout)
            text = staged.get_concrete_function(x, TWICE).inspect("loops")
        assert (" = new " in text) == (x.size > 128)
        assert "buffer" in text
