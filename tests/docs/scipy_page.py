"""docs/scipy.md, from tests/conformance/numpy_calls/scipy.txt.

    python -m tests.docs.scipy_page

Every call is run plain and as a graph, inside a branch in a loop: some minutes.
"""

import importlib
from collections import Counter

from tests.conformance.numpy_calls.measure import Verdict, measured
from tests.conformance.numpy_calls.rows import SCIPY, Row, scipy_rows
from tests.docs.documents import ROOT

PAGE = ROOT / "docs" / "scipy.md"
HEAD = """\
# SciPy in a graph

A function of SciPy's is a host call: a node that calls the function itself when the
graph runs ([NumPy in a graph](numpy.md) says how). It costs what the function costs,
and none is refused for what it is. A solver's result, a spline, a tree, a sparse matrix
are objects of the graph, which each run makes and asks. A function that is passed
(`brentq(f, 0, 1)`) is the plain Python function, with the values of that run.

Below, {calls} example calls of {functions} functions and classes, each run plain and as
a graph in an `if` in a `for`, both depending on data. Value, type, dtype, exception and
its text, printed text and the arguments afterwards are compared.

"""


def told(row: Row) -> Verdict:
    """What running a call says."""
    return measured(row, "inside")


def load() -> None:
    """Import SciPy's packages, some of which it does not import itself."""
    for package in SCIPY:
        importlib.import_module(package)


def page() -> str:
    """The whole text."""
    load()
    rows = scipy_rows()
    verdicts = {row: told(row) for row in rows}
    count = len({row.function for row in rows})
    lines = [HEAD.format(calls=len(rows), functions=count)]
    lines += [
        "| Package | Functions | Calls | same | refused | wrong |",
        "| - " * 6 + "|",
    ]
    for package in SCIPY:
        own = [row for row in rows if row.section == package]
        words = Counter(verdicts[row].word for row in own)
        numbers = [len({row.function for row in own}), len(own)]
        numbers += [words[word] for word in ("same", "refused", "wrong")]
        lines.append(f"| `{package}` | " + " | ".join(map(str, numbers)) + " |")
    lines += ["", "## What is not the same", ""]
    others = [row for row in rows if verdicts[row].word != "same"]
    for row in others:
        verdict = verdicts[row]
        lines.append(
            f"- `{row.text}` is {verdict.word}: {verdict.text.splitlines()[0]}"
        )
    lines += [] if others else ["Nothing."]
    for package in SCIPY:
        lines += ["", f"## {package}", "", names(package)]
    return "\n".join(lines) + "\n"


def names(package: str) -> str:
    """The functions of a package that are called."""
    own = {row.function for row in scipy_rows() if row.section == package}
    return ", ".join(f"`{name.removeprefix(package + '.')}`" for name in sorted(own))


if __name__ == "__main__":
    PAGE.write_text(page())
