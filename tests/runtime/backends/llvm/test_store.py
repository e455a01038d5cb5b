"""Machine code that a program has made is found by the next one."""

import os
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import autograph as ag
from autograph import kept_code
from runtime import store
from runtime.backends.llvm import engine, making, versions
from runtime.backends.llvm.kept_program import FOLDER
from runtime.store import SUFFIX
from tests.runtime.backends.llvm.compiling import loops_of


@pytest.fixture
def folder(tmp_path):
    """A folder of the test's own, and a memory that is empty."""
    store._kept.clear()
    with ag.config(cache_dir=tmp_path / "kept"):
        yield tmp_path / "kept"
    store._kept.clear()


@pytest.fixture
def made(monkeypatch):
    """The texts that LLVM has compiled."""
    texts = []

    def image_of(text):
        texts.append(text)
        return own(text)

    own = engine.image_of
    monkeypatch.setattr(engine, "image_of", image_of)
    return texts


def count_up(limit):
    i = 0
    while i < limit:
        i = i + 1
    return i


def run_anew(function, *arguments):
    """The result in what is a new program as far as the store knows."""
    store._kept.clear()
    with ag.config(backend="native"):
        return ag.function(function)(*arguments)


def files(folder):
    """Those of objects, beside which lies all else that is kept."""
    others = FOLDER, versions.FOLDER, kept_code.FOLDER
    return sorted(p for p in folder.glob("*/*") if p.parent.name not in others)


def test_a_second_program_compiles_nothing(folder, made):
    for _ in range(3):
        assert run_anew(count_up, np.int64(7)) == 7
    assert len(made) == len(files(folder)) == 1


def test_loops_that_are_alike_are_compiled_once(made):
    store._kept.clear()
    with ag.config(backend="native", cache_dir=None):
        for _ in range(3):
            assert ag.function(count_up)(np.int64(7)) == 7
    assert len(made) == 1


def table_sum(table):
    def summed(count):
        total = 0.0
        for i in range(count):
            total = total + table[i]
        return total

    return summed


def test_the_code_reads_the_arrays_of_its_own_program(folder, made):
    for table in (np.arange(5.0), np.arange(5.0) * 10, np.ones(5)):
        found = run_anew(table_sum(table), np.int64(5))
        assert found == table.sum()
    assert len(made) == 1


def test_the_code_calls_the_functions_of_its_own_program(folder, made):
    def norms(x, count):
        total = 0.0
        for i in range(count):
            total = (
                total + np.linalg.norm(x[i]) * 2.0 + x[i, 0] * 0.5 - x[i, 1] * x[i, 0]
            )
            total = total * 0.5 + x[i, 0] * x[i, 0] * 0.25 - x[i, 1] / (1.0 + x[i, 0])
            total = total - x[i, 1] * 0.125 + x[i, 0] / 3.0
        return total

    x = np.random.default_rng(0).random((4, 3))
    for _ in range(3):
        assert run_anew(norms, x, np.int64(4)) == norms(x, 4)
    assert len(made) == 1


def test_where_it_is_off_nothing_is_written(folder):
    with ag.config(cache_dir=None):
        assert run_anew(count_up, np.int64(7)) == 7
    assert not folder.exists()


def damaged(content):
    yield b""
    yield content[:10]
    yield content[:-1]
    yield content[:-20] + bytes([content[-20] ^ 1]) + content[-19:]
    yield content + b"x"


def test_a_file_that_is_damaged_is_made_anew(folder, made):
    run_anew(count_up, np.int64(7))
    (path,) = files(folder)
    content = path.read_bytes()
    for count, bad in enumerate(damaged(content), start=2):
        path.write_bytes(bad)
        assert run_anew(count_up, np.int64(7)) == 7
        assert len(made) == count
        assert path.read_bytes() == content


def test_a_file_of_another_name_is_not_taken(folder):
    store.keep("one", "v", b"first")
    os.rename(folder / "v" / f"one{SUFFIX}", folder / "v" / f"two{SUFFIX}")
    store._kept.clear()
    assert store.found("two", "v") is None


def test_an_object_that_cannot_be_linked_is_made_anew(folder, made):
    run_anew(count_up, np.int64(7))
    (path,) = files(folder)
    store.keep(path.name.removesuffix(SUFFIX), path.parent.name, b"no object")
    assert run_anew(count_up, np.int64(7)) == 7
    assert len(made) == 2


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="there are no such rights here")
def test_what_others_may_write_is_not_taken(folder):
    store.keep("one", "v", b"first")
    store._kept.clear()
    assert store.found("one", "v") == b"first"
    os.chmod(folder / "v" / f"one{SUFFIX}", 0o666)
    store._kept.clear()
    assert store.found("one", "v") is None
    assert (folder / "v").stat().st_mode & 0o077 == 0


def test_a_folder_that_cannot_be_written_is_as_none(folder, made):
    folder.write_text("a file where the folder should be")
    for _ in range(2):
        assert run_anew(count_up, np.int64(7)) == 7
    assert len(made) == 2
    assert not store.may_hold("one")


def test_other_versions_and_texts_are_other_objects(folder):
    store.keep("one", "v", b"first")
    store._kept.clear()
    assert store.found("one", "w") is None
    assert store.may_hold("one")
    assert not store.may_hold("two")
    assert store.key_of("a") != store.key_of("b")
    assert store.key_of("a") == store.key_of("a")
    assert len(versions.versions()) == 32


def test_what_was_used_the_longest_ago_goes(folder, monkeypatch):
    monkeypatch.setattr(store, "BETWEEN", 1)
    monkeypatch.setattr(store, "BOUND", 10_000)
    for number in range(9):
        store.keep(f"n{number}", "v", bytes(1000))
        os.utime(folder / "v" / f"n{number}{SUFFIX}", (number, number))
    store._kept.clear()
    assert store.found("n0", "v") == bytes(1000)  # is used now
    store.keep("last", "v", bytes(1500))
    left = {path.name.removesuffix(SUFFIX) for path in files(folder)}
    assert left == {"n0", "n5", "n6", "n7", "n8", "last"}


def test_what_was_marked_as_used_of_late_is_not_marked_again(folder):
    store.keep("one", "v", b"first")
    path = folder / "v" / f"one{SUFFIX}"
    now = time.time()
    for ago, is_marked in ((60, False), (2 * store.SELDOM, True)):
        os.utime(path, (now - ago, now - ago))
        store._kept.clear()
        assert store.found("one", "v") == b"first"
        assert (path.stat().st_mtime > now - ago + 1) is is_marked


def test_files_of_the_user_stay(folder, monkeypatch):
    monkeypatch.setattr(store, "BETWEEN", 1)
    monkeypatch.setattr(store, "BOUND", 1_000)
    (folder / "letters").mkdir(parents=True)
    letter = folder / "letters" / "first.txt"
    letter.write_bytes(bytes(5_000))
    os.utime(letter, (1, 1))
    for name in ("one", "two"):
        store.keep(name, "v", bytes(700))
    assert letter.read_bytes() == bytes(5_000)
    assert [path.name for path in (folder / "v").iterdir()] == [f"two{SUFFIX}"]


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="there are no links here")
def test_no_link_is_followed_in_writing(folder, tmp_path, monkeypatch):
    own, letter = os.open, tmp_path / "letter"
    letter.write_text("dear reader")

    def where_others_put_a_link(path, *args, **kwargs):
        os.symlink(letter, path)
        return own(path, *args, **kwargs)

    with monkeypatch.context() as patched:
        patched.setattr(os, "open", where_others_put_a_link)
        store.keep("one", "v", b"first")
    assert letter.read_text() == "dear reader"
    store.keep("one", "v", b"first")
    store._kept.clear()
    assert store.found("one", "v") == b"first"


def test_many_write_and_read_one_object(folder):
    image = np.random.default_rng(0).bytes(20_000)

    def write_and_read(_):
        store._write(folder, "v/one", image)
        return store._read(folder, "v/one")

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(write_and_read, range(200))) == {image}
    assert [path.name for path in files(folder)] == [f"one{SUFFIX}"]


def smoothed(x, count):
    for _ in range(count):
        x = x * 0.5 + x * x * 0.25
    return x


@pytest.mark.usefixtures("folder")
def test_what_is_stored_is_taken_whatever_it_would_cost(monkeypatch):
    x, turns = np.linspace(0.0, 1.0, 10_000), np.int64(3_000)
    monkeypatch.setattr(making, "SECONDS_ALL", 9.0)
    found = []
    for _ in range(2):
        staged = ag.function(smoothed)
        assert np.array_equal(staged(x, turns), smoothed(x, turns))
        (loop,) = loops_of(staged, (x, turns))
        found.append(loop.is_made)
        run_anew(smoothed, x, np.int64(3))
    assert found == [False, True]
