"""What is said where a tensor would outlive its trace, and what is left behind."""

from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

import autograph as ag
from tests.errors.saying import Case, Cases, check, line_of, raised

X = np.array(1.0)
CASES = Cases()
TABLE = MappingProxyType({1: 2})


class Model:
    """An object with attributes."""

    def __init__(self) -> None:
        self.seen: Any = 0.0


kept: Any = None
model = Model()
items: list[Any] = []
table: dict[str, Any] = {}


@CASES.says(
    """
    TypeError: the outer variable `kept` would keep a float64[] tensor after the
          trace
      in into_a_global, FILE line N:  kept = x * 2
      A tensor exists only while the function is traced: return the value, or keep
          it in an ag.Variable.
    """,
    X,
    python_effects="trace",
)
def into_a_global(x):
    global kept
    kept = x * 2
    return x


@CASES.says(
    """
    TypeError: `Model.seen` would keep a float64[] tensor after the trace
      in into_an_attribute, FILE line N:  self.seen = x * 2
      A tensor exists only while the function is traced: return the value, or keep
          it in an ag.Variable.
    """,
    model,
    X,
    python_effects="trace",
)
def into_an_attribute(self, x):
    self.seen = x * 2
    return x


@CASES.says(
    """
    TypeError: a list would keep a float64[] tensor after the trace
      in into_an_outer_list, FILE line N:  items.append(x * 2)
      A tensor exists only while the function is traced: return the value, or keep
          it in an ag.Variable.
    """,
    X,
    python_effects="trace",
)
def into_an_outer_list(x):
    items.append(x * 2)
    return x


@CASES.says(
    """
    TypeError: item 'last' of a dict would keep a float64[] tensor after the trace
      in into_a_dict_by_key, FILE line N:  table["last"] = x * 2
      A tensor exists only while the function is traced: return the value, or keep
          it in an ag.Variable.
    """,
    X,
    python_effects="trace",
)
def into_a_dict_by_key(x):
    table["last"] = x * 2
    return x


@CASES.says(
    """
    TypeError: a dict would keep a float64[] tensor after the trace
      in into_a_dict_by_update, FILE line N:  table.update(last=x * 2)
      A tensor exists only while the function is traced: return the value, or keep
          it in an ag.Variable.
    """,
    X,
    python_effects="trace",
)
def into_a_dict_by_update(x):
    table.update(last=x * 2)
    return x


@CASES.says(
    """
    TypeError: `Model.seen` would keep a ~float64|float64[] tensor after the trace
      in in_a_branch, FILE line N:  if x > 0:
      A tensor exists only while the function is traced: return the value, or keep
          it in an ag.Variable.
    """,
    X,
    python_effects="trace",
)
def in_a_branch(x):
    y = x
    if x > 0:
        y = x * 2
        model.seen = y
    return y


def make_case_of_a_closure() -> None:
    held = None

    @CASES.says(
        """
    TypeError: the outer variable `held` would keep a float64[] tensor after the
          trace
      in into_a_closure, FILE line N:  held = x * 2
      A tensor exists only while the function is traced: return the value, or keep
          it in an ag.Variable.
    """,
        X,
        python_effects="trace",
    )
    def into_a_closure(x):
        nonlocal held
        held = x * 2
        return x


make_case_of_a_closure()


made: Any = None


class Failed(Exception):
    seen: Any


@CASES.says(
    """
    TypeError: `Failed.seen` would keep a float64[] tensor after the trace
      in into_an_object_made_inside, FILE line N:  made.seen = x * 2
      A tensor exists only while the function is traced: return the value, or keep
          it in an ag.Variable.
    """,
    X,
)
def into_an_object_made_inside(x):
    global made
    made = Failed()
    made.seen = x * 2
    return x


@CASES.says(
    """
    TypeError: the result is a function, whose variables would be asked for after the
          trace
      in a_function_of_its_own, FILE line N:  def a_function_of_its_own(x):
      Return what it is made of.
    """,
    X,
)
def a_function_of_its_own(x):
    return lambda v: v * x


@CASES.says(
    """
    TypeError: what is kept outside is an iterator, whose items would be asked for
          after the trace
      in an_outer_iterator, FILE line N:  def an_outer_iterator(x):
      Keep a list of the items.
    """,
    np.ones(2),
)
def an_outer_iterator(x):
    global made
    made = (v for v in x)


@CASES.says(
    """
    TypeError: a value that is known only when the graph runs is put into a set or is
          the key of a dict
      in a_key_that_is_data, FILE line N:  items.append(TABLE[x])
      Use a list or an array; np.unique tells values apart.
    """,
    np.float64(1),
)
def a_key_that_is_data(x):
    items.append(TABLE[x])


@ag.do_not_convert
def made_by_a_library() -> Model:
    items.append(Model())
    return items[-1]


@CASES.says(
    """
    TypeError: this changes a new object outside at each trace
      in of_a_library, FILE line N:  @CASES.says(
      Return the value instead.
    """,
    X,
)
def of_a_library(x):
    made_by_a_library().seen = 1
    return x


@ag.do_not_convert
def stores_secretly(x: Any) -> Any:
    Model.secret = x
    return x


@ag.function
def lets_out(x):
    return stores_secretly(x * 2)


@CASES.plainly_says("""
    RuntimeError: a float64[] tensor is used outside of the trace that made it
      in used_after_the_trace, FILE line N:  return Model.secret + 1
      Tensors exist only while the function is traced: return the value, or keep it
          in an ag.Variable.
    """)
def used_after_the_trace():
    lets_out(X)
    return Model.secret + 1


@CASES.plainly_says("""
    RuntimeError: a float64[] tensor is used outside of the trace that made it
      in used_on_the_right_after_the_trace, FILE line N:  return 1 + Model.secret
      Tensors exist only while the function is traced: return the value, or keep it
          in an ag.Variable.
    """)
def used_on_the_right_after_the_trace():
    lets_out(X)
    return 1 + Model.secret


lets_out(X)


@CASES.says(
    """
    RuntimeError: a float64[] tensor is used outside of the trace or branch that
          made it
      in used_in_another_trace, FILE line N:  return x + Model.secret
      Tensors exist only while the function is traced: return the value, or keep it
          in an ag.Variable.
    """,
    np.ones(3),
)
def used_in_another_trace(x):
    return x + Model.secret


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_whole_text_is_said(case: Case) -> None:
    check(case)


STORES = [case for case in CASES if case.name.startswith(("into", "in_"))]


@pytest.mark.parametrize("case", STORES, ids=[case.name for case in STORES])
def test_a_leak_is_refused_at_the_line_of_the_store(case: Case) -> None:
    assert f":  {line_of(raised(case))}" in case.text


def test_what_was_stored_in_objects_is_taken_back():
    items.clear()
    for case in STORES:
        raised(case)
    assert (items, table, model.seen) == ([], {}, 0.0)


def test_objects_made_inside_may_hold_tensors():
    @ag.function
    def program(x):
        inner, listed = Model(), []
        inner.seen = x * 2
        listed.append(inner.seen)
        listed[0] = listed[0] + x
        return {"sum": listed[0] + inner.seen}

    assert program(np.ones(2))["sum"].tolist() == [5.0, 5.0]


def test_lists_that_no_display_made_may_hold_tensors():
    @ag.function
    def program(x):
        table, inner = [0] * 2, [0] * 2
        table[0], table[1] = x, inner
        inner[0] = x * 2
        return table[0] + inner[0]

    assert program(np.ones(2)).tolist() == [3.0, 3.0]
