"""Programs of one shape and any size, on which conversion and tracing could blow up.

Each row of SHAPES is a function from a size to the source of a function `program` of
one number, and a size and an argument to use.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np


class Shape(NamedTuple):
    """One row: how the source is made, how large, and the argument to call it with."""

    source: Callable[[int], str]
    size: int
    argument: np.generic


def lines(*texts: str, indent: int = 1) -> str:
    """The texts as indented lines."""
    return "".join(f"{'    ' * indent}{text}\n" for text in texts)


def program(body: Iterable[str]) -> str:
    """The function with this body, in pieces of text that are indented already."""
    return "def program(x):\n" + "".join(body)


def mixed(size: int) -> str:
    """`size` lines of ifs, loops and NumPy."""
    body = [lines("y = x")]
    for k in range(size // 12):
        body.append(
            lines(f"if y > {k}:")
            + lines(f"y = y * 0.5 + {k}", f"z{k} = y - 1", indent=2)
            + lines("else:")
            + lines(f"z{k} = x", indent=2)
            + lines("for i in range(2):")
            + lines(f"y = y + i * z{k}", indent=2)
            + lines(f"while y > {k}:")
            + lines("y = y / 2", indent=2)
            + lines("y = np.sqrt(np.abs(y))", f"w{k} = y if y > 1 else x", f"y = w{k}")
        )
    return program([*body, lines("return y")])


def nested_ifs(size: int) -> str:
    """Ifs inside one another; one space each, since Python has a limit."""
    body = [
        f"    {' ' * k}if x > {k}:\n     {' ' * k}y = y + {k}\n" for k in range(size)
    ]
    return program([lines("y = x"), *body, lines("return y")])


def ifs_in_a_loop(size: int) -> str:
    """Ifs one after the other in a loop."""
    body = [
        lines(f"if y > {k}:", indent=2) + lines(f"y = y + {k}", indent=3)
        for k in range(size)
    ]
    head = lines("y = x", "while y < 1000:") + lines("y = y + 1", indent=2)
    return program([head, *body, lines("return y")])


def early_returns(size: int) -> str:
    """Ifs that return, one after the other."""
    body = [
        lines(f"if x == {k}:") + lines(f"return x * {k}", indent=2) + lines("x = x + 1")
        for k in range(size)
    ]
    return program([*body, lines("return x")])


def elifs(size: int) -> str:
    """One if with many elifs."""
    body = [lines(f"elif x == {k}:") + lines(f"y = {k}", indent=2) for k in range(size)]
    end = lines("else:") + lines("y = -5", indent=2) + lines("return y")
    return program([lines("if x == -1:"), lines("y = 0", indent=2), *body, end])


def breaks(size: int) -> str:
    """Pairs of nested loops, both left by breaks."""
    body = [
        lines(f"for i{k} in range(3):")
        + lines(f"j{k} = 0", f"while j{k} < x:", indent=2)
        + lines(f"j{k} += 1", f"if t > {k * 5 + 5}:", indent=3)
        + lines("break", indent=4)
        + lines("t += 0.5", indent=3)
        + lines(f"if t > {k * 7 + 9}:", indent=2)
        + lines("break", indent=3)
        for k in range(size)
    ]
    return program([lines("t = 0.0"), *body, lines("return t")])


def nested_loops(size: int) -> str:
    """An if inside loops inside one another: Python allows 20."""
    body = [lines(f"for i{k} in range(x):", indent=k + 1) for k in range(size)]
    inner = lines(f"if i0 == i{size - 1}:", indent=size + 1)
    inner += lines("t += 1", indent=size + 2)
    return program([lines("t = 0"), *body, inner, lines("return t")])


def nested_functions(size: int) -> str:
    """Functions inside one another."""
    body = [lines(f"def f{k}(x):", indent=k + 1) for k in range(size)]
    end = [lines(f"return f{k}(x)", indent=k + 1) for k in reversed(range(size))]
    return program([*body, lines("return x if x > 0 else -x", indent=size + 1), *end])


def calls(size: int) -> str:
    """Calls inside one another."""
    whole = "f(" * size + "x" + ")" * size
    return "def f(x):\n    return x + 1\n\n\n" + program([lines(f"return {whole}")])


def parentheses(size: int) -> str:
    """An expression of many levels."""
    whole = "(" * size + "x" + "".join(f" + {k})" for k in range(size))
    return program([lines(f"return {whole}")])


def chain_of_or(size: int) -> str:
    """One `or` with many operands."""
    return program([lines("return " + " or ".join(f"x == {k}" for k in range(size)))])


def chain_of_and(size: int) -> str:
    """One `and` with many operands."""
    return program([lines("return " + " and ".join(f"x != {k}" for k in range(size)))])


def conditional_expressions(size: int) -> str:
    """Conditional expressions inside one another."""
    whole = "x"
    for k in range(size):
        whole = f"({k}.0 if x == {k} else {whole})"
    return program([lines(f"return {whole}")])


def many_names(size: int) -> str:
    """Names that an if and a loop change, all of them."""
    names = [f"a{k}" for k in range(size)]
    first = lines(*(f"{name} = x + {k}" for k, name in enumerate(names)))
    twice = lines(*(f"{name} = {name} * 2" for name in names), indent=2)
    more = lines(*(f"{name} = {name} + 1" for name in names), indent=2)
    body = [first, lines("if x > 0:"), twice, lines("while a0 < 50:"), more]
    return program([*body, lines("return " + " + ".join(names))])


SHAPES: dict[str, Shape] = {
    "1,000 lines": Shape(mixed, 1000, np.float64(3)),
    "nested ifs": Shape(nested_ifs, 90, np.float64(50)),
    "ifs in a loop": Shape(ifs_in_a_loop, 80, np.float64(0)),
    "early returns": Shape(early_returns, 200, np.int64(500)),
    "elif": Shape(elifs, 200, np.int64(150)),
    "breaks": Shape(breaks, 60, np.float64(3)),
    "nested loops": Shape(nested_loops, 20, np.int64(1)),
    "nested functions": Shape(nested_functions, 18, np.float64(-2)),
    "calls": Shape(calls, 100, np.float64(1)),
    "parentheses": Shape(parentheses, 100, np.float64(1)),
    "or": Shape(chain_of_or, 200, np.int64(150)),
    "and": Shape(chain_of_and, 200, np.int64(150)),
    "conditional": Shape(conditional_expressions, 60, np.float64(20)),
    "300 names": Shape(many_names, 300, np.float64(1)),
}
