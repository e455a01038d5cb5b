"""autograph-show prints the machine code of a graph, at each stage."""

from pathlib import Path

import pytest

from autograph.cli import main

MODEL = """\
import autograph as ag


@ag.function
def count_down(n):
    while n > 0:
        n = n - 2
    return n


def said(n):
    print(n)
"""
GRAPH = ["model.py::count_down", "--graph", "int64"]


@pytest.fixture(autouse=True)
def model(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("model.py").write_text(MODEL)


@pytest.mark.parametrize(
    ("stage", "part"),
    [
        ("loops", "    v6 = sub i64(v1, 2)\n"),
        ("llvm", "define ptr @loop("),
        ("asm", "PyErr_CheckSignals"),
    ],
)
def test_a_stage_is_printed_in_place_of_the_graph(capsys, stage, part):
    assert main([*GRAPH, "--stage", stage]) == 0
    text = capsys.readouterr().out
    assert text.startswith("; HotLoop at ")
    assert "model.py:6, not compiled yet\n" in text
    assert part in text
    assert "graph count_down" not in text


def test_a_picture_and_a_stage_are_asked_for_together(capsys):
    assert main([*GRAPH, "--stage", "loops", "--svg", "out.svg"]) == 0
    assert capsys.readouterr().out.startswith("; HotLoop at ")
    assert Path("out.svg").read_text().startswith("<svg")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["model.py::count_down", "--stage", "asm"], "--stage needs --graph"),
        (
            [*GRAPH, "--stage", "c"],
            "the stages of machine code are 'loops', 'llvm', 'asm', not 'c'",
        ),
        (
            ["model.py::said", "--graph", "int64", "--stage", "loops"],
            "said has nothing that becomes machine code",
        ),
    ],
)
def test_what_has_no_such_stage_is_said_in_one_line(capsys, arguments, words):
    assert main(arguments) == 2
    written = capsys.readouterr()
    assert written.out == ""
    assert written.err == f"autograph-show: {words}\n"
