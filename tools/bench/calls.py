"""What each kind of warm call costs above the compiled graph itself.

The compiled graph is one flat Python function of arrays; it is called with the same
arrays, by turns with the call that is measured. What is left is what a call of a
decorated function adds: finding its trace, looking at what the trace has read outside,
and making what it returns.

With --native what can be is machine code at once, as it is after many calls; the whole
call is what counts then.

    python tools/bench/calls.py [--repeats N] [--native] [KIND ...]
"""

import argparse
import statistics
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

# The project's folder in place of this one, whose files are named like Python's own.
sys.path.pop(0)
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import autograph as ag
from tracer import tree

# Few at a time: another program that comes in between spoils few of the repeats.
CALLS = 100
X, Y, Z = np.arange(4.0), np.ones(4), np.full(4, 2.0)
SCALE, TOTAL = 2.0, 0.0


class Pair(NamedTuple):
    """A namedtuple of arrays."""

    a: Any
    b: Any


@dataclass
class Layer:
    """A dataclass of arrays."""

    w: Any
    b: Any


class Model:
    """An object with numbers, arrays and a Variable."""

    def __init__(self) -> None:
        self.scale = 2.0
        self.total = ag.Variable(np.zeros(4))
        self.n, self.w, self.kept = 0, np.ones(4), np.ones(4)

    @ag.function
    def pure(self, x: Any) -> Any:
        """A method that reads nothing of the object."""
        return x + x

    @ag.function
    def scaled(self, x: Any) -> Any:
        """A method that reads an attribute."""
        return x * self.scale

    @ag.function
    def numbered(self, x: Any) -> Any:
        """A method that counts its calls."""
        self.n += 1
        return x + x

    @ag.function
    def step(self, x: Any) -> None:
        """A method that puts another array in the place of one."""
        self.w = self.w - 0.1 * x

    @ag.function
    def write(self, x: Any) -> None:
        """A method that changes an array."""
        self.kept -= 0.1 * x

    @ag.function
    def counted(self, x: Any) -> Any:
        """A method that changes a Variable."""
        self.total.assign_add(x)
        return x + x


@dataclass
class Kind:
    """One kind of call. more: arguments for further calls, which widen the trace."""

    name: str
    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    more: tuple[tuple[Any, ...], ...] = ()


def kinds() -> Iterator[Kind]:
    """All of them."""
    add = ag.function(lambda x, y: x + y)
    yield Kind("by position", add, (X, Y), {})
    yield Kind("one array twice", add, (X, X), {})
    yield Kind("NumPy scalars", add, (np.float64(1), np.float64(2)), {})
    yield Kind("by keyword", ag.function(lambda x, y: x + y), (X,), {"y": Y})
    of_defaults = ag.function(lambda x, scale=2, name="a": x * scale)
    yield Kind("defaults left out", of_defaults, (X,), {})
    yield Kind("*args", ag.function(lambda *xs: xs[0] + xs[1]), (X, Y), {})
    yield Kind("**kwargs", ag.function(lambda **k: k["x"] + k["y"]), (), dict(x=X, y=Y))
    yield from _structures()
    yield from _signatures()
    yield from _constants()
    yield from _in_place()
    yield from _outside()
    both = ag.function(lambda x, y: (x + y, {"d": x - y}))
    yield Kind("gives a tuple and a dict", both, (X, Y), {})


def _structures() -> Iterator[Kind]:
    first = ag.function(lambda p: p[0] + p[1])
    yield Kind("a tuple", first, ((X, Y),), {})
    yield Kind("a list", first, ([X, Y],), {})
    yield Kind(
        "a dict", ag.function(lambda p: p["a"] + p["b"]), ({"a": X, "b": Y},), {}
    )
    yield Kind("a namedtuple", ag.function(lambda p: p.a + p.b), (Pair(X, Y),), {})
    yield Kind("a dataclass", ag.function(lambda p: p.w + p.b), (Layer(X, Y),), {})
    layers = ag.function(lambda x, ps: ps[0]["w"] * x + ps[1]["b"] + ps[2]["b"])
    params = [{"w": X + i, "b": Y + i} for i in range(3)]
    yield Kind("six arrays, nested", layers, (X, params), {})


def _signatures() -> Iterator[Kind]:
    exact = ag.function(lambda x: x + x, input_signature=[ag.TensorSpec([4], float)])
    yield Kind("input_signature", exact, (X,), {})
    rows = ag.function(lambda x: x + x, input_signature=[ag.TensorSpec([None], float)])
    yield Kind("input_signature, any size", rows, (X,), {})
    number = ag.function(lambda x: x + x, input_signature=[ag.TensorSpec([], float)])
    yield Kind("input_signature, a number", number, (2.5,), {})
    add = ag.function(lambda x, y: x + y)
    yield Kind("a concrete function", add.get_concrete_function(X, Y), (X, Y), {})


def _constants() -> Iterator[Kind]:
    scale = ag.function(lambda x, n: x * n)
    yield Kind("an int", scale, (X, 3), {})
    yield Kind("a float", ag.function(lambda x, n: x * n), (X, 2.5), {})
    ints = ag.function(lambda x, n: x * n)
    yield Kind("many ints", ints, (X, 3), {}, tuple((X, n) for n in range(50)))
    floats = ag.function(lambda x, n: x * n)
    yield Kind(
        "many floats", floats, (X, 2.5), {}, tuple((X, n / 3) for n in range(50))
    )
    sizes = ag.function(lambda x: x + x)
    yield Kind("many sizes", sizes, (X,), {}, tuple((np.ones(n),) for n in range(50)))
    mode = ag.function(lambda x, mode: x + x if mode == "fast" else x)
    yield Kind("a text", mode, (X, "fast"), {})
    function = ag.function(lambda x, f: f(x))
    yield Kind("a function", function, (X, np.negative), {})


def _in_place() -> Iterator[Kind]:
    @ag.function
    def fill(x: Any) -> None:
        x[0] = 1.0

    @ag.function
    def store(x: Any, y: Any) -> None:
        x[0] = y[1]

    @ag.function
    def append(xs: Any, y: Any) -> None:
        xs[0] = y + 1

    yield Kind("changes an array", fill, (X.copy(),), {})
    yield Kind("changes one of two", store, (X.copy(), Y), {})
    yield Kind("changes a list", append, ([X], Y), {})


def _outside() -> Iterator[Kind]:
    a, b, c, d = 1.0, 2.0, 3.0, 4.0
    total = ag.Variable(np.zeros(4))
    model = Model()

    def counted(x: Any) -> Any:
        total.assign_add(x)
        return x + x

    held: list[Any] = [0.0]

    def changing(x: Any) -> Any:
        held[0] += 1.0
        return x + held[0]

    yield Kind("changes a list outside", ag.function(changing), (X,), {})
    yield from _changing(model)
    yield Kind("reads a global", ag.function(lambda x: x * SCALE), (X,), {})
    yield Kind("reads a closure", ag.function(lambda x: x * a), (X,), {})
    four = ag.function(lambda x: x * (a + b + c + d))
    yield Kind("reads four closures", four, (X,), {})
    yield Kind("a Variable", ag.function(counted), (X,), {})
    yield Kind("a method", model.pure, (X,), {})
    yield Kind("a method, an attribute", model.scaled, (X,), {})
    yield Kind("a method, a Variable", model.counted, (X,), {})


def _changing(model: Model) -> Iterator[Kind]:
    """Calls that change places outside of other kinds."""
    table, log, calls = {"a": 0.0}, list[Any](), 0

    def item(x: Any) -> Any:
        table["a"] += 1.0
        return x + table["a"]

    def append(x: Any) -> Any:
        log.append(x[0])
        return x + x

    def around(x: Any) -> Any:
        nonlocal calls
        calls += 1
        return x + x

    yield Kind("changes a dict outside", ag.function(item), (X,), {})
    yield Kind("appends to a list outside", ag.function(append), (X,), {})
    yield Kind("changes a closure", ag.function(around), (X,), {})
    yield Kind("changes a global", ag.function(_change_total), (X,), {})
    yield Kind("changes an attribute", model.numbered, (X,), {})
    yield Kind("puts an array in one", model.step, (X,), {})
    yield Kind("changes an array there", model.write, (X,), {})


def _change_total(x: Any) -> Any:
    global TOTAL
    TOTAL += 1.0
    return x + x


def measure(kind: Kind, repeats: int) -> tuple[float, float]:
    """Medians in us: of the compiled graph, and of what the call adds."""
    for args in kind.more:
        kind.function(*args)
    for _ in range(3):
        kind.function(*kind.args, **kind.kwargs)
    run, leaves = compiled(kind)
    function, args, kwargs = kind.function, kind.args, kind.kwargs
    alone, added = [], []
    for _ in range(repeats):
        start = perf_counter()
        for _ in range(CALLS):
            run(*leaves)
        middle = perf_counter()
        for _ in range(CALLS):
            function(*args, **kwargs)
        end = perf_counter()
        alone.append(middle - start)
        added.append(end - middle - alone[-1])
    unit = 1e6 / CALLS
    return statistics.median(alone) * unit, statistics.median(added) * unit


def compiled(kind: Kind) -> tuple[Callable[..., Any], list[Any]]:
    """The compiled graph that a call runs, and its inputs."""
    function: Any = kind.function
    args = kind.args
    if hasattr(function, "__self__"):
        args, function = (function.__self__, *args), function.__func__
    if not hasattr(function, "lookup"):
        leaves = tree.flatten((args, kind.kwargs))[0]
        return function.run, [leaves[i] for i in function.traced.inputs]
    concrete, leaves, _ = function.lookup._look_up(args, kind.kwargs)
    if concrete.outer is not None:
        leaves = [*leaves, *concrete.outer.read()]
    return concrete.run, [leaves[i] for i in concrete.traced.inputs]


def main() -> None:
    """Print a row for each kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=99)
    parser.add_argument("--native", action="store_true")
    parser.add_argument("kinds", nargs="*")
    options = parser.parse_args()
    if options.native:
        ag.config(backend="native")
    head = f"{'':28}{'graph':>8}{'call adds':>12}{'whole call':>12}"
    print(f"{head}   us, medians of {options.repeats}")
    for kind in kinds():
        if not options.kinds or kind.name in options.kinds:
            alone, added = measure(kind, options.repeats)
            figures = f"{alone:8.2f}{added:+12.2f}{alone + added:12.3f}"
            print(f"{kind.name:28}{figures}", flush=True)


if __name__ == "__main__":
    main()
