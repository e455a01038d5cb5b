"""What ends the program, or is a group of exceptions, is Python's where data tell."""

import optparse
import signal
import sys

import numpy as np
import pytest

import autograph as ag
from tests.errors.saying import Case, Cases, check

PARSER = optparse.OptionParser()
CASES = Cases()


@CASES.says(
    """
    NotImplementedError: an ExceptionGroup holds what depends on data
      in a_group, FILE line N:  if x > 2:
      Raise one of its exceptions, or an exception with a list of messages.
    """,
    np.float64(1.0),
)
def a_group(x):
    if x > 2:
        raise ExceptionGroup("large", [ValueError(x)])
    return x


@CASES.says(
    """
    NotImplementedError: SystemExit is raised, which is no Exception
      in ending_the_program, FILE line N:  raise SystemExit(3)
      Raise it outside of the function.
    """,
    np.float64(1.0),
)
def ending_the_program(x):
    print("begin")
    if x > 2:
        raise SystemExit(3)
    return x


class Quit(BaseException):
    pass


@CASES.says(
    """
    NotImplementedError: Quit is raised, which is no Exception
      in quitting, FILE line N:  raise Quit(x)
      Raise it outside of the function.
    """,
    np.float64(1.0),
)
def quitting(x):
    if x > 2:
        raise Quit(x)
    return x


@CASES.says(
    """
    NotImplementedError: sys.exit() would be called once, while tracing, and not when
          the graph runs
      in by_sys, FILE line N:  sys.exit(3)
      Call it outside of the decorated function, or by ag.py_function.
    """,
    np.float64(1.0),
)
def by_sys(x):
    if x > 2:
        sys.exit(3)
    return x


@CASES.says(
    """
    NotImplementedError: this ends the program, depending on data
      in by_a_library, FILE line N:  if x > 2:
      End it outside of the function.
    """,
    np.float64(1.0),
)
def by_a_library(x):
    if x > 2:
        PARSER.exit(3)
    return x


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_whole_text_is_said(case: Case) -> None:
    check(case)


def test_who_ends_the_program_is_not_asked_where_the_path_is_not_taken():
    @ag.function
    def leaves(x, way):
        print("begin")
        x[0] = 5
        if x[1] > 2:
            way(3)
        return x[1]

    def by_raise(code):
        raise SystemExit(code)

    for way in (by_raise, sys.exit, PARSER.exit, exit, quit):
        x = np.array([1.0, 2.0])
        assert leaves(x, way) == 2
        assert x[0] == 5
        x[1] = 3
        with pytest.raises(SystemExit) as ended:
            leaves(x, way)
        assert ended.value.code == 3


def test_a_signal_that_ends_the_program_ends_it_in_a_trace():
    def end(number, frame):
        sys.exit(7)

    class Slow:
        @property
        def one(self):
            signal.raise_signal(signal.SIGUSR1)
            return 1

    @ag.function
    def counts(x, slow):
        return x + slow.one if x > 2 else x

    before = signal.signal(signal.SIGUSR1, end)
    try:
        with pytest.raises(SystemExit):
            counts(np.float64(1.0), Slow())
    finally:
        signal.signal(signal.SIGUSR1, before)
