"""Rows of what is waited for before anything runs: a first call, an import."""

from __future__ import annotations

import atexit
import linecache
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from itertools import count
from typing import Any

import numpy as np

from tools.bench.rows.row import Row

_numbers = count()
# All different, so that no two operations are the same.
LINES = "".join(f"    x = np.tanh(x) * {1 + i / 64}\n" for i in range(500))


def first_call(language: Any, ops: int) -> Callable[[], Any]:
    """A call of a function that nobody has seen: so many operations on 8 numbers."""
    x = language.give(np.linspace(0.0, 1.0, 8))
    lines = LINES.splitlines(keepends=True)[: ops // 2]

    def call() -> Any:
        name = f"<first {next(_numbers)}>"
        # The text differs, too: a library may know it by its content.
        text = "".join(["def f(x):\n", f"    x = x + {next(_numbers)}.0\n", *lines[1:]])
        text += "    x = x * 0.5\n    return x\n"
        linecache.cache[name] = (len(text), None, text.splitlines(True), name)
        scope = {"np": np, **language.names, "__name__": "first"}
        exec(compile(text, name, "exec"), scope)
        return language.wait(language.compile(scope["f"])(x))

    return call


IMPORTS = {
    "numpy": "numpy",
    "autograph": "autograph",
    "numba": "numba",
    "jax": "jax",
    "torch": "torch",
    "tensorflow": "tensorflow",
}


def importing(language: Any, statement: str) -> Callable[[], Any]:
    """A Python of its own that imports the peer, and ends."""
    command = [sys.executable, "-c", f"{statement} {IMPORTS[language.idiom]}"]
    # With the modules' bytecode at hand, as it is from the second import on.
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return lambda: subprocess.run(
        command, check=True, capture_output=True, env=environment
    )


ROWS = (
    Row(
        "first call",
        first_call,
        {"10 ops": lambda: (10,), "100 ops": lambda: (100,)},
        without={"numpy": "it compiles nothing"},
        fresh=True,
    ),
    Row(
        "import",
        importing,
        {"Python": lambda: ("import",)},
        without={"numpy": "all import it"},
        fresh=True,
    ),
)
