"""The text of a graph: what it looks like, that it reads back, what is refused."""

import pkgutil
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from runtime import ops
from runtime.graph import Graph, Node, Value
from runtime.op import OPS, Op
from runtime.ops import families
from runtime.ops.template import Input
from runtime.spec import TensorSpec
from runtime.text import ParseError, parse
from runtime.text_print import coloured, print_graph
from tests.runtime.programs import graphs

PROGRAM = """\
graph f(a: float64[n], b: ~int64[]) {
  c: ~int64[] = constant[value=0]()
  d: ~int64[], e: float64[n] = while[carried=2](c, a, b) {
    test(f: ~int64[], g: float64[n], b: ~int64[]) {
      h: ~bool[] = less(f, b)
      return h
    }
    body(f: ~int64[], g: float64[n], b: ~int64[]) {
      i: float64[] = slice[index=(Input(0),)](g, f)
      j: ~bool[] = less(f, b)
      k: float64[] = if(j, i) {
        then(i: float64[]) {
          return i
        }
        orelse 'the other'(i: float64[]) {
          l: float64[] = negative(i)
          return l
        }
      }
      m: float64[n] = store[index=(Input(0),)](g, k, f)
      n: ~int64[] = constant[value=1]()
      o: ~int64[] = add(f, n)
      return o, m
    }
  }
  print[args=(Input(0), 'done'), kwargs={'end': '\\n'}](e)
  return e
}"""


def test_text_reads_back_as_itself() -> None:
    assert print_graph(parse(PROGRAM)) == PROGRAM


def test_structure_survives() -> None:
    graph = parse(PROGRAM)
    assert [node.op.name for node in graph.walk()] == [
        *("constant", "while", "less", "slice", "less", "if", "negative", "store"),
        *("constant", "add", "print"),
    ]
    loop = graph.nodes[1]
    assert loop.attributes == {"carried": 2}
    assert loop.inputs == (graph.nodes[0].outputs[0], *graph.inputs)
    assert graph.outputs == (loop.outputs[1],)
    assert graph.inputs[0].spec == TensorSpec(("n",), np.float64)


@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
@given(graphs())
def test_random_graphs_read_back(graph: Graph) -> None:
    objects: dict[str, Any] = {}
    printed = print_graph(graph, objects)
    assert print_graph(parse(printed, objects), dict(objects)) == printed


ANY = Op("any_attribute", lambda **_: (), kernel=lambda **_: ())
ATTRIBUTES = [
    *(None, True, 0, -3, 10**30, 1.5, -0.0, 5e-324, 1e308),
    *(float("inf"), -float("inf"), 1 - 2j, complex(0.0, -0.0)),
    *("a\n\"'\\é", "", b"\x00x", (), (1,), (1, (2.0, "x")), [], [1, [None]]),
    *({}, {"a": [1], 2: ()}, slice(None), slice(1, Input(0), -1), ..., Input(3)),
    *(range(1, 9, 2), np.dtype(np.int8), np.dtype("M8[s]"), np.dtype(">i4")),
    *(TensorSpec((2, None, "n"), np.int8), TensorSpec(None, None)),
    *(TensorSpec((), int, weak=True), TensorSpec((1,), "<U5")),
    *(np.float32(0.1), np.float64(1e300), np.int8(-5), np.uint64(2**64 - 1)),
    *(np.True_, np.complex64(1 + 2j), np.datetime64("2020-01-01"), np.str_("hi")),
]


@pytest.mark.parametrize("value", ATTRIBUTES, ids=repr)
def test_attribute_reads_back_exactly(
    value: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    back = _there_and_back(value, monkeypatch)
    assert type(back) is type(value)
    assert repr(back) == repr(value)
    assert back == value


@pytest.mark.parametrize("value", [float("nan"), -float("nan"), np.float32("nan")])
def test_nan_reads_back(value: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    back = _there_and_back(value, monkeypatch)
    assert type(back) is type(value)
    assert np.isnan(back)
    assert np.signbit(back) == np.signbit(value)


ARRAYS = [
    np.arange(3),
    np.arange(6, dtype=np.int8).reshape(2, 3),
    np.array(1.5),
    np.array([0.0, -0.0, np.inf, 5e-324]),
    np.array([[True], [False]]),
    np.zeros((0, 3), np.float32),
    np.linspace(0, 1, 1000),
    np.array([1 + 2j]),
    np.array([1.5], np.float16),
    np.array([1], np.longdouble) / 3,
    np.array(["2020-01-01"], "M8[D]"),
    np.array(["ab", "c"]),
    np.array([(1, 2.5)], [("a", "<i4"), ("b", "<f8")]),
]


@pytest.mark.parametrize("array", ARRAYS, ids=repr)
def test_array_reads_back_exactly(array: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    back = _there_and_back(array, monkeypatch)
    assert (back.dtype, back.shape) == (array.dtype, array.shape)
    assert back.tobytes() == array.tobytes()


def _there_and_back(value: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setitem(OPS, ANY.name, ANY)
    graph = Graph("f", (), (Node(ANY, (), {"it": value}, ()),), ())
    return parse(print_graph(graph)).nodes[0].attributes["it"]


def test_objects_are_named_in_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(OPS, ANY.name, ANY)
    first, second = ValueError("one"), ValueError("two")
    value = (print, first, second, first)
    graph = Graph("f", (), (Node(ANY, (), {"it": value}, ()),), ())
    objects: dict[str, Any] = {}
    printed = print_graph(graph, objects)
    assert "(@print, @ValueError, @ValueError_2, @ValueError)" in printed
    back = parse(printed, objects).nodes[0].attributes["it"]
    assert all(a is b for a, b in zip(back, value, strict=True))


def test_shared_array_is_the_same_object() -> None:
    array = np.zeros(2)
    (made,) = (Value(TensorSpec((2,), float)),)
    node = Node(OPS["constant"], (), {"value": array, "shared": True}, (made,))
    objects: dict[str, Any] = {}
    printed = print_graph(Graph("f", (), (node,), (made,)), objects)
    assert parse(printed, objects).nodes[0].attributes["value"] is array


def test_colours_are_only_added() -> None:
    painted = print_graph(parse(PROGRAM), colour=True)
    assert painted == coloured(PROGRAM) != PROGRAM
    for code in ("\x1b[32m", "\x1b[1m", "\x1b[34m", "\x1b[36m", "\x1b[0m"):
        painted = painted.replace(code, "")
    assert painted == PROGRAM


BAD = {
    "graph f(x: int64[n]) { return y }": (1, 31, "'y' is not defined here"),
    "graph f(x: int64[n]) {\n b: int64[] = foo(x)\n return b }": (
        *(2, 15),
        "there is no op called 'foo'",
    ),
    "graph f(x int64[n]) { return x }": (1, 11, "expected ':', found 'int64'"),
    "graph f(x: list[int64[], bool[]]) { return x }": (
        *(1, 12),
        "a list has items of one spec",
    ),
    "graph f(x: floot[n]) { return x }": (1, 12, "there is no dtype called 'floot'"),
    "graph f(x: int64[n], x: int64[n]) { return x }": (1, 22, "'x' is defined twice"),
    "graph f() { return } x": (1, 22, "expected the end of the text, found 'x'"),
    "graph f() { $": (1, 13, "'$' has no meaning here"),
    "graph f() {": (1, 12, "expected a name, found the end of the text"),
    "loop f() { return }": (1, 1, "expected 'graph', found 'loop'"),
    "graph f() { a: int64[] = constant[value=@q]() return a }": (
        *(1, 41),
        "@q is not among the objects given",
    ),
    "graph f() { a: int64[] = constant[value=)]() return a }": (
        *(1, 41),
        "expected a value, found ')'",
    ),
    "graph f(x: int64[n]) { y: int64[n] = if(x) { return x }": (
        *(1, 46),
        "expected 'then', found 'return'",
    ),
}


@pytest.mark.parametrize("bad", BAD)
def test_bad_text_is_refused_with_its_place(bad: str) -> None:
    line, column, what = BAD[bad]
    with pytest.raises(ParseError) as caught:
        parse(bad)
    assert str(caught.value) == f"line {line}, column {column}: {what}"
    assert isinstance(caught.value, ValueError)


def test_lists_of_tuples_are_read_back() -> None:
    text = "graph f(a: list[list[tuple[~int64[], bool[]]]]) {\n  return a\n}"
    assert print_graph(parse(text)) == text


def test_every_family_of_ops_can_be_named() -> None:
    known = {family.__name__.rpartition(".")[2] for family in families.FAMILIES}
    files = {module.name for module in pkgutil.iter_modules(ops.__path__)}
    others = {"costs", "families", "inference", "place_numbers", "template"}
    assert known == files - others
