"""Loops by index and scalar loops, which Numba and this project both make code of.

Each row is one program and the arguments of a call, in sizes that take 10 us to 10 ms.
They are no rows of the table that is compared with all peers: `loop_table.py` measures
these.
"""

from tools.bench.by_index import (
    arrays,
    grids,
    matrices,
    numbers,
    parts,
    places,
    searches,
    steps,
)

MODULES = (matrices, numbers, arrays, searches, grids, parts, places, steps)
ROWS = tuple(row for module in MODULES for row in module.ROWS)
