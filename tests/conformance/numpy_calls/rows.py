"""The rows: an example call each, and the arguments that its letters stand for.

x, y, s are 1-d floats (s with NaN and infinities), g increasing floats, i, j ints (j
indices), b bools, z complex, h float32, u uint8, w texts, o dates, e empty; m a matrix,
p a positive definite one, r a 3x4, t a 2x3x4 array; d a NumPy float, n a NumPy int.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.lib.recfunctions  # which NumPy does not import itself

from tests.conformance.numpy_calls import functions, methods, more_functions

ARGUMENTS: dict[str, Any] = {
    "x": np.array([1.5, -2.0, 0.25, 3.0, 0.5, -1.0]),
    "y": np.array([0.5, 2.0, -1.5, 3.0, 1.0, 4.0]),
    "s": np.array([1.0, np.nan, 3.0, np.inf, -2.0, 0.0]),
    "g": np.array([1.0, 1.5, 2.0, 4.0, 4.5, 7.0]),
    "i": np.array([3, 1, 2, 3, 5, 1]),
    "j": np.array([2, 0, 1, 4, 5, 3]),
    "b": np.array([True, False, True, True, False, False]),
    "z": np.array([1 + 2j, -1j, 0.5, 3 - 1j, 2j, 1]),
    "h": np.array([1.5, -2, 0.25, 3, 0.5, -1], np.float32),
    "u": np.array([200, 1, 2, 100, 0, 255], np.uint8),
    "w": np.array(["ab", "c", "bca"]),
    "o": np.array(["2024-01-01", "2024-01-06"], "datetime64[D]"),
    "e": np.array([], float),
    "m": np.array([[4.0, 1.0, 2.0], [0.5, 3.0, 1.0], [1.0, 0.25, 5.0]]),
    "p": np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]]),
    "r": np.array([[1.5, 2.0, -1.0, 4.0], [3.0, 0.5, 2.5, 1.0], [0.0, 7.0, 2.0, 6.0]]),
    "t": (np.arange(24.0) * 7 % 11).reshape(2, 3, 4),
    "d": np.float64(0.75),
    "n": np.int64(3),
}
# The letters of arrays, and how each gets sizes that are known only at the run.
SIZED = {
    name: f"{name}[:_k, :_k]" if name in "mp" else f"{name}[:_k]"
    for name, value in ARGUMENTS.items()
    if isinstance(value, np.ndarray)
}
SECTIONS = {
    "Elementwise": functions.ELEMENTWISE,
    "Reductions and running totals": functions.REDUCING,
    "Shapes and joining": functions.SHAPING,
    "Creation": functions.CREATING,
    "Searching, sorting and choosing": more_functions.SEARCHING,
    "Sets and counts": more_functions.SETS,
    "Comparing and asking": more_functions.COMPARING,
    "Linear algebra and products": more_functions.LINEAR,
    "Fourier transforms": more_functions.FOURIER,
    "Polynomials": more_functions.POLYNOMIALS,
    "Functions of functions, texts and the rest": more_functions.CALLING,
    "Methods, attributes and operators": methods.METHODS,
    "Functions that change an array": methods.CHANGING,
    "Sizes that depend on data": methods.SIZES,
}


# The functions of NumPy's namespaces, a call each.
def _sections(file: str) -> dict[str, str]:
    text = Path(__file__).with_name(file).read_text()
    return dict(part.split("\n", 1) for part in text.split("## ")[1:])


NAMESPACES = _sections("namespaces.txt")
SECTIONS |= NAMESPACES
# And those of SciPy, by its packages.
SCIPY = _sections("scipy.txt")


@dataclass(frozen=True)
class Row:
    """One call, in a section, of the function that the page names."""

    section: str
    function: str
    text: str
    used: tuple[str, ...] = ()

    @property
    def letters(self) -> list[str]:
        """The arguments that the text names."""
        return list(self.used) or letters_of(self.text)


def letters_of(text: str) -> list[str]:
    """The arguments that an expression names."""
    found = set(re.findall(r"(?<![\w.\"'])([a-z])(?![\w\"'])", text))
    return [name for name in ARGUMENTS if name in found]


@cache
def scipy_rows() -> list[Row]:
    """A call or two of each function of SciPy's."""
    return [
        Row(package, re.findall(r"scipy[.\w]+", text)[0], text)
        for package, lines in SCIPY.items()
        for text in lines.strip().splitlines()
    ]


_NAME = re.compile(r"np\.[\w.]+|(?<=[a-z)])\.\w+")


@cache
def rows() -> list[Row]:
    """All of them, in the order of the page."""
    return [
        Row(section, _name(line), text.strip())
        for section, lines in SECTIONS.items()
        for line in lines.strip().splitlines()
        for text in line.split(" | ")
    ]


def _name(line: str) -> str:
    first = line.split(" | ")[0]
    generator = first.removeprefix("np.random.default_rng(3)")
    if generator != first:
        return f"Generator{generator.partition('(')[0]}"
    found = _NAME.search(first)
    return first if found is None else found.group().rstrip(".")
