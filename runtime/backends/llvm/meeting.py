"""meeting: where what is left as an expression is computed in the end.

What several steps take is left as one if all that they give is computed by the same
step, which then computes it once for them all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from runtime.backends.llvm.span import is_constant
from runtime.backends.llvm.values import ufunc_of
from runtime.backends.numpy.program import Body, Step, Variable
from runtime.dtypes import same_dtype
from runtime.ops.elementwise import ufunc_dtypes

Answer = TypeVar("Answer")
REDUCTIONS = ("sum", "mean", "prod", "max", "min", "any", "all")
# The ops that take a Map as it is, and those that give no other one then.
ENDS = frozenset({"store", "with_part_at", "argmax", "argmin"})
OF_ROWS = frozenset({*REDUCTIONS, "var", "std"})
# Those that write each of what they take where it is to be.
JOINED = frozenset({"concatenate", "stack"})
TAKERS = frozenset({"where", "array_power", "clip", "cast", "round", *ENDS, *OF_ROWS})


class Meeting:
    """What is asked of the steps of a function under construction.

    precise: whether functions of elements are NumPy's alone
    known:   the step that computes a variable, by the variable
    inside:  the variables of which nothing but machine code sees the memory, or others
    """

    def __init__(self, end_of: Callable[[Body], int], precise: bool) -> None:
        self.end_of, self.precise = end_of, precise
        self.known: dict[Variable, Step | None] = {}
        self.inside: dict[Variable, bool] = {}

    def step_of(self, variable: Variable) -> Step | None:
        """The one step that computes a variable; None: several, or it is an array."""
        return answered(variable, self.known, self._given, self._step_of)

    def _given(self, variable: Variable) -> list[Variable]:
        """What the steps that take a variable give: they are asked about that."""
        return [made for step in self._users(variable) for made in step.outputs[:1]]

    def _step_of(self, variable: Variable) -> Step | None:
        found = {self._end(one, variable) for one in self._users(variable)}
        return found.pop() if len(found) == 1 else None

    def _users(self, variable: Variable) -> list[Step]:
        """The steps that take a variable; none where others see it, too."""
        body = variable.home
        last = body.last_use.get(variable, -1)
        if last >= self.end_of(body) or last <= variable.index or variable in body.kept:
            return []
        between = body.steps[variable.index + 1 : last + 1]
        return [step for step in between if variable in step.inputs]

    def _end(self, step: Step, variable: Variable) -> Step | None:
        if not self.takes(step, variable):
            return None
        name = step.node.op.name
        if name in JOINED:
            return None  # what two of its parts share would be computed for each
        if name in ENDS or (name in OF_ROWS and not is_of_rows(step)):
            return step
        return self.step_of(step.outputs[0]) or step

    def takes(self, step: Step, variable: Variable) -> bool:
        """Whether a step takes a variable as an expression."""
        name = step.node.op.name
        if axes_added(step) is not None:
            return self.step_of(step.outputs[0]) is not None
        if name == "with_part_at":
            return variable is step.inputs[1]
        if name == "store":
            target, _, *dynamic = step.inputs
            # Python stores by masks and by arrays of indices.
            by_arrays = any(one.spec.shape != () for one in dynamic)
            return not by_arrays and variable not in (target, *dynamic)
        if name in JOINED:
            # The first one tells in which order they lie.
            is_told = len(variable.spec.shape or ()) > 1
            is_first = variable is step.inputs[0]
            return step.inputs.count(variable) == 1 and not (is_told and is_first)
        if name == "ufunc_into" and variable is step.inputs[0]:
            # What is cast may be Python's to do, and raise: what was is to be there.
            return not _is_cast(step)
        if name == "array_power" and step.inputs[1].spec.shape == ():
            return is_constant(step.inputs[1])  # else Python does it
        return bool(ufunc_of(step.node, self.precise)) or name in TAKERS


def _is_cast(step: Step) -> bool:
    """Whether a ufunc may give another dtype than that of where it is written."""
    out, *operands = (variable.spec for variable in step.inputs)
    (made,) = ufunc_dtypes(step.node.attributes["ufunc"], tuple(operands))
    return made is None or not same_dtype(made, out.dtype)


def answered(
    variable: Variable,
    known: dict[Variable, Answer],
    after: Callable[[Variable], Sequence[Variable]],
    answer: Callable[[Variable], Answer],
) -> Answer:
    """`answer(variable)`, which asks for the answers of those `after` it.

    Thousands of steps in a row would ask one another, deeper than Python goes: those
    after it are asked first.
    """
    waiting = [variable]
    while variable not in known:
        one = waiting[-1]
        unknown = [other for other in after(one) if other not in known]
        if unknown:
            waiting += unknown
            continue
        known[one] = answer(one)
        while waiting and waiting[-1] in known:
            waiting.pop()
    return known[variable]


def axes_added(step: Step) -> list[int] | None:
    """The places of new axes in the result, where they are all that a step adds."""
    (made,) = step.outputs if len(step.outputs) == 1 else (None,)
    if made is None or made.spec.shape is None:
        return None
    rank, known = len(made.spec.shape), step.node.attributes
    if step.node.op.name == "expand_dims":
        axis = known["axis"]
        axes = axis if isinstance(axis, tuple) else (axis,)
        return sorted(one % rank for one in axes)
    if step.node.op.name != "slice" or len(step.inputs) != 1:
        return None
    index = known["index"]
    if not all(part is None or part is ... or _is_whole(part) for part in index):
        return None
    if ... in index:
        at = index.index(...)
        more = rank - (len(index) - 1)
        index = (*index[:at], *(slice(None),) * more, *index[at + 1 :])
    found = [place for place, part in enumerate(index) if part is None]
    return found or None


def is_of_rows(step: Step) -> bool:
    """Whether a reduction makes a number of each row, of which there are several."""
    shape, known = step.inputs[0].spec.shape, step.node.attributes
    rank, axis = len(shape or ()), known.get("axis")
    if isinstance(axis, tuple):
        axis = axis[0] if len(axis) == 1 else None
    return rank > 1 and isinstance(axis, int) and axis % rank == rank - 1


def _is_whole(part: Any) -> bool:
    return isinstance(part, slice) and part == slice(None)
