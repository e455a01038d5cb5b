"""What a loop or a branch changes through a view alone, it is given as the view."""

import numpy as np
import pytest

import autograph as ag
from runtime.passes.unview import unview
from tests.runtime.passes.golden import check

LOOP = """graph f(x: float64[2,3], n: int64[]) {
  %s
}"""
TURN = """z: int64[] = constant[value=int64(0)]()
  i: int64[], y: float64[2,3] = while[carried=2](z, x, n) {
    test(j: int64[], w: float64[2,3], m: int64[]) {
      t: bool[] = less(j, m)
      return t
    }
    body(j: int64[], w: float64[2,3], m: int64[]) {
      o: int64[] = constant[value=int64(1)]()
      k: int64[] = add(j, o)
      %s
      return k, b
    }
  }
  return y"""
VIEWED = """z: int64[] = constant[value=int64(0)]()
  v: {kind} = {view}(x)
  i: int64[], u: {kind} = while[carried=2](z, v, n) {{
    test(j: int64[], w: {kind}, m: int64[]) {{
      t: bool[] = less(j, m)
      return t
    }}
    body(j: int64[], w: {kind}, m: int64[]) {{
      {first}o: int64[] = constant[value=int64(1)]()
      k: int64[] = add(j, o)
      {turn}
      return k, s
    }}
  }}
  y: float64[2,3] = {back}(u)
  return y"""
ROW = {"kind": "float64[6]", "view": "ravel", "back": "reshape[shape=(2, 3)]"}
TURNED = {"kind": "float64[3,2]"} | dict.fromkeys(
    ("view", "back"), "transpose[axes=None]"
)
STORE = "s: float64[6] = store[index=(Input(0),)](%s, j, j)"


def _changes(before: str, after: str) -> None:
    check(unview, LOOP % before, LOOP % after)


def test_a_loop_that_changes_a_row_of_an_array_carries_the_row() -> None:
    body = f"""v: float64[6] = ravel(w)
      {STORE % "v"}
      b: float64[2,3] = reshape[shape=(2, 3)](s)"""
    _changes(TURN % body, VIEWED.format(**ROW, first="", turn=STORE % "w"))


def test_who_reads_the_array_takes_it_of_the_view() -> None:
    body = """v: float64[3,2] = transpose[axes=None](w)
      e: float64[] = slice[index=(0, 0)](w)
      s: float64[3,2] = store[index=(Input(0), 1)](v, e, j)
      b: float64[2,3] = transpose[axes=None](s)"""
    turn = """e: float64[] = slice[index=(0, 0)](q)
      s: float64[3,2] = store[index=(Input(0), 1)](w, e, j)"""
    first = "q: float64[2,3] = transpose[axes=None](w)\n      "
    _changes(TURN % body, VIEWED.format(**TURNED, first=first, turn=turn))


def test_two_changes_in_a_turn_are_of_one_view() -> None:
    body = f"""v: float64[6] = ravel(w)
      {STORE % "v"}
      c: float64[2,3] = reshape[shape=(2, 3)](s)
      d: float64[6] = ravel(c)
      g: float64[6] = store[index=(0,)](d, j)
      b: float64[2,3] = reshape[shape=(2, 3)](g)"""
    turn = f"""{STORE.replace("s:", "a:") % "w"}
      c: float64[2,3] = reshape[shape=(2, 3)](a)
      s: float64[6] = store[index=(0,)](a, j)"""
    _changes(TURN % body, VIEWED.format(**ROW, first="", turn=turn))


def test_a_branch_that_may_change_nothing_is_given_the_view() -> None:
    before = """t: bool[] = less(n, n)
  y: float64[2,3] = if(t, x, n) {
    then(w: float64[2,3], j: int64[]) {
      v: float64[6] = ravel(w)
      s: float64[6] = store[index=(Input(0),)](v, j, j)
      b: float64[2,3] = reshape[shape=(2, 3)](s)
      return b
    }
    orelse(w: float64[2,3], j: int64[]) {
      return w
    }
  }
  return y"""
    after = """t: bool[] = less(n, n)
  v: float64[6] = ravel(x)
  u: float64[6] = if(t, v, n) {
    then(w: float64[6], j: int64[]) {
      s: float64[6] = store[index=(Input(0),)](w, j, j)
      return s
    }
    orelse(w: float64[6], j: int64[]) {
      return w
    }
  }
  y: float64[2,3] = reshape[shape=(2, 3)](u)
  return y"""
    _changes(before, after)


def test_branches_that_change_it_by_different_views_stay() -> None:
    kept = """t: bool[] = less(n, n)
  y: float64[3,3] = if(t, q, n) {
    then(w: float64[3,3], j: int64[]) {
      v: float64[3,3] = transpose[axes=None](w)
      s: float64[3,3] = store[index=(Input(0), 0)](v, j, j)
      b: float64[3,3] = transpose[axes=None](s)
      return b
    }
    orelse(w: float64[3,3], j: int64[]) {
      v: float64[3,3] = flip[axis=0](w)
      s: float64[3,3] = store[index=(Input(0), 0)](v, j, j)
      b: float64[3,3] = flip[axis=0](s)
      return b
    }
  }
  return y"""
    head = "q: float64[3,3] = zeros[shape=(3, 3), dtype=dtype(float64)]()\n  "
    _changes(head + kept, head + kept)


def _of_any_sizes(text: str) -> str:
    return text.replace("float64[2,3]", "float64[?,?]").replace(
        "float64[6]", "float64[?]"
    )


LIKE = """v: float64[6] = ravel(w)
      {}{}
      b: float64[2,3] = reshape_like(s, w)"""


def test_of_sizes_of_the_run_the_array_itself_is_asked() -> None:
    body = LIKE.format("", STORE % "v")
    after = VIEWED.format(**ROW | {"back": "reshape_like"}, first="", turn=STORE % "w")
    after = after.replace("reshape_like(u)", "reshape_like(u, x)")
    before = LOOP % (TURN % body)
    check(unview, _of_any_sizes(before), _of_any_sizes(LOOP % after))


def test_of_sizes_of_the_run_what_is_read_besides_stays() -> None:
    read = "e: float64[] = slice[index=(0, 0)](w)\n      "
    kept = LIKE.format(read, (STORE % "v").replace("v, j, j", "v, e, j"))
    text = _of_any_sizes(LOOP % (TURN % kept))
    check(unview, text, text)


def test_sizes_that_are_the_arrays_by_chance_are_not_enough() -> None:
    body = f"""v: float64[6] = ravel(w)
      {STORE % "v"}
      b: float64[?,?] = reshape[shape=(13, 17)](s)"""
    text = _of_any_sizes(LOOP % (TURN % body)).replace(
        "b: float64[?,?]", "b: float64[13,17]"
    )
    check(unview, text, text)


def test_two_views_that_are_given_stay_two() -> None:
    kept = """v: float64[6] = ravel(x)
  u: float64[6] = ravel(x)
  return v, u"""
    _changes(kept, kept)


@pytest.mark.parametrize(
    "body",
    [
        # Put back the other way round.
        """v: float64[3,2] = transpose[axes=None](w)
      s: float64[3,2] = store[index=(Input(0), 1)](v, j, j)
      b: float64[2,3] = reshape[shape=(2, 3)](s)""",
        # It turns round in each turn.
        "b: float64[2,3] = flip[axis=0](w)",
        # The array is changed, too.
        """q: float64[2,3] = store[index=(0, 0)](w, j)
      v: float64[6] = ravel(q)
      s: float64[6] = store[index=(0,)](v, j)
      b: float64[2,3] = reshape[shape=(2, 3)](s)""",
    ],
)
def test_what_is_no_such_change_stays(body: str) -> None:
    _changes(TURN % body, TURN % body)


def _turned(x: np.ndarray, n: int) -> np.ndarray:
    v = x.T
    for i in range(n):
        for j in range(len(x)):
            if v[i, j] > 0:
                v[i, j] = v[i, j] * 2 + x[j, 0]
    return x


def _in_a_row(x: np.ndarray, n: int) -> np.ndarray:
    v = x.reshape(-1)
    for i in range(n):
        v[i] = v[i - 1] + 1
        x.flat[i] += 2
    return v


def _both_ways(x: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    v = x.ravel()
    i = 0
    while i < n:
        v[i] += 1
        x[0, 0] -= v[i]
        i += 1
    return x, v


@pytest.mark.parametrize("program", [_turned, _in_a_row, _both_ways])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("turns", [0, 3])
def test_what_is_changed_and_given_is_as_python_has_it(
    program: object, order: str, turns: int
) -> None:
    assert callable(program)
    given = np.arange(12.0).reshape(3, 4).copy(order)
    own, other = given.copy("K"), given.copy("K")
    wanted, found = program(own, turns), ag.function(program)(other, turns)
    np.testing.assert_array_equal(other, own)
    np.testing.assert_equal(found, wanted)
    both = (wanted, found) if program is _both_ways else ((wanted,), (found,))
    for one, two in zip(*both, strict=True):
        assert two.strides == one.strides
        assert np.shares_memory(two, other) == np.shares_memory(one, own)
