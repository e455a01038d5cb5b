"""ag.random: numbers that a key says, in Python and in graphs."""

import re

import numpy as np
import pytest

import autograph as ag
from runtime.ops.philox import philox

KEY = ag.random.key(7)
random = ag.random

# Of the authors: counter, key, words.
KNOWN = [
    ("00000000 " * 4, "00000000 " * 2, "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ("ffffffff " * 4, "ffffffff " * 2, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    (
        "243f6a88 85a308d3 13198a2e 03707344",
        "a4093822 299f31d0",
        "d16cfe09 94fdcceb 5001e420 24126ea1",
    ),
]


def words(text):
    return tuple(np.array([int(word, 16)], np.uint64) for word in text.split())


@pytest.mark.parametrize(("counter", "key", "wanted"), KNOWN)
def test_the_words_are_those_of_philox(counter, key, wanted):
    assert philox(words(counter), words(key)) == words(wanted)


PROGRAMS = {
    "split": lambda key, n: random.split(key, 3),
    "fold_in": lambda key, n: random.fold_in(key, n),
    "key": lambda key, n: random.key(n),
    "bits": lambda key, n: (random.bits(key), random.bits(key, (2, 3))),
    "uniform": lambda key, n: random.uniform(key, (n, 2), -1.0, 1.0),
    "uniform float32": lambda key, n: random.uniform(key, 3, dtype=np.float32),
    "uniform float16": lambda key, n: random.uniform(key, 3, dtype=np.float16),
    "normal": lambda key, n: (random.normal(key), random.normal(key, n, 5.0, 2.0)),
    "integers": lambda key, n: random.integers(key, -n, n, (4,)),
    "bernoulli": lambda key, n: random.bernoulli(key, 0.3, n),
    "permutation": lambda key, n: random.permutation(key, n),
    "permutation of rows": lambda key, n: random.permutation(key, np.eye(4)),
    "choice": lambda key, n: random.choice(key, n, 6),
    "choice of some": lambda key, n: random.choice(key, np.arange(9), 4, replace=False),
    "choice by p": lambda key, n: random.choice(key, 3, 8, p=[0.1, 0.2, 0.7]),
    "choice of some by p": lambda key, n: random.choice(
        key, 3, 2, replace=False, p=np.array([0.1, 0.2, 0.7])
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_graph_draws_what_python_draws(name):
    program = PROGRAMS[name]
    ag_function = ag.function(lambda key, n: program(key, n))
    plain, staged = program(KEY, 5), ag_function(KEY, np.int64(5))
    plain, staged = (x if isinstance(x, tuple) else (x,) for x in (plain, staged))
    for a, b in zip(plain, staged, strict=True):
        assert type(a) is type(b)
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)


def walk(key, n):
    place = 0.0
    for _ in range(n):
        key, now = random.split(key)
        place += random.normal(now)
        if random.bernoulli(now, 0.5):
            place -= 1.0
    return place


def test_keys_are_split_in_a_loop():
    assert ag.function(walk)(KEY, np.int64(5)) == walk(KEY, 5)


def test_numbers_are_spread_as_they_should_be():
    flat, bell = random.uniform(KEY, 100_000), random.normal(KEY, 100_000)
    assert 0 <= flat.min() < 1e-4
    assert 1 - 1e-4 < flat.max() < 1
    assert abs(flat.mean() - 0.5) < 0.005
    assert abs(bell.mean()) < 0.01
    assert abs(bell.std() - 1) < 0.01
    counts = np.bincount(random.integers(KEY, 0, 10, 100_000), minlength=10)
    assert (abs(counts - 10_000) < 400).all()
    often = np.bincount(random.choice(KEY, 3, 100_000, p=[0.1, 0.2, 0.7])) / 100_000
    np.testing.assert_allclose(often, [0.1, 0.2, 0.7], atol=0.01)
    assert abs(random.bernoulli(KEY, 0.25, 100_000).mean() - 0.25) < 0.01
    assert sorted(random.permutation(KEY, 50)) == list(range(50))


def test_streams_of_other_keys_are_others():
    first, second = random.split(KEY)
    one, two = random.uniform(first, 1000), random.uniform(second, 1000)
    assert abs(np.corrcoef(one, two)[0, 1]) < 0.1
    assert len({*one, *two, *random.uniform(KEY, 1000)}) == 3000
    assert len({tuple(random.fold_in(KEY, i)) for i in range(100)}) == 100


REFUSED = [
    (lambda: random.key(-1), "a seed is a number from 0 to 2**64 - 1, not -1"),
    (
        lambda: random.uniform(random.split(KEY)),
        "a key has two words, this has the shape (2, 2): take one of them, for example "
        "`keys[0]`",
    ),
    (lambda: random.integers(KEY, 3, 3), "there is no integer from 3 to below 3"),
    (
        lambda: random.choice(KEY, 2, 3, replace=False),
        "3 of 2 cannot be chosen without `replace`",
    ),
]


@pytest.mark.parametrize(("call", "text"), REFUSED)
def test_what_cannot_be_drawn_is_refused(call, text):
    with pytest.raises(ValueError, match=f"^{re.escape(text)}$"):
        call()
