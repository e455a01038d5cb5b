"""Functions whose graphs the tests of pictures draw."""

import random

import numpy as np

import autograph as ag
from runtime.graph import Graph, Node, Value
from runtime.op import OPS
from runtime.spec import TensorSpec


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
    """A program of `count` nodes, each of which mostly reads those before it."""
    source = random.Random(seed)
    spec = TensorSpec(("n",), float)
    inputs = [Value(spec) for _ in "abc"]
    known, nodes = list(inputs), []
    for _ in range(count):
        name = source.choice(("sin", "add", "multiply", "maximum", "subtract", "exp"))
        reads = 1 if name in ("sin", "exp") else 2
        among = known[-6:] if source.random() < near else known
        read = tuple(source.choice(among) for _ in range(reads))
        known.append(Value(spec))
        nodes.append(Node(OPS[name], read, {}, (known[-1],)))
    return Graph("long", tuple(inputs), tuple(nodes), tuple(known[-5:]))
