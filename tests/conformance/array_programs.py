"""Programs of arrays, one or a few lines each, run plain and as graphs.

`tests/conformance/arrays/*.txt` hold them: a line at the margin has the arguments, the
indented lines below are programs, each ended by `-> result`. A program is run as it
stands, and in a branch of a loop that depends on data. What can be seen is compared:
the result, its dtypes and shapes, whether its arrays are read-only, the printed text,
the exception, the arguments afterwards, the warnings.
"""

import contextlib
import io
import itertools
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import autograph as ag

FOLDER = Path(__file__).parent / "arrays"
_numbers = itertools.count()

# What the programs may use besides their arguments.
SURROUNDINGS = """\
import numpy as np

try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None

S = np.dtype([("a", float), ("b", int)])
W = np.hanning(5)
RNG = np.random.default_rng(5)

class Window:
    def __init__(self):
        self.w = np.hanning(5)

def rec():
    return np.array([(1.5, 2), (3.5, 4)], S)

def ro(x):
    x.flags.writeable = False
    return x

def pair():
    a = np.arange(6.)
    return a[:4], a[2:]

def twice():
    a = np.arange(6.)
    return a, a

def laid(x, how):
    # The same numbers in memory of other strides.
    if how == "in Fortran's order":
        return np.asfortranarray(x)
    if how == "with gaps":
        return np.repeat(x, 2, -1)[..., ::2]
    if how == "with gaps between rows":
        return np.repeat(x, 3, 0)[1::3]
    if how == "backwards":
        return x[::-1].copy()[::-1]
    if how == "backwards in rows":
        return x[..., ::-1].copy()[..., ::-1]
    if how == "within another":
        return np.pad(x, 1)[(slice(1, -1),) * x.ndim]
    return x

def of(parts, how=""):
    return parts(laid(np.arange(24.).reshape(4, 6), how))

def bump(p, q):
    p += 1
    q[:1] -= 2
    return p[1:]

def part(p, k):
    return p[k:].T

def double(p):
    for k in range(len(p)):
        p[k] *= 2

def halve(p, k):
    if k > 0:
        p[:] = p / 2
        halve(p[1:], k - 1)

def either(p, q, k):
    return p if k > 2 else q

"""

PLACES = {
    "as it stands": "def f({names}, c):\n{body}    return {result}\n",
    "in a branch of a loop": (
        "def f({names}, c):\n    for turn in range(c):\n        if turn >= 0:\n{body}"
        "            result = {result}\n    return result\n"
    ),
}


@dataclass(frozen=True, slots=True)
class Program:
    """Arguments as `name = value` texts, statements, and what is returned."""

    file: str
    line: int
    arguments: tuple[tuple[str, str], ...]
    body: tuple[str, ...]
    result: str

    def text(self, place: str) -> str:
        """The source of a function `f` of the arguments and a number c."""
        depth = 1 if place == "as it stands" else 3
        body = "".join(f"{'    ' * depth}{line}\n" for line in self.body)
        names = ", ".join(name for name, _ in self.arguments)
        made = PLACES[place].format(names=names, body=body, result=self.result)
        return SURROUNDINGS + made

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


def programs(file: str) -> Iterator[Program]:
    """The programs of one file, in order."""
    arguments: tuple[tuple[str, str], ...] = ()
    body: list[str] = []
    for number, line in enumerate((FOLDER / file).read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if not line.startswith(" "):
            parts = (part.partition(" = ") for part in line.split("; "))
            arguments = tuple((name, value) for name, _, value in parts)
            continue
        statement, arrow, result = line.removeprefix("  ").partition(" -> ")
        body.append(statement)
        if arrow:
            kept = tuple(line for line in body if line != "pass")
            yield Program(file, number, arguments, kept, result)
            body = []


def load(text: str, folder: Path) -> dict[str, Any]:
    """The namespace of a program, whose text is kept in a file of its own."""
    path = folder / f"arrays_{next(_numbers)}.py"
    path.write_text(text)
    namespace: dict[str, Any] = {"__name__": path.stem}
    exec(compile(text, str(path), "exec"), namespace)
    return namespace


def difference(program: Program, place: str, folder: Path) -> str | None:
    """What the graph does otherwise than Python, traced and from the cache."""
    namespace = load(program.text(place), folder)
    plain = namespace["f"]
    staged = ag.function(plain)
    python = observe(plain, program, namespace)
    for _ in range(2):
        graph = observe(staged, program, namespace)
        found = [what for what in python if python[what] != graph[what]]
        if found:
            what = found[0]
            return f"{what}:{_parts(python[what], graph[what])}"
    return None


def _parts(python: Any, graph: Any) -> str:
    """The two, or those of their lines that differ."""
    lines = [str(one).split("\n") for one in (python, graph)]
    if len(lines[0]) != len(lines[1]):
        return f"\n  Python {python}\n  graph  {graph}"
    pairs = [(a, b) for a, b in zip(*lines, strict=True) if a != b]
    return "".join(f"\n  Python {a}\n  graph  {b}" for a, b in pairs)


def observe(
    function: Callable[..., Any], program: Program, namespace: dict[str, Any]
) -> dict[str, Any]:
    """All that can be seen of one call, as text."""
    arguments = [eval(value, dict(namespace)) for _, value in program.arguments]
    printed, raised, result = io.StringIO(), None, None
    with contextlib.redirect_stdout(printed), warnings.catch_warnings(record=True) as w:
        warnings.simplefilter("always")
        try:
            result = function(*arguments, np.int64(2))
        except Exception as error:
            raised = f"{type(error).__name__}: {error}"
    return {
        "exception": raised,
        "result": show(result),
        "printed text": printed.getvalue(),
        "arguments": show(arguments),
        "warnings": [
            (one.category.__name__, str(one.message))
            for one in w
            # NumPy 2.5 says so of `x.shape = ...`, which a trace does not set.
            if not issubclass(one.category, DeprecationWarning)
        ],
    }


def show(thing: Any) -> str:
    """A value with its dtypes and shapes; one NaN stands for all."""
    if isinstance(thing, np.ndarray):
        locked = "" if thing.flags.writeable else " read-only"
        kind = type(thing).__name__
        return f"{kind} {thing.dtype}{thing.shape} {thing.tolist()!r}{locked}"
    if isinstance(thing, (tuple, list)):
        items = "\n".join(map(show, thing))
        return f"{type(thing).__name__}(\n{items}\n)"
    if isinstance(thing, dict):
        return str({key: show(value) for key, value in thing.items()})
    if isinstance(thing, (np.random.Generator, np.random.RandomState)):
        return f"{type(thing).__name__} before {thing.bytes(4)!r}"
    if isinstance(thing, memoryview):
        return f"memoryview of {bytes(thing)!r}"
    return f"{type(thing).__name__} {getattr(thing, 'dtype', '')} {thing!r}"
