"""What is computed twice is computed once, where nobody can tell."""

import pytest

from runtime.passes.cse import cse, frozen
from runtime.structs import struct
from tests.runtime.passes.golden import FakeVariable, check


def test_repeated_nodes_become_one() -> None:
    check(
        cse,
        """graph f(x: float64[3]) {
          a: float64[3] = sin(x)
          b: float64[3] = sin(x)
          c: float64[3] = add(a, b)
          d: float64[3] = add(b, a)
          e: float64[3] = multiply(c, d)
          return e
        }""",
        """graph f(x: float64[3]) {
          a: float64[3] = sin(x)
          c: float64[3] = add(a, a)
          e: float64[3] = multiply(c, c)
          return e
        }""",
    )


def test_what_is_taken_twice_at_an_index_of_the_run_is_taken_once() -> None:
    check(
        cse,
        """graph f(x: float64[n], i: int64[], j: int64[]) {
          a: float64[] = slice[index=(Input(0),)](x, i)
          b: float64[] = slice[index=(Input(0),)](x, i)
          c: float64[] = slice[index=(Input(0),)](x, j)
          d: float64[] = add(a, b)
          e: float64[] = add(d, c)
          return e
        }""",
        """graph f(x: float64[n], i: int64[], j: int64[]) {
          a: float64[] = slice[index=(Input(0),)](x, i)
          c: float64[] = slice[index=(Input(0),)](x, j)
          d: float64[] = add(a, a)
          e: float64[] = add(d, c)
          return e
        }""",
    )


def test_places_of_inputs_in_another_order_differ() -> None:
    text = """graph f(x: float64[n,n], i: int64[], j: int64[]) {
      a: float64[] = slice[index=(Input(0), Input(1))](x, i, j)
      b: float64[] = slice[index=(Input(1), Input(0))](x, i, j)
      c: float64[] = add(a, b)
      return c
    }"""
    check(cse, text, text)


@pytest.mark.parametrize(
    ("one", "other", "spec"),
    [
        ("1", "True", ("~int64[]", "~bool[]")),
        ("0.0", "-0.0", ("~float64[]", "~float64[]")),
        ("1", "1.0", ("~int64[]", "~float64[]")),
        ("float32(1.0)", "float64(1.0)", ("float32[]", "float64[]")),
    ],
)
def test_attributes_that_only_compare_equal_differ(
    one: str, other: str, spec: tuple[str, str]
) -> None:
    text = f"""graph f() {{
      a: {spec[0]} = constant[value={one}]()
      b: {spec[1]} = constant[value={other}]()
      return a, b
    }}"""
    check(cse, text, text)


def test_captures_of_one_value_are_one() -> None:
    check(
        cse,
        """graph f(p: ~bool[], x: float64[3]) {
          r: float64[3] = if(p, x, x) {
            then(x: float64[3], y: float64[3]) {
              a: float64[3] = sin(x)
              b: float64[3] = sin(y)
              c: float64[3] = add(a, b)
              return c
            }
            orelse(x: float64[3], y: float64[3]) { return y }
          }
          return r
        }""",
        """graph f(p: ~bool[], x: float64[3]) {
          r: float64[3] = if(p, x, x) {
            then(x: float64[3], y: float64[3]) {
              a: float64[3] = sin(x)
              c: float64[3] = add(a, a)
              return c
            }
            orelse(x: float64[3], y: float64[3]) { return x }
          }
          return r
        }""",
    )


def test_two_results_stay_two_arrays() -> None:
    text = """graph f(x: float64[3]) {
      a: float64[3] = sin(x)
      b: float64[3] = sin(x)
      c: float64[3] = slice[index=(slice(None, None, -1),)](b)
      return a, c
    }"""
    check(cse, text, text)


def test_reads_are_one_until_a_write() -> None:
    check(
        cse,
        """graph f(x: float64[3]) {
          a: float64[3] = read_variable[variable=@v]()
          b: float64[3] = read_variable[variable=@v]()
          c: float64[3] = assign_variable[variable=@v](x)
          d: float64[3] = read_variable[variable=@v]()
          e: float64[3] = add(a, b)
          g: float64[3] = add(e, d)
          return g
        }""",
        """graph f(x: float64[3]) {
          a: float64[3] = read_variable[variable=@v]()
          c: float64[3] = assign_variable[variable=@v](x)
          d: float64[3] = read_variable[variable=@v]()
          e: float64[3] = add(a, a)
          g: float64[3] = add(e, d)
          return g
        }""",
        {"v": FakeVariable()},
    )


def test_prints_are_never_merged() -> None:
    text = """graph f(x: float64[3]) {
      print[args=(Input(0),), kwargs={}](x)
      print[args=(Input(0),), kwargs={}](x)
      return x
    }"""
    check(cse, text, text)


def test_other_structs_among_attributes_are_told_by_identity_and_asked_nothing():
    @struct
    class Place:
        k: int

    one, other = Place(1), Place(1)
    made = vars(Place)["__dataclass_fields__"]
    assert frozen(one) == frozen(one)
    assert frozen(one) != frozen(other)
    assert vars(Place)["__dataclass_fields__"] is made
