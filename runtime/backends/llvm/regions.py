"""regions: which steps of a body become machine code together."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from runtime.backends.llvm.having import (
    DRAWS,
    HOST_CALL,
    OF_ARRAYS,
    OF_NUMBERS,
    OF_NUMPYS,
    RAISES,
    is_known_draw,
    library_name,
)
from runtime.backends.llvm.hot import Compile, Region
from runtime.backends.llvm.meeting import REDUCTIONS
from runtime.backends.llvm.span import Span, is_constant
from runtime.backends.llvm.switch import has_fma, is_precise
from runtime.backends.llvm.values import (
    NotLowered,
    machine_type,
    narrowed,
    ufunc_of,
)
from runtime.backends.numpy.program import Body, Step, Variable
from runtime.spec import TensorSpec

# What a region saves is worth its call: so many arrays, or numbers, are made.
ARRAYS, NUMBERS = 2, 12
# Parts of arrays, which are no arrays of their own.
VIEWS = frozenset({"slice", "transpose", "expand_dims", "part_at"})


def regions(body: Body, compile_rest: Compile) -> dict[int, Region]:
    """The regions of a body, by the position of their first step."""
    found = {}
    for first, stop in _runs(body):
        for part in _without_views(body, first, stop):
            span = Span(body, *part, _given(body, *part))
            if _is_worth(span):
                found[span.first] = Region(span, _taken(span), compile_rest)
    return found


def _runs(body: Body) -> Iterator[tuple[int, int]]:
    """The longest runs of steps that may be machine code."""
    first = 0
    for position, step in enumerate(body.steps):
        if not _may_be_native(step):
            yield first, position
            first = position + 1
    yield first, len(body.steps)


def _may_be_native(step: Step) -> bool:
    node = step.node
    name, ufunc = node.op.name, ufunc_of(node, is_precise())
    if name in DRAWS and not is_known_draw(step):
        return False
    if name == HOST_CALL and not (ufunc or library_name(step)):
        return False
    if (
        node.in_try
        or name in RAISES
        or not (name in OF_NUMBERS or name in OF_ARRAYS or ufunc)
    ):
        return False
    if name == "while" or not all(map(_has_machine_type, step.outputs)):
        return False
    return all(_may_be_native(inner) for body in step.bodies for inner in body.steps)


def _has_machine_type(variable: Variable) -> bool:
    spec = variable.spec
    if type(spec) is not TensorSpec or spec.dtype is None or spec.shape is None:
        return False
    try:
        machine_type(spec.dtype)
    except NotLowered:
        return False
    return len({option.dtype for option in narrowed(spec).options}) == 1


def _without_views(body: Body, first: int, stop: int) -> Iterator[tuple[int, int]]:
    """The run in parts, so that none gives a view."""
    start = first
    for position in range(first, stop):
        step = body.steps[position]
        is_view = step.of_part or step.node.op.name in VIEWS
        if step.turns_back and not step.of_part:
            is_view = not _is_taken(body, start, step)
        if is_view and step.outputs[0].spec.shape:
            if body.last_use.get(step.outputs[0], -1) >= stop:
                yield start, position
                start = position + 1
    yield start, stop


def _is_taken(body: Body, start: int, step: Step) -> bool:
    """Whether the view that a step turns back is taken in the run, of what it gives."""
    one = step
    while True:
        part = one.into or next(iter(one.inputs), None)
        if part is None or part.home is not body or part.index < start:
            return False
        one = body.steps[part.index]
        if one.node.op.name in VIEWS:
            return True


def _given(body: Body, first: int, stop: int) -> list[Variable]:
    """What the steps make and others use."""
    made = [v for step in body.steps[first:stop] for v in step.outputs]
    return [
        variable
        for variable in made
        if body.last_use.get(variable, -1) >= stop and not is_constant(variable)
    ]


def _taken(span: Span) -> list[Variable]:
    """What the steps use and others make; numbers that are constants left out."""
    made = {variable for step in span.steps for variable in step.outputs}
    used = dict.fromkeys(v for step in span.steps for v in step.inputs)
    return [
        v for v in used if v not in made and not (is_constant(v) and v.spec.shape == ())
    ]


def _is_fused(step: Step, span: Span) -> bool:
    """Whether it makes a number of an array that another step of the span gives."""
    name, outputs = step.node.op.name, step.outputs
    if name not in REDUCTIONS or not outputs or outputs[0].spec.shape != ():
        return False
    return any(step.inputs[0] in one.outputs for one in span.steps)


def _is_cast_meanwhile(step: Step) -> bool:
    """Whether NumPy casts what is added to longer numbers first, some at a time."""
    if step.node.op.name not in ("sum", "mean"):
        return False
    given, made = step.inputs[0].spec.dtype, step.outputs[0].spec.dtype
    return given is not None and given.kind in "biu" and given != made


def _is_sooner(step: Step) -> bool:
    """Whether it is a function of elements that we may have with the bits of NumPy's.

    Which of them we have is asked where machine code is made.
    """
    name = getattr(step.node.op.numpy, "__name__", "")
    if name not in OF_NUMPYS or not step.outputs or not has_fma():
        return False
    spec = step.outputs[0].spec
    known = (np.float32, np.float64, *([np.complex128] if name == "exp" else []))
    return spec.shape != () and spec.dtype in known


def _is_worth(span: Span) -> bool:
    """Whether it gives something, and saves more than its call costs."""
    made = [
        step.outputs[0]
        for step in span.steps
        if step.outputs and step.node.op.name not in ("constant", *VIEWS)
    ]
    arrays = sum(1 for variable in made if variable.spec.shape != ())
    arrays += sum(1 for step in span.steps if _is_fused(step, span))
    arrays += sum(ARRAYS for step in span.steps if _is_cast_meanwhile(step))
    arrays += sum(1 for step in span.steps if _is_sooner(step))
    return bool(span.outputs) and (arrays >= ARRAYS or len(made) >= NUMBERS)
