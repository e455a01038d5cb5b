"""What is said where Python asks for a value that only a run knows."""

import bisect
import itertools
import operator
import pickle
import traceback
from typing import Any

import numpy as np
import pytest

import autograph as ag
from tests.errors.saying import Case, Cases, check, raised

X = np.array(1.0)
N = np.int64(1)
ROWS = np.ones((2, 3))
CASES = Cases()


@CASES.says(
    """
    TypeError: the text of this tensor is known only when the graph runs, so it cannot
          be made while tracing
      in formatted, FILE line N:  return x.__format__(".2f")
      Only converted code can depend on it: no function that is marked with
          @ag.do_not_convert, has no source, belongs to a library, or is called by one.
    """,
    np.float64(1.0),
)
def formatted(x):
    return x.__format__(".2f")


@CASES.says(
    """
    TypeError: a dtype is compared with a text that only a run knows
      in named, FILE line N:  return x.dtype == str(x[0])
      Compare its name: `x.dtype.name == name`.
    """,
    np.ones(2),
)
def named(x):
    return x.dtype == str(x[0])


@CASES.says(
    """
    TypeError: a range of the run is given to NumPy
      in a_range_beside_an_array, FILE line N:  return x + range(n)
      Give it an array of a list: `np.array(list(...))`.
    """,
    np.ones(2),
    np.int64(2),
)
def a_range_beside_an_array(x, n):
    return x + range(n)


@ag.do_not_convert
def left_alone(x: Any, ask: Any) -> Any:
    return ask(x)


@ag.do_not_convert
def chooses(x: Any) -> Any:
    if x > 0:
        return x
    return -x


@CASES.says(
    """
    TypeError: the truth value of this tensor is known only when the graph runs, so
          it cannot be a bool while tracing
      in chooses, FILE line N:  if x > 0:
      Only converted code can depend on it: no function that is marked with
          @ag.do_not_convert, has no source, belongs to a library, or is called by one.
    """,
    X,
)
def if_in_an_unconverted_function(x):
    return chooses(x)


@CASES.says(
    """
    TypeError: the truth value of this tensor is known only when the graph runs, so
          it cannot be a bool while tracing
      in if_without_autograph, FILE line N:  if x > 0:
      The function is traced as it is: decorate it with autograph=True, the default,
          and an `if`, `while` or `for` may depend on it.
    """,
    X,
    autograph=False,
)
def if_without_autograph(x):
    if x > 0:
        return x
    return -x


@CASES.says(
    """
    TypeError: 8 numbers of which each may be of several types, depending on data,
          meet in one operation
      in numbers_of_many_types, FILE line N:  return np.select([x > 0], [items])
      Convert them first, for example with float(x).
    """,
    X,
)
def numbers_of_many_types(x):
    y = x[()]
    items = [0 if v > 0 else v for v in (y + k for k in range(8))]
    return np.select([x > 0], [items])


@CASES.says(
    """
    TypeError: the truth value of this tensor is known only when the graph runs, so
          it cannot be a bool while tracing
      in callback_of_bisect, FILE line N:  return bisect.bisect([1], 3, key=lambda i: x)
      Only converted code can depend on it: no function that is marked with
          @ag.do_not_convert, has no source, belongs to a library, or is called by one.
    """,
    X,
)
def callback_of_bisect(x):
    return bisect.bisect([1], 3, key=lambda i: x)


without_source: dict[str, Any] = {}
exec("def chooses(x):\n    return 1 if x > 0 else 2", without_source)


@CASES.says(
    """
    TypeError: the truth value of this tensor is known only when the graph runs, so
          it cannot be a bool while tracing
      in chooses, <string> line N
      Only converted code can depend on it: no function that is marked with
          @ag.do_not_convert, has no source, belongs to a library, or is called by one.
      `chooses` could not be converted: the source of `chooses` is not available (it
          was made by exec or typed into a Python without source memory); put it in a
          file
    """,
    X,
)
def function_without_source(x):
    return without_source["chooses"](x)


@CASES.says(
    """
    TypeError: the value of this tensor is known only when the graph runs, so it
          cannot be an int while tracing
      in left_alone, FILE line N:  return ask(x)
      Only converted code can depend on it: no function that is marked with
          @ag.do_not_convert, has no source, belongs to a library, or is called by one.
    """,
    N,
)
def int_of_a_tensor(x):
    return left_alone(x, int)


@CASES.says(
    """
    TypeError: the value of this tensor is known only when the graph runs, so it
          cannot be a float while tracing
      in left_alone, FILE line N:  return ask(x)
      Only converted code can depend on it: no function that is marked with
          @ag.do_not_convert, has no source, belongs to a library, or is called by one.
    """,
    X,
)
def float_of_a_tensor(x):
    return left_alone(x, float)


@CASES.says(
    """
    TypeError: the value of this tensor is known only when the graph runs, so it
          cannot be a complex while tracing
      in left_alone, FILE line N:  return ask(x)
      Only converted code can depend on it: no function that is marked with
          @ag.do_not_convert, has no source, belongs to a library, or is called by one.
    """,
    X,
)
def complex_of_a_tensor(x):
    return left_alone(x, complex)


@CASES.says(
    """
    TypeError: the value of this tensor is known only when the graph runs, so it
          cannot be an index while tracing
      in left_alone, FILE line N:  return ask(x)
      Only converted code can depend on it: no function that is marked with
          @ag.do_not_convert, has no source, belongs to a library, or is called by one.
    """,
    N,
)
def index_of_a_tensor(x):
    return left_alone(x, operator.index)


@CASES.says(
    """
    TypeError: the value of this tensor is known only when the graph runs, so it
          cannot be an ndarray while tracing
      in left_alone, FILE line N:  return ask(x)
      Only converted code can depend on it: no function that is marked with
          @ag.do_not_convert, has no source, belongs to a library, or is called by one.
    """,
    N,
)
def array_of_a_tensor(x):
    return left_alone(x, np.asarray)


@CASES.says(
    """
    TypeError: a tensor of a trace cannot be pickled or copied to disk
      in left_alone, FILE line N:  return ask(x)
      Pickle what the decorated function returns, or use ag.py_function.
    """,
    ROWS,
)
def pickled_tensor(x):
    return left_alone(x, pickle.dumps)


@CASES.says(
    """
    TypeError: iteration over a 0-d array
    """,
    X,
)
def iteration_over_a_number(x):
    return [item for item in x]


@CASES.says(
    """
    TypeError: len() of unsized object
    """,
    X,
)
def length_of_a_number(x):
    return len(x)


@CASES.says(
    """
    TypeError: the length of this tensor is known only when the graph runs, so it
          cannot be an int while tracing
      in left_alone, FILE line N:  return ask(x)
      Only converted code can depend on it: no function that is marked with
          @ag.do_not_convert, has no source, belongs to a library, or is called by one.
    """,
    ROWS,
    input_signature=[ag.TensorSpec([None, 3], float)],
)
def length_known_at_run_time(x):
    return left_alone(x, len)


@CASES.says(
    """
    TypeError: the length of this tensor is known only when the graph runs, so it
          cannot be iterated over here while tracing
      in left_alone, FILE line N:  return ask(x)
      Only converted code can depend on it: no function that is marked with
          @ag.do_not_convert, has no source, belongs to a library, or is called by one.
    """,
    ROWS,
    input_signature=[ag.TensorSpec([None, 3], float)],
)
def iteration_over_unknown_rows(x):
    return left_alone(x, list)


@CASES.says(
    """
    TypeError: `.shape` of this tensor is known only at run time, since its number
          of dims is
      in left_alone, FILE line N:  return ask(x)
      Reshape it first, for example with `.reshape(-1)`.
    """,
    ROWS,
    input_signature=[ag.TensorSpec(None, float)],
)
def shape_of_unknown_rank(x):
    return left_alone(x, operator.attrgetter("shape"))


@CASES.says(
    """
    TypeError: the dtype of this tensor is known only at run time
      in dtype_known_at_run_time, FILE line N:  return x.dtype
      Cast it first, for example with `.astype(np.float64)`.
    """,
    ROWS,
    input_signature=[ag.TensorSpec(None, None)],
)
def dtype_known_at_run_time(x):
    return x.dtype


@CASES.says(
    """
    TypeError: an item of a dict is asked for by a key that is known only when the
          graph runs
      in item_of_a_dict, FILE line N:  return dict.fromkeys(range(99), "a")[i]
      Use an array, or a list of numbers, and an index; or choose with if.
    """,
    N,
)
def item_of_a_dict(i):
    return dict.fromkeys(range(99), "a")[i]


@CASES.says(
    """
    TypeError: how many characters this text has is known only when the graph runs, so
          it cannot be gone through while tracing
      in characters_in_any_order, FILE line N:  return itertools.permutations(str(x))
      Only converted code can depend on it: no function that is marked with
          @ag.do_not_convert, has no source, belongs to a library, or is called by one.
    """,
    X,
)
def characters_in_any_order(x):
    return itertools.permutations(str(x))


@CASES.says(
    """
    TypeError: the text of this tensor is known only when the graph runs, so it cannot
          be made by code that is not converted while tracing
      in text_made_by_a_library, FILE line N:  return operator.call(str, x)
      Only converted code can depend on it: no function that is marked with
          @ag.do_not_convert, has no source, belongs to a library, or is called by one.
    """,
    X,
)
def text_made_by_a_library(x):
    return operator.call(str, x)


@CASES.says(
    """
    TypeError: a graph cannot call `.maketrans` of a text
      in table_of_a_text, FILE line N:  return str(x).maketrans("a", "b")
      Call it outside of the decorated function, or by ag.py_function.
    """,
    X,
)
def table_of_a_text(x):
    return str(x).maketrans("a", "b")


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_whole_text_is_said(case: Case) -> None:
    check(case)


HERE = [case for case in CASES if case.name != "function_without_source"]


@pytest.mark.parametrize("case", HERE, ids=[case.name for case in HERE])
def test_the_traceback_ends_in_the_users_file(case: Case) -> None:
    error = raised(case)
    last = traceback.extract_tb(error.__traceback__)[-1]
    assert last.filename == __file__
