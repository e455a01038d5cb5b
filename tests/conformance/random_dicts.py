"""Random programs of dicts and sets whose keys depend on data, plain and as graphs.

python -m tests.conformance.random_dicts SEED COUNT
"""

import random
from collections.abc import Iterator

import numpy as np

import autograph as ag
from tests.conformance.by_hand import function_of, report
from tests.conformance.harness import disagreement, is_refused, observe

A, I = np.array, np.int64
CALLS = (
    (A([3, 1, 4, 1, 5]), I(4)),
    (A([3, 1, 4, 1, 5]), I(0)),
    (A([0, 2]), I(7)),
    (A(["a", "bb", "a"]), I(5)),
)
KEYS = ("x", "x", "x", "k", "(x, k % 2)", "str(x)", "1", "'a'", "1.0", "(x,)", "k % 3")
NUMBERS = ("k", "n", "1", "t", "len(d)", "d.get(KEY, 0)", "0.5", "t % 5")
MADE = (
    "{}",
    "{KEY: NUM}",
    "dict(d)",
    "d.copy()",
    "{**e, KEY: NUM}",
    "d | e",
    "Counter(xs)",
)
MADE += ("{v: NUM for v in xs}", "dict(zip(xs, range(9)))", "dict.fromkeys(xs, NUM)")
DICTS = ("d", "d", "d", "e", "b['d']", "c")
SIMPLE = (
    *("DICT[KEY] = NUM", "DICT[KEY] = NUM", "DICT[KEY] = DICT.get(KEY, 0) + NUM"),
    *("c[KEY] += 1", "t += DICT.pop(KEY, 0)", "t += c[KEY]", "t += len(DICT)"),
    *("e = MADE", "d = MADE", "b['d'] = MADE", "t += int(KEY in DICT)", "d.update(e)"),
    *("t += DICT.setdefault(KEY, NUM)", "t += sum(DICT.values())", "d, e = e, d"),
    *("print(DICT, len(DICT))", "t += int(d == e)", "t += int(d is e)", "DICT.clear()"),
    *("rows.setdefault(KEY, []).append(NUM)", "t += len(rows.get(KEY, ()))"),
    *("t += max(DICT.values(), default=0)", "print(sorted(map(str, DICT)))"),
    *('print(f"{DICT}", [*DICT], list(DICT.items()))', "t += int(not DICT)"),
)
SIMPLE += (
    *("s.add(KEY)", "s.add(KEY)", "s.discard(KEY)", "t += int(KEY in s)", "s |= u"),
    *("print(s | u, s & u)", "t += len(s - u)", "print(s, [*u], s ^ u)", "s -= u"),
    *("u.add(KEY)", "s.clear()", "t += int(s == u)", "t += int(s <= u)", "u.clear()"),
    *("s.update(xs)", "b['s'] = s", "t += len(s)", "t += len({KEY, 1, k})"),
)
NESTED = (
    ("if KEY in s:", "    s.remove(KEY)", "else:", "    ANY"),
    (
        "try:",
        "    s.remove(KEY)",
        "    ANY",
        "except KeyError as error:",
        "    print(error)",
    ),
    ("for key in s:", "    c[key] += 1", "    t += 1"),
    ("while len(s) > 2:", "    print(s.pop())"),
    ("if KEY not in s:", "    s.add(KEY)", "    ANY"),
    ("if KEY in DICT:", "    del DICT[KEY]"),
    ("if KEY in DICT:", "    ANY", "else:", "    ANY"),
    ("if TEST:", "    ANY"),
    ("if TEST:", "    ANY", "else:", "    ANY"),
    ("for key in DICT:", "    t += 1", "    c[key] += 1"),
    ("for key, value in DICT.items():", "    t += value", "    ANY"),
    ("for key in list(DICT):", "    ANY"),
    ("try:", "    t += DICT[KEY]", "except KeyError as error:", "    print(error)"),
    ("try:", "    ANY", "    del DICT[KEY]", "except KeyError:", "    ANY"),
    ("j = 0", "while j < n % 3:", "    j += 1", "    ANY"),
    ("while len(DICT) > 2:", "    t += DICT.popitem()[1]"),
    ("if len(d) > 6:", "    break"),
    ("if len(d) > 6:", "    return d, t"),
)
TESTS = ("k % 2 == 0", "t > 5", "len(d) > 2", "DICT", "NUM > NUM", "c[KEY] > 1")
WORDS = {"TEST": TESTS, "MADE": MADE, "DICT": DICTS, "NUM": NUMBERS, "KEY": KEYS}
HEAD = "from collections import Counter, defaultdict\n"


def program(seed: int) -> str:
    """The text of a function of an array and a number."""
    chance = random.Random(seed)
    lines = ["def f(xs, n):", "    d = {}"]
    lines.append(f"    e = {chance.choice(['{}', 'd', '{1: 2}'])}")
    lines.append(f"    b = {{'d': {chance.choice(['d', '{}', 'e'])}}}")
    lines.append(f"    c = {chance.choice(['Counter()', 'defaultdict(int)'])}")
    lines.append(f"    s = {chance.choice(['set()', '{1}', 'set(xs)'])}")
    lines.append(f"    u = {chance.choice(['set()', 's', '{0, 33}'])}")
    lines += ["    rows = {}", "    t = k = 0", "    while k < n:"]
    lines += ["        x = xs[k % len(xs)]", "        k += 1"]
    for _ in range(chance.randint(2, 4)):
        lines += ["        " + line for line in _statement(chance, 2)]
    lines += ["    d[0] = 99", "    return d, e, b, c, s, u, rows, t"]
    return HEAD + "\n".join(lines) + "\n"


def _statement(chance: random.Random, depth: int) -> Iterator[str]:
    if depth == 0 or chance.random() < 0.5:
        yield _filled(chance, chance.choice(SIMPLE))
        return
    chosen = chance.choice(NESTED)
    # One dict and one key, so that it is asked for what it is given.
    same = {word: chance.choice(WORDS[word]) for word in ("DICT", "KEY")}
    for line in chosen:
        if not line.endswith("ANY"):
            for word, text in same.items():
                line = line.replace(word, text)
            yield _filled(chance, line)
            continue
        for inner in _statement(chance, depth - 1):
            yield line.replace("ANY", inner)


def _filled(chance: random.Random, text: str) -> str:
    for word in WORDS:
        while word in text:
            text = text.replace(word, chance.choice(WORDS[word]), 1)
    return text


def fault(seed: int) -> str | None:
    """How the program and its graph differ; None where they do not."""
    text, name = program(seed), f"<dicts {seed}>"
    plain = function_of(text, name)
    graph = ag.function(plain)
    for given in CALLS:
        found = disagreement(observe(plain, given), observe(graph, given))
        if found is not None and not is_refused(found):
            return f"{given}: {found.sentence}"
    return None


if __name__ == "__main__":
    report(program, fault)
