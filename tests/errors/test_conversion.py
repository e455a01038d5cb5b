"""What is said of statements that are not converted, and where there is no source."""

from typing import Any

import numpy as np
import pytest

import autograph as ag
from tests.errors.saying import Case, Cases, check

X = np.array(1.0)
CASES = Cases()


@CASES.says(
    """
    autograph.UnsupportedError: `yield` cannot be converted
      in generator, FILE line N:  def generator(x):
      Return a list or an array instead of yielding.
    """,
    X,
)
def generator(x):
    yield x


@CASES.says(
    """
    autograph.UnsupportedError: an async function cannot be converted
      in coroutine, FILE line N:  async def coroutine(x):
      Decorate the functions that it awaits.
    """,
    X,
)
async def coroutine(x):
    return x


@CASES.says(
    """
    autograph.UnsupportedError: break, continue or return inside `finally` cannot be
          converted
      in break_in_finally, FILE line N:  break
      Leave after the try statement instead.
    """,
    X,
)
def break_in_finally(x):
    for _ in range(3):
        try:
            x = x + 1
        except* ValueError:
            pass
        finally:
            break
    return x


@CASES.says(
    """
    NotImplementedError: this may fail depending on data, inside a try with `except*`,
          which is not staged
      in raise_in_a_try_with_groups, FILE line N:  raise ValueError("too big")
      Use `except`, or move the try out of the decorated function.
    """,
    X,
)
def raise_in_a_try_with_groups(x):
    try:
        if x > 0:
            raise ValueError("too big")
    except* ValueError:
        x = x + 1
    return x


made: dict[str, Any] = {}
exec("def without_source(x):\n    return x", made)


@CASES.plainly_says("""
    autograph.SourceNotFoundError: the source of `without_source` is not available
          (it was made by exec or typed into a Python without source memory); put
          it in a file
    """)
def code_without_source():
    ag.to_code(made["without_source"])


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_whole_text_is_said(case: Case) -> None:
    check(case)
