"""Breakpoints: `breakpoint()` while tracing, `ag.breakpoint()` when the graph runs."""

import sys

import numpy as np
import pytest

import autograph as ag
from tests.autograph.process import run

X = np.array([3.0, 2.0])


@pytest.fixture
def stops(monkeypatch):
    """What a debugger would see at each stop: line of source, and local names."""
    seen = []

    def hook():
        frame = sys._getframe(1)
        held = {
            name: value for name, value in frame.f_locals.items() if name != "stops"
        }
        seen.append((frame.f_code.co_name, frame.f_lineno, held))

    monkeypatch.setattr(sys, "breakpointhook", hook)
    return seen


def line(function, offset):
    return function.python_function.__code__.co_firstlineno + offset


def test_a_run_stops_with_the_values_given_each_time_in_order(stops, capsys):
    @ag.function
    def f(x):
        print("before")
        ag.breakpoint(x=x, doubled=[x * 2, "text"], n=4)
        print("after")
        return x

    for x in (X, X + 1):
        f(x)
    assert [(name, at) for name, at, _ in stops] == [("f", line(f, 3))] * 2
    (_, _, first), (_, _, second) = stops
    assert first["x"].tolist() == [3.0, 2.0]
    assert second["x"].tolist() == [4.0, 3.0]
    assert first["doubled"][0].tolist() == [6.0, 4.0]
    assert (first["doubled"][1], first["n"], set(first)) == (
        "text",
        4,
        {"x", "doubled", "n"},
    )
    assert capsys.readouterr().out == "before\nafter\n" * 2
    assert len(f.traces()) == 1


def test_without_values_all_local_names_are_seen(stops):
    outer = 5

    @ag.function
    def f(x):
        constant = "text"
        total = x.sum()
        pair = (total, {"x": x})
        unbound = 1
        del unbound
        ag.breakpoint()
        later = outer
        return pair, constant, later

    f(X)
    ((_, _, held),) = stops
    assert set(held) == {"x", "constant", "total", "pair"}
    assert held["constant"] == "text"
    assert held["total"] == 5.0
    assert type(held["total"]) is np.float64
    assert held["pair"][1]["x"].tolist() == [3.0, 2.0]


def test_a_branch_not_taken_does_not_stop_and_a_loop_stops_each_time(stops):
    @ag.function
    def f(x):
        n = 0
        while n < x[0]:
            n = n + 1
            if n != 2:
                ag.breakpoint()
        if n > 100:
            ag.breakpoint(never=n)
        return n

    f(X)
    assert [held["n"] for _, _, held in stops] == [1, 3]
    assert all(held["x"].tolist() == [3.0, 2.0] for _, _, held in stops)


def test_a_name_that_one_path_binds_is_seen_where_it_is_bound(stops):
    @ag.function
    def f(x):
        if x[0] > 3:
            big = x * 10
        ag.breakpoint()
        return big if x[0] > 3 else x

    f(X)
    f(X + 1)
    assert [sorted(held) for _, _, held in stops] == [["x"], ["big", "x"]]
    assert stops[1][2]["big"].tolist() == [40.0, 30.0]


def test_what_is_changed_in_place_is_seen_as_it_is_there(stops):
    @ag.function
    def f(x):
        ag.breakpoint(x=x.copy())
        x[0] = 7.0
        ag.breakpoint(x=x.copy())
        x[1] = 8.0

    f(np.zeros(2))
    assert [held["x"].tolist() for _, _, held in stops] == [[0.0, 0.0], [7.0, 0.0]]


def test_it_stops_in_helpers_and_in_functions_that_are_not_converted(stops):
    def helper(y):
        z = y + 1
        ag.breakpoint()
        return z

    @ag.function(autograph=False)
    def f(x):
        return helper(x)

    @ag.function
    def g(x):
        return helper(x)

    f(X)
    g(X)
    assert [(name, sorted(held)) for name, _, held in stops] == [
        ("helper", ["y", "z"])
    ] * 2
    assert stops[0][2]["z"].tolist() == stops[1][2]["z"].tolist() == [4.0, 3.0]


def test_outside_of_a_trace_it_stops_at_once(stops):
    def f(x):
        ag.breakpoint(n=3)
        return x

    f(X)
    with ag.config(eager=True):
        ag.function(f)(X)
    ag.convert(f)(X)
    at = f.__code__.co_firstlineno + 1
    assert [(name, where) for name, where, _ in stops] == [("f", at)] * 3


def test_a_function_of_the_users_may_be_named_so():
    def set_trace(x):
        if x[0] > 0:
            return x * 2
        return x

    class Recorder:
        def breakpoint(self, x):
            while x.sum() < 10:
                x = x * 2
            return x

    @ag.function
    def f(x):
        return set_trace(x), Recorder().breakpoint(x=x)

    first, second = f(X)
    assert (first.tolist(), second.tolist()) == ([6.0, 4.0], [6.0, 4.0])


def test_the_graph_shows_a_breakpoint():
    @ag.function
    def f(x):
        ag.breakpoint(x=x)
        return x

    text = str(f.get_concrete_function(X).graph)
    assert "host_call[function=@breakpoint, args=({'x': Input(0)},)" in text


PROGRAM = """\
import numpy as np
import autograph as ag

@ag.function
def f(x):
    total = x * 2
    limit = 7
    if total.sum() > 3:
        STOP
        total = total + 1
    n = 0
    while n < x[0]:
        n = n + 1
        if n == 2:
            ag.breakpoint()
    ag.breakpoint(t=total, pair=(n, limit))
    return total

y = f(np.array([3.0, 2.0]))
print("result", y)
"""


def session(tmp_path, *typed, stop="breakpoint()", prefix=""):
    """What pdb says to these commands, one answer for each, and what comes first."""
    (tmp_path / "program.py").write_text(prefix + PROGRAM.replace("STOP", stop))
    done = run(tmp_path, "program.py", typed="\n".join(typed) + "\n")
    said = done.stdout.replace(f"{tmp_path}/", "")
    return [part.strip() for part in said.split("(Pdb) ")], done.stderr


@pytest.mark.parametrize("stop", ["breakpoint()", "import pdb; pdb.set_trace()"])
def test_pdb_stops_while_tracing_and_steps_through_the_users_lines(tmp_path, stop):
    # Python 3.13 stops at the line itself, earlier ones at the next line.
    first = ["n"] if sys.version_info >= (3, 13) else []
    said, _ = session(
        tmp_path,
        *first,
        "p total",
        "p limit",
        "n",
        "n",
        "n",
        "n",
        "c",
        "c",
        "c",
        stop=stop,
    )
    said = said[len(first) :]
    assert said[0] == "> program.py(10)f()\n-> total = total + 1"
    assert said[1:3] == ["Tensor(float64[2])", "7"]
    assert said[3:7] == [
        "> program.py(11)f()\n-> n = 0",
        "> program.py(12)f()\n-> while n < x[0]:",
        "> program.py(16)f()\n-> ag.breakpoint(t=total, pair=(n, limit))",
        "> program.py(17)f()\n-> return total",
    ]
    assert said[-1] == "result [7. 5.]"


def test_pdb_stops_when_the_graph_runs_with_the_values_of_then(tmp_path):
    said, _ = session(
        tmp_path, "p n, total, limit", "p np.pi > n", "c", "p t, pair", "n", "p y", "c",
        stop="pass",
    )  # fmt: skip
    assert said == [
        "> program.py(15)f()\n-> ag.breakpoint()",
        "(2, array([7., 5.]), 7)",
        "True",
        "> program.py(16)f()\n-> ag.breakpoint(t=total, pair=(n, limit))",
        "(array([7., 5.]), (3, 7))",
        '> program.py(20)<module>()\n-> print("result", y)',
        "array([7., 5.])",
        "result [7. 5.]",
    ]


@pytest.mark.parametrize("stop", ["breakpoint()", "pass"])
def test_quitting_ends_the_program_with_bdb_quit(tmp_path, stop):
    said, stderr = session(tmp_path, "q", stop=stop)
    assert len(said) == 2
    assert stderr.rstrip().endswith("bdb.BdbQuit")


def test_quitting_a_trace_leaves_no_trace(monkeypatch):
    import bdb

    quitting = [True]

    def hook():
        if quitting:
            raise bdb.BdbQuit

    monkeypatch.setattr(sys, "breakpointhook", hook)

    @ag.function
    def f(x):
        print("traced")
        if x[0] > 0:
            breakpoint()
            x = x * 2
        return x

    with pytest.raises(bdb.BdbQuit):
        f(X)
    assert f.concrete_functions == []
    quitting.clear()
    assert f(X).tolist() == [6.0, 4.0]


def test_the_environment_switches_breakpoints_off(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONBREAKPOINT", "0")
    said, stderr = session(tmp_path)
    assert (said, stderr) == (["result [7. 5.]"], "")


def test_another_debugger_is_called_from_the_users_frame(stops):
    @ag.function
    def f(x):
        limit = 7
        if x[0] > 0:
            breakpoint()
            x = x * 2
        return x, limit

    f(X)
    ((name, at, held),) = stops
    assert (name, at, held["limit"]) == ("f", line(f, 4), 7)
    assert repr(held["x"]) == "Tensor(float64[2])"
