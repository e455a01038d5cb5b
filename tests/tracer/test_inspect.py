"""The machine code of a function as text."""

import numpy as np
import pytest

import autograph as ag


@ag.function
def count_down(n):
    while n > 0:
        n = n - 2
    return n


@ag.function
def printing(n):
    while n > 0:
        print(n)
        n = n - 2
    return n


def test_loops_as_text():
    concrete = count_down.get_concrete_function(np.int64(5))
    head, *lines = concrete.inspect().splitlines()
    assert head.startswith("; HotLoop at ")
    assert head.endswith("test_inspect.py:11, not compiled yet")
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


def test_what_no_machine_code_does_has_no_text():
    assert printing.get_concrete_function(np.int64(5)).inspect() == ""


def test_stage_that_is_not_known():
    concrete = count_down.get_concrete_function(np.int64(5))
    words = "the stages of machine code are 'loops', 'llvm', 'asm', not 'c'"
    with pytest.raises(ValueError, match=words):
        concrete.inspect("c")
