"""processor: what the system says of the processor; LLVM need not be loaded for it."""

from __future__ import annotations

from functools import cache

# AMD's first kind of Zen, which computes vectors of 32 bytes in two halves: the family,
# and the models of it.
HALVES = (b"AuthenticAMD", b"23", frozenset({b"1", b"8", b"17", b"24", b"32"}))


def told() -> dict[bytes, bytes]:
    """The words for the first processor by their names. OSError: nothing is said."""
    content = b""
    with open("/proc/cpuinfo", "rb", buffering=0) as file:
        # One after the other: asking for all of many takes milliseconds.
        while b"\n\n" not in content and (more := file.read(4096)):
            content += more
    lines = content.partition(b"\n\n")[0].splitlines()
    said = dict(line.partition(b":")[::2] for line in lines)
    return {name.strip(): word.strip() for name, word in said.items()}


@cache
def divides_in_halves() -> bool:
    """Whether four products of a vector take longer than a division: both are halves.

    On such a processor a division of four float64 takes eight cycles, and sixteen on
    others of its time.
    """
    try:
        said = told()
    except OSError:
        return False
    maker, family, models = HALVES
    is_of_kind = (said.get(b"vendor_id"), said.get(b"cpu family")) == (maker, family)
    return is_of_kind and said.get(b"model") in models


def has_quick_extremes() -> bool:
    """Whether the lesser of two floats takes one cycle, and is no slower than a jump.

    It takes two to four on others, which turns that keep the least of all wait for.
    """
    return divides_in_halves()
