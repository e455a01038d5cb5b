"""What is said of lists whose length depends on data."""

import copy
import math
import pickle

import numpy as np
import pytest

import autograph as ag
from tests.errors.saying import Case, Cases, check

XY = np.array([1.0, 2.0])
N = np.int64(2)
CASES = Cases()


@CASES.says(
    """
    TypeError: this changes an item of a list whose length, or a dict whose keys,
          depend on data: what it is in would not see it
      in change_of_an_item, FILE line N:  rows[0][1] = 7
      Make a new item and put that in its place: `xs[i] = [...]`.
    """,
    N,
    [1, 2],
)
def change_of_an_item(n, row):
    rows = []
    i = 0
    while i < n:
        rows.append(row)
        i += 1
    rows[0][1] = 7
    return rows


class Basket:
    def __init__(self, items):
        self.items = list(items)

    def __lt__(self, other):
        return len(self.items) < len(other.items)


@CASES.says(
    """
    NotImplementedError: `sorted` compares objects of `Basket`, which hold a list
          whose length only the run knows
      in compared_by_c, FILE line N:  return sorted([one, Basket([1])])[0].items
      Compare them outside of the decorated function.
    """,
    N,
)
def compared_by_c(n):
    one = Basket([1])
    for k in range(n):
        one.items.append(k)
    return sorted([one, Basket([1])])[0].items


@CASES.says(
    """
    TypeError: copy.deepcopy of lists in a list
      in deep_copy, FILE line N:  return copy.deepcopy(rows)
      Copy them one by one: `[list(x) for x in xs]`.
    """,
    N,
)
def deep_copy(n):
    rows = []
    while n > 0:
        rows.append([n])
        rows[-1].append(0)
        n -= 1
    return copy.deepcopy(rows)


class Part:
    def __init__(self, x):
        self.x = x


@CASES.says(
    """
    TypeError: an object is looked for in a list whose length depends on data, which
          holds what is in the objects
      in object_looked_for, FILE line N:  return parts.index(Part(1))
      Look for what the object holds, by a loop.
    """,
    N,
)
def object_looked_for(n):
    parts = []
    i = 0
    while i < n:
        parts.append(Part(i))
        i += 1
    return parts.index(Part(1))


@CASES.says(
    """
    ValueError: this changes an array that may be an item of a list or another one,
          depending on data
      in change_of_an_array_in_it, FILE line N:  x += 1
      Copy the array first (`x = x.copy()`), or change it before the name is given to
          another array.
    """,
    XY,
    N,
)
def change_of_an_array_in_it(x, n):
    found = []
    i = 0
    while i < n:
        x += 1
        found.append(x)
        i += 1
    return found


@CASES.says(
    """
    TypeError: a list whose length depends on data is given to code that is not
          converted
      in list_given_away, FILE line N:  return pickle.dumps(found)
      Give an array of it (`np.array(x)`), or return it.
    """,
    XY,
)
def list_given_away(x):
    found = [v for v in x if v > 1]
    return pickle.dumps(found)


@CASES.says(
    """
    TypeError: a list is changed while something goes through it and a tensor
      in changed_meanwhile, FILE line N:  for v, w in zip(found, x):
      Go through a copy: `for a, b in zip(list(xs), ys):`.
    """,
    XY,
)
def changed_meanwhile(x):
    found = [1.0, 2.0]
    for v, w in zip(found, x):
        if w > v:
            found.pop()
    return found


@CASES.says(
    """
    TypeError: a list whose length depends on data gets an item that it cannot hold
      in items_of_too_many_kinds, FILE line N:  found.append((v,) * k)
      Put numbers, texts, and tuples, lists, dicts and objects of them into it, of at
          most 8 kinds.
    """,
    XY,
)
def items_of_too_many_kinds(x):
    found = [v for v in x if v > 1]
    for k in range(9):
        for v in x:
            if v > 0:
                found.append((v,) * k)
    return found


@CASES.says(
    """
    TypeError: a list whose length depends on data gets an item that it cannot hold
      in functions_as_items, FILE line N:  return [*map(lambda k: lambda: k, range(n))]
      Put numbers, texts, and tuples, lists, dicts and objects of them into it, of at
          most 8 kinds.
    """,
    np.int64(200),
)
def functions_as_items(n):
    return [*map(lambda k: lambda: k, range(n))]


@CASES.says(
    """
    TypeError: a list is changed depending on data while something goes through it
      in grown_while_counted, FILE line N:  for k, v in enumerate(found):
      Go through a copy (`list(x)`), or by a `for` over the list itself.
    """,
    XY,
)
def grown_while_counted(x):
    found = [x[0], x[1]]
    total = 0
    for k, v in enumerate(found):
        total += v * k
        if v > 1:
            found.append(v - 1)
    return total


@CASES.says(
    """
    TypeError: how many arguments this call gets is known only when the graph runs
      in list_for_a_library, FILE line N:  return math.hypot(*found)
      Give the function the list itself, or take the arguments out of it first (`a, b
          = xs`).
    """,
    XY,
)
def list_for_a_library(x):
    found = [v for v in x if v > 1]
    return math.hypot(*found)


@CASES.says(
    """
    TypeError: a set of values that are known only when the graph runs, or a dict with
          such keys
      in set_of_a_list, FILE line N:  return len({*found})
      Make a list, or take np.unique of an array.
    """,
    XY,
)
def set_of_a_list(x):
    found = [v for v in x if v > 1]
    return len({*found})


@CASES.says(
    """
    TypeError: a list whose length depends on data is given to code that is not
          converted
      in given_to_a_builtin, FILE line N:  return pickle.dumps(found)
      Give an array of it (`np.array(x)`), or return it.
    """,
    XY,
)
def given_to_a_builtin(x):
    found = [v for v in x if v > 0]
    return pickle.dumps(found)


@CASES.says(
    """
    TypeError: a list whose length depends on data is used by code that is not
          converted
      in compared_in_a_dict, FILE line N:  return {"found": found} == {"found": [1.0]}
      Make an array of it first (`np.array(x)`), or return it.
    """,
    XY,
)
def compared_in_a_dict(x):
    found = [v for v in x if v > 0]
    return {"found": found} == {"found": [1.0]}


@CASES.says(
    """
    TypeError: what a list holds depends on data, and no graph holds its items
      in deleted_by_data_among_others, FILE line N:  del items[n]
      Put numbers, texts, and tuples, lists, dicts and objects of them into it, of at
          most 8 kinds.
    """,
    XY,
    N,
)
def deleted_by_data_among_others(x, n):
    items = [1.0, "a", slice(x)]
    del items[n]
    return items


@CASES.says(
    """
    TypeError: an array of a list whose length depends on data, and whose items are no
          numbers and no arrays
      in array_of_dicts, FILE line N:  return np.array(found)
      Keep one list for each part of the items, or append arrays.
    """,
    XY,
)
def array_of_dicts(x):
    found = [{"a": v} for v in x if v > 0]
    return np.array(found)


class Box:
    pass


@ag.do_not_convert
def counted(box):
    return len(box.items)


@CASES.says(
    """
    TypeError: a list whose length depends on data is given to code that is not
          converted
      in in_an_object, FILE line N:  return counted(box)
      Give an array of it (`np.array(x)`), or return it.
    """,
    XY,
)
def in_an_object(x):
    box = Box()
    box.items = [v for v in x if v > 0]
    return counted(box)


@CASES.says(
    """
    TypeError: zip of a tensor and of items that no graph can hold
      in zip_with_functions, FILE line N:  for value, f in zip(x[:n], [abs, max, min,
          sum, len, int, float, bool, str]):
      Go through one of them by its index, or make an array of the items.
    """,
    XY,
    N,
)
def zip_with_functions(x, n):
    total = 0.0
    for value, f in zip(x[:n], [abs, max, min, sum, len, int, float, bool, str]):
        total += value
    return total


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_whole_text_is_said(case: Case) -> None:
    check(case)
