"""Several rows at once, a lane for each: NumPy's bits, whatever sizes and layouts."""

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import across, hot, row_lanes, vectors
from runtime.backends.llvm.loops import Block, Instruction, Local
from tests.runtime.backends.llvm.compiling import LAYOUTS, agreeing, cases, parts_of

CASES, case = cases()
rng = np.random.default_rng(0)


def points(count, dims, dtype="f8"):
    return rng.standard_normal((count, dims)).astype(dtype)


@case((points(8, 3),), (points(19, 3, "f4"),), (points(5, 2),), (points(0, 3),))
def drawn(p):
    d = p[None, :, :] - p[:, None, :]
    square = np.sum(d * d, 2) + 0.01
    return np.sum(d * (1.0 / (square * np.sqrt(square)))[:, :, None], 1) * 0.5


@case((points(11, 8), points(8, 8)), (points(4, 16), points(13, 16)))
@case((points(3, 8, "f4"), points(37, 8, "f4")), (points(9, 9), points(9, 9)))
def distances(x, centres):
    d = x[:, None, :] - centres[None, :, :]
    return np.sqrt(np.sum(d * d, 2)) * 2.0


@case((points(21, 8),), (points(6, 4, "f4"),), (np.arange(40).reshape(8, 5) % 7,))
@case((np.array([[0.0, -0.0, np.nan, 1.0]] * 9),), (points(9, 7) > 0,))
def extremes(x):
    return np.argmin(x, 1) * 10 + np.argmax(x, 1)


@case((np.array([[1.0, 1e300], [1e200, 1e200]] * 5),), (np.zeros((9, 2)),))
def overflows(x):
    d = x[None, :, :] - x[:, None, :]
    return np.sum(d / np.sum(d * d, 2)[:, :, None], 1) + 0.0


@case((points(11, 8),), (points(9, 16, "f4"),))
def scattered(x):
    d = x - np.mean(x, 1, keepdims=True)
    return np.sum(d * d, 1) * 2.0


@case((points(8, 8),), (points(5, 16),), (points(1, 8),), (points(3, 16, "f4"),))
def by_loops_of_numpys(x):
    return np.sum(np.arcsinh(x) * 1.5, 1), np.sum(x, 1), np.sum(np.cbrt(x[0]) + x[0])


@case((np.arange(64).reshape(8, 8) - 9,), (np.arange(32, dtype="i4").reshape(2, 16),))
def of_ints(i):
    return np.sum(np.abs(i) * 1.5, 1)


@case((points(9, 8),))
def written_where_it_is_read(x):
    y = x * 1.0
    y[1:] = y[:-1] - np.sum(y[:-1] * y[:-1], 1, keepdims=True)
    y[:, :] = y - np.sum(y * y, 1, keepdims=True)
    return y * 2.0


@pytest.fixture(autouse=True)
def native():
    with ag.config(backend="native"):
        yield


@pytest.mark.parametrize("layout", ["given", "steps"])
@pytest.mark.parametrize(("program", "arguments"), CASES)
def test_rows_in_lanes_are_numpys_to_the_bit(program, arguments, layout):
    agreeing(program, arguments, LAYOUTS[layout])


@pytest.mark.parametrize(
    ("program", "arguments"),
    [
        (drawn, (points(8, 3),)),
        (distances, (points(40, 8), points(8, 8))),
        (extremes, (points(40, 8),)),
        (scattered, (points(40, 8),)),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_rows_of_few_elements_have_lanes(program, arguments):
    if vectors.lanes() < 8:
        # Rows of eight have no lanes there: SSE2's vectors hold two floats.
        pytest.skip("vectors of two numbers")
    staged = agreeing(program, [arguments])
    (region,) = parts_of(staged, arguments, hot.Region)
    loops = [one for one in region.function.body.walk() if one.op == "for"]
    assert any(across.in_lanes(one) for one in loops), region.function


def test_long_rows_have_vectors_of_their_own():
    staged = agreeing(distances, [(points(5, 40), points(9, 40))])
    (region,) = parts_of(staged, (points(5, 40), points(9, 40)), hot.Region)
    loops = [one for one in region.function.body.walk() if one.op == "for"]
    assert loops
    assert not any(across.in_lanes(one) for one in loops)


def loop_of_rows(stores_its_index):
    """A loop that writes roots of a row's elements, or beside them the row's number."""
    row, place, out, x, root = (
        Local(kind, f"v{number}")
        for number, kind in enumerate(("i64", "ptr", "ptr", "double", "double"))
    )
    body = [
        Instruction("address", (place,), (Local("ptr", "v8"), row, 24)),
        Instruction("load", (x,), (place,)),
        Instruction("sqrt", (root,), (x,), type="double"),
        Instruction("address", (out,), (Local("ptr", "v9"), row, 8)),
        Instruction("store", (), (out, root), type="double"),
    ]
    if stores_its_index:
        body.append(Instruction("store", (), (out, row), type="i64"))
    return Instruction("for", (), (row, 40), (Block(body),), type=row_lanes.ROWS)


@pytest.mark.parametrize("stores_its_index", [False, True])
def test_the_number_of_a_row_is_not_written_by_lanes(stores_its_index):
    found = row_lanes.of_loop(loop_of_rows(stores_its_index))
    assert (found is None) == stores_its_index
