"""Which of several functions on one line a code object was compiled from.

Two lambdas on a line have the same first line and the same name. Their code objects
remember the columns of every instruction, which lie inside the body; where Python was
told to keep none, the candidates are compiled and compared.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Sequence
from typing import Any

import gast

from autograph.syntax.compile import compile_function

Point = tuple[int, int]  # line and column


def best_match(code: types.CodeType, candidates: Sequence[Any]) -> int:
    """The index of the candidate, a function node of ast, that `code` comes from.

    Candidates that cannot be told apart have the same text, so any will do; the first
    is taken.
    """
    scores = [_score(code, node) for node in candidates]
    return scores.index(max(scores))


def _score(code: types.CodeType, node: Any) -> tuple[int, int, bool]:
    """How well `node` fits: by its columns, then the narrower, then by its code."""
    body = node.body if isinstance(node.body, list) else [node.body]
    start = (body[0].lineno, body[0].col_offset)
    end = (body[-1].end_lineno, body[-1].end_col_offset)
    hull = _hull(code)
    if hull is None:
        fits = 0
    elif hull == (start, end):
        fits = 2
    else:
        fits = 1 if start <= hull[0] and hull[1] <= end else -1
    width = end[1] - start[1] if start[0] == end[0] else 1 << 30
    return fits, -width if fits > 0 else 0, _same_code(code, node)


def _hull(code: types.CodeType) -> tuple[Point, Point] | None:
    """From where to where the instructions of the body reach."""
    points: list[tuple[Point, Point]] = []
    for line, end_line, column, end_column in code.co_positions():
        if line is None or end_line is None or column is None or end_column is None:
            continue
        # The instructions that enter the function stand at an empty place.
        if (line, column) != (end_line, end_column):
            points.append(((line, column), (end_line, end_column)))
    if not points:
        return None
    return min(start for start, _ in points), max(end for _, end in points)


def _same_code(code: types.CodeType, node: Any) -> bool:
    if not isinstance(node, ast.Lambda):
        return False
    made = compile_function(gast.ast_to_gast(node), "", code.co_freevars, code.co_flags)
    return _facts(made) == _facts(code)


def _facts(code: types.CodeType) -> tuple[Any, ...]:
    constants = [
        _facts(constant) if isinstance(constant, types.CodeType) else repr(constant)
        for constant in code.co_consts
    ]
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    return code.co_code, names, constants
