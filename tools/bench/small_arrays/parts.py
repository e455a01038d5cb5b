"""Rows of what is made of a small array, element by element or part by part."""

from typing import Any

import numpy as np

from tools.bench.rows.row import Row


def copies(a: Any) -> Any:
    """Each row anew."""
    s: Any = 0.0
    for i in range(len(a)):
        s += a[i].copy()[0]
    return s


def sums_so_far(a: Any) -> Any:
    """Sums up to each."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.cumsum(a[i])[-1]
    return s


def differences(a: Any) -> Any:
    """From one to the next."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.diff(a[i])[0]
    return s


def clipped(a: Any) -> Any:
    """Within bounds."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.clip(a[i], 0.2, 0.8)[0]
    return s


def turned_round(a: Any) -> Any:
    """The other way round."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.flip(a[i])[0]
    return s


def rolled(a: Any) -> Any:
    """One further on."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.roll(a[i], 1)[0]
    return s


def repeated(a: Any) -> Any:
    """Each twice."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.repeat(a[i], 2)[1]
    return s


def above_one_another(a: Any, b: Any) -> Any:
    """Two rows as a matrix."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.vstack((a[i], b[i]))[1, 0]
    return s


def one_after_the_other(a: Any, b: Any) -> Any:
    """Two rows as one."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.concatenate((a[i], b[i]))[0]
    return s


def of_numbers(a: Any) -> Any:
    """A matrix of numbers."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.array([[a[i, 0], 1.0], [a[i, 1], 2.0]])[1, 0]
    return s


def diagonals(a: Any) -> Any:
    """What lies on them."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.sum(np.diag(a[i]))
    return s


def spaced(a: Any) -> Any:
    """Numbers at equal distances."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.linspace(0.0, a[i, 0], 5)[1]
    return s


def spreads(a: Any) -> Any:
    """How far from the mean."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.std(a[i])
    return s


def means(a: Any) -> Any:
    """Of each row."""
    s: Any = 0.0
    for i in range(len(a)):
        s += a[i].mean()
    return s


def ranges(a: Any) -> Any:
    """From the least to the largest."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.ptp(a[i])
    return s


def rounded(a: Any) -> Any:
    """To two digits."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.round(a[i, 0], 2)
    return s


def signs(a: Any) -> Any:
    """Of a number."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.sign(a[i, 0] - 0.5)
    return s


def chosen(a: Any, b: Any) -> Any:
    """From either row."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.where(a[i] > 0.5, a[i], b[i])[0]
    return s


def largest(a: Any) -> Any:
    """Of absolute values."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.abs(a[i]).max()
    return s


def windows(a: Any) -> Any:
    """Sums of parts of matrices."""
    s: Any = 0.0
    for i in range(len(a)):
        s += a[i, :2, 1:].sum()
    return s


def down(a: Any) -> Any:
    """Sums of columns."""
    s: Any = 0.0
    for i in range(len(a)):
        s += a[i].sum(axis=0)[0]
    return s


def averages(a: Any) -> Any:
    """Of ints."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.mean(a[i])
    return s


def all_so_far(a: Any) -> Any:
    """Sums up to each of a matrix."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.cumsum(a[i])[-1]
    return s


def spreads_of_all(a: Any) -> Any:
    """How far from the mean of a matrix."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.std(a[i])
    return s


def _rows(size: int) -> Any:
    return np.random.default_rng(size).random((1000, size))


def _ints() -> Any:
    return np.random.default_rng(3).integers(0, 8, (1000, 8))


def _matrices() -> Any:
    return np.random.default_rng(1).random((1000, 3, 3)) + 3 * np.eye(3)


ROWS = (
    Row("copies", copies, {"1000": lambda: (_rows(8),)}),
    Row("sums so far", sums_so_far, {"1000": lambda: (_rows(8),)}),
    Row("differences", differences, {"1000": lambda: (_rows(8),)}),
    Row("clipped", clipped, {"1000": lambda: (_rows(8),)}),
    Row("turned round", turned_round, {"1000": lambda: (_rows(8),)}),
    Row("rolled", rolled, {"1000": lambda: (_rows(8),)}),
    Row("repeated", repeated, {"1000": lambda: (_rows(8),)}),
    Row("above one another", above_one_another, {"1000": lambda: (_rows(8), _rows(8))}),
    Row(
        "one after the other",
        one_after_the_other,
        {"1000": lambda: (_rows(8), _rows(8))},
    ),
    Row("of numbers", of_numbers, {"1000": lambda: (_rows(8),)}),
    Row("diagonals", diagonals, {"1000": lambda: (_matrices(),)}),
    Row("spaced", spaced, {"1000": lambda: (_rows(8),)}),
    Row("spreads", spreads, {"1000": lambda: (_rows(8),)}),
    Row("means", means, {"1000": lambda: (_rows(8),)}),
    Row("ranges", ranges, {"1000": lambda: (_rows(8),)}),
    Row("rounded", rounded, {"1000": lambda: (_rows(8),)}),
    Row("signs", signs, {"1000": lambda: (_rows(8),)}),
    Row("chosen", chosen, {"1000": lambda: (_rows(8), _rows(8))}),
    Row("averages", averages, {"1000": lambda: (_ints(),)}),
    Row("all so far", all_so_far, {"1000": lambda: (_matrices(),)}),
    Row("spreads of all", spreads_of_all, {"1000": lambda: (_matrices(),)}),
    Row("windows", windows, {"1000": lambda: (_matrices(),)}),
    Row("down", down, {"1000": lambda: (_matrices(),)}),
    Row("largest", largest, {"1000": lambda: (_rows(8),)}),
)
