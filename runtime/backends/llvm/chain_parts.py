"""chain_parts: how a product of matrices may part `k`, as versions of OpenBLAS do.

An element is the sum of one chain for each part, one after the other. A part is a block
(the Q of OpenBLAS's parameters); of more than one block and less than two it takes a
half, rounded to what a tile of that processor has.
"""

from __future__ import annotations

from collections.abc import Iterator

# The Qs of OpenBLAS's processors, and what halves are rounded to.
BLOCKS = (128, 192, 256, 320, 352, 384, 448, 504, 512, 640, 720, 768, 1024)
ROUNDED = (1, 2, 4, 6, 8, 12, 16, 20, 24, 32)


def parts_of(k: int) -> Iterator[tuple[int, int]]:
    """The ways to part `k`, each once: a block, and what is taken for a half.

    >>> list(parts_of(100))
    [(100, 100)]
    """
    seen = set()
    for block in (k, *BLOCKS):
        rest = k
        while rest >= 2 * block:
            rest -= block
        for half in _halves(rest) if rest > block else (block,):
            made = tuple(_parts(k, block, half))
            if made not in seen and half <= block:
                seen.add(made)
                yield block, half


def _halves(rest: int) -> Iterator[int]:
    yield (rest + 1) // 2
    for unit in ROUNDED:
        yield -(-(rest // 2) // unit) * unit


def _parts(k: int, block: int, half: int) -> Iterator[int]:
    while k:
        part = block if k >= 2 * block else half if k > block else k
        yield part
        k -= part
