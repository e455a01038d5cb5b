"""How results lie in memory, where they may be put into memory that nobody reads."""

import copy
import itertools

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import check


def sums(x, y):
    return np.exp(-x) * y, (x * 2) + y, (y * 2) - x


def of_every_second(x, y):
    some = (x * 2)[:, ::2]
    return some + 1, (x * 2)[0][::2] * 3


def stored_as_a_whole(x, y):
    made = np.zeros_like(y)
    made[...] = x * 2
    return made


def changed_in_place(x, y):
    made = x * 1.0
    made += y
    return made


def turns(x, y):
    for _ in range(np.int64(3)):
        x = np.sqrt(x + 1) * y
    return x


def copied(x, y):
    return copy.copy(x.T), copy.deepcopy(y), copy.deepcopy([x + y, x.T])[1]


ORDERS = {
    "C": np.ascontiguousarray,
    "F": np.asfortranarray,
    "steps": lambda x: np.repeat(x, 2, -1)[..., ::2],
    "backwards": lambda x: np.ascontiguousarray(x[..., ::-1])[..., ::-1],
    "turned": lambda x: np.ascontiguousarray(np.moveaxis(x, 0, -1)).swapaxes(0, -1),
}


def strides_of(result):
    """Those of the results, but for axes of one element, which say nothing."""
    results = result if type(result) is tuple else (result,)
    pairs = [zip(one.shape, one.strides, strict=True) for one in results]
    return [[step for size, step in pair if size > 1] for pair in pairs]


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(
    "function",
    [sums, of_every_second, stored_as_a_whole, changed_in_place, turns, copied],
)
def test_a_result_lies_as_numpys(function, backend):
    shapes, wrong = [(2, 3), (3, 3, 3), (2, 1, 3)], []
    with ag.config(backend=backend):
        for shape, a, b in itertools.product(shapes, ORDERS, ORDERS):
            x, y = ORDERS[a](np.ones(shape)), ORDERS[b](np.ones(shape))
            if x.shape != y.shape:
                continue
            staged = ag.function(function)
            for _ in range(3):
                found, wanted = staged(x, y), function(x, y)
                if strides_of(found) != strides_of(wanted):
                    wrong.append((shape, a, b, strides_of(found), strides_of(wanted)))
    assert wrong == []


def changed_as_fortran_has_it(x, n):
    made = np.zeros(x.shape, order="F")
    made += x
    for _ in range(n):
        made *= x
    return made


def given_as_out(x, n):
    made, other = np.empty_like(x).T, np.zeros(x.shape, order="F")
    x.clip(1, n, out=made)
    np.cumsum(x, axis=0, out=other)
    np.matmul(x, x, out=(third := np.zeros((3, 3)).T))
    np.add(x, n, out=(fourth := np.zeros((3, 3))).T)
    return made, other, third, fourth


def filled_as_fortran_has_it(x, n):
    made, other = np.zeros(x.shape, order="F"), np.zeros(x.shape, order="F")
    made[...] = x + n
    np.copyto(other, x * n)
    return made, other


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(
    "function", [changed_as_fortran_has_it, given_as_out, filled_as_fortran_has_it]
)
def test_an_array_of_the_calls_own_keeps_its_order(function, backend):
    x = np.arange(9.0).reshape(3, 3)
    with ag.config(backend=backend):
        staged = ag.function(function)
        for _ in range(4):
            found, wanted = staged(x, np.int64(2)), function(x, np.int64(2))
            assert strides_of(found) == strides_of(wanted)
            assert np.array_equal(found, wanted)


def of_what_an_if_has_taken(x, n):
    z = x.T if n > 1 else (x + 1).T
    made = z + 1, z.copy("K"), np.concatenate([z, z]), z.cumsum(axis=0)
    return [one.strides for one in made]


def that_is_locked(x, n):
    y = x * n
    y.flags["WRITEABLE"] = False
    y[0] = 1


@pytest.mark.parametrize("function", [of_what_an_if_has_taken, that_is_locked])
def test_what_only_the_run_knows_of_memory_is_as_in_python(function):
    x = np.arange(6.0).reshape(2, 3)
    check(function, ((x, np.int64(1)), (x, np.int64(2))))
