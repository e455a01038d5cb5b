"""What is said where one of several things is used in a way that is not staged."""

import json

import numpy as np
import pytest

import autograph as ag
from tests.errors.saying import Case, Cases, check

X = np.array(1.0)
CASES = Cases()


class Holder:
    """An object with attributes."""


@ag.do_not_convert
def looked_at(holder):
    return json.dumps(list(holder.table.values())[0] + 1)


@CASES.says(
    """
    TypeError: a container is used by code that is not converted, but what it holds
          depends on data
      in looked_at, FILE line N:  return json.dumps(list(holder.table.values())[0] + 1)
      Copy what is needed into an array, or a container of fixed keys, first.
    """,
    X,
)
def container_through_an_object(x):
    holder = Holder()
    holder.table = {"a": 1}
    if x > 0:
        holder.table["b"] = 2
    return looked_at(holder)


@CASES.says(
    """
    TypeError: whether this value, one of several, is true is known only when the graph
          runs
      in asked_of, FILE line N:  return bool(holder.word)
      Only converted code can depend on it: no function that is marked with
          @ag.do_not_convert, has no source, belongs to a library, or is called by one.
    """,
    X,
)
def truth_of_a_choice(x):
    word = "big" if x > 0 else None
    return asked(word)


@ag.do_not_convert
def asked_of(holder):
    return bool(holder.word)


def asked(word):
    holder = Holder()
    holder.word = word
    return asked_of(holder)


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_whole_text_is_said(case: Case) -> None:
    check(case)
