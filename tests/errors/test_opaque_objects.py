"""What is said of objects whose state only a library knows, and of `__dict__`s."""

import array
import collections
import contextlib
import functools
import queue
import threading

import numpy as np
import pytest
from scipy.optimize._zeros_py import _update_bracket as update_bracket

from tests.errors.saying import Case, Cases, check

ONE = np.float64(1.0)
CASES = Cases()


class Holder:
    pass


class Words(dict):
    pass


class Counts(collections.defaultdict):
    pass


@CASES.says(
    """
    TypeError: an item of a dict is made by a key that is known only when the graph runs
      in key_of_data_that_is_missing, FILE line N:  counts[word] += 1
      Use a dict itself, or an array with an index as the key.
    """,
    np.array(["a", "b"]),
)
def key_of_data_that_is_missing(words):
    counts = Counts(int)
    for word in words:
        counts[word] += 1
    return counts


@CASES.says(
    """
    TypeError: a array is changed in a branch, loop or try that depends on data, by a
          library whose changes are not staged
      in item_of_an_array_array, FILE line N:  made[0] = 9.0
      Keep what it holds in a list, dict or array, or change it by a function that
          ag.py_function calls.
    """,
    ONE,
)
def item_of_an_array_array(x):
    made = array.array("d", [1.0, 2.0])
    if x > 0:
        made[0] = 9.0
    return made[0]


OF_THREADS = threading.local()


@CASES.says(
    """
    TypeError: a _local has attributes of its own for each thread, and a graph is of all
          of them
      in counts_by_thread, FILE line N:  OF_THREADS.n = x
      Give the decorated function what it holds as an argument.
    """,
    ONE,
)
def counts_by_thread(x):
    OF_THREADS.n = x


class Waiting(queue.Queue):
    pass


OUTER = Waiting()


@CASES.says(
    """
    TypeError: a Waiting that was made outside of the function would be changed once,
          while tracing, and not when the graph runs
      in put_into_an_outer_queue, FILE line N:  OUTER.put(1)
      Change it outside of the decorated function, or by ag.py_function.
    """,
    ONE,
)
def put_into_an_outer_queue(x):
    OUTER.put(1)
    return x


@CASES.says(
    """
    TypeError: what is put into an ExitStack would be left once, while tracing, and not
          when the graph runs
      in with_an_exit_stack, FILE line N:  with contextlib.ExitStack() as stack:
      Write a `with` for each manager, or put the stack around the call.
    """,
    ONE,
)
def with_an_exit_stack(x):
    with contextlib.ExitStack() as stack:
        stack.callback(print, "left")
        return x


@CASES.says(
    """
    TypeError: what a bytearray holds depends on data
      in a_bytearray_on_one_path, FILE line N:  if x > 0:
      Use a list, dict or set itself, or an array.
    """,
    ONE,
)
def a_bytearray_on_one_path(x):
    raw = bytearray(b"ab")
    if x > 0:
        raw.append(1)
    return bytes(raw)


@CASES.says(
    """
    TypeError: what a Words (a class of dicts) holds depends on data
      in a_class_of_dicts_on_one_path, FILE line N:  if x > 0:
      Use a list, dict or set itself, or an array.
    """,
    ONE,
)
def a_class_of_dicts_on_one_path(x):
    words = Words()
    if x > 0:
        words["a"] = 1
    return len(words)


@CASES.says(
    """
    TypeError: this view of a dict was taken before its keys came to depend on data
      in an_old_view, FILE line N:  return len(keys)
      Take it anew where it is needed (`d.keys()`).
    """,
    ONE,
)
def an_old_view(x):
    table = {"a": 1}
    keys = table.keys()
    if x > 0:
        table["b"] = 2
    return len(keys)


@CASES.says(
    """
    TypeError: `noted` has a cache and changes what the decorated function has made, and
          which call of it is the first depends on data
      in a_cache_on_one_path, FILE line N:  noted(1)
      Let it return what it finds, or call it without lru_cache.
    """,
    ONE,
)
def a_cache_on_one_path(x):
    calls = []

    @functools.lru_cache
    def noted(n):
        calls.append(n)
        return n

    if x > 0:
        noted(1)
    noted(1)
    return calls


@CASES.says(
    """
    TypeError: `told` has a cache and does more than compute, and which call of it is
          the first depends on data
      in a_printing_cache_on_one_path, FILE line N:  told(1)
      Let it return what it finds, or call it without lru_cache.
    """,
    ONE,
)
def a_printing_cache_on_one_path(x):
    @functools.lru_cache
    def told(n):
        print("asked", n)
        return n

    if x > 0:
        told(1)
    return told(1)


@functools.lru_cache
def halvings(n):
    return 0 if n < 1 else 1 + halvings(n // 2)


@CASES.says(
    """
    NotImplementedError: `halvings` has a cache and asks itself by data
      in halvings, FILE line N:  return 0 if n < 1 else 1 + halvings(n // 2)
      Fill an array or a list in a loop.
    """,
    ONE,
)
def a_cache_that_asks_itself(x):
    return halvings(x)


@CASES.says(
    """
    TypeError: the `__dict__` of a Holder is asked for where it depends on data
      in the_attributes_that_there_are, FILE line N:  return sorted(vars(holder))
      Use getattr, setattr and hasattr, or keep a dict of its own.
    """,
    ONE,
)
def the_attributes_that_there_are(x):
    holder = Holder()
    if x > 0:
        holder.a = 1
    return sorted(vars(holder))


class Sloped:
    slope = 0.1


@CASES.says(
    """
    TypeError: whether an object has `Sloped.slope` of its own depends on data
      in an_attribute_deleted_in_a_branch, FILE line N:  if x > 0:
      Set it to what the class holds, instead of deleting it.
    """,
    ONE,
)
def an_attribute_deleted_in_a_branch(x):
    sloped = Sloped()
    sloped.slope = 1
    if x > 0:
        del sloped.slope
    return sloped.slope


@CASES.says(
    """
    TypeError: whether an object has `Sloped.slope` of its own depends on data
      in an_attribute_set_after_it_was_deleted, FILE line N:  if x > 0:
      Set it to what the class holds, instead of deleting it.
    """,
    ONE,
)
def an_attribute_set_after_it_was_deleted(x):
    sloped = Sloped()
    sloped.slope = 1
    del sloped.slope
    if x > 0:
        sloped.slope = 2
    return sloped.slope


@CASES.says(
    """
    TypeError: a dict is changed depending on data while something goes through it
      in a_dict_gone_through, FILE line N:  for name in table:
      Go through a copy: `for k in list(d):`.
    """,
    -ONE,
)
def a_dict_gone_through(x):
    table = {"a": 1, "b": 2}
    for name in table:
        if x > 0:
            table[name + "z"] = 0
    return table


@CASES.says(
    """
    NotImplementedError: this changes a list that it is given
      in a_list_that_a_library_changes, FILE line N:  update_bracket(ends, values, x,
          x * x - 2)
      Change it outside of the decorated function, or by ag.py_function.
    """,
    ONE,
)
def a_list_that_a_library_changes(x):
    ends, values = [0.0, 2.0], [-2.0, 2.0]
    update_bracket(ends, values, x, x * x - 2)
    return ends


@CASES.says(
    """
    NotImplementedError: what leaves the call holds what a loop, recursion or try may
          have left under two names
      Give one of the names a copy, or make a new one instead of changing it.
    """,
    np.arange(4.0),
    np.int64(3),
)
def two_names_of_a_loop(x, n):
    best, last = {"v": 0.0}, {"v": 1.0}
    for i in range(n):
        last = {"v": x[i]}
        if x[i] > 1:
            best = last
    return best, last


SEEN = []


@functools.lru_cache
def noted(n):
    SEEN.append(n)
    return n * 2.0


@CASES.says(
    """
    NotImplementedError: `noted` has a cache and changes what is outside of it
      in a_cache_that_changes_a_list, FILE line N:  y = x + noted(3)
      Call it outside of the decorated function, or without lru_cache.
    """,
    ONE,
)
def a_cache_that_changes_a_list(x):
    y = x + noted(3)
    return y, len(SEEN)


@pytest.mark.parametrize("case", CASES)
def test_the_whole_text_is_said(case: Case) -> None:
    check(case)
