"""What nobody can observe is dropped, at every depth."""

from runtime.passes.prune import prune
from tests.runtime.passes.golden import FakeVariable, check


def test_unused_failing_node_is_dropped() -> None:
    check(
        prune,
        """graph f(x: float64[3]) {
          a: float64[] = slice[index=(7,)](x)
          b: float64[3] = add(x, x)
          return b
        }""",
        """graph f(x: float64[3]) { b: float64[3] = add(x, x) return b }""",
    )


def test_unused_node_that_writes_is_kept_with_what_it_needs() -> None:
    text = """graph f(x: float64[3]) {
      b: float64[3] = add(x, x)
      print[args=(Input(0),), kwargs={}](b)
      return x
    }"""
    check(prune, text, text)


def test_unused_read_is_dropped() -> None:
    check(
        prune,
        """graph f(x: float64[3]) {
          a: float64[3] = read_variable[variable=@v]()
          return x
        }""",
        "graph f(x: float64[3]) { return x }",
        {"v": FakeVariable()},
    )


def test_unused_result_of_an_if_goes_with_what_only_it_needs() -> None:
    check(
        prune,
        """graph f(p: ~bool[], x: float64[3], y: float64[3]) {
          w: float64[3] = sin(y)
          a: float64[3], b: float64[3] = if(p, x, w) {
            then(x: float64[3], w: float64[3]) {
              c: float64[3] = add(x, x)
              d: float64[3] = cos(w)
              return c, d
            }
            orelse(x: float64[3], w: float64[3]) { return x, w }
          }
          return a
        }""",
        """graph f(p: ~bool[], x: float64[3], y: float64[3]) {
          a: float64[3] = if(p, x) {
            then(x: float64[3]) { c: float64[3] = add(x, x) return c }
            orelse(x: float64[3]) { return x }
          }
          return a
        }""",
    )


def test_loop_variable_that_only_itself_needs_is_dropped() -> None:
    check(
        prune,
        """graph f(x: float64[3], y: float64[3], n: ~int64[]) {
          zero: ~int64[] = constant[value=0]()
          i: ~int64[], a: float64[3], dead: float64[3]
            = while[carried=3](zero, x, y, n, y) {
            test(i: ~int64[], a: float64[3], d: float64[3], n: ~int64[], y: ?[...]) {
              on: ~bool[] = less(i, n)
              return on
            }
            body(i: ~int64[], a: float64[3], d: float64[3], n: ~int64[], y: ?[...]) {
              one: ~int64[] = constant[value=1]()
              j: ~int64[] = add(i, one)
              b: float64[3] = add(a, a)
              s: float64[3] = sin(y)
              e: float64[3] = add(d, s)
              return j, b, e
            }
          }
          return a
        }""",
        """graph f(x: float64[3], y: float64[3], n: ~int64[]) {
          zero: ~int64[] = constant[value=0]()
          i: ~int64[], a: float64[3] = while[carried=2](zero, x, n) {
            test(i: ~int64[], a: float64[3], n: ~int64[]) {
              on: ~bool[] = less(i, n)
              return on
            }
            body(i: ~int64[], a: float64[3], n: ~int64[]) {
              one: ~int64[] = constant[value=1]()
              j: ~int64[] = add(i, one)
              b: float64[3] = add(a, a)
              return j, b
            }
          }
          return a
        }""",
    )


def test_loop_that_nobody_needs_is_dropped() -> None:
    check(
        prune,
        """graph f(x: float64[3], p: ~bool[]) {
          a: float64[3] = while[carried=1](x, p) {
            test(a: float64[3], p: ~bool[]) { return p }
            body(a: float64[3], p: ~bool[]) { b: float64[3] = sin(a) return b }
          }
          return x
        }""",
        "graph f(x: float64[3], p: ~bool[]) { return x }",
    )


def test_loop_variables_needed_by_a_print_in_a_branch_stay() -> None:
    text = """graph f(x: float64[3], p: ~bool[]) {
      a: float64[3] = while[carried=1](x, p) {
        test(a: float64[3], p: ~bool[]) { return p }
        body(a: float64[3], p: ~bool[]) {
          if(p, a) {
            then(a: float64[3]) { print[args=(Input(0),), kwargs={}](a) return }
            orelse(a: float64[3]) { return }
          }
          b: float64[3] = sin(a)
          return b
        }
      }
      return x
    }"""
    check(prune, text, text)


def _recursion(inputs: str, given: str, again: str) -> str:
    named = ", ".join(f"{one}: float64[3]" for one in inputs)
    plain = ", ".join(inputs)
    return f"""graph f(x: float64[], y: float64[3], z: float64[3]) {{
      a: float64[3] = recursion[function='g', carried=2](x, {given}) {{
        body g(n: float64[], {named}) {{
          p: ~bool[] = truth(n)
          r: float64[3] = if(p, n, {plain}) {{
            then(n: float64[], {named}) {{
              s: float64[3] = call[
                function='g', specs=(spec(float64[3]),)
              ](n, {again})
              return s
            }}
            orelse(n: float64[], {named}) {{ return w }}
          }}
          return r
        }}
      }}
      return a
    }}"""


def test_what_no_level_of_a_recursion_reads_is_not_passed() -> None:
    given, wanted = ("uvw", "y, z, z", "w, v, u"), ("uw", "y, z", "w, u")
    check(prune, _recursion(*given), _recursion(*wanted))
