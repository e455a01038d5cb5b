"""The benches run and print what they measured; no figure is asserted."""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from tools.bench import by_index
from tools.bench.rows import MODULES, ROWS
from tools.bench.shared import resting
from tools.bench.shared.languages import LANGUAGES
from tools.bench.shared.peers import Peer, Unanswered, is_there
from tools.bench.table import Line

FOLDER = Path(__file__).resolve().parents[2] / "tools" / "bench"
IDIOMS = {"numpy", "autograph", "numba", "jax", "torch", "tensorflow"}


def run(script, *arguments):
    """What a script prints."""
    done = subprocess.run(
        [sys.executable, str(FOLDER / script), *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_table_has_a_line_for_each_row_and_says_what_is_not_there():
    asked = ["--rows", "newton", "first call", "--quick", "--repeats", "1"]
    peers = ["--peers", "numpy", "autograph", "jax", "--python", "jax=/bin/false"]
    text = run("table.py", *asked, *peers)
    assert text[1].split() == ["numpy", "autograph", "ratio"]
    newton, first = text[2].split(), text[3].split()
    assert newton[:2] == ["newton,", "2"]
    plain, ours, ratio = (float(cell.replace(",", "")) for cell in newton[2:5])
    assert newton[5] == "numpy"
    assert ratio == pytest.approx(plain / ours, rel=0.1)
    assert first[:4] == ["first", "call,", "10", "ops"]
    assert first[4] == "-"
    assert "1 rows, " in text[5]
    assert text[-5].startswith("Versions: numpy ")
    assert text[-4:] == [
        "Not installed: jax",
        "",
        "Not measured:",
        "  first call, 10 ops, numpy: it compiles nothing",
    ]


def test_loop_table_has_a_line_for_each_row_it_is_asked_for():
    pytest.importorskip("numba")
    head, line, last = run("loop_table.py", "--rows", "argmax", "--repeats", "1")
    assert head.split()[3:6] == ["numba", "ours", "ratio"]
    theirs, ours, ratio = map(float, line.split()[1:4])
    assert ratio == pytest.approx(theirs / ours, rel=0.1)
    assert last.startswith("1 rows, ")


def test_every_row_of_loops_has_a_name_and_a_size_of_its_own():
    names = [row.name for row in by_index.ROWS]
    assert len({*names}) == len(names) >= 60
    assert all(len(row.sizes) == 1 for row in by_index.ROWS)


def test_ratio_is_of_the_best_peer_and_not_of_ours_in_another_form():
    line = Line(ROWS[0], "4")
    assert (line.best, line.ratio) == ("", None)
    line.seconds = {"numpy": 4.0, "autograph": 2.0, "native": 0.1, "jax": 3.0}
    assert (line.best, line.ratio) == ("jax", 1.5)


def test_every_row_has_two_sizes_and_idioms_that_are_there():
    names = [row.name for row in ROWS]
    assert len(set(names)) == len(names) >= 25
    for row in ROWS:
        module = importlib.import_module(row.program.__module__)
        assert len(row.sizes) >= 2 or row.name == "import"
        assert set(row.idioms) | set(row.without) <= IDIOMS
        assert all(callable(vars(module)[name]) for name in row.idioms.values())


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_every_program_of_a_file_of_rows_is_used(module):
    used = {row.program.__name__ for row in module.ROWS}
    used |= {name for row in module.ROWS for name in row.idioms.values()}
    text = Path(module.__file__).read_text()
    for name, thing in vars(module).items():
        if getattr(thing, "__module__", "") == module.__name__ and name != "Row":
            assert name in used or text.count(f"{name}(") > 1, name


def test_a_row_that_a_peer_has_not_is_refused_with_its_reason(tmp_path):
    peer = Peer("numpy", sys.executable)
    ask = {"size": "10 ops", "expected": str(tmp_path / "expected")}
    peer.ask({"row": "first call", **ask}, 60)
    with pytest.raises(Unanswered, match=r"^it compiles nothing$"):
        peer.answer()
    peer.ask({"row": "newton", **ask, "size": "2"}, 60)
    assert peer.answer()["times"] > 1
    peer.ask({"measure": True}, 0.0)
    with pytest.raises(Unanswered, match=r"^it took too long$"):
        peer.answer()
    peer.ask({"row": "newton", **ask, "size": "2"}, 60)
    assert peer.answer()["times"] > 1
    peer.stop()


def test_another_result_is_refused(tmp_path):
    plain, peer = Peer("numpy", sys.executable), Peer("autograph", sys.executable)
    ask = {"row": "collatz", "size": "27", "expected": str(tmp_path / "expected")}
    plain.ask({**ask, "row": "newton", "size": "2"}, 60)
    plain.answer()
    peer.ask(ask, 60)
    with pytest.raises(Unanswered, match=r"^another result: it differs by 1.1e\+02$"):
        peer.answer()
    plain.stop()
    peer.stop()


def test_a_process_that_dies_is_told():
    peer = Peer("numpy", "/bin/false")
    with pytest.raises(Unanswered, match=r"^the process died with status "):
        peer.ask({"measure": True}, 60)
    assert not is_there(peer)
    assert is_there(Peer("native", sys.executable))


@pytest.mark.parametrize(
    ("used", "looks"), [([0.0], 1), ([0.01, 0.01, 0.0], 3), ([0.01] * 200, 100)]
)
def test_a_worker_rests_until_its_threads_sleep(used, looks, monkeypatch):
    """used: the processor's seconds between one look and the next."""
    clock, spent, left = [0.0], [0.0], list(used)

    def sleep(seconds):
        clock[0] += seconds
        spent[0] += left.pop(0)

    monkeypatch.setattr(resting, "sleep", sleep)
    monkeypatch.setattr(resting, "perf_counter", lambda: round(clock[0], 6))
    monkeypatch.setattr(resting, "process_time", lambda: spent[0])
    resting.rest()
    assert len(used) - len(left) == looks


def test_usual_peers_have_languages():
    assert {"numpy", "autograph", "numba", "jax", "torch", "tf", "tf-xla"} < set(
        LANGUAGES
    )


def test_bench_of_conversion_prints_a_row_for_each_shape():
    text = run("conversion.py", "--repeats", "1", "--shapes-only")
    assert any("1,000 lines" in line for line in text)


@pytest.mark.parametrize("backend", ["numpy", "native"])
def test_calls_and_functions_that_are_dropped_leave_no_objects(backend, monkeypatch):
    # By default machine code comes at some time, and with it what makes it.
    monkeypatch.setenv("AUTOGRAPH_BACKEND", backend)
    calls, functions = run("growth.py", "--calls", "700", "--functions", "30")
    assert calls.startswith("700 calls: ")
    assert functions.startswith("30 dropped Functions: ")
    assert all(abs(int(line.split()[-4])) < 50 for line in (calls, functions))
