"""break, continue and return."""

import contextlib

import numpy as np

from tests.conformance.constructs.rows import Rows

ROWS = Rows("Statements: break, continue, return")
ROW = [1.0, -2.0, 3.0, 0.5]


@contextlib.contextmanager
def printed(name):
    print("in", name)
    try:
        yield name
    finally:
        print("out", name)


@ROWS("break", (ROW,), ([1.0],))
def breaks(x):
    total = 0.0
    for v in x:
        if v < 0:
            break
        total += v
    return total


@ROWS("continue", (ROW,), ([1.0],))
def continues(x):
    total = 0.0
    for v in x:
        if v < 0:
            continue
        total += v
    return total


@ROWS("break and continue in nested loops", (3, ROW), (0, ROW))
def breaks_in_nested(n, x):
    total = 0.0
    while n > 0:
        n -= 1
        for v in x:
            if v < 0:
                continue
            if v > n:
                break
            total += v
        else:
            continue
        if total > 5:
            break
    return n, total


@ROWS("return in an if", 1.0, -1.0)
def returns_in_if(x):
    if x > 0:
        return x * 2
    return -x


@ROWS("return in a for over data", (ROW,), ([1.0],))
def returns_in_for(x):
    for i, v in enumerate(x):
        if v < 0:
            return i
    return -1


@ROWS("return in a while", (1.0, 50.0), (7.0, 50.0))
def returns_in_while(x, limit):
    while x < limit:
        if x == 14:
            return "found", x
        x = x * 2
    return "none", x


@ROWS("return in a loop in a loop", (3, ROW), (1, ROW))
def returns_in_nested(n, x):
    for i in range(n):
        for v in x:
            if v > i + 1.5:
                return v, i
    return x[0], -1


@ROWS("return of different kinds of things", 1.0, -1.0, 0.0)
def returns_kinds(x):
    if x > 0:
        return x, [x]
    if x < 0:
        return "negative"
    return None


@ROWS("return without a value, or none", 1.0, -1.0)
def returns_nothing(x):
    if x > 0:
        print("positive")
        return
    print("negative")


@ROWS("return in a with", 1.0, -1.0)
def returns_in_with(x):
    with printed("a"):
        if x > 0:
            return x
        print("stays")
    return -x


@ROWS("break and continue in a with in a loop", (ROW,), ([3.0],))
def breaks_in_with(x):
    total = 0.0
    for v in x:
        with printed("step"):
            if v < 0:
                continue
            if v > 2:
                break
            total += v
    return total


@ROWS("return and break in try and finally", (ROW,), ([0.5],))
def returns_in_try(x):
    total = 0.0
    for v in x:
        try:
            if v < 0:
                continue
            if v > 2:
                return total
            total += v
        finally:
            total += 100
    return total


@ROWS("what follows a return is not run", 1.0, -1.0)
def nothing_after(x):
    y = np.zeros(2)
    if x > 0:
        return y
        y[0] = 1
    y[1] = x
    return y
