"""Colour for a terminal: Python text by its tokens."""

from __future__ import annotations

import io
import keyword
import tokenize

RESET = "\x1b[0m"
KEYWORD = "\x1b[35m"
STRING = "\x1b[32m"
NUMBER = "\x1b[36m"
OPERATOR = "\x1b[34m"
COMMENT = "\x1b[2m"

_OF_TYPE = {
    tokenize.STRING: STRING,
    tokenize.NUMBER: NUMBER,
    tokenize.COMMENT: COMMENT,
}


def coloured_python(text: str) -> str:
    """`text` with terminal colours; what generated code calls stands out.

    >>> coloured_python("x = 1").replace(NUMBER, "<").replace(RESET, ">")
    'x = <1>'
    """
    lines = text.splitlines(keepends=True)
    pieces: list[str] = []
    row, column = 1, 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in (tokenize.INDENT, tokenize.DEDENT, tokenize.NEWLINE):
            continue
        colour = _colour(token)
        if not colour:
            continue
        pieces.append(_between(lines, (row, column), token.start))
        pieces.append(f"{colour}{token.string}{RESET}")
        row, column = token.end
    pieces.append(_between(lines, (row, column), (len(lines) + 1, 0)))
    return "".join(pieces)


def _colour(token: tokenize.TokenInfo) -> str:
    if token.type == tokenize.NAME:
        if keyword.iskeyword(token.string):
            return KEYWORD
        return OPERATOR if token.string == "ag__" else ""
    return _OF_TYPE.get(token.type, "")


def _between(lines: list[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    if start[0] == end[0]:
        return lines[start[0] - 1][start[1] : end[1]]
    if start[0] > len(lines):
        return ""
    middle = "".join(lines[start[0] : end[0] - 1])
    last = lines[end[0] - 1][: end[1]] if end[0] <= len(lines) else ""
    return lines[start[0] - 1][start[1] :] + middle + last
