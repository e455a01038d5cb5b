"""try statements of random programs, whose bodies fail depending on data.

In the body of a try everything that may fail may stand anywhere: a graph runs it there
although nobody uses its value, since a handler would see it fail.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.conformance import grammar

if TYPE_CHECKING:
    from tests.conformance.writer import Writer

TYPES = (
    "IndexError",
    "ValueError",
    "Exception",
    "(IndexError, ZeroDivisionError)",
    "LookupError",
    "(ValueError, AssertionError)",
    "UnboundLocalError",
    "",
)
RAISED = (
    'ValueError("line {L}")',
    'ValueError("line {L}", int({i}))',
    'ValueError("line {L}: " + str({i}))',
    "IndexError({D}, int({i}))",
    'KeyError("k{L}")',
    "ArithmeticError",
)
HANDLED = (
    'print("caught", error)',
    'print(f"{error!r} of line {L}")',
    "print(type(error).__name__, error)",
    "print(error.args)",
    "",
)


def try_(w: Writer) -> bool:
    """A try with handlers, perhaps with else and finally."""
    if len(w.inside) >= 4 or w.yields:  # under a handler, a generator stays Python's
        return False
    before = set(w.definite)
    w.emit("try:")
    ended = w.block("try")
    falls = [] if ended else [set(w.definite)]
    ends = [ended]
    handlers = w.below(3)
    for number in range(handlers):
        _handler(w, before, ends, falls, last=number + 1 == handlers)
    if handlers and not ended and w.chance(30):
        w.emit("else:")
        w.definite = falls.pop(0)
        ends[0] = w.block("if")
        falls[:0] = [] if ends[0] else [set(w.definite)]
    w.definite = set.intersection(*falls) if falls else set(before)
    if not handlers or w.chance(30):
        return _finally(w, before) or all(ends)
    return all(ends)


def _handler(
    w: Writer, before: set[str], ends: list[bool], falls: list[set[str]], last: bool
) -> None:
    types = w.pick(TYPES if last else TYPES[:-1])
    name = w.pick(HANDLED) if types else ""
    w.emit(f"except {types} as error:" if name else f"except {types}".rstrip() + ":")
    w.definite = set(before)
    if name:
        with w.nested("if"):
            w.emit(name.replace("{L}", str(len(w.lines))))
            if w.chance(10):
                w.emit(f"if {w.expression('t')}:")
                again = ("raise", "raise error", 'raise KeyError("again") from error')
                with w.nested("if"):
                    w.emit(w.pick(again))
    ends.append(w.block("if"))
    if not ends[-1]:
        falls.append(set(w.definite))


def _finally(w: Writer, before: set[str]) -> bool:
    after = set(w.definite)
    w.emit("finally:")
    w.definite = set(before)
    ended = w.block("finally")
    w.definite |= after
    return ended


def raise_(w: Writer) -> bool:
    """A raise: only in a try, and there in a branch of its own."""
    if "try" not in w.inside:
        return False
    w.emit(f"if {w.expression('t')}:")
    with w.nested("if"):
        template = w.pick(RAISED).replace("{L}", str(len(w.lines)))
        w.emit(f"raise {w.fill(template)}")
    return False


def risky(w: Writer) -> None:
    """What may fail, wherever it stands: only in a try."""
    if "try" not in w.inside:
        return w.assign_one()
    form = w.pick(("assign", "store", "divide", "unused"))
    if form == "store":
        line = w.fill("{Sa}[{i} % 6 - 2] = {f}")
        if not line.startswith("np."):
            w.emit(line)
    elif form == "divide":
        w.assign(w.target("i"), w.fill("(7 // int({t})) % 97"))
    else:
        kind = w.pick("if")
        text = w.fill(w.pick(grammar.RISKY[kind]))
        if form == "assign":
            w.assign(w.target(kind), grammar.REDUCED[kind].format(text))
        else:
            w.emit(text)
    return None
