"""What is said of operands, calls and stores that a graph has no op for."""

import decimal
import functools
import pprint
import random
import threading

import numpy as np
import pytest

import autograph as ag
from tests.errors.saying import Case, Cases, check

XY = np.array([1.0, 2.0])
N = np.int64(1)
CASES = Cases()


@functools.lru_cache
def told(n):
    print("asked", n)
    return [n]


@CASES.says(
    """
    TypeError: `told` has a cache, does more than compute, and gives no number or
          array
      in of_a_cache, FILE line N:  return x + told(3)[0]
      Call it outside of the decorated function, or without lru_cache.
    """,
    XY,
)
def of_a_cache(x):
    return x + told(3)[0]


@CASES.says(
    """
    autograph.UnsupportedError: a function that uses the name `ag__` cannot be converted
      in name_of_ours, FILE line N:  ag__ = 1
      Rename it: converted code calls its operators by that name.
    """,
    XY,
)
def name_of_ours(x):
    ag__ = 1
    return x + ag__


@CASES.says(
    """
    TypeError: a list, dict or object holds itself here
      in of_itself, FILE line N:  items.append(items)
      A graph holds what is in it, which would have no end: keep its place, for
          example its index, instead.
    """,
    XY,
)
def of_itself(x):
    items = [x]
    items.append(items)
    return len(items)


class Weight:
    pass


@CASES.says(
    """
    TypeError: a Weight cannot be an operand in a graph
      in object_as_operand, FILE line N:  return np.add(x, Weight())
      Use arrays and numbers, or call the function by ag.py_function.
    """,
    XY,
)
def object_as_operand(x):
    return np.add(x, Weight())


@CASES.says(
    """
    TypeError: only the run knows whether this is that MaskedConstant
      in masked, FILE line N:  return np.ma.array(x).sum() is np.ma.masked
      Ask for what it holds (`np.ma.is_masked(x)`), or outside of the function.
    """,
    XY,
)
def masked(x):
    return np.ma.array(x).sum() is np.ma.masked


THINGS = np.array([1, 2], object)


@CASES.says(
    """
    ValueError: an array of Python objects cannot be in a graph
      in array_of_objects, FILE line N:  return x + THINGS
      Give it a numeric dtype (`x.astype(float)`), or use a list.
    """,
    XY,
)
def array_of_objects(x):
    return x + THINGS


@CASES.says(
    """
    TypeError: sorted puts other things than numbers, texts, or tuples of them, into
          an order that is known only when the graph runs
      in functions_in_order, FILE line N:  return sorted([abs, max], key=by.get)
      Sort the numbers with np.argsort, and index an array with it.
    """,
    XY,
)
def functions_in_order(x):
    by = {abs: x[0], max: x[1]}
    return sorted([abs, max], key=by.get)


@CASES.says(
    """
    TypeError: random.randbytes() gives no number
      in bytes_drawn, FILE line N:  return x, random.randbytes(3)
      Call it outside of the decorated function, or by ag.py_function.
    """,
    XY,
)
def bytes_drawn(x):
    return x, random.randbytes(3)


@CASES.says(
    """
    TypeError: random.sample() of as many as only the run knows
      in as_many_as_a_run_knows, FILE line N:  return random.sample(range(9), n)
      Call it outside of the decorated function, or by ag.py_function.
    """,
    N,
)
def as_many_as_a_run_knows(n):
    return random.sample(range(9), n)


class Doubling:
    def __radd__(self, other):
        return other * 2


@CASES.says(
    """
    TypeError: NumPy makes an array of objects of an array and a Doubling, which no
          graph can hold
      in operator_of_ones_own, FILE line N:  return x + Doubling()
      Give the class `__array_ufunc__ = None`, so that its method is called.
    """,
    XY,
)
def operator_of_ones_own(x):
    return x + Doubling()


@CASES.says(
    """
    TypeError: zip of a map and of what has a length that depends on data
      in zip_with_a_map, FILE line N:  for i, word in zip(range(n), words):
      Make a list or an array of it first.
    """,
    N,
)
def zip_with_a_map(n):
    words = map(str, [1, 2])
    total = 0
    for i, word in zip(range(n), words):
        total += i
    return total


@CASES.says(
    """
    TypeError: random.choice() of an array whose length is known only when the graph
          runs
      in choice_of_what_a_run_knows, FILE line N:  return random.choice(x[:n])
      Draw an index: random.randrange(len(x)).
    """,
    XY,
    N,
)
def choice_of_what_a_run_knows(x, n):
    return random.choice(x[:n])


LOCK = threading.Lock()


@CASES.says(
    """
    TypeError: a lock is entered and left while tracing, but was made outside of the
          function
      in lock_around_a_print, FILE line N:  with LOCK:
      Put it around the call of the decorated function.
    """,
    XY,
)
def lock_around_a_print(x):
    with LOCK:
        print(x)
    return x


@CASES.says(
    """
    TypeError: the items of a value that is one of several cannot be taken one by one,
          for not all have the same number
      in added, FILE line N:  return sum(box.items)
      Test which one it is first, by an if.
    """,
    XY,
)
def tuples_of_two_lengths(x):
    box = Box()
    box.items = (x, x) if x[0] > 0 else (x,)
    return added(box)


class Box:
    pass


@ag.do_not_convert
def added(box):
    return sum(box.items)


@CASES.says(
    """
    ValueError: this changes an array that may be the argument `x` or another one,
          depending on data
      in change_of_one_array_or_another, FILE line N:  chosen[0] = 1.0
      Copy the array first (`x = x.copy()`), or change it before the name is given to
          another array.
    """,
    XY,
    XY + 1,
    np.int64(2),
)
def change_of_one_array_or_another(x, y, n):
    def one_of(x, y, n):
        return x if n <= 0 else one_of(y, x, n - 1)

    chosen = one_of(x, y, n)
    chosen[0] = 1.0
    return x


@CASES.says(
    """
    ValueError: this array may have been changed in place through another name,
          depending on data
      in array_changed_through_another_name, FILE line N:  return a + 1
      Copy the array (`x = x.copy()`) before one of the names changes.
    """,
    np.int64(2),
)
def array_changed_through_another_name(n):
    def one_of(x, y, n):
        return x if n <= 0 else one_of(y, x, n - 1)

    a, b = np.zeros(2), np.zeros(2)
    chosen = one_of(a, b, n)
    chosen[0] = 1.0
    return a + 1


@CASES.says(
    """
    TypeError: `errno` of this exception is known only when the graph runs, since an
          operation raises it
      in attribute_of_an_error, FILE line N:  return x[error.errno]
      It can be printed, be part of a text, be raised again and be returned; catch a
          narrower type, or raise an exception of your own for more.
    """,
    XY,
    N,
)
def attribute_of_an_error(x, n):
    try:
        return x[n]
    except OSError as error:
        return x[error.errno]


@CASES.says(
    """
    TypeError: 5 numbers of which each may be of several types, depending on data,
          meet in one operation
      in of_many_types, FILE line N:  return np.interp(p, [q, r], [s, s])
      Convert them first, for example with float(x).
    """,
    *[np.float64(1.0)] * 4,
)
def of_many_types(a, b, c, d):
    kinds = []
    for v in (a, b, c, d):
        if v > 0:
            w = 1
        elif v > -1:
            w = 1.0
        elif v > -2:
            w = np.float32(1)
        else:
            w = np.float64(2)
        kinds.append(w)
    p, q, r, s = kinds
    return np.interp(p, [q, r], [s, s])


@CASES.says(
    """
    TypeError: Decimal gets a value that is known only when the graph runs
      in number_of_a_library, FILE line N:  return decimal.Decimal(x)
      Use a function of NumPy's or math's, or call it by ag.py_function.
    """,
    np.float64(1.0),
)
def number_of_a_library(x):
    return decimal.Decimal(x)


@CASES.says(
    """
    TypeError: pprint prints, which each call of it has to do
      in printed_by_a_library, FILE line N:  pprint.pprint(x)
      Use print, or call it by ag.py_function.
    """,
    np.float64(1.0),
)
def printed_by_a_library(x):
    pprint.pprint(x)
    return x


@CASES.says(
    """
    TypeError: a printoptions is entered and left while tracing, but is around what
          happens when the graph runs
      in with_options_of_print, FILE line N:  with np.printoptions(precision=2):
      Put it around the call of the decorated function.
    """,
    XY,
)
def with_options_of_print(x):
    with np.printoptions(precision=2):
        return str(x / 3)


@CASES.says(
    """
    TypeError: what this `except` takes depends on data
      in taking_one_of_two, FILE line N:  try:
      Put the try into each branch.
    """,
    np.float64(1.0),
)
def taking_one_of_two(x):
    kinds = ValueError if x > 0 else KeyError
    try:
        return np.arange(3.0)[int(x)]
    except kinds:
        return x


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_whole_text_is_said(case: Case) -> None:
    check(case)
