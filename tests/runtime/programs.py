"""Random graphs, and the plainest way to run one: the oracle of the other tests."""

import contextlib
import io
from typing import Any

import numpy as np
from hypothesis import strategies as st

from runtime.build import Frame
from runtime.graph import Graph, Value
from runtime.ops import basic, control, elementwise, index, reduce, shape, world
from runtime.ops.template import Input
from runtime.spec import TensorSpec

ARRAY = TensorSpec((4,), np.float64)
SCALAR = TensorSpec((), np.float64)
WEAK = TensorSpec((), np.int64, weak=True)
BOOL = TensorSpec((), np.bool_, weak=True)


def evaluate(graph: Graph, *inputs: Any) -> tuple[Any, ...]:
    """The outputs of `graph`, node by node with the kernels; nothing is shared."""
    values = dict(zip(graph.inputs, inputs, strict=True))
    for node in graph.nodes:
        arguments = [values[value] for value in node.inputs]
        if node.op.graphs:
            found = _CONTROL[node.op.name](node, arguments)
        else:
            result = node.op.kernel(*arguments, **node.attributes)
            found = (result,) if len(node.outputs) == 1 else result
        values.update(zip(node.outputs, found, strict=True))
    return tuple(values[value] for value in graph.outputs)


def _evaluate_if(node: Any, arguments: list[Any]) -> tuple[Any, ...]:
    return evaluate(node.graphs[0 if arguments[0] else 1], *arguments[1:])


def _evaluate_while(node: Any, arguments: list[Any]) -> tuple[Any, ...]:
    count = node.attributes["carried"]
    test, body = node.graphs
    while evaluate(test, *arguments)[0]:
        arguments[:count] = evaluate(body, *arguments)
    return tuple(arguments[:count])


_CONTROL = {"if": _evaluate_if, "while": _evaluate_while}


def observe(run: Any, inputs: list[Any]) -> tuple[list[Any], str]:
    """What a run gives and prints, for inputs of its own; none is changed."""
    given = [np.array(x) if isinstance(x, np.ndarray) else x for x in inputs]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        outputs = [np.array(output) for output in run(*given)]
    for before, after in zip(inputs, given, strict=True):
        np.testing.assert_array_equal(before, after)
    return outputs, printed.getvalue()


def assert_same(found: Any, wanted: Any) -> None:
    """The same arrays bit by bit, and the same text printed."""
    assert found[1] == wanted[1]
    assert len(found[0]) == len(wanted[0])
    for a, b in zip(found[0], wanted[0], strict=True):
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        np.testing.assert_array_equal(a, b)


class Builder:
    """A frame and the values that its nodes may read."""

    def __init__(self, draw: Any, parent: "Builder | None" = None, depth: int = 0):
        self.draw = draw
        self.frame = Frame("random", parent.frame if parent else None)
        self.pool: list[Value] = list(parent.pool) if parent else []
        self.depth = depth

    def input(self, spec: TensorSpec) -> Value:
        value = self.frame.add_input(spec)
        self.pool.append(value)
        return value

    def pick(self, spec: TensorSpec) -> Value:
        found = [value for value in self.pool if value.spec == spec]
        # Late values are picked more often: chains are what in-place stores need.
        back = self.draw(st.integers(0, min(3, len(found) - 1)))
        return found[-1 - back]

    def do(self, op: Any, *inputs: Value, **attributes: Any) -> tuple[Value, ...]:
        values = [self.frame.use(value) for value in inputs]
        outputs = self.frame.add(op, values, attributes)
        self.pool += outputs
        return outputs

    def constant(self, value: Any) -> Value:
        return self.do(basic.constant, value=value)[0]

    def step(self) -> None:
        steps = [*_STEPS, *((_if_step, _while_step) if self.depth < 3 else ())]
        self.draw(st.sampled_from(steps))(self)

    def steps(self) -> None:
        for _ in range(self.draw(st.integers(1, 6))):
            self.step()


def _arithmetic(b: Builder) -> None:
    op = b.draw(st.sampled_from([elementwise.add, elementwise.subtract]))
    spec = b.draw(st.sampled_from([ARRAY, SCALAR]))
    b.do(op, b.pick(spec), b.pick(spec))


def _scale(b: Builder) -> None:
    spec = b.draw(st.sampled_from([ARRAY, SCALAR]))
    number = b.constant(b.draw(st.sampled_from([0.5, -0.5, -1.0])))
    b.do(elementwise.multiply, b.pick(spec), number)


def _number(b: Builder) -> None:
    b.constant(b.draw(st.sampled_from([0, 1, 3])))


def _compare(b: Builder) -> None:
    b.do(elementwise.less, b.pick(WEAK), b.pick(WEAK))


def _fresh(b: Builder) -> None:
    b.do(basic.copy, b.pick(ARRAY))


def _literal(b: Builder) -> None:
    b.constant(np.arange(4.0))


def _view(b: Builder) -> None:
    x = b.pick(ARRAY)
    keys: list[Any] = [slice(None, None, -1), slice(None), ...]
    key = b.draw(st.sampled_from(keys))
    how = b.draw(st.integers(0, 2))
    if how == 0:
        b.do(index.slice_, x, index=(key,))
    elif how == 1:
        b.do(shape.reshape, x, shape=(4,))
    else:
        b.do(basic.identity, x)


def _element(b: Builder) -> None:
    how = b.draw(st.sampled_from([(Input(0),), (..., Input(0))]))
    b.do(index.slice_, b.pick(ARRAY), _position(b), index=how)


def _sum(b: Builder) -> None:
    b.do(reduce.sum_, b.pick(ARRAY), axis=None, keepdims=False)


def _store_element(b: Builder) -> None:
    b.do(index.store, b.pick(ARRAY), b.pick(SCALAR), _position(b), index=(Input(0),))


def _store_part(b: Builder) -> None:
    keys = [(slice(None),), (slice(None, None, -1),)]
    key = b.draw(st.sampled_from(keys))
    b.do(index.store, b.pick(ARRAY), b.pick(ARRAY), index=key)


def _position(b: Builder) -> Value:
    return b.constant(b.draw(st.integers(-4, 3)))


def _print(b: Builder) -> None:
    spec = b.draw(st.sampled_from([ARRAY, WEAK]))
    b.do(world.print_, b.pick(spec), args=(Input(0),), kwargs={})


_STEPS = (
    *(_arithmetic, _scale, _number, _compare, _fresh, _literal, _view, _view),
    *(_element, _sum, _store_element, _store_element, _store_part, _store_part),
    *(_store_element, _print),
)


def _if_step(b: Builder) -> None:
    specs = b.draw(st.lists(st.sampled_from([ARRAY, SCALAR, WEAK, BOOL]), max_size=3))
    branches = []
    for _ in range(2):
        inner = Builder(b.draw, b, b.depth + 1)
        inner.steps()
        outputs = [inner.frame.use(inner.pick(spec)) for spec in specs]
        branches.append((inner.frame, outputs))
    captures = list(dict.fromkeys(c for frame, _ in branches for c in frame.captures))
    graphs = tuple(frame.close(outputs, captures) for frame, outputs in branches)
    predicate = b.frame.use(b.pick(BOOL))
    b.pool += b.frame.add(control.if_, [predicate, *captures], {}, graphs)


def _while_step(b: Builder) -> None:
    specs = b.draw(st.lists(st.sampled_from([ARRAY, SCALAR, WEAK]), max_size=3))
    firsts = [b.constant(0), *(b.frame.use(b.pick(spec)) for spec in specs)]
    turns = b.draw(st.integers(0, 3))
    test, body = (Builder(b.draw, b, b.depth + 1) for _ in range(2))
    counters = [
        [inner.input(first.spec) for first in firsts][0] for inner in (test, body)
    ]
    for _ in range(b.draw(st.integers(0, 1))):
        test.step()
    (again,) = test.do(elementwise.less, counters[0], test.constant(turns))
    body.steps()
    (following,) = body.do(elementwise.add, counters[1], body.constant(1))
    nexts = [following, *(body.frame.use(body.pick(spec)) for spec in specs)]
    captures = list(dict.fromkeys([*test.frame.captures, *body.frame.captures]))
    graphs = (
        test.frame.close([again], captures),
        body.frame.close(nexts, captures),
    )
    made = b.frame.add(
        control.while_, [*firsts, *captures], {"carried": len(firsts)}, graphs
    )
    b.pool += made


@st.composite
def graphs(draw: Any) -> Graph:
    """A random graph of two arrays, a scalar, a number and a flag."""
    b = Builder(draw)
    for spec in (ARRAY, ARRAY, SCALAR, WEAK, BOOL):
        b.input(spec)
    for _ in range(draw(st.integers(1, 10))):
        b.step()
    specs = [ARRAY, *draw(st.lists(st.sampled_from([ARRAY, SCALAR, WEAK]), max_size=3))]
    return b.frame.close([b.pick(spec) for spec in specs])


INPUTS = (np.array([1.0, 2.0, 4.0, 8.0]), np.array([3.0, 5.0, 7.0, 9.0]), np.float64(2))
ARGUMENTS = [[*INPUTS, number, flag] for number, flag in ((0, True), (2, False))]
