"""Arrays of Python objects: a function that computes with one is run as Python."""

import numpy as np
import pytest

from autograph.same import assert_same_as_python

TABLE = np.array([None, 1.0], object)


class Filter:
    def __init__(self):
        self.seen = np.array([[None], [None]])


def kept_in_an_attribute(x):
    one = Filter()
    one.seen[0:1] = x[0]
    return one.seen


def kept_outside(x):
    TABLE[0] = x[1]
    return TABLE, TABLE * 2


def arrays_in_an_array(x):
    made = np.empty(2, dtype=object)
    made[0] = x
    made[1] = [x.sum()]
    return made


def zeros_of_objects(x):
    made = np.zeros((2, len(x)), object)
    for i in range(len(x)):
        made[1, i] = x[i]
    return made


def of_numbers(x):
    return x.astype(object) + 1


@pytest.mark.parametrize(
    "program",
    [
        *(kept_in_an_attribute, kept_outside, arrays_in_an_array, zeros_of_objects),
        of_numbers,
    ],
)
def test_a_function_means_what_it_does_in_python(program):
    assert_same_as_python(program, np.array([1.5, 2.5]))


def changed(one, x):
    one.seen[1] = x
    return one


def test_one_of_an_object_that_is_passed_is_changed():
    assert_same_as_python(changed, Filter(), np.float64(2.0))


def as_large_as_the_run_says(x):
    # Of how many dims this is nobody knows before the run.
    size = np.squeeze(np.apply_over_axes(np.max, x, axes=(0, 1)))
    return np.zeros(size, object), np.full(size, None)


@pytest.mark.filterwarnings("ignore:.* is run as Python:RuntimeWarning")
def test_the_dims_of_a_sample_say_nothing_of_those_of_the_run():
    for shape in ((2, 2, 1), (2, 2, 2), (1, 1, 1)):
        x = np.arange(np.prod(shape)).reshape(shape)
        assert_same_as_python(as_large_as_the_run_says, x)
