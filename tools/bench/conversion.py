"""What conversion and tracing cost where they could blow up, and how much they write.

A row for each shape at half its size and at its size: growth beyond twice is more than
linear. The converted text is as many times as long as the source; in lines at most 6.
Below, the converted source of whole files beside their own: this project's examples and
tests, and modules of the standard library that are plain Python.

    python tools/bench/conversion.py [--repeats N]
"""

import argparse
import ast
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

# The project's folder in place of this one, whose files are named like Python's own.
sys.path.pop(0)
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import gast
import numpy as np

import autograph as ag
from autograph.conversion import convert
from autograph.converting import convert_tree
from autograph.errors import UnsupportedError
from autograph.syntax.unparse import unparse
from runtime.depth import deeper
from tools.bench.shared.shapes import SHAPES, Shape

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = Path(ast.__file__).parent
MODULES = (
    *("ast", "bisect", "statistics", "heapq", "random", "textwrap", "fractions"),
    *("functools", "csv", "calendar", "difflib", "colorsys", "copy", "argparse"),
    *("configparser", "graphlib", "inspect", "shlex", "string", "tokenize", "pprint"),
)
FILES = {
    "examples": sorted((ROOT / "examples").rglob("*.py")),
    "tests": sorted((ROOT / "tests" / "conformance").glob("*.py")),
    "library": [LIBRARY / f"{name}.py" for name in MODULES],
}


def loaded(text: str, path: Path) -> Callable[..., Any]:
    """The function `program` of a text, which is kept in a file of its own."""
    path.write_text(text)
    scope: dict[str, Any] = {"__name__": path.stem, "np": np}
    exec(compile(text, str(path), "exec"), scope)
    function: Callable[..., Any] = scope["program"]
    return function


def measured(
    shape: Shape, size: int, path: Path
) -> tuple[float, float, float, float, float]:
    """The seconds of converting, tracing and running, and the factors of the text."""
    text = shape.source(size)
    program = loaded(text, path)
    wanted = program(shape.argument)
    start = perf_counter()
    convert(program)
    converted = perf_counter()
    traced = ag.function(program)
    traced.get_concrete_function(shape.argument)
    ready = perf_counter()
    found = traced(shape.argument)
    done = perf_counter()
    if not np.array_equal(found, wanted):
        raise AssertionError(f"{found!r} is not {wanted!r}")
    made = ag.to_code(program)
    factors = made.count("\n") / text.count("\n"), len(made) / len(text)
    return converted - start, ready - converted, done - ready, *factors


def shapes(repeats: int, folder: Path) -> None:
    """Print a row for each shape and size."""
    heads = f"{'convert':>9}{'trace':>8}{'run':>8}{'lines':>7}{'characters':>12}"
    print(f"{'shape':18}{'size':>6}{heads}")
    for name, shape in SHAPES.items():
        for size in (shape.size // 2, shape.size):
            rows = []
            for number in range(repeats):
                path = folder / f"{abs(hash((name, size, number)))}.py"
                rows.append(measured(shape, size, path))
            *times, lines, characters = min(rows)
            figures = "".join(f"{1e3 * time:8.1f}" for time in times)
            print(f"{name:18}{size:6} {figures}{lines:6.1f}x{characters:11.1f}x")


def functions(path: Path) -> Iterator[str]:
    """The source of each function in a file."""
    text = path.read_text()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            source = ast.get_source_segment(text, node) or ""
            yield textwrap.dedent(" " * node.col_offset + source)


def converted_text(source: str) -> str | None:
    """What a function becomes; None when it is refused, as a generator is."""
    (node,) = gast.parse(source).body
    node.decorator_list = []
    try:
        with deeper():
            return unparse(convert_tree(node)[0])
    except UnsupportedError:
        return None


def texts() -> None:
    """Print how much longer the converted functions of whole files are."""
    print(f"\n{'files':18}{'functions':>10}{'characters':>12}{'lines':>8}{'s':>7}")
    for name, paths in FILES.items():
        start = perf_counter()
        found = [(text, converted_text(text)) for p in paths for text in functions(p)]
        pairs = [(text, made) for text, made in found if made is not None]
        took = perf_counter() - start
        before = "".join(text for text, _ in pairs)
        after = "".join(made for _, made in pairs)
        characters = len(after) / len(before)
        lines = after.count("\n") / (before.count("\n") + len(pairs))
        print(f"{name:18}{len(pairs):10}{characters:11.1f}x{lines:7.1f}x{took:7.1f}")


def main() -> int:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--shapes-only", action="store_true")
    options = parser.parse_args()
    version = sys.version.partition(" ")[0]
    print(f"milliseconds, best of {options.repeats}; Python {version}")
    with tempfile.TemporaryDirectory() as folder:
        shapes(options.repeats, Path(folder))
    if not options.shapes_only:
        texts()
    return 0


if __name__ == "__main__":
    sys.exit(main())
