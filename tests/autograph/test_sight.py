"""Classes in sight of a function, whatever module its code was run in."""

import linecache
import textwrap
from typing import Any

import numpy as np
import pytest

import autograph as ag
from tests.conformance.things import Thing

BODY = textwrap.dedent("""
    def staged(n):
        return Thing(n).size + 1

    def staged_inside(n):
        return [Thing(n).size for _ in (1, 2)][0] + (lambda m: Thing(m).size)(n)

    def compared(n):
        return Money(n) + Money(1)
""")
MONEY = textwrap.dedent("""
    class Money:
        def __init__(self, n):
            self.n = n

        def __add__(self, other):
            return self.n + other.n if self.n > 2 else other.n
""")


def made(name: str) -> dict[str, Any]:
    """The names of code that no import has made, as a notebook's or exec's."""
    namespace = {"__name__": name, "Thing": Thing}
    exec(compile(MONEY + BODY, f"<{name}>", "exec"), namespace)
    return namespace


@pytest.mark.parametrize("name", ["a_module_that_is_not_there", "tests"])
@pytest.mark.parametrize("n", [1, 5])
def test_code_of_no_module_sees_the_classes_among_its_names(
    name: str, n: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = MONEY + BODY
    entry = len(text), None, text.splitlines(keepends=True), f"<{name}>"
    monkeypatch.setitem(linecache.cache, f"<{name}>", entry)
    namespace = made(name)
    for function in [
        namespace[name] for name in ("staged", "staged_inside", "compared")
    ]:
        assert ag.function(function)(np.int64(n)) == function(np.int64(n))
