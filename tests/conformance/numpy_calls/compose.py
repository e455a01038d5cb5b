"""Random compositions: what one call of NumPy's gives is an argument of another.

    python -m tests.conformance.numpy_calls.compose SEED COUNT

prints those whose graphs do not do what plain Python does.
"""

from __future__ import annotations

import random
import re
import sys
import warnings
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from tests.conformance.numpy_calls.measure import Verdict, measured, plain_result
from tests.conformance.numpy_calls.rows import SIZED, Row, letters_of, rows

FORM = """
def program(_k, {{letters}}):
    {sized}
    {first}
    return {text}
"""


def compositions(
    seed: int, count: int, sized: bool = False
) -> Iterator[tuple[str, Verdict]]:
    """The text of each, and what was seen of it; sized: of arrays of unknown sizes."""
    chance = random.Random(seed)
    calls = [row for row in rows() if _is_pure(row)]
    for _ in range(count):
        outer = chance.choice(calls)
        places = [letter for letter in outer.letters if letter in _givers()]
        if not places:
            continue
        first, text = [], outer.text
        for letter in chance.sample(places, min(len(places), chance.randint(1, 2))):
            first.append(f"{letter}2 = {chance.choice(_givers()[letter]).text}")
            text = re.sub(rf"(?<![\w.\"']){letter}(?![\w\"'])", f"{letter}2", text)
        yield _measured(outer.section, first, text, sized)


def _measured(
    section: str, first: list[str], text: str, sized: bool
) -> tuple[str, Verdict]:
    parts = [*(line.partition(" = ")[2] for line in first), text]
    used = tuple(dict.fromkeys(name for part in parts for name in letters_of(part)))
    unknown = "; ".join(f"{name} = {SIZED[name]}" for name in used if name in SIZED)
    form = FORM.format(
        sized=_quoted(unknown if sized and unknown else "pass"),
        first=_quoted("\n    ".join(first)),
        text=_quoted(text),
    )
    shown = "; ".join([*first, text])
    return shown, measured(Row(section, "", shown, used), form)


def _quoted(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _is_pure(row: Row) -> bool:
    return "change" not in row.section and "lambda" not in row.text


@cache
def _givers() -> dict[str, list[Row]]:
    """Which calls give something that a letter may stand for."""
    found: dict[str, list[Row]] = {}
    for row in filter(_is_pure, rows()):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            letter = _letter(plain_result(row))
        if letter:
            found.setdefault(letter, []).append(row)
    return found


def _letter(value: Any) -> str:
    if isinstance(value, np.float64):
        return "d"
    if isinstance(value, np.int64) and 0 <= value < 6:
        return "n"
    if type(value) is not np.ndarray:
        return ""
    kind = (value.dtype.char, value.shape)
    one_row = value.ndim == 1 and 3 <= value.size <= 12
    if one_row and value.dtype.char in "dl":
        return "x" if value.dtype.char == "d" else "i"
    return {("d", (3, 3)): "m", ("d", (3, 4)): "r", ("?", (6,)): "b"}.get(kind, "")


if __name__ == "__main__":
    for is_sized in (False, True):
        for shown, verdict in compositions(*map(int, sys.argv[1:3]), is_sized):
            if verdict.word != "same":
                print(f"{verdict.word}: {shown}\n    {verdict.text}")
