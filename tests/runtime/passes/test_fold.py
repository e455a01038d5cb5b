"""What constants give is computed, quietly."""

import numpy as np
import pytest

from runtime.passes.fold import fold
from runtime.text import parse
from tests.runtime.passes.golden import check


def test_constants_are_computed() -> None:
    check(
        fold,
        """graph f(x: float64[3]) {
          a: ~int64[] = constant[value=2]()
          b: ~int64[] = add(a, a)
          c: float64[3] = multiply(x, b)
          return c
        }""",
        """graph f(x: float64[3]) {
          a: ~int64[] = constant[value=2]()
          b: ~int64[] = constant[value=4]()
          c: float64[3] = multiply(x, b)
          return c
        }""",
    )


@pytest.mark.parametrize(
    "text",
    [
        """graph f() {
          a: ~int64[] = constant[value=1]()
          z: ~int64[] = constant[value=0]()
          b: ~float64[] = divide(a, z)
          return b
        }""",
        """graph f() {
          a: float64[] = constant[value=float64(-1.0)]()
          b: float64[] = sqrt(a)
          return b
        }""",
        """graph f() {
          a: float64[2] = constant[value=@mine, shared=True]()
          b: float64[2] = add(a, a)
          return b
        }""",
        """graph f() {
          a: float64[2000000] = zeros[shape=(2000000,), dtype=dtype(float64)]()
          b: float64[2000000] = add(a, a)
          return b
        }""",
        """graph f() {
          a: float64[3] = zeros[shape=(3,), dtype=dtype(float64)]()
          return a
        }""",
    ],
    ids=["raises", "warns", "shared", "large", "no input"],
)
def test_what_is_left_for_run_time(text: str) -> None:
    check(fold, text, text, {"mine": np.ones(2)})


def test_numbers_stay_python_numbers_when_folded() -> None:
    graph = fold(
        parse("""graph f() {
          a: ~int64[] = constant[value=7]()
          b: ~int64[] = constant[value=2]()
          c: ~float64[] = divide(a, b)
          return c
        }""")
    )
    (value,) = (node.attributes["value"] for node in graph.nodes[2:])
    assert type(value) is float


def test_if_with_a_constant_predicate_becomes_its_branch() -> None:
    check(
        fold,
        """graph f(x: float64[3]) {
          a: ~int64[] = constant[value=1]()
          b: ~int64[] = constant[value=2]()
          p: ~bool[] = less(b, a)
          r: float64[3], s: float64[3] = if(p, x) {
            then(x: float64[3]) { return x, x }
            orelse(x: float64[3]) { y: float64[3] = sin(x) return y, x }
          }
          t: float64[3] = add(r, s)
          return t
        }""",
        """graph f(x: float64[3]) {
          a: ~int64[] = constant[value=1]()
          b: ~int64[] = constant[value=2]()
          p: ~bool[] = constant[value=False]()
          y: float64[3] = sin(x)
          t: float64[3] = add(y, x)
          return t
        }""",
    )


def test_constants_are_known_inside_of_loops() -> None:
    check(
        fold,
        """graph f(x: float64[3], p: ~bool[]) {
          a: ~int64[] = constant[value=1]()
          r: float64[3] = while[carried=1](x, p, a) {
            test(x: float64[3], p: ~bool[], a: ~int64[]) { return p }
            body(x: float64[3], p: ~bool[], a: ~int64[]) {
              b: ~int64[] = add(a, a)
              y: float64[3] = multiply(x, b)
              return y
            }
          }
          return r
        }""",
        """graph f(x: float64[3], p: ~bool[]) {
          a: ~int64[] = constant[value=1]()
          r: float64[3] = while[carried=1](x, p, a) {
            test(x: float64[3], p: ~bool[], a: ~int64[]) { return p }
            body(x: float64[3], p: ~bool[], a: ~int64[]) {
              b: ~int64[] = constant[value=2]()
              y: float64[3] = multiply(x, b)
              return y
            }
          }
          return r
        }""",
    )


def test_loop_that_never_turns_becomes_its_first_values() -> None:
    check(
        fold,
        """graph f(x: float64[3]) {
          a: ~int64[] = constant[value=5]()
          i: ~int64[], r: float64[3] = while[carried=2](a, x, a) {
            test(i: ~int64[], x: float64[3], a: ~int64[]) {
              on: ~bool[] = less(i, a)
              return on
            }
            body(i: ~int64[], x: float64[3], a: ~int64[]) { return i, x }
          }
          return r
        }""",
        """graph f(x: float64[3]) {
          a: ~int64[] = constant[value=5]()
          return x
        }""",
    )


def test_what_a_result_is_a_view_of_is_made_by_the_graph() -> None:
    check(
        fold,
        """graph f(n: int64[]) {
          a: int64[2] = constant[value=@known]()
          b: int64[2] = flip[axis=0](a)
          c: int64[2] = add(a, b)
          return b, c
        }""",
        """graph f(n: int64[]) {
          a: int64[2] = constant[value=@known]()
          b: int64[2] = copy[order='K'](a)
          c: int64[2] = flip[axis=0](b)
          d: int64[2] = constant[value=@sum]()
          return c, d
        }""",
        {"known": np.array([1, 2]), "sum": np.array([3, 3])},
    )
