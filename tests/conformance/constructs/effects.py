"""Side effects on what is not the function's own."""

import io
import os
import sys
import warnings
from dataclasses import dataclass

from tests.conformance.constructs.rows import Plain, Rows, argument

ROWS = Rows("Side effects")
ROW = [1.0, -2.0, 3.0]
total = 0
seen: list = []
words: list = []
known: dict = {}
COLOURS = ["red", "blue"]


class Config:
    """A class outside."""

    calls = 0


@dataclass
class Counter:
    """An object outside."""

    calls: int = 0


@ROWS("print in a loop", (ROW,), ([],))
def prints(x):
    for v in x:
        if v > 0:
            print(v)


@ROWS("a global is counted up", (ROW,), ([],))
def writes_global(x):
    global total
    total = 0
    for v in x:
        if v > 0:
            total += 1
    return total


@ROWS("append of data to an outer list", (ROW,), ([],))
def appends_outer(x):
    seen.clear()
    for v in x:
        if v > 0:
            seen.append(v)
    return len(seen)


@ROWS("append of constants to an outer list", 1.0, -1.0)
def appends_constant(x):
    if x > 0:
        words.append("up")


@ROWS("a key of an outer dict", 1.0, -1.0)
def sets_outer_key(x):
    if x > 0:
        known["x"] = 1
    return len(known)


@ROWS("an attribute of an outer class", 1.0, -1.0)
def sets_outer_attribute(x):
    Config.calls = 0
    if x > 0:
        Config.calls += 1
    return Config.calls


@ROWS("an outer list is read", 1.0, -1.0)
def reads_outer(x):
    return x * len(COLOURS) if x > 0 else x


@ROWS("a file is written", 1.0, -1.0)
def writes_file(x):
    with open(os.devnull, "w") as file:
        if x > 0:
            file.write("up")
    return x


@ROWS("print to a file", 1.0, -1.0)
def prints_to(x):
    if x > 0:
        print(x, file=sys.stdout)
    else:
        print("below", x, file=sys.stderr)


@ROWS("sys.stdout.write", 1.0, -1.0)
def writes_out(x):
    if x > 0:
        sys.stdout.write("up\n")
    return x


@ROWS("text is gathered in a StringIO", 1.0, -1.0)
def gathers(x):
    out = io.StringIO()
    print("a", x, file=out)
    if x > 0:
        out.write("up")
    return out.getvalue()


@ROWS("warnings.warn", 1.0, note="shown by the test's own filter")
def warns(x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.warn("careful", stacklevel=1)
    return x


@ROWS("an iterator outside is asked", 1.0, -1.0)
def asks_outer(x):
    numbers = iter([1.0, 2.0, 3.0])
    first = next(numbers)
    if x > 0:
        first += next(numbers)
    return first, next(numbers)


@ROWS("an object given as argument", (Plain(Counter()), 1.0), (Plain(Counter()), -1.0))
def changes_object(config, x):
    if x > 0:
        config.calls = config.calls + 1
    return config.calls


@ROWS(
    "a dict given as argument",
    Plain({"a": argument(1.0)}),
    Plain({"a": argument(-1.0)}),
)
def changes_dict(d):
    if d["a"] > 0:
        d["b"] = d["a"] * 2
    return len(d)


@ROWS("a list as a record of what ran", (ROW,), ([],))
def records(x):
    log = ["start"]
    for v in x:
        log.append("up" if v > 0 else "down")
    return log
