"""Draws in machine code: NumPy's streams to the bit, its states, errors and locks."""

import random
import threading
import warnings
from functools import partial

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import draws, streams
from tests.conformance.harness import disagreement, observe
from tests.runtime.backends.llvm.compiling import loops_of

GENERATORS = {
    "PCG64": lambda: np.random.default_rng(3),
    "MT19937": lambda: np.random.Generator(np.random.MT19937(3)),
    "Philox": lambda: np.random.Generator(np.random.Philox(3)),
    "SFC64": lambda: np.random.Generator(np.random.SFC64(3)),
}


def agreeing(function, make, *more):
    """The function, decorated: it draws what NumPy draws, and the state is NumPy's."""
    staged = ag.function(function)
    with ag.config(backend="native"):
        one, other = make(), make()
        for _ in range(2):
            found = disagreement(
                observe(partial(function, one), more),
                observe(partial(staged, other), more),
            )
            assert found is None, found.sentence
            assert streams._state(one).__repr__() == streams._state(other).__repr__()
            assert one.random() == other.random()
    return staged, other


def is_drawn(staged, *arguments):
    """Whether the first loop has become machine code that draws."""
    function = loops_of(staged, arguments)[0].function
    return function is not None and " = draw" in str(function)


@pytest.mark.parametrize("make", GENERATORS.values(), ids=GENERATORS)
def test_a_loop_draws_as_numpy_does_from_every_kind_of_bits(make):
    def walk(rng, n):
        x, low = 0.0, 0
        for k in range(n):
            x += rng.normal(0.1, 0.5) + rng.standard_normal() - rng.exponential(0.3)
            if rng.random() < 0.5:
                low += rng.integers(0, k + 2) + rng.integers(2**40)
        return x, low

    staged, rng = agreeing(walk, make, 300)
    assert is_drawn(staged, rng, 300)


def arguments_of(takes):
    """Arguments that depend on the turn, within what a method takes."""
    words = {draws.ANY: "x - 1", draws.NOT_BELOW: "x * 3", draws.ABOVE: "x + 0.1"}
    return ", ".join(words[what] for _, _, what in takes)


@pytest.mark.parametrize("method", [*draws.FLOATS, "uniform", "integers"])
def test_each_method_of_the_table_is_drawn_by_machine_code(method, tmp_path):
    inside = {"uniform": "x, x + 2", "integers": "k, 3 * k + 1"}.get(method)
    if inside is None:
        inside = arguments_of(draws.FLOATS[method].takes)
    path = tmp_path / "drawing.py"
    path.write_text(
        "def draw(rng, n):\n    total = 0\n    for k in range(n):\n"
        f"        x = (k + 1) / n\n        total = total + rng.{method}({inside})\n"
        "    return total\n"
    )
    space = {"__name__": "drawing"}
    exec(compile(path.read_text(), str(path), "exec"), space)
    staged, rng = agreeing(space["draw"], GENERATORS["PCG64"], 100)
    assert is_drawn(staged, rng, 100)


@pytest.mark.parametrize("method", [*draws.OLD, *draws.OWN, "uniform", "randint"])
def test_the_old_generators_are_drawn_from_as_well(method, tmp_path):
    path = tmp_path / "drawing.py"
    inside = {"uniform": "-k, 2.5", "randint": "-3, k + 1"}.get(method, "")
    inside = {"normal": "k, 0.1 * k", "exponential": "k + 1"}.get(method, inside)
    path.write_text(
        "def draw(rng, n):\n    total = 0\n    for k in range(n):\n"
        f"        total = total + rng.{method}({inside})\n    return total\n"
    )
    space = {"__name__": "drawing"}
    exec(compile(path.read_text(), str(path), "exec"), space)
    for count in (99, 100):
        # After an odd number of draws a normal number is kept.
        staged, rng = agreeing(space["draw"], lambda: np.random.RandomState(5), count)
    assert is_drawn(staged, rng, 100)


def test_one_made_in_the_function_and_the_global_one_are_drawn_from():
    def made(n):
        np.random.seed(4)
        rng = np.random.default_rng(8)
        total = 0.0
        for _ in range(n):
            total += np.random.rand() * rng.random() + np.random.random()
        return total

    staged = ag.function(made)
    with ag.config(backend="native"):
        for _ in range(2):
            assert staged(50) == made(50)
    assert is_drawn(staged, 50)


def test_what_numpy_refuses_is_raised_before_anything_is_drawn():
    def spread(rng, scale):
        total = 0.0
        for _ in range(20):
            total += rng.random() + rng.normal(0.0, scale)
            scale -= 0.25
        return total

    def between(rng, low):
        total = 0
        for k in range(20):
            total += rng.integers(low + k, 5)
        return total

    def far(rng, high):
        total = 0.0
        for _ in range(20):
            total += rng.uniform(-1.0, high)
            high *= 1e50
        return total

    for function, given in ((spread, 2.0), (between, -4), (far, 1e200)):
        staged = ag.function(function)
        one, other = np.random.default_rng(1), np.random.default_rng(1)
        with ag.config(backend="native"):
            for _ in range(3):
                python = observe(partial(function, one), (given,))
                found = disagreement(python, observe(partial(staged, other), (given,)))
                assert found is None, found.sentence
                assert python.raised is not None
                assert one.bit_generator.state == other.bit_generator.state


def test_bounds_that_numpy_alone_knows_are_left_to_it():
    def normal(rng, scale):
        total = 0.0
        for _ in range(20):
            total += rng.normal(0.0, scale)
        return total

    def uniform(rng, high):
        total = 0.0
        for _ in range(20):
            total += rng.uniform(0.5, high)
        return total

    def poisson(rng, rate):
        total = 0.0
        for _ in range(20):
            total += rng.poisson(rate)
        return total

    for function, given in ((normal, -0.0), (uniform, 0.25), (poisson, 1e19)):
        staged = ag.function(function)
        one, other = np.random.default_rng(1), np.random.default_rng(1)
        with ag.config(backend="native"):
            for number in (1.0, given):
                python = observe(partial(function, one), (np.float64(number),))
                graph = observe(partial(staged, other), (np.float64(number),))
                found = disagreement(python, graph)
                assert found is None, found.sentence
                assert one.bit_generator.state == other.bit_generator.state
            assert python.raised is not None


def test_nothing_is_drawn_twice_where_machine_code_is_left():
    def growing(rng, n):
        product, total = 3, 0.0
        for _ in range(n):
            total += rng.random()
            product = product * 7 + int(10 * rng.random())
        return product, total

    agreeing(growing, GENERATORS["PCG64"], 60)


def test_draws_in_the_test_of_a_loop_are_made_once_a_turn():
    def waiting(rng, n):
        turns = 0
        while rng.random() < 0.97 and turns < n:
            turns += 1
        return turns

    def inside(rng, n):
        turns, total = 1, 0.0
        for k in range(n):
            while rng.random() < 0.5:
                turns = turns * 3 + k
            while rng.exponential(1.0 + k) > 1.0 and rng.random() < 0.7:
                total += 1.0
        return turns, total

    agreeing(waiting, GENERATORS["PCG64"], 50)
    agreeing(inside, GENERATORS["PCG64"], 100)


def test_a_warning_that_is_an_error_leaves_the_generator_as_python_does():
    def overflows(rng, x, n):
        total = x * 0
        for _ in range(n):
            total = total + x * np.float64(rng.random())
            x = x * x
        return total

    staged = ag.function(overflows)
    one, other = np.random.default_rng(1), np.random.default_rng(1)
    with ag.config(backend="native"), warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(2):
            for function, rng in ((overflows, one), (staged, other)):
                with pytest.raises(RuntimeWarning, match="overflow"):
                    function(rng, np.float64(1e10), 20)
            assert one.bit_generator.state == other.bit_generator.state


def test_arrays_and_others_of_a_generator_are_drawn_by_python():
    def arrays(rng, n):
        total = 0.0
        for _ in range(n):
            total += rng.random(3).sum() + rng.choice(5) + rng.random(dtype=np.float32)
        return total

    agreeing(arrays, GENERATORS["PCG64"], 20)


def test_a_class_of_the_users_draws_its_own_numbers():
    class Own(np.random.Generator):
        def random(self):
            return 0.5 * self.standard_normal()

    def total(rng, n):
        found = 0.0
        for _ in range(n):
            found += rng.random()
        return found

    agreeing(total, lambda: Own(np.random.PCG64(2)), 30)


def summed(rng, n):
    total = 0.0
    for _ in range(n):
        total += rng.random()
    return total


def test_nothing_is_drawn_while_another_thread_has_the_lock():
    staged, rng = ag.function(summed), np.random.default_rng(1)
    told, held, begins = [], threading.Event(), threading.Event()

    def hold():
        with rng.bit_generator.lock:
            held.set()
            begins.wait()
            before = rng.bit_generator.state
            threading.Event().wait(0.1)
            told.append(before == rng.bit_generator.state)

    with ag.config(backend="native"):
        staged(rng, 10)
        other = threading.Thread(target=hold)
        other.start()
        held.wait()
        begins.set()
        state = rng.bit_generator.state
        found = staged(rng, 10)
        other.join()
    assert told == [True]
    again = np.random.default_rng(1)
    again.bit_generator.state = state
    assert found == summed(again, 10)


def test_who_has_the_lock_draws():
    staged, rng = ag.function(summed), np.random.default_rng(1)
    with ag.config(backend="native"):
        staged(rng, 10)
        if hasattr(rng.bit_generator.lock, "_is_owned"):
            with rng.bit_generator.lock:
                staged(rng, 10)
    again = np.random.default_rng(1)
    if hasattr(rng.bit_generator.lock, "_is_owned"):
        summed(again, 10)
    summed(again, 10)
    assert rng.bit_generator.state == again.bit_generator.state


def test_threads_that_draw_from_one_generator_draw_each_number_once():
    staged, rng = ag.function(summed), np.random.default_rng(1)
    count, size = 200_000, 1_000
    with ag.config(backend="native"):
        staged(rng, count)
        many = [threading.Thread(target=staged, args=(rng, count)) for _ in range(3)]
        many += [
            threading.Thread(target=lambda: [rng.random(size) for _ in range(200)])
        ]
        for one in many:
            one.start()
        for one in many:
            one.join()
    again = np.random.default_rng(1)
    again.random(4 * count + 200 * size)
    assert rng.bit_generator.state == again.bit_generator.state


def test_a_sampler_that_draws_something_else_is_not_used():
    kind = np.random.Generator

    def draw(rng, given):
        return rng.normal(*given)

    pairs = (((0.0, 1.0), (0.0, 1.0)),)
    types = "double", "double"
    assert streams.is_same(kind, draw, "random_normal", types, "double", pairs)
    for other in ("random_laplace", "random_gumbel", "no_such_sampler"):
        assert not streams.is_same(kind, draw, other, types, "double", pairs)


def test_pythons_own_generators_are_drawn_from():
    def drawn(rng, n):
        total, picks = 0.0, 0
        for k in range(n):
            total += rng.random() + rng.uniform(-k, 2.5) * random.random()
            picks += rng.randint(-3, k) * rng.randrange(k + 1) + rng.randrange(
                2, 10**11
            )
        return total, picks, random.random()

    staged = ag.function(drawn)
    with ag.config(backend="native"):
        for _ in range(3):
            one, other = random.Random(5), random.Random(5)
            random.seed(2)
            wanted = drawn(one, 200)
            random.seed(2)
            assert staged(other, 200) == wanted
            assert one.getstate() == other.getstate()
    function = loops_of(staged, (other, 200))[0].function
    assert "ask_random" in str(function)
    assert "ask_below" in str(function)


def test_a_range_that_is_left_to_python_is_drawn_from_once():
    def drawn(rng, high):
        total = 0.0
        for _ in range(20):
            total += rng.uniform(-high, high) / high
            high *= 1e50
        return total

    for make in (random.Random, np.random.RandomState, np.random.default_rng):
        one, other = make(5), make(5)
        staged = ag.function(drawn)
        with ag.config(backend="native"):
            for _ in range(2):
                found = disagreement(
                    observe(partial(drawn, one), (1e290,)),
                    observe(partial(staged, other), (1e290,)),
                )
                assert found is None, found.sentence
                assert one.random() == other.random()


def test_ranges_of_pythons_generators_that_are_empty_raise_as_in_python():
    def drawn(rng, n):
        total = 0
        for k in range(20):
            total += rng.randrange(n - k)
        return total

    staged = ag.function(drawn)
    with ag.config(backend="native"):
        one, other = random.Random(5), random.Random(5)
        for given in (10, 30, 10):
            python = observe(partial(drawn, one), (np.int64(given),))
            found = disagreement(
                python, observe(partial(staged, other), (np.int64(given),))
            )
            assert found is None, found.sentence
            assert one.getstate() == other.getstate()
