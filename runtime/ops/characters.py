"""Characters of a text as numbers: their code points, in an array of them all.

A loop that only asks what the characters of a text are needs no text of one character
for each: `runtime/passes/characters.py` has these ops in place of Python's own.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from runtime.op import op
from runtime.ops.basic import WEAK_BOOL, WEAK_INT
from runtime.spec import ListSpec, ObjectSpec, TensorSpec, object_type

# What Python says of an index outside, by what is indexed.
WORDS = {"str": "string", "list": "list", "bytes": ""}
# Methods of one character: what they ask, and what they give in its place.
ASKED = ("isdigit", "isalpha", "isalnum", "isspace", "isupper", "islower")
GIVEN = ("lower", "upper")
# Some characters become up to three: their numbers side by side, in so many bits each.
BITS, MOST_IN_ONE = 21, 3
_ONE = 2**BITS - 1
# The number of no character, and one that no text of so few has.
NONE, NO_OTHER = -1, -2


def codes_of(text: str | bytes) -> np.ndarray[Any, np.dtype[Any]]:
    """The code points of a text, or the bytes.

    >>> codes_of("aé"), codes_of(b"ab")
    (array([ 97, 233], dtype=int32), array([97, 98], dtype=uint8))
    """
    if isinstance(text, bytes):
        return np.frombuffer(text, np.uint8)
    # Half of a pair stands in a text as any other character does.
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.int32)


@op(kernel=codes_of)
def text_codes(text: TensorSpec) -> TensorSpec:
    """The code points of a text, or the bytes."""
    dtype = np.uint8 if object_type(text) is bytes else np.int32
    return TensorSpec((None,), np.dtype(dtype))


def _code(codes: Any, at: int, *, of: str) -> int:
    try:
        return int(codes[at])
    except IndexError:
        raise IndexError(f"{WORDS[of]} index out of range".lstrip()) from None


@op(kernel=_code)
def char_code(codes: TensorSpec, at: TensorSpec, *, of: str) -> TensorSpec:
    """The code point at a place. IndexError: it lies outside.

    of: what the user's code indexes: "str", a "list" of its characters, "bytes"
    """
    return WEAK_INT


def characters(number: int) -> str:
    """The text that a code point, or the number of several, stands for.

    >>> characters(97), characters(number_of("ss")), characters(number_of(""))
    ('a', 'ss', '')
    >>> characters(number_of("a\\0"))
    'a\\x00'
    """
    if number == NONE:
        return ""
    found = chr(number & _ONE)
    while number := number >> BITS:
        found += chr((number & _ONE) - 1)
    return found


def number_of(text: str) -> int:
    """A number for up to three characters that no other text has."""
    if len(text) == 1:
        return ord(text)
    if not text:
        return NONE
    first, *others = map(ord, text)
    # Of each of the others one more: a character whose code is 0 is one, too.
    parts = (code + 1 << (BITS * place) for place, code in enumerate(others, 1))
    return first + sum(parts)


# The code points that a table has: nearly all that are in use.
TABLED = 0x20000


@cache
def table_of(method: str) -> np.ndarray[Any, np.dtype[Any]]:
    """What a method asks, or gives as a number, of each of the first code points."""
    of, texts = getattr(str, method), map(chr, range(TABLED))
    if method in ASKED:
        return np.fromiter(map(of, texts), bool, TABLED)
    return np.fromiter(map(number_of, map(of, texts)), np.int64, TABLED)


def _is(code: int, table: Any, *, method: str) -> bool:
    answer: bool = getattr(chr(code), method)()
    return answer


def _case(code: int, table: Any, *, method: str) -> int:
    return number_of(getattr(chr(code), method)())


def _digit(code: int) -> int:
    return int(chr(code))


@op(kernel=_is)
def char_is(code: TensorSpec, table: TensorSpec, *, method: str) -> TensorSpec:
    """`c.isdigit()` and the like, one of ASKED, of a code point.

    table: of the method; machine code asks it
    """
    return WEAK_BOOL


@op(kernel=_case)
def char_case(code: TensorSpec, table: TensorSpec, *, method: str) -> TensorSpec:
    """`c.lower()` or `c.upper()`, as a number that only that text has.

    table: of the method
    """
    return WEAK_INT


@op(kernel=_digit)
def char_digit(code: TensorSpec) -> TensorSpec:
    """`int(c)`. ValueError: it is no digit."""
    return WEAK_INT


@op(kernel=lambda number: ord(chr(number)))
def char_of(number: TensorSpec) -> TensorSpec:
    """The number of `chr(number)`. ValueError: there is no such character."""
    return WEAK_INT


@op(kernel=characters)
def char_text(number: TensorSpec) -> TensorSpec:
    """The text that a number stands for."""
    return ObjectSpec(str)


def _texts(numbers: list[int]) -> list[str]:
    try:
        return list(map(chr, numbers))
    except (ValueError, OverflowError):  # some are more than one character, or none
        return list(map(characters, numbers))


@op(kernel=_texts)
def char_texts(numbers: TensorSpec) -> TensorSpec:
    """A list of the texts that numbers stand for."""
    return ListSpec(ObjectSpec(str))
