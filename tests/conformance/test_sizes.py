"""Arrays whose sizes depend on data: plain and as a graph, the same."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.harness import disagreement, observe
from tests.conformance.sizes import Programs, check

program = Programs()


@program
def unique_inverse(i):
    vals, inv = np.unique(i, return_inverse=True)
    return vals[inv], np.bincount(inv)


@program
def groups_dict(i, x):
    return np.array([x[i == v].sum() for v in np.unique(i)])


@program
def repeat_shape(x, n):
    y = np.repeat(x, n).reshape(-1, n)
    return y.mean(axis=1), y.shape


@program
def tile2(x, n):
    y = np.tile(x, (n, 1))
    return y.sum(axis=0), y[n - 1]


@program
def linspace_n(n, d):
    g = np.linspace(0, d, n + 1)
    h = g[1] - g[0]
    return np.sum((g[1:] + g[:-1]) / 2 * h), g


@program
def trapz(n):
    t = np.linspace(0.0, np.pi, n * 10)
    return np.trapezoid(np.sin(t), t)


@program
def split_n(x, n):
    return [p.sum() for p in np.split(x, n)], np.array_split(x, n)[0]


@program
def mesh(n):
    X, Y = np.meshgrid(np.arange(n), np.arange(n + 1))
    return X + Y, X.shape


@program
def where_first(x, d):
    w = np.where(x > d)[0]
    return w[0] if len(w) > 0 else -1


@program
def where_none(x):
    w = np.where(x > 100)[0]
    if w.size == 0:
        return None
    return w[0]


@program
def nz_pairs(m):
    return [(int(a), int(b)) for a, b in zip(*np.nonzero(m > 2))], np.argwhere(
        m > 2
    ).tolist()


@program
def window(x, n):
    return np.array([x[k : k + n].mean() for k in range(len(x) - n + 1)])


@program
def topk(x, n):
    return np.sort(x)[::-1][:n], np.argsort(-x)[:n], np.partition(x, -n)[-n:]


@program
def ones_mask(x, n):
    mask = np.zeros(len(x), bool)
    mask[:n] = True
    return x[mask], x[~mask], mask.sum()


@program
def cartesian(n):
    a = np.arange(n)
    return np.array(np.meshgrid(a, a)).T.reshape(-1, 2)


@program
def poly_n(x, n):
    return np.vander(x, n), np.polyfit(x, x**2, 2).round(6)


@program
def cumulative_until(x, d):
    c = np.cumsum(np.abs(x))
    k = np.searchsorted(c, d * 4)
    return x[:k], k, c[: k + 1][-1]


@program
def nested_mask(x, d):
    y = x[x > -1.5]
    z = y[y < d]
    w = z[z != 0.5]
    return w, y.sum() - z.sum(), len(x) - len(w)


@program
def setdiff(i):
    a = np.setdiff1d(np.arange(6), i)
    return a, a.size, [v for v in a], np.union1d(a, i)[a.size :]


@program
def broadcast_unknown(x, d):
    y = x[x > d]
    return y[:, None] * y[None, :], np.outer(y, y).shape, np.subtract.outer(y, x).shape


@program
def diag_unknown(x, d):
    y = x[x > d]
    D = np.diag(y)
    return D @ y, np.trace(D), np.linalg.solve(D, y), np.linalg.eigvalsh(D)


@program
def empty_result(x):
    y = x[x > 100]
    return (
        y,
        y.sum(),
        y.shape,
        len(y),
        y.reshape(-1, 1).shape,
        np.concatenate((y, x)).size,
    )


@program
def if_size(x, d):
    y = x[x > d]
    if y.size > 1:
        return y.mean()
    elif y.size:
        return y[0]
    return 0.0


@program
def convert_len(x, d):
    y = x[x > d]
    return str(len(y)), f"{y.shape}", y.shape == (2,), y.shape[0] == len(y), y.ndim


@program
def swap_rows(m, n):
    idx = np.arange(n)[::-1]
    return m[idx], m[np.ix_(idx, idx)], m[idx][:, idx]


@program
def np_array_n(n):
    return (
        np.array([[k * j for j in range(3)] for k in range(n)]),
        np.array(range(n)),
        np.asarray([n, n + 1]),
    )


def joined_with_other_sizes(x, d):
    # NumPy's error, in the words of np.array.
    return np.maximum.reduce([x[x > d], x])


def lines_between_other_sizes(x, d):
    return np.linspace(np.append(x, d), x, 3)


@program
def ordered_list(x, n):
    return sorted(x[:n]), sorted(x[:n], reverse=True), max(x[:n])


@program
def dims_of_an_array_of_unknown_rank(x, n):
    return np.array(np.cross(x[:n], x[n:]), ndmin=2), np.array(x[:n], ndmin=3).shape


@program
def sizes_that_have_to_be_alike(x, n):
    line = np.polynomial.Polynomial.fit(x, np.linspace(0, 1, n + 3), 1)
    return np.round(line(2.0), 6), np.linalg.eigvals(np.eye(3)[:n])


@pytest.mark.parametrize("function", program)
def test_sizes_of_the_data_are_as_in_python(function):
    check(function)


@pytest.mark.parametrize(
    "function", [joined_with_other_sizes, lines_between_other_sizes]
)
def test_sizes_that_do_not_fit_raise_what_python_raises(function):
    with pytest.raises(ValueError, match=r"inhomogeneous|broadcast together"):
        check(function)


def added_in_place(x, y):
    x += y
    x *= 2
    return x


@pytest.mark.parametrize("sizes", [(5, 5), (5, 1), (5, 3), (1, 3), (0, 1), (0, 2)])
def test_an_operator_in_place_says_of_sizes_what_numpy_says(sizes):
    sized = ag.TensorSpec((None,), float)
    staged = ag.function(added_in_place, input_signature=[sized, sized])
    given = tuple(np.arange(float(size)) for size in sizes)
    found = disagreement(observe(added_in_place, given), observe(staged, given))
    assert found is None, found.sentence
