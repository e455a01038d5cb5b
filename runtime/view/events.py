"""Event files: what TensorBoard reads, a file of records that are added one by one.

A record is its length, a checksum of that, an event, and a checksum of it (CRC-32C,
turned and shifted so that checksums of checksums differ).
"""

from __future__ import annotations

import itertools
import os
import socket
import struct
import time
from pathlib import Path

from runtime.view.protobuf import double, integer, sized

VERSION = "brain.Event:2"
_POLYNOMIAL = 0x82F63B78
_numbers = itertools.count()


def _table() -> list[int]:
    found = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (_POLYNOMIAL if value & 1 else 0)
        found.append(value)
    return found


_TABLE = _table()


def crc32c(data: bytes) -> int:
    """The checksum of Castagnoli, as in iSCSI.

    >>> hex(crc32c(b"123456789"))
    '0xe3069283'
    """
    value = 0xFFFF_FFFF
    for byte in data:
        value = _TABLE[(value ^ byte) & 0xFF] ^ value >> 8
    return value ^ 0xFFFF_FFFF


def _masked(data: bytes) -> bytes:
    value = crc32c(data)
    turned = (value >> 15 | value << 17) & 0xFFFF_FFFF
    return struct.pack("<I", (turned + 0xA282EAD8) & 0xFFFF_FFFF)


def record(event: bytes) -> bytes:
    """An event as it stands in the file."""
    length = struct.pack("<Q", len(event))
    return length + _masked(length) + event + _masked(event)


def write_graph(logdir: str | os.PathLike[str], graph: bytes) -> Path:
    """Write an event file of its own with one graph; returns where it is.

    graph: a GraphDef, serialised
    """
    folder = Path(logdir)
    folder.mkdir(parents=True, exist_ok=True)
    now = time.time()
    host, process = socket.gethostname(), os.getpid()
    name = f"events.out.tfevents.{int(now):010d}.{host}.{process}.{next(_numbers)}"
    events = (
        double(1, now) + sized(3, VERSION),
        double(1, now) + integer(2, 0) + sized(4, graph),
    )
    path = folder / name
    path.write_bytes(b"".join(map(record, events)))
    return path
