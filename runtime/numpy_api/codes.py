"""codes: what the code of a user's function does, as far as its instructions tell."""

from __future__ import annotations

import dis
import functools
from collections.abc import Iterator
from types import CodeType

from runtime.structs import struct

# What may change an object that is reached from outside.
_CHANGERS = frozenset(
    "append appendleft extend insert pop popleft remove clear update add discard "
    "setdefault sort reverse fill put itemset "
    "set_item set_attr del_item del_attr update_item update_attr".split()
)
_STORES = frozenset({"STORE_ATTR", "STORE_SUBSCR", "DELETE_SUBSCR", "DELETE_ATTR"})
_BINDS = frozenset({"STORE_DEREF", "DELETE_DEREF", "STORE_GLOBAL", "DELETE_GLOBAL"})


@struct
class CodeRead:
    """What a function's code does, with those of the functions in it.

    names, steps: what it asks for by name, and what instructions it has
    changes:      it may change what it holds or reaches
    binds_others: it binds a variable that is not of these codes themselves
    has_while:    it goes back otherwise than a `for` does
    """

    names: frozenset[str]
    steps: frozenset[str]
    changes: bool
    binds_others: bool
    has_while: bool


@functools.lru_cache(1_000)  # a trace asks of one function at each of its calls
def read_of(code: CodeType) -> CodeRead:
    """What it does. Of equal codes one answer."""
    codes = list(_codes(code))
    names = frozenset(name for one in codes for name in one.co_names)
    own = {name for one in codes for name in one.co_cellvars}
    found = [step for one in codes for step in dis.get_instructions(one)]
    steps = frozenset(step.opname for step in found)
    return CodeRead(
        *(names, steps, bool(names & _CHANGERS or steps & _STORES)),
        any(step.opname in _BINDS and step.argval not in own for step in found),
        any(map(_has_while, codes)),
    )


def _has_while(code: CodeType) -> bool:
    steps = {step.offset: step for step in dis.get_instructions(code)}
    back = (step for step in steps.values() if "JUMP_BACKWARD" in step.opname)
    return any(steps[step.argval].opname != "FOR_ITER" for step in back)


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from _codes(part)
