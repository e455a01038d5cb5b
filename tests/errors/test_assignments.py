"""What is said of a name whose kinds never settle, and where each is set."""

import re
from pathlib import Path

import numpy as np
import pytest

from tests.errors.saying import Case, Cases, check, raised

X = np.array(1.0)
CASES = Cases()


@CASES.says(
    """
    TypeError: `pair` is () before this loop, but (() or ((), 'a') or (() or ((), 'a')
          or (() or ((), 'a') or ... after one iteration
      in pair_that_grows, FILE line N:  while x < 5:
      `pair` is set in line N:  pair = ()
      `pair` is set in line N:  pair = (pair, "a")
      A graph needs one kind of value for `pair` in a loop: make both the same, or use
          another name inside.
    """,
    X,
)
def pair_that_grows(x):
    pair = (1, 2)
    pair = ()
    while x < 5:
        x = x + 1
        pair = (pair, "a")
    return pair


@CASES.says(
    """
    TypeError: `nest` is a dict before this loop, but {'a': a dict or {'a': a dict} or
          {'a': a dict or {'a': a dic... after one iteration
      in nesting_that_grows, FILE line N:  while x < 5:
      `nest` is set in line N:  nest = {}
      `nest` is set in line N:  nest = {"a": nest}
      A graph needs one kind of value for `nest` in a loop: make both the same, or use
          another name inside.
    """,
    X,
)
def nesting_that_grows(x):
    nest = {}
    while x < 5:
        x = x + 1
        nest = {"a": nest}
    return nest


@CASES.says(
    """
    TypeError: `pair` is () before this loop, but (() or ((), 'a') or (() or ((), 'a')
          or (() or ((), 'a') or ... after one iteration
      in pair_that_grows_after_a_return, FILE line N:  while x < 5:
      `pair` is set in line N:  pair = ()
      `pair` is set in line N:  pair = (pair, "a")
      A graph needs one kind of value for `pair` in a loop: make both the same, or use
          another name inside.
    """,
    X,
)
def pair_that_grows_after_a_return(x):
    if x > 9:
        return ()
    pair = ()
    while x < 5:
        x = x + 1
        pair = (pair, "a")


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_whole_text_is_said(case: Case) -> None:
    check(case)


def test_the_lines_are_those_of_the_assignments():
    notes = "\n".join(raised(CASES[0]).__notes__)
    first = CASES[0].program.__code__.co_firstlineno
    source = Path(__file__).read_text().splitlines()
    for line, text in re.findall(r"line (\d+):  (.*)", notes):
        assert source[int(line) - 1].strip() == text
        assert first < int(line) < first + 25
