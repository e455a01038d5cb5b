"""What may fail in a try is kept, and what its handlers do not ask is dropped."""

import numpy as np

import autograph as ag
from runtime.effects import Guard
from runtime.passes.cse import cse
from runtime.passes.hoist import hoist
from runtime.passes.prune import prune
from tests.runtime.passes.golden import check

NAMES = {"g": Guard(), "E": IndexError}
HEAD = "a: ~int64[], b: object[]"


def test_unused_failing_node_of_a_needed_try_is_kept() -> None:
    text = f"""graph f(x: float64[3], i: int64[]) {{
      {HEAD} = try[guard=@g, catches=((@E,),), cells=()](x, i) {{
        body(x: float64[3], i: int64[]) {{
          checkpoint[guard=@g, cells=()]()
          c: float64[] = slice[index=(Input(0),)](x, i) ? (@g,)
          return
        }}
      }}
      return a
    }}"""
    check(prune, text, text, NAMES)


def test_try_that_nobody_asks_is_dropped_with_what_fails_in_it() -> None:
    check(
        prune,
        f"""graph f(x: float64[3], i: int64[]) {{
          d: float64[] = slice[index=(Input(0),)](x, i)
          {HEAD} = try[guard=@g, catches=((@E,),), cells=()](x, i, d) {{
            body(x: float64[3], i: int64[], d: float64[]) {{
              c: float64[] = slice[index=(Input(0),)](x, i) ? (@g,)
              e: float64[] = slice[index=(Input(0),)](x, d) ? (@g,)
              return
            }}
          }}
          return x
        }}""",
        "graph f(x: float64[3], i: int64[]) { return x }",
        NAMES,
    )


def test_cell_that_no_handler_reads_is_no_longer_kept() -> None:
    specs = "spec(float64[3]), spec(int64[])"
    check(
        prune,
        f"""graph f(x: float64[3], i: int64[]) {{
          {HEAD}, m: float64[3], n: int64[] =
              try[guard=@g, catches=((@E,),), cells=({specs})](x, i) {{
            body(x: float64[3], i: int64[]) {{
              y: float64[3] = add(x, x)
              checkpoint[guard=@g, cells=(0, 1)](y, i)
              c: float64[] = slice[index=(Input(0),)](x, i) ? (@g,)
              return
            }}
          }}
          return a, n
        }}""",
        f"""graph f(x: float64[3], i: int64[]) {{
          {HEAD}, n: int64[] =
              try[guard=@g, catches=((@E,),), cells=(spec(int64[]),)](x, i) {{
            body(x: float64[3], i: int64[]) {{
              checkpoint[guard=@g, cells=(0,)](i)
              c: float64[] = slice[index=(Input(0),)](x, i) ? (@g,)
              return
            }}
          }}
          return a, n
        }}""",
        NAMES,
    )


def test_what_may_fail_in_a_try_is_neither_merged_nor_moved() -> None:
    text = f"""graph f(x: float64[3], i: int64[]) {{
      d: float64[] = slice[index=(Input(0),)](x, i)
      {HEAD}, e: float64[] = try[guard=@g, catches=((@E,),), cells=()](x, i) {{
        body(x: float64[3], i: int64[]) {{
          c: float64[] = slice[index=(Input(0),)](x, i) ? (@g,)
          j: float64[] = slice[index=(Input(0),)](x, i) ? (@g,)
          k: float64[] = add(c, j)
          return k
        }}
      }}
      return d, a, e
    }}"""
    check(cse, text, text, NAMES)
    check(hoist, text, text, NAMES)


def test_what_a_mask_picks_is_no_matter_of_shapes() -> None:
    def emptied(x):
        try:
            x[x > 1] = []
        except ValueError as e:
            return str(e)
        return x

    for size in (4, 2, 1, 0):
        staged = ag.function(emptied)
        found, wanted = (f(np.arange(1.0, size + 1)) for f in (staged, emptied))
        assert np.array_equal(found, wanted), size
