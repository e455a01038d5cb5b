"""Recursive programs whose end depends on data, each with arguments to call it with.

They are what test_recursion.py runs as plain Python and as graphs.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

Program = Callable[..., Any]
N = np.int64
CASES: list[tuple[Program, tuple[Any, ...]]] = []


def of(*arguments: Any) -> Callable[[Program], Program]:
    """Enter the function below as a case, with these arguments."""

    def enter(program: Program) -> Program:
        CASES.append((program, arguments))
        return program

    return enter


@of(N(5))
def factorial(n):
    return 1 if n <= 1 else n * factorial(n - 1)


@of(N(10))
def fibonacci(n):
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


@of(N(2), N(3))
def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


@of(N(7))
def is_even(n):
    if n == 0:
        return True
    return is_odd(n - 1)


def is_odd(n):
    if n == 0:
        return False
    return is_even(n - 1)


@of(N(87))
def mccarthy(n):
    if n > 100:
        return n - 10
    return mccarthy(mccarthy(n + 11))


@of(N(48), N(18))
def common_divisor(a, b):
    return a if b == 0 else common_divisor(b, a % b)


@of(np.float64(1.5), N(10))
def power(x, n):
    if n == 0:
        return 1.0
    half = power(x, n // 2)
    if n % 2 == 0:
        return half * half
    return half * half * x


@of(np.float64(0.0), np.float64(2.0))
def root_of_two(low, high):
    return bisection(lambda t: t * t - 2, low, high)


def bisection(f, low, high, tolerance=1e-6):
    middle = (low + high) / 2
    if high - low < tolerance:
        return middle
    if f(low) * f(middle) <= 0:
        return bisection(f, low, middle, tolerance)
    return bisection(f, middle, high, tolerance)


# Arguments that change in kind, number or constant.


@of(N(27))
def collatz(n, steps=0):
    if n == 1:
        return steps
    return collatz(n // 2 if n % 2 == 0 else 3 * n + 1, steps + 1)


@of(N(5))
def accumulated(n, total=None):
    if total is None:
        total = 0
    if n <= 0:
        return total
    return accumulated(n - 1, total + n)


@of(N(3))
def flipped(n, flag=True):
    if n <= 0:
        return flag
    return flipped(n - 1, not flag)


@of(np.ones((2, 3)), N(3))
def by_turns(x, n):
    return along(x, 0, n)


def along(x, axis, n):
    if n <= 0:
        return x
    return along(np.cumsum(x, axis=axis), 1 - axis, n - 1)


@of(N(7))
def keyword_only(n):
    return steps_of(n, step=2)


def steps_of(n, *, step):
    if n <= 0:
        return 0
    return 1 + steps_of(n - step, step=step)


@of(N(3), np.float64(1.0))
def starred(*numbers):
    if numbers[0] <= 0:
        return numbers[1]
    return starred(numbers[0] - 1, numbers[1] * 2)


@of(N(3))
def promoted(n):
    if n <= 0:
        return 0.0
    return promoted(n - 1) + 0.5


@of(N(6))
def pair(n):
    if n == 0:
        return 0, 1
    a, b = pair(n - 1)
    return b, a + b


@of(N(4))
def rebuilt_list(n):
    return next_list(n, [0, 1.0])


def next_list(n, items):
    if n <= 0:
        return items
    return next_list(n - 1, [items[0] + 1, items[1] * 2])


TREE = {"at": 0.0, "low": {"at": -1.0, "low": 1.0, "high": 2.0}, "high": 3.0}


@of(N(-3))
def found_in_a_tree(x):
    return looked_up(TREE, x)


def looked_up(node, x):
    if isinstance(node, dict):
        if x > node["at"]:
            return looked_up(node["high"], x)
        return looked_up(node["low"], x)
    return node


@of(N(3))
def towers(n):
    move(n, "A", "B", "C")


def move(n, a, b, c):
    if n == 0:
        return
    move(n - 1, a, c, b)
    print("move", n, a, c)
    move(n - 1, b, a, c)


# Effects, and their order.


@of(N(3))
def down_and_up(n):
    print("down", n)
    if n > 0:
        down_and_up(n - 1)
    print("up", n)


@of(N(2))
def raised_at_the_end(n):
    print("in", n)
    if n == 0:
        raise KeyError("end")
    raised_at_the_end(n - 1)
    print("never")


@of(N(3))
def an_op_fails_at_the_end(n):
    if n == 0:
        return np.zeros(2)[n + 5]
    return an_op_fails_at_the_end(n - 1) + 1


@of(N(3))
def always_raises(n):
    if n < -2:
        raise ValueError(f"too low: {n}")
    return always_raises(n - 1)


class Sum:
    """A sum that a method adds to."""

    def __init__(self):
        self.total = 0.0

    def add(self, n):
        """Add n, n - 1, and so on; the sum."""
        self.total = self.total + n
        if n > 0:
            return self.add(n - 1)
        return self.total


@of(np.float64(4.0))
def method(n):
    kept = Sum()
    return kept.add(n), kept.total


# Nested functions.


@of(N(5))
def counted(n):
    count = 0

    def visit(k):
        nonlocal count
        count += 1
        if k > 1:
            visit(k - 1)
            visit(k - 2)

    visit(n)
    return count


@of(np.float64(3.0))
def nested(x):
    def doublings(y, depth):
        if y > 100:
            return depth
        return doublings(y * 2, depth + 1)

    return doublings(x, 0)


@of(N(5))
def a_lambda(n):
    f = lambda k: 1 if k <= 0 else 2 * f(k - 1)
    return f(n)


@of(N(4))
def nested_and_mutual(n):
    seen = 0

    def even(k):
        nonlocal seen
        seen += 1
        return True if k == 0 else odd(k - 1)

    def odd(k):
        nonlocal seen
        seen += 10
        return False if k == 0 else even(k - 1)

    return even(n), seen
