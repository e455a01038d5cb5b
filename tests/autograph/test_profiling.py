"""ag.profile: what calls in a block take, by kind and line, and as a Chrome trace."""

import importlib
import json
import threading

import numpy as np
import pytest

import autograph as ag
from autograph.profiling import profile


def functions():
    """Functions that no other test has called."""

    @ag.function
    def halve(x, limit):
        while np.sum(x) > limit:
            x = x * 0.5
        return np.linalg.inv(x)

    @ag.function
    def steps(n):
        count = 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            count += 1
        return count

    return halve, steps


def times(found):
    """How many spans there were, by kind and name."""
    counted = {}
    for row in found.rows:
        key = row.kind, row.name
        counted[key] = counted.get(key, 0) + row.times
    return counted


def test_all_that_a_first_call_does_is_told_with_its_times():
    halve, _ = functions()
    with ag.profile() as found:
        result = halve(np.eye(2), np.float64(1.0))
        halve(np.eye(2), np.float64(1.0))
    assert result.tolist() == [[2, 0], [0, 2]]
    counted = times(found)
    assert counted["call", "halve"] == counted["run", "halve"] == 2
    assert counted["trace", "halve"] == counted["compile", "halve"] == 1
    assert counted["optimize", "halve"] == 1
    assert counted["op", "sum"] == 2 * 2
    assert counted["op", "multiply"] == 2
    assert counted["control", "while"] == 2
    assert counted["host", "inv"] == 2


def test_rows_have_the_lines_of_the_function():
    halve, _ = functions()
    with ag.profile() as found:
        halve(np.eye(2), np.float64(1.0))
    first = halve.python_function.__code__.co_firstlineno
    lines = {(row.kind, row.name): row.place and row.place.line for row in found.rows}
    assert lines["call", "halve"] == first + 1
    assert lines["op", "multiply"] == first + 3
    assert lines["host", "inv"] == first + 4


def test_time_of_a_span_holds_that_of_what_is_in_it():
    halve, _ = functions()
    halve(np.eye(2), np.float64(1.0))
    with ag.profile() as found:
        halve(np.eye(2), np.float64(1.0))
    rows = {(row.kind, row.name): row for row in found.rows}
    call, run, loop = (
        rows[key] for key in [("call", "halve"), ("run", "halve"), ("control", "while")]
    )
    assert call.total > run.total > loop.total > loop.own > 0
    assert sum(row.own for row in found.rows) == pytest.approx(call.total)


def test_trace_file_has_an_event_for_each_with_file_line_and_source(tmp_path):
    halve, _ = functions()
    halve(np.eye(2), np.float64(1.0))
    with ag.profile(tmp_path / "trace.json"):
        halve(np.eye(2), np.float64(1.0))
    trace = json.loads((tmp_path / "trace.json").read_text())
    events = [event for event in trace["traceEvents"] if event["ph"] == "X"]
    product = next(event for event in events if event["name"] == "multiply")
    assert product["cat"] == "op"
    assert product["args"]["file"] == __file__
    assert product["args"]["source"] == "x = x * 0.5"
    assert product["args"]["function"] == "halve"
    call = next(event for event in events if event["cat"] == "call")
    for event in events:
        assert call["ts"] <= event["ts"]
        assert event["ts"] + event["dur"] <= call["ts"] + call["dur"] + 1e-3
        assert event["tid"] == call["tid"]


def test_threads_are_apart_by_name(tmp_path):
    halve, steps = functions()
    with ag.profile(tmp_path / "trace.json") as found:
        halve(np.eye(2), np.float64(1.0))
        thread = threading.Thread(target=steps, args=(np.int64(27),), name="another")
        thread.start()
        thread.join()
    assert str(found).splitlines()[0].endswith(", 2 calls, 2 threads")
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    names = {e["tid"]: e["args"]["name"] for e in events if e["ph"] == "M"}
    calls = {names[e["tid"]]: e["name"] for e in events if e.get("cat") == "call"}
    assert calls == {threading.current_thread().name: "halve", "another": "steps"}


def test_machine_code_of_the_calls_outside_is_used_and_seen():
    _, steps = functions()
    with ag.config(backend="native"):
        assert steps(np.int64(27)) == 111
    with ag.profile() as found:
        assert steps(np.int64(27)) == 111
    counted = times(found)
    assert counted["machine code", "loop"] == 1
    assert ("compile", "machine code") not in counted


def test_compiling_in_the_block_is_seen_and_is_there_after_it():
    _, steps = functions()
    with ag.config(backend="native"):
        concrete = steps.get_concrete_function(np.int64(27))
    with ag.profile() as found:
        steps(np.int64(27))
    assert times(found)["compile", "machine code"] == 1
    assert ", compiled" in concrete.inspect()


def test_steps_are_left_out_where_they_are_not_wanted():
    halve, _ = functions()
    with ag.profile(steps=False) as found:
        halve(np.eye(2), np.float64(1.0))
    # A function is converted once in a process.
    kinds = {row.kind for row in found.rows} - {"convert"}
    assert kinds == {"call", "trace", "optimize", "compile", "run"}


def test_conversions_are_told(tmp_path, monkeypatch):
    (tmp_path / "only_here.py").write_text("def double(x):\n    return x * 2\n")
    monkeypatch.syspath_prepend(tmp_path)
    double = ag.function(importlib.import_module("only_here").double)
    with ag.profile() as found:
        double(np.ones(2))
    assert times(found)["convert", "double"] == 1


def test_events_have_a_bound_and_rows_do_not():
    halve, _ = functions()
    with ag.profile(events=5) as found:
        for _ in range(3):
            halve(np.eye(2), np.float64(1.0))
    assert len(found.events) == 5
    assert times(found)["op", "multiply"] == 3
    assert found.left_out == sum(row.times for row in found.rows) - 5
    assert found.chrome_trace()["otherData"] == {"left out": found.left_out}


def test_calls_run_as_python_are_so_called():
    @ag.function
    def first(x):
        return x[0]

    with ag.profile() as found:
        first(np.ma.masked_array([1.0, 2.0]))
    assert times(found) == {("call", "first"): 1, ("python", "first"): 1}


def test_a_call_that_fails_is_told_and_raises_what_it_raises(tmp_path):
    @ag.function
    def pick(x, i):
        return x[i]

    with (
        pytest.raises(IndexError, match="index 5 is out of bounds"),
        ag.profile(tmp_path / "trace.json") as found,
    ):
        pick(np.ones(2), np.int64(5))
    assert times(found)["call", "pick"] == 1
    assert "pick" in (tmp_path / "trace.json").read_text()


def test_one_in_another_and_what_changes_outside():
    seen = []

    @ag.function
    def note(x):
        seen.append(x.sum())
        return x

    with ag.profile() as outer:
        note(np.ones(2))
        with ag.profile() as inner:
            note(np.ones(2))
        note(np.ones(2))
    assert seen == [2, 2, 2]
    assert times(outer)["op", "sum"] == 3
    assert times(inner)["op", "sum"] == 1


def test_nothing_is_told_after_the_block():
    halve, _ = functions()
    with ag.profile() as found:
        halve(np.eye(2), np.float64(1.0))
    before = len(found.events)
    halve(np.eye(2), np.float64(1.0))
    assert len(found.events) == before
    with profile() as empty:
        pass
    assert str(empty) == "profile: 0 ns, 0 calls, 0 threads"
