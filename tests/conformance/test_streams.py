"""Streams are written by each run, to what sys.stdout is then."""

import io
import sys

import numpy as np
import pytest

from autograph.same import assert_same_as_python


def written(x):
    if x > 0:
        sys.stdout.write("up\n")
    return x


def gathered(x):
    out = io.StringIO()
    print("a", x, file=out)
    return out.getvalue()


@pytest.mark.parametrize("x", [1.0, -1.0])
def test_stdout_is_what_it_is_at_each_call(x):
    assert_same_as_python(written, np.float64(x))


def test_the_text_of_a_stream_is_asked_by_python_that_each_run_writes():
    assert_same_as_python(gathered, np.float64(1.0))
