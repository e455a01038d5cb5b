"""Loops whose turns call NumPy's functions of small arrays, which Numba knows, too.

Each goes through a thousand rows. `loop_table.py --set small_arrays` measures these.
"""

from tools.bench.small_arrays import parts, products, searches

MODULES = (products, parts, searches)
ROWS = tuple(row for module in MODULES for row in module.ROWS)
