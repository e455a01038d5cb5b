"""What is said when a graph fails as it runs: Python's words, at the user's line."""

import numpy as np
import pytest

import autograph as ag
from tests.errors.saying import Case, Cases, check, line_of, raised

X = np.array(1.0)
XY = np.array([1.0, 2.0])
N = np.int64(3)
CASES = Cases()


@CASES.says(
    """
    UnboundLocalError: cannot access local variable 'z' where it is not associated
          with a value
    """,
    X,
)
def name_bound_later(x):
    y = z + x  # noqa: F821
    z = 1
    return y, z


@CASES.says(
    """
    NameError: name 'nowhere' is not defined
    """,
    X,
)
def name_that_nothing_binds(x):
    return nowhere + x  # noqa: F821


@CASES.says(
    """
    UnboundLocalError: cannot access local variable 'y' where it is not associated
          with a value
    """,
    -X,
)
def name_bound_on_the_other_path(x):
    if x > 0:
        y = x
    return y


@CASES.says(
    """
    UnboundLocalError: cannot access local variable 'last' where it is not
          associated with a value
    """,
    np.int64(0),
)
def name_bound_in_a_loop_that_does_not_run(n):
    for i in range(n):
        last = i
    return last


@CASES.says(
    """
    UnboundLocalError: cannot access local variable 'y' where it is not associated
          with a value
    """,
    -X,
)
def name_deleted_on_a_path(x):
    y = x
    if x < 0:
        del y
    return y


@CASES.says(
    """
    IndexError: index 3 is out of bounds for axis 0 with size 2
    """,
    XY,
    N,
)
def index_out_of_bounds(x, i):
    return x[i]


@CASES.says(
    """
    ValueError: operands could not be broadcast together with shapes (2,) (3,)
    """,
    XY,
    np.array([True, True]),
)
def shapes_that_do_not_broadcast(x, mask):
    return x[mask] + np.ones(3)


@CASES.says(
    """
    ValueError: matmul: Input operand 1 has a mismatch in its core dimension 0, with
          gufunc signature (n?,k),(k,m?)->(n?,m?) (size 2 is different from 3)
    """,
    XY,
)
def shapes_known_not_to_fit(x):
    return np.ones((2, 3)) @ x


@CASES.says(
    """
    ZeroDivisionError: integer division or modulo by zero
    """,
    N,
)
def division_of_a_counter_by_zero(n):
    total = 0
    for i in range(n):
        total = total + 1 // i
    return total


@CASES.says(
    """
    AssertionError
    """,
    X,
)
def assertion(x):
    assert x < 0
    return x


@CASES.says(
    """
    AssertionError: x is 1.0, not negative
    """,
    X,
)
def assertion_with_a_message(x):
    assert x < 0, f"x is {x}, not negative"
    return x


@CASES.says(
    """
    ValueError: ('too big', array(1.))
    """,
    X,
)
def exception_with_a_value(x):
    if x > 0:
        raise ValueError("too big", x)
    return x


@CASES.says(
    """
    ValueError: x is 1.00
    """,
    X,
)
def exception_on_every_path(x):
    raise ValueError(f"x is {x:.2f}")


@CASES.says(
    """
    ValueError: The truth value of an array with more than one element is ambiguous.
          Use a.any() or a.all()
    """,
    XY,
)
def truth_of_several(x):
    if x > 1:
        return x
    return -x


@CASES.says(
    """
    TypeError: 'numpy.float64' object does not support item assignment
    """,
    XY,
)
def item_of_a_number(x):
    total = x.sum()
    total[0] = 1
    return total


whole = ag.Variable(np.zeros(2, np.int64))


@CASES.says(
    """
    TypeError: a Variable of dtype int64 cannot take a value of dtype float64; cast
          it with
          .astype('int64')
    """,
    XY,
)
def variable_of_another_dtype(x):
    whole.assign(x)


@CASES.says(
    """
    ValueError: a Variable that is int64[2] cannot take a value of shape (3,)
    """,
    np.zeros(3, np.int64),
)
def variable_of_another_shape(x):
    whole.assign(x)


@ag.function
def makes(x):
    return ag.Variable(1.0) * x


@CASES.plainly_says("""
    TypeError: a Variable is made here at each call
      in makes, FILE line N:  return ag.Variable(1.0) * x
      Make it outside of the function, or at the first call only, and keep it:
          `if self.v is None: self.v = ag.Variable(...)`.
    """)
def variable_made_at_each_call():
    makes(XY)
    makes(XY)


@CASES.plainly_says("""
    TypeError: a Variable of dtype int64 cannot take a value of dtype float64; cast
          it with
          .astype('int64')
    """)
def variable_assigned_at_once():
    whole.assign(XY)


@CASES.plainly_says("""
    TypeError: a Variable of dtype int64 cannot take the float 1.5
    """)
def variable_assigned_a_number():
    whole.assign(1.5)


@CASES.plainly_says("""
    ValueError: [1, 2, 3] does not fit the shape (2,)
    """)
def variable_whose_start_does_not_fit():
    ag.Variable([1, 2, 3], shape=(2,))


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_whole_text_is_said(case: Case) -> None:
    check(case)


def test_a_local_variable_that_is_not_bound_is_not_named_beside_the_text() -> None:
    # CPython has a `name` for global and free variables alone.
    unbound = next(c for c in CASES if c.name == "name_bound_on_the_other_path")
    error = raised(unbound)
    assert isinstance(error, UnboundLocalError)
    assert error.name is None


LINES = {
    "name_bound_later": "y = z + x  # noqa: F821",
    "name_that_nothing_binds": "return nowhere + x  # noqa: F821",
    "name_bound_on_the_other_path": "return y",
    "name_bound_in_a_loop_that_does_not_run": "return last",
    "name_deleted_on_a_path": "return y",
    "index_out_of_bounds": "return x[i]",
    "shapes_that_do_not_broadcast": "return x[mask] + np.ones(3)",
    "shapes_known_not_to_fit": "return np.ones((2, 3)) @ x",
    "division_of_a_counter_by_zero": "total = total + 1 // i",
    "assertion": "assert x < 0",
    "assertion_with_a_message": 'assert x < 0, f"x is {x}, not negative"',
    "exception_with_a_value": 'raise ValueError("too big", x)',
    "exception_on_every_path": 'raise ValueError(f"x is {x:.2f}")',
    "truth_of_several": "if x > 1:",
    "item_of_a_number": "total[0] = 1",
    "variable_of_another_dtype": "whole.assign(x)",
    "variable_of_another_shape": "whole.assign(x)",
    "variable_made_while_tracing": "return ag.Variable(x)",
}
LOCATED = [case for case in CASES if case.name in LINES]


@pytest.mark.parametrize("case", LOCATED, ids=[case.name for case in LOCATED])
def test_the_traceback_ends_at_the_line_that_failed(case: Case) -> None:
    assert line_of(raised(case)) == LINES[case.name]


@pytest.mark.parametrize("case", LOCATED, ids=[case.name for case in LOCATED])
def test_a_failure_comes_again_at_the_next_call(case: Case) -> None:
    assert str(raised(case)) == str(raised(case))
