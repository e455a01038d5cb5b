"""What tests of decorated functions share: a check, and programs in files."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import autograph as ag


def positive(function: Callable[..., Any], *before: Any, **named: Any) -> None:
    """Check a function that negates what is below zero, whatever surrounds it."""
    assert function(*before, np.float64(3), **named) == 3.0
    assert function(*before, np.float64(-4), **named) == 4.0


def load(path: Path, text: str) -> dict[str, Any]:
    """The names of a program that is written to a file and run."""
    path.write_text(text)
    names: dict[str, Any] = {"ag": ag, "np": np, "__name__": path.stem}
    exec(compile(text, str(path), "exec"), names)
    return names
