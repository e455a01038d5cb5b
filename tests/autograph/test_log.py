"""The log: conversions, traces, cache and runs, on loggers of the standard library."""

import json
import logging
import re

import numpy as np
import pytest

import autograph as ag
from tests.autograph.process import run

X = np.ones(3)


def helper(x):
    return x + 1


@ag.do_not_convert
def marked(x):
    return x


@pytest.fixture
def lines(caplog):
    """What was logged since: (topic, line), without times and line numbers."""

    def take():
        taken = [
            (
                record.name.removeprefix("autograph."),
                re.sub(
                    r"[\d.]+ ([mu]s)",
                    r"0 \1",
                    re.sub(r"\.py:\d+", ".py:0", record.message),
                ),
            )
            for record in caplog.records
        ]
        caplog.clear()
        return taken

    return take


def make():
    @ag.function
    def f(x, n):
        json.dumps({})
        while x.sum() < n:
            x = marked(helper(x))
        return x

    return f


def test_conversions_and_what_is_left_alone_are_logged(lines):
    def fresh(x):
        return x * 2

    @ag.function
    def caller(x):
        return marked(fresh(x)), json.dumps({})

    with ag.config(log="convert"):
        caller(X)
    name = "test_conversions_and_what_is_left_alone_are_logged.<locals>"
    assert lines() == [
        ("convert", f"converted {name}.caller (test_log.py:0) in 0 ms"),
        ("convert", f"converted {name}.fresh (test_log.py:0) in 0 ms"),
        (
            "convert",
            f"left alone {__name__}.marked (test_log.py:0): it is marked with "
            "do_not_convert",
        ),
        (
            "convert",
            "left alone json.dumps (__init__.py:0): it belongs to the standard library",
        ),
    ]


def test_a_function_without_source_is_left_alone(lines):
    scope = {}
    exec("def without(x): return x", scope)
    f = ag.function(lambda x: scope["without"](x))
    with ag.config(log="convert"):
        f(X)
    assert [line for _, line in lines() if ".without" in line] == [
        "left alone <no module>.without (<string>:1): the source of `without` is not "
        "available (it was made by exec or typed into a Python without source memory); "
        "put it in a file"
    ]


def test_each_trace_is_logged_with_its_reason_and_place(lines):
    f = make()
    with ag.config(log="retrace"):
        f(X, 2)
        f(X, 2)
        f(X, 7)
    ops = "(while 1, sum 1, less 1, truth 1, add 1)"
    assert lines() == [
        ("retrace", f"f: trace 1 at {__file__}:0: the first call"),
        ("retrace", f"f: trace 1 made for (x: float64[3], n: 2) in 0 ms: 5 ops {ops}"),
        ("retrace", f"f: trace 2 at {__file__}:0: argument `n`: 2 -> 7 (trace 1)"),
        ("retrace", f"f: trace 2 made for (x: float64[3], n: 7) in 0 ms: 5 ops {ops}"),
    ]  # fmt: skip


def test_hits_and_misses_are_logged_also_of_warm_calls(lines):
    f = make()
    f(X, 2)
    f(X, 2)
    with ag.config(log="cache"):
        f(X, 2)
        f(X, 7)
        f(n=2, x=X)
    assert lines() == [
        ("cache", "f: hit, trace 1 (x: float64[3], n: 2)"),
        ("cache", "f: miss, not trace 1"),
        ("cache", "f: hit, trace 1 (x: float64[3], n: 2)"),
    ]


def test_runs_are_logged_with_ops_and_times_those_that_fail_too(lines):
    @ag.function
    def item(x, i):
        return x[i]

    with ag.config(log="exec"):
        item(X, np.int64(1))
        with pytest.raises(IndexError):
            item(X, np.int64(5))
    assert lines() == [
        ("exec", "item: ran in 0 us: 1 op (slice 1)"),
        ("exec", "item: failed in 0 us: 1 op (slice 1)"),
    ]


def test_a_call_that_is_run_as_python_says_so(lines):
    @ag.function
    def fill(x, y):
        x[0] = y[1]

    shared = np.arange(4.0)
    with ag.config(log="exec"):
        fill(shared, shared.view(np.int64))
    assert lines() == [
        ("exec", "fill: run as Python, as it changes arrays that share memory")
    ]


def test_nothing_is_logged_when_it_is_off_or_eager(lines):
    f = make()
    with ag.config(log="convert,retrace,cache,exec", eager=True):
        f(X, 2)
    f(X, 2)
    assert lines() == []


def test_a_level_that_the_program_set_is_kept():
    logger = logging.getLogger("autograph.retrace")
    before = logger.level
    logger.setLevel(logging.ERROR)
    try:
        with ag.config(log="retrace"):
            assert logger.level == logging.ERROR
    finally:
        logger.setLevel(before)


PROGRAM = """\
import sys
import autograph as ag
print("logging" in sys.modules)
import numpy as np

@ag.function
def f(x):
    return x + 1

f(np.float64(1.0))
f(np.ones(2))
"""


def test_the_environment_switches_topics_on(tmp_path, monkeypatch):
    (tmp_path / "program.py").write_text(PROGRAM)
    quiet = run(tmp_path, "program.py")
    assert (quiet.stdout, quiet.stderr) == ("False\n", "")
    monkeypatch.setenv("AUTOGRAPH_LOG", "retrace,cache")
    said = run(tmp_path, "program.py")
    program = tmp_path / "program.py"
    assert re.sub(r"[\d.]+ ms", "0 ms", said.stderr) == (
        "autograph.cache: f: miss, no trace yet\n"
        f"autograph.retrace: f: trace 1 at {program}:10: the first call\n"
        "autograph.retrace: f: trace 1 made for (x: float64[]) in 0 ms: 1 op (add 1)\n"
        "autograph.cache: f: miss, not trace 1\n"
        f"autograph.retrace: f: trace 2 at {program}:11: "
        "argument `x`: float64[] -> float64[2] (trace 1)\n"
        "autograph.retrace: f: trace 2 made for (x: float64[2]) in 0 ms: 1 op (add 1)\n"
    )
    assert said.stdout == "True\n"


def test_a_handler_of_the_programs_own_gets_the_lines_alone(tmp_path, monkeypatch):
    own = "import logging\nlogging.basicConfig(format='own %(message)s')\n"
    (tmp_path / "program.py").write_text(own + PROGRAM)
    monkeypatch.setenv("AUTOGRAPH_LOG", "cache")
    said = run(tmp_path, "program.py")
    assert said.stderr == "own f: miss, no trace yet\nown f: miss, not trace 1\n"
