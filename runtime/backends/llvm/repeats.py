"""repeats: what several loops would compute, and is computed once for all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from runtime.backends.llvm.elements import DEAR
from runtime.backends.llvm.loops import Map
from runtime.backends.llvm.pieces import Expression, is_one

Test = Callable[[Map], bool]


def repeated(loops: Sequence[Expression], is_end: Test, may_be: Test) -> set[int]:
    """The ids of what several loops read and takes long: the whole, not its parts too.

    is_end: of what is given to a loop, and no part of it; may_be: of what may be kept
    """
    own = [_terms(one, is_end) for one in loops]
    found: set[int] = set()
    seen: set[int] = set()

    def visit(one: Expression) -> None:
        if not isinstance(one, Map) or is_end(one) or id(one) in seen:
            return
        seen.add(id(one))
        is_shared = sum(id(one) in terms for terms in own) > 1
        if is_shared and may_be(one) and _takes_long(one, is_end):
            found.add(id(one))
            return
        for arg in one.args:
            visit(arg)

    for one in loops:
        visit(one)
    return found


def _terms(value: Expression, is_end: Test) -> dict[int, Map]:
    """What one loop computes, without what it is given."""
    found: dict[int, Map] = {}

    def visit(one: Expression) -> None:
        if id(one) in found or not isinstance(one, Map) or is_end(one):
            return
        found[id(one)] = one
        for arg in one.args:
            visit(arg)

    visit(value)
    return found


def _takes_long(value: Map, is_end: Test) -> bool:
    terms = _terms(value, is_end).values()
    # What is of one element is computed once for the row.
    many = (one for one in terms if one.dims and not is_one(one.dims[-1]))
    return any(one.symbol or one.op in DEAR for one in many)
