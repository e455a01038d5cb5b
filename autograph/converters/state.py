"""get_state and set_state: one pair for all the statements of a function.

A statement says which of the names are its own, so a function with many statements does
not say the same names again for each. The pair stands before the first statement of the
function's own that needs it, and is filled in when all are known.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import gast

from autograph.syntax import expression, literal, statements

if TYPE_CHECKING:
    from autograph.converters.context import Context


class StateFunctions:
    """The pair of one function, or of one scope of a comprehension's own."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._names: dict[str, None] = {}
        self._called: tuple[str, str] | None = None
        self._placed: list[gast.stmt] = []

    def parts(
        self, names: tuple[str, ...], outputs: int, at: gast.AST
    ) -> dict[str, Any]:
        """What a statement passes of them, as parts of a template."""
        self._names.update(dict.fromkeys(names))
        if self._called is None:
            fresh = self._context.fresh
            self._called = fresh("get_state"), fresh("set_state")
        getter, setter = self._called
        return {
            "GET": expression(getter, at),
            "SET": expression(setter, at),
            "NAMES": literal(names, at),
            "N": literal(outputs, at),
        }

    def place(self, at: gast.AST) -> list[gast.stmt]:
        """The two functions, still empty, if they are needed and not yet placed."""
        if self._called is None or self._placed:
            return []
        self._placed = self._made(at, ())
        return self._placed

    def finish(self) -> None:
        """Fill in the names that the statements have named."""
        if self._placed:
            made = self._made(self._placed[0], self._names)
            for function, full in zip(self._placed, made, strict=True):
                function.body = full.body

    def _made(self, at: gast.AST, names: Iterable[str]) -> list[gast.stmt]:
        assert self._called is not None
        getter, setter = self._called
        content = self._context.content_name
        reads = [expression("ag__.ldu(lambda: X)", at, X=name) for name in names]
        taken: dict[str, Any] = {"VARS": content}
        put = "pass"
        if reads:
            put, taken["NAMES"] = "(NAMES,) = VARS", list(names)
        return statements(
            f"def getter():\n    return (READS,)\n\n"
            f"def setter(VARS):\n    global GLOBALS\n    nonlocal NONLOCALS\n    {put}",
            at,
            getter=getter,
            setter=setter,
            READS=reads,
            **taken,
            **self._context.declare(names),
        )
