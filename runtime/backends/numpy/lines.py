"""lines: generated functions that say to be at the user's lines.

NumPy's warnings name the file and line of the code that runs, so the code objects
get the user's file and a table of the user's lines; the instructions stay as they are,
and a run costs nothing more. A function has one file: an op that stands in another file
(of a helper in a module of its own) is said to be where the function is defined.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from types import CodeType
from typing import Any

from runtime.location import Location

Places = Sequence[Location | None]  # for each line of the generated text
_NO_COLUMNS = 13  # the kind of an entry of a table of lines
_MOST_UNITS = 8  # instructions that one entry stands for


def is_debugged() -> bool:
    """True when a debugger or a coverage tool follows lines: it is for the source."""
    if sys.gettrace() is not None:
        return True
    monitoring: Any = getattr(sys, "monitoring", None)
    if monitoring is None:
        return False
    tools = (monitoring.DEBUGGER_ID, monitoring.COVERAGE_ID)
    return any(monitoring.get_tool(tool) is not None for tool in tools)


def at_users_lines(
    module: CodeType, places: Places, known: dict[CodeType, CodeType]
) -> CodeType:
    """The code of the generated text with its functions at the user's lines.

    known: is given the original of each function that is made anew
    """
    constants = []
    for constant in module.co_consts:
        if isinstance(constant, CodeType):
            made = _relined(constant, places)
            known[made] = constant
            constant = made
        constants.append(constant)
    return module.replace(co_consts=tuple(constants))


def line_at(code: CodeType, instruction: int) -> int | None:
    """The line of the instruction at this offset in bytes."""
    for start, end, line in code.co_lines():
        if start <= instruction < end:
            return line
    return None


def _relined(code: CodeType, places: Places) -> CodeType:
    spans = [
        (end - start, places[line - 1] if line else None)
        for start, end, line in code.co_lines()
    ]
    found = [place for _, place in spans if place is not None]
    if not found:
        return code
    file = Counter(place.filename for place in found).most_common(1)[0][0]
    here = [place for place in found if place.filename == file]
    first = min(p.code.co_firstlineno if p.code else p.line for p in here)
    lines = [
        (length, place.line if place and place.filename == file else first)
        for length, place in spans
    ]
    return code.replace(
        co_filename=file, co_firstlineno=first, co_linetable=_table(lines, first)
    )


def _table(lines: list[tuple[int, int]], first: int) -> bytes:
    """CPython's table of lines: see Objects/locations.md of its source, since 3.11.

    lines: bytes of instructions, and their line
    """
    table = bytearray()
    before = first
    for length, line in lines:
        units = length // 2
        while units > 0:
            taken = min(units, _MOST_UNITS)
            table.append(0x80 | _NO_COLUMNS << 3 | taken - 1)
            table.extend(_signed(line - before))
            before, units = line, units - taken
    return bytes(table)


def _signed(number: int) -> Iterator[int]:
    """Six bits a byte, the sign in the lowest bit, another byte follows by 0x40."""
    rest = -number << 1 | 1 if number < 0 else number << 1
    while rest >= 64:
        yield rest & 63 | 64
        rest >>= 6
    yield rest
