"""Rows of products of small arrays, and of what linear algebra makes of them."""

from typing import Any

import numpy as np

from tools.bench.rows.row import Row


def dots(a: Any, b: Any) -> Any:
    """Of two rows."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.dot(a[i], b[i])
    return s


def norms(a: Any, b: Any) -> Any:
    """Distances."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.linalg.norm(a[i] - b[i])
    return s


def by_vectors(a: Any, b: Any) -> Any:
    """A matrix by a vector."""
    s: Any = 0.0
    for i in range(len(a)):
        s += (a[i] @ b[i])[0]
    return s


def dots_by_vectors(a: Any, b: Any) -> Any:
    """The same, by its old name."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.dot(a[i], b[i])[0]
    return s


def by_matrices(a: Any, b: Any) -> Any:
    """Two matrices."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.dot(a[i], b[i])[0, 0]
    return s


def crosses(a: Any, b: Any) -> Any:
    """Of vectors in space."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.cross(a[i], b[i])[0]
    return s


def outers(a: Any, b: Any) -> Any:
    """All products of two rows."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.outer(a[i], b[i])[1, 1]
    return s


def traces(a: Any) -> Any:
    """Sums of diagonals."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.trace(a[i])
    return s


def solutions(a: Any, b: Any) -> Any:
    """Of three equations."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.linalg.solve(a[i], b[i])[0]
    return s


def inverses(a: Any) -> Any:
    """Of matrices."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.linalg.inv(a[i])[0, 0]
    return s


def determinants(a: Any) -> Any:
    """Of matrices."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.linalg.det(a[i])
    return s


def roots(a: Any) -> Any:
    """Of symmetric matrices."""
    s: Any = 0.0
    for i in range(len(a)):
        s += np.linalg.cholesky(a[i])[0, 0]
    return s


def _rows(size: int) -> Any:
    return np.random.default_rng(size).random((1000, size))


def _matrices() -> Any:
    return np.random.default_rng(1).random((1000, 3, 3)) + 3 * np.eye(3)


def _symmetric() -> Any:
    found = _matrices()
    return found @ found.transpose(0, 2, 1)


ROWS = (
    Row("dots", dots, {"1000": lambda: (_rows(8), _rows(8))}),
    Row("norms", norms, {"1000": lambda: (_rows(8), _rows(8))}),
    Row("by vectors", by_vectors, {"1000": lambda: (_matrices(), _rows(3))}),
    Row("dots by vectors", dots_by_vectors, {"1000": lambda: (_matrices(), _rows(3))}),
    Row("by matrices", by_matrices, {"1000": lambda: (_matrices(), _matrices())}),
    Row("crosses", crosses, {"1000": lambda: (_rows(3), _rows(3))}),
    Row("outers", outers, {"1000": lambda: (_rows(3), _rows(3))}),
    Row("traces", traces, {"1000": lambda: (_matrices(),)}),
    Row("solutions", solutions, {"1000": lambda: (_matrices(), _rows(3))}),
    Row("inverses", inverses, {"1000": lambda: (_matrices(),)}),
    Row("determinants", determinants, {"1000": lambda: (_matrices(),)}),
    Row("roots", roots, {"1000": lambda: (_symmetric(),)}),
)
