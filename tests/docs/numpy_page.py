"""The functions' part of docs/numpy.md, from tests/conformance/numpy_calls.

    python -m tests.docs.numpy_page

Every call is run plain and as a graph in three forms, which takes about a minute.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from tests.conformance.numpy_calls.measure import FORMS, Verdict, became, measured
from tests.conformance.numpy_calls.rows import Row, rows
from tests.docs.documents import ROOT

PAGE = ROOT / "docs" / "numpy.md"
START = "<!-- functions: python -m tests.docs.numpy_page -->\n"
END = "<!-- end of functions -->\n"
HEAD = """\
## Every function

Example calls of NumPy's public functions and ndarray's methods, {calls} calls of
{functions}, each run plain and as a graph: by itself (*alone*), in an `if` in a `for`,
both depending on data (*inside*), and with arrays whose sizes are known only when the
graph runs (*sized*). Value, type, dtype, exception and its text, printed text and the
arguments afterwards are compared.

*Is* says what the call is in the graph: an **op** of that name, **composed** of
several, a **host call**, or a **constant** that is known while tracing; *as Python*
where a call of the whole function is made as Python.

"""


@dataclass(frozen=True)
class Line:
    """A function's calls, and what was seen of them in each form."""

    function: str
    rows: tuple[Row, ...]
    kinds: tuple[str, ...]
    verdicts: dict[str, tuple[Verdict, ...]]


def lines() -> dict[str, list[Line]]:
    """Run everything; the lines of each section."""
    found: dict[str, list[Line]] = {}
    for (section, function), calls in _groups():
        found.setdefault(section, []).append(_line(function, calls))
    return found


def line_of(number: int) -> Line:
    """Run the calls of one function, by its number on the page."""
    (_, function), calls = _groups()[number]
    return _line(function, calls)


def _groups() -> list[tuple[tuple[str, str], tuple[Row, ...]]]:
    grouped = groupby(rows(), lambda row: (row.section, row.function))
    return [(key, tuple(group)) for key, group in grouped]


def _line(function: str, calls: tuple[Row, ...]) -> Line:
    verdicts = {form: tuple(measured(row, form) for row in calls) for form in FORMS}
    told = zip(calls, verdicts["alone"], strict=True)
    found = [became(row) for row, verdict in told if verdict.word == "same"]
    return Line(function, calls, tuple(k for k in found if k != "refused"), verdicts)


def part() -> str:
    """The generated part of the page."""
    sections = lines()
    whole = [line for section in sections.values() for line in section]
    calls = sum(len(line.rows) for line in whole)
    names = {line.function for line in whole}
    pieces = [HEAD.format(calls=calls, functions=len(names)), _summary(whole)]
    for title, section in sections.items():
        table = [f"### {title}\n", _HEADER, *map(row, section)]
        pieces.append("\n".join(table) + "\n")
    return "\n".join(pieces)


_HEADER = (
    "| Function | Calls | Is | Alone | Inside | Sized | Note |\n" + "| - " * 7 + "|"
)


def _summary(whole: list[Line]) -> str:
    counts = {
        form: Counter(v.word for line in whole for v in line.verdicts[form])
        for form in FORMS
    }
    table = ["| | same | refused | wrong |", "| - | - | - | - |"]
    table += [
        f"| {form} | {count['same']} | {count['refused']} | {count['wrong']} |"
        for form, count in counts.items()
    ]
    kinds = Counter(_best(line.kinds) for line in whole if line.kinds)
    words = ("op", "composed", "host call", "constant", "as Python")
    table += ["", "| " + " | ".join(words) + " |", "| - " * len(words) + "|"]
    table += ["| " + " | ".join(str(kinds[word]) for word in words) + " |", ""]
    return "\n".join(table)


def _best(kinds: Iterable[str]) -> str:
    """What a function is where it is most: some of its keywords are host calls."""
    order = ("op", "composed", "host call", "constant", "as Python")
    return min(kinds, key=order.index)


def row(line: Line) -> str:
    """Its line of the table."""
    kinds = ", ".join(dict.fromkeys(line.kinds)) or "-"
    cells = [f"`{line.function}`", str(len(line.rows)), kinds]
    cells += [_word(line.verdicts[form]) for form in FORMS]
    return "| " + " | ".join(_cell(cell) for cell in (*cells, _note(line))) + " |"


def _word(verdicts: tuple[Verdict, ...]) -> str:
    counts = Counter(verdict.word for verdict in verdicts)
    if len(counts) == 1:
        return next(iter(counts))
    return ", ".join(f"{count} {word}" for word, count in counts.items())


def _note(line: Line) -> str:
    found = []
    for form in FORMS:
        for row, verdict in zip(line.rows, line.verdicts[form], strict=True):
            if verdict.word != "same":
                text = verdict.text.splitlines()[0]
                found.append(f"`{row.text}`: {text.replace('`', '')}")
    return "; ".join(dict.fromkeys(found))


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ") or "-"


def write() -> None:
    """Bring the page up to date."""
    text = PAGE.read_text()
    pattern = re.escape(START) + ".*?" + re.escape(END)
    made = START + part() + END
    PAGE.write_text(re.sub(pattern, lambda _: made, text, flags=re.DOTALL))


if __name__ == "__main__":
    write()
