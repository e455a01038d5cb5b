"""What is returned is the array, or a view of it, that Python returns."""

import numpy as np
import pytest

import autograph as ag


def of_a_part(x):
    v = x[1, ...]
    v += 1
    return v


def all_of_it(x):
    return x[...], x.T, x.reshape(1), x[None], x.real, np.squeeze(x[None])


def reshaped(x):
    w = x[:1].reshape(())
    return w, np.squeeze(x[1:2])


class Kept:
    def __init__(self):
        self.part = None


CASES = [
    (of_a_part, np.arange(3.0)),
    (all_of_it, np.array(3.0)),
    (reshaped, np.arange(3.0)),
]


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("program", "x"), CASES, ids=lambda case: str(case)[:20])
def test_views_without_dims_see_the_callers_array(program, x, backend):
    staged, y = ag.function(program), x.copy()
    with ag.config(backend=backend):
        found = staged(y)
    wanted = program(x)
    pairs = (
        zip(found, wanted, strict=True) if type(found) is tuple else [(found, wanted)]
    )
    for one, other in pairs:
        assert np.shares_memory(one, y)
        assert (one is y) == (other is x)
        assert one.strides == other.strides
        assert np.array_equal(one, other)


def test_a_view_without_dims_that_an_object_keeps_sees_changes():
    @ag.function
    def keep(kept, x):
        kept.part = x[1, ...]
        x += 1
        return kept.part * 2

    kept, x = Kept(), np.arange(3.0)
    assert keep(kept, x) == 4
    x[1] = 9
    assert kept.part == 9


def test_numbers_and_copies_without_dims_have_a_graph():
    @ag.function
    def numbers(x):
        v = x[1, ...]
        v += 1
        return x[0], x[1, ...].copy(), np.squeeze(x[:1] * 2), x.sum(keepdims=True)

    with ag.config(strict=True):
        found = numbers(np.arange(3.0))
    assert found == (0, 2, 0, np.array([4.0]))


@pytest.mark.parametrize("backend", ["numpy", "native"])
def test_an_array_of_the_call_is_one_under_both_names(backend):
    @ag.function
    def chosen(n):
        first = np.zeros(3)
        second = first
        if n > 2:
            second = second + 1
        return first, [second]

    with ag.config(backend=backend):
        first, (second,) = chosen(np.int64(1))
        assert first is second
        first, (second,) = chosen(np.int64(3))
    assert not np.shares_memory(first, second)
    assert second.tolist() == [1.0, 1.0, 1.0]
