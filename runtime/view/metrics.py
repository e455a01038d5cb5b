"""How wide texts are, without asking a font: all are set in a monospaced one.

The widths are those of the widest common fonts of that kind (0.602 em), and a little
more, so a text that fits by this table fits in every browser.
"""

from __future__ import annotations

import unicodedata

FONT = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"
TITLE_SIZE = 12.0
CELL_SIZE = 10.5
EM = 0.615


def width(text: str, size: float) -> float:
    """An upper bound of the width of `text` in pixels; `size` is the font's.

    >>> width("abc", 10.0), width("字", 10.0)
    (18.45, 12.3)
    """
    if text.isascii():
        return len(text) * EM * size
    columns = sum(map(_columns, text))
    return columns * EM * size


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
