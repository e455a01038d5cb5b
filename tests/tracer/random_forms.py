"""Random calls of one function, each like one before it: as Python, and as graphs.

Arguments are nested at random and differ from call to call in a part, an order of keys,
a dtype, a size, a sign of zero; half of the calls repeat an earlier one.

    python -m tests.tracer.random_forms SEED COUNT
"""

import random
import sys
import warnings
from collections import OrderedDict
from typing import Any

import numpy as np

import autograph as ag
from tests.tracer.warm_calls import (
    Colour,
    Frozen,
    Layer,
    Other,
    Pair,
    Slim,
    observe,
)

CALLS = 14
ARRAYS = [
    *(np.arange(3.0), np.arange(3.0) + 5, np.ones((2, 2)), np.arange(3)),
    *(np.array([1, 2, 3], "f4"), np.zeros(0), np.array(2.0)),
]
OTHERS: list[Any] = [
    *(np.float64(2), np.int64(3), np.float32(1), np.bool_(True), np.int8(4)),
    *(1, 2, 3, 1.0, 0.0, -0.0, True, False, 2j, 2**70, float("nan")),
    *(None, "a", "b", b"a", Colour.RED, Colour.BLUE, ..., range(2), np.str_("q")),
]
RECORDS = (Pair, Other, Layer, Slim, Frozen)
OF_TWO = (Layer, Slim, Frozen)


def leaf(r: random.Random) -> Any:
    return r.choice(ARRAYS) if r.random() < 0.55 else r.choice(OTHERS)


def nested(r: random.Random, depth: int = 0) -> Any:
    if depth > 2 or r.random() < 0.5:
        return leaf(r)
    kind: Any = r.choice((tuple, list, dict, OrderedDict, *RECORDS))
    if kind in RECORDS:
        return kind(nested(r, depth + 1), nested(r, depth + 1))
    count = r.randint(0, 3)
    parts = [nested(r, depth + 1) for _ in range(count)]
    if kind in (tuple, list):
        return kind(parts)
    return kind(zip(r.sample("abcd", count), parts, strict=True))


def varied(thing: Any, r: random.Random) -> Any:
    """The same, but for one thing somewhere in it."""
    if r.random() < 0.25:
        return leaf(r)
    if isinstance(thing, RECORDS):
        first, second = thing if isinstance(thing, tuple) else (thing.w, thing.b)
        return type(thing)(varied(first, r), second)
    if isinstance(thing, (tuple, list)) and thing:
        parts = list(thing)
        at = r.randrange(len(parts))
        parts[at] = varied(parts[at], r)
        return type(thing)(parts)
    if isinstance(thing, dict) and thing:
        items = list(thing.items())
        if r.random() < 0.3:
            r.shuffle(items)
        else:
            at = r.randrange(len(items))
            items[at] = items[at][0], varied(items[at][1], r)
        return type(thing)(items)
    if isinstance(thing, np.ndarray):
        longer = np.concatenate([thing.ravel(), thing.ravel()])
        return r.choice([thing.astype("f4"), longer, thing.copy(), leaf(r)])
    return leaf(r)


def tell(thing, told):
    """All that a function can see of its arguments."""
    told.append(type(thing).__name__)
    if isinstance(thing, dict):
        for key in thing:
            told.append(key)
            tell(thing[key], told)
    elif isinstance(thing, (tuple, list)):
        for part in thing:
            tell(part, told)
    elif isinstance(thing, OF_TWO):
        tell(thing.w, told)
        tell(thing.b, told)
    elif isinstance(thing, (np.ndarray, np.generic)):
        told.append(thing)
        told.append(thing.shape)
    else:
        told.append(repr(thing))


def reading(*args, y=1, **named):
    told = []
    for thing in (*args, y, named):
        tell(thing, told)
    return told


def writing(x, y=2.0, z=None):
    told = []
    tell(y, told)
    tell(z, told)
    if isinstance(x, np.ndarray) and x.ndim == 1 and x.size > 1:
        x[0] = x[1] + 1
    if isinstance(y, np.ndarray) and y.ndim:
        told.append(y.sum())
    if isinstance(z, list):
        z.append(1)
    if isinstance(z, dict):
        z["n"] = x
    told.append(x)
    return told


def difference(seed: int) -> str:
    """What the first call differs in that does; nothing where all agree."""
    r = random.Random(seed)
    function = r.choice([reading, writing])
    staged = ag.function(function)
    base = [nested(r) for _ in range(r.randint(1, 3))]
    names = r.sample("yz" if function is writing else "yuv", r.randint(0, 1))
    made: list[Any] = []
    for _ in range(CALLS):
        if made and r.random() < 0.6:
            args, kwargs = r.choice(made)
        else:
            args, kwargs = list(base), {}
            if made:
                at = r.randrange(len(args))
                args[at] = varied(args[at], r)
            if names and len(args) > 1:
                kwargs = {names[0]: args.pop()}
            made.append((args, kwargs))
        python = observe(function, args, kwargs)
        graph = observe(staged, args, kwargs)
        if repr(python) != repr(graph):
            call = f"seed {seed}, {function.__name__}(*{args!r}, **{kwargs!r})"
            return f"{call}:\n  in Python    {python!r}\n  in the graph {graph!r}"
    return ""


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    first, count = map(int, sys.argv[1:3])
    found = [text for seed in range(first, first + count) if (text := difference(seed))]
    print(*found, f"{count} from seed {first}, {len(found)} differ", sep="\n")
