"""`np.dot`, `np.inner`, `np.vdot` and norms in machine code: NumPy's bits."""

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
    "gaps": lambda x: np.concatenate([x, x], -1)[..., : x.shape[-1]],
    "backwards": lambda x: np.ascontiguousarray(x[..., ::-1])[..., ::-1],
    "repeated": lambda x: np.broadcast_to(x[..., :1], x.shape),
}
SHAPES = [
    *(((7,), (7,)), ((0,), (0,)), ((1,), (1,)), ((40,), (40,)), ((3, 4), (4, 5))),
    *(
        ((3, 4), (4,)),
        ((4,), (4, 5)),
        ((1, 4), (4, 1)),
        ((3, 1), (1, 5)),
        ((3, 1), (1,)),
    ),
]


def dots(x, y, count):
    z = np.dot(x, y)
    for _ in range(count):
        z = np.dot(x, y)
    return z


def inners(x, y, count):
    z = np.inner(x, y)
    for _ in range(count):
        z = np.inner(x, y)
    return z


def vdots(x, y, count):
    z = np.vdot(x, y)
    for _ in range(count):
        z = np.vdot(x, y)
    return z


def norms(x, y, count):
    z = np.linalg.norm(x)
    for _ in range(count):
        z = np.linalg.norm(x - y) + np.linalg.norm(x, 1) + np.linalg.norm(y, axis=0)
    return z


def columns(x):
    found = np.zeros(x.shape[1])
    for k in range(x.shape[1]):
        found[k] = np.linalg.norm(x[:, k])
    return found


def numbers(shape, dtype):
    """Of every sign of zero, and some that come to NaN."""
    rng = np.random.default_rng(3)
    found = rng.standard_normal(shape) * (4 if np.dtype(dtype).kind == "f" else 9)
    found = np.where(rng.random(shape) < 0.4, -0.0, found).astype(dtype)
    return found + (1j * found[..., ::-1] if np.dtype(dtype).kind == "c" else 0)


@pytest.mark.parametrize(
    ("shapes", "dtype"),
    [*((shapes, "f8") for shapes in SHAPES), (SHAPES[0], "D"), (SHAPES[2], "F")]
    + [(SHAPES[0], "i4"), (SHAPES[3], "f4"), (SHAPES[4], "f4"), (SHAPES[5], "D")],
    ids=str,
)
def test_dots_are_numpys_to_the_bit(shapes, dtype):
    with ag.config(backend="native"):
        staged = ag.function(dots)
        for one in LAYOUTS:
            for other in ("C", one):
                x, y = (numbers(shape, dtype).astype(dtype) for shape in shapes)
                given = [LAYOUTS[one](x), LAYOUTS[other](y), TWICE]
                found, wanted = staged(*given), dots(*given)
                assert type(found) is type(wanted)
                assert np.asarray(found).tobytes() == np.asarray(wanted).tobytes()


@pytest.mark.parametrize("dtype", ["f8", "F"])
@pytest.mark.parametrize("size", [0, 1, 9])
@pytest.mark.parametrize("program", [inners, vdots, norms])
def test_rows_are_numpys_to_the_bit(program, size, dtype):
    with ag.config(backend="native"):
        staged = ag.function(program)
        for layout in LAYOUTS.values() if size else (np.array,):
            x, y = (numbers(size, dtype).astype(dtype) for _ in range(2))
            given = [layout(x), layout(y[::-1].copy()), TWICE]
            assert disagreement(observe(program, given), observe(staged, given)) is None


@pytest.mark.parametrize("program", [dots, inners, vdots, norms])
def test_rows_do_not_go_through_python(program):
    x = np.linspace(-1, 1, 9)
    with ag.config(backend="native"):
        staged = ag.function(program)
        staged(x, x[::-1].copy(), TWICE)
        (loop,) = loops_of(staged, [x, x, TWICE])
    assert "dot 12" in str(loop.function)
    assert "python" not in str(loop.function)


def test_rows_that_lie_backwards_are_copied_in_machine_code():
    x, y = numbers(9, "f8")[::-1], numbers(9, "f8")
    with ag.config(backend="native"):
        staged = ag.function(dots)
        assert staged(x, y, TWICE).tobytes() == dots(x, y, TWICE).tobytes()
        (loop,) = loops_of(staged, [x, y, TWICE])
    text = str(loop.function)
    assert "else exit" in text.partition(" = new ")[2].partition("\n")[0]
    assert "leave_if" not in text
    assert text.count("dot 12") == 4


@pytest.mark.parametrize("shapes", [((3, 4), (4, 5)), ((3, 4), (4,)), ((4,), (4, 5))])
def test_matrices_do_not_go_through_python(shapes):
    given = [*(numbers(shape, "f8") for shape in shapes), TWICE]
    with ag.config(backend="native"):
        staged = ag.function(dots)
        staged(*given)
        (loop,) = loops_of(staged, given)
    assert "product matmul" in str(loop.function)
    assert "python" not in str(loop.function)


@pytest.mark.parametrize("program", [dots, inners, vdots])
def test_numpys_words_are_said_of_what_overflows(program):
    large, some = np.full(4, 1e200), np.array([np.inf, 1.0, 0.0, 2.0])
    for given in ([large, large, TWICE], [some, some[::-1].copy(), TWICE]):
        told = []
        with ag.config(backend="native"):
            # As Python makes the first such runs anew.
            for run in (program, *[ag.function(program)] * 12):
                with warnings.catch_warnings(record=True) as caught:
                    warnings.simplefilter("always")
                    run(*given)
                told.append({str(one.message) for one in caught})
        assert all(one == told[0] for one in told)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("shapes", [((3, 1), (1,)), ((1,), (1, 3)), ((1, 1), (1, 3))])
def test_one_product_alone_is_no_sum(shapes, dtype):
    with ag.config(backend="native"):
        staged = ag.function(dots)
        for values in ((-0.0, 2.0), (np.nan, 0.0), (0.0, np.nan), (2.0, 3.0)):
            pairs = zip(shapes, values, strict=True)
            x, y = (np.full(shape, value, dtype) for shape, value in pairs)
            assert staged(x, y, TWICE).tobytes() == dots(x, y, TWICE).tobytes()


def nothing_is_said(x, y, count):
    total = 0.5
    for _ in range(count):
        total = total + 1.5
        z = np.vdot(x * total, y)
    return total, z


def test_what_numpy_does_not_tell_of_is_no_fault_of_others():
    large = np.full(4, 1e200)
    with ag.config(backend="native"), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        staged = ag.function(nothing_is_said)
        for _ in range(12):
            assert staged(large, large, np.int64(40))[1] == np.inf
    assert not caught


def whole_norms(x, count):
    z = np.linalg.norm(x)
    for _ in range(count):
        z = np.linalg.norm(x)
    return z


def test_norms_of_matrices_go_through_memory():
    rng = np.random.default_rng(2)
    with ag.config(backend="native"):
        staged = ag.function(whole_norms)
        for _ in range(20):
            x = np.asfortranarray(rng.random((7, 9)) ** 5)
            for one in (x, x.T, x.copy(order="C"), x[::2]):
                assert staged(one, TWICE) == whole_norms(one, TWICE)


@pytest.mark.parametrize("dtype", ["F", "D"])
def test_complex_numbers_with_half_of_one_between_them(dtype):
    half = np.dtype(dtype).char.replace("F", "f4").replace("D", "f8")
    rows = np.zeros(9, [("z", dtype), ("rest", half)])
    rows["z"] = numbers(9, dtype)
    x, y = rows["z"], rows["z"].copy()[::-1].copy()
    with ag.config(backend="native"):
        staged = ag.function(dots)
        assert staged(x, y, TWICE).tobytes() == dots(x, y, TWICE).tobytes()
        assert staged(x, x, TWICE).tobytes() == dots(x, x, TWICE).tobytes()


def test_rows_that_do_not_fit_raise_as_numpys_do():
    with ag.config(backend="native"):
        staged = ag.function(dots)
        for sizes in ((3, 3), (2, 2), (3, 4), (1, 4)):
            given = [*(np.ones(size) for size in sizes), TWICE]
            assert disagreement(observe(dots, given), observe(staged, given)) is None


def test_long_rows_let_go_of_python():
    x = np.random.default_rng(0).random(2**16)
    with ag.config(backend="native"):
        assert ag.function(dots)(x, x, TWICE) == dots(x, x, TWICE)


@pytest.mark.parametrize("backend", ["numpy", "native"])
def test_norms_of_columns_are_laid_out_first_as_numpy_does(backend):
    x = np.random.default_rng(7).random((40, 20))
    with ag.config(backend=backend):
        staged = ag.function(columns)
        for one in (x, x[::-1], x[:, ::-1], x.T, np.asfortranarray(x)):
            assert staged(one).tolist() == columns(one).tolist()
