"""orders: comparisons of order that the processor does not note, in LLVM's text.

`x < y` of a NaN is False, and NumPy says nothing of it. The instructions that compare
vectors note an invalid value there, and so do those that LLVM takes for a choice by a
comparison. The same as a constrained intrinsic gets instructions that note nothing; but
LLVM makes no vectors of intrinsics, so comparisons become such ones after its passes.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from runtime.backends.llvm.lines import HELPER, LLVM_TYPES

# In the text of functions that ask afterwards what the processor has noted.
ASKS = "; asks what was noted"
# Equality, and whether one is NaN, is never noted.
_ORDER = re.compile(
    r"(?P<out>\s*%\S+ = )fcmp (?:[a-z]+ )*(?P<word>[ou][lg][te]) "
    r"(?P<kind><(?P<count>\d+) x (?P<of>float|double)>|float|double) (?P<rest>.*)"
)
_NAME = "llvm.experimental.constrained.fcmp"


def may_note(text: str) -> bool:
    """Whether there is something in a text to be written anew."""
    return ASKS in text and "fcmp " in text


def unnoted(text: str) -> str:
    """An optimized text, with each comparison of order as one that is not noted."""
    return rewritten(text, _unnoted)


def rewritten(text: str, write: Callable[[str, dict[str, None]], str]) -> str:
    """A text with each line written anew, and what that has declared.

    What helpers have noted is taken back, so they stay as they are.
    """
    declared: dict[str, None] = {}
    lines, is_helper = [], False
    for line in text.split("\n"):
        if line.startswith("define "):
            is_helper = f'@"{HELPER}.' in line or f"@{HELPER}." in line
        lines.append(line if is_helper else write(line, declared))
    return "\n".join([*lines, *declared, ""])


def _unnoted(line: str, declared: dict[str, None]) -> str:
    found = _ORDER.fullmatch(line)
    if found is None:
        return line
    out, word, kind, count, of, rest = found.groups()
    a, b = operands(rest)
    suffix = f"v{count}{LLVM_TYPES[of]}" if count else LLVM_TYPES[kind]
    gives = f"<{count} x i1>" if count else "i1"
    name = f"{gives} @{_NAME}.{suffix}"
    declared[f"declare {name}({kind}, {kind}, metadata, metadata)"] = None
    notes = f'metadata !"{word}", metadata !"fpexcept.maytrap"'
    return f"{out}call {name}({kind} {a}, {kind} {b}, {notes})"


def operands(rest: str) -> list[str]:
    """The two operands of an instruction; what is in brackets may have commas, too."""
    found, depth = [""], 0
    for char in rest:
        depth += (char in "<([{") - (char in ">)]}")
        if char == "," and depth == 0:
            found.append("")
        else:
            found[-1] += char
    # LLVM's notes may follow.
    return [one.strip() for one in found[:2]]
