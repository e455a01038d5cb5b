"""Random programs of lists, arrays and objects that are passed and read outside.

A function reads and changes a few lists, arrays and numbers by several names; between
its calls they are replaced, and given one another's names. After each step all of them
are compared, and which of them are one.

python -m tests.conformance.random_outside SEED COUNT
"""

import linecache
import random
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

import autograph as ag

OUTER_LISTS = ("L", "o1.l", "o2.l", "D['l']", "T[0]")
OUTER_ARRAYS = ("A", "o1.a", "o2.a", "D['a']")
NUMBERS = ("o1.n", "o2.n", "D['n']")
LISTS = (*OUTER_LISTS, "p", "q")
ARRAYS = (*OUTER_ARRAYS, "v", "w")
# What the words in capitals are made of, and what the statements are.
WORDS = {
    "LIST": LISTS,
    "ARRAY": ARRAYS,
    "PLACE": NUMBERS,
    "HOLDER": ("o1", "o2"),
    "NUM": (*NUMBERS, "x", "x", "2.0", "len(LIST)", "LIST[0]", "ARRAY[0]"),
}
SIMPLE = (
    *("LIST.append(NUM)", "LIST.append(NUM)", "LIST[0] = NUM", "r.append(len(LIST))"),
    *("r.append(sum(LIST))", "ARRAY[...] += NUM", "ARRAY[0] = NUM", "PLACE = NUM + 1"),
    *("r.append(ARRAY.sum())", "r.append(NUM)", "r.append(LIST is LIST)"),
    *("r.append(ARRAY is ARRAY)", "HOLDER.l = LIST", "D['l'] = LIST"),
    *("HOLDER.a = ARRAY", "D['a'] = ARRAY"),
)
ENDS = ("r", "r, LIST", "r, ARRAY", "(r, LIST, ARRAY)", "[r, LIST]")
CHANGES = (
    *("TO_LIST = L", "TO_LIST = o1.l", "TO_LIST = list(o2.l)", "TO_ARRAY = A"),
    *("TO_ARRAY = o1.a", "TO_ARRAY = o2.a.copy()", "TO_ARRAY = A[:]", "PLACE = DIGIT"),
    *("TO_LIST.append(1.0)", "T = (TO_LIST, 2)"),
)
GIVEN = {
    "TO_LIST": ("L", "o1.l", "o2.l", "D['l']"),
    "TO_ARRAY": ("A", "o1.a", "o2.a", "D['a']"),
    "DIGIT": ("0.0", "1.0", "2.0", "3.0"),
    "A_LIST": (*OUTER_LISTS, "[1.0]", "[2.0]", "list(L)"),
    "AN_ARRAY": (*OUTER_ARRAYS, "np.ones(2)", "np.zeros(2)", "A[:]"),
}


class Holder:
    """An object with a list, an array and a number."""

    def __init__(self, n: float) -> None:
        self.l, self.a, self.n = [n + 1], np.full(2, n), n


def written(chance: random.Random, text: str) -> str:
    """The text, with something in the place of each of the words."""
    for word, found in (WORDS | GIVEN).items():
        while word in text:
            text = text.replace(word, chance.choice(found), 1)
    return text


def statements(chance: random.Random, depth: int = 0) -> Iterator[str]:
    """The lines of a statement."""
    head = chance.choice(("if NUM > DIGIT:", "for k in range(2):", "if x > DIGIT:"))
    if depth > 1 or chance.random() < 0.8:
        yield written(chance, chance.choice(SIMPLE))
        return
    yield written(chance, head)
    yield from (f"    {line}" for line in statements(chance, depth + 1))
    if head.startswith("if") and chance.random() < 0.5:
        yield "else:"
        yield from (f"    {line}" for line in statements(chance, depth + 1))


def program(seed: int) -> tuple[str, list[str]]:
    """A function, and the steps that call it and change what it reads."""
    chance = random.Random(seed)
    lines = ["def f(p, q, v, w, x):", "    r = []"]
    for _ in range(chance.randrange(2, 6)):
        lines += (f"    {line}" for line in statements(chance))
    lines.append(f"    return {written(chance, chance.choice(ENDS))}")
    call = "f(A_LIST, A_LIST, AN_ARRAY, AN_ARRAY, np.float64(DIGIT))"
    steps = []
    for _ in range(chance.randrange(5, 9)):
        is_call = chance.random() < 0.6
        step = f"result = {call}" if is_call else chance.choice(CHANGES)
        steps += [written(chance, step)] * (1 + is_call)
    return "\n".join(lines), steps


def told(seed: int, wrap: Any) -> list[str]:
    """What each step leaves; the last one is the error, if there was one."""
    source, steps = program(seed)
    name = f"<random program {seed}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    known: dict[str, Any] = {"np": np, "o1": Holder(0.0), "o2": Holder(1.0)}
    known |= {"L": [3.0], "A": np.full(2, 7.0), "T": ([5.0], 1), "result": None}
    known["D"] = {"l": [4.0], "a": np.full(2, 9.0), "n": 1.0}
    exec(compile(source, name, "exec"), known)
    known["f"] = wrap(known["f"])
    found = []
    for step in steps:
        try:
            exec(step, known)
        except IndexError as error:
            known["result"] = repr(error)
        except Exception as error:
            return [*found, f"{type(error).__name__}: {error}"]
        found.append(state(known))
    return found


def state(known: dict[str, Any]) -> str:
    """All that there is, and which of it is one."""
    o1, o2, held, result = (known[name] for name in ("o1", "o2", "D", "result"))
    things = [known["L"], o1.l, o2.l, held["l"], known["T"][0]]
    things += [known["A"], o1.a, o2.a, held["a"]]
    parts = result if isinstance(result, (tuple, list)) else ()
    first = [
        next((at for at, other in enumerate(things) if other is thing), None)
        for thing in (*things, *parts)
    ]
    return repr((result, things, o1.n, o2.n, held["n"], first))


def fault(seed: int) -> str | None:
    """What differs; None if nothing does."""
    python = told(seed, lambda function: function)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        graph = told(seed, ag.function)
    pairs = zip(python, graph, strict=False)
    return next((f"{a}\n{b}" for a, b in pairs if a != b), None)


def main() -> None:
    """Try as many programs as are asked for, from a seed."""
    first, count = map(int, sys.argv[1:3])
    wrong = 0
    for seed in range(first, first + count):
        found = fault(seed)
        if found is not None:
            wrong += 1
            source, steps = program(seed)
            print(seed, source, *steps, found, sep="\n", flush=True)
    print(f"{wrong} of {count} differ")


if __name__ == "__main__":
    main()
