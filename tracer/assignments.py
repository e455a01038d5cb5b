"""assignments: where a name got what it holds before a statement, and inside it.

Found in the code objects of the converted function, only when an error is to tell it:
a statement's bodies are functions inside, whose first line is the statement's, or stand
beside the function that is running, and have its first line.
"""

from __future__ import annotations

import dis
import linecache
import sys
from collections.abc import Iterator
from types import CellType, CodeType, FrameType, FunctionType

from runtime.location import Location

MOST = 3  # assignments that one error tells of


def assignments(name: str, place: Location | None) -> list[str]:
    """A note for the last assignment before the statement and for those inside it.

    >>> assignments("x", None)
    []
    """
    if place is None or place.code is None:
        return []
    before = [line for line in _stores(name, place.code) if line < place.line]
    inside = sorted({*_inside(name, place.code, place.line)})
    lines = [*before[-1:], *inside][:MOST]
    return [
        f"`{name}` is set in line {line}:  {source}"
        for line in lines
        if (source := linecache.getline(place.filename, line).strip())
    ]


def _stores(name: str, code: CodeType) -> Iterator[int]:
    for instruction in dis.get_instructions(code):
        line = instruction.positions.lineno if instruction.positions else None
        stores = instruction.opname.startswith("STORE_")
        if stores and instruction.argval == name and line is not None:
            yield line


def _inside(name: str, code: CodeType, head: int) -> Iterator[int]:
    """Lines in the bodies of the statement at `head`; that line is set_state's own."""
    bodies = [one for one in _codes_in(code) if one.co_firstlineno == head]
    for body in bodies or _beside(code):
        # What stands beside a chain is the whole of it, and it is met in its middle.
        yield from (line for line in _all_stores(name, body, head) if line > head)


def _beside(code: CodeType) -> list[CodeType]:
    """The generated functions that one that is running calls, and that they call."""
    frame: FrameType | None = sys._getframe()
    while frame is not None and frame.f_code is not code:
        frame = frame.f_back
    found: dict[int, CodeType] = {}
    held = list(frame.f_locals.values()) if frame else []
    while held:
        function = held.pop()
        if not isinstance(function, FunctionType) or id(function) in found:
            continue
        if _is_part(function.__code__, code):
            found[id(function)] = function.__code__
            held += map(_held, function.__closure__ or ())
    return [one for one in found.values() if one.co_firstlineno == code.co_firstlineno]


def _held(cell: CellType) -> object:
    try:
        return cell.cell_contents
    except ValueError:
        return None


def _codes_in(code: CodeType) -> Iterator[CodeType]:
    """The generated functions inside of a function, which have its name."""
    for inner in code.co_consts:
        if isinstance(inner, CodeType) and _is_part(inner, code):
            yield inner


def _is_part(inner: CodeType, code: CodeType) -> bool:
    return (inner.co_name, inner.co_filename) == (code.co_name, code.co_filename)


def _all_stores(name: str, code: CodeType, head: int) -> Iterator[int]:
    heads = {head, code.co_firstlineno}
    yield from (line for line in _stores(name, code) if line not in heads)
    for inner in _codes_in(code):
        yield from _all_stores(name, inner, head)
