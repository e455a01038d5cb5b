"""versions: the name of what an object depends on beside its text.

That is LLVM's version and its words for the processor, and how we ask it to make
objects. LLVM need not be loaded to know its words: they are kept beside the objects,
under a name that the files of llvmlite and what the system says of the processor give.
Where LLVM is loaded, its own words count.
"""

from __future__ import annotations

import os
from importlib.util import find_spec

from runtime import store
from runtime.backends.llvm import lines, processor, unguessed
from runtime.backends.llvm.loaded import is_usual
from runtime.digests import digest

# Of code without loops over elements LLVM's whole pipeline makes nothing faster that
# these do not, takes half as long again, and makes choices of branches that are known
# beforehand (`branches` in tools/bench/table.py: 1.7 times as long). Loops that come to
# elements of lists are 1.2 to 1.9 times as fast by all of it.
# Rotated and threaded, a loop with a break jumps where it would else select values.
PASSES = (
    "sroa",
    "loop_rotate",
    "jump_threading",
    "instruction_combine",
    "simplify_cfg",
)
# Those for loops with a flag, before the pipeline for the others; and those behind it,
# where functions of ours are called.
THREADED = ("sroa", "loop_rotate", "jump_threading")
INLINED = (
    "always_inliner",
    "sroa",
    "instruction_combine",
    "global_dead_code_eliminate",
)
# The level of the pipeline for the others, which makes vectors of loops, and where the
# processor's notes are not read of what stands side by side: two quotients take the
# time of one.
LEVEL, SIDE_BY_SIDE = 1, "slp"
# The folder of LLVM's words, beside those of the versions that make objects.
FOLDER = "machines"
# The files that are others where llvmlite is another.
_FILES = ("__init__.py", "_version.py", "binding/libllvmlite.so")
# What the system says of a processor that tells what it can do.
_TOLD = (b"vendor_id", b"cpu family", b"model", b"stepping", b"flags")

_words: tuple[str, ...] | None = None


def versions() -> str:
    """A name for what an object depends on beside its text."""
    return known() or exact()


def known() -> str:
    """The same, where LLVM need not be loaded for it; "" where it must be."""
    global _words
    if _words is None:
        content = store.found(told, FOLDER) if (told := _told()) else None
        if content is None:
            return ""
        _words = tuple(content.decode().split("\0"))
    return _named(_words)


def exact() -> str:
    """The same by LLVM itself, which this loads: what is made now is kept under it."""
    global _words
    from runtime.backends.llvm.machine import words

    if _words != words():
        _words = words()
        if told := _told():
            store.keep(told, FOLDER, "\0".join(_words).encode())
    return _named(_words)


def _named(words: tuple[str, ...]) -> str:
    parts = (*words, *PASSES, str(LEVEL), SIDE_BY_SIDE)
    parts = (*parts, lines.FENCE, unguessed.UNKNOWN)
    return digest("\0".join(parts).encode()).hex()


def _told() -> str:
    """A name for this llvmlite and this processor; "": LLVM alone can tell."""
    spec = find_spec("llvmlite") if is_usual() else None
    if spec is None or not spec.submodule_search_locations:
        return ""
    folder = spec.submodule_search_locations[0]
    told = [folder.encode()]
    try:
        for name in _FILES:
            found = os.stat(os.path.join(folder, name))
            told.append(b"%d %d" % (found.st_size, found.st_mtime_ns))
        told += _processor()
    except (OSError, ValueError):
        return ""
    return digest(b"\0".join(told)).hex()


def _processor() -> list[bytes]:
    """What the system says of the first processor. ValueError: it says too little."""
    said = processor.told()
    if not all(said.get(name) for name in _TOLD):
        raise ValueError("of a processor")
    return [said[name] for name in _TOLD]
