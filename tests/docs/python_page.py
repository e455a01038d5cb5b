"""docs/python.md, from the programs of tests/conformance/constructs, which it runs.

    python -m tests.docs.python_page

The column of TensorFlow is read from a file, which is measured, where TensorFlow is
installed, by `python -m tests.conformance.constructs.tensorflow_column`.
"""

import json
import re
from collections import Counter
from pathlib import Path

from tests.conformance.constructs.justified import DECIDED, KNOWN_WRONG, reason
from tests.conformance.constructs.measure import (
    Verdict,
    measured,
    measured_inside,
    measured_native,
)
from tests.conformance.constructs.rows import FOLDER, Row, sections
from tests.conformance.harness import REFUSED
from tests.docs.documents import ROOT

PAGE = ROOT / "docs" / "python.md"
COLUMN = FOLDER / "tensorflow.json"
HEAD = """\
# Python, construct by construct

Each row is a program in
[tests/conformance/constructs](../tests/conformance/constructs), whose conditions depend
on data. It is called plain and as a graph, with
arguments that take each of its paths. *Same*: value, type, dtype, printed text,
exception and its text, the arguments afterwards and what was changed outside are those
of plain Python, in the first call and in one from the cache. *Refused*: no graph can be
made of it, so the call is made as Python, and a warning at the user's line says why
(an error with `ag.config(strict=True)`); the note has its words. *Decided* differs
by design, as [limits](limits.md) tells. *Wrong* is known to be wrong, and says how.

*Alone* is the program by itself; *inside* is a call of it in an `if` in a `for`, both
depending on data, which runs it twice: both run on NumPy, where they are too short to
become machine code. *Native* is the program by itself with all that can be machine code
made so at once (`backend="native"`).
"""
TENSORFLOW = """
*TensorFlow* is `tf.function` {tensorflow} (autograph, NumPy {numpy}) with the same
programs: arrays are given as tensors (of 32 bits, as TensorFlow makes Python's numbers)
and `np` is `tf.experimental.numpy`. Values alone are compared there, and any exception
does for any other. *Right*, *wrong* (it runs, and
gives another result, text or exception), or *refused*: it raises an error where plain
Python has none.
"""
RANDOM = """\
## Random programs

Programs of all these constructs inside each other, drawn by
[tests/conformance/generator.py](../tests/conformance/generator.py), mean the
same. Some are Python's, with one of these messages; [tried](tried.md) has how many of
how many.

| Message | Why |
| - | - |
"""
FOOT = """
This page is made by `python -m tests.docs.python_page`; a test fails when it is stale.
"""


WAYS = {"Alone": measured, "Inside": measured_inside, "Native": measured_native}
# A row's verdicts, one for each way.
Seen = tuple[Verdict, ...]


def verdicts() -> list[tuple[str, str, list[tuple[Row, Seen]]]]:
    """Run everything."""
    return [
        (title, file, [(row, tuple(way(row) for way in WAYS.values())) for row in rows])
        for title, file, rows in sections()
    ]


def page() -> str:
    """The whole text."""
    column = json.loads(COLUMN.read_text())
    parts, all_rows = [], []
    for title, file, rows in verdicts():
        lines = [f"## {title}\n", _HEADER]
        for row, seen in rows:
            theirs = column["rows"].get(f"{file}:{row.name}", "not measured")
            lines.append(_line(file, row, seen, theirs))
            words = (verdict.word for verdict in seen)
            all_rows.append((*words, theirs.partition(":")[0]))
        parts.append("\n".join(lines) + "\n")
    head = HEAD + TENSORFLOW.format(**column["versions"]) + FOOT
    refused = (f"| {_code(words)} | {why} |" for words, why in REFUSED.items())
    parts.append(RANDOM + "\n".join(refused) + "\n")
    return "\n".join([head, _summary(all_rows), *parts])


_COLUMNS = ("Construct", "Program", *WAYS, "TensorFlow", "Note")
_HEADER = f"| {' | '.join(_COLUMNS)} |\n{'| - ' * len(_COLUMNS)}|"


def _code(words: str) -> str:
    """Words as code, also those that hold a backquote."""
    return f"`` {words} ``" if "`" in words else f"`{words}`"


def _summary(rows: list[tuple[str, ...]]) -> str:
    counts = [Counter(words) for words in zip(*rows, strict=True)]
    words = ("refused", "decided", "wrong")
    lines = [f"| Of {len(rows)} rows | same | {' | '.join(words)} |", "| - " * 5 + "|"]
    names = (*WAYS, "TensorFlow")
    for name, count in zip(names, counts, strict=True):
        same = count["same"] + count["right"]
        found = " | ".join(str(count[word]) for word in words)
        lines.append(f"| {name} | {same} | {found} |")
    return "\n".join(lines) + "\n"


def _line(file: str, row: Row, seen: Seen, theirs: str) -> str:
    cells = (
        row.construct,
        f"[{row.name}](../tests/conformance/constructs/{file})",
        *(verdict.word for verdict in seen),
        theirs.replace("wrong: ", "wrong, "),
        note(row, seen),
    )
    return f"| {' | '.join(_cell(cell) for cell in cells)} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ") or "-"


def note(row: Row, seen: Seen) -> str:
    """Why it is refused, or wrong."""
    found = [row.note] if row.note else []
    differs = {**KNOWN_WRONG, **DECIDED}.get(row.name)
    if differs is not None:
        found.append(differs)
    said = set()
    for name, verdict in zip(WAYS, seen, strict=True):
        text = _short(verdict.text)
        if verdict.word == "refused" and text not in said:
            where = f"{name.lower()}: " if said or verdict is not seen[0] else ""
            found.append(f"{where}`{text}` {reason(verdict.text)}")
            said.add(text)
    return "; ".join(found)


def _short(text: str) -> str:
    text = re.sub(r"\d+ deep", "N deep", text)  # as deep as its caller leaves room
    return (
        text.replace("`", "")
        if len(text) < 120
        else text[:117].replace("`", "") + "..."
    )


def write(path: Path = PAGE) -> None:
    """Bring the page up to date."""
    path.write_text(page())


if __name__ == "__main__":
    write()
