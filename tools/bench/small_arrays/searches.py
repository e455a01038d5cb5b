"""Rows of what is looked for, counted or sorted in a small array."""

from typing import Any

import numpy as np

from tools.bench.rows.row import Row


def places(a: Any, b: Any) -> Any:
    """Where a number belongs."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.searchsorted(b, a[i, 0])
    return s


def classes(a: Any, b: Any) -> Any:
    """In which interval each lies."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.digitize(a[i], b)[0]
    return s


def between(a: Any, b: Any) -> Any:
    """On a broken line."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.interp(a[i, 0], b, b)
    return s


def counts(a: Any) -> Any:
    """How often each int comes."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.bincount(a[i])[0]
    return s


def histograms(a: Any) -> Any:
    """How many lie in each interval."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.histogram(a[i], 4)[0][0]
    return s


def above(a: Any) -> Any:
    """Those above a bound."""
    s: Any = 0.0
    for i in range(len(a)):
        s += a[i][a[i] > 0.5].sum()
    return s


def counted(a: Any) -> Any:
    """How many are above a bound."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.count_nonzero(a[i] > 0.5)
    return s


def found(a: Any) -> Any:
    """Where those above a bound are."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.nonzero(a[i] > 0.5)[0].sum()
    return s


def least(a: Any) -> Any:
    """Where the least is."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.argmin(a[i])
    return s


def sorted_rows(a: Any) -> Any:
    """In order."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.sort(a[i])[0]
    return s


def orders(a: Any) -> Any:
    """What would sort them."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.argsort(a[i])[0]
    return s


def middles(a: Any) -> Any:
    """The one in the middle."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.median(a[i])
    return s


def distinct(a: Any) -> Any:
    """Each once."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.unique(a[i])[0]
    return s


def close(a: Any, b: Any) -> Any:
    """Whether two rows are alike."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.allclose(a[i], b[i])
    return s


def folded(a: Any, b: Any) -> Any:
    """Two rows, moved along one another."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.convolve(a[i], b[i])[0]
    return s


def picked(a: Any, b: Any) -> Any:
    """By indices."""
    s: Any = 0.0
    for i in range(len(a)):
        s += a[i][b[i]][0]
    return s


def taken(a: Any, b: Any) -> Any:
    """The same, by NumPy's function."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.take(a[i], b[i])[0]
    return s


def columns(a: Any, b: Any) -> Any:
    """Of a matrix, in another order."""
    s: Any = 0.0
    for i in range(len(a)):
        s += a[i][:, b][0, 0]
    return s


def _rows(size: int) -> Any:
    return np.random.default_rng(size).random((1000, size))


def _sorted() -> Any:
    return np.sort(np.random.default_rng(2).random(8))


def _matrices() -> Any:
    return np.random.default_rng(4).random((1000, 4, 8))


def _ints() -> Any:
    return np.random.default_rng(3).integers(0, 8, (1000, 8))


ROWS = (
    Row("places", places, {"1000": lambda: (_rows(8), _sorted())}),
    Row("classes", classes, {"1000": lambda: (_rows(8), _sorted())}),
    Row("between", between, {"1000": lambda: (_rows(8), _sorted())}),
    Row("counts", counts, {"1000": lambda: (_ints(),)}),
    Row("histograms", histograms, {"1000": lambda: (_rows(8),)}),
    Row("above", above, {"1000": lambda: (_rows(8),)}),
    Row("counted", counted, {"1000": lambda: (_rows(8),)}),
    Row("found", found, {"1000": lambda: (_rows(8),)}),
    Row("least", least, {"1000": lambda: (_rows(8),)}),
    Row("sorted rows", sorted_rows, {"1000": lambda: (_rows(8),)}),
    Row("orders", orders, {"1000": lambda: (_rows(8),)}),
    Row("middles", middles, {"1000": lambda: (_rows(8),)}),
    Row("distinct", distinct, {"1000": lambda: (_ints(),)}),
    Row("close", close, {"1000": lambda: (_rows(8), _rows(8))}),
    Row("folded", folded, {"1000": lambda: (_rows(8), _rows(8))}),
    Row("picked", picked, {"1000": lambda: (_rows(8), _ints())}),
    Row("taken", taken, {"1000": lambda: (_rows(8), _ints())}),
    Row("columns", columns, {"1000": lambda: (_matrices(), np.array([1, 2, 0]))}),
)
