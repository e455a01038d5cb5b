"""Each way in which a graph can be ill made is found, and said in full."""

from typing import Any

import numpy as np
import pytest

from runtime import kinds
from runtime import verify as verifying
from runtime.graph import Graph, Node, Value
from runtime.location import Location
from runtime.op import OPS, Op
from runtime.passes import optimize
from runtime.spec import TensorSpec
from runtime.text import parse
from runtime.verify import VerificationError, verify

F = TensorSpec(("n",), np.float64)
B = TensorSpec((), np.bool_, weak=True)


def add(*inputs: Value, spec: TensorSpec = F) -> Node:
    return Node(OPS["add"], inputs, {}, (Value(spec),))


def complaint(graph: Graph) -> str:
    with pytest.raises(VerificationError) as caught:
        verify(graph)
    return str(caught.value)


def test_well_made_graph_is_given_back() -> None:
    graph = parse("graph f(x: float64[n]) { y: float64[n] = add(x, x) return y }")
    assert verify(graph) is graph


def test_use_before_definition() -> None:
    x = Value(F)
    late = add(x, x)
    early = add(x, late.outputs[0])
    graph = Graph("f", (x,), (early, late), early.outputs)
    assert complaint(graph) == (
        "node add of graph f: input 1, <value float64[n]>, is not defined before it"
    )


def test_second_definition() -> None:
    x = Value(F)
    node = add(x, x)
    graph = Graph("f", (x,), (node, node), node.outputs)
    assert complaint(graph) == (
        "node add of graph f: <value float64[n]> is defined a second time"
    )


def test_sub_graph_that_reads_an_outer_value() -> None:
    x, p = Value(F), Value(B)
    open_branch = Graph("then", (), (), (x,))
    branches = (open_branch, open_branch)
    node = Node(OPS["if"], (p,), {}, (Value(F),), branches)
    graph = Graph("f", (p, x), (node,), node.outputs)
    assert complaint(graph) == (
        "then in graph f: output 0, <value float64[n]>, is not defined"
    )


def test_declared_spec_that_the_type_rule_denies() -> None:
    x = Value(F)
    node = add(x, x, spec=TensorSpec(("n",), np.int64))
    graph = Graph("f", (x,), (node,), node.outputs)
    assert complaint(graph) == (
        "node add of graph f: output 0 is declared int64[n], "
        "its type rule finds float64[n]"
    )


def test_complaint_names_the_users_line() -> None:
    x = Value(F)
    place = Location("nowhere/model.py", 7, "loss")
    node = Node(OPS["add"], (x, x), {}, (), location=place)
    with pytest.raises(VerificationError) as caught:
        verify(Graph("f", (x,), (node,), ()))
    assert caught.value.__notes__ == ["  in loss, nowhere/model.py line 7"]
    assert str(caught.value) == (
        "node add of graph f: it has 0 outputs, its type rule finds 1"
    )


CONTROL = {
    """graph f(p: float64[n]) {
      if(p) { then() { return } orelse() { return } }
      return
    }""": "node if of graph f: its predicate is float64[n], not a bool",
    """graph f(p: ~bool[], x: float64[n]) {
      if(p, x) { then(x: float64[n]) { return } orelse() { return } }
      return
    }""": "node if of graph f: orelse has 0 inputs, 1 are wanted",
    """graph f(p: ~bool[], x: float64[n]) {
      y: float64[3] = if(p, x) {
        then(x: float64[n]) { return x } orelse(x: float64[n]) { return x }
      }
      return y
    }""": "node if of graph f: output 0 of then is float64[n], wanted is float64[3]",
    """graph f(x: float64[n]) {
      y: float64[n] = while[carried=1](x) {
        test(x: float64[n]) { return x } body(x: float64[n]) { return x }
      }
      return y
    }""": "node while of graph f: its test gives float64[n], not a bool",
    """graph f(p: ~bool[], x: float64[n]) {
      y: float64[n] = while[carried=1](x, p) {
        test(x: float64[n], p: ~bool[]) { return p }
        body(x: float64[n], p: ~bool[]) { return x, x }
      }
      return y
    }""": "node while of graph f: body has 2 outputs, 1 are wanted",
    """graph f(p: ~bool[], x: float64[n]) {
      y: float64[n] = while[carried=1](x, p) {
        test(x: float64[n], p: ~bool[]) { return p }
        body(x: float64[n], p: ~bool[]) { return p }
      }
      return y
    }""": "node while of graph f: output 0 of body is ~bool[], wanted is float64[n]",
    """graph f(p: ~bool[]) {
      while[carried=2](p) { test(p: ~bool[]) { return p } body(p: ~bool[]) { return } }
      return
    }""": "node while of graph f: carried=2 does not fit its inputs",
}


@pytest.mark.parametrize("text", CONTROL)
def test_contract_of_control(text: str) -> None:
    assert complaint(parse(text)) == CONTROL[text]


def test_switch_decides_whether_passes_are_checked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    x = Value(F)
    node = add(x, x, spec=TensorSpec(("n",), np.int64))
    bad = Graph("f", (x,), (node,), node.outputs)
    monkeypatch.setattr(verifying, "enabled", False)
    assert len(optimize(bad).nodes) == 1
    monkeypatch.setattr(verifying, "enabled", True)
    with pytest.raises(VerificationError):
        optimize(bad)


def test_a_node_is_looked_at_by_itself_once(monkeypatch: pytest.MonkeyPatch) -> None:
    inferred = []
    rule = kinds.infer

    def infer(op: Op, *rest: Any) -> tuple[TensorSpec, ...]:
        inferred.append(op.name)
        return rule(op, *rest)

    monkeypatch.setattr(kinds, "infer", infer)
    graph = parse("graph f(x: float64[n]) { y: float64[n] = add(x, x) return y }")
    known: set[Node] = set()
    verify(graph, known)
    verify(graph, known)
    assert inferred == ["add"]
    verify(graph)
    assert inferred == ["add", "add"]


def test_what_is_known_of_nodes_says_nothing_of_where_they_are() -> None:
    x = Value(F)
    first = add(x, x)
    second = add(first.outputs[0], x)
    known: set[Node] = set()
    verify(Graph("f", (x,), (first, second), second.outputs), known)
    with pytest.raises(VerificationError, match="is not defined before it"):
        verify(Graph("f", (x,), (second, first), second.outputs), known)
    with pytest.raises(VerificationError, match="is defined a second time"):
        verify(Graph("f", (x,), (first, second, second), second.outputs), known)
    wrong = add(x, x, spec=TensorSpec(("n",), np.int64))
    with pytest.raises(VerificationError, match="its type rule finds"):
        verify(Graph("f", (x,), (first, wrong), wrong.outputs), known)
