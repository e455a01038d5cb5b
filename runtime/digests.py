"""digests: short names for what is kept, such that no two things have one."""

from __future__ import annotations

from importlib.util import source_hash

SIZE = 16


def digest(content: bytes) -> bytes:
    """128 bits: what Python tells the text of bytecode by, and that behind a sign.

    It tells what was written whole and by whom it was meant from all else that comes by
    chance; against who means harm no digest helps that he can compute, too. `hashlib`
    would take a first call 3 ms to load.

    >>> len(digest(b"")), digest(b"a") == digest(b"b")
    (16, False)
    """
    return source_hash(content) + source_hash(b"+" + content)
