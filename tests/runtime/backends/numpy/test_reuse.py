"""The text of programs whose ufuncs write into memory that nobody reads any more."""

import re
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from runtime.backends.numpy import compile_graph
from runtime.backends.numpy.timed import Timed
from runtime.config import config
from runtime.graph import STORED, Graph
from runtime.text import parse


def lines(text: str, ends: Mapping[int, int] | None = None) -> list[str]:
    with config(backend="numpy"):
        run = compile_graph(parse(text), donated=ends or (), ends=ends or {})
    return [line.strip() for line in run.source.splitlines()[1:]]


STEP = """graph f(x: float64[4], y: float64[4]) {
  a: float64[4] = multiply(x, y)
  b: float64[4] = add(a, y)
  c: float64[4] = subtract(x, b)
  d: float64[4] = sqrt(c)
  return d
}"""


def test_a_value_is_made_in_an_operand_that_nobody_reads() -> None:
    assert lines(STEP) == [
        "v3 = v1 * v2",
        "v3 += v2",
        "subtract_into_(v1, v3, out=v3)",
        "sqrt_into_(v3, out=v3)",
        "return (v3, )",
    ]


def test_an_operand_of_another_dtype_or_size_is_left_alone() -> None:
    made = lines("""graph f(x: float32[4], y: float64[2,4]) {
      a: float32[4] = add(x, x)
      b: float64[2,4] = add(a, y)
      c: bool[2,4] = greater(b, y)
      return c
    }""")
    assert made[0] == "v3 = v1 + v1"
    assert made[1] == "v4 = v3 + v2"
    assert made[3] == "v5 = v4 > v2"


def test_an_operand_of_a_dtype_that_the_run_tells_is_left_alone() -> None:
    made = lines("""graph f(x: float32|float64[4], y: float32|float64[4]) {
      a: float32|float64[4] = multiply(x, x)
      b: float32|float64[4] = add(a, y)
      return b
    }""")
    assert made[:2] == ["v3 = v1 * v1", "v4 = v3 + v2"]


def test_sizes_of_the_run_are_left_to_numpy_but_beside_a_number() -> None:
    made = lines("""graph f(x: float64[?], y: float64[?], z: float64[]) {
      a: float64[?] = multiply(x, z)
      b: float64[?] = add(a, z)
      c: float64[?] = add(b, y)
      return c
    }""")
    assert made[1] == "v4 += v3"
    assert made[2] == "v5 = v4 + v2"


CHANGED = """graph f(x: float64[4], y: float64[4]) {
  a: float64[4] = multiply(x, y)
  b: float64[4] = add(x, a)
  return b
}"""


# Where it does not lie in C order the result may lie in another one than it.
PLACED = "v1 = add_into_(v1, v3, out=v1 if v1.flags.c_contiguous else None)"


def test_an_argument_is_changed_where_it_lies() -> None:
    assert lines(CHANGED, {0: 0}) == [
        "v3 = v1 * v2",
        PLACED,
        "v3 = None",
        "return (v1, )",
    ]
    assert PLACED not in lines(CHANGED)


def test_what_two_outputs_are_is_not_made_in_an_argument() -> None:
    twice = CHANGED.replace("return b", "return b, b")
    assert PLACED not in lines(twice, {0: 0})


def test_what_another_argument_gets_is_not_made_there() -> None:
    text = CHANGED.replace("return b", "c: float64[4] = sin(y) return c, b")
    assert PLACED not in lines(text, {0: 0, 1: 1})
    x, y = np.ones(4), np.full(4, 2.0)
    sines, total = compile_graph(parse(text), {0, 1}, {0: 0, 1: 1})(x, y.copy())
    np.testing.assert_array_equal(sines, np.sin(y))
    np.testing.assert_array_equal(total, x * y + x)


PART = """graph f(x: float64[4], y: float64[3]) {
  a: float64[3] = slice[index=(slice(1, None, None),)](x)
  b: float64[3] = add(a, y)
  c: float64[4] = store[index=(slice(1, None, None),)](x, b)
  return c
}"""


def test_a_part_is_changed_where_it_lies_and_not_stored_once_more() -> None:
    with config(backend="numpy"):
        run = compile_graph(parse(PART), donated={0})
    assert [line.strip() for line in run.source.splitlines()[1:]] == [
        "v3 = v1[1:]",
        "v3 += v2",
        "v3 = None",
        "return (v1, )",
    ]
    assert run.in_place.ends == {(0, 0)}


def test_a_part_of_an_array_that_is_not_to_be_changed_is_copied() -> None:
    x = np.arange(4.0)
    (made,) = compile_graph(parse(PART))(x, np.ones(3))
    assert x.tolist() == [0, 1, 2, 3]
    assert made.tolist() == [0, 2, 3, 4]
    other = PART.replace("slice(1, None, None),)](x, b)", "slice(0, 3, None),)](x, b)")
    (made,) = compile_graph(parse(other), donated={0})(x, np.ones(3))
    assert made.tolist() == [2, 3, 4, 3]


def test_a_timed_program_is_the_same() -> None:
    timed = Timed(parse(CHANGED), {0}, {0: 0})
    x = np.ones(4)
    (made,) = timed(x, np.ones(4))
    assert made is x


GIVEN = """graph f(x: float64[4], y: float64[4]) {
  a: float64[4] = sqrt(x)
  b: float64[4] = store[index=(...,)](y, a)
  return b
}"""


def as_python_writes(text: str, op: str) -> Graph:
    """The graph, whose node of `op` gives its result to what is stored next."""
    graph = parse(text)
    nodes = [
        replace(node, into=STORED) if node.op.name == op else node
        for node in graph.nodes
    ]
    return replace(graph, nodes=tuple(nodes))


def test_what_is_given_to_an_array_is_written_there() -> None:
    run = compile_graph(as_python_writes(GIVEN, "sqrt"), {1}, {1: 0})
    assert "sqrt_into_(v1, out=v2)" in run.source
    assert run.in_place.ends == {(1, 0)}


def test_what_is_stored_by_the_program_is_computed_before() -> None:
    run = compile_graph(parse(GIVEN), {1}, {1: 0})
    assert "out=" not in run.source
    assert "v2[...] = " in run.source


def test_what_is_given_to_an_array_that_is_read_again_is_made_beside_it() -> None:
    text = GIVEN.replace("return b", "c: float64[4] = sin(y) return b, c")
    x, y = np.ones(4), np.full(4, 2.0)
    run = compile_graph(as_python_writes(text, "sqrt"), {1}, {1: 0})
    roots, sines = run(x, y)
    assert "out=v2" not in run.source
    np.testing.assert_array_equal(roots, np.sqrt(x))
    np.testing.assert_array_equal(sines, np.sin(np.full(4, 2.0)))


PART_GIVEN = """graph f(x: float64[4], y: float64[4]) {
  a: float64[3] = slice[index=(slice(1, None, None),)](x)
  b: float64[3] = cumsum(a)
  c: float64[4] = store[index=(slice(0, 3, None),)](y, b)
  return c
}"""


def test_what_is_given_to_a_part_is_written_there() -> None:
    graph = as_python_writes(PART_GIVEN, "cumsum")
    # As Python runs them where there is no machine code of these steps, too.
    for backend in ("numpy", "auto"):
        with config(backend=backend):
            source = compile_graph(graph, {1}, {1: 0}).source
        assert re.search(r"cumsum_into_\(v\d, out=v2\[0:3\]\)", source), backend
    same = as_python_writes(
        PART_GIVEN.replace(
            "store[index=(slice(0, 3, None),)](y,",
            "store[index=(slice(0, 3, None),)](x,",
        ),
        "cumsum",
    )
    # Of one array: what NumPy makes of it in that order is not what it is.
    assert "out=" not in compile_graph(same, {0}, {0: 0}).source


CHANGED_PART = """graph f(x: float64[?], n: int64[]) {
  a: float64[?] = slice[index=(slice(Input(0), None, None),)](x, n)
  b: float64[?] = ufunc_into[ufunc=@add](a, a, n)
  c: float64[?] = store[index=(slice(Input(0), None, None),)](x, b, n)
  return c
}"""


def test_a_part_that_is_changed_and_stored_back_is_not_copied() -> None:
    run = compile_graph(parse(CHANGED_PART, {"add": np.add}), {0})
    assert "copy_" not in run.source
    x = np.arange(4.0)
    run(x, np.int64(1))
    assert x.tolist() == [0, 2, 3, 4]


def test_what_numpy_gives_no_memory_for_is_made_anew() -> None:
    # It divides ints for this, which are floats until they are rounded.
    run = compile_graph(
        parse("""graph f(x: int64[3], y: uint8[3], z: float64[3]) {
      a: int64[3] = add(x, x)
      b: int64[3] = round[decimals=-1](a)
      c: uint8[3] = add(y, y)
      d: uint8[3] = round[decimals=-1](c)
      e: float64[3] = add(z, z)
      f: float64[3] = round[decimals=-1](e)
      return b, d, f
    }""")
    )
    x = np.array([1, 8, 17])
    b, d, f = run(x, x.astype(np.uint8), x / 2)
    assert (b.tolist(), d.tolist(), f.tolist()) == (
        [0, 20, 30],
        [0, 20, 30],
        [0, 10, 20],
    )
