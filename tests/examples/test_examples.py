"""Every example gives the same as a graph as it does in Python, and can be run."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
from examples import run

EXAMPLES = list(run.examples())
# A script sees its own folder first, and not the project's.
PATHS = (os.environ.get("PYTHONPATH"), str(run.FOLDER.parent))
FILES = sorted(p for p in run.FOLDER.glob("*.py") if p.name != "run.py")


@pytest.mark.parametrize(
    ("name", "program", "arguments"), EXAMPLES, ids=[name for name, *_ in EXAMPLES]
)
def test_graph_gives_the_same_as_python(
    name: str, program: Callable[..., Any], arguments: tuple[Any, ...]
) -> None:
    decorated = ag.function(program)
    _, result, after = run.timed(program, arguments)
    for _ in ("traced", "from the cache"):
        _, staged, staged_after = run.timed(decorated, arguments)
        assert run.differs(result, after, staged, staged_after) is None


def test_there_are_fifteen_examples() -> None:
    assert len(FILES) == 15


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_script_prints_something(path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", str(path)],
        cwd=run.FOLDER.parent,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, PATHS))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout) > 20


def test_both_mandelbrot_programs_draw_the_same_picture() -> None:
    mandelbrot = run.load(run.FOLDER / "mandelbrot.py")
    masked, points = (
        program.python_function(*mandelbrot.inputs()) for program in mandelbrot.PROGRAMS
    )
    np.testing.assert_array_equal(masked, points)


DIFFERENT = [
    pytest.param(1, 2, "it is 1 in Python and 2 in the graph", id="value"),
    pytest.param(
        1, 1.0, "it is of type int in Python and float in the graph", id="type"
    ),
    pytest.param(
        np.zeros(2, np.float32),
        np.zeros(2),
        "it is float32(2,) in Python and float64(2,) in the graph",
        id="dtype",
    ),
    pytest.param(
        (1, (2,)), (1, ()), "it[1] has 1 parts in Python, 0 in the graph", id="length"
    ),
]


@pytest.mark.parametrize(("plain", "graph", "words"), DIFFERENT)
def test_a_difference_is_named(plain: Any, graph: Any, words: str) -> None:
    assert run.difference(plain, graph, "it") == words


def test_nan_is_the_same_as_nan() -> None:
    assert run.difference((np.nan,), (np.nan,), "it") is None


def test_a_program_that_differs_gives_exit_status_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = ag.function(lambda x: x)
    monkeypatch.setattr(run, "examples", lambda: iter([("add", abs, (-2,))]))
    monkeypatch.setattr(run.ag, "function", lambda program: wrong)
    assert run.main([]) == 1
    assert (
        "add: the result is 2 in Python and -2 in the graph" in capsys.readouterr().out
    )
