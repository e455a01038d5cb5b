"""Random programs of several names of one list, deque or dict, changed by operators.

Which one a name holds, and what is in it, depends on data; helpers change what they are
given, too.

python -m tests.conformance.random_names SEED COUNT
"""

import random

import numpy as np

import autograph as ag
from tests.conformance.by_hand import (
    branch,
    differing,
    function_of,
    indented,
    report,
)

CALLS = tuple((np.int64(i),) for i in (2, 0, 3, 1))
HEAD = """\
from collections import deque

def grown(held, more):
    if len(held) < 20:
        held += more

def joined(held, more):
    held |= more
    return held

def f(i):
    seen = []
"""
LAST = "return x, y, z, x is y, y is z, x is z, seen"
VALUES = ("'a'", "1", "i", "i + 1", "2.5")
# What one is made of, and what is done to it: NAME, OTHER, ITEMS and VALUE are drawn.
ITEMS = {
    "list": ("[VALUE]", "[VALUE, VALUE]", "[]"),
    "deque": ("deque([VALUE])", "deque([VALUE, VALUE])", "deque()"),
    "dict": ("{'p': VALUE}", "{'q': VALUE, 'r': 1}"),
}
_OF_ROWS = (
    *("NAME += ITEMS", "NAME.append(VALUE)", "NAME.extend(ITEMS)", "NAME.clear()"),
    *("grown(NAME, ITEMS)", "grown(NAME, ITEMS)", "NAME = NAME.copy()"),
    *("if len(NAME) > 1: NAME.pop()", "if len(NAME) < 9: NAME *= 2"),
    "if len(NAME) < 9: NAME += OTHER",
)
DONE = {
    "list": (*_OF_ROWS, "NAME = NAME + ITEMS"),
    "deque": _OF_ROWS,
    "dict": (
        *("NAME |= ITEMS", "NAME['s'] = VALUE", "NAME.update(ITEMS)"),
        *("NAME.pop('p', None)", "NAME = dict(OTHER)", "NAME.setdefault('t', VALUE)"),
        *("joined(NAME, ITEMS)", "NAME = joined(OTHER, ITEMS)", "NAME |= OTHER"),
    ),
}
TO_ALL = (
    *("NAME = OTHER", "NAME = OTHER", "NAME, OTHER = OTHER, NAME", "NAME = ITEMS"),
    "seen.append((NAME is OTHER, len(NAME)))",
)


def program(seed: int) -> str:
    """The text of a program, whose function is `f`."""
    draw = random.Random(seed)
    kind = draw.choice(["list", "list", "deque", "dict"])

    def filled(text: str) -> str:
        for word, choices in (
            *(("ITEMS", ITEMS[kind]), ("NAME", "xyz"), ("OTHER", "xyz")),
            ("VALUE", VALUES),
        ):
            while word in text:
                text = text.replace(word, draw.choice(choices), 1)
        return text

    def block(depth: int) -> list[str]:
        made: list[str] = []
        for _ in range(draw.randint(1, 3)):
            chance = draw.random()
            if depth and chance < 0.3:
                test = f"i > {draw.randrange(4)}"
                made += branch(test, draw, lambda: block(depth - 1))
            elif depth > 1 and chance < 0.5:
                times = draw.choice(["i", "i + 1", "2"])
                made += [
                    f"for k{depth} in range({times}):",
                    *indented(block(depth - 1)),
                ]
                if draw.random() < 0.2:
                    made.append(f"    if k{depth} == 1: break")
            else:
                rows = DONE[kind] if draw.random() < 0.6 else TO_ALL
                made.append(filled(draw.choice(rows)))
        return made

    first = [f"x = {filled('ITEMS')}", f"y = {draw.choice(['x', filled('ITEMS')])}"]
    first.append(f"z = {draw.choice(['x', 'y', filled('ITEMS')])}")
    lines = [*first, *(line for _ in range(3) for line in block(3)), LAST]
    return HEAD + "\n".join(indented(lines)) + "\n"


def fault(seed: int) -> str | None:
    """How the program of a seed differs from Python's; None: it agrees.

    What is refused has to agree as Python.
    """
    plain = function_of(program(seed), f"<names {seed}>")
    with ag.config(strict=False):
        staged = ag.function(plain)
        for given in CALLS:
            found = differing(plain, staged, given)
            if found is not None:
                return f"{given}: {found}"
    return None


if __name__ == "__main__":
    report(program, fault)
