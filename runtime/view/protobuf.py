"""Protocol buffers: messages written by hand, field after field, as bytes.

The wire format is public and small: a key (the field's number and the kind of what
follows), then the value. Only what event files need.
"""

from __future__ import annotations

import struct


def varint(number: int) -> bytes:
    """Seven bits a byte, the lowest first; negative numbers as 64 bits.

    >>> varint(300).hex(), len(varint(-1))
    ('ac02', 10)
    """
    rest = number & 0xFFFF_FFFF_FFFF_FFFF
    found = bytearray()
    while rest > 0x7F:
        found.append(rest & 0x7F | 0x80)
        rest >>= 7
    found.append(rest)
    return bytes(found)


def integer(field: int, number: int) -> bytes:
    """A field that holds an int, a bool or an enum."""
    return varint(field << 3) + varint(number)


def double(field: int, number: float) -> bytes:
    """A field that holds a double."""
    return varint(field << 3 | 1) + struct.pack("<d", number)


def sized(field: int, content: bytes | str) -> bytes:
    """A field that holds a text, bytes, or a message within the message."""
    data = content.encode() if isinstance(content, str) else content
    return varint(field << 3 | 2) + varint(len(data)) + data


def entry(field: int, key: str, value: bytes) -> bytes:
    """One entry of a map from texts to messages."""
    return sized(field, sized(1, key) + sized(2, value))
