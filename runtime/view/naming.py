"""The names that pictures give to values: the user's where the source says them."""

from __future__ import annotations

import ast
import linecache
from functools import lru_cache
from types import CodeType
from typing import Any

from runtime.graph import Node
from runtime.location import Location
from runtime.text_print import value_names


class Names:
    """Names that no other value of the picture has, asked of the source.

    >>> names = Names()
    >>> names.fresh("x"), names.fresh(""), names.fresh("x"), names.fresh("")
    ('x', 'a', 'x.2', 'b')
    """

    def __init__(self) -> None:
        self._letters = value_names()
        self._taken: dict[str, int] = {}
        self._wanted: dict[int, tuple[Node, list[str]]] = {}
        # By id, with the code itself: to hash it costs as much as to read it.
        self._positions: dict[int, tuple[CodeType, list[Any]]] = {}

    def fresh(self, wanted: str = "") -> str:
        """`wanted`, or with a number if it is taken; a letter if nothing is wanted."""
        if not wanted:
            wanted = next(name for name in self._letters if name not in self._taken)
        count = self._taken[wanted] = self._taken.get(wanted, 0) + 1
        return wanted if count == 1 else f"{wanted}.{count}"

    def wanted(self, node: Node) -> list[str]:
        """For each output the name that the user's source gives it, or nothing.

        What a loop or a branch leaves is called as what its graphs leave.
        """
        if id(node) not in self._wanted:
            pairs = zip(node.outputs, self._found(node), strict=True)
            names = [value.name or found for value, found in pairs]
            self._wanted[id(node)] = (node, names)
        return self._wanted[id(node)][1]

    def _found(self, node: Node) -> list[str]:
        if not node.graphs:
            return [self._assigned(node)] * len(node.outputs)
        found = [""] * len(node.outputs)
        for graph in reversed(node.graphs):
            made = {
                value: name
                for one in graph.nodes
                for value, name in zip(one.outputs, self.wanted(one), strict=True)
            }
            ends = graph.outputs if len(graph.outputs) == len(found) else ()
            for at, value in enumerate(ends):
                found[at] = found[at] or made.get(value, "")
        return found

    def _assigned(self, node: Node) -> str:
        """The name that the line gives to the one output of a node.

        Said where the line assigns to one name and the node is all of its right side.
        """
        place = node.location
        if place is None or len(node.outputs) != 1 or place.code is None:
            return ""
        text = linecache.getline(place.filename, place.line)
        found = _assignment(text.strip())
        if found is None:
            return ""
        name, start, stop, is_item = found
        if is_item or node.op.name == "store":
            # `x[i] = v` gives `x` another value.
            return name if is_item and node.op.name == "store" else ""
        indent = len(text) - len(text.lstrip())
        return name if self._columns(place) == (start + indent, stop + indent) else ""

    def _columns(self, place: Location) -> tuple[int | None, int | None] | None:
        code = place.code
        assert code is not None
        known = self._positions.get(id(code))
        if known is None:
            known = self._positions[id(code)] = (code, list(code.co_positions()))
        index = place.instruction // 2
        if not 0 <= index < len(known[1]):
            return None
        line, end, start, stop = known[1][index]
        return (start, stop) if line == end == place.line else None


@lru_cache(maxsize=4096)
def _assignment(line: str) -> tuple[str, int, int, bool] | None:
    """The one name that a line assigns, and the columns that say what it is given.

    The last: it is an item of what has the name that is assigned.
    """
    try:
        (statement,) = ast.parse(line).body
    except (SyntaxError, ValueError):
        return None
    if isinstance(statement, ast.AugAssign):
        target: ast.expr = statement.target
        start, stop = statement.col_offset, statement.end_col_offset
    elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
        start, stop = statement.value.col_offset, statement.value.end_col_offset
    else:
        return None
    is_item = isinstance(target, ast.Subscript)
    while isinstance(target, ast.Subscript):
        target = target.value
    if not isinstance(target, ast.Name) or stop is None:
        return None
    return target.id, start, stop, is_item
