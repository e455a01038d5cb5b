"""Random generators that write into arrays and lists, each call after the other."""

import random

import numpy as np
import pytest

import autograph as ag
from tests.conformance.array_programs import show


def orders(rng, x, n):
    a = x[0] + 1
    rng.shuffle(x)
    b = x[0] + 1
    return a, b


def total(rng, x, n):
    s = 0.0
    w = np.array([1.0, 10.0, 100.0, 1000.0, 1e4, 1e5])
    for _ in range(n):
        rng.shuffle(x)
        s += (x * w).sum()
    return s


def parts(rng, x, n):
    m = x.reshape(2, 3)
    for _ in range(n):
        rng.shuffle(m[:, 1])
        rng.shuffle(m.T)
        x += 1
    rng.shuffle(m, axis=1)
    return m


def into(rng, x, n):
    y = rng.random(out=x)
    z = rng.standard_normal(out=x[:3])
    w = rng.permuted(x, out=x)
    y[0], w[1] = 5, 7
    return y is x, w is x, z


def in_a_try(rng, x, n):
    try:
        rng.shuffle(x)
        x[9 * n] = 1
    except IndexError:
        rng.shuffle(x[1:])
    return x


def lists(rng, x, n):
    known = [1, 2, 3, 4, 5]
    rng.shuffle(known)
    arrays = [x[0], x[1], x[2]]
    rng.shuffle(arrays)
    of_data = [i * x[1] for i in range(n)]
    rng.shuffle(of_data)
    python = random.Random(3)
    python.shuffle(of_data)
    np.random.shuffle(known)
    return known, arrays, of_data, rng.random()


def bits(rng, x, n):
    drawn = rng.bit_generator.random_raw(), rng.bit_generator.random_raw(2)
    rng.bit_generator.advance(3)
    other = np.random.Generator(rng.bit_generator.jumped(2))
    first, _ = rng.bit_generator.spawn(2)
    return drawn, other.random(), np.random.Generator(first).random(), rng.random()


def made_here(rng, x, n):
    source = np.random.PCG64(1)
    mine = np.random.Generator(source)
    mine.random()
    source.advance(2)
    return source.random_raw(), np.random.Generator(source.jumped()).random()


def locked(rng, x, n):
    rng.shuffle(np.broadcast_to(x, (2, 6)))


def sized(rng, x, n):
    y = rng.random(n)
    z = rng.normal(x, 1.0, (n, 6))
    k = rng.choice(x, n)
    return y.shape, z.shape, k.ndim, k.dtype.name, y.sum() + z.sum() + k.sum()


PROGRAMS = [
    *(orders, total, parts, into, in_a_try, lists, bits, made_here, locked, sized)
]


def observe(function):
    """What three calls on the same objects give, and leave."""
    np.random.seed(3)
    given = np.random.default_rng(1), np.arange(6.0), np.int64(3)
    found = []
    for _ in range(3):
        try:
            found.append(show(function(*given)))
        except ValueError as error:
            found.append(str(error))
    return found, show(given[1]), given[0].bit_generator.state


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_draws_come_in_order_at_each_call(program):
    assert observe(program) == observe(ag.function(program))
