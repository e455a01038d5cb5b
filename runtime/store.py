"""store: what was made before, in a folder, for programs to come.

Machine code is found by its text and by all else that it depends on. It holds no
address, so it can be linked in any process of the same versions on the same kind of
processor. Beside it lies what is known of programs, and converted code.
A file that is not whole, that another user may have written, or that cannot be read or
written, is as if it was not there.
"""

from __future__ import annotations

import os
import stat
import sys
import threading
from collections import OrderedDict
from contextlib import suppress
from time import time

import numpy as np

from runtime.config import config
from runtime.digests import SIZE, digest

# Bytes of all objects together; where there are more, those used the longest ago go.
BOUND = 256 * 2**20
# The part of the bound that is left then.
LEFT = 0.75
# Objects written before the sizes are added up again.
BETWEEN = 64
# Seconds after which a file is marked again as used: who reads many need not write all.
SELDOM = 3600.0
# Objects, and what is known of programs, that are kept in memory: loops that are alike
# need one alone.
KEPT = 128
# Changed where the same text gets another meaning.
VERSION = "2"
SUFFIX = ".object"
DIGEST = SIZE
# Where files are of text or not, these are not.
_BINARY = getattr(os, "O_BINARY", 0)
_CLOSED = getattr(os, "O_CLOEXEC", 0)

_kept: OrderedDict[str, bytes] = OrderedDict()
_written = 0


def key_of(text: str) -> str:
    """The name of a text, as far as no other thing that an object depends on says."""
    parts = (VERSION, sys.version, np.__version__, text)
    return digest("\0".join(parts).encode()).hex()


def may_hold(key: str) -> bool:
    """Whether there seems to be such a file; LLVM need not be loaded to know."""
    folder = _folder()
    try:
        return folder is not None and any(
            os.path.exists(f"{folder}/{versions}/{key}{SUFFIX}")
            for versions in os.listdir(folder)
        )
    except OSError:
        return False


def found(key: str, versions: str) -> bytes | None:
    """The object of this name that these versions have made; None where there is none.

    versions: what else it depends on
    """
    name = f"{versions}/{key}"
    image = _kept.get(name)
    if image is not None:
        _kept.move_to_end(name)
        return image
    image = read(key, versions)
    if image is not None:
        _keep(name, image)
    return image


def keep(key: str, versions: str, image: bytes) -> None:
    """Put an object where it will be found."""
    _keep(f"{versions}/{key}", image)
    write(key, versions, image)


def read(key: str, versions: str) -> bytes | None:
    """What the folder has of this name; None where there is none."""
    folder = _folder()
    return None if folder is None else _read(folder, f"{versions}/{key}")


def write(key: str, versions: str, image: bytes) -> None:
    """Put something into the folder, where there is one that can be written."""
    name = f"{versions}/{key}"
    folder = _folder()
    if folder is None:
        return
    try:
        _write(folder, name, image)
    except OSError:
        return
    _make_room(folder)


def _keep(name: str, image: bytes) -> None:
    _kept[name] = image
    while len(_kept) > KEPT:
        _kept.popitem(last=False)


# --- files ----------------------------------------------------------------------------
def _folder() -> str | None:
    """Where objects are put; None where nowhere."""
    wanted = config.cache_dir
    return os.fspath(wanted) if wanted else None


def _read(folder: str, name: str) -> bytes | None:
    path = f"{folder}/{name}{SUFFIX}"
    try:
        # Without a file object, which asks the system twice as much.
        file = os.open(path, os.O_RDONLY | _BINARY | _CLOSED)
        try:
            known = os.fstat(file)
            if not _is_ours(known):
                return None
            content = os.read(file, known.st_size)
        finally:
            os.close(file)
    except OSError:
        return None
    digest, image = content[:DIGEST], content[DIGEST:]
    if _digest(name, image) != digest:
        return None
    if time() - known.st_mtime > SELDOM:
        with suppress(OSError):
            os.utime(path)  # it was used now
    return image


def _is_ours(found: os.stat_result) -> bool:
    """Whether nobody else can have written it: it is code that will be run."""
    if not hasattr(os, "geteuid"):
        return True
    others = stat.S_IWGRP | stat.S_IWOTH
    return found.st_uid in (os.geteuid(), 0) and not found.st_mode & others


def _digest(name: str, image: bytes) -> bytes:
    """What tells that a file is whole, and is what its name says."""
    return digest(name.encode() + image)


def _write(folder: str, name: str, image: bytes) -> None:
    """Write the file whole: those who read meanwhile see none, or the one before."""
    path = f"{folder}/{name}{SUFFIX}"
    own = os.path.dirname(path)
    os.makedirs(own, mode=0o700, exist_ok=True)
    new = f"{own}/new-{os.getpid()}-{threading.get_ident()}{SUFFIX}"
    # One that a program has left, or a link that others have put there: never followed.
    with suppress(FileNotFoundError):
        os.unlink(new)
    handle = os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY | _BINARY, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(_digest(name, image))
            file.write(image)
        os.replace(new, path)
    except OSError:
        os.unlink(new)
        raise


def _make_room(folder: str) -> None:
    """Remove what was used the longest ago, where there is too much."""
    global _written
    _written += 1
    if _written % BETWEEN != 1 % BETWEEN:
        return
    files = sorted(_files(folder), reverse=True)
    total = sum(size for _, size, _ in files)
    if total <= BOUND:
        return
    while files and total > LEFT * BOUND:
        _, size, path = files.pop()
        total -= size
        try:
            os.unlink(path)
        except OSError:
            continue


def _files(folder: str) -> list[tuple[float, int, str]]:
    """All files of ours: when each was used last, its size, its name."""
    made = []
    # The user may have named a folder in which there is something else, too.
    for versions in os.listdir(folder):
        own = f"{folder}/{versions}"
        for name in os.listdir(own) if os.path.isdir(own) else ():
            if not name.endswith(SUFFIX):
                continue
            try:
                known = os.stat(f"{own}/{name}")
            except OSError:
                continue  # another program has removed it
            made.append((known.st_mtime, known.st_size, f"{own}/{name}"))
    return made
