"""What is exact and costs a glance."""

from runtime.passes import optimize
from runtime.passes.prune import prune
from runtime.passes.simplify import simplify
from tests.runtime.passes.golden import check


def test_unchanged_loop_variable_becomes_a_capture() -> None:
    check(
        simplify,
        """graph f(x: float64[3], y: float64[3], p: ~bool[]) {
          a: float64[3], b: float64[3] = while[carried=2](x, y, p) {
            test(a: float64[3], b: float64[3], p: ~bool[]) { return p }
            body(a: float64[3], b: float64[3], p: ~bool[]) {
              c: float64[3] = add(a, b)
              return a, c
            }
          }
          d: float64[3] = add(a, b)
          return d
        }""",
        """graph f(x: float64[3], y: float64[3], p: ~bool[]) {
          b: float64[3] = while[carried=1](y, p, x) {
            test(b: float64[3], p: ~bool[], x: float64[3]) { return p }
            body(b: float64[3], p: ~bool[], x: float64[3]) {
              c: float64[3] = add(x, b)
              return c
            }
          }
          d: float64[3] = add(x, b)
          return d
        }""",
    )


def test_result_that_is_one_value_in_both_branches_is_that_value() -> None:
    check(
        simplify,
        """graph f(x: float64[3], p: ~bool[]) {
          a: float64[3] = if(p, x) {
            then(x: float64[3]) { return x } orelse(x: float64[3]) { return x }
          }
          b: float64[3] = identity(a)
          return b
        }""",
        """graph f(x: float64[3], p: ~bool[]) {
          if(p, x) { then(x: float64[3]) { return } orelse(x: float64[3]) { return } }
          return x
        }""",
    )


def test_checks_that_hold_are_gone() -> None:
    check(
        optimize,
        """graph f(x: float64[3]) {
          t: ~bool[] = constant[value=True]()
          require_defined[name='y'](t)
          assert[message=()](t)
          return x
        }""",
        "graph f(x: float64[3]) { return x }",
    )


def test_what_an_if_by_the_same_predicate_has_given_is_not_chosen_again() -> None:
    check(
        lambda graph: prune(simplify(graph)),
        """graph f(p: ~bool[], x: float64[3], y: float64[3]) {
          a: float64[3], b: float64[3], c: float64[3] = if(p, x, y) {
            then(x: float64[3], y: float64[3]) {
              d: float64[3] = add(x, y) return d, y, d
            }
            orelse(x: float64[3], y: float64[3]) {
              e: float64[3] = add(y, y) return x, e, e
            }
          }
          g: float64[3] = if(p, a, c) {
            then(a: float64[3], c: float64[3]) { return c }
            orelse(a: float64[3], c: float64[3]) { return a }
          }
          h: float64[3] = if(p, a, b) {
            then(a: float64[3], b: float64[3]) { return b }
            orelse(a: float64[3], b: float64[3]) { return a }
          }
          return g, h
        }""",
        """graph f(p: ~bool[], x: float64[3], y: float64[3]) {
          a: float64[3], b: float64[3] = if(p, x, y) {
            then(x: float64[3], y: float64[3]) {
              d: float64[3] = add(x, y) return d, y
            }
            orelse(x: float64[3], y: float64[3]) {
              e: float64[3] = add(y, y) return x, e
            }
          }
          h: float64[3] = if(p, a, b) {
            then(a: float64[3], b: float64[3]) { return b }
            orelse(a: float64[3], b: float64[3]) { return a }
          }
          return a, h
        }""",
    )


def test_a_python_int_is_itself_times_one_and_with_nothing_added() -> None:
    check(
        optimize,
        """graph f(i: ~int64[], x: int64[]) {
          one: ~int64[] = constant[value=1]()
          none: ~int64[] = constant[value=0]()
          a: ~int64[] = multiply(i, one)
          b: ~int64[] = add(none, a)
          c: ~int64[] = subtract(b, i)
          d: int64[] = multiply(x, one)
          return b, c, d
        }""",
        """graph f(i: ~int64[], x: int64[]) {
          one: ~int64[] = constant[value=1]()
          c: ~int64[] = subtract(i, i)
          d: int64[] = multiply(x, one)
          return i, c, d
        }""",
    )


def test_what_may_be_a_bool_or_a_float_is_computed() -> None:
    text = """graph f(p: ~bool[], q: ~bool[], x: ~float64[], i: ~int64[]) {
      one: ~int64[] = constant[value=1]()
      none: ~int64[] = constant[value=0]()
      zero: ~float64[] = constant[value=0.0]()
      a: ~bool|~int64[] = if(q, p, i) {
        then(p: ~bool[], i: ~int64[]) { return p }
        orelse(p: ~bool[], i: ~int64[]) { return i }
      }
      b: ~int64[] = multiply(p, one)
      c: ~int64[] = multiply(a, one)
      d: ~float64[] = add(x, none)
      e: ~float64[] = add(i, zero)
      return b, c, d, e
    }"""
    check(simplify, text, text)
