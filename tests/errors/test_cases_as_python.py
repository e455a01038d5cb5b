"""Programs that no graph can be made for do what Python does, where it may."""

import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from types import CellType

import pytest

import autograph as ag
from tests.conformance.harness import observe
from tests.errors.saying import Case

# A coroutine is refused. Two calls as Python differ, too: what is drawn, asked of a
# cache, or of an iterator that went on. Pytest writes assertions of its own files anew.
LEFT_OUT = {"coroutine"} | {"bytes_drawn", "of_a_cache", "outer_iterator", "spawned"}
LEFT_OUT |= {"assertion", "assertion_with_a_message"}
MODULES = sorted(Path(__file__).parent.glob("test_*.py"))
PROGRAMS = [
    case
    for path in MODULES
    if path.stem != Path(__file__).stem
    for case in getattr(
        importlib.import_module(f"tests.errors.{path.stem}"), "CASES", ()
    )
    if case.options == {} and case.name not in LEFT_OUT
]


def _cells(function: object) -> Iterator[CellType]:
    """Those of a function, and of the functions in them."""
    for cell in getattr(function, "__closure__", None) or ():
        yield cell
        if not _is_empty(cell):
            yield from _cells(cell.cell_contents)


def _is_empty(cell: CellType) -> bool:
    try:
        cell.cell_contents
    except ValueError:
        return True
    return False


@pytest.fixture
def unbound_again(case: Case) -> Iterator[None]:
    """What a program binds that was not bound is not bound for the next test."""
    empty = [cell for cell in _cells(case.program) if _is_empty(cell)]
    yield
    for cell in empty:
        if not _is_empty(cell):
            del cell.cell_contents


@pytest.mark.usefixtures("unbound_again")
@pytest.mark.parametrize("case", PROGRAMS, ids=lambda case: case.name)
def test_a_call_does_what_python_does(case: Case) -> None:
    python = observe(case.program, case.arguments)
    staged = ag.function(case.program)
    for _ in range(2):
        graph = observe(staged, case.arguments)
        # Objects are made anew by each call.
        seen, made = (
            re.sub(r"0x[0-9a-fA-F]+", "", repr(one)) for one in (python, graph)
        )
        assert made == seen
