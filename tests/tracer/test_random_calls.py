"""Random numbers: a program draws, seeds and shuffles at each call, as plain Python."""

import numpy as np
import pytest

import autograph as ag

ROW = np.arange(5.0)


def default_generator(x):
    return x + np.random.default_rng(3).random(), np.random.default_rng([1, 2]).random()


def legacy_generator(x):
    generator = np.random.RandomState(3)
    return x + generator.rand(), generator.randn(3), generator.uniform(0, x)


def generator_of_a_bit_generator(x):
    generator = np.random.Generator(np.random.PCG64(5))
    more = np.random.Generator(np.random.Philox(seed=5))
    return x * generator.random(), generator.normal(x), more.random(2)


def generator_of_a_generator(x):
    bits = np.random.SFC64(1)
    first = np.random.Generator(bits).random()
    second = np.random.default_rng(bits).random()
    return x, first, second, np.random.RandomState(np.random.MT19937(2)).rand()


def global_generator(x):
    np.random.seed(3)
    np.random.shuffle(x)
    return x, np.random.rand(), np.random.uniform(0, x)


def seed_of_data(x):
    np.random.seed(int(x[1]) + 3)
    turns = 0
    while np.random.rand() < 0.8:
        turns += 1
    return turns


def reseeded(x):
    generator = np.random.RandomState(1)
    generator.seed(4)
    return x + generator.rand()


class Shifted(np.random.Generator):
    def random(self, *args):
        return super().random(*args) + 10


def inherited(x):
    generator = Shifted(np.random.PCG64(3))
    return x + generator.random(), generator.random(2), generator.normal()


PROGRAMS = [
    inherited,
    default_generator,
    legacy_generator,
    generator_of_a_bit_generator,
    generator_of_a_generator,
    global_generator,
    seed_of_data,
    reseeded,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_program_starts_its_generators_anew_at_each_call(program):
    staged = ag.function(program)
    for _ in range(3):
        expected, made = program(ROW.copy()), staged(ROW.copy())
        assert repr(made) == repr(expected)


@pytest.mark.parametrize("make", [np.random.RandomState, np.random.default_rng])
def test_generator_without_a_seed_gives_other_numbers_at_each_call(make):
    @ag.function
    def program(x):
        return make().uniform(0, x)

    assert len({float(program(np.float64(1))) for _ in range(4)}) == 4


def test_outer_generator_goes_on_where_it_stands():
    plain, staged = np.random.PCG64(1), np.random.PCG64(1)

    def program(bits, x):
        return x + np.random.default_rng(bits).random()

    for _ in range(3):
        expected = program(plain, np.float64(1))
        assert ag.function(program)(staged, np.float64(1)) == expected


def without_a_size(n):
    generator = np.random.default_rng(3)
    return generator.random(), generator.normal(n), generator.integers(n + 2)


def of_no_dims(n):
    generator = np.random.default_rng(3)
    drawn = generator.random(()), generator.normal(n, size=()), generator.choice(5, ())
    return drawn, generator.integers(n + 2, size=())


def of_the_global_one(n):
    np.random.seed(3)
    x = 0.0
    for _ in range(n):
        x = np.random.normal(x, size=())
    return x, np.random.poisson(n, ()), np.random.poisson(n)


@pytest.mark.parametrize("program", [without_a_size, of_no_dims, of_the_global_one])
@pytest.mark.parametrize("number", [3, np.int64(4)])
def test_a_draw_of_size_without_dims_is_an_array_and_one_without_size_a_number(
    program, number
):
    graph = ag.function(program)
    for _ in range(2):
        assert repr(graph(number)) == repr(program(number))
