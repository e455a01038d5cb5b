"""Loops that divide all elements by one number: by products, no bit is another."""

import warnings

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import divisors, processor
from runtime.backends.llvm.mathematics import name_of
from runtime.backends.llvm.mathematics.divided import NAME, parts
from runtime.backends.llvm.switch import has_fma
from runtime.backends.llvm.vectors import lanes
from tests.runtime.backends.llvm.compiling import agreeing

TWICE = np.int64(2)
pytestmark = pytest.mark.skipif(not has_fma(), reason="no fused products")


def by_number(x, y, count):
    for _ in range(count):
        found = (x + 0.0) / y
    return found


def by_three(x, y, count):
    for _ in range(count):
        found = (x * x.dtype.type(0.5)) / 3 - y
    return found


def by_index(x, y, count):
    found = x.copy()
    for i in range(1, len(x) - 1):
        found[i] = (x[i - 1] + x[i]) / y
    return found


def in_place(x, y, count):
    for i in range(1, len(x)):
        x[i] = (x[i - 1] + x[i]) / 7
    return x


def elements(dtype):
    """Usual elements, then some of each that are not, in vectors of their own."""
    rng = np.random.default_rng(0)
    known, one = np.finfo(dtype), np.dtype(dtype).type
    usual = rng.uniform(-2, 2, 600).astype(dtype)
    odd = [0.0, -0.0, np.inf, -np.inf, np.nan, known.max, known.tiny, known.tiny / 8]
    some = usual[:320].copy()
    some[:: 320 // 8] = np.array(odd, dtype)
    scaled = np.ldexp(usual[:200], rng.integers(-120, 120, 200)).astype(dtype)
    return np.concatenate([usual, some, scaled, usual[:7] * one(1e30)])


# Of floats of 32 bits: their quotients are that near to the middle of two of them.
NEAR = {
    float.fromhex("0x1.7b8c4ap+0"): float.fromhex("0x1.ec2cb6p+0"),
    float.fromhex("0x1.f7626ep+0"): float.fromhex("0x1.fbbbd6p+0"),
    float.fromhex("0x1.49babp+0"): float.fromhex("0x1.9ea9aep+0"),
}
NUMBERS = (3.0, -7.3, 1e-3, 2.0, 1.0 + 2**-23, 2.0 - 2**-22, 1e30, 1e-40, 0.0, -0.0)


@pytest.fixture(autouse=True)
def whole_vectors(monkeypatch):
    """A processor on which products are worth it."""
    monkeypatch.setattr(divisors, "divides_in_halves", lambda: False)


@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize("function", [by_number, by_three, by_index, in_place])
def test_no_bit_nor_warning_is_another(function, dtype):
    x = elements(dtype)
    with ag.config(backend="native"):
        one = [(x, x.dtype.type(y), TWICE) for y in (*NUMBERS, np.inf, np.nan)]
        staged = agreeing(function, one)
        text = staged.get_concrete_function(*one[0]).inspect("loops")
    assert ("divided" in text) == (function is not in_place)


@pytest.mark.skipif(lanes() < 8, reason="vectors of two numbers are not worth it")
def test_loops_by_index_divide_whole_vectors():
    values = elements("f8"), np.float64(3), TWICE
    with ag.config(backend="native"):
        staged = ag.function(by_index)
        staged(*values)
        text = staged.get_concrete_function(*values).inspect("llvm")
    # Where it is written into the loop, it leaves its name behind.
    assert f"{name_of(NAME, 'double', lanes() // 2)}.exit" in text


@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_many_quotients_are_rounded_as_the_processor_does(dtype):
    rng = np.random.default_rng(1)
    with ag.config(backend="native"):
        staged = ag.function(by_number)
        for y in (*NEAR.values(), *rng.uniform(1, 2, 20)):
            x, y = rng.uniform(1, 2, 20_000).astype(dtype), np.dtype(dtype).type(y)
            x[: len(NEAR)] = [*NEAR]
            assert np.array_equal(staged(x, y, TWICE), x / y)


def test_nothing_is_noted_of_what_is_computed_before_the_loop():
    with ag.config(backend="native"), warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        staged = ag.function(by_number)
        for _ in range(3):
            found = staged(np.full(300, np.inf), np.float64(0.0), TWICE)
            assert np.all(found == np.inf)
    assert not told


def test_what_is_short_or_has_gaps_or_a_number_for_each_row_is_divided():
    def rows(x, y, count):
        for _ in range(count):
            found = (x + 1.0) / np.sum(x, 1)[:, None]
        return found

    def by_column(x, y, count):
        found = np.zeros(300)
        for i in range(300):
            found[i] = x[i, 1] / 3.0
        return found

    with ag.config(backend="native"):
        table = np.ones((300, 3))
        for function, x in (
            (rows, np.ones((30, 300))),
            (by_number, np.ones(100)),
            (by_column, table),
        ):
            given = (x, np.float64(3.0), TWICE)
            staged = agreeing(function, [given])
            assert "divided" not in staged.get_concrete_function(*given).inspect()


@pytest.mark.parametrize("y", [4.0, 0.0, np.inf, np.nan, 1e300, 1e-300, 2.0 - 2**-52])
def test_numbers_that_are_not_usual_have_no_parts(y):
    assert parts(y, "double") is None


@pytest.mark.parametrize(
    ("family", "model", "is_one"),
    [(b"23", b"1", True), (b"23", b"49", False), (b"25", b"1", False)],
)
def test_vectors_that_are_halves_are_divided(monkeypatch, family, model, is_one):
    said = {b"vendor_id": b"AuthenticAMD", b"cpu family": family, b"model": model}
    monkeypatch.setattr(processor, "told", lambda: said)
    is_in_halves = processor.divides_in_halves.__wrapped__()
    assert is_in_halves is is_one
    monkeypatch.setattr(divisors, "divides_in_halves", lambda: is_in_halves)
    given = elements("f8"), np.float64(3.0), TWICE
    with ag.config(backend="native"):
        staged = agreeing(by_index, [given])
        text = staged.get_concrete_function(*given).inspect("loops")
    assert ("divided" in text) == (not is_one)


def test_a_system_that_says_nothing_of_its_processor(monkeypatch):
    def says_nothing():
        raise FileNotFoundError

    monkeypatch.setattr(processor, "told", says_nothing)
    assert processor.divides_in_halves.__wrapped__() is False
