"""Lists that operators and library calls make, changed in bodies of staged code."""

from pathlib import Path

import numpy as np
import pytest

from tests.conformance.harness import load
from tests.conformance.trying import check

MAKERS = (
    "[3] + [4]",
    "[x] + k",
    "[3] * 2",
    "[3, 4, 5][:2]",
    "k.copy()",
    "list((3, 4))",
    "sorted([4, 3])",
    "'3 4'.split()",
    "list(dict.fromkeys([3, 4]))",
    "np.arange(3).tolist()",
    "[[3, 4], [5]].pop()",
    "list(reversed(k))",
    "[list(t) for t in zip([1, 2], [3, 4])][0]",
    "Thing(3).items + [0, x]",
    "None; *l, q = [3, 4, 5]",
)
BODIES = {
    "try": """
    try:
        l = MADE
        if x > 1:
            l.append(5)
        p[x]
    except IndexError:
        print("x")
        l = [9]
""",
    "if": """
    l = [8]
    if x > 1:
        l = MADE
        if x > 2:
            l.append(x)
""",
    "loop": """
    l = [8, 9]
    for i in range(x):
        l = MADE
        if x > 2:
            l[0] = i
""",
    "loop in a try": """
    l = [8, 9]
    try:
        for i in range(4):
            l = MADE
            if x > 2:
                l.append(i)
    finally:
        y = p[0]
""",
}


@pytest.mark.parametrize("made", MAKERS)
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_a_list_is_the_bodys_own_however_it_was_made(
    body: str, made: str, tmp_path: Path
) -> None:
    text = "def program(x, p):\n    k = [1, 2]" + body.replace("MADE", made)
    function = load(f"{text}    return l, len(l), k\n", tmp_path)
    values = [np.int64(n) for n in (0, 2, 3)]
    check(function, tuple((n, np.array([1.0, 2.0, 3.0])) for n in values))


def shared_with_a_dict(x, p):
    kept = {"a": [1]}
    found = kept.get("a")
    if x > 1:
        found.append(x)
    return kept, found is kept["a"]


def chosen_from_another(x, p):
    lists = [[1], [2]]
    found = max(lists)
    if x > 1:
        found.append(x)
    return lists


@pytest.mark.parametrize("function", [shared_with_a_dict, chosen_from_another])
def test_a_list_that_a_call_found_is_no_new_one(function):
    check(function, ((np.int64(0), None), (np.int64(3), None)))
