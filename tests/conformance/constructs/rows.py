"""The rows of docs/python.md: a construct, its program, and sets of arguments.

A program is written as users write it. Numbers and lists among the arguments stand for
NumPy's scalars and arrays, so that what depends on them depends on data; `Plain(x)` is
`x` itself. Every program is called with each of its sets, so that each path is taken.
"""

import importlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).parent
# The sections of the page, in its order; each is a module beside this one.
SECTIONS = (
    "branches",
    "loops",
    "leaving",
    "matching",
    "trying",
    "statements",
    "functions",
    "generating",
    "classes",
    "expressions",
    "builtin_functions",
    "library",
    "containers",
    "state",
    "strings",
    "effects",
    "meaning",
)


@dataclass(frozen=True)
class Plain:
    """An argument that is given as it is."""

    value: Any


@dataclass(frozen=True)
class Row:
    """One row: what it shows, by which program, called with what.

    slow: refused after a long trace, so not traced a second time inside a loop
    """

    construct: str
    program: Callable[..., Any]
    sets: tuple[tuple[Any, ...], ...]
    keywords: dict[str, Any]
    note: str
    slow: bool = False

    @property
    def name(self) -> str:
        return self.program.__name__


class Rows:
    """A decorator that collects programs, in their order."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.rows: list[Row] = []

    def __call__(
        self,
        construct: str,
        *sets: Any,
        note: str = "",
        slow: bool = False,
        **keywords: Any,
    ) -> Callable[[Any], Any]:
        def add(program: Any) -> Any:
            calls = tuple(one if isinstance(one, tuple) else (one,) for one in sets)
            arguments = tuple(tuple(map(argument, call)) for call in calls)
            self.rows.append(Row(construct, program, arguments, keywords, note, slow))
            return program

        return add


def argument(written: Any) -> Any:
    """What a program is called with: numbers and lists are NumPy's."""
    if isinstance(written, Plain):
        return written.value
    if isinstance(written, bool | int | float | complex | list):
        return np.array(written)[()]
    return written


def sections() -> list[tuple[str, str, list[Row]]]:
    """Each section: the title, the file, the rows."""
    found = []
    for name in SECTIONS:
        module = importlib.import_module(f"tests.conformance.constructs.{name}")
        file = Path(inspect.getfile(module)).name
        found.append((module.ROWS.title, file, module.ROWS.rows))
    return found
