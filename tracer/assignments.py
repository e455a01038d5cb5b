"""assignments: where a name got what it holds before a statement, and inside it.

Found in the code objects of the converted function, only when an error is to tell it:
a statement's bodies are functions inside, whose first line is the statement's.
"""

from __future__ import annotations

import dis
import linecache
from collections.abc import Iterator
from types import CodeType

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
    inside = sorted({line for line in _inside(name, place.code, place.line)})
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
    for inner in code.co_consts:
        if not isinstance(inner, CodeType) or inner.co_name != code.co_name:
            continue
        if inner.co_firstlineno == head:
            yield from _all_stores(name, inner, head)


def _all_stores(name: str, code: CodeType, head: int) -> Iterator[int]:
    heads = {head, code.co_firstlineno}
    yield from (line for line in _stores(name, code) if line not in heads)
    for inner in code.co_consts:
        if isinstance(inner, CodeType) and inner.co_name == code.co_name:
            yield from _all_stores(name, inner, head)
