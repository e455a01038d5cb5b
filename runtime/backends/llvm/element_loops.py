"""element_loops: which loops compute each element from the elements at its place.

Such a loop counts its turns, and what it does to the arrays that it carries is nothing
but operations of elements. So elements may go through the turns one after the other.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from runtime.backends.llvm.constants import constant_number
from runtime.backends.llvm.loops import Number, Operand
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.span import is_constant
from runtime.backends.llvm.values import ufunc_of
from runtime.backends.numpy.program import Step, Variable
from runtime.spec import TensorSpec

# What a turn may do beside operations of elements.
_OTHERS = frozenset({"constant", "where", "array_power", "cast", "identity", "strong"})


class ElementLoop(NamedTuple):
    """What such a loop is.

    counter: the position of what counts the turns; end: what it counts to
    arrays:  positions of the arrays that a turn computes
    in_place: those of them that are written into where they are
    """

    counter: int
    end: Operand
    arrays: list[int]
    in_place: list[int]


def element_loop(lowering: Lowering, step: Step) -> ElementLoop | None:
    """What a `while` is, its carried values being known; None: it is another one."""
    if not _is_plain(lowering, step):
        return None
    counted, arrays, in_place = _counted(lowering, step), _arrays(step), _written(step)
    if counted is None or not arrays or in_place is None:
        return None
    return ElementLoop(*counted, arrays, in_place)


def _is_plain(lowering: Lowering, step: Step) -> bool:
    """Whether a turn is operations of numbers and elements, one after the other."""

    def is_one(inner: Step) -> bool:
        node = inner.node
        if node.guards or node.effects or inner.bodies or len(inner.outputs) != 1:
            return False
        is_known = node.op.name in _OTHERS or ufunc_of(node, lowering.precise)
        return bool(is_known) and all(map(_is_tensor, (*inner.inputs, *inner.outputs)))

    return all(map(_is_tensor, step.carried)) and all(map(is_one, step.bodies[1].steps))


def _is_tensor(variable: Variable) -> bool:
    return type(variable.spec) is TensorSpec and variable.spec.shape is not None


def _counted(lowering: Lowering, step: Step) -> tuple[int, Operand] | None:
    """What counts the turns by ones, and to which number."""
    test, again = step.bodies
    asked = [one for one in test.steps if one.node.op.name != "constant"]
    # A `while` asks for the truth of what it compares.
    if [one.node.op.name for one in asked] not in (["less"], ["less", "truth"]):
        return None
    counter, end = asked[0].inputs
    if len(asked) == 2 and asked[1].inputs != asked[0].outputs:
        return None
    if asked[-1].outputs != test.outputs or counter not in step.carried:
        return None
    if end in step.carried or (end.home is test and not is_constant(end)):
        return None
    at = step.carried.index(counter)
    after = again.outputs[at]
    if after.home is not again or after.index < 0:
        return None
    if not _adds_one(lowering, again.steps[after.index], counter):
        return None
    first, last = lowering.operand(counter), lowering.operand(end)
    if not (_is_int(first) and _is_int(last) and isinstance(last, Number)):
        return None
    return at, last.parts[0]


def _adds_one(lowering: Lowering, step: Step, counter: Variable) -> bool:
    if step.node.op.name != "add" or step.inputs[0] is not counter:
        return False
    by = step.inputs[1]
    number = constant_number(lowering, by) if is_constant(by) else None
    return number is not None and _is_int(number) and number.parts == (1,)


def _is_int(value: Any) -> bool:
    if not isinstance(value, Number) or len(value.parts) != 1:
        return False
    return value.dtype.str == "<i8"


def _arrays(step: Step) -> list[int] | None:
    """The arrays that a turn computes, each of its own; None: it hands on others."""
    again, found = step.bodies[1], list[int]()
    pairs = zip(again.outputs, step.carried, strict=True)
    for at, (variable, before) in enumerate(pairs):
        if variable.spec.shape == () or variable is before:
            continue
        is_made = variable.home is again and variable.index >= 0
        if not is_made or again.outputs.count(variable) > 1:
            return None
        found.append(at)
    return found


def _written(step: Step) -> list[int] | None:
    """The arrays that a turn writes into where they are.

    None: into others too, or the loop does not carry what is left there
    """
    again, last = step.bodies[1], dict[Variable, Step]()
    for inner in again.steps:
        root = _root(inner)
        if root is not None and (root.home is not again or root.index < 0):
            last[root] = inner
    found = []
    for root, inner in last.items():
        at = step.carried.index(root) if root in step.carried else -1
        if at < 0 or again.outputs[at] is not inner.outputs[0]:
            return None
        found.append(at)
    return found


def _root(step: Step) -> Variable | None:
    """The array in whose memory the result of a step comes to be, if it has no own."""
    into = step.into
    while into is not None and into.index >= 0:
        after = into.home.steps[into.index].into
        if after is None:
            break
        into = after
    return into
