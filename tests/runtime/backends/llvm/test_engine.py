"""Which of LLVM's passes a text is given."""

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm.engine import optimized
from runtime.backends.llvm.orders import ASKS
from runtime.backends.llvm.text import ELEMENTS
from tests.runtime.backends.llvm.compiling import loops_of

TWICE = """
define i64 @f(ptr %p, i1 %again) {
  %a = load i64, ptr %p
  br i1 %again, label %more, label %end
more:
  %b = load i64, ptr %p
  %sum = add i64 %a, %b
  ret i64 %sum
end:
  ret i64 %a
}
"""


@pytest.mark.parametrize(("text", "loads"), [(TWICE, 2), (TWICE + ELEMENTS, 1)])
def test_what_was_read_is_not_read_again_in_loops_over_elements(text, loads):
    assert optimized(text).count("load i64") == loads


def below(xs, n):
    k = 0
    while xs[k] < n:
        k += 1
    return k


def roots(n):
    k = 0
    while k * k < n:
        k += 1
    return k


@pytest.mark.parametrize(
    ("function", "given", "comes_to_elements"),
    [
        (below, (np.arange(50), np.int64(30)), True),
        (roots, (np.int64(300),), False),
    ],
)
def test_texts_say_whether_loops_come_to_elements(function, given, comes_to_elements):
    with ag.config(backend="native"):
        staged = ag.function(function)
        assert staged(*given) == function(*given)
        loop, *_ = loops_of(staged, given)
    assert (ELEMENTS in loop.text(*loop.lowered()).write()) is comes_to_elements


QUOTIENTS = """
define {double, double} @f(ptr %p, ptr %q, double %by) {
  %a = load double, ptr %p
  %b = load double, ptr %q
  %c = fdiv double %a, %by
  %d = fdiv double %b, %by
  %e = insertvalue {double, double} poison, double %c, 0
  %g = insertvalue {double, double} %e, double %d, 1
  ret {double, double} %g
}
"""


@pytest.mark.parametrize(
    ("said", "divisions"),
    [(ELEMENTS, "<2 x double>"), (ELEMENTS + ASKS, "double"), ("", "double")],
)
def test_two_quotients_are_one_vector_where_no_note_of_it_is_read(said, divisions):
    found = optimized(QUOTIENTS + said)
    assert found.count(f"fdiv {divisions}") == (1 if "<" in divisions else 2)
