"""Where an array lies is asked before its memory has another content."""

from runtime.passes.early import early
from tests.runtime.passes.golden import check


def test_the_place_of_an_array_is_asked_where_it_begins() -> None:
    check(
        early,
        """graph f(x: float64[6], p: ~bool[]) {
          c: ~int64[] = constant[value=1]()
          a: float64[6] = add(x, c)
          b: int64[4], d: float64[6] = if(p, a) {
            then(a: float64[6]) {
              e: float64[6] = negative(a)
              g: int64[4] = own_place(a)
              return g, e
            }
            orelse(a: float64[6]) {
              g: int64[4] = own_place(a)
              return g, a
            }
          }
          h: int64[4] = own_place(x)
          i: int64[4] = own_place(a)
          return b, d, h, i
        }""",
        """graph f(x: float64[6], p: ~bool[]) {
          h: int64[4] = own_place(x)
          c: ~int64[] = constant[value=1]()
          a: float64[6] = add(x, c)
          i: int64[4] = own_place(a)
          b: int64[4], d: float64[6] = if(p, a) {
            then(a: float64[6]) {
              g: int64[4] = own_place(a)
              e: float64[6] = negative(a)
              return g, e
            }
            orelse(a: float64[6]) {
              g: int64[4] = own_place(a)
              return g, a
            }
          }
          return b, d, h, i
        }""",
    )
