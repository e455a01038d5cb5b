"""Turns that are written one after the other."""

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm.chunks import UNROLLED, written_turns
from tests.runtime.backends.llvm.compiling import agreeing, loops_of
from tools.bench.by_index.searches import words_in_text


def reading(staged, given):
    """The loops that read an element where they end."""
    functions = [one.function for one in loops_of(staged, given) if one.function]
    loops = [one for f in functions for one in f.body.walk() if one.op == "while"]
    return [
        one
        for one in loops
        if any(inner.op == "load" for inner in one.blocks[0].instructions)
        or any(inner.op == "if" for inner in one.blocks[0].instructions)
    ]


@pytest.mark.parametrize("size", [1, 2, 4, 5, 7, 40])
def test_turns_that_read_where_they_end_have_a_test_each(size):
    given = np.arange(300) % 3 % 2, np.arange(size) % 3 % 2
    with ag.config(backend="native"):
        found = reading(agreeing(words_in_text, [given]), given)
    assert found
    assert {len(written_turns(one)) for one in found} == {UNROLLED}
