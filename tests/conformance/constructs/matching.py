"""match."""

from dataclasses import dataclass

import numpy as np

from tests.conformance.constructs.rows import Plain, Rows

ROWS = Rows("Statements: match")


@dataclass
class Point:
    x: float
    y: float


@ROWS("literals and the wildcard", 0, 1, 5)
def match_literals(n):
    match n:
        case 0:
            return "none"
        case 1 | 2:
            return "few"
        case _:
            return "many"


@ROWS("captures", 1.0, -1.0)
def match_capture(x):
    match x * 2:
        case y:
            if y > 0:
                return y
    return -y


@ROWS("guards", (1, 2.0), (1, -2.0), (2, 2.0))
def match_guards(n, x):
    match n:
        case 1 if x > 0:
            y = x
        case k if k > 1:
            y = x * k
        case _:
            y = -x
    return y


@ROWS("sequences", (0, 1.0), (1, 0.0), (2, 3.0))
def match_sequences(n, x):
    match (n, x):
        case (0, value):
            return value
        case (1, 0.0):
            return 10.0
        case [first, *rest]:
            return first + rest[0]


@ROWS("mappings", Plain({"kind": np.int64(1), "x": np.float64(3.0)}))
def match_mappings(d):
    match d:
        case {"kind": 0, "x": x}:
            return x
        case {"kind": 1, "x": x, **rest}:
            return x * 2, len(rest)
    return None


@ROWS("classes", (0.0, 1.0), (1.0, 0.0), (2.0, 3.0))
def match_classes(x, y):
    match Point(x, y):
        case Point(x=0.0, y=up):
            return "up", up
        case Point(right, 0.0):
            return "right", right
        case Point(a, b):
            return "both", a + b


@ROWS("classes of values", 1.0, 2)
def match_types(x):
    match x:
        case float():
            return "float"
        case int():
            return "int"
        case np.integer():
            return "np.integer"
    return "other"


@ROWS("as, or, nested", (0, 1.0), (3, 1.0), (4, -1.0))
def match_nested(n, x):
    match (n, (x, n)):
        case (0 | 3 as k, (v, _)) if v > 0:
            return k * v
        case (_, (v, m)):
            return v - m


@ROWS("match inside a loop, with break", [1, 3, 0, 2])
def match_in_loop(x):
    total = 0
    for n in x:
        match n:
            case 0:
                break
            case 1:
                continue
            case _:
                total += n
    return total
