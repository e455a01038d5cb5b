"""Products of matrices by tiles: right in all layouts; ours where no bit differs."""

import warnings

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import abi, crew, product_choice, product_trial
from runtime.backends.llvm.chain_parts import parts_of
from runtime.backends.llvm.product_choice import LEAST, loop_of
from runtime.backends.llvm.tiles import Shape
from tests.runtime.backends.llvm.compiling import loops_of
from tests.runtime.backends.llvm.random_products import tried

# Products of ours are timed.
pytestmark = [pytest.mark.usefixtures("by_three"), pytest.mark.with_passes]
LAYOUTS = {
    "C": np.ascontiguousarray,
    "F": np.asfortranarray,
    "rows of more": lambda x: np.pad(x, ((0, 1), (0, 3)))[:-1, :-3],
    "columns of more": lambda x: np.pad(x.T, ((0, 1), (0, 3)))[:-1, :-3].T,
}
# Sizes around those of tiles, of blocks, and of what threads share.
SIZES = [(64, 65, 64), (9, 500, 70), (130, 33, 97), (250, 100, 49), (61, 784, 129)]
# Wide enough for packed rows, for one thread and for each of three.
WIDE = [(61, 53, 420), (1000, 17, 801)]
DTYPES = ["f4", "f8"]


def product(x, y, count):
    z = x @ y
    for _ in range(count):
        z = x @ y
    return z


def choice_of(dtype, precise=True):
    made = product_choice._choice(np.dtype(dtype).char, precise)
    assert made._is_ready()
    return made


def ours(x, y, block, half, by=None, bare=0, number=0):
    """The product by tiles, whatever NumPy's bits are."""
    trial = object.__new__(product_choice.Trial)
    trial.choice = by or choice_of(x.dtype)
    trial.x, trial.y, trial.k = x, y, x.shape[1]
    return trial._ours(0, len(x), (block, half, bare), number)


def entries(table):
    return [(e.m, e.n, e.k, e.layout, e.block) for e in table.entries[: table.count]]


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "sizes",
    [*SIZES, *WIDE, (4, 4, 4), (1, 7, 1), (500, 40, 330), (1400, 9, 20)],
    ids=str,
)
def test_products_by_tiles_are_exact_of_whole_numbers(sizes, dtype, threads):
    m, k, n = sizes
    rng = np.random.default_rng(m)
    crew.start()
    with ag.config(num_threads=threads):
        for one in LAYOUTS.values():
            for other in LAYOUTS.values():
                x = one(rng.integers(-9, 9, (m, k)).astype(dtype))
                y = other(rng.integers(-9, 9, (k, n)).astype(dtype))
                for block, half in ((k, k), (24, 16), (7, 5)):
                    found = ours(x, y, block, half)
                    assert np.array_equal(found, x @ y), (block, half)


# The tiles of machines with AVX2, and with vectors of 16 bytes.
@pytest.mark.parametrize("tile", [(4, 3, 32), (8, 3, 16)], ids=str)
@pytest.mark.parametrize("dtype", DTYPES)
def test_tiles_of_other_machines_are_exact_of_whole_numbers(dtype, tile):
    rng = np.random.default_rng(0)
    rows, vectors, width = tile
    dtype = np.dtype(dtype)
    other = product_choice.Choice(dtype, True)
    lanes = width // dtype.itemsize
    other.shape = Shape(other.shape.kind, dtype.itemsize, rows, vectors, lanes)
    assert other._is_ready()
    for m, k, n in (*SIZES, WIDE[0]):
        x, y = (rng.integers(-9, 9, s).astype(dtype) for s in ((m, k), (k, n)))
        for one in (x, np.asfortranarray(x)):
            for another in (y, np.asfortranarray(y)):
                found = ours(one, another, 24, 16, by=other)
                assert np.array_equal(found, x @ y)


def test_an_element_is_one_chain_of_fused_products_for_each_part():
    rng = np.random.default_rng(0)
    x, y = (rng.standard_normal(s).astype("f4") for s in ((5, 70), (70, 6)))

    def chain(first, last):
        made = np.zeros((5, 6))
        for at in range(first, last):
            # The product of two is exact, so the sum is rounded to 53 bits, then to 24.
            exact = x[:, at, None].astype("f8") * y[at].astype("f8") + made
            made = exact.astype("f4").astype("f8")
        return made.astype("f4")

    wanted = chain(0, 32) + chain(32, 51) + chain(51, 70)
    assert ours(x, y, 32, 19).tobytes() == wanted.tobytes()


@pytest.mark.parametrize("dtype", DTYPES)
def test_infinities_and_nans_come_where_they_do_in_numpys(dtype):
    rng = np.random.default_rng(1)
    for seed in range(4):
        x, y = (rng.standard_normal(s).astype(dtype) for s in ((65, 71), (71, 67)))
        for one, other in ((x, np.inf), (x, np.nan), (y, -np.inf), (y, 0.0), (x, 1e30)):
            one[rng.integers(65), rng.integers(67)] = other
        x[seed] = -0.0
        with np.errstate(all="ignore"):
            found, wanted = ours(x, y, 71, 71), x @ y
        assert np.array_equal(np.isnan(found), np.isnan(wanted))
        assert np.array_equal(np.isinf(found), np.isinf(wanted))
        assert np.array_equal(np.signbit(found[seed]), np.signbit(wanted[seed]))


def test_a_first_sum_is_added_to_zero_or_to_nothing():
    x, y = np.full((9, 65), -1e-200), np.full((65, 66), 1e-200)
    for block in (65, 40):
        for bare in (0, 1):
            signs = np.signbit(ours(x, y, block, block, bare=bare))
            assert signs.all() if bare else not signs.any()


@pytest.mark.parametrize(("dtype", "tiny"), [("f4", 1e-30), ("f8", 1e-200)])
@pytest.mark.parametrize("sizes", [(64, 65, 66), (300, 301, 302), (150, 1000, 150)])
def test_sums_that_are_too_small_are_numpys_zeros(sizes, dtype, tiny):
    m, k, n = sizes
    x, y = np.full((m, k), -tiny, dtype), np.full((k, n), tiny, dtype)
    found = ag.function(product)(x, y, np.int64(1))
    assert found.tobytes() == (x @ y).tobytes()


def test_what_is_packed_beyond_the_last_column_warns_of_nothing(afresh):
    x, y = np.ones((64, 64)), np.zeros((64, 99))[:, :65]
    x[0], y[:] = np.inf, 2.0**1000
    function = ag.function(product, precise=False)
    # As errors they would be Python's, which makes the steps itself.
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = function(x, y, np.int64(1))
    assert told == []
    assert np.array_equal(found, x @ y)
    ((*_, block),) = entries(product_choice._choice("d", False).table)
    assert block == 64


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("sizes", [*SIZES, WIDE[0]], ids=str)
def test_products_are_numpys_to_the_bit_whoever_computes_them(sizes, dtype):
    m, k, n = sizes
    rng = np.random.default_rng(k)
    x, y = (rng.standard_normal(s).astype(dtype) for s in ((m, k), (k, n)))
    staged = ag.function(product)
    for one in (
        *LAYOUTS.values(),
        lambda x: x[::-1],
        lambda x: np.repeat(x, 2, 1)[:, ::2],
    ):
        for other in LAYOUTS.values():
            given = [one(x), other(y), np.int64(2)]
            assert staged(*given).tobytes() == product(*given).tobytes()


def test_random_products():
    for seed in range(12):
        assert tried(seed) is None


# --- who is asked ---------------------------------------------------------------------
SQUARE = np.random.default_rng(0).standard_normal((80, 80))
OTHER, TURNS = SQUARE * 2, np.int64(1)
has_openblas = pytest.mark.skipif(
    not product_choice._adds_as_openblas(), reason="NumPy's BLAS is another one"
)


def noted_sizes(monkeypatch):
    """A list that gets the sizes that are asked of from now on."""
    asked = []
    add = product_choice.Choice._add
    monkeypatch.setattr(
        product_choice.Choice, "_add", lambda *a: (asked.append(a[1:]), add(*a))
    )
    return asked


@has_openblas
def test_sizes_are_asked_of_once(afresh, monkeypatch):
    asked = noted_sizes(monkeypatch)
    staged = ag.function(product)
    for _ in range(2):
        staged(SQUARE, OTHER, np.int64(3))
        staged(SQUARE.T, OTHER, np.int64(3))
    assert asked == [(80, 80, 80, 0), (80, 80, 80, 2)]
    table = product_choice._choice("d", True).table
    assert [one[:4] for one in entries(table)] == asked


@has_openblas
def test_of_a_stack_each_matrix_is_asked_of(afresh, monkeypatch):
    asked = noted_sizes(monkeypatch)
    x = np.stack([SQUARE, OTHER, SQUARE[::-1]])
    small = x[:, :20, :20]
    for given in ([x, OTHER, TURNS], [x.swapaxes(1, 2), x * 2, TURNS]):
        found = ag.function(product)(*given)
        assert found.tobytes() == product(*given).tobytes()
    ag.function(product)(small, small * 2, TURNS)
    assert asked == [(80, 80, 80, 0), (80, 80, 80, 2)]


@has_openblas
def test_small_products_and_one_matrix_by_itself_are_numpys(afresh):
    staged, small = ag.function(product), SQUARE[:20, :20]
    assert 20**3 < LEAST < 80**3
    assert (
        staged(small, small + 1, np.int64(1)).tobytes()
        == (small @ (small + 1)).tobytes()
    )
    assert (
        staged(SQUARE, SQUARE.T, np.int64(1)).tobytes() == (SQUARE @ SQUARE.T).tobytes()
    )
    assert entries(product_choice._choice("d", True).table) == []


@has_openblas
def test_where_a_bit_differs_it_is_numpys(afresh, monkeypatch):
    monkeypatch.setattr(product_trial, "parts_of", lambda k: [(7, 7)])
    monkeypatch.setattr(product_choice, "found_by", lambda *_: None)
    monkeypatch.setattr(product_choice, "keep_as", lambda *_: None)
    found = ag.function(product)(SQUARE, OTHER, np.int64(1))
    assert entries(product_choice._choice("d", True).table) == [(80, 80, 80, 0, 0)]
    assert found.tobytes() == (SQUARE @ OTHER).tobytes()


def test_all_rows_are_compared_some_at_a_time(monkeypatch):
    monkeypatch.setattr(product_trial, "AT_ONCE", 30)
    trial = product_trial.Trial(choice_of("d"), (80, 80, 80), 0)
    trial.wanted = trial._ours(0, 80, (80, 80, 0))
    assert trial._is_same(80, (80, 80, 0))
    for row in (0, 45, 79):
        trial.wanted[row, -1] += 1.0
        assert not trial._is_same(80, (80, 80, 0))
        trial.wanted[row, -1] = trial._ours(row, row + 1, (80, 80, 0))[0, -1]


@has_openblas
def test_the_sign_of_sums_that_are_too_small_is_part_of_the_answer(afresh, monkeypatch):
    def are_rows(trial, row):
        # Of these all are below 0 but for the sum that is added to 0.
        return np.signbit(trial.x).all() and np.signbit(row).all()

    monkeypatch.setattr(product_choice.Trial, "_are_rows", are_rows)
    monkeypatch.setattr(product_choice, "found_by", lambda *_: None)
    monkeypatch.setattr(product_choice, "keep_as", lambda *_: None)
    ag.function(product)(SQUARE, OTHER, np.int64(1))
    table = product_choice._choice("d", True).table
    assert (table.count, table.entries[0].bare) == (1, 1)


@has_openblas
def test_what_was_found_is_kept_for_the_next_program(afresh, monkeypatch, tmp_path):
    with ag.config(cache_dir=str(tmp_path)):
        ag.function(product)(SQUARE, OTHER, np.int64(1))
        before = entries(product_choice._choice("d", True).table)
        product_choice._choice.cache_clear()
        monkeypatch.setattr(product_choice, "Trial", None)
        ag.function(product)(SQUARE, OTHER, np.int64(1))
    assert entries(product_choice._choice("d", True).table) == before != []


@has_openblas
def test_of_more_sizes_than_there_is_room_for_it_is_numpys(afresh, monkeypatch):
    monkeypatch.setattr(product_choice, "KNOWN", 1)
    staged = ag.function(product)
    for size in (70, 71, 72):
        x = SQUARE[:size]
        assert staged(x, OTHER, np.int64(1)).tobytes() == (x @ OTHER).tobytes()
    assert len(entries(product_choice._choice("d", True).table)) == 1


def test_where_less_precise_is_enough_ours_is_taken_as_it_is(afresh, monkeypatch):
    monkeypatch.setattr(product_choice.Trial, "is_fast", lambda *_: True)
    monkeypatch.setattr(product_choice.Trial, "_is_same", None)
    found = ag.function(product, precise=False)(SQUARE, OTHER, np.int64(1))
    assert entries(product_choice._choice("d", False).table) == [(80, 80, 80, 0, 80)]
    assert np.allclose(found, SQUARE @ OTHER)


def test_of_another_blas_nothing_is_asked(monkeypatch):
    monkeypatch.setattr(np.__config__, "CONFIG", {})
    for precise, dtype in ((True, np.dtype(float)), (False, np.dtype(complex))):
        assert loop_of(dtype, precise) == abi.ufunc_loop(np.matmul, (dtype,) * 3)


def test_a_warning_of_before_is_not_lost_while_it_is_asked(afresh):
    def warned(x, y, count):
        z = x[0] / 0.0
        for _ in range(count):
            z = x[0] / 0.0
            x = x @ y
        return z, x

    with pytest.warns(RuntimeWarning, match="divide by zero"):
        ag.function(warned)(np.abs(SQUARE), OTHER, np.int64(1))


def test_long_products_let_go_of_python():
    staged = ag.function(product)
    given = [SQUARE, OTHER, np.int64(1)]
    staged(*given)
    (loop,) = loops_of(staged, given)
    text = staged.get_concrete_function(*given).inspect("llvm")
    place = text.index("call void @loop_matmul")
    assert "PyEval_SaveThread()" in text[:place].rpartition("define ptr")[2]
    assert loop.function is not None


def test_the_ways_to_part_are_those_of_openblas():
    assert list(parts_of(100)) == [(100, 100)]
    assert (448, 288) in parts_of(1024)
    for k in (1, 449, 1000, 5000):
        for block, half in parts_of(k):
            assert 0 < half <= block <= max(k, 1024)
