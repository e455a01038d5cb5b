"""Objects of libraries: asked, changed and gone through by each run, in order."""

import copy
import warnings

import numpy as np
import pytest
from scipy import integrate, sparse, stats
from scipy._lib._util import MapWrapper
from scipy.interpolate import CubicSpline
from scipy.sparse import csgraph

import autograph as ag
from autograph.same import assert_same_as_python

X = np.array([1.0, 2.0, 3.0])
HELD = None  # what a program finds outside: given by each test


def outcomes(function, make):
    """What two calls give, and what the object from outside is afterwards."""
    held = function.__globals__["HELD"] = make()
    found = [repr(function(X.copy())), repr(function(X + 1))]
    whole = held.toarray() if sparse.issparse(held) else copy.copy(held)
    return found, repr(whole)


def same_for_an_object_from_outside(function, make):
    staged = ag.function(function)
    python = outcomes(function, make)
    held = function.__globals__["HELD"] = make()
    graph = [repr(staged(X.copy())), repr(staged(X + 1))]
    whole = held.toarray() if sparse.issparse(held) else copy.copy(held)
    assert (graph, repr(whole)) == python


def by_method(x):
    HELD.setdiag(x)
    return HELD @ x


def without_a_result(x):
    HELD.setdiag(x[0])


def by_item(x):
    HELD[0, 1] = x[0]
    return HELD @ x


def by_its_array(x):
    HELD.data[:] = x
    return HELD @ x, HELD.sum()


def in_a_loop(x):
    for v in x:
        if v > 1:
            HELD.setdiag(v)
    return HELD.sum()


@pytest.mark.parametrize(
    "function", [by_method, without_a_result, by_item, by_its_array, in_a_loop]
)
def test_sparse_matrix_from_outside_is_changed_once_and_in_order(function):
    kind = sparse.lil_array if function is by_item else sparse.csr_array
    same_for_an_object_from_outside(function, lambda: kind(np.eye(3)))


def changed_inside(x):
    a = sparse.csr_array(np.diag(x))
    a.data *= x
    data = a.data
    data[0] = 50.0
    b = sparse.csr_array(np.diag(x))
    b.data = b.data * 2
    return a.sum(), b.sum(), data


def filled_inside(x):
    a = sparse.lil_array((3, 3))
    for i in range(3):
        if x[i] > 1:
            a[i, i] = x[i]
    return a.sum(), a.tocsr() @ x


@pytest.mark.parametrize("function", [changed_inside, filled_inside])
def test_sparse_matrix_of_the_run_is_changed_through_its_arrays(function):
    assert_same_as_python(function, X)


def test_data_frame_is_asked_and_changed():
    pandas = pytest.importorskip("pandas")

    def made(x):
        frame = pandas.DataFrame({"a": x})
        frame["b"] = frame["a"] * 2
        frame.loc[0, "a"] = 7.0
        names = [name for name in frame]
        return frame["b"].sum(), frame.a.max(), names, frame.shape, len(frame)

    def gone_through(x):
        total = 0.0
        for value in pandas.Series(x):
            if value > 1:
                total += value
        return total

    assert_same_as_python(made, X)
    assert_same_as_python(gone_through, X)


def new_column(x):
    HELD["b"] = x
    return HELD.b.sum()


def test_data_frame_from_outside_gets_a_column():
    pandas = pytest.importorskip("pandas")
    same_for_an_object_from_outside(new_column, lambda: pandas.DataFrame({"a": X}))


def test_estimator_is_fitted_and_asked():
    linear_model = pytest.importorskip("sklearn.linear_model")

    def fitted(x, n):
        slope = 0.0
        for _ in range(n):
            if x[0] < 4:
                model = linear_model.LinearRegression()
                model.fit(x[:, None], x * 2 + 1)
                slope = slope + model.coef_[0]
                x = model.predict(x[:, None])
        return slope, x

    assert_same_as_python(fitted, X, np.int64(2))


def partial_fit(x):
    HELD.partial_fit(x[:, None])
    return HELD.mean_ * 1


def test_estimator_from_outside_is_fitted_once_for_each_call():
    preprocessing = pytest.importorskip("sklearn.preprocessing")
    make = preprocessing.StandardScaler
    python = outcomes(partial_fit, make)
    staged = ag.function(partial_fit)
    held = partial_fit.__globals__["HELD"] = make()
    assert [repr(staged(X.copy())), repr(staged(X + 1))] == python[0]
    assert held.n_samples_seen_ == 6


def test_attribute_of_an_object_may_have_the_name_of_one_of_ours():
    optimize = pytest.importorskip("scipy.optimize")

    def root(d):
        found = optimize.root_scalar(lambda v: v * v - d, bracket=(0, 4))
        return found.root, found.converged, found.iterations

    assert_same_as_python(root, np.float64(2.0))


def test_result_that_is_an_empty_list_is_one():
    assert_same_as_python(lambda x: stats.trim1(x, 3), X)


def test_trials_of_shortest_paths_end():
    graph = np.array([[0.0, 2.0, 9.0], [1.0, 0.0, 3.0], [4.0, 1.0, 0.0]])
    assert_same_as_python(lambda x: csgraph.dijkstra(x), graph)


def masked(x, n):
    found = np.ma.masked_greater([1.0, 5.0, 2.0], 3)
    for _ in range(n):
        if x[0] < 9:
            found = found + x
    return found, np.ma.cumsum([1, 1])


def test_masked_array_of_known_numbers_stays_one():
    python, graph = (f(X, np.int64(2)) for f in (masked, ag.function(masked)))
    assert repr(python) == repr(graph)


class Fit:
    """Stands for a library's estimator: it has more attributes once it is fitted."""

    def fit(self, x):
        if x.sum() < 100:
            raise ValueError("too little")
        self.mean_ = x.mean()


Fit.__module__ = "sklearn.fit"


def fitted(x):
    model = Fit()
    try:
        model.fit(x)
        return model.mean_
    except ValueError as error:
        return str(error)


def asked(x):
    model = Fit()
    try:
        model.fit(x)
    except ValueError:
        x = x + 1
    return hasattr(model, "mean_"), getattr(model, "mean_", -1.0), x


def asked_for_what_no_class_has(x):
    matrix = sparse.csr_matrix(np.diag(x))
    return hasattr(matrix, "data"), getattr(matrix, "data", None), matrix.nnz


@pytest.mark.parametrize("function", [fitted, asked, asked_for_what_no_class_has])
def test_an_object_has_the_attributes_that_the_run_gives_it(function):
    staged = ag.function(function)
    for x in (np.ones(2), np.ones(2) * 200, np.ones(2)):
        assert repr(staged(x)) == repr(function(x))


class Counting:
    """Stands for a library's object that each call changes: a solver, an estimator."""

    def __init__(self):
        self.count, self.seen = 0, []

    def step(self):
        self.count += 1
        return self.count

    def __call__(self, x):
        self.seen.append(x.sum())
        return x * self.step()


def library_function(counting, x):
    return counting.step() * x.sum()


Counting.__module__ = library_function.__module__ = "sklearn.counting"


def stepped(counting, x):
    counting.step()
    return counting.count * x


def called(counting, x):
    return counting(x)


def handed_on(counting, x):
    return library_function(counting, x), counting.count


@pytest.mark.parametrize("function", [stepped, called, handed_on])
def test_each_call_changes_a_librarys_object_once(function):
    staged, in_python, in_graph = ag.function(function), Counting(), Counting()
    for x in (X, X * 2, X * 3):
        assert repr(staged(in_graph, x)) == repr(function(in_python, x))
        assert repr(vars(in_graph)) == repr(vars(in_python))


def oscillating(t, y):
    return np.array([y[1], -y[0]])


def solved(solver):
    solver.step()
    return solver.t, solver.y.copy(), solver.nfev


def test_a_solver_from_outside_goes_on_with_each_call():
    solvers = [integrate.RK45(oscillating, 0, np.array([1.0, 0.0]), 3) for _ in "ab"]
    staged = ag.function(solved)
    for _ in range(3):
        assert repr(staged(solvers[0])) == repr(solved(solvers[1]))


class OwnCurve(CubicSpline):
    """Of a class of SciPy's, whose `__init__` puts what it computes into the object."""

    def __init__(self, x, y):
        super().__init__(x, y)


def at(x, y, where):
    return OwnCurve(x, y)(where)


def test_what_a_base_of_a_librarys_leaves_in_an_object_is_there():
    class Decorated(OwnCurve):
        __init__ = ag.function(OwnCurve.__init__)

    x = np.arange(5.0)
    staged = ag.function(at)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".* is run as Python")
        for k in range(3):
            y = x**k
            assert staged(x, y, 1.5) == at(x, y, 1.5) == Decorated(x, y)(1.5)


def mapped(x):
    with MapWrapper(1) as mapper:
        return np.array(list(mapper(np.sin, [x, x * 2])))


def test_a_manager_of_a_librarys_that_a_run_makes_is_entered():
    staged = ag.function(mapped)
    for k in range(3):
        assert repr(staged(np.float64(k))) == repr(mapped(np.float64(k)))


class Reading:
    """What a library's function gives that fails on all that it is tried with."""

    def __init__(self, most):
        self.most = most

    def __call__(self, x):
        return x / self.most

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None


def read(x):
    if not x.max() > 1e9:
        raise ValueError("too little")
    return Reading(x.max())


read.__module__ = Reading.__module__ = "scipy.stub"


def asked_for_an_attribute(x):
    return read(x).most + 1


def called(x):
    return read(x)(x)


def entered(x):
    with read(x) as reading:
        return reading.most


@pytest.mark.parametrize("program", [asked_for_an_attribute, called, entered])
def test_what_no_trial_has_told_is_not_taken_for_an_array(program):
    staged = ag.function(program)
    for k in range(3):
        x = np.array([1e10, 3.0]) + k
        assert repr(staged(x)) == repr(program(x))
