"""A loop changes the parts of an array that it is given where they lie."""

import numpy as np
import pytest

from runtime.backends.numpy import compile_graph
from runtime.text import parse

LOOP = """graph f(x: complex128[4], n: int64[]) {
  z: int64[] = constant[value=int64(0)]()
  r: float64[4] = real(x)
  i: int64[], y: float64[4] = while[carried=2](z, r, n) {
    test(j: int64[], w: float64[4], m: int64[]) {
      t: bool[] = less(j, m)
      return t
    }
    body(j: int64[], w: float64[4], m: int64[]) {
      o: int64[] = constant[value=int64(1)]()
      k: int64[] = add(j, o)
      s: float64[4] = store[index=(Input(0),)](w, o, j)
      return k, s
    }
  }
  BETWEEN
  b: complex128[4] = with_part[part='real'](x, y)
  return b, c
}"""
# Whether the loop is lent the part, and what the program does between.
PROGRAMS = [
    (True, ""),
    (False, "c: complex128[] = sum(x)"),
    (False, "c: float64[4] = add(r, r)"),
]


@pytest.mark.parametrize(("is_lent", "between"), PROGRAMS)
def test_a_part_that_nobody_else_reads_is_changed_where_it_lies(is_lent, between):
    text = LOOP.replace("BETWEEN", between)
    graph = parse(text if between else text.replace("return b, c", "return b, i"))
    run = compile_graph(graph, donated={0}, ends={0: 0})
    # Without, the array is not yet what Python leaves where the loop raises.
    assert run.in_place.ends == ({(0, 0)} if is_lent else set())
    assert run.source.count("copy_(") == (not is_lent)
    x = np.arange(4) * (1 + 2j)
    with pytest.raises(IndexError):
        run(x.copy(), np.int64(5))
    found, _ = run(x, np.int64(2))
    assert found is x
    assert [*found] == [1, 1 + 2j, 2 + 4j, 3 + 6j]
