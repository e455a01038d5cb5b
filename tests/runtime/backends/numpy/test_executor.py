"""The generated text, what it gives, where its errors are, and its limits."""

import time
import traceback
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from runtime.backends.numpy import compile_graph, locate
from runtime.build import Frame
from runtime.config import config
from runtime.graph import Graph
from runtime.location import Location
from runtime.ops import basic, control, elementwise, index
from runtime.spec import TensorSpec
from runtime.text import parse
from runtime.traceback import point_at

INT = TensorSpec((), np.int64, weak=True)
BOOL = TensorSpec((), np.bool_, weak=True)
VECTOR = TensorSpec(("n",), np.float64)


TOTAL = parse("""graph total(x: float64[n], count: ~int64[]) {
          zero: ~int64[] = constant[value=0]()
          start: float64[] = constant[value=float64(0.0)]()
          i: ~int64[], s: float64[] = while[carried=2](zero, start, x, count) {
            test(i: ~int64[], s: float64[], x: float64[n], count: ~int64[]) {
              on: ~bool[] = less(i, count)
              return on
            }
            body(i: ~int64[], s: float64[], x: float64[n], count: ~int64[]) {
              one: ~int64[] = constant[value=1]()
              e: float64[] = slice[index=(Input(0),)](x, i)
              t: float64[] = add(s, e)
              j: ~int64[] = add(i, one)
              return j, t
            }
          }
          return s
        }""")


@pytest.fixture(autouse=True)
def _without_machine_code() -> Iterator[None]:
    with config(backend="numpy"):
        yield


def test_loop_is_a_flat_python_loop() -> None:
    run = compile_graph(TOTAL)
    assert run.source == (
        "def run(v1, v2):\n"
        "    v3, v4 = 0, c_\n"
        "    while v3 < v2:\n"
        "        v6 = v1[v3]\n"
        "        v4 = v4 + v6\n"
        "        v3 = v3 + 1\n"
        "    return (v4[()] if type(v4) is ndarray_ else v4, )\n"
    )
    assert run(np.arange(5.0), 4) == (6.0,)


def test_loop_counts_its_steps_where_it_may_become_machine_code() -> None:
    with config(backend="auto"):
        run = compile_graph(TOTAL)
    assert run.source == (
        "def run(v1, v2):\n"
        "    v3, v4 = 0, c_\n"
        "    n5 = loop_.begin\n"
        "    while v3 < v2:\n"
        "        n5 += 4\n"
        "        if n5 >= 40000:\n"
        "            n5found = loop_.run(v3, v4, v1, v2)\n"
        "            if n5found is not None:\n"
        "                v3, v4, = n5found\n"
        "                break\n"
        "            n5 = loop_.later\n"
        "        v7 = v1[v3]\n"
        "        v4 = v4 + v7\n"
        "        v3 = v3 + 1\n"
        "    loop_.begin = n5\n"
        "    return (v4[()] if type(v4) is ndarray_ else v4, )\n"
    )
    assert run(np.arange(5.0), 4) == (6.0,)
    assert run(np.arange(20000.0), 20000) == (199990000.0,)


def test_arrays_are_let_go_after_their_last_use() -> None:
    run = compile_graph(
        parse("""graph f(x: float64[1000]) {
          a: float64[1000] = add(x, x)
          b: bool[1000] = isnan(a)
          c: bool[1000] = logical_not(b)
          return c
        }""")
    )
    lines = [line.strip() for line in run.source.splitlines()]
    assert lines[2] == "v3 = isnan_(v2)"
    assert lines[3] == "v2 = None"


def test_python_numbers_stay_python_numbers() -> None:
    run = compile_graph(
        parse("""graph f(a: ~int64[], b: ~float64[]) {
          c: ~int64[] = add(a, a)
          d: ~float64[] = multiply(a, b)
          return c, d
        }""")
    )
    found = run(2**70, 0.5)
    assert found == (2**71, 2.0**69)
    assert [type(value) for value in found] == [int, float]


def test_0d_results_are_numpy_scalars() -> None:
    run = compile_graph(
        parse("""graph f(x: float64[2,2], y: float64[]) {
          a: float64[] = slice[index=(0, 1, ...)](x)
          b: float64[] = identity(y)
          return a, b, y
        }""")
    )
    found = run(np.eye(2), np.array(3.0))
    assert [type(value) for value in found] == [np.float64] * 3


def test_branch_not_taken_does_not_run() -> None:
    run = compile_graph(
        parse("""graph f(p: ~bool[], x: float64[n]) {
          a: float64[] = if(p, x) {
            then(x: float64[n]) {
              e: float64[] = slice[index=(100,)](x)
              return e
            }
            orelse(x: float64[n]) {
              e: float64[] = slice[index=(0,)](x)
              return e
            }
          }
          return a
        }""")
    )
    assert run(False, np.ones(2)) == (1.0,)
    with pytest.raises(IndexError):
        run(True, np.ones(2))


KEYS: list[Any] = [
    *((0,), (-1,), (slice(None),), (slice(1, None),), (slice(None, None, -2),)),
    *((...,), (None,), (..., 0), (slice(0, 2), None, 1), (), (0, ...), (-1, -1)),
]


@pytest.mark.parametrize("key", KEYS, ids=repr)
def test_every_kind_of_key_reads_and_stores(key: Any) -> None:
    frame = Frame("f")
    x = frame.add_input(TensorSpec((4, 4), np.float64))
    (part,) = frame.add(index.slice_, (x,), {"index": key})
    (number,) = frame.add(basic.constant, (), {"value": -1.0})
    (changed,) = frame.add(index.store, (x, number), {"index": key})
    array = np.arange(16.0).reshape(4, 4)
    wanted = array.copy()
    wanted[key] = -1.0
    read, stored = compile_graph(frame.close([part, changed]))(array)
    np.testing.assert_array_equal(read, array[key])
    np.testing.assert_array_equal(stored, wanted)


# Errors.


def failing(line: int) -> Graph:
    """A graph whose second node fails, said to stand on `line` of this file."""
    frame = Frame("f")
    x = frame.add_input(VECTOR)
    (y,) = frame.add(elementwise.add, (x, x), {})
    (z,) = frame.add(index.slice_, (y,), {"index": (99,)})
    graph = frame.close([z])
    places = [Location(__file__, line - 1, "model"), Location(__file__, line, "model")]
    for node, place in zip(graph.nodes, places, strict=True):
        object.__setattr__(node, "location", place)
    return graph


def caught(graph: Graph, *arguments: Any) -> Exception:
    try:
        compile_graph(graph)(*arguments)
    except Exception as error:
        return error
    raise AssertionError("the graph did not fail")


def test_error_is_located_at_its_nodes_line() -> None:
    error = caught(failing(line=41), np.ones(3))
    place = locate(error)
    assert place is not None
    assert (place.filename, place.line, place.function) == (__file__, 41, "model")


def test_error_from_elsewhere_has_no_location() -> None:
    with pytest.raises(ZeroDivisionError) as failure:
        divmod(1, 0)
    assert locate(failure.value) is None


def test_traceback_ends_at_the_users_line() -> None:
    error = caught(failing(line=1), np.ones(3))
    pointed = point_at(error, locate(error))
    assert pointed is error
    assert error.__context__ is None
    (entry,) = traceback.extract_tb(error.__traceback__)
    assert (entry.filename, entry.lineno, entry.name) == (__file__, 1, "model")
    shown = "".join(traceback.format_exception(error))
    assert shown == (
        "Traceback (most recent call last):\n"
        f'  File "{__file__}", line 1, in model\n'
        '    """The generated text, what it gives, where its errors are, and its '
        'limits."""\n'
        "IndexError: index 99 is out of bounds for axis 0 with size 3\n"
    )


def test_traceback_has_carets_where_the_columns_are_known() -> None:
    frame = Frame("f")
    x = frame.add_input(VECTOR)
    (z,) = 0 or frame.add(index.slice_, (x,), {"index": (99,)})
    error = caught(frame.close([z]), np.ones(3))
    shown = "".join(traceback.format_exception(point_at(error, locate(error))))
    lines = shown.splitlines()
    assert (
        lines[2].strip()
        == '(z,) = 0 or frame.add(index.slice_, (x,), {"index": (99,)})'
    )
    start = lines[2].index("frame.add")
    assert lines[3][start:].rstrip() in (
        "^" * len(lines[2][start:]),
        "~" * len("frame.add") + "^" * len(lines[2][start + len("frame.add") :]),
    )


def test_frames_of_code_that_the_graph_called_stay_in_the_traceback() -> None:
    def callback(x: Any) -> Any:
        raise KeyError("mine")

    graph = parse(
        """graph f(x: float64[n]) {
          y: float64[n] = host_call[function=@g, args=(Input(0),), kwargs={},
            results=(spec(float64[n]),), writes=False](x)
          return y
        }""",
        {"g": callback},
    )
    place = Location("nowhere/model.py", 3, "model")
    error = point_at(caught(graph, np.ones(3)), place)
    names = [entry.name for entry in traceback.extract_tb(error.__traceback__)]
    assert names == ["model", "callback"]


# Limits.


def nested(depth: int, kind: str) -> Graph:
    """`depth` loops or branches in one another; the innermost adds 1."""

    def build(level: int, parent: Frame, value: Any) -> Any:
        if level == 0:
            (one,) = parent.add(basic.constant, (), {"value": 1})
            return parent.add(elementwise.add, (parent.use(value), one), {})[0]
        return NESTS[kind](level, parent, value, build)

    frame = Frame("f")
    start = frame.add_input(INT)
    return frame.close([build(depth, frame, start)])


def _nested_if(level: int, parent: Frame, value: Any, build: Any) -> Any:
    (one,) = parent.add(basic.constant, (), {"value": 1})
    (flag,) = parent.add(elementwise.less, (parent.use(value), one), {})
    then, orelse = Frame("then", parent), Frame("orelse", parent)
    results = [build(level - 1, then, value)], [orelse.use(value)]
    captures = list(dict.fromkeys([*then.captures, *orelse.captures]))
    graphs = then.close(results[0], captures), orelse.close(results[1], captures)
    return parent.add(control.if_, [flag, *captures], {}, graphs)[0]


def _nested_while(level: int, parent: Frame, value: Any, build: Any) -> Any:
    test, body = Frame("test", parent), Frame("body", parent)
    first, again = test.add_input(INT), body.add_input(INT)
    (one,) = test.add(basic.constant, (), {"value": 1})
    (flag,) = test.add(elementwise.less, (first, one), {})
    result = build(level - 1, body, again)
    captures = list(dict.fromkeys([*test.captures, *body.captures]))
    graphs = test.close([flag], captures), body.close([result], captures)
    inputs = [parent.use(value), *captures]
    return parent.add(control.while_, inputs, {"carried": 1}, graphs)[0]


NESTS = {"if": _nested_if, "while": _nested_while}


@pytest.mark.parametrize("kind", ["if", "while"])
@pytest.mark.parametrize("depth", [1, 15, 17, 39, 41, 120])
def test_deep_nesting_is_no_limit(kind: str, depth: int) -> None:
    run = compile_graph(nested(depth, kind))
    assert run(0) == (1,)
    assert run(5) == (5,)


def test_ten_thousand_nodes_compile_in_three_seconds() -> None:
    frame = Frame("f")
    value = frame.add_input(VECTOR)
    for position in range(5_000):
        (number,) = frame.add(basic.constant, (), {"value": float(position)})
        (value,) = frame.add(index.store, (value, number), {"index": (0,)})
    graph = frame.close([value])
    start = time.process_time()
    run = compile_graph(graph)
    assert time.process_time() - start < 3
    assert run(np.zeros(2))[0][0] == 4999


def test_tuples_and_lists_of_a_host_call_stand_in_its_line() -> None:
    def joined(*parts: Any) -> Any:
        return parts

    text = """graph f(a: float64[3], b: float64[3]) {
          c: int64[3] = host_call[function=@joined,
            args=((Input(0), (Input(1), 2)), [Input(0)]), kwargs={},
            results=(spec(int64[3]),), writes=False](a, b)
          return c
        }"""
    run = compile_graph(parse(text, {"joined": joined}))
    assert "v3 = joined_((v1, (v2, 2, ), ), [v1, ])\n" in run.source
    a, b = np.ones(3), np.zeros(3)
    assert run(a, b) == (((a, (b, 2)), [a]),)
