"""Rows by a vector: chains of our own, where no bit differs from NumPy's."""

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import by_vector, crew, product_choice
from tests.runtime.backends.llvm.test_packed import (
    DTYPES,
    choice_of,
    entries,
    has_openblas,
    ours,
    product,
)

pytestmark = pytest.mark.usefixtures("by_three", "afresh")


def table_of(dtype):
    return product_choice._choice(np.dtype(dtype).char, True).table


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("dtype", DTYPES)
def test_any_number_of_rows_is_exact_of_whole_numbers(dtype, threads):
    rng = np.random.default_rng(0)
    crew.start()
    with ag.config(num_threads=threads):
        for m, k in ((1, 8), (5, 16), (31, 8000), (33, 80), (130, 40000)):
            x = rng.integers(-9, 9, (m, k + 3)).astype(dtype)[:, :k]
            y = rng.integers(-9, 9, (k, 1)).astype(dtype)
            for block in (k, 8):
                assert np.array_equal(ours(x, y, block, block), x @ y)


@pytest.mark.parametrize("dtype", DTYPES)
def test_an_element_is_as_many_chains_as_lanes_for_each_part(dtype):
    rng = np.random.default_rng(1)
    lanes = 32 // np.dtype(dtype).itemsize
    # Of a few bits each, so that products are exact, and sums are not.
    x, y = (rng.integers(-31, 32, size).astype(dtype) for size in ((40, 64), (64, 1)))
    x *= 2.0 ** rng.integers(0, 12 * x.itemsize - 20, x.shape)

    def part(first, last):
        chains = np.zeros((40, lanes), dtype)
        for at in range(first, last, lanes):
            chains += x[:, at : at + lanes] * y[at : at + lanes, 0]
        chains = chains[:, : lanes // 2] + chains[:, lanes // 2 :]
        while chains.shape[1] > 1:
            chains = chains[:, ::2] + chains[:, 1::2]
        return chains[:, 0]

    wanted = part(0, 48) + part(48, 64)
    assert ours(x, y, 48, 48).tobytes() == wanted.tobytes()


@has_openblas
@pytest.mark.parametrize("dtype", DTYPES)
def test_products_are_numpys_to_the_bit_whoever_computes_them(dtype):
    rng = np.random.default_rng(2)
    staged = ag.function(product)
    for m, k in ((640, 1000), (64, 5000), (641, 1000), (640, 1001)):
        x, y = rng.standard_normal((m, k)).astype(dtype), rng.standard_normal(k)
        given = [x, y.astype(dtype), np.int64(1)]
        assert staged(*given).tobytes() == product(*given).tobytes()
    known = {sizes[:3] for sizes in entries(table_of(dtype))}
    assert known == {(640, 1, 1000), (64, 1, 5000)}


@has_openblas
def test_rows_that_are_right_by_chance_are_found(monkeypatch):
    monkeypatch.setattr(product_choice.Trial, "_is_same", lambda trial, *_: next(said))
    trial = product_choice.Trial(choice_of("f8"), (64, 1, 5000), 0)
    said = iter([True, True, True, False])
    assert trial.parts() == product_choice.NUMPYS


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (lambda x: np.asfortranarray(x), lambda y: y),
        (lambda x: x, lambda y: np.repeat(y, 2)[::2]),
        (lambda x: x, lambda y: y[::-1]),
    ],
    ids=["columns", "steps of two", "backwards"],
)
def test_what_lies_otherwise_is_numpys(one, other):
    x, y = np.ones((640, 1000)), np.arange(1000.0)
    staged = ag.function(product)
    given = [one(x), other(y), np.int64(1)]
    assert staged(*given).tobytes() == product(*given).tobytes()
    assert entries(table_of("f8")) == []


def test_parts_are_whole_or_openblas_blocks():
    assert list(by_vector.blocks_of(5000)) == [(5000,) * 2, (2048,) * 2, (4096,) * 2]
    assert list(by_vector.blocks_of(64)) == [(64, 64)]
