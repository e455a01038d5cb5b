"""Conversion, tracing and the compiled text do not blow up with a program's size."""

import sys
import time

import numpy as np
import pytest

import autograph as ag
from autograph.conversion import convert
from runtime.start_up import collection_paused
from tools.bench.conversion import loaded
from tools.bench.shared.shapes import SHAPES


@pytest.mark.parametrize("name", SHAPES)
def test_large_program_means_what_it_means_in_python(name, tmp_path):
    shape = SHAPES[name]
    program = loaded(shape.source(shape.size), tmp_path / "program.py")
    found = ag.function(program)(shape.argument)
    assert np.array_equal(found, program(shape.argument))


def test_a_thousand_lines_are_converted_in_two_seconds(tmp_path):
    shape = SHAPES["1,000 lines"]
    text = shape.source(shape.size)
    assert text.count("\n") > 950
    program = loaded(text, tmp_path / "program.py")
    with collection_paused():  # as it is in a first call
        start = time.process_time()
        convert(program)
        assert time.process_time() - start < 2


@pytest.mark.parametrize(
    "name", ["1,000 lines", "ifs in a loop", "breaks", "300 names"]
)
def test_converted_source_stays_within_nine_times_the_lines(name, tmp_path):
    shape = SHAPES[name]
    text = shape.source(shape.size)
    made = ag.to_code(loaded(text, tmp_path / "program.py"))
    assert made.count("\n") < 9 * text.count("\n")


def test_recursion_limit_is_the_user_s_afterwards(tmp_path):
    before = sys.getrecursionlimit()
    shape = SHAPES["elif"]
    ag.function(loaded(shape.source(10), tmp_path / "program.py"))(shape.argument)
    assert sys.getrecursionlimit() == before


def test_plain_recursion_while_tracing_goes_as_deep_as_python_s():
    def down(x, depth):
        return x if depth == 0 else down(x, depth - 1)

    assert ag.function(down)(np.float64(2.0), 700) == 2.0


def test_plain_recursion_without_an_end_is_python_s_error():
    def on(x):
        return on(x + 1)

    with pytest.raises(RecursionError, match=r"^maximum recursion depth exceeded$"):
        ag.function(on)(np.float64(2.0))
