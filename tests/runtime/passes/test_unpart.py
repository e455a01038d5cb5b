"""What a loop changes by parts of an array alone, it is given as the parts."""

from runtime.passes.unpart import unpart
from tests.runtime.passes.golden import check

LOOP = """graph f(x: {whole}, n: int64[]) {{
  z: int64[] = constant[value=int64(0)]()
  i: int64[], y: {whole} = while[carried=2](z, x, n) {{
    test(j: int64[], w: {whole}, m: int64[]) {{
      t: bool[] = less(j, m)
      return t
    }}
    body(j: int64[], w: {whole}, m: int64[]) {{
      o: int64[] = constant[value=int64(1)]()
      k: int64[] = add(j, o)
      {turn}
      return k, b
    }}
  }}
  return y
}}"""


def test_a_loop_is_given_the_real_parts():
    turn = """r: float64[4] = real(w)
      s: float64[4] = store[index=(Input(0),)](r, o, j)
      b: complex128[4] = with_part[part='real'](w, s)"""
    after = """graph f(x: complex128[4], n: int64[]) {
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
  b: complex128[4] = with_part[part='real'](x, y)
  return b
}"""
    check(unpart, LOOP.format(whole="complex128[4]", turn=turn), after)


def test_what_is_only_read_is_a_capture():
    turn = """r: float64[4] = real(w)
      q: float64[4] = imag(w)
      e: float64[] = slice[index=(Input(0),)](q, j)
      s: float64[4] = store[index=(Input(0),)](r, e, j)
      b: complex128[4] = with_part[part='real'](w, s)"""
    after = """graph f(x: complex128[4], n: int64[]) {
  z: int64[] = constant[value=int64(0)]()
  r: float64[4] = real(x)
  q: float64[4] = imag(x)
  i: int64[], y: float64[4] = while[carried=2](z, r, n, q) {
    test(j: int64[], w: float64[4], m: int64[], p: float64[4]) {
      t: bool[] = less(j, m)
      return t
    }
    body(j: int64[], w: float64[4], m: int64[], p: float64[4]) {
      o: int64[] = constant[value=int64(1)]()
      k: int64[] = add(j, o)
      e: float64[] = slice[index=(Input(0),)](p, j)
      s: float64[4] = store[index=(Input(0),)](w, e, j)
      return k, s
    }
  }
  b: complex128[4] = with_part[part='real'](x, y)
  return b
}"""
    check(unpart, LOOP.format(whole="complex128[4]", turn=turn), after)


def test_another_array_that_is_put_there_is_stored():
    turn = """q: float64[4] = imag(w)
      e: float64[4] = multiply(q, q)
      r: float64[4] = real(w)
      b: complex128[4] = with_part[part='real'](w, e)"""
    after = """graph f(x: complex128[4], n: int64[]) {
  z: int64[] = constant[value=int64(0)]()
  q: float64[4] = imag(x)
  r: float64[4] = real(x)
  i: int64[], y: float64[4] = while[carried=2](z, r, n, q) {
    test(j: int64[], w: float64[4], m: int64[], p: float64[4]) {
      t: bool[] = less(j, m)
      return t
    }
    body(j: int64[], w: float64[4], m: int64[], p: float64[4]) {
      o: int64[] = constant[value=int64(1)]()
      k: int64[] = add(j, o)
      e: float64[4] = multiply(p, p)
      s: float64[4] = store[index=(...,)](w, e)
      return k, s
    }
  }
  b: complex128[4] = with_part[part='real'](x, y)
  return b
}"""
    check(unpart, LOOP.format(whole="complex128[4]", turn=turn), after)


def _stays(whole, turn):
    program = LOOP.format(whole=whole, turn=turn)
    check(unpart, program, program)


def test_a_loop_that_reads_the_array_itself_stays():
    _stays(
        "complex128[4]",
        """r: float64[4] = real(w)
      e: complex128[] = slice[index=(Input(0),)](w, j)
      q: float64[] = real(e)
      s: float64[4] = store[index=(Input(0),)](r, q, j)
      b: complex128[4] = with_part[part='real'](w, s)""",
    )


def test_parts_that_meet_stay():
    _stays(
        "float64[3,2]",
        """r: float64[2,2] = slice[index=(slice(1, None, None),)](w)
      v: float64[2,2] = transpose[axes=None](r)
      s: float64[2,2] = store[index=(Input(0),)](v, o, j)
      p: float64[2,2] = transpose[axes=None](s)
      c: float64[3,2] = store[index=(slice(1, None, None),)](w, p)
      q: float64[2,2] = slice[index=(slice(None, 2, None),)](c)
      g: float64[2,2] = transpose[axes=None](q)
      h: float64[2,2] = store[index=(Input(0),)](g, o, j)
      l: float64[2,2] = transpose[axes=None](h)
      b: float64[3,2] = store[index=(slice(None, 2, None),)](c, l)""",
    )


def test_parts_by_slices_alone_stay():
    _stays(
        "float64[3]",
        """r: float64[2] = slice[index=(slice(1, None, None),)](w)
      s: float64[2] = store[index=(Input(0),)](r, o, j)
      b: float64[3] = store[index=(slice(1, None, None),)](w, s)""",
    )


def test_an_index_that_turns_change_stays():
    _stays(
        "float64[3,2]",
        """r: float64[?,2] = slice[index=(slice(Input(0), None, None),)](w, j)
      v: float64[2,?] = transpose[axes=None](r)
      s: float64[2,?] = store[index=(0,)](v, o)
      p: float64[?,2] = transpose[axes=None](s)
      b: float64[3,2] = store[index=(slice(Input(0), None, None),)](w, p, j)""",
    )


def test_a_part_that_a_turn_leaves_beside_the_array_stays():
    program = """graph f(x: complex128[4], q: float64[2], n: int64[]) {
  i: int64[], y: complex128[4], p: float64[2] = while[carried=3](n, x, q) {
    test(j: int64[], w: complex128[4], u: float64[2]) {
      o: int64[] = constant[value=int64(0)]()
      t: bool[] = greater(j, o)
      return t
    }
    body(j: int64[], w: complex128[4], u: float64[2]) {
      l: int64[] = constant[value=int64(1)]()
      k: int64[] = subtract(j, l)
      r: float64[4] = real(w)
      s: float64[4] = store[index=(Input(0),)](r, l, k)
      v: float64[2] = slice[index=(slice(2, None, None),)](s)
      b: complex128[4] = with_part[part='real'](w, s)
      return k, b, v
    }
  }
  return y, p
}"""
    check(unpart, program, program)
