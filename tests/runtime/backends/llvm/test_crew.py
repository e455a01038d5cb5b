"""Loops over elements that threads share: the same bits, warnings, and no deadlock."""

import ctypes
import os
import subprocess
import sys
import threading
import warnings

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import crew
from tests.runtime.backends.llvm.compiling import forked, loops_of

MANY = 60_000


def chain(x, y):
    return np.exp(-x * x) * y + np.sqrt(y) - x / 3


def grown(x):
    return x * 1e300


def in_place(x, y):
    x += np.sin(y)
    x[1:, ::2] = y[1:, ::2] * 2


@pytest.fixture(autouse=True)
def three_threads():
    with ag.config(backend="native", num_threads=3):
        yield


def runs(staged, *args):
    """How many pieces of work the crew was given by a call."""
    staged(*args)
    before = crew.CREW.number
    staged(*args)
    return crew.CREW.number - before


def test_parts_are_the_whole_to_the_bit():
    staged = ag.function(chain)
    rng = np.random.default_rng(0)
    for size in (MANY, MANY + 1, 3 * MANY + 511, 5):
        x, y = rng.normal(size=size), rng.random(size)
        assert staged(x, y).tobytes() == chain(x, y).tobytes()
    assert runs(staged, *(np.ones(MANY),) * 2) == 1


def rows_of(x):
    return (
        *(np.sum(x * x, axis=-1), np.mean(x - 1, axis=1, keepdims=True)),
        *(np.max(x * 2, axis=-1), np.min(x - 1, axis=1), np.any(x > 2, axis=-1)),
        *(np.sum(np.exp(x), axis=1), np.sum(x + 1, axis=0)),
    )


@pytest.mark.parametrize("shape", [(301, 300), (3, 100_001), (60, 50, 80), (5, 3)])
@pytest.mark.parametrize("dtype", ["f8", "f4", "i4"])
def test_rows_that_become_numbers_are_shared_to_the_bit(shape, dtype):
    rng = np.random.default_rng(3)
    x = (rng.normal(size=shape) * 3).astype(dtype)
    if dtype != "i4":
        # Of these NumPy's own loop has the last word: which NaN, which zero.
        x[0, ..., 1], x[1, ..., 2] = np.nan, -np.nan
        x[2], x[2, ..., ::2] = 0.0, -0.0
    staged = ag.function(rows_of)
    with np.errstate(all="ignore"):
        many = runs(staged, x)
        pairs = zip(staged(x), rows_of(x), strict=True)
        wrong = [at for at, (a, b) in enumerate(pairs) if a.tobytes() != b.tobytes()]
    assert wrong == []
    assert many >= 4 if x.size >= MANY else many == 0


def test_rows_are_parts_of_what_lies_apart():
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(301, 602))[:, ::2], rng.random((301, 301))
    staged = ag.function(chain)
    assert staged(x, y).tobytes() == chain(x, y).tobytes()
    assert runs(staged, x, y) > 0
    one, other = np.array(y), np.array(y)
    ag.function(in_place)(one, x[::-1])
    in_place(other, x[::-1])
    assert one.tobytes() == other.tobytes()


def test_one_thread_is_enough_and_little_work_is_not_shared():
    staged = ag.function(chain)
    many, few = np.ones(MANY), np.ones(100)
    assert runs(staged, few, few) == 0
    assert runs(staged, many, many) == 1
    with ag.config(num_threads=1):
        assert runs(staged, many, many) == 0


def test_what_one_thread_meets_is_warned_of_once():
    x = np.ones(20 * MANY)
    x[-1] = 1e300
    staged = ag.function(grown)
    for _ in range(3):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            assert staged(x)[-1] == np.inf
        assert [str(one.message) for one in told] == [
            "overflow encountered in multiply"
        ]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert staged(np.ones(20 * MANY))[-1] == 1e300


def test_elements_that_lie_in_one_another_are_written_in_order():
    def put(x, y):
        x[:] = np.sin(y)

    y = np.linspace(0, 1, 20 * MANY)
    staged = ag.function(put)
    for shape, strides in (((len(y),), (0,)), ((len(y) // 4, 4), (8, 8))):
        memory = np.zeros(len(y) // 4 + 3)
        x = np.lib.stride_tricks.as_strided(memory, shape, strides)
        for _ in range(4):
            staged(x, y.reshape(shape))
            wanted = np.zeros(len(memory))
            same = np.lib.stride_tricks.as_strided(wanted, shape, strides)
            put(same, y.reshape(shape))
            assert memory.tobytes() == wanted.tobytes()


def test_many_callers_at_once():
    staged, y = ag.function(chain), np.linspace(1, 2, MANY)
    wanted = [chain(np.full(MANY, float(n)), y).tobytes() for n in range(8)]
    found = [[] for _ in wanted]
    start = threading.Barrier(len(wanted))

    def call(n):
        with ag.config(backend="native"):
            start.wait()
            x = np.full(MANY, float(n))
            found[n] = [staged(x, y).tobytes() == wanted[n] for _ in range(20)]

    threads = [threading.Thread(target=call, args=(n,)) for n in range(len(wanted))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(len(one) == 20 and all(one) for one in found)


PRODUCTS = """
import numpy as np
import autograph as ag
from runtime.backends.llvm import crew

@ag.function(precise=False)
def products(x, y):
    return (x @ y) @ x

x = np.ones((256, 256))
with ag.config(backend="native", num_threads=3):
    for _ in range(3):
        products(x, x.copy())
print(crew.CREW.number)
"""


def test_products_alone_have_a_crew(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PRODUCTS)
    command = [sys.executable, str(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(done.stdout) > 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks")
def test_a_child_does_all_by_itself():
    staged, x = ag.function(chain), np.linspace(1, 2, MANY)
    assert runs(staged, x, x) == 1
    child = forked()
    if child == 0:
        is_right = staged(x, x).tobytes() == chain(x, x).tobytes()
        other = ag.function(grown)
        is_right = is_right and other(x).tobytes() == grown(x).tobytes()
        os._exit(0 if is_right and not crew.CREW.run else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert runs(staged, x, x) == 1


def test_a_loop_of_numbers_lets_go_of_python_and_others_do_not():
    def numbers(n):
        i = total = np.int64(0)
        while i < n:
            total = (total + i * i) % 1_000_003
            i += 1
        return total

    def arrays(x, n):
        while n > 0:
            x = x * 0.5 + 1
            n -= 1
        return x

    free, held = "%poll, i1 true)", "%poll, i1 false)"
    staged, other = ag.function(numbers), ag.function(arrays)
    assert staged(np.int64(300_000)) == numbers(np.int64(300_000))
    np.testing.assert_array_equal(other(np.ones(3), np.int64(3)), np.full(3, 1.875))
    # As it is written: LLVM may put the truth into the function that is called.
    (loop,) = loops_of(staged, [np.int64(300_000)])
    text = loop.text(*loop.lowered()).write()
    assert (free in text, held in text) == (True, False)
    (loop,) = loops_of(other, [np.ones(3), np.int64(3)])
    text = loop.text(*loop.lowered()).write()
    assert (free in text, held in text) == (False, True)


def test_a_way_out_of_a_loop_that_has_let_go_of_python():
    def outgrown(n):
        total, i = 1, 0
        while i < n:
            i += 1
            total = total + total if i > 60_000_000 else 1
        return total

    staged = ag.function(outgrown)
    assert staged(np.int64(3)) == 1
    assert staged(np.int64(60_000_100)) == 2**100


@pytest.mark.parametrize("threads", [2, 3, 16])
@pytest.mark.parametrize(
    ("count", "grain"), [(1, 1), (5, 1), (1000, 7), (64, 64), (65, 64), (10_000, 512)]
)
def test_each_unit_is_taken_once(count, grain, threads):
    crew.start()
    if not crew.CREW.run:
        pytest.skip("one processor alone has no crew")
    lock, taken = threading.Lock(), []
    kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)

    @kind
    def work(_, first, last):
        with lock:
            taken.append((first, last))

    run = ctypes.CFUNCTYPE(
        ctypes.c_int64, kind, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64
    )(crew.CREW.run)
    with ag.config(num_threads=threads):
        for _ in range(20):
            taken.clear()
            run(work, None, count, grain)
            units = [unit for first, last in taken for unit in range(first, last)]
            assert sorted(units) == [*range(count)]
            assert all(last - first <= grain for first, last in taken)


def test_a_thread_looks_as_long_as_waking_takes():
    crew.start()
    if not crew.CREW.run:
        pytest.skip("one processor alone has no crew")
    # A pause takes some 10 to 100 ns.
    assert 100 <= crew.CREW.asks <= 20_000
    assert crew.CREW.waits == crew.OF_WAITS * crew.CREW.asks
