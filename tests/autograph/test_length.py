"""How long converted code is: at most 6 times the lines, and linear in characters."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import gast
import numpy as np
import pytest

import autograph as ag
from autograph.converting import convert_tree
from autograph.syntax.unparse import unparse
from runtime.depth import deeper
from tests.autograph.converters.samples import observe
from tools.bench.shared.shapes import SHAPES

MOST = 6

# A function of x for each: its first lines, a piece for each k, its last lines.
DENSE = {
    "ifs of their own names": (
        "    for i in range(x):\n",
        "        if i > {k}:\n            a{k} = i\n",
        "    return x\n",
    ),
    "ifs": ("", "    if x > {k}:\n        x -= 1\n", "    return x\n"),
    "an if in a for": (
        "    y = 0\n",
        "    for i{k} in range(x):\n        if i{k} > y:\n            y += i{k}\n",
        "    return y\n",
    ),
    "fors of their own names": (
        "    y = 0\n",
        "    for i{k} in range(x):\n        y += i{k}\n",
        "    return y\n",
    ),
    "for with break and else": (
        "    y = 0\n",
        "    for i in range(x):\n        if i > y:\n            break\n"
        "    else:\n        y = {k}\n",
        "    return y\n",
    ),
    "continue and return": (
        "    y = 0\n",
        "    for i{k} in range(x):\n        if i{k} > y:\n            continue\n"
        "        if i{k} > 5:\n            return y\n        y += 1\n",
        "    return y\n",
    ),
    "returns in loops": (
        "",
        "    for i in range(x):\n        if i > {k}:\n            return i\n",
        "    return x\n",
    ),
    "try in a loop": (
        "    y = 1\n    for i in range(x):\n",
        "        try:\n            y = {k} // (i - y)\n"
        "        except ZeroDivisionError as error:\n            y = 3\n",
        "    return y\n",
    ),
    "try with finally": (
        "    y = 1\n",
        "    try:\n        y = {k} // (x - y)\n    except ZeroDivisionError:\n"
        "        y = 3\n    else:\n        y += 1\n    finally:\n        y += 5\n",
        "    return y\n",
    ),
    "match": (
        "    y = -1\n    match x:\n",
        "        case {k}:\n            y = {k} + 1\n",
        "    return y\n",
    ),
    "match with captures and guards": (
        "    y = -1\n    match (x, x):\n",
        "        case (z, {k}) if z > {k}:\n            y = {k}\n",
        "    return y\n",
    ),
    "comprehensions": (
        "",
        "    y = [v for v in range(x) if v > {k}]\n",
        "    return y\n",
    ),
    "comprehensions that unpack": (
        "",
        "    y = [v + w for v, w in [(x, {k})]]\n",
        "    return y\n",
    ),
    "while with else": (
        "",
        "    while x < {k}:\n        x += 1\n    else:\n        x -= 1\n",
        "    return x\n",
    ),
    "while True with break": (
        "",
        "    while True:\n        x += 1\n        if x > {k}:\n            break\n",
        "    return x\n",
    ),
    "ifs on one line": ("", "    if x > {k}: x -= 1\n", "    return x\n"),
    "comprehensions that bind": (
        "",
        "    y = [w for v in range(x) if (w := v - {k}) > 1]\n",
        "    return y\n",
    ),
    "walrus in operands": (
        "",
        "    if x and (n{k} := x - 1) > {k}:\n        x = n{k}\n",
        "    return x\n",
    ),
    "walrus in tests": (
        "",
        "    if (n{k} := x - 1) > {k}:\n        x = n{k}\n",
        "    return x\n",
    ),
    "functions inside": (
        "",
        "    def f{k}(y):\n        if y > {k}:\n            y = 1\n        return y\n"
        "    x = f{k}(x) + 1\n",
        "    return x\n",
    ),
    "raises": (
        "",
        "    if x == {k} + 20:\n        raise ValueError({k})\n",
        "    return x\n",
    ),
}


def converted(source: str) -> str:
    """The text of the converted form of the last function."""
    with deeper():
        *_, node = gast.parse(source).body
        return unparse(convert_tree(node)[0])


def factor(source: str) -> float:
    """How many times the lines of the source its converted form has."""
    return len(converted(source).splitlines()) / len(source.splitlines())


def dense(name: str, size: int = 20) -> str:
    first, piece, last = DENSE[name]
    pieces = "".join(piece.format(k=k) for k in range(size))
    return f"def program(x):\n{first}{pieces}{last}"


def loaded(text: str, path: Path) -> Callable[..., Any]:
    path.write_text(text)
    scope: dict[str, Any] = {}
    exec(compile(text, str(path), "exec"), scope)
    return scope["program"]


@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_of_the_bench_stays_within_the_factor(name: str) -> None:
    shape = SHAPES[name]
    assert factor(shape.source(shape.size // 2)) <= MOST


def test_the_deepest_loops_stay_within_the_factor() -> None:
    shape = SHAPES["nested loops"]
    assert factor(shape.source(shape.size)) <= MOST


@pytest.mark.parametrize("name", DENSE)
def test_dense_code_stays_within_the_factor(name: str) -> None:
    assert factor(dense(name)) <= MOST


@pytest.mark.parametrize("name", DENSE)
def test_dense_code_does_what_python_does(name: str, tmp_path: Path) -> None:
    program = loaded(dense(name, 4), tmp_path / "program.py")
    python = ag.convert(program)
    for x in (0, 2, 7, 23):
        assert observe(python, (x,)) == observe(program, (x,))
    x = (np.int64(2),)
    assert observe(ag.function(program), x) == observe(program, x)


@pytest.mark.parametrize("name", ["elif", "early returns", "ifs in a loop", "breaks"])
def test_twice_the_source_is_twice_the_characters(name: str) -> None:
    source = SHAPES[name].source
    small, large = source(50), source(100)
    grown = len(converted(large)) / len(converted(small))
    assert grown <= 1.1 * len(large) / len(small)


def test_a_chain_is_as_deep_as_its_source() -> None:
    for name in ("elif", "early returns"):
        lines = converted(SHAPES[name].source(50)).splitlines()
        assert max(len(line) - len(line.lstrip()) for line in lines) == 8
