"""unguessed: the lesser of two ints in a loop is a choice, in LLVM's text.

LLVM makes a jump of a choice where what is chosen is waited for: a jump is not, if the
processor guesses it right. Of what data tell it does in every other turn, and a wrong
guess costs as much as ten choices. So LLVM is told that nobody knows, after its passes:
on the way they forget it. The least of all so far is not such a choice, since fewer and
fewer elements are less; nor is the larger one of a number and 0.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping

# Those of how many turns there are, which LLVM names so, or which have no sign, are
# before loops.
_OF_TWO = re.compile(
    r"^  (?P<out>(?!%smax)%\S+) = (?:tail )?call (?P<kind>i\d+) "
    r"@llvm\.s(?P<word>min|max)\.i\d+\(i\d+ (?P<a>%\S+), i\d+ (?P<b>%\S+)\).*$",
    re.MULTILINE,
)
_PHI = re.compile(r"^  (%\S+) = phi i\d+ (.*)$", re.MULTILINE)
_INCOMING = re.compile(r"\[ (%\S+), ")
_FUNCTION = "\ndefine "
UNKNOWN = "!unpredictable !{}"


def unguessed(text: str) -> str:
    """An optimized text, with each such choice as one that nobody knows."""
    return _FUNCTION.join(map(_of_function, text.split(_FUNCTION)))


def _of_function(text: str) -> str:
    found = [*_OF_TWO.finditer(text)]
    if not found:
        return text
    users: dict[str, list[str]] = defaultdict(list)
    for phi in _PHI.finditer(text):
        for operand in _INCOMING.findall(phi[2]):
            users[operand].append(phi[1])
    for one in found:
        for operand in (one["a"], one["b"]):
            users[operand].append(one["out"])
    running = {one["out"] for one in found if _is_running(one["out"], users)}
    return _OF_TWO.sub(
        lambda one: one[0] if one["out"] in running else _selected(one), text
    )


def _is_running(name: str, users: Mapping[str, list[str]]) -> bool:
    """Whether it comes back to itself, by other such choices and turns alone."""
    waiting, seen = [*users.get(name, ())], set()
    while waiting:
        one = waiting.pop()
        if one == name:
            return True
        if one not in seen:
            seen.add(one)
            waiting += users.get(one, ())
    return False


def _selected(found: re.Match[str]) -> str:
    out, kind, word, a, b = found.groups()
    test = f"%is.{out.strip('%').strip(chr(34))}"
    order = "slt" if word == "min" else "sgt"
    return (
        f"  {test} = icmp {order} {kind} {a}, {b}\n"
        f"  {out} = select i1 {test}, {kind} {a}, {kind} {b}, {UNKNOWN}"
    )
