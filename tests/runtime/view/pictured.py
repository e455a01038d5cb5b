"""Functions whose graphs the tests of pictures draw."""

import random

import numpy as np

import autograph as ag
from runtime.graph import Graph
from runtime.text import parse


def clip(v, top):
    w = v * 2
    if w > top:
        w = top - w
    return w + 1


@ag.function
def search(x, limit):
    steps = 0
    best = x[0]
    while np.sum(x) > limit:
        x = x * 0.5
        y = clip(x[0], best)
        if y > best:
            best = y
        else:
            best = best - 0.25
        steps += 1
    print("steps", steps)
    return steps, best, x


def searching() -> Graph:
    """A loop with a branch and a called function in it, which prints."""
    return search.get_concrete_function(np.ones(3), np.float64(2)).graph


def long_graph(count: int, seed: int = 3, near: float = 0.93) -> Graph:
    """A program of `count` lines, each of which mostly reads the lines before it."""
    source = random.Random(seed)
    names = ["a", "b", "c"]
    lines = ["graph long(a: float64[n], b: float64[n], c: float64[n]) {"]
    for number in range(count):
        known = names[-6:] if source.random() < near else names
        op = source.choice(("sin", "add", "multiply", "maximum", "subtract", "exp"))
        reads = 1 if op in ("sin", "exp") else 2
        inputs = ", ".join(source.choice(known) for _ in range(reads))
        lines.append(f"  v{number}: float64[n] = {op}({inputs})")
        names.append(f"v{number}")
    lines.append(f"  return {', '.join(names[-5:])} }}")
    return parse("\n".join(lines))
