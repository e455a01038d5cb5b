"""Random programs of names that are the caller's array, a part, or one of its own.

Which one depends on data, in branches and loops within one another, and each is changed
in place.

python -m tests.conformance.random_own SEED COUNT
"""

import random

import numpy as np

import autograph as ag
from tests.conformance.by_hand import branch, differing, function_of, indented, report

X, Y = np.arange(4.0), np.arange(4.0) + 10.0
COUNTS = ((2, 1), (0, 0), (1, 2), (3, 0))
HEAD = "import numpy as np\n\ndef f(x, y, n, m):\n"
LAST = "return a, b, c, np.shares_memory(a, b), np.shares_memory(a, x)"
# What is done: NAME, OTHER, NUMBER and VALUE are drawn.
DONE = (
    *("NAME = OTHER", "NAME = OTHER * NUMBER", "NAME = OTHER[::-1]", "NAME[0] = VALUE"),
    *("NAME[-1] = OTHER[0]", "NAME[m] = VALUE", "NAME += NUMBER", "NAME *= OTHER"),
    *("NAME[1:] += VALUE", "NAME += OTHER", "NAME = OTHER + 0"),
    *("NAME = (OTHER * NUMBER)[::-1]", "NAME = np.append(OTHER, VALUE)[1:]"),
)
TESTS = ("n > 0", "n > 1", "m > 0", "NAME[0] > 2", "OTHER.sum() > 10")
ROUNDS = ("n", "m", "n - 1", "2")
WORDS = {
    **dict.fromkeys(("NAME", "OTHER"), "abc"),
    "NUMBER": ("1", "2", "0.5"),
    "VALUE": ("7", "n", "m"),
}


def program(seed: int) -> str:
    """The source of a function of two arrays and two ints."""
    draw = random.Random(seed)

    def filled(choices: tuple[str, ...]) -> str:
        text = draw.choice(choices)
        for word, known in WORDS.items():
            text = text.replace(word, draw.choice(known))
        return text

    def block(depth: int) -> list[str]:
        made: list[str] = []
        for _ in range(draw.randint(1, 3)):
            chance = draw.random()
            if depth and chance < 0.25:
                made += branch(filled(TESTS), draw, lambda: block(depth - 1))
            elif depth and chance < 0.45:
                made.append(f"for k{depth} in range({draw.choice(ROUNDS)}):")
                made += indented(block(depth - 1))
            else:
                made.append(filled(DONE))
        return made

    first = ["a = x", "b = y", "c = x if n > 1 else y * 1"]
    lines = [*first, *(line for _ in range(3) for line in block(3)), LAST]
    return HEAD + "\n".join(indented(lines)) + "\n"


def fault(seed: int) -> str | None:
    """How the program of a seed differs from Python's; None: it agrees.

    What is refused has to agree as Python.
    """
    plain = function_of(program(seed), f"<own {seed}>")
    with ag.config(strict=False), np.errstate(all="ignore"):
        staged = ag.function(plain)
        for n, m in COUNTS:
            found = differing(plain, staged, (X, Y, np.int64(n), np.int64(m)))
            if found is not None:
                return f"{n}, {m}: {found}"
    return None


if __name__ == "__main__":
    report(program, fault)
