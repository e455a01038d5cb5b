"""A program whose code was kept is not lowered, and does the very same."""

import marshal
import os
import subprocess
import sys
import warnings

import numpy as np
import pytest

import autograph as ag
from runtime import store
from runtime.backends.llvm import (
    hot,
    hot_code,
    kept_program,
    outgrown,
)
from runtime.backends.llvm.entry import Entry
from runtime.backends.llvm.kept_program import FOLDER
from runtime.store import SUFFIX
from tests.conformance.harness import disagreement, observe
from tests.runtime.backends.llvm import (
    random_lanes,
    random_lists,
    random_mathematics,
    random_products,
    random_row_numbers,
)
from tests.runtime.backends.llvm.compiling import loops_of, parts_of
from tests.runtime.backends.llvm.kept_twice import kept_twice, words_of

N = np.int64
pytestmark = pytest.mark.with_entries


@pytest.fixture(autouse=True)
def folder(kept_folder):
    """Where machine code is kept."""
    return kept_folder


@pytest.fixture
def lowered(monkeypatch):
    """The steps that have been lowered since; what calls enter is not kept so."""
    own, found = hot_code.lowered, []

    def lowered(steps):
        if not isinstance(steps, Entry):
            found.append(steps)
        return own(steps)

    monkeypatch.setattr(hot_code, "lowered", lowered)
    return found


def anew(function):
    """The function in what is a new process as far as the store knows."""
    store._kept.clear()
    return ag.function(function)


def agree_anew(function, calls, lowered, count=1):
    """Python's results, once lowered and once as it was kept."""
    for times in (count, 0):
        lowered.clear()
        staged = anew(function)
        for given in calls:
            found = disagreement(observe(function, given), observe(staged, given))
            assert found is None, f"{given}: {found.sentence}"
        assert len(lowered) == times
    return staged


def smooth(x):
    y = x.copy()
    for i in range(1, len(x) - 1):
        y[i] = (x[i - 1] + x[i] + x[i + 1]) / 3
    return y


def chain(x):
    for _ in range(5):
        x = np.tanh(x) * 1.5 + np.sqrt(np.abs(x))
    return x, x.sum()


def table_sum(count):
    total = 0.0
    for i in range(count):
        total = total + TABLE[i] * OTHER[i]
    return total


def product_of(x, y, count):
    for _ in range(count):
        x = x @ y - x * 0.5
    return x


def listed(count):
    found = []
    for i in range(count):
        found.append(i * i % 7)
    return sum(found), found


def medians(x, count):
    total = 0.0
    for i in range(count):
        total += np.linalg.norm(x[i], 3) * 2.0 - x[i, 0] * 0.5 + x[i, 1] * x[i, 0]
        total = total * 0.5 + x[i, 0] * x[i, 0] * 0.25 - x[i, 1] / (1.0 + x[i, 0])
        total = total - x[i, 1] * 0.125 + x[i, 0] / 3.0
    return total


TABLE, OTHER = np.arange(6.0), np.arange(6.0) * 10
X = np.random.default_rng(0).random((6, 6))
PROGRAMS = [
    *((smooth, [(X[0],), (X[1, :4],)]), (chain, [(X[0],), (X,)])),
    *((table_sum, [(N(6),), (N(9),)]), (product_of, [(X, X.T, N(3))])),
    *((listed, [(N(20),)]), (medians, [(X, N(6))])),
]


@pytest.mark.parametrize(("function", "calls"), PROGRAMS, ids=lambda one: str(one)[:20])
def test_what_was_kept_is_not_lowered_again(function, calls, lowered):
    agree_anew(function, calls[:1], lowered)


def test_where_it_is_left_python_goes_on_with_what_there_is(lowered):
    """By an index outside, and an int that outgrows the machine."""

    def left(x, k, count):
        total = 3
        for i in range(count):
            x[i] = x[i] * 2.0
            total = total * k + i
            x[i + 1] = x[i + 1] - 1.0
        return total, x

    calls = [(X[0], 2, N(4)), (X[0], 7**9, N(5)), (X[0], 2, N(9)), (X[0], 3, N(0))]
    agree_anew(left, calls, lowered, count=2)  # for the first `k`, and for any


def warned(x, count):
    total = np.float64(1.0)
    for i in range(count):
        total = total * x[i]
        x[i] = np.exp(total)
    return total


@pytest.mark.parametrize(
    ("function", "calls"),
    [*PROGRAMS, (warned, [(X[0], N(3))])],
    ids=lambda one: str(one)[:20],
)
def test_what_was_kept_stands_for_the_very_same_things(function, calls, tmp_path):
    with kept_twice(tmp_path / "twice") as counts:
        found = disagreement(
            observe(function, calls[0]), observe(ag.function(function), calls[0])
        )
    assert found is None
    assert counts["kept"] == 1


def test_warnings_name_the_users_line(lowered):
    told = []
    for _ in range(2):
        staged = anew(warned)
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            for _ in range(20):
                staged(np.array([1e200, 1e200, 3.0]), N(3))
        told.append({(one.lineno, str(one.message), one.filename) for one in found})
    assert len(lowered) == 1
    assert told[0] == told[1]
    assert {name for _, _, name in told[0]} == {__file__}


def test_ints_that_wrap_round_do_so_the_next_time(folder, lowered, monkeypatch):
    monkeypatch.setattr(outgrown, "_lines", set())
    monkeypatch.setattr(hot, "LEAVINGS", 4)

    def drawn(seed, count):
        for _ in range(count):
            seed = seed * np.uint32(1664525) + np.uint32(1013904223)
        return seed

    def run():
        staged = anew(drawn)
        with np.errstate(over="ignore"):
            for count in range(40):
                given = np.uint32(1), N(count)
                assert staged(*given) == drawn(*given)

    run()
    assert len(lowered) == 2  # as it was first, and with ints that wrap round
    outgrown._lines.clear()
    run()
    assert len(lowered) == 2
    # Where they are let wrap round already, it is another program.
    run()
    assert len(lowered) == len(entries(folder)) == 2


def test_of_what_was_kept_it_is_known_which_ints_outgrow(folder, lowered, monkeypatch):
    monkeypatch.setattr(outgrown, "_lines", set())

    def drawn(seed, count):
        for _ in range(count):
            seed = seed * np.uint32(1664525) + np.uint32(1013904223)
        return seed

    anew(drawn)(np.uint32(1), N(1))
    assert len(entries(folder)) == 1
    lowered.clear()
    monkeypatch.setattr(hot, "LEAVINGS", 4)
    staged = anew(drawn)
    with np.errstate(over="ignore"):
        for count in range(40):
            given = np.uint32(1), N(count)
            assert staged(*given) == drawn(*given)
    assert outgrown._lines
    assert len(lowered) == 1  # with ints that wrap round


def test_what_is_refused_is_refused_again_for_the_same_reason(lowered):
    def refused(x, count):
        for _ in range(count):
            x = np.convolve(x, x)
        return x

    found = []
    for _ in range(2):
        staged = anew(refused)
        assert np.array_equal(staged(X[0], N(2)), refused(X[0], 2))
        found.append([loop.refused for loop in loops_of(staged, (X[0], N(2)))])
    assert found[0] == found[1]
    assert found[0][0]
    assert len(lowered) == 1


def test_its_text_is_shown_when_it_is_asked_for(lowered):
    shown = []
    for _ in range(2):
        staged = anew(smooth)
        staged(X[0])
        count = len(lowered)
        shown.append([staged.inspect(stage) for stage in ("loops", "llvm")])
        assert len(lowered) > count
    assert shown[0] == shown[1]
    assert "compiled" in shown[1][0]


def test_a_process_that_finds_its_code_loads_nothing_that_lowers(tmp_path, folder):
    path = tmp_path / "program.py"
    path.write_text(
        "import sys\nimport numpy as np\nimport autograph as ag\n"
        "@ag.function\ndef smooth(x):\n    y = x.copy()\n"
        "    for i in range(1, len(x) - 1):\n"
        "        y[i] = (x[i - 1] + x[i] + x[i + 1]) / 3\n    return y\n"
        "with ag.config(backend='native'):\n    print(*smooth(np.arange(9.0) ** 2))\n"
        "print(*sorted(n for n in sys.modules if n.startswith('runtime.backends.')))\n"
    )
    environment = {**os.environ, "AUTOGRAPH_CACHE_DIR": str(folder)}
    command = [sys.executable, str(path)]
    runs = []
    for _ in range(2):
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True
        )
        runs.append(done.stdout.splitlines())
    assert runs[0][0] == runs[1][0]
    loaded = [set(run[1].replace("runtime.backends.llvm.", "").split()) for run in runs]
    lowers = {"lowering", "hot_code", "engine", "text", "improved", "filled", "chosen"}
    assert lowers <= loaded[0]
    assert lowers.isdisjoint(loaded[1])
    assert "linking" in loaded[1]


# --- files ----------------------------------------------------------------------------
def entries(folder):
    return sorted((folder / FOLDER).glob(f"*{SUFFIX}"))


def objects(folder):
    return [one for one in folder.glob(f"*/*{SUFFIX}") if one.parent.name != FOLDER]


def test_a_damaged_entry_is_as_none(folder, lowered):
    anew(smooth)(X[0])
    (path,) = entries(folder)
    content = path.read_bytes()
    for bad in (b"", content[:40], content[:-1], content[:-5] + b"x" + content[-4:]):
        path.write_bytes(bad)
        lowered.clear()
        assert np.array_equal(anew(smooth)(X[0]), smooth(X[0]))
        assert len(lowered) == 1
        assert path.read_bytes() == content


def test_an_entry_without_its_object_is_as_none(folder, lowered):
    anew(smooth)(X[0])
    for path in objects(folder):
        path.unlink()
    lowered.clear()
    assert np.array_equal(anew(smooth)(X[0]), smooth(X[0]))
    assert len(lowered) == 1
    assert objects(folder)


def test_an_object_that_cannot_be_linked_is_made_anew(folder, lowered):
    anew(smooth)(X[0])
    (path,) = objects(folder)
    store.keep(path.name.removesuffix(SUFFIX), path.parent.name, b"no object")
    lowered.clear()
    assert np.array_equal(anew(smooth)(X[0]), smooth(X[0]))
    assert len(lowered) == 1
    store._kept.clear()
    assert store.found(path.name.removesuffix(SUFFIX), path.parent.name) != b"no object"


def test_another_text_is_never_put_where_that_of_the_entry_belongs():
    staged = anew(smooth)
    staged(X[0])
    (part,) = parts_of(staged, (X[0],), hot.Compilable)
    with pytest.raises(RuntimeError, match="is not to be had again"):
        kept_program._text_of(part, "another key")


def test_without_a_folder_nothing_is_looked_for(lowered):
    anew(smooth)(X[0])
    with ag.config(cache_dir=None):
        anew(smooth)(X[0])
    assert len(lowered) == 2


# --- is it the same? ------------------------------------------------------------------
def test_an_entry_of_another_program_is_noticed(folder, monkeypatch):
    monkeypatch.setattr(kept_program, "is_checked", True)
    staged = anew(smooth)
    staged(X[0])
    (path,) = entries(folder)
    anew(table_sum)(N(6))
    (other,) = {*entries(folder)} - {path}
    names = [one.name.removesuffix(SUFFIX) for one in (path, other)]
    wrong = store.found(names[1], FOLDER)
    store.keep(names[0], FOLDER, wrong)
    with pytest.raises(AssertionError, match="another program was kept"):
        anew(smooth)(X[0])


def test_what_is_kept_is_no_code_and_no_address(folder):
    anew(medians)(X, N(6))
    for path in entries(folder):
        words = marshal.loads(path.read_bytes()[store.DIGEST :])
        assert "step_0" in repr(words)
        assert all(one < 2**32 for one in numbers_in(words))


def numbers_in(words):
    if isinstance(words, (list, tuple)):
        return [one for part in words for one in numbers_in(part)]
    return [words] if isinstance(words, int) else []


@pytest.mark.parametrize(
    "programs",
    [
        *(random_lanes, random_lists, random_mathematics),
        *(random_products, random_row_numbers),
    ],
    ids=lambda one: one.__name__.rpartition(".")[2],
)
def test_random_programs_are_the_same_as_they_were_kept(programs, tmp_path):
    with kept_twice(tmp_path / "random") as counts:
        for seed in range(1, 5):
            assert words_of(programs.tried(seed)) is None
    assert counts["kept"]
