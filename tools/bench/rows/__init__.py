"""The rows of the table, by what they are about; each file is a program's one place."""

from tools.bench.rows import (
    arrays,
    draws,
    elements,
    lists,
    loops,
    models,
    simulations,
    start,
)

MODULES = (arrays, loops, elements, lists, draws, models, simulations, start)
ROWS = tuple(row for module in MODULES for row in module.ROWS)
