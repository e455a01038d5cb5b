"""`x @ y` in machine code: NumPy's bits, in whatever layout, without Python."""

import warnings

import numpy as np
import pytest

import autograph as ag
from tests.conformance.harness import disagreement, observe
from tests.runtime.backends.llvm.compiling import loops_of

TWICE = np.int64(2)
LAYOUTS = {
    "C": np.ascontiguousarray,
    "F": np.asfortranarray,
    "steps": lambda x: np.repeat(x, 2, -1)[..., ::2],
    "backwards": lambda x: np.ascontiguousarray(x[..., ::-1])[..., ::-1],
    "repeated": lambda x: np.broadcast_to(x[..., :1], x.shape),
}
SHAPES = [
    *(((7,), (7,)), ((0,), (0,)), ((1,), (1,)), ((3, 4), (4, 5)), ((3, 4), (4,))),
    *(((4,), (4, 5)), ((1, 4), (4, 5)), ((3, 4), (4, 1)), ((3, 0), (0, 5))),
    *(((0, 4), (4, 5)), ((100, 64), (64, 70)), ((64,), (64, 70))),
]


def powers(x, y, count):
    z = x @ y
    for _ in range(count):
        z = x @ y + z * 0.5
    return z


def squares(x, count):
    for _ in range(count):
        x = x @ x.T * 0.25 + x
    return x


@pytest.mark.parametrize("dtype", ["f4", "f8", "F", "D"])
@pytest.mark.parametrize("shapes", SHAPES, ids=str)
def test_products_are_numpys_to_the_bit(shapes, dtype):
    rng = np.random.default_rng(0)
    with ag.config(backend="native"):
        staged = ag.function(powers)
        for one in LAYOUTS:
            for other in ("C", one):
                x, y = (rng.standard_normal(shape).astype(dtype) for shape in shapes)
                given = [LAYOUTS[one](x), LAYOUTS[other](y), TWICE]
                found, wanted = staged(*given), powers(*given)
                assert type(found) is type(wanted)
                assert np.asarray(found).tobytes() == np.asarray(wanted).tobytes()
        (loop,) = loops_of(staged, given)
    is_sum = max(map(len, shapes)) == 1
    assert ("dot" if is_sum else "matmul") in str(loop.function)
    assert "python" not in str(loop.function)


def again(x, y, count):
    z = x @ y
    for _ in range(count):
        z = x @ y
    return z


STACKS = [
    *(((3, 4, 5), (3, 5, 6)), ((3, 4, 5), (5, 6)), ((4, 5), (3, 5, 6))),
    *(((5,), (3, 5, 6)), ((3, 4, 5), (5,)), ((2, 1, 4, 5), (1, 3, 5, 2))),
    *(((2, 3, 4, 5), (3, 5, 6)), ((0, 4, 5), (5, 6)), ((3, 4, 0), (3, 0, 2))),
    ((2, 2, 70, 80), (2, 1, 80, 90)),
]


@pytest.mark.parametrize("dtype", ["f4", "D", "i4"])
@pytest.mark.parametrize("shapes", STACKS, ids=str)
def test_products_of_stacks_are_numpys_without_python(shapes, dtype):
    rng = np.random.default_rng(0)
    with ag.config(backend="native"):
        staged = ag.function(again)
        for one in ("C", "steps"):
            x, y = ((rng.standard_normal(s) * 9).astype(dtype) for s in shapes)
            given = [LAYOUTS[one](x), LAYOUTS["C"](y), TWICE]
            found, wanted = staged(*given), again(*given)
            assert found.shape == wanted.shape
            assert (found.dtype, found.tobytes()) == (wanted.dtype, wanted.tobytes())
        (loop,) = loops_of(staged, given)
    assert "product matmul" in str(loop.function)
    assert "python" not in str(loop.function)


def test_stacks_that_do_not_fit_raise_as_numpys_do():
    rng = np.random.default_rng(0)
    with ag.config(backend="native"):
        staged = ag.function(again)
        for sizes in ((3, 3), (2, 2), (1, 4), (3, 4)):
            given = [*(rng.standard_normal((size, 4, 4)) for size in sizes), TWICE]
            assert disagreement(observe(again, given), observe(staged, given)) is None


@pytest.mark.parametrize("dtype", ["i4", "u1", "i8", "u8"])
def test_products_of_ints_wrap_round_and_are_no_loop_of_numpys(dtype):
    rng = np.random.default_rng(0)
    known = np.iinfo(dtype)
    # Each compiles for itself; nine rows are more than are added at once.
    for shapes in (*SHAPES[:9], ((9, 17), (17, 33)), ((2, 16), (16, 10))):
        with ag.config(backend="native"):
            staged = ag.function(again)
            for one in LAYOUTS:
                x, y = (
                    rng.integers(known.min, known.max, shape, dtype, endpoint=True)
                    for shape in shapes
                )
                given = [LAYOUTS[one](x), LAYOUTS[one](y), TWICE]
                found, wanted = staged(*given), again(*given)
                assert type(found) is type(wanted)
                assert np.asarray(found).tobytes() == np.asarray(wanted).tobytes()
            (loop,) = loops_of(staged, given)
        text = str(loop.function)
        assert "product matmul" not in text
        assert "python" not in text
        (*_, rows), (_, *columns) = shapes
        few = len(shapes[0]) == 2 and 0 < rows <= 16 and [*columns, 1][0] > 1
        assert ("small_product" in text) is few


def test_a_product_with_the_same_array_turned_round():
    x = np.random.default_rng(0).random((20, 20))
    with ag.config(backend="native"):
        staged = ag.function(squares)
        assert staged(x, TWICE).tobytes() == squares(x, TWICE).tobytes()


def test_products_of_ints_and_of_stacks_are_right():
    rng = np.random.default_rng(0)
    with ag.config(backend="native"):
        for x, y in (
            (rng.integers(0, 9, (3, 4)), rng.integers(0, 9, (4, 2))),
            (rng.random((2, 3, 4)), rng.random((4, 5))),
            (rng.random((3, 4), dtype="f4"), rng.random((4, 5))),
        ):
            given = [x, y, TWICE]
            staged = ag.function(powers)
            assert disagreement(observe(powers, given), observe(staged, given)) is None


def test_sizes_that_do_not_fit_raise_as_numpy():
    with ag.config(backend="native"):
        staged = ag.function(squares)
        for rows in (2, 3, 3):
            given = [np.ones((rows, 2)), TWICE]
            assert disagreement(observe(squares, given), observe(staged, given)) is None


def test_numbers_that_overflow_are_warned_of():
    with ag.config(backend="native"), warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        x = np.full((2, 2), 1e200)
        ag.function(powers)(x, x, TWICE)
    assert {str(one.message) for one in shown} == {"overflow encountered in matmul"}
