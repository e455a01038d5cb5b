"""What is said where two paths leave what no graph can hold as one thing."""

import datetime

import numpy as np
import pytest

from tests.errors.saying import Case, Cases, check, line_of, raised

X = np.array(1.0)
N = np.int64(3)
CASES = Cases()


@CASES.says(
    """
    TypeError: `y` is None after the main branch of this if, but float64[] after the
          else branch
      in none_and_number, FILE line N:  if x > 0:
      A graph needs one kind of value for `y`: make both branches give the same, or
          use another name in one of them.
    """,
    X,
)
def none_and_number(x):
    if x > 0:
        y = None
    else:
        y = x
    return y


@CASES.says(
    """
    TypeError: `y` is 'big' after the main branch of this if, but float64[] after
          the else branch
      in text_and_number, FILE line N:  if x > 0:
      A graph needs one kind of value for `y`: make both branches give the same, or
          use another name in one of them.
    """,
    X,
)
def text_and_number(x):
    if x > 0:
        y = "big"
    else:
        y = x
    return y


@CASES.says(
    """
    TypeError: `y` is (float64[], float64[]) after this case, but float64[] after the
          cases that follow it
      in case_of_another_kind, FILE line N:  match x, z:
      A graph needs one kind of value for `y`: make every case give the same, or use
          another name in one of them.
    """,
    X,
    X,
)
def case_of_another_kind(x, z):
    match x, z:
        case 1.0, _:
            y = x, z
        case _:
            y = x
    return y


@CASES.says(
    """
    TypeError: the returned value is 'big' in the first case of this expression, but
          'small' in the other case
      in two_texts, FILE line N:  return "big" if x > 0 else "small"
      A graph needs one kind of value here: make both cases give the same.
    """,
    X,
)
def two_texts(x):
    return "big" if x > 0 else "small"


@CASES.says(
    """
    TypeError: `y` is (float64[], 1) after the main branch of this if, but
          [float64[], 1] after the else branch
      in tuple_and_list, FILE line N:  if x > 0:
      A graph needs one kind of value for `y`: make both branches give the same, or
          use another name in one of them.
    """,
    X,
)
def tuple_and_list(x):
    if x > 0:
        y = (x, 1)
    else:
        y = [x, 1]
    return y


@CASES.says(
    """
    TypeError: `y` is {'a': float64[], 'b': 1} after the main branch of this if, but
          {'a': float64[]} after the else branch
      in dicts_with_other_keys, FILE line N:  if x > 0:
      A graph needs one kind of value for `y`: make both branches give the same, or
          use another name in one of them.
    """,
    X,
)
def dicts_with_other_keys(x):
    y = {"a": x}
    if x > 0:
        y = {"a": x, "b": 1}
    return y


@CASES.says(
    """
    TypeError: `y` is (float64[], float64[]) after the main branch of this if, but
          (float64[],) after the else branch
      in tuples_of_other_lengths, FILE line N:  if x > 0:
      A graph needs one kind of value for `y`: make both branches give the same, or
          use another name in one of them.
    """,
    X,
)
def tuples_of_other_lengths(x):
    y = (x,)
    if x > 0:
        y = (x, x)
    return y


@CASES.says(
    """
    TypeError: `day` is 3 after the main branch of this if, but a date after the
          else branch
      in date_and_number, FILE line N:  if x > 0:
      A graph needs one kind of value for `day`: make both branches give the same,
          or use another name in one of them.
    """,
    X,
)
def date_and_number(x):
    day = datetime.date(2020, 1, 1)
    if x > 0:
        day = 3
    return day


@CASES.says(
    """
    TypeError: `items` is [float64[]] after the main branch of this if, but
          [float64[], float64[]] after the else branch
      in lists_of_other_lengths, FILE line N:  if x > 0:
      A graph has no lists whose length depends on data: use an array of the full
          size, and count what is filled.
    """,
    X,
)
def lists_of_other_lengths(x):
    if x > 0:
        items = [x]
    else:
        items = [x, x]
    return items


@CASES.says(
    """
    TypeError: the list that is changed here is [float64[], float64[]] after the
          main branch of this if, but [float64[]] after the else branch
      in list_appended_on_one_path, FILE line N:  if x > 0:
      A graph has no lists whose length depends on data: use an array of the full
          size, and count what is filled.
    """,
    X,
)
def list_appended_on_one_path(x):
    items = [x]
    if x > 0:
        items.append(x)
    return items


class Model:
    """An object with attributes."""


@CASES.says(
    """
    TypeError: `Model.weight` is set on one path only
      in attribute_set_on_one_path, FILE line N:  if x > 0:
      Set it before the branch or loop, to a value of the same kind.
    """,
    X,
)
def attribute_set_on_one_path(x):
    model = Model()
    if x > 0:
        model.weight = x
    return model.weight


@CASES.says(
    """
    TypeError: `best` is None before this loop, but 'found' after one iteration
      in none_before_a_loop, FILE line N:  while x > 0:
      A graph needs one kind of value for `best` in a loop: make both the same, or
          use another name inside.
    """,
    X,
)
def none_before_a_loop(x):
    best = None
    while x > 0:
        best = "found"
        x = x - 1
    return best


@CASES.says(
    """
    TypeError: `pair` is (float64[],) before this loop, but (float64[], float64[])
          after one iteration
      in tuple_that_grows, FILE line N:  while x > 0:
      A graph needs one kind of value for `pair` in a loop: make both the same, or
          use another name inside.
    """,
    X,
)
def tuple_that_grows(x):
    pair = (x,)
    while x > 0:
        pair = (*pair, x)
        x = x - 1
    return pair


@CASES.says(
    """
    TypeError: `text` is '' before this loop, but 'a' after one iteration
      in text_that_grows, FILE line N:  while x > 0:
      A graph needs one kind of value for `text` in a loop: make both the same, or
          use another name inside.
    """,
    X,
)
def text_that_grows(x):
    text = ""
    while x > 0:
        text = text + "a"
        x = x - 1
    return text


@CASES.says(
    """
    TypeError: the list that is changed here is [] before this loop, but [int]
          after one iteration
      in list_that_grows, FILE line N:  for i in range(n):
      A graph has no lists whose length depends on data: use an array of the full
          size, and count what is filled.
    """,
    N,
)
def list_that_grows(n):
    found = []
    for i in range(n):
        found.append(i)
    return found


@CASES.says(
    """
    TypeError: the returned value is 'big' after the main branch of this if, but
          float64[] after the else branch
      in returned_text_and_number, FILE line N:  if x > 0:
      A graph needs one kind of value for the returned value: make both branches
          give the same.
    """,
    X,
)
def returned_text_and_number(x):
    if x > 0:
        return "big"
    return x


@CASES.says(
    """
    TypeError: the list that is changed here is made anew by each round of this loop
      in list_made_by_each_round, FILE line N:  for i in range(n):
      Make it in the loop by a display or call (`[...]`, `list(x)`), which can be told
          from one made outside, or use an array.
    """,
    np.arange(3.0),
    N,
)
def list_made_by_each_round(x, n):
    base = [0, 0]
    for i in range(n):
        c = base[:]
        c[0] = x[i]
        x[i] += c[0]
    return x


@CASES.says(
    """
    TypeError: the returned value is float64[] after the main branch of this if, but
          (float64[], float64[]) after the else branch
      in returned_tuple_and_number, FILE line N:  while x > 0:
      A graph needs one kind of value for the returned value: make both branches
          give the same.
    """,
    X,
)
def returned_tuple_and_number(x):
    while x > 0:
        if x > 3:
            return x, x
        x = x - 1
    return x


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_whole_text_is_said(case: Case) -> None:
    check(case)


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_traceback_ends_at_the_statement_that_joins(case: Case) -> None:
    line = line_of(raised(case))
    assert f":  {line}" in case.text
