"""Machine code with few passes: other code of the same text, that nobody else has."""

import zlib

import numpy as np
import pytest

import autograph as ag
from runtime import store
from runtime.backends.llvm import engine
from tests import few_passes

TEXT = """
define i64 @f(i64 %a) {
  %place = alloca i64
  store i64 %a, ptr %place
  %b = load i64, ptr %place
  %sum = add i64 %b, 0
  ret i64 %sum
}
"""


@pytest.mark.with_passes
def test_it_is_other_code_and_the_passes_are_there_afterwards():
    whole = engine.image_of(TEXT)
    assert few_passes.image_of(TEXT) != whole
    assert engine.image_of(TEXT) == whole


@pytest.mark.with_passes
def test_what_was_made_so_is_not_found_by_a_test_that_has_all(monkeypatch):
    def turns(x):
        for _ in range(np.int64(12_345)):
            x = x * 0.75 + 0.0078125
        return x

    def kept():
        return {key for key in store._kept if key not in before}

    x, before = np.float64(1.0), {*store._kept, *few_passes._kept}
    with monkeypatch.context() as patched, ag.config(backend="native"):
        few_passes.have(patched)
        assert ag.function(turns)(x) == turns(x)
        made = kept()
    assert made
    assert not kept()


@pytest.mark.skipif(few_passes.OF == 1, reason="all tests have all passes")
def test_a_quarter_has_all_with_entries_and_without():
    names = [f"tests/test_one.py::test_of[{number}]" for number in range(4_000)]
    whole = [name for name in names if not few_passes.is_drawn(name)]
    assert 900 < len(whole) < 1_100
    assert 400 < sum(zlib.crc32(name.encode()) & 1 for name in whole) < 600
