"""What follows a product row by row is done with its rows: the same bits."""

import ctypes
import warnings
from dataclasses import replace

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import crew
from runtime.backends.llvm.epilogues import THEN, with_epilogues
from runtime.backends.llvm.loops import Block, Exit, Function, Instruction, Local
from tests.runtime.backends.llvm.compiling import agreeing
from tests.runtime.backends.llvm.test_packed import choice_of

rng = np.random.default_rng(5)


def layer(x, w, b, y):
    """By NumPy's function, after a row that is added to each."""
    return np.maximum(x @ w + b, 0)


def residual(x, w, b, y):
    """Element by element, of an operand that is let go of; then a layer."""
    return np.tanh(((x + 1) @ w - y) @ w[:, : len(w)] * 2 + b)


def arguments(m, k, n, dtype="f4"):
    sizes = (m, k), (k, n), n, (m, n)
    x, w, b, y = (rng.standard_normal(size).astype(dtype) for size in sizes)
    return x, w / 8, b, y


def loops_of(function, *given):
    return ag.function(function).get_concrete_function(*given).inspect("loops")


@pytest.fixture(autouse=True)
def all_at_once():
    # Where a warning may be an error, what writes into arrays stays Python.
    with warnings.catch_warnings(), ag.config(backend="native"):
        warnings.resetwarnings()
        yield


# Shared by threads, and of several parts of `k` and a last column of its own.
@pytest.mark.parametrize("function", [layer, residual])
@pytest.mark.parametrize(
    ("sizes", "dtype"), [((1500, 64, 64), "f4"), ((200, 500, 500), "f8")], ids=str
)
def test_rows_that_are_followed_are_pythons(function, sizes, dtype):
    given = arguments(*sizes, dtype)
    with ag.config(num_threads=3):
        agreeing(function, [given], lambda one: one)
    assert f"{THEN} matmul" in loops_of(function, *given)


@pytest.mark.parametrize("threads", [1, 3])
def test_what_follows_is_warned_of(threads):
    x, w, *_ = arguments(1500, 64, 64)
    with ag.config(num_threads=threads), pytest.warns(RuntimeWarning) as told:
        ag.function(lambda x, w: (x @ w + 1) / 0)(x, w)
    assert ["divide by zero encountered in divide"] == [str(w.message) for w in told]


# --- which loops follow ---------------------------------------------------------------
DATA, OTHER, FIRST, LENGTH, INDEX, ROW, AT, MORE, WORD = (
    Local(kind, kind + str(number))
    for number, kind in enumerate(("ptr", "ptr", *["i64"] * 4, "ptr", "ptr", "float"))
)
HERE = Instruction("add", (ROW,), (FIRST, INDEX))
LOAD = Instruction("load", (WORD,), (AT,))
STORE = Instruction("store", (), (AT, WORD), type="float")
OF_A_ROW = Instruction("address", (AT,), (DATA, ROW, 16))
OF_ONE = Instruction("address", (AT,), (DATA, ROW, 4))
ELSEWHERE = Instruction("address", (MORE,), (OTHER, ROW, 16))
DROP = Instruction("release", (), (OTHER,))


def with_loop(*inside, count=6, between=()):
    """A function of a product of 6 rows of 4, and of a loop over `count` units."""
    words = (1, 6, 3, 4, 0, 0, 0, 12, 4, 16, 4, 16, 4, 0)
    product = Instruction("product", (), (OTHER, OTHER, DATA, *words), symbol="matmul")
    turn = Instruction("for", (), (INDEX, LENGTH), (Block([*inside]),))
    loop = Instruction("share", (FIRST, LENGTH), (count, 10), (Block([turn]),))
    body = Block([product, *between, loop])
    return [one.op for one in with_epilogues(Function("f", [], body, [])).body.walk()]


@pytest.mark.parametrize("count", [6, 24])
def test_a_loop_of_own_rows_or_elements_follows(count):
    place = OF_A_ROW if count == 6 else OF_ONE
    found = with_loop(HERE, place, LOAD, STORE, count=count, between=[DROP])
    # What lets go of an operand comes after both.
    assert (found[0], found[-1]) == (THEN, "release")


@pytest.mark.parametrize(
    ("inside", "count", "between"),
    [
        ([HERE, OF_ONE, LOAD, STORE], 12, []),
        ([HERE, OF_A_ROW, LOAD, STORE], 4, []),
        # At the place of the inner axis: the result is repeated.
        ([replace(OF_A_ROW, args=(DATA, INDEX, 16)), LOAD, STORE], 6, []),
        ([replace(OF_A_ROW, args=(DATA, 1, 16)), LOAD, STORE], 6, []),
        # What the product reads may be written.
        ([HERE, OF_A_ROW, LOAD, ELSEWHERE, replace(STORE, args=(MORE, WORD))], 6, []),
        (
            [HERE, OF_A_ROW, ELSEWHERE]
            + [Instruction("numpys", (), (4, AT, 4, MORE, 4), symbol="exp_1_1")],
            6,
            [],
        ),
        # A part of the result, from another row on.
        (
            [HERE, OF_A_ROW, LOAD, replace(ELSEWHERE, args=(MORE, ROW, 16)), STORE],
            6,
            [Instruction("address", (MORE,), (DATA, 1, 16))],
        ),
        ([HERE, OF_A_ROW, LOAD, STORE, replace(LOAD, args=(DATA,))], 6, []),
        ([HERE, OF_A_ROW, LOAD, STORE], 6, [LOAD]),
        (
            [HERE, OF_A_ROW, LOAD, STORE],
            6,
            [Instruction("icmp eq", (FIRST,), (1, 1), exit=Exit(0, (), ()))],
        ),
        ([HERE, OF_A_ROW, STORE, Instruction("python", symbol="step")], 6, []),
    ],
)
def test_a_loop_that_may_touch_other_rows_comes_after(inside, count, between):
    assert THEN not in with_loop(*inside, count=count, between=between)


def test_each_side_of_a_branch_has_the_product():
    words = (1, 6, 3, 4, 0, 0, 0, 12, 4, 16, 4, 16, 4, 0)
    product = Instruction("product", (), (OTHER, OTHER, DATA, *words), symbol="matmul")
    turn = Instruction("for", (), (INDEX, LENGTH), (Block([HERE, OF_A_ROW, STORE]),))
    loop = Instruction("share", (FIRST, LENGTH), (6, 10), (Block([turn]),))
    branch = Instruction("if", (), (LENGTH,), (Block([loop]), Block([LOAD])))
    body = Block([product, DROP, branch])
    (one,) = with_epilogues(Function("f", [], body, [])).body.instructions
    sides = [[inner.op for inner in block.instructions] for block in one.blocks]
    assert sides == [[THEN, "release"], ["product", "release", "load"]]


# --- which rows -----------------------------------------------------------------------
FOLLOWS = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)


@pytest.mark.parametrize(("threads", "columns"), [(1, 64), (3, 64), (1, 2080)])
def test_rows_are_followed_once_when_all_of_k_is_added(threads, columns):
    x, w, *_ = arguments(1500, 300, columns)
    made, seen = np.empty((len(x), columns), "f4"), np.zeros(len(x), int)
    wanted, wrong = x @ w, []

    @FOLLOWS
    def note(frame, first, last):
        seen[first:last] += 1
        if not np.allclose(made[first:last], wanted[first:last], 1e-3, 1e-3):
            wrong.append((first, last))

    places = (ctypes.c_void_p * 3)(*(one.ctypes.data for one in (x, w, made)))
    sizes = (ctypes.c_ssize_t * 4)(1, len(x), 300, columns)
    strides = (0, 0, 0, *x.strides, *w.strides, *made.strides, 0)
    after = ctypes.cast(note, ctypes.c_void_p).value
    steps = (ctypes.c_ssize_t * 13)(*strides, after, 0, 7)
    kinds = [ctypes.c_void_p] * 3 + [ctypes.c_int64] * 3
    call = ctypes.CFUNCTYPE(ctypes.c_int64, *kinds)(choice_of("f4").table.ours)
    crew.start()
    with ag.config(num_threads=threads):
        assert call(places, sizes, steps, 128, 64, 0) == 0
    # Of units of some columns nobody has a whole row.
    has_rows = columns < 2048
    assert (seen == has_rows).all()
    assert steps[12] == has_rows
    assert wrong == []
