"""What is the same in every turn leaves the loop, if it does no harm there."""

from runtime.passes.hoist import hoist
from tests.runtime.passes.golden import check

LOOP = """graph f(x: float64[3], p: ~bool[], n: ~int64[]) {{
  start: ~int64[] = constant[value={start}]()
  {outer}
  i: ~int64[], r: float64[3] = while[carried=2](start, x, x, n{brought}) {{
    test(i: ~int64[], y: float64[3], x: float64[3], n: ~int64[]{inputs}) {{
      three: ~int64[] = constant[value=3]()
      on: ~bool[] = less(i, three)
      return on
    }}
    body(i: ~int64[], y: float64[3], x: float64[3], n: ~int64[]{inputs}) {{
      one: ~int64[] = constant[value=1]()
      j: ~int64[] = add(i, one)
      {inner}
      z: float64[3] = multiply(y, s)
      return j, z
    }}
  }}
  return r
}}"""


def loop(start: int, outer: str, inner: str, brought: str = "", spec: str = "") -> str:
    inputs = f", {brought}: {spec}" if brought else ""
    return LOOP.format(
        start=start,
        outer=outer,
        inner=inner,
        brought=f", {brought}" if brought else "",
        inputs=inputs,
    )


def test_invariant_is_hoisted_from_a_loop_that_turns() -> None:
    line = "s: float64[3] = exp(x)"
    check(hoist, loop(0, "", line), loop(0, line, "", "s", "float64[3]"))


def test_node_that_may_warn_stays_in_a_loop_that_may_not_turn() -> None:
    text = loop(0, "", "s: float64[3] = exp(x)").replace("less(i, three)", "less(i, n)")
    check(hoist, text, text)


def test_node_that_may_fail_stays_in_the_loop() -> None:
    text = loop(0, "", "s: float64[] = slice[index=(7,)](x)")
    check(hoist, text, text)


def test_silent_node_is_hoisted_from_any_loop() -> None:
    line = "s: bool[3] = isnan(x)"
    before = loop(0, "", line).replace("less(i, three)", "less(i, n)")
    after = loop(0, line, "", "s", "bool[3]").replace("less(i, three)", "less(i, n)")
    check(hoist, before, after)


def test_the_place_of_an_array_is_asked_before_the_loop() -> None:
    line = "w: int64[4] = own_place(x)  s: int64[2] = sliced_place[index=(0,)](w)"
    before = loop(0, "", line + " u: float64[] = part_at[shape=()](x, s)")
    hoisted, left = line.split("  ")
    after = loop(
        0,
        hoisted,
        left + " u: float64[] = part_at[shape=()](x, s)",
        "w",
        "int64[4]",
    )
    check(hoist, before.replace("(y, s)", "(y, u)"), after.replace("(y, s)", "(y, u)"))


def test_list_made_of_invariants_is_hoisted_from_any_loop() -> None:
    made = "l: list[float64[3]] = list_of[item=spec(float64[3])](x)"
    read = "s: float64[3] = list_get[index=(0,)](l)"
    before = loop(0, "", f"{made}\n      {read}").replace("three)", "n)")
    after = loop(0, made, read, "l", "list[float64[3]]").replace("three)", "n)")
    check(hoist, before, after)


def test_reshape_of_known_sizes_is_hoisted_from_any_loop() -> None:
    line = "s: float64[3,1] = reshape[shape=(3, 1)](x)"
    text = loop(0, "", line).replace("less(i, three)", "less(i, n)")
    text = text.replace("z: float64[3] = multiply(y, s)", "z: float64[3] = exp(y)")
    after = loop(0, line, "", "s", "float64[3,1]").replace(
        "less(i, three)", "less(i, n)"
    )
    after = after.replace("z: float64[3] = multiply(y, s)", "z: float64[3] = exp(y)")
    check(hoist, text, after)


def test_reshape_to_sizes_of_the_run_stays_in_the_loop() -> None:
    line = "s: float64[?] = reshape[shape=(Input(0),)](x, n)"
    text = loop(0, "", line).replace("multiply(y, s)", "exp(y)")
    check(hoist, text, text)
