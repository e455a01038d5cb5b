"""by_hand: random programs made from seeds, run plain and as graphs by one command."""

import linecache
import sys
from collections.abc import Callable
from typing import Any

import autograph as ag


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
