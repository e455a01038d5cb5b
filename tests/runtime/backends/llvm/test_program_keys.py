"""Programs that lowering would tell apart have other keys, and no others have."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import autograph as ag
from runtime import start_up
from runtime.backends.llvm import hot, kept_program
from runtime.backends.llvm.kept_program import FOLDER, known_of
from tests.runtime.backends.llvm.compiling import parts_of

N = np.int64
X = np.random.default_rng(0).random((6, 6))


@pytest.fixture(autouse=True)
def folder(kept_folder):
    """Where machine code is kept."""
    return kept_folder


def smooth(x):
    y = x.copy()
    for i in range(1, len(x) - 1):
        y[i] = (x[i - 1] + x[i] + x[i + 1]) / 3
    return y


LOADED = """
import sys
import runtime.backends.llvm.hot_code
names = [name for name in sys.modules if name.startswith("runtime")]
print(*(sys.modules[name].__file__ for name in names), sep="\\n")
"""


def key_of(function, given, kind=hot.Compilable, **settings):
    """The key of the first of the steps that are machine code, or can be."""
    with ag.config(**settings):
        staged = ag.function(function)
        staged(*given)
        known = known_of(parts_of(staged, given, kind)[0])
    return None if known is None else known.key


def of_a_constant(constant):
    def f(x, count):
        for _ in range(count):
            x = x * constant + x
        return x

    return f


def test_constants_are_told_apart_to_the_bit():
    values = 0.0, -0.0, 1.0, 1, True, 2.0, np.float64(2.0), np.float32(2.0), 0.5, -1
    keys = [key_of(of_a_constant(one), (X[0], N(2))) for one in values]
    assert None not in keys
    assert len({*keys}) == len(keys)


def test_another_line_and_other_names_are_the_same_program():
    def other(a, turns):
        # Elsewhere.
        for _ in range(turns):
            a = a * 0.25 + a
        return a

    first = key_of(of_a_constant(0.25), (X[0], N(2)))
    assert key_of(other, (X[1], N(9))) == first


def test_dtypes_ranks_and_settings_are_told_apart():
    def f(x, count):
        for _ in range(count):
            x = np.exp(x) + x
        return x

    given = [X[0], X, X[0].astype(np.float32), X[0].astype(complex), X[0][0], 0.5]
    keys = [key_of(f, (one, N(2))) for one in given]
    keys.append(key_of(f, (X[0], 2)))
    keys.append(key_of(f, (X[0], N(2)), precise=False))
    assert len({*keys}) == len(keys)


def test_what_is_done_with_the_results_is_told_apart():
    def both(x, count):
        y = x.copy()
        for i in range(count):
            y[i] = x[i] + 1.0
        return y, i

    def given(x, count):
        y = x.copy()
        for i in range(count):
            y[i] = x[i] + 1.0
        return y

    def in_place(x, count):
        for i in range(count):
            x[i] = x[i] + 1.0
        return x

    keys = [key_of(one, (X[0].copy(), N(3))) for one in (given, both, in_place)]
    assert len({*keys}) == 3


def test_arrays_that_a_program_holds_are_told_apart_by_content():
    def holding(table):
        return lambda count: sum_of(table, count)

    def sum_of(table, count):
        total = 0.0
        for i in range(count):
            total = total + table[i]
        return total

    tables = [np.arange(5.0), np.arange(5.0) + 1, np.arange(5), np.arange(10.0)[::2]]
    keys = [key_of(holding(one), (N(3),)) for one in tables]
    assert len({*keys}) == len(keys)


def test_what_a_program_does_beside_its_loop_needs_no_words():
    table = np.arange(20_000.0)

    def f(x, count):
        if len(x) > 10**6:
            raise ValueError(f"{x!r:>{count}}")
        y = np.sort(table)[:3]
        for i in range(count):
            x[i] = x[i] * 2.0 + i
        print(f"{x.sum():.3f}", y)
        return x

    def g(x, count):
        for i in range(count):
            x[i] = table[i] + 1.0
        return x

    assert key_of(f, (X[0].copy(), N(3)), backend="auto", kind=hot.HotLoop)
    # A large array that the loop is given is looked at.
    assert key_of(g, (X[0].copy(), N(3)), backend="auto", kind=hot.HotLoop) is None


def test_our_own_source_and_what_the_machine_has_are_in_the_key(monkeypatch, tmp_path):
    first = key_of(smooth, (X[0],))
    told = kept_program._surroundings()
    for change in (
        {"features": lambda: {"NONE": True}},
        {"version": lambda: "glibc 2.27"},
        {"_SOURCES": kept_program._SOURCES[:-1]},
    ):
        with monkeypatch.context() as patched:
            for name, value in change.items():
                patched.setattr(kept_program, name, value)
            kept_program._surroundings.cache_clear()
            assert kept_program._surroundings() != told
            assert key_of(smooth, (X[0],)) != first
        kept_program._surroundings.cache_clear()
    assert key_of(smooth, (X[0],)) == first


def test_all_that_lowering_loads_is_in_the_key():
    home = Path(kept_program.__file__).parents[2]
    folders = {os.path.normpath(home / one) for one in kept_program._SOURCES}
    command = [sys.executable, "-c", LOADED]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded = {os.path.dirname(path) for path in done.stdout.splitlines()}
    assert loaded - {str(home / "backends")} == folders


def test_where_our_source_is_not_found_there_is_no_key(monkeypatch):
    monkeypatch.setattr(kept_program, "_SOURCES", ("no such folder",))
    kept_program._surroundings.cache_clear()
    assert key_of(smooth, (X[0],)) is None
    monkeypatch.undo()
    kept_program._surroundings.cache_clear()


def test_where_our_source_was_written_since_there_is_no_key(monkeypatch):
    monkeypatch.setattr(start_up, "BEGUN", 0)
    kept_program._surroundings.cache_clear()
    assert key_of(smooth, (X[0],)) is None
    monkeypatch.undo()
    kept_program._surroundings.cache_clear()


def test_nothing_is_kept_of_what_was_lowered_by_another_source(folder, monkeypatch):
    key_of(smooth, (X[0],))
    kept = sorted(folder.glob(f"{FOLDER}/*"))
    assert len(kept) == 1
    own = kept_program.sources_in
    monkeypatch.setattr(kept_program, "sources_in", lambda *of: own(*of)[:-1])
    key_of(of_a_constant(0.125), (X[0], N(2)))
    assert sorted(folder.glob(f"{FOLDER}/*")) == kept


def test_what_has_no_words_has_no_key():
    rng = np.random.default_rng(1)

    def draw(count):
        total = 0.0
        for _ in range(count):
            total = total + rng.random()
        return total

    assert key_of(draw, (N(9),)) is None
