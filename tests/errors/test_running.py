"""What is said when a graph fails as it runs: Python's words, at the user's line."""

import optparse
import signal
import sys

import numpy as np
import pytest

import autograph as ag
from tests.errors.saying import Case, Cases, check, line_of, raised

X = np.array(1.0)
XY = np.array([1.0, 2.0])
N = np.int64(3)
PARSER = optparse.OptionParser()
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


@CASES.says(
    """
    NotImplementedError: an ExceptionGroup holds what depends on data
      in a_group, FILE line N:  if x > 2:
      Raise one of its exceptions, or an exception with a list of messages.
    """,
    np.float64(1.0),
)
def a_group(x):
    if x > 2:
        raise ExceptionGroup("large", [ValueError(x)])
    return x


@CASES.says(
    """
    NotImplementedError: SystemExit is raised, which is no Exception
      in ending_the_program, FILE line N:  raise SystemExit(3)
      Raise it outside of the function.
    """,
    np.float64(1.0),
)
def ending_the_program(x):
    print("begin")
    if x > 2:
        raise SystemExit(3)
    return x


class Quit(BaseException):
    pass


@CASES.says(
    """
    NotImplementedError: Quit is raised, which is no Exception
      in quitting, FILE line N:  raise Quit(x)
      Raise it outside of the function.
    """,
    np.float64(1.0),
)
def quitting(x):
    if x > 2:
        raise Quit(x)
    return x


@CASES.says(
    """
    NotImplementedError: sys.exit() would be called once, while tracing, and not when
          the graph runs
      in by_sys, FILE line N:  sys.exit(3)
      Call it outside of the decorated function, or by ag.py_function.
    """,
    np.float64(1.0),
)
def by_sys(x):
    if x > 2:
        sys.exit(3)
    return x


@CASES.says(
    """
    NotImplementedError: this ends the program, depending on data
      in by_a_library, FILE line N:  if x > 2:
      End it outside of the function.
    """,
    np.float64(1.0),
)
def by_a_library(x):
    if x > 2:
        PARSER.exit(3)
    return x


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_whole_text_is_said(case: Case) -> None:
    check(case)


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


def test_who_ends_the_program_is_not_asked_where_the_path_is_not_taken():
    @ag.function
    def leaves(x, way):
        print("begin")
        x[0] = 5
        if x[1] > 2:
            way(3)
        return x[1]

    def by_raise(code):
        raise SystemExit(code)

    for way in (by_raise, sys.exit, PARSER.exit, exit, quit):
        x = np.array([1.0, 2.0])
        assert leaves(x, way) == 2
        assert x[0] == 5
        x[1] = 3
        with pytest.raises(SystemExit) as ended:
            leaves(x, way)
        assert ended.value.code == 3


def test_a_signal_that_ends_the_program_ends_it_in_a_trace():
    def end(number, frame):
        sys.exit(7)

    class Slow:
        @property
        def one(self):
            signal.raise_signal(signal.SIGUSR1)
            return 1

    @ag.function
    def counts(x, slow):
        return x + slow.one if x > 2 else x

    before = signal.signal(signal.SIGUSR1, end)
    try:
        with pytest.raises(SystemExit):
            counts(np.float64(1.0), Slow())
    finally:
        signal.signal(signal.SIGUSR1, before)
