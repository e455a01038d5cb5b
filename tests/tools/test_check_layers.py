"""What `tools/check_layers.py` reports, and that ruff's bans report it at the line."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools.check_layers import LAYERS, problems

ROOT = Path(__file__).resolve().parents[2]

UPWARD = [
    ("runtime", "tracer"),
    ("runtime", "autograph"),
    ("tracer", "autograph"),
]
STATEMENTS = [
    "import {}",
    "import {}.part",
    "from {} import part",
    "from {}.part import thing",
    "def f():\n    import {}",
    "class C:\n    def f(self):\n        from {}.part import thing",
    "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import {}",
]


@pytest.mark.parametrize("statement", STATEMENTS)
@pytest.mark.parametrize(("lower", "upper"), UPWARD)
def test_an_upward_import_is_reported_with_its_line(
    write_project, lower, upper, statement
):
    text = statement.format(upper)
    root = write_project({f"{lower}/file.py": text})
    line = text.count("\n") + 1
    expected = f"{lower}/file.py:{line}: {lower} imports {upper}"
    assert any(found.startswith(expected) for found in problems(root, {}))


@pytest.mark.parametrize("statement", STATEMENTS[:6])
@pytest.mark.parametrize(("lower", "upper"), UPWARD)
def test_ruff_reports_an_upward_import(tmp_path, lower, upper, statement):
    for name in ("pyproject.toml", f"{lower}/ruff.toml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / lower / "file.py").write_text(statement.format(upper))
    command = [sys.executable, "-m", "ruff", "check", "--no-cache", "."]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1
    assert f"TID251 `{upper}" in done.stdout


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("library", ["jax", "llvmlite", "onnx", "tensorflow", "torch"])
def test_ruff_bans_backend_libraries_in_every_layer(tmp_path, layer, library):
    for name in ("pyproject.toml", "runtime/ruff.toml", "tracer/ruff.toml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / layer).mkdir(exist_ok=True)
    (tmp_path / layer / "file.py").write_text(f"def f():\n    import {library}\n")
    command = [sys.executable, "-m", "ruff", "check", "--no-cache", "."]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert f"TID251 `{library}` is banned" in done.stdout


def test_downward_imports_and_the_standard_library_are_no_problem(write_project):
    root = write_project(
        {
            "autograph/file.py": "import ast\nimport gast\nimport tracer\n",
            "tracer/__init__.py": "from runtime import graph\nimport numpy as np\n",
            "runtime/__init__.py": "from . import graph\n",
            "runtime/graph.py": "from __future__ import annotations\nimport os.path\n",
        }
    )
    assert problems(root, {}) == []


HIDDEN = [
    "def f():\n    from runtime import graph",
    "class C:\n    async def f(self):\n        from runtime import graph",
    "from importlib import import_module\ndef f():\n"
    "    return import_module('runtime.graph')",
    "f = lambda: __import__('runtime.graph')",
]


@pytest.mark.parametrize("text", HIDDEN)
def test_an_import_hidden_in_a_function_is_reported(write_project, text):
    root = write_project({"runtime/graph.py": "", "tracer/file.py": text})
    (found,) = problems(root, {})
    line = text.count("\n") + 1
    assert found == (
        f"tracer/file.py:{line}: runtime.graph is imported inside a function: move it "
        "to the top, or give the reason in LAZY of tools/check_layers.py"
    )


@pytest.mark.parametrize("text", HIDDEN)
def test_a_hidden_import_with_a_reason_is_no_problem(write_project, text):
    root = write_project({"runtime/graph.py": "", "tracer/file.py": text})
    reasons = {("tracer.file", "runtime.graph"): "it takes a second to load"}
    assert problems(root, reasons) == []


def test_a_reason_for_a_hidden_import_that_is_gone_is_reported(write_project):
    root = write_project({"tracer/file.py": "import runtime"})
    assert problems(root, {("tracer.file", "runtime"): "it was slow"}) == [
        "tools/check_layers.py: LAZY names tracer.file -> runtime, which is not there"
    ]


def test_a_library_is_allowed_only_in_its_folder(write_project):
    text = "import llvmlite.binding\n"
    root = write_project(
        {"runtime/backends/llvm/emit.py": text, "runtime/backends/lookup.py": text}
    )
    assert problems(root, {}) == [
        "runtime/backends/lookup.py:1: runtime.backends.lookup imports llvmlite, "
        "which LIBRARIES does not give it"
    ]


CIRCLES = {
    "siblings": {
        "runtime/a.py": "import runtime.b",
        "runtime/b.py": "import runtime.a",
    },
    "relative": {
        "runtime/__init__.py": "",
        "runtime/a.py": "from . import b",
        "runtime/b.py": "from .a import f",
    },
    "through the package": {
        "runtime/__init__.py": "from runtime.a import f",
        "runtime/a.py": "from runtime import g",
    },
}


@pytest.mark.parametrize("files", CIRCLES.values(), ids=CIRCLES)
def test_a_circle_of_imports_is_reported(write_project, files):
    (found,) = problems(write_project(files), {})
    assert found.startswith("circle: runtime")
    assert found.count(" imports ") == 2


def test_a_circle_that_only_types_see_is_no_problem(write_project):
    types = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import runtime.a"
    root = write_project({"runtime/a.py": "import runtime.b", "runtime/b.py": types})
    assert problems(root, {}) == []
