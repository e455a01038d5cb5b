"""What ag.vectorize and ag.vmap say of arguments and results that do not fit."""

import numpy as np
import pytest

import autograph as ag
from tests.errors.saying import Case, Cases, check

CASES = Cases()
x3 = np.array([1.0, 2.0, 3.0])
x23 = np.ones((2, 3))


@CASES.plainly_says(
    """
    ValueError: `<lambda>` is called for no element, as the inputs have size
          0; otypes says what dtypes it would give
    """,
    np.zeros(0),
)
def no_element(x):
    return ag.vectorize(lambda a: a + 1)(x)


@CASES.says(
    """
    ValueError: shape mismatch: objects cannot be broadcast to a single
          shape.  Mismatch is between arg 0 with shape (3,) and arg 1 with shape (2,).
    """,
    x3,
    np.ones(2),
)
def elements_that_do_not_fit(x, y):
    return ag.vectorize(lambda a, b: a + b)(x, y)


@CASES.says(
    """
    ValueError: `powers` gave an array of shape (3,) for one element
      ag.vectorize is for functions of numbers; ag.vmap stacks arrays.
    """,
    x3,
)
def array_of_an_element(x):
    @ag.vectorize
    def powers(a):
        return np.array([1.0, a, a * a])

    return powers(x)


@CASES.plainly_says(
    """
    ValueError: `parts` gave (*, *, *) for one element, and (*, *) for the
          first
    """,
    np.array([1, 0, 2]),
)
def results_of_several_numbers(x):
    @ag.vectorize
    def parts(a):
        return (a, a + 1) if a > 0 else (a, a, a)

    return parts(x)


@CASES.plainly_says(
    """
    ValueError: `divmod` gives 2 numbers, and otypes names 1
    """,
    x3,
)
def otypes_for_other_results(x):
    return ag.vectorize(divmod, otypes="d")(x, 2)


@CASES.plainly_says(
    """
    TypeError: excluded holds positions and names of arguments, not 'xp'
    """,
    x3,
)
def excluded_text(x):
    return ag.vectorize(np.interp, excluded="xp")(x)


@CASES.plainly_says(
    """
    TypeError: a function is wanted, not array([1., 2., 3.])
    """,
    x3,
)
def vectorized_array(x):
    return ag.vectorize(x)


@CASES.says(
    """
    ValueError: vmap of `dot` goes along axes of different sizes: 2 and 3
    """,
    x23,
    x3,
)
def slices_of_two_sizes(x, y):
    return ag.vmap(np.dot)(x, y)


@CASES.says(
    """
    ValueError: in_axes names axis 2 of an argument of `sum` that has the
          shape (2, 3)
    """,
    x23,
)
def axis_that_is_not_there(x):
    return ag.vmap(np.sum, in_axes=2)(x)


@CASES.says(
    """
    ValueError: in_axes names axis 0 of an argument of `multiply` that has the
          shape ()
    """,
    x3,
)
def slices_of_a_number(x):
    return ag.vmap(np.multiply)(x, 2.0)


@CASES.says(
    """
    ValueError: out_axes names axis 1 of a result of `sum` that has the shape
          (2,)
    """,
    x23,
)
def axis_of_results_that_is_not_there(x):
    return ag.vmap(np.sum, out_axes=1)(x)


@CASES.says(
    """
    ValueError: vmap of `sum` has no axis to go along: all in_axes are None
    """,
    x23,
)
def no_axis_to_go_along(x):
    return ag.vmap(np.sum, in_axes=None)(x)


@CASES.says(
    """
    ValueError: in_axes has 2 entries, and `sum` is called with 1 argument
    """,
    x23,
)
def axes_of_other_arguments(x):
    return ag.vmap(np.sum, in_axes=(0, 0))(x)


@CASES.says(
    """
    ValueError: in_axes has (0, 0, 0) where there is (*, *)
    """,
    x23,
)
def axes_of_another_structure(x):
    return ag.vmap(lambda pair: pair[0], in_axes=((0, 0, 0),))((x, x))


@CASES.says(
    """
    TypeError: in_axes holds ints and None, not 'rows'
    """,
    x23,
)
def axis_that_is_no_int(x):
    return ag.vmap(np.sum, in_axes="rows")(x)


@CASES.says(
    """
    ValueError: `sum` is called for no slice: the axis has size 0
    """,
    np.zeros((0, 3)),
)
def no_slice(x):
    return ag.vmap(np.sum)(x)


@CASES.plainly_says(
    """
    ValueError: `<lambda>` gave an array of shape (3,), and of shape (2,) at
          first
    """,
    np.array([2, 3]),
)
def results_of_several_shapes(x):
    return ag.vmap(lambda n: np.zeros(n))(x)


@CASES.plainly_says(
    """
    ValueError: `<lambda>` gave * for one slice, and (*, *) for the first
    """,
    np.array([1, -1]),
)
def results_of_several_structures(x):
    return ag.vmap(lambda n: (n, n) if n > 0 else n)(x)


@CASES.says(
    """
    TypeError: `<lambda>` gave 'row' for a slice; ag.vmap stacks arrays and
          numbers
    """,
    x23,
)
def result_that_is_no_array(x):
    return ag.vmap(lambda row: (row, "row"))(x)


@CASES.says(
    """
    ValueError: out_axes is None for a result of `sum`, which every slice has
          its own of
    """,
    x23,
)
def result_without_an_axis(x):
    return ag.vmap(np.sum, out_axes=None)(x)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_full_text(case: Case) -> None:
    check(case)
