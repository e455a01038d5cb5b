"""The machine code of a function as text."""

import numpy as np
import pytest

import autograph as ag
from tests.tracer.entered import takes, warm


@ag.function
def count_down(n):
    while n > 0:
        n = n - 2
    return n


STATE = ag.Variable(0)


@ag.function
def noting(n):
    while n > 0:
        STATE.assign_add(n)
        n = n - 2
    return n


def test_loops_as_text():
    concrete = count_down.get_concrete_function(np.int64(5))
    head, *lines = concrete.inspect().splitlines()
    assert head.startswith("; HotLoop at ")
    assert head.endswith("test_inspect.py:12, not compiled yet")
    assert lines == [
        "loops loop(v1: int64):",
        "  while(v2)",
        "  {",
        "    v4 = icmp sgt i64(v1, 0)",
        "    v2 = move(v4)",
        "  } then {",
        "    poll()",
        "    v6 = sub i64(v1, 2)",
        "    v1 = move(v6)",
        "  }",
        "  return v1: int64",
    ]
    assert count_down.inspect("loops") == concrete.inspect()


def test_llvms_text_and_the_machines():
    concrete = count_down.get_concrete_function(np.int64(5))
    text = concrete.inspect("llvm")
    assert "define ptr @loop(" in text
    assert "!prof !0" in text
    assert "PyErr_CheckSignals" in concrete.inspect("asm")


def test_what_calls_enter_follows_the_loops():
    with ag.config(backend="native"):
        warm(count_up := ag.function(lambda x: x * 2 + 1), np.ones(4))
        assert takes(count_up, np.ones(4))
        of_trace, of_entry = count_up.inspect().split("; Entry at ")
        assert "loops entry(" not in of_trace
        head, *lines = of_entry.splitlines()
        assert head.endswith(", compiled")
        assert lines[0] == "loops entry(v2: float64[4]):"
        # With what it looks at first, as it runs.
        text = count_up.inspect("llvm").partition("; Entry at ")[2]
        assert "define ptr @entry(" in text
        assert "@type_ndarray" in text
        assert ".globl\tentry" in count_up.inspect("asm")
        (concrete,) = count_up.concrete_functions
        assert "; Entry at " not in concrete.inspect()
        warm(concrete, np.ones(4))
        assert "; Entry at " in concrete.inspect()


def test_what_no_machine_code_does_has_no_text():
    assert noting.get_concrete_function(np.int64(5)).inspect() == ""


def test_stage_that_is_not_known():
    concrete = count_down.get_concrete_function(np.int64(5))
    words = "the stages of machine code are 'loops', 'llvm', 'asm', not 'c'"
    with pytest.raises(ValueError, match=words):
        concrete.inspect("c")
    with pytest.raises(ValueError, match=words):
        ag.function(lambda x: x).inspect("c")
