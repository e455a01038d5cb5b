"""Reuse: which elementwise steps may give their result in memory that nobody reads.

`x += y` becomes the value `x + y`, and so does `t = x + y`: where the memory of an
operand is the graph's own and nobody reads it any more, the ufunc writes there. What is
said here is which memory would fit; whether it may be written is `sharing`'s to say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from runtime.backends.numpy.lowerings import LOWERINGS, call_text
from runtime.backends.numpy.parts import PUTS
from runtime.backends.numpy.program import Body, Step, Variable
from runtime.memory import STORES, makes_its_own
from runtime.ops.index import indexed

# Besides the ufuncs: each element of the result is made of those at its place, or of
# those before it, too.
ELEMENTWISE = ("clip", "round", "cumsum", "cumprod", "ufunc_accumulate")
_OPERATOR = re.compile(r"\{0\} ([-+*/%&|^]|//|\*\*|<<|>>) \{1\}")


def is_elementwise(step: Step) -> bool:
    """True for a step that a ufunc of one result does."""
    op = step.node.op
    ufunc = op.numpy
    if not isinstance(ufunc, np.ufunc) or ufunc.signature is not None:
        return False
    plain = not step.node.attributes and op.name not in LOWERINGS
    return plain and ufunc.nout == 1 and len(step.inputs) == ufunc.nin


def is_power(step: Step) -> bool:
    """True for `x ** 2`, where NumPy takes short cuts: only `x **= 2` writes it."""
    return step.node.op.name == "array_power" and step.inputs[1].spec.shape == ()


def takes_out(step: Step) -> bool:
    """True for a step whose result can be written where it is told to."""
    takes = step.node.op.out or is_elementwise(step) or is_power(step)
    if len(step.outputs) != 1 or not takes:
        return False
    spec = step.outputs[0].spec
    if not spec.shape or spec.dtype is None or spec.dtype.kind not in "biufc":
        return False
    # NumPy divides ints where digits before the point go, and refuses `out=` for that.
    return not (step.node.attributes.get("decimals", 0) < 0 and spec.dtype.kind in "iu")


def fitting(step: Step) -> Iterator[Variable]:
    """The operands whose memory the result would fit."""
    (result,) = step.outputs
    if is_power(step):
        if step.inputs[0].spec == result.spec:
            yield step.inputs[0]
        return
    if not (is_elementwise(step) or step.node.op.name in ELEMENTWISE):
        return
    if _clips_one(step) and not changes_in_place(step):
        return
    # With sizes of the run NumPy has to find whether the operands fit each other.
    known = all(one.spec.is_static for one in step.inputs)
    for variable in step.inputs:
        if variable.spec == result.spec:
            if known or _rest_are_numbers(step, variable):
                yield variable


def _clips_one(step: Step) -> bool:
    """True for a clip of one element between arrays.

    Of two zeros NumPy gives another one there where it writes into an operand.
    """
    shape = step.outputs[0].spec.shape or ()
    between = any(one.spec.shape for one in step.inputs[1:])
    return step.node.op.name == "clip" and between and set(shape) == {1}


def lies_in_order(variable: Variable) -> bool:
    """True for what certainly has its elements in C order, without gaps."""
    if variable.spec.rank != 1 or variable.home is None or variable.index < 0:
        return False
    return makes_its_own(variable.home.steps[variable.index].node)


def _rest_are_numbers(step: Step, variable: Variable) -> bool:
    """True where the result is of the operand's shape, whatever that is."""
    return all(one is variable or one.spec.shape == () for one in step.inputs)


def is_taken_next(body: Body, position: int, step: Step) -> bool:
    """Whether the next step alone uses the result, or it is a part that is changed."""
    (result,) = step.outputs
    if result not in body.last_use:
        return False
    return body.last_use[result] == position + 1 or changes_in_place(step)


def store_after(body: Body, position: int, step: Step) -> Step | None:
    """The next step, if that is a store of the result."""
    (result,) = step.outputs
    if position + 1 >= len(body.steps) or is_power(step):
        return None
    store = body.steps[position + 1]
    if store.node.op.name not in PUTS or store.node.attributes.get("path"):
        return None
    is_content = store.inputs[1] is result and store.inputs.count(result) == 1
    return store if is_content else None


def changes_in_place(step: Step) -> bool:
    """True for a step whose result is, as Python has it, the array that is changed."""
    return step.node.op.name in STORES or step.node.into is not None


def fits_target(store: Step) -> bool:
    """True where what a change gives is just as large as what it changes.

    An array is sorted by `np.sort(x, axis=None)` to another shape.
    """
    target, (result,) = store.inputs[0], store.outputs
    return bool(target.spec.shape) and result.spec == target.spec


def fits_place(store: Step) -> bool:
    """True where a store's content is just what lies there, in sizes and dtype."""
    target, content, *dynamic = (variable.spec for variable in store.inputs)
    if store.node.op.name == "with_part" and content.is_static and target.dtype:
        return content.shape == target.shape and content.dtype == _half(target.dtype)
    if not content.is_static or content.dtype != target.dtype:
        return False
    if store.node.op.name != "store":
        return False
    index = store.node.attributes["index"]
    return content.shape == indexed(target.shape, index, tuple(dynamic))


def _half(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The dtype of the real parts of complex numbers."""
    return np.zeros((), dtype).real.dtype


def is_whole(store: Step) -> bool:
    """True for a store of just as much as the array holds."""
    known = store.node.attributes
    if store.node.op.name != "store" or known.get("path"):
        return False
    target, content, *_ = (variable.spec for variable in store.inputs)
    return known["index"] == (...,) and target.is_static and content == target


def text(step: Step, names: list[str], bind: Callable[[str, object], str]) -> str:
    """The statement that writes the result into `step.into`."""
    assert step.into is not None
    found = _OPERATOR.fullmatch(step.node.op.source or "")
    if found is not None and step.into is step.inputs[0]:
        return f"{names[0]} {found[1]}= {names[1]}"
    return call(step, names, step.into.name, bind)


def text_in_order(
    step: Step, names: list[str], bind: Callable[[str, object], str]
) -> str:
    """The call that gives the result, in the memory of `step.into` if that may be."""
    assert step.into is not None
    place = step.into.name
    return call(step, names, f"{place} if {place}.flags.c_contiguous else None", bind)


def call(
    step: Step, names: list[str], place: str, bind: Callable[[str, object], str]
) -> str:
    """The call that writes the result into `place`, and gives that."""
    op = step.node.op
    function = op.numpy if is_elementwise(step) else op.kernel
    lowering = LOWERINGS.get(op.name)
    if lowering is not None:
        written = lowering(step, names, bind)
    else:
        written = call_text(step, function, names, bind, f"{op.name}_into")
    return f"{written.removesuffix(')')}, out={place})"
