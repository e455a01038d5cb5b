"""chosen: what a choice may leave out is computed all the same, in LLVM's text.

`np.where(x > 0, np.sqrt(x), 3.0)` warns of the roots that it does not take. LLVM does
such an operation together with the choice, in the elements that take it, where the
processor has instructions for that (AVX-512), or behind a jump. A fence between both
keeps them apart, at no instruction; but LLVM makes no vectors of fences, so they are
put up after its passes.
"""

from __future__ import annotations

import re

from runtime.backends.llvm.lines import FENCE, LLVM_TYPES
from runtime.backends.llvm.orders import ASKS, operands, rewritten

_FLOATS = r"<(?P<count>\d+) x (?P<of>float|double)>|float|double"
_CHOICE = re.compile(
    rf"(?P<start>\s*%\S+ = select (?:[a-z]+ )*)(?P<test>.*?), (?P<kind>{_FLOATS}) "
    r"(?P<rest>.*)"
)
# What the processor notes something of.
_NOTED = re.compile(
    r"\s*(?P<out>%\S+) = (?:(?:tail )?call (?:[a-z]+ )*\S.* @llvm\.sqrt\.|"
    r"(?:fadd|fsub|fmul|fdiv|fptrunc) )"
)
_ANY = re.compile(r"select .*, (?:float|double) ")


def may_leave_out(text: str) -> bool:
    """Whether a text asks what was noted, and chooses between floats."""
    return ASKS in text and _ANY.search(text) is not None


def fenced(text: str) -> str:
    """An optimized text, with a fence behind what a choice takes, or leaves out."""
    lines = text.split("\n")
    noted = {found["out"] for found in map(_NOTED.match, lines) if found}
    return rewritten(text, lambda line, known: "\n".join(_fenced(line, noted, known)))


def _fenced(line: str, noted: set[str], declared: dict[str, None]) -> list[str]:
    found = _CHOICE.fullmatch(line)
    if found is None:
        return [line]
    kind, of = found["kind"], found["of"]
    first, second = operands(found["rest"])
    pair = first, second.removeprefix(f"{kind} ")
    if not noted.intersection(pair):
        return [line]
    suffix = f"v{found['count']}{LLVM_TYPES[of]}" if of else LLVM_TYPES[kind]
    declared[f"declare {kind} @{FENCE}.{suffix}({kind})"] = None
    made, names = [], []
    out = found["start"].split()[0]
    for place, name in enumerate(pair):
        names.append(name)
        if name in noted:
            names[-1] = f"%fence{place}.{out.strip('%').strip(chr(34))}"
            call = f"call {kind} @{FENCE}.{suffix}({kind} {name})"
            made.append(f"  {names[-1]} = {call}")
    choice = f"{found['start']}{found['test']}, {kind} {names[0]}, {kind} {names[1]}"
    return [*made, choice]
