"""loaded: objects that are put into memory here, without LLVM.

LLVM makes plain objects of our texts: code with whole addresses in it, constants, room
that is written, and notes for who unwinds the stack. Where an object has nothing else
it is copied, its addresses are filled in, and its code is made executable; so a program
whose machine code is in the store never loads LLVM. What is not exactly as foreseen, in
an object or of the system, is left to LLVM's linker (`linker.py`).
"""

from __future__ import annotations

import ctypes
import functools
import mmap
import os
import sys
import weakref
from collections.abc import Callable
from struct import Struct, calcsize, error, unpack_from
from typing import Any

import numpy as np

from runtime.structs import struct as fields

# What stands in an object of this kind of machine, as ELF says.
_START = b"\x7fELF\x02\x01\x01"
_RELOCATABLE, _X86_64 = 1, 62
_SECTIONS, _NAMED = Struct("<IIQQQQIIQQ"), Struct("<IBBHQQ")
_FILLED, _WORD, _WHOLE = Struct("<QIIq"), Struct("<Q"), 2**64 - 1


@fields
class Section:
    """What an object says of one of its sections."""

    name: int
    type: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    info: int
    align: int
    each: int


# Kinds of sections: contents, and what names, texts and places to fill lie in; room
# that is zero; notes for who unwinds.
_CONTENTS, _NAMES, _TEXTS, _PLACES, _ZEROS = 1, 2, 3, 4, 8
_UNWINDING = 0x70000001
_KINDS = {0, _CONTENTS, _NAMES, _TEXTS, _PLACES, _ZEROS, _UNWINDING}
# What a section is for; one that has others is not foreseen (but "large", "merge").
_WRITTEN, _IN_MEMORY, _CODE = 1, 2, 4
_FORESEEN = _WRITTEN | _IN_MEMORY | _CODE | 0x10 | 0x20 | 0x40 | 0x10000000
# An address, and how far one is from where that is written.
_ADDRESS, _DISTANCE = 1, 24
# Of a name: that it is local or global; that it is of data, code, a section or a file.
_BOUND, _OF = {0, 1}, {0, 1, 2, 3, 4}
_ELSEWHERE, _ABSOLUTE, _RESERVED = 0, 0xFFF1, 0xFF00
# Behind the notes stand zeros, which end them.
_END = 8


class Refused(Exception):
    """An object, or the system, is not as foreseen; says what."""


class Loaded:
    """Code in memory, for as long as this object lives.

    address: of the function
    """

    def __init__(self, image: bytes, name: str, find: Callable[[str], int]) -> None:
        """Load an object. Refused: LLVM is to link it.

        name: of the function; find: gives the address of what is not in the object
        """
        try:
            plan = _Plan(image)
            self._start = _memory(plan.size)
            try:
                self.address = plan.fill(self._start, name, find)
                notes = plan.notes(self._start)
                _protect(self._start, plan)
            except BaseException:
                _system().munmap(self._start, plan.size)
                raise
        except (ValueError, IndexError, OverflowError, error) as reason:
            raise Refused(repr(reason)) from None
        if notes:
            _unwinder()[0](notes)
        # A thread that is in it when the process ends finds it there.
        end = weakref.finalize(self, _drop, self._start, plan.size, notes)
        end.atexit = False


class _Plan:
    """Where the sections of an object are to lie, from a start that is not known yet.

    size: bytes of memory; code: the bytes of it, at the beginning; read: those that are
          not written any more, behind it
    """

    def __init__(self, image: bytes) -> None:
        kind, machine = unpack_from("<HH", image, 16)
        if image[: len(_START)] != _START or (kind, machine) != (_RELOCATABLE, _X86_64):
            raise Refused("not an object of this kind of machine")
        (at,) = unpack_from("<Q", image, 40)
        each, count = unpack_from("<HH", image, 58)
        if each != _SECTIONS.size:
            raise Refused("sections of another size")
        self._whole, self._image = image, memoryview(image)
        told = _SECTIONS.iter_unpack(self._image[at : at + count * each])
        self._all = [Section(*one) for one in told]
        if len(self._all) < count:
            raise Refused("fewer sections than it says")
        self._check()
        self._places: dict[int, int] = {}
        self.code = self._lay(_CODE, 0)
        self.read = self._lay(0, self.code) - self.code
        self.size = self._lay(_WRITTEN, self.code + self.read)

    def _check(self) -> None:
        for one in self._all:
            if one.type not in _KINDS or one.flags & ~_FORESEEN:
                raise Refused("a section of another kind")
            if one.flags & _WRITTEN and one.flags & _CODE:
                raise Refused("code that is written")
            if one.align > mmap.PAGESIZE:
                raise Refused("a section that begins where a page does not")

    def _lay(self, use: int, at: int) -> int:
        """Give each section of a use its place, from there on; gives where they end."""
        for number, one in enumerate(self._all):
            flags = one.flags
            if flags & _IN_MEMORY and flags & (_WRITTEN | _CODE) == use:
                at = _rounded(at, max(1, one.align))
                self._places[number] = at
                at += one.size + (_END if one.type == _UNWINDING else 0)
        return _rounded(at, mmap.PAGESIZE)

    def fill(self, start: int, name: str, find: Callable[[str], int]) -> int:
        """Put it all into memory; gives the address of the function of this name."""
        content = np.zeros(self.size, np.uint8)
        bare: memoryview = content.data
        for number, at in self._places.items():
            one = self._all[number]
            if one.type != _ZEROS:
                # ValueError: there is less of it in the object.
                bare[at : at + one.size] = self._part(one)
        known: dict[int, list[int]] = {}
        for one in self._all:
            if one.type == _PLACES and one.info in self._places:
                if one.link not in known:
                    known[one.link] = self._addresses(self._all[one.link], start, find)
                at, target = self._places[one.info], self._all[one.info]
                if target.type == _ZEROS:
                    raise Refused("addresses in what is zero")
                held = bare[at : at + target.size]
                self._fill(held, one, start + at, known[one.link])
        ctypes.memmove(start, content.ctypes.data, self.size)
        return self._function(name, start)

    def _fill(
        self, held: memoryview, one: Section, start: int, addresses: list[int]
    ) -> None:
        """Write addresses where a section of places says so.

        held: what they are written into, of a section that begins at `start`
        """
        for at, kind, named, more in _FILLED.iter_unpack(self._part(one)):
            value = addresses[named] + more
            if kind == _DISTANCE:
                value -= start + at
            elif kind != _ADDRESS:
                raise Refused("another kind of address")
            _WORD.pack_into(held, at, value & _WHOLE)

    def _addresses(
        self, one: Section, start: int, find: Callable[[str], int]
    ) -> list[int]:
        """The address of each name of a table."""
        found: list[int] = []
        for text, kind, _, section, value, _ in _NAMED.iter_unpack(self._part(one)):
            if kind >> 4 not in _BOUND or kind & 15 not in _OF:
                raise Refused("another kind of name")
            if section in self._places:
                value += start + self._places[section]
            elif section == _ELSEWHERE:
                name = self._text(one, text)
                value = find(name) if name else 0
            elif section >= _RESERVED and section != _ABSOLUTE:
                raise Refused("a name that has no section")
            found.append(value)
        return found

    def _function(self, name: str, start: int) -> int:
        """The address of the function of this name."""
        for one in self._all:
            # What is global stands behind what is not.
            first = one.info * _NAMED.size
            named = self._part(one)[first:] if one.type == _NAMES else b""
            for text, _, _, section, value, _ in _NAMED.iter_unpack(named):
                if section in self._places and self._text(one, text) == name:
                    return int(start + self._places[section] + value)
        raise Refused("the function is not there")

    def _part(self, one: Section) -> memoryview:
        """What the object holds of a section."""
        return self._image[one.offset : one.offset + one.size]

    def _text(self, one: Section, at: int) -> str:
        """A name, as the texts beside a table of names have it."""
        first = self._all[one.link].offset + at
        return self._whole[first : self._whole.index(b"\0", first)].decode()

    def notes(self, start: int) -> int:
        """Where the notes for who unwinds lie; 0: there are none."""
        found = [
            start + at
            for number, at in self._places.items()
            if self._all[number].type == _UNWINDING
        ]
        if len(found) > 1:
            raise Refused("notes in two places")
        return found[0] if found else 0


def _rounded(at: int, to: int) -> int:
    return -(-at // to) * to


# --- the system -----------------------------------------------------------------------
# Python's lock is held in these calls: none is half-way when another thread forks.
@functools.cache
def _system() -> Any:
    found = ctypes.PyDLL(None)
    place, size = ctypes.c_void_p, ctypes.c_size_t
    found.mmap.restype = place
    found.mmap.argtypes = [place, size, *[ctypes.c_int] * 3, ctypes.c_long]
    found.mprotect.argtypes = [place, size, ctypes.c_int]
    found.munmap.argtypes = [place, size]
    return found


@functools.cache
def _unwinder() -> tuple[Any, Any]:
    """What is told of notes, and what is told that they go: libgcc's.

    A thread that wants Python's lock back when the interpreter has ended is ended there
    by unwinding its stack; what has no notes would end the process.
    """
    try:
        library = ctypes.PyDLL("libgcc_s.so.1")
        found = library.__register_frame, library.__deregister_frame
    except (OSError, AttributeError):
        raise Refused("nobody to tell of notes") from None
    for function in found:
        function.restype, function.argtypes = None, [ctypes.c_void_p]
    return found


@functools.cache
def is_usual() -> bool:
    """Whether this is a system on which objects are loaded here."""
    if sys.platform != "linux" or calcsize("P") != 8:
        return False
    return os.uname().machine == "x86_64"


def _memory(size: int) -> int:
    """Room for so many bytes, which may be written."""
    if not is_usual():
        raise Refused("another system")
    _unwinder()
    may, kind = mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    found = _system().mmap(None, size, may, kind, -1, 0)
    if found in (None, 2**64 - 1):
        raise Refused("no memory")
    return int(found)


def _protect(start: int, plan: _Plan) -> None:
    """Let code be run, and not be written any more, as constants are not."""
    parts = (
        (start, plan.code, mmap.PROT_READ | mmap.PROT_EXEC),
        (start + plan.code, plan.read, mmap.PROT_READ),
    )
    for at, size, may in parts:
        if size and _system().mprotect(at, size, may):
            raise Refused("memory that may not be run")


def _drop(start: int, size: int, notes: int) -> None:
    """Give the memory of code back that nobody can call any more."""
    if notes:
        _unwinder()[1](notes)
    _system().munmap(start, size)
