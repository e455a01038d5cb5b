"""library_rows: the rows of NumPy's functions, which `library.py` loads."""

from __future__ import annotations

from runtime.backends.llvm import (
    countings,
    gathers,
    histograms,
    linear,
    middles,
    pairs,
    row_sums,
    searches,
)

# Each has put its rows into the tables.
FILLED = (countings, gathers, histograms, linear, middles, pairs, row_sums, searches)
