"""names_read: the outer variables, and their attributes, that code may read."""

from __future__ import annotations

import dis
import sys
import types
from collections.abc import Iterator

from runtime.structs import struct

# Attributes that converted code reads without `ag__`, since they mostly are an array's.
FACTS = frozenset("shape ndim size dtype nbytes itemsize T mT real imag flat".split())
_ROOTS = frozenset(
    "LOAD_GLOBAL LOAD_NAME LOAD_DEREF LOAD_CLASSDEREF LOAD_FROM_DICT_OR_GLOBALS "
    "LOAD_FROM_DICT_OR_DEREF".split()
)
_ATTRIBUTES = frozenset({"LOAD_ATTR", "LOAD_METHOD"})
# Before, a method that is called had an instruction of its own.
_MARKS_CALLS = sys.version_info >= (3, 12)
_NOTHING = frozenset({"CACHE", "EXTENDED_ARG", "PUSH_NULL"})


@struct
class NamesRead:
    """What code reads by name.

    chains: an outer variable and the attributes that are asked of it, `a.b.c`
    plain:  attributes that `ag__` is not asked for: facts of arrays, and methods
    """

    chains: tuple[tuple[str, ...], ...]
    plain: frozenset[str]


# By id: comparing two code objects compares all that are inside them, more than once.
_known: dict[int, tuple[types.CodeType, NamesRead]] = {}


def names_read(code: types.CodeType) -> NamesRead:
    """Those of a function and of the functions inside it."""
    known = _known.get(id(code))
    if known is None or known[0] is not code:
        steps = list(_steps(code))
        chains = tuple(dict.fromkeys(chain for one in steps for chain in _chains(one)))
        plain = frozenset(name for one in steps for name in _plain(one))
        found = NamesRead(chains, plain)
        known = _known[id(code)] = code, found
    return known[1]


def _steps(code: types.CodeType) -> Iterator[list[dis.Instruction]]:
    """The instructions of a function, then of each inside it."""
    yield list(dis.get_instructions(code))
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield from _steps(inner)


def _chains(instructions: list[dis.Instruction]) -> Iterator[tuple[str, ...]]:
    chain: tuple[str, ...] = ()
    for instruction in instructions:
        if instruction.opname in _NOTHING:
            continue
        if chain and instruction.opname in _ATTRIBUTES:
            chain = (*chain, instruction.argval)
            continue
        if chain:
            yield chain
        chain = (instruction.argval,) if instruction.opname in _ROOTS else ()


def _plain(instructions: list[dis.Instruction]) -> Iterator[str]:
    for instruction in instructions:
        name, of_call = instruction.opname, instruction.arg or 0
        if name not in _ATTRIBUTES:
            continue
        called = name == "LOAD_METHOD" or (_MARKS_CALLS and of_call & 1)
        if called or instruction.argval in FACTS:
            yield instruction.argval
