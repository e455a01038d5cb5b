"""if and while."""

import numpy as np

from tests.conformance.constructs.rows import Rows

ROWS = Rows("Statements: if and while")


@ROWS("if", 2.0, -2.0)
def if_alone(x):
    if x > 0:
        x = x * 2
    return x


@ROWS("if, else", 2.0, -2.0)
def if_else(x):
    if x > 0:
        y = x * 2
    else:
        y = -x
    return y


@ROWS("if, elif, else", 2.0, -2.0, 0.0)
def if_elif_else(x):
    if x > 0:
        y = 1.0
    elif x < 0:
        y = -1.0
    else:
        y = 0.0
    return y * x, y


@ROWS("if inside if", (2.0, 1.0), (2.0, -1.0), (-2.0, 1.0), (-2.0, -1.0))
def if_inside_if(x, y):
    if x > 0:
        if y > 0:
            z = x + y
        else:
            z = x - y
    else:
        z = y
        if y > 0:
            z = z * 10
    return z


@ROWS("if on the truth of a number or an array", ([1.0], 2), ([0.0], 0))
def if_on_truth(x, n):
    y = 0
    if x:
        y += 1
    if n:
        y += 10
    if not x:
        y += 100
    return y


@ROWS("if on the truth of an array of several (an error)", [1.0, 2.0])
def if_on_several(x):
    if x:
        return 1
    return 2


@ROWS("while", (1.0, 100.0), (200.0, 100.0))
def while_loop(x, limit):
    while x < limit:
        x = x * 2
    return x


@ROWS("while, else", (1.0, 100.0), (3.0, 100.0))
def while_else(x, limit):
    while x < limit:
        x = x * 2
        if x == 12:
            break
    else:
        x = -x
    return x


@ROWS("while True with break", 1.0, 50.0)
def while_true(x):
    while True:
        x = x + 1
        if x > 10:
            break
    return x


@ROWS("while inside while", (3.0, 2.0), (0.0, 2.0))
def while_inside_while(n, m):
    total = 0.0
    while n > 0:
        k = m
        while k > 0:
            total = total + n * k
            k -= 1
        n -= 1
    return total


@ROWS("while inside if inside for", ([3.0, -1.0, 5.0],), ([],))
def while_in_if_in_for(x):
    steps = 0
    for v in x:
        if v > 0:
            while v > 1:
                v = v / 2
                steps += 1
        else:
            steps += 10
    return steps


@ROWS("while with and, or, not, a chain", (0.0, 10.0), (7.0, 2.0))
def while_with_operators(x, y):
    while (0 <= x < 5 and not y < 3) or x == 7:
        x += 1
        y -= 1
    return x, y


@ROWS("while that starts with a constant and turns to data", [0.3, 0.6, 0.9])
def while_turns_to_data(x):
    done = False
    i = 0
    while not done:
        done = x[i] > 0.5
        i += 1
    return i


@ROWS("pass, ellipsis and other expressions as statements", 1.0, -1.0)
def passing(x):
    if x > 0:
        pass
    else:
        ...
    np.abs(x)
    return x
