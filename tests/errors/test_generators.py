"""What is said of generators and comprehensions that no graph can hold."""

import numpy as np
import pytest

from tests.errors.saying import Case, Cases, check

X = np.array([1.0, -2.0, 3.0])
CASES = Cases()
seen = set()


@CASES.says(
    """
    TypeError: the result is an iterator, whose items would be asked for after the
          trace
      in returned, FILE line N:  def returned(x):
      Return a list of the items.
    """,
    X,
)
def returned(x):
    return (v * 2 for v in x)


@CASES.says(
    """
    TypeError: the result is an iterator, whose items would be asked for after the
          trace
      in enumerated, FILE line N:  def enumerated(x):
      Return a list of the items.
    """,
    X,
)
def enumerated(x):
    return {"items": enumerate(x)}


@CASES.says(
    """
    TypeError: the result is a Generator of each call's own, which would be asked for
          after the trace
      in drawing, FILE line N:  def drawing(x):
      Return what it is made of.
    """,
    X,
)
def drawing(x):
    return x, np.random.default_rng(3)


@CASES.says(
    """
    TypeError: how far this generator is gone through depends on data
      in gone_through_on_one_path, FILE line N:  return total + sum(items)
      Make a new generator for each use, or keep what it gives in a list.
    """,
    X,
)
def gone_through_on_one_path(x):
    items = (v * 2 for v in x)
    total = sum(items) if x[0] > 0 else x[0]
    return total + sum(items)


@CASES.says(
    """
    TypeError: how far this generator is gone through depends on data
      in gone_through_in_a_loop, FILE line N:  total += sum(items)
      Make a new generator for each use, or keep what it gives in a list.
    """,
    X,
)
def gone_through_in_a_loop(x):
    items = (v * 2 for v in x)
    total = 0.0
    while total < x[0]:
        total += sum(items)
    return total


@CASES.says(
    """
    TypeError: this generator was left by a loop, and a graph cannot go on with it
      in gone_on_with, FILE line N:  return v, sum(items)
      Make a new generator for each use, or keep what it gives in a list.
    """,
    X,
)
def gone_on_with(x):
    items = (v * 2 for v in x if v > 0)
    for v in items:
        if v > 1:
            break
    return v, sum(items)


@CASES.says(
    """
    TypeError: this generator is gone on with in a branch or loop that depends on
          data, but was made outside of it
      in next_in_a_loop, FILE line N:  total += next(items)
      Make it inside, or make a list of what it gives first.
    """,
    X,
)
def next_in_a_loop(x):
    items = (v * 2 for v in x)
    total = next(items)
    while total < x[0]:
        total += next(items)
    return total


@CASES.says(
    """
    TypeError: what this generator gives depends on data, but is asked for item by
          item
      in two_at_once, FILE line N:  return list(zip((v for v in x if v > 0), (v for v
          in x)))
      Go through it with one `for`, or make a list of it first.
    """,
    X,
)
def two_at_once(x):
    return list(zip((v for v in x if v > 0), (v for v in x)))


@CASES.says(
    """
    TypeError: a set from outside gets an item that is known only when the graph runs
      in added_to_a_set_outside, FILE line N:  seen.update(v for v in x)
      Return the items, and add them after the call.
    """,
    X,
)
def added_to_a_set_outside(x):
    seen.update(v for v in x)


@CASES.says(
    """
    TypeError: a dict or set whose keys depend on data is an operand beside something
          else
      in set_and_keys, FILE line N:  return {v for v in x} & {1: 2}.keys()
      Make a set of both first: `set(a)`.
    """,
    X,
)
def set_and_keys(x):
    return {v for v in x} & {1: 2}.keys()


@CASES.says(
    """
    TypeError: a dict or set whose keys depend on data is compared beside something
          else
      in set_and_frozen_set, FILE line N:  return {v for v in x} == frozenset({1})
      Make a set of both first: `set(a)`.
    """,
    X,
)
def set_and_frozen_set(x):
    return {v for v in x} == frozenset({1})


@CASES.says(
    """
    TypeError: this iterator is gone on with in a branch or loop that depends on
          data, but was made outside of it
      in iterator_in_a_branch, FILE line N:  x = next(numbers)
      Make it inside, or make a list of what it gives first.
    """,
    X,
)
def iterator_in_a_branch(x):
    numbers = iter([1.0, 2.0])
    if x[0] > 0:
        x = next(numbers)
    return x


@CASES.says(
    """
    TypeError: this iterator is gone on with in a branch or loop that depends on
          data, but was made outside of it
      in pairs_in_a_loop, FILE line N:  a = sum(next(pairs))
      Make it inside, or make a list of what it gives first.
    """,
    X,
)
def pairs_in_a_loop(x):
    pairs = zip([1.0, 2.0, 3.0], [4.0, 5.0, 6.0])
    a = 0.0
    while a < x[0]:
        a = sum(next(pairs))
    return a


outer_numbers = iter([1.0, 2.0])


@CASES.says(
    """
    TypeError: this iterator was made outside of the function, so that each call
          would have to go on with it
      in outer_iterator, FILE line N:  return x + next(outer_numbers)
      Pass a list of what it gives, or what `next` of it gives.
    """,
    X,
)
def outer_iterator(x):
    return x + next(outer_numbers)


counted = [0]


def counting(items):
    try:
        for item in items:
            counted[0] += 1
            yield item
    except GeneratorExit:
        counted[0] = 0
        raise


@CASES.says(
    """
    NotImplementedError: `counting` may do more than compute, and a `yield` of it is
          not staged where it stands
      in under_an_except, FILE line N:  for item in counting([1.0, 2.0]):
      Write `yield` as a statement of its own, outside of a `try`.
    """,
    X,
)
def under_an_except(x):
    for item in counting([1.0, 2.0]):
        x = x + item
    return x


def counted_down(n):
    if n > 0:
        yield n
        yield from counted_down(n - 1)


@CASES.says(
    """
    NotImplementedError: a generator goes through itself as often as data say
      in counted_down, FILE line N:  yield from counted_down(n - 1)
      Return a list or an array instead of yielding.
    """,
    np.int64(3),
)
def through_itself(n):
    return list(counted_down(n))


@CASES.says(
    """
    TypeError: an iterator goes on through one of several things
      in an_iterator_of_one_of_several, FILE line N:  letters = iter("ab" if x[0] > 0
          else "cde")
      Make a list of it, or go through it by a loop.
    """,
    X,
)
def an_iterator_of_one_of_several(x):
    letters = iter("ab" if x[0] > 0 else "cde")
    return next(letters)


@CASES.says(
    """
    TypeError: what a record holds is known only when the graph runs, so it cannot be
          gone through while tracing
      in a_record_gone_through, FILE line N:  return [item for item in rows[0]]
      Only converted code can depend on it: no function that is marked with
          @ag.do_not_convert, has no source, belongs to a library, or is called by one.
    """,
    np.array([(1, 2.0)], dtype=[("a", "i4"), ("b", "f8")]),
)
def a_record_gone_through(rows):
    return [item for item in rows[0]]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_whole_text_is_said(case: Case) -> None:
    check(case)
