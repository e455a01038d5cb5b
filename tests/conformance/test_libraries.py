"""SciPy's functions and objects, and NumPy's of functions: plain and as a graph."""

import numpy as np
import pytest
import scipy.fft
import scipy.integrate
import scipy.interpolate
import scipy.linalg
import scipy.ndimage
import scipy.optimize
import scipy.signal
import scipy.sparse
import scipy.spatial
import scipy.special
import scipy.stats

import autograph as ag
from autograph.same import assert_same_as_python

X = np.array([1.5, -2.0, 0.25, 3.0, 0.5, -1.0])
G = np.array([1.0, 1.5, 2.0, 4.0, 4.5, 7.0])
M = np.array([[4.0, 1.0, 2.0], [0.5, 3.0, 1.0], [1.0, 0.25, 5.0]])
D, N = np.float64(0.75), np.int64(3)
SPARSE = scipy.sparse.csr_matrix(M)
PROGRAMS = []


def program(*arguments):
    def note(function):
        PROGRAMS.append(pytest.param(function, arguments, id=function.__name__))
        return function

    return note


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_libraries_are_called_as_in_python(function, arguments):
    assert_same_as_python(function, *arguments)


@program(M, X)
def sparse_matrix(m, x):
    a = scipy.sparse.csr_matrix(m)
    told = (a.shape, a.nnz, a.sum(), a.sum(axis=0), (a * 2).toarray(), a.T.toarray())
    return a @ x[:3], isinstance(a, scipy.sparse.csr_matrix), *told


@program(M, X)
def sparse_matrix_is_changed(m, x):
    a = scipy.sparse.lil_matrix(m)
    before = a[0, 1]
    a[0, 1] = x[3]
    return before, a[0, 1], a.tocsr() @ x[:3]


@program(G, X, np.array([1.5, 2.5]))
def object_is_called_for_each(g, x, at):
    found = scipy.interpolate.interp1d(g, x, kind="quadratic")
    return [found(t) for t in at], found(at), found(2.0)


@program(M, X)
def sparse_solver(m, x):
    return scipy.sparse.linalg.spsolve(scipy.sparse.csc_matrix(m), x[:3])


@program(X)
def sparse_matrix_of_triples(x):
    parts = (np.abs(x[:3]), ([0, 1, 2], [1, 2, 0]))
    a = scipy.sparse.coo_matrix(parts, shape=(3, 3))
    return a.toarray(), a.tocsr()[1, 2]


@program(X)
def sparse_matrix_of_no_data(x):
    return scipy.sparse.eye_array(3).tocsr() @ x[:3]


def test_sparse_matrix_as_argument():
    # By hand, since SciPy warns when two sparse matrices are compared.
    def products(a, x):
        return a @ x[:3], a.dot(x[:3]), x[:3] @ a, SPARSE @ x[:3] + a.diagonal()

    staged = ag.function(products)
    for _ in range(2):
        for one, other in zip(staged(SPARSE, X), products(SPARSE, X), strict=True):
            np.testing.assert_array_equal(one, other, strict=True)


@program(M, X)
def sparse_matrix_in_a_loop(m, x):
    a, v, turns = scipy.sparse.csr_matrix(m), x[:3], 0
    while np.abs(v).max() < 1e4:
        v = a @ v
        turns += 1
    return v, turns


@program(X, D)
def minimizer(x, d):
    r = scipy.optimize.minimize(lambda v: ((v - d) ** 2).sum(), x[:2])
    return np.round(r.x, 3), r.success, r.nfev > 0


@program(X, D)
def minimizer_of_a_nested_function(x, d):
    scale = 2.0 * d

    def loss(v, offset):
        if v[0] > 10:
            return v[0] * scale
        return ((v - d) ** 2).sum() * scale + offset

    r = scipy.optimize.minimize(loss, x[:2], args=(d,), method="Nelder-Mead")
    return np.round(r.x, 2), r.message


@program(D)
def roots(d):
    f = lambda v: v * v - d
    found = scipy.optimize.root(lambda v: v**2 - d, [1.0])
    return scipy.optimize.brentq(f, 0, 2), scipy.optimize.fsolve(f, 1.0), found.x


@program(D)
def integrals(d):
    value, _ = scipy.integrate.quad(lambda t: np.exp(-d * t), 0, 1)
    path = scipy.integrate.odeint(lambda y, t: -d * y, 1.0, np.linspace(0, 1, 3))
    s = scipy.integrate.solve_ivp(lambda t, y: -d * y, (0, 1), [1.0], t_eval=[0, 0.5])
    return value * 2, path, s.y[0], s.t


@program(G, X, D)
def fits(g, x, d):
    found, _ = scipy.optimize.curve_fit(lambda t, a, b: a * t + b, g, x)
    least = scipy.optimize.least_squares(lambda p: p - x[:2] * d, np.zeros(2))
    r = scipy.optimize.linprog(np.abs(x[:2]), bounds=[(0, 1), (0, 1)])
    return np.round(found, 6), least.x, r.fun, r.status


@program(G, X, D)
def interpolation(g, x, d):
    c = scipy.interpolate.CubicSpline(g, x)
    f = scipy.interpolate.interp1d(g, x)
    return c(2.5), c(g + 0.1 * d), c(g, 1), c.derivative()(2.0), f(2.2), f(g[:2] + 0.1)


@program(M, D)
def space(m, d):
    distances, found = scipy.spatial.KDTree(m).query(m + 0.1)
    turn = scipy.spatial.transform.Rotation.from_euler("z", d)
    flat = scipy.spatial.distance.pdist(m)
    return distances, found, flat, turn.as_matrix(), turn.apply([1.0, 0, 0])


@program(X, N)
def special_functions(x, n):
    s = scipy.special
    one = s.erf(x), s.gamma(x), s.expit(x), s.logsumexp(x), s.softmax(x)
    return *one, s.comb(n, 2), s.jv(n, x), s.binom(n, 1)


@program(M, X)
def linear_algebra(m, x):
    lin = scipy.linalg
    lu, pivots = lin.lu_factor(m)
    factor = lin.cho_factor(m @ m.T)
    solved = lin.lu_solve((lu, pivots), x[:3]), lin.cho_solve(factor, x[:3])
    return *solved, lin.expm(m * 0.1), lin.lu(m), lin.sqrtm(m), lin.block_diag(m, m)


@program(X, D)
def signals(x, d):
    sig = scipy.signal
    b, a = sig.butter(2, d * 0.5)
    smooth = sig.filtfilt(b, a, np.tile(x, 4)), sig.lfilter(b, a, x)
    return *smooth, sig.find_peaks(x)[0], sig.medfilt(x, 3), sig.convolve(x, x[:2])


@program(X, D)
def statistics(x, d):
    r, st = scipy.stats.ttest_1samp(x, d), scipy.stats
    statistic, p = st.pearsonr(x, x[::-1])
    fitted = st.linregress(x, x * 2).slope
    densities = st.norm.pdf(x), st.norm(d, 2).cdf(x)
    return r.pvalue, r.statistic, statistic, p, fitted, *densities, st.rankdata(x)


@program(M)
def images(m):
    labels, count = scipy.ndimage.label(m > 1)
    return scipy.ndimage.gaussian_filter(m, 1), labels, count


@program(X)
def transforms(x):
    return scipy.fft.fft(x), scipy.fft.dct(x), scipy.fft.next_fast_len(7)


@program(X, D)
def polynomials(x, d):
    p, q = np.poly1d(x), np.polynomial.Polynomial([1.0, 2.0, 3.0])
    f = np.polynomial.Polynomial.fit(x, x * 2, 1)
    told = p(d), p.deriv()(d), q(x), np.round(f(d), 6), (p * 2).coeffs, p.order
    return *told, p.roots.size


@program(X, D)
def roots_that_are_real_or_complex(x, d):
    p, q = np.poly1d(x[:3]), np.poly1d(x[:3] * x[:3] + 1)
    found = [np.round(one, 6) for one in (p.roots, q.r, np.roots(x[:3]))]
    return *found, np.polynomial.Polynomial([d, -2.0 - d, 0.5]).roots()


@program(X, D)
def masked_arrays(x, d):
    a = np.ma.masked_where(x > 1, x)
    a += d
    return a.filled(0), a.mean(), a.count(), np.ma.array(x, mask=x > 0).sum()


LOW = np.array([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]])


@program(LOW, X)
def sizes_of_what_a_rank_leaves(a, x):
    residuals = np.linalg.lstsq(a, x[:3])[1]
    kept = scipy.linalg.null_space(a), scipy.linalg.orth(a)
    return residuals.shape, len(residuals), [one.shape for one in kept]


@program(np.ones(100), np.array([*np.linspace(0.0, 1.0, 50), 3.0]))
def bins_by_a_rule(x, y):
    (few, _), (many, ends) = np.histogram(x, "auto"), np.histogram(y, bins="fd")
    return len(few), many.shape, len(ends)


@program(M)
def dtypes_of_eigenvalues(m):
    values, vectors = np.linalg.eig(m)
    return values.dtype, np.zeros(2, vectors.dtype), np.iscomplexobj(np.roots(m[0]))


@program(X + 9)
def masked_arrays_of_no_mask(x):
    a = np.ma.masked_greater(x, 100)
    return a.mask, np.ma.masked_greater(x, 7).mask, (a * 2).mask


@program(X)
def masked_arrays_of_a_mask(x):
    a = np.ma.masked_equal(x, 0.25)
    return a.mask, a.data, np.unique(a).mask


@program(X, N)
def grids(x, n):
    joined = np.r_[x, 0, n], np.c_[x, x], np.r_[0:n], np.r_[x[:n], 1:3]
    return *joined, np.mgrid[0:n, 0:2], np.ogrid[0:n, 0:2]


@program(X, D)
def functions_of_functions(x, d):
    def above(v):
        if v > d:
            return v * d
        return -v

    table = np.stack((x, x * d))
    each = np.vectorize(above)(x), np.vectorize(above, otypes=[float])(table)
    rows = np.apply_along_axis(lambda row: row * d, 1, table)
    parts = np.piecewise(x, [x < 0, x >= 1], [lambda v: v * d, above_one, 0.5])
    added = np.frompyfunc(lambda a, b: a + b, 2, 1)(x, x).astype(float)
    return *each, rows, parts, added, np.fromfunction(lambda i: i * d, (3,))


def above_one(v):
    return v + 1


@program(X, D)
def lists_of_arrays(x, d):
    parts = np.split(x, np.flatnonzero(x > d))
    total = 0.0
    for part in parts:
        total = total + part.sum() * len(part)
    return parts, len(parts), total, x[x > d].tolist(), np.array_split(x, 2)


@program(np.array([[1.0, 2.0], [3.0, 4.0]]))
def indices(a):
    found = 0.0
    for (i, j), v in np.ndenumerate(a):
        found += (i + 2 * j) * v
    for k in np.ndindex(a.shape):
        found += a[k] * 10
    return found


@program(np.array([3.0, -1.0, 2.0]))
def arrays_made_in_a_loop(x):
    total = 0.0
    for v in x:
        window = np.hanning(5)
        window[0] += v
        rows, _ = np.triu_indices(3)
        rows[0] += 5
        total += window[0] + rows[0]
    return total


@program(np.array([[0.0, 1.0], [-1.0, 0.0]]))
@program(np.array([[2.0, 1.0], [1.0, 3.0]]))
def results_whose_dtype_depends_on_data(m):
    w, v = np.linalg.eig(m)
    total = 0.0
    for i in range(len(w)):
        if abs(w[i]) > 0.5:
            total = total + w[i].real
    told = w.real, w.imag, np.abs(w), w[0], w * 2.0, w.conj(), np.isrealobj(w)
    return *told, v[:, np.argsort(w.real)], total, np.emath.sqrt(m)


@program(np.array([1.0, -3.0, 2.0]))
@program(np.array([1.0, 0.0, 2.0]))
def roots_of_polynomials(c):
    roots = np.roots(c)
    return roots, roots.real.sum(), np.polynomial.polynomial.polyroots(c), len(roots)


@program(np.arange(12.0).reshape(3, 4))
def products_of_stacks(a):
    batch = np.stack((a, a + 1))
    first = np.einsum("...ij,...ij->...", batch, a), np.einsum("...i->...", batch)
    return first, [v.sum() for v in np.einsum("...i,ji", batch, a)]


@program(np.linspace(0, 2, 20), 3 * np.exp(-1.5 * np.linspace(0, 2, 20)), np.ones(2))
def fitting_with_a_branch_inside(t, y, start):
    def residual(p):
        made = np.empty(len(t))
        for k in range(len(t)):
            made[k] = p[0] * np.exp(-p[1] * t[k]) - y[k]
        if np.any(np.isnan(made)):
            return np.zeros_like(made)
        return made

    best = scipy.optimize.least_squares(residual, start)
    if best.success:
        start = best.x
    return np.round(start, 5), best.cost < 1e-6


@program(X, N)
def solver_in_a_loop(x, n):
    total = 0.0
    for j in range(n):
        r = scipy.optimize.minimize_scalar(lambda v, j=j: (v - x[j]) ** 2)
        if r.x > 0:
            total += r.x
    return np.round(total, 5)


def test_a_call_of_an_object_is_part_of_the_graph():
    staged = ag.function(object_is_called_for_each)
    with ag.config(strict=True):
        assert_same_as_python(staged, G, X, np.array([1.5, 2.5]))
    assert len(staged.concrete_functions) == 1
