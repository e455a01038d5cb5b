"""What is said of dicts with keys that depend on data."""

import json
from collections import OrderedDict

import numpy as np
import pytest

from tests.errors.saying import Case, Cases, check

XY = np.array([1.0, 2.0])
N = np.int64(1)
CASES = Cases()


class Table(dict):
    pass


@CASES.says(
    """
    TypeError: an item of a dict is set by a key that is known only when the graph runs
      in key_of_a_class_of_dicts, FILE line N:  table[i] = x
      Use a dict itself, or an array with an index as the key.
    """,
    XY,
    N,
)
def key_of_a_class_of_dicts(x, i):
    table = Table()
    table[i] = x
    return table


@CASES.says(
    """
    TypeError: a dict whose keys depend on data gets a key or value that it cannot hold
      in value_that_is_a_method, FILE line N:  table[i] = [i].append
      Put numbers, texts, and tuples, lists, dicts and objects of them into it, of at
          most 8 kinds.
    """,
    N,
)
def value_that_is_a_method(i):
    table = {}
    table[i] = [i].append
    return table


class Point:
    def __init__(self, x):
        self.x = x


@CASES.says(
    """
    TypeError: an object is the key of a dict whose keys depend on data
      in object_as_a_key, FILE line N:  table[Point(i)] = 1
      Use a number, a text, or a tuple of them as the key.
    """,
    N,
)
def object_as_a_key(i):
    table = {i: 1}
    table[Point(i)] = 1
    return table


@CASES.says(
    """
    TypeError: a dict whose keys depend on data is given to code that is not converted
      in dict_given_to_a_library, FILE line N:  return json.dumps({str(i): 1})
      Give an array of it (`np.array(x)`), or return it.
    """,
    N,
)
def dict_given_to_a_library(i):
    return json.dumps({str(i): 1})


@CASES.says(
    """
    TypeError: `.move_to_end` of a dict or set whose keys depend on data
      in key_moved, FILE line N:  table.move_to_end(i)
      Go through its items by a loop.
    """,
    N,
)
def key_moved(i):
    table = OrderedDict()
    table[i] = 1
    table.move_to_end(i)
    return table


@CASES.says(
    """
    TypeError: `.popitem` of what depends on data, with these arguments
      in oldest_taken, FILE line N:  table.popitem(last=False)
      Go through its items by a loop.
    """,
    N,
)
def oldest_taken(i):
    table = OrderedDict()
    table[i] = 1
    table.popitem(last=False)
    return table


@CASES.says(
    """
    TypeError: a set of what data tell is made anew by each round of a loop or
          recursion, and kept
      in set_of_each_round, FILE line N:  while n > 0:
      Make one set before, and change it: `s.clear()`, `s.update(...)`.
    """,
    N,
)
def set_of_each_round(n):
    found = set()
    while n > 0:
        found = {n, n + 1}
        n -= 1
    return found


@CASES.says(
    """
    NotImplementedError: a dict from outside that holds lists, dicts or sets gets keys
          that depend on data
      in of_lists_of_anothers, FILE line N:  groups[n] = [1]
      Make the dict and what it holds in the function.
    """,
    {1: [2]},
    np.int64(3),
)
def of_lists_of_anothers(groups, n):
    groups[n] = [1]


@CASES.says(
    """
    TypeError: a dict whose keys depend on data is matched
      in a_dict_of_data_matched, FILE line N:  match {n: x}:
      Ask it by `in` and `[...]`.
    """,
    XY,
    N,
)
def a_dict_of_data_matched(x, n):
    match {n: x}:
        case {1: found}:
            return found
    return x + 1


@CASES.says(
    """
    TypeError: `size` is given a dict or set with keys of data
      in a_dict_of_data_given_to_numpy, FILE line N:  return np.size({n: x})
      Give it a list of what it holds.
    """,
    XY,
    N,
)
def a_dict_of_data_given_to_numpy(x, n):
    return np.size({n: x})


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_whole_text_is_said(case: Case) -> None:
    check(case)
