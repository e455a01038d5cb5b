"""filled: the tables of what ops become, with the rows of every file that has some.

`having.py` knows their keys, so that a program that is never hot loads none of them.
"""

from __future__ import annotations

from runtime.backends.llvm import (
    arrays,
    characters,
    choosing,
    comparing,
    complex_parts,
    dots,
    draws,
    functions,
    joins,
    kinds_told,
    library,
    lists,
    located,
    numbers,
    positions,
    products,
    python_draws,
    reductions,
    rows,
    sorts,
    tables,
    typed_lists,
    variances,
    views,
)
from runtime.backends.llvm.fallback import by_python
from runtime.backends.llvm.lowering import CALLED, LOWER, TOGETHER
from runtime.backends.llvm.one_pass import in_one_pass

# Each has put its rows into the tables.
FILLED = (
    *(
        arrays,
        characters,
        choosing,
        comparing,
        complex_parts,
        dots,
        draws,
        functions,
        joins,
        kinds_told,
        library,
        lists,
        located,
        numbers,
        positions,
        products,
    ),
    *(
        python_draws,
        reductions,
        rows,
        sorts,
        tables,
        typed_lists,
        variances,
        views,
    ),
)
LOWER[CALLED] = by_python
TOGETHER[:] = [in_one_pass]
