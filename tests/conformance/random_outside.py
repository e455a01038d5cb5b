"""Random programs of containers, arrays and objects that are passed and read outside.

A function reads and changes a few of them, and numbers, by several names; between its
calls they are replaced, and given one another's names. After each step all of them are
compared, and which of them are one.

python -m tests.conformance.random_outside lists|dicts SEED COUNT
"""

import linecache
import random
import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import autograph as ag


@dataclass(frozen=True)
class Kind:
    """What the programs of one kind are made of.

    words:   texts for each of the words in capitals
    simple:  the statements; ends: what is returned; changes: steps between calls
    call:    a call, with the parameters
    holder:  what the attributes `l` and `a` of an object are at first
    known:   the other names; things: all that is compared
    """

    words: dict[str, Sequence[str]]
    simple: Sequence[str]
    ends: Sequence[str]
    changes: Sequence[str]
    parameters: str
    call: str
    holder: str
    known: str
    things: str


DIGITS = {"DIGIT": ("0.0", "1.0", "2.0", "3.0")}
LISTS = Kind(
    words={
        "NUM": ("PLACE", "PLACE", "x", "x", "2.0", "len(LIST)", "LIST[0]", "ARRAY[0]"),
        "A_LIST": ("OUTER", "OUTER", "OUTER", "[1.0]", "[2.0]", "list(L)"),
        "AN_ARRAY": ("KEPT", "KEPT", "np.ones(2)", "np.zeros(2)", "A[:]"),
        "LIST": ("OUTER", "OUTER", "OUTER", "OUTER", "OUTER", "p", "q"),
        "ARRAY": ("KEPT", "KEPT", "v", "w"),
        "OUTER": ("L", "o1.l", "o2.l", "D['l']", "T[0]"),
        "KEPT": ("A", "o1.a", "o2.a", "D['a']"),
        "PLACE": ("o1.n", "o2.n", "D['n']"),
        "HOLDER": ("o1", "o2"),
        "TO_L": ("L", "o1.l", "o2.l", "D['l']"),
        **DIGITS,
    },
    simple=(
        *("LIST.append(NUM)", "LIST.append(NUM)", "LIST[0] = NUM"),
        *("r.append(len(LIST))", "r.append(sum(LIST))", "r.append(LIST is LIST)"),
        *("ARRAY[...] += NUM", "ARRAY[0] = NUM", "r.append(ARRAY.sum())"),
        *("r.append(ARRAY is ARRAY)", "PLACE = NUM + 1", "r.append(NUM)"),
        *("HOLDER.l = LIST", "D['l'] = LIST", "HOLDER.a = ARRAY", "D['a'] = ARRAY"),
    ),
    ends=("r", "r, LIST", "r, ARRAY", "(r, LIST, ARRAY)", "[r, LIST]"),
    changes=(
        *("TO_L = L", "TO_L = o1.l", "TO_L = list(o2.l)", "TO_L.append(1.0)"),
        *("KEPT = A", "KEPT = o1.a", "KEPT = o2.a.copy()", "KEPT = A[:]"),
        *("PLACE = DIGIT", "T = (TO_L, 2)"),
    ),
    parameters="p, q, v, w, x",
    call="f(A_LIST, A_LIST, AN_ARRAY, AN_ARRAY, np.float64(DIGIT))",
    holder="[n + 1], np.full(2, n)",
    known="dict(L=[3.0], A=np.full(2, 7.0), T=([5.0], 1), "
    "D={'l': [4.0], 'a': np.full(2, 9.0), 'n': 1.0})",
    things="[L, o1.l, o2.l, D['l'], T[0], A, o1.a, o2.a, D['a']]",
)
DICTS = Kind(
    words={
        "NUM": (
            *("PLACE", "PLACE", "x", "x", "2.0", "len(DICT)", "len(SET)"),
            "DICT.get(KEY, 0.0)",
        ),
        "A_DICT": ("TO_D", "TO_D", "d2", "{}", "{'a': 1.0}", "dict(d1)"),
        "A_SET": ("TO_S", "TO_S", "set()", "{'a'}"),
        "THING": ("o1", "o2", "Holder(3.0)"),
        "DICT": ("TO_D", "TO_D", "TO_D", "d2", "p", "q"),
        "SET": ("TO_S", "TO_S", "v", "w"),
        "HOLDER": ("o1", "o2", "z"),
        "KEY": ("'a'", "'b'", "'c'"),
        "PLACE": ("o1.n", "o2.n", "D['n']"),
        "TO_D": ("d1", "o1.l", "o2.l", "D['l']"),
        "TO_S": ("s1", "s2", "o1.a", "o2.a"),
        **DIGITS,
    },
    simple=(
        *("DICT[KEY] = NUM", "DICT[KEY] = NUM", "DICT.pop(KEY, None)"),
        *("r.append(len(DICT))", "r.append(list(DICT))", "r.append(DICT.get(KEY))"),
        *("r.append(list(DICT.values()))", "r.append(DICT == DICT)"),
        *("r.append(KEY in DICT)", "DICT.update(DICT)", "r.append(str(DICT))"),
        *("DICT.setdefault(KEY, NUM)", "r.append(DICT is DICT)", "SET.add(KEY)"),
        *("SET.discard(KEY)", "r.append(KEY in SET)", "r.append(sorted(SET))"),
        *("r.append(SET is SET)", "r.append(SET & SET == SET)", "PLACE = NUM + 1"),
        *("HOLDER.n = NUM", "r.append(NUM)", "r.append(HOLDER is HOLDER)"),
        *("HOLDER.l = DICT", "D['l'] = DICT", "HOLDER.a = SET"),
    ),
    ends=("r", "r, DICT", "r, SET", "(r, DICT, SET)", "[r, DICT]", "r, HOLDER"),
    changes=(
        *("TO_D = d1", "TO_D = o1.l", "TO_D = dict(o2.l)", "TO_D['c'] = 1.0"),
        *("TO_D.pop('a', 0)", "TO_S = s1", "TO_S = o1.a", "TO_S = set(o2.a)"),
        *("TO_S.add('c')", "PLACE = DIGIT", "o2 = o1", "o2 = Holder(4.0)"),
    ),
    parameters="p, q, v, w, z, x",
    call="f(A_DICT, A_DICT, A_SET, A_SET, THING, np.float64(DIGIT))",
    holder="{'a': n}, {'b'}",
    known="dict(d1={'a': 1.0}, d2={'b': 2.0}, s1={'a'}, s2={'b', 'c'}, "
    "D={'l': {'c': 3.0}, 'n': 1.0})",
    things="[d1, d2, o1.l, o2.l, D['l'], s1, s2, o1.a, o2.a, o1, o2]",
)
KINDS = {"lists": LISTS, "dicts": DICTS}


class Holder:
    """An object with two containers and a number."""

    def __init__(self, n: float) -> None:
        self.n = n

    def __repr__(self) -> str:
        return "Holder"


def written(chance: random.Random, kind: Kind, text: str) -> str:
    """The text, with something in the place of each of the words."""
    for word, found in kind.words.items():
        while word in text:
            text = text.replace(word, chance.choice(found), 1)
    return text


def statements(chance: random.Random, kind: Kind, depth: int = 0) -> Iterator[str]:
    """The lines of a statement."""
    head = chance.choice(("if NUM > DIGIT:", "for k in range(2):", "if x > DIGIT:"))
    if depth > 1 or chance.random() < 0.8:
        yield written(chance, kind, chance.choice(kind.simple))
        return
    yield written(chance, kind, head)
    yield from (f"    {line}" for line in statements(chance, kind, depth + 1))
    if head.startswith("if") and chance.random() < 0.5:
        yield "else:"
        yield from (f"    {line}" for line in statements(chance, kind, depth + 1))


def program(seed: int, kind: Kind) -> tuple[str, list[str]]:
    """A function, and the steps that call it and change what it reads."""
    chance = random.Random(seed)
    lines = [f"def f({kind.parameters}):", "    r = []"]
    for _ in range(chance.randrange(2, 6)):
        lines += (f"    {line}" for line in statements(chance, kind))
    lines.append(f"    return {written(chance, kind, chance.choice(kind.ends))}")
    steps = []
    for _ in range(chance.randrange(5, 9)):
        is_call = chance.random() < 0.6
        step = f"result = {kind.call}" if is_call else chance.choice(kind.changes)
        steps += [written(chance, kind, step)] * (1 + is_call)
    return "\n".join(lines), steps


def told(seed: int, kind: Kind, wrap: Any) -> list[str]:
    """What each step leaves; the last one is the error, if there was one."""
    source, steps = program(seed, kind)
    name = f"<random program {seed}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)

    def holder(n: float) -> Holder:
        made: Any = Holder(n)
        made.l, made.a = eval(kind.holder, {"np": np, "n": n})
        return made

    known = {"np": np, "Holder": holder, "o1": holder(0.0), "o2": holder(1.0)}
    known |= {"result": None, **eval(kind.known, {"np": np})}
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
        found.append(state(kind, known))
    return found


def state(kind: Kind, known: dict[str, Any]) -> str:
    """All that there is, and which of it is one."""
    things, result = eval(kind.things, known), known["result"]
    numbers = eval("o1.n, o2.n, D['n']", known)
    parts = result if isinstance(result, (tuple, list)) else ()
    first = [
        next((at for at, other in enumerate(things) if other is thing), None)
        for thing in (*things, *parts)
    ]
    return repr((shown(result), shown(things), numbers, first))


def shown(thing: Any) -> Any:
    """With sets as sorted lists."""
    if isinstance(thing, (tuple, list)):
        return [*map(shown, thing)]
    return sorted(thing) if isinstance(thing, set) else thing


def fault(seed: int, kind: Kind) -> str | None:
    """What differs; None if nothing does."""
    python = told(seed, kind, lambda function: function)
    with warnings.catch_warnings(), ag.config(strict=True):
        warnings.simplefilter("ignore", RuntimeWarning)
        graph = told(seed, kind, ag.function)
    pairs = zip(python, graph, strict=False)
    return next((f"{a}\n{b}" for a, b in pairs if a != b), None)


def main() -> None:
    """Try as many programs of a kind as are asked for, from a seed."""
    kind, (first, count) = KINDS[sys.argv[1]], map(int, sys.argv[2:4])
    wrong = 0
    for seed in range(first, first + count):
        found = fault(seed, kind)
        if found is not None:
            wrong += 1
            source, steps = program(seed, kind)
            print(seed, source, *steps, found, sep="\n", flush=True)
    print(f"{wrong} of {count} differ")


if __name__ == "__main__":
    main()
