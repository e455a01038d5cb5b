"""What is done to a reshaped row, and put back into one, is done to the row."""

from runtime.passes.unshape import unshape
from tests.runtime.passes.golden import check

ROW = """graph f(x: float64[6], y: float64[2,3]) {
  c: ~int64[] = constant[value=1]()
  %s
  return e
}"""


def test_numbers_beside_a_reshaped_row_leave_it_a_row() -> None:
    check(
        unshape,
        ROW
        % """a: float64[2,3] = reshape[shape=(2, -1)](x)
        d: float64[2,3] = add(a, c)
        e: float64[6] = reshape[shape=(6,)](d)""",
        ROW
        % """a: float64[2,3] = reshape[shape=(2, -1)](x)
        e: float64[6] = add(x, c)""",
    )


def test_two_reshaped_rows_meet_as_rows() -> None:
    check(
        unshape,
        ROW
        % """a: float64[2,3] = reshape[shape=(2, 3)](x)
        b: float64[6] = negative(x)
        g: float64[2,3] = reshape[shape=(2, 3)](b)
        d: float64[2,3] = multiply(a, g)
        e: float64[6] = ravel(d)""",
        ROW
        % """a: float64[2,3] = reshape[shape=(2, 3)](x)
        b: float64[6] = negative(x)
        g: float64[2,3] = reshape[shape=(2, 3)](b)
        e: float64[6] = multiply(x, b)""",
    )


def test_what_is_used_otherwise_stays() -> None:
    kept = (
        ROW
        % """a: float64[2,3] = reshape[shape=(2, 3)](x)
        d: float64[2,3] = add(a, a)
        g: float64[2,3] = negative(d)
        e: float64[6] = ravel(d)"""
    ).replace("return e", "return e, g")
    check(unshape, kept, kept)


def test_what_is_no_reshaped_row_stays() -> None:
    kept = (
        ROW
        % """a: float64[2,3] = reshape[shape=(2, 3)](x)
        d: float64[2,3] = add(a, y)
        e: float64[6] = ravel(d)"""
    )
    check(unshape, kept, kept)


def test_what_is_put_back_into_a_table_stays() -> None:
    kept = """graph f(x: float64[2,3]) {
      a: float64[6] = ravel(x)
      d: float64[6] = negative(a)
      e: float64[2,3] = reshape[shape=(2, 3)](d)
      return e
    }"""
    check(unshape, kept, kept)


def test_rows_in_shapes_of_the_run_stay() -> None:
    kept = """graph f(x: float64[6], w: float64[6], n: int64[], m: int64[]) {
      a: float64[?,?] = reshape[shape=(Input(0), -1)](x, n)
      b: float64[?,?] = reshape[shape=(Input(0), -1)](w, m)
      d: float64[?,?] = add(a, b)
      e: float64[6] = reshape[shape=(6,)](d)
      return e
    }"""
    check(unshape, kept, kept)


def test_a_number_that_is_made_a_row_stays() -> None:
    kept = """graph f(x: float64[]) {
      c: ~int64[] = constant[value=2]()
      d: float64[] = multiply(x, c)
      e: float64[1] = ravel(d)
      return e
    }"""
    check(unshape, kept, kept)


def test_what_is_done_to_what_was_put_back_stays_as_it_is() -> None:
    check(
        unshape,
        """graph f(x: float64[4]) {
          c: ~int64[] = constant[value=2]()
          a: float64[4] = ravel(x)
          b: float64[4] = multiply(a, c)
          d: float64[4] = reshape[shape=(4,)](b)
          e: float64[4] = negative(d)
          g: float64[4] = ravel(e)
          return g
        }""",
        """graph f(x: float64[4]) {
          c: ~int64[] = constant[value=2]()
          a: float64[4] = ravel(x)
          b: float64[4] = multiply(x, c)
          e: float64[4] = negative(b)
          g: float64[4] = ravel(e)
          return g
        }""",
    )
