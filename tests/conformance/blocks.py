"""match, with and `:=` of random programs.

The managers change what is theirs depending on data, print, and one of them swallows an
exception; what a failed guard or an operand that is not evaluated leaves unset is read
only where the writer reads such names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.conformance.writer import Writer

NUMBERS = ("{D}", "{D} | {D}", "{c} if {c} > {D}", "{c} if {t}", "{D} as {c}")
PAIRS = (
    "({D}, {v})",
    "({c}, {v}) if {c} > {D}",
    "[_, {v}] if {v} > {f}",
    "(0 | 1 as {c}, _)",
    "({D}, {v}) | (_, {v}) if {v} < {f}",
    "({c}, *_) if {t}",
)


def match_(w: Writer) -> bool:
    """A match on a number, or on a number and a float."""
    if len(w.inside) > 2:
        return False
    before = set(w.definite)
    ends: list[bool] = []
    falls: list[set[str]] = []
    pair = w.chance(40)
    w.emit(f"match {w.fill('({i} % 4, {f})' if pair else '{i} % 5')}:")
    with w.nested("match"):
        for _ in range(1 + w.below(3)):
            _case(w, w.pick(PAIRS if pair else NUMBERS), before, ends, falls)
        if w.chance(60):
            last = w.pick(("_", "{c}, {v}") if pair else ("_", "{c}"))
            _case(w, last, before, ends, falls)
        else:
            ends.append(False)
            falls.append(before)
    w.definite = set.intersection(*falls) if falls else before
    return all(ends)


def _case(
    w: Writer,
    template: str,
    before: set[str],
    ends: list[bool],
    falls: list[set[str]],
) -> None:
    names = {"c": w.target("i"), "v": w.target("f")}
    bound = [name for field, name in names.items() if f"{{{field}}}" in template]
    w.definite = set(before)
    w.define(*bound)
    w.emit(f"case {w.fill(template, depth=1, **names)}:")
    ends.append(w.block("if"))
    if not ends[-1]:
        falls.append(set(w.definite))


def with_(w: Writer) -> None:
    """A with, whose manager may swallow what is raised in it."""
    if len(w.inside) > 2 or w.yields:
        return
    before, target = set(w.definite), w.target("i")
    manager = w.pick(("Manager", "managed"))
    w.emit(f"with {manager}({w.expression('i', 1)}) as {target}:")
    w.define(target)
    ended = w.block("if")
    w.definite = before | ({target} if manager == "managed" and not ended else set())


def walrus(w: Writer) -> None:
    """`:=` in an operand, in a case of a conditional, or for all to see."""
    form = w.pick(("test", "operand", "ternary", "plain"))
    target, value = w.target("i"), w.reduced("i", depth=1)
    if form == "test" and len(w.inside) < 4:
        before = set(w.definite)
        word = w.pick(("and", "or"))
        w.emit(
            f"if {w.expression('t')} {word} ({target} := {value}) > {w.fill('{D}')}:"
        )
        w.assigned.add(target)
        w.definite |= {target} if word == "and" else set()
        w.block("if")
        w.definite = before
    elif form == "ternary":
        number, kept = w.target("f"), w.reduced("f", depth=1)
        w.emit(
            f"{number} = ({target} := {value}) * 0.5 if {w.expression('t')} else {kept}"
        )
        w.assigned.add(target)
        w.define(number)
    elif form == "operand":
        flag = w.target("b")
        w.emit(f"{flag} = {w.expression('b', 1)} or ({target} := {value}) > 2")
        w.assigned.add(target)
        w.define(flag)
    else:
        other = w.target("i")
        w.emit(f"{other} = (({target} := {value}) + {w.name('i')}) % 97")
        w.define(target, other)
