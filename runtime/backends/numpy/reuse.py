"""Reuse: which elementwise steps may give their result in memory that nobody reads.

`x += y` becomes the value `x + y`, and so does `t = x + y`: where the memory of an
operand is the graph's own and nobody reads it any more, the ufunc writes there. What is
said here is which memory would fit; whether it may be written is `sharing`'s to say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from runtime.backends.numpy.lowerings import LOWERINGS
from runtime.backends.numpy.program import Body, Step, Variable
from runtime.failing import may_fail
from runtime.graph import Node

_OPERATOR = re.compile(r"\{0\} ([-+*/%&|^]|//|<<|>>) \{1\}")


def is_elementwise(step: Step) -> bool:
    """True for a step that a ufunc of one result does."""
    op = step.node.op
    ufunc = op.numpy
    if not isinstance(ufunc, np.ufunc) or ufunc.signature is not None:
        return False
    plain = not step.node.attributes and op.name not in LOWERINGS
    return plain and ufunc.nout == 1 and len(step.inputs) == ufunc.nin


def fitting(step: Step) -> Iterator[Variable]:
    """The operands whose memory the result would fit."""
    (result,) = step.outputs
    spec = result.spec
    if not spec.shape or spec.dtype is None or spec.dtype.kind not in "biufc":
        return
    # With sizes of the run NumPy has to find whether the operands fit each other.
    known = all(one.spec.is_static for one in step.inputs)
    for variable in step.inputs:
        if variable.spec == spec and (known or _rest_are_numbers(step, variable)):
            yield variable


def _rest_are_numbers(step: Step, variable: Variable) -> bool:
    """True where the result is of the operand's shape, whatever that is."""
    return all(one is variable or one.spec.shape == () for one in step.inputs)


def stored_part(body: Body, position: int, step: Step) -> tuple[Variable, Step] | None:
    """The operand that is a part of an array, and the store of the result there.

    That is the next step: `x[1:] += y` is a view, its sum, and a store of that.
    """
    (result,) = step.outputs
    at = position + 1
    if at >= len(body.steps) or body.last_use.get(result, -1) != at:
        return None
    store = body.steps[at]
    known = store.node.attributes
    if store.node.op.name != "store" or known.get("path") or store.inputs[1] != result:
        return None
    for variable in fitting(step):
        if variable.home is not body or variable.index < 0:
            continue
        taken = body.steps[variable.index]
        same = taken.inputs == [store.inputs[0], *store.inputs[2:]]
        is_part = taken.node.op.name == "slice" and same
        if is_part and taken.node.attributes["index"] == known["index"]:
            return variable, store
    return None


class Failing:
    """Which steps may raise, looked for once in each body."""

    def __init__(self) -> None:
        self._last: dict[Body, int] = {}

    def after(self, body: Body, position: int) -> bool:
        """True where a step from this one on may raise, here or in a later round."""
        level: Body | None = body
        while level is not None:
            if self._last_in(level) >= position:
                return True
            position, level = level.position, level.parent
        return False

    def _last_in(self, body: Body) -> int:
        if body not in self._last:
            nodes = [step.node for step in body.steps]
            places = (at for at, one in enumerate(nodes) if _fails(one, nodes[:at]))
            self._last[body] = max(places, default=-1)
        return self._last[body]


def _fails(node: Node, before: Sequence[Node]) -> bool:
    return may_fail(node, before) or any(
        _fails(inner, graph.nodes[:at])
        for graph in node.graphs
        for at, inner in enumerate(graph.nodes)
    )


def text(step: Step, names: list[str], bind: Callable[[str, object], str]) -> str:
    """The statement that writes the result into `step.into`."""
    op = step.node.op
    found = _OPERATOR.fullmatch(op.source or "")
    assert step.into is not None
    if found is not None and step.into is step.inputs[0]:
        return f"{names[0]} {found[1]}= {names[1]}"
    words = ", ".join([*names, f"out={step.into.name}"])
    return f"{bind(op.name + '_into', op.numpy)}({words})"
