"""by_hand: random programs made from seeds, run plain and as graphs by one command."""

import linecache
import random
import sys
from collections.abc import Callable, Sequence
from typing import Any

import autograph as ag
from tests.conformance.harness import agrees_strictly, disagreement, observe


def indented(lines: Sequence[str]) -> list[str]:
    """The lines of a block."""
    return [f"    {line}" for line in lines]


def branch(test: str, draw: random.Random, step: Callable[[], list[str]]) -> list[str]:
    """The lines of an `if`, every other time with an `else`; step: writes a block."""
    made = [f"if {test}:", *indented(step())]
    if draw.random() < 0.5:
        made += ["else:", *indented(step())]
    return made


def differing(plain: Any, staged: Any, given: tuple[Any, ...]) -> str | None:
    """How a call differs from Python's; None: it agrees."""
    python = observe(plain, given)
    found = disagreement(python, observe(staged, given))
    # What fails and is not used is not run.
    if found is None or (
        python.raised and agrees_strictly(ag.function(plain), given, python)
    ):
        return None
    return found.sentence


def function_of(text: str, name: str) -> Any:
    """The function `f` of a program's text, whose lines are found under `name`."""
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    made: dict[str, Any] = {}
    exec(compile(text, name, "exec"), made)
    return made["f"]


def report(program: Callable[[int], str], fault: Callable[[int], str | None]) -> None:
    """Try the programs from a seed on, `SEED COUNT`, and print those that differ."""
    first, count = map(int, sys.argv[1:])
    with ag.config(strict=True):
        faults = {seed: fault(seed) for seed in range(first, first + count)}
    differ = {seed: words for seed, words in faults.items() if words is not None}
    for at, words in differ.items():
        print(f"{program(at)}\n{at}: {words}\n")
    print(f"{count} programs, {len(differ)} differ or are refused: {[*differ]}")
