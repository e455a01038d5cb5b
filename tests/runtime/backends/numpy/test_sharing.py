"""Stores run in place exactly where nobody can tell."""

from typing import Any

import numpy as np
import pytest

from runtime.backends.numpy import compile_graph
from runtime.text import parse
from tests.runtime.programs import evaluate


def run(text: str, *arguments: Any, copies: int, donated: Any = ()) -> tuple[Any, ...]:
    """What the graph gives, as its kernels do; `copies` are in its text."""
    graph = parse(text)
    function = compile_graph(graph, donated=donated)
    assert function.source.count("copy_(") == copies, function.source
    wanted = evaluate(graph, *(np.array(a)[()] for a in arguments))
    given = [np.array(argument)[()] for argument in arguments]
    found = function(*given)
    for a, b in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(a, b)
    for position, (before, after) in enumerate(zip(arguments, given, strict=True)):
        if position not in donated:
            np.testing.assert_array_equal(before, after)
    return found


X = np.arange(4.0)


def test_store_into_an_argument_copies_it() -> None:
    run(
        """graph f(x: float64[n]) {
          v: ~float64[] = constant[value=9.0]()
          y: float64[n] = store[index=(0,)](x, v)
          return y
        }""",
        X,
        copies=1,
    )


def test_store_into_a_donated_argument_writes_it() -> None:
    (found,) = run(
        """graph f(x: float64[n]) {
          v: ~float64[] = constant[value=9.0]()
          y: float64[n] = store[index=(0,)](x, v)
          return y
        }""",
        X,
        copies=0,
        donated={0},
    )
    assert found[0] == 9


def test_chain_of_stores_copies_once() -> None:
    run(
        """graph f(x: float64[n]) {
          v: ~float64[] = constant[value=9.0]()
          a: float64[n] = store[index=(0,)](x, v)
          b: float64[n] = store[index=(1,)](a, v)
          c: float64[n] = store[index=(2,)](b, v)
          return c
        }""",
        X,
        copies=1,
    )


def test_view_read_after_a_store_keeps_the_old_content() -> None:
    found = run(
        """graph f(x: float64[n]) {
          v: ~float64[] = constant[value=9.0]()
          a: float64[n] = add(x, x)
          old: float64[?] = slice[index=(slice(1, None, None),)](a)
          b: float64[n] = store[index=(1,)](a, v)
          c: float64[n] = store[index=(2,)](b, v)
          return c, old
        }""",
        X,
        copies=1,
    )
    assert list(found[1]) == [2, 4, 6]


def test_element_is_no_view() -> None:
    """A swap of two elements needs no copy, though `t` outlives the first store."""
    run(
        """graph f(x: float64[n]) {
          a: float64[n] = add(x, x)
          t: float64[] = slice[index=(0,)](a)
          u: float64[] = slice[index=(1,)](a)
          b: float64[n] = store[index=(0,)](a, u)
          c: float64[n] = store[index=(1,)](b, t)
          return c
        }""",
        X,
        copies=0,
    )


def test_loop_copies_its_array_once_before_it() -> None:
    text = """graph f(x: float64[n], count: ~int64[]) {
      zero: ~int64[] = constant[value=0]()
      i: ~int64[], y: float64[n] = while[carried=2](zero, x, count) {
        test(i: ~int64[], y: float64[n], count: ~int64[]) {
          on: ~bool[] = less(i, count)
          return on
        }
        body(i: ~int64[], y: float64[n], count: ~int64[]) {
          one: ~int64[] = constant[value=1]()
          e: float64[] = slice[index=(Input(0),)](y, i)
          d: float64[] = add(e, e)
          z: float64[n] = store[index=(Input(0),)](y, d, i)
          j: ~int64[] = add(i, one)
          return j, z
        }
      }
      return y
    }"""
    run(text, X, 4, copies=1)
    before_loop, _ = compile_graph(parse(text)).source.split("while")
    assert "copy_(" in before_loop


def test_loop_writes_a_fresh_array_without_a_copy() -> None:
    run(
        """graph f(x: float64[n], count: ~int64[]) {
          zero: ~int64[] = constant[value=0]()
          fresh: float64[n] = add(x, x)
          i: ~int64[], y: float64[n] = while[carried=2](zero, fresh, count) {
            test(i: ~int64[], y: float64[n], count: ~int64[]) {
              on: ~bool[] = less(i, count)
              return on
            }
            body(i: ~int64[], y: float64[n], count: ~int64[]) {
              one: ~int64[] = constant[value=1]()
              big: ~int64[] = constant[value=2]()
              early: ~bool[] = less(i, big)
              z: float64[n] = if(early, y, i) {
                then(y: float64[n], i: ~int64[]) {
                  v: ~float64[] = constant[value=7.0]()
                  z: float64[n] = store[index=(Input(0),)](y, v, i)
                  return z
                }
                orelse(y: float64[n], i: ~int64[]) { return y }
              }
              j: ~int64[] = add(i, one)
              return j, z
            }
          }
          return y
        }""",
        X,
        4,
        copies=0,
    )


def test_previous_turn_is_kept_when_it_is_read() -> None:
    """y and its previous content are two arrays: the store copies in each turn."""
    run(
        """graph f(x: float64[n], count: ~int64[]) {
          zero: ~int64[] = constant[value=0]()
          i: ~int64[], y: float64[n], last: float64[n]
            = while[carried=3](zero, x, x, count) {
            test(i: ~int64[], y: float64[n], last: float64[n], count: ~int64[]) {
              on: ~bool[] = less(i, count)
              return on
            }
            body(i: ~int64[], y: float64[n], last: float64[n], count: ~int64[]) {
              one: ~int64[] = constant[value=1]()
              s: float64[n] = add(y, last)
              e: float64[] = slice[index=(Input(0),)](s, i)
              z: float64[n] = store[index=(Input(0),)](y, e, i)
              j: ~int64[] = add(i, one)
              return j, z, y
            }
          }
          return y, last
        }""",
        X,
        4,
        copies=1,
    )


SWAP = """graph f(x: float64[n], w: float64[n], count: ~int64[]) {
  zero: ~int64[] = constant[value=0]()
  p: float64[n] = add(x, w)
  q: float64[n] = add(w, w)
  i: ~int64[], a: float64[n], b: float64[n] = while[carried=3](zero, p, q, count) {
    test(i: ~int64[], a: float64[n], b: float64[n], count: ~int64[]) {
      on: ~bool[] = less(i, count)
      return on
    }
    body(i: ~int64[], a: float64[n], b: float64[n], count: ~int64[]) {
      one: ~int64[] = constant[value=1]()
      v: ~float64[] = constant[value=-1.0]()
      c: float64[n] = store[index=(Input(0),)](a, v, i)
      j: ~int64[] = add(i, one)
      return j, b, c
    }
  }
  RETURN
}"""


@pytest.mark.parametrize(
    ("returned", "copies"), [("return a, b", 0), ("return a, b, q", 1)]
)
def test_swapped_arrays_are_each_written(returned: str, copies: int) -> None:
    """Only `a` is written, but what is `b` in one turn is `a` in the next."""
    run(SWAP.replace("RETURN", returned), X, X + 1, 3, copies=copies)


def test_result_that_may_be_a_shared_first_value_is_copied() -> None:
    """After a swapping loop that writes nothing, `a` may be `q`, which is returned."""
    text = SWAP.replace("store[index=(Input(0),)](a, v, i)", "identity(a)")
    after = """v: ~float64[] = constant[value=-5.0]()
      d: float64[n] = store[index=(0,)](a, v)
      return d, q"""
    run(text.replace("RETURN", after), X, X + 1, 3, copies=1)


def test_view_that_only_the_other_branch_reads_counts_there() -> None:
    text = """graph f(x: float64[n], c: ~bool[]) {
      a: float64[n] = add(x, x)
      old: float64[n] = slice[index=(slice(None, None, None),)](a)
      r: float64[n] = if(c, a, old) {
        then(a: float64[n], old: float64[n]) {
          v: ~float64[] = constant[value=9.0]()
          b: float64[n] = store[index=(0,)](a, v)
          return b
        }
        orelse(a: float64[n], old: float64[n]) {
          v: ~float64[] = constant[value=9.0]()
          b: float64[n] = store[index=(0,)](a, v)
          s: float64[n] = add(b, old)
          return s
        }
      }
      return r
    }"""
    run(text, X + 1, True, copies=1)
    run(text, X + 1, False, copies=1)


@pytest.mark.parametrize(
    "view",
    [
        "broadcast_to[shape=(2, 4)](x)",
        "diagonal(x)",
        "einsum[subscripts='ij->ji'](x)",
        "diag(x)",
        "round[decimals=0](x)",
    ],
)
def test_store_into_what_may_be_a_strange_view_copies(view: str) -> None:
    shape = "4" if view.startswith("broadcast") else "4,4"
    x = np.arange(4) if shape == "4" else np.arange(16).reshape(4, 4)
    run(
        f"""graph f(x: int64[{shape}]) {{
          v: ~int64[] = constant[value=99]()
          y: int64[...] = {view}
          z: int64[...] = copy(y)
          r: int64[4] = reshape[shape=(-1,)](y)
          w: int64[4] = store[index=(1,)](r, v)
          return w, z
        }}""",
        x,
        copies=2,
    )


def test_constant_array_is_never_changed_by_the_caller() -> None:
    text = """graph f() {
      a: float64[2] = constant[value=array([1.0, 2.0], float64)]()
      return a
    }"""
    function = compile_graph(parse(text))
    function()[0][:] = 7
    np.testing.assert_array_equal(function()[0], [1, 2])


def test_shared_array_is_read_at_each_call_and_not_written() -> None:
    array = np.zeros(2)
    text = """graph f() {
      a: float64[2] = constant[value=@array, shared=True]()
      v: ~float64[] = constant[value=5.0]()
      b: float64[2] = store[index=(0,)](a, v)
      return b
    }"""
    function = compile_graph(parse(text, {"array": array}))
    function()
    array[1] = 3
    np.testing.assert_array_equal(function()[0], [5, 3])
    np.testing.assert_array_equal(array, [0, 3])


@pytest.mark.parametrize("outputs", ["e", "e, g"])
def test_what_is_stored_into_all_of_its_own_array_is_not_let_go(outputs: str) -> None:
    run(
        f"""graph f(a: float64[n], v: float64[]) {{
          c: float64[n] = add(a, a)
          e: float64[n] = store[index=(0,)](c, v)
          f: float64[n] = store[index=(slice(None, None, None),)](c, e)
          g: float64[n] = add(f, f)
          h: float64[n] = subtract(e, v)
          return {outputs}
        }}""",
        X,
        np.float64(9),
        copies=0,
    )
