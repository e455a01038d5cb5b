"""autograph-show writes pictures of a graph into files."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from autograph.cli import main

MODEL = """\
def scale(x, n):
    if n > 0:
        x = x * n
    return x
"""


@pytest.fixture
def model(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("model.py").write_text(MODEL)
    return ["model.py::scale", "--graph", "float64[n], int32"]


def test_each_kind_of_picture_is_written_and_nothing_printed(model, capsys):
    files = ["--svg", "out.svg", "--html", "out.html", "--dot", "out.dot"]
    assert main([*model, *files]) == 0
    assert capsys.readouterr().out == ""
    texts = [t.text for t in ElementTree.parse("out.svg").iter() if "text" in t.tag]
    assert "x: float64[n]" in texts
    assert Path("out.html").read_text().startswith("<!doctype html>")
    assert Path("out.dot").read_text().startswith('digraph "scale" {')


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["model.py::scale", "--svg", "a.svg"], "--svg needs --graph"),
        (
            ["model.py::scale", "--graph", "float64[], int32", "--dot", "no/a.dot"],
            "no/a.dot cannot be written: No such file or directory",
        ),
    ],
)
def test_what_cannot_be_written_is_said_in_one_line(model, capsys, arguments, said):
    assert main(arguments) == 2
    assert capsys.readouterr().err == f"autograph-show: {said}\n"
