"""kinds_apart: what is done with a number of several kinds, for each kind by itself.

A step whose operand may be a Python int or a NumPy float is written once for each of
them, where the run finds that it is the one: what it gives there is of one kind, which
the op's rule tells. So each is computed by the row for numbers of one kind, with the
exits that such have; what comes of it is a number of several kinds again, or of one.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.backends.llvm.loops import (
    INT,
    Local,
    Mixed,
    Number,
    Operand,
    Value,
    operands_of,
)
from runtime.backends.llvm.values import NotLowered, machine_type, narrowed, parts_of
from runtime.backends.numpy.program import Step, Variable
from runtime.spec import TensorSpec, of_kinds

if TYPE_CHECKING:
    from runtime.backends.llvm.lowering import Lowering

# The ops that take numbers of several kinds as they are.
OF_KINDS = frozenset({"kind_of", "as_kind", "identity"})
Specs = tuple[TensorSpec, ...]


def apart(lowering: Lowering, step: Step, lower: Callable[[Step], None]) -> bool:
    """Do a step of a number of several kinds for each; whether it is one.

    lower: writes a step of numbers of one kind
    """
    values = lowering.values
    found = [v for v in step.inputs if isinstance(values.get(v), Mixed)]
    if not found or step.bodies or step.node.op.name in OF_KINDS:
        return False
    specs = [variable.spec for variable in step.outputs]
    if not all(type(one) is TensorSpec and one.shape == () for one in specs):
        return False
    made = [lowering.entering(variable) for variable in step.outputs]
    _Apart(lowering, step, lower, made).of(found[0])
    values.update(zip(step.outputs, made, strict=True))
    return True


class _Apart:
    """One step, and the locals that take what it gives of each kind."""

    def __init__(
        self,
        lowering: Lowering,
        step: Step,
        lower: Callable[[Step], None],
        made: Sequence[Value],
    ) -> None:
        self.lowering, self.step, self.lower, self.made = lowering, step, lower, made

    def of(self, variable: Variable) -> None:
        """Write it for each kind of one of its operands."""
        lowering = self.lowering
        before, outer = lowering.values[variable], lowering.kinds
        looked = dict(lowering.looked)
        assert isinstance(before, (Mixed, Number))

        def of_kind(option: Number) -> None:
            lowering.values[variable] = option
            lowering.kinds = (*outer, option)
            self.of_next()
            lowering.looked = dict(looked)  # a key of one kind is none of another

        try:
            lowering.for_each_kind(as_mixed(lowering, before), of_kind)
        finally:
            lowering.values[variable], lowering.kinds = before, outer

    def of_next(self) -> None:
        """Write it for each kind of the next operand that is of several, if any is."""
        given = {one: self.lowering.values.get(one) for one in self.step.inputs}
        for variable, value in given.items():
            if isinstance(value, Mixed):
                self.of(variable)
                return
        specs = self._given()
        if specs is None:
            self.lowering.leave_if(True)  # Python raises
            for to in self.made:
                # Lanes want what both branches write, though nobody reads it here.
                self.lowering.assign(operands_of(to), [0] * len(operands_of(to)))
            return
        if all(len(_dtypes(spec)) == 1 for spec in specs):
            self._write(specs)
            return
        for variable, value in given.items():
            if isinstance(value, Number) and isinstance(value.weak, Local):
                self.of(variable)
                return
        raise NotLowered("a result of several kinds")

    def _given(self) -> Specs | None:
        """What the step gives of operands of these kinds; None: it raises."""
        node, values = self.step.node, self.lowering.values
        options: list[Sequence[TensorSpec]] = []
        for variable in self.step.inputs:
            value = values.get(variable)
            if isinstance(value, Number):
                options.append(_specs(value))
            else:
                options.append(variable.spec.options)
        found: list[Specs] = []
        for specs in itertools.product(*options):
            try:
                made = node.op.infer(*specs, **node.attributes)
            except Exception:  # by whatever the rule says it
                continue
            found.append(made if isinstance(made, tuple) else (made,))
        if not found:
            return None
        return tuple(
            of_kinds((), [(o.dtype, o.weak) for one in each for o in one.options])
            for each in zip(*found, strict=True)
        )

    def _write(self, specs: Specs) -> None:
        lowering, outputs = self.lowering, self.step.outputs
        with _as(outputs, specs):
            self.lower(self.step)
            for variable, to in zip(outputs, self.made, strict=True):
                lowering.assign(
                    operands_of(to), lowering.as_other(lowering.value(variable), to)
                )


def _specs(number: Number) -> list[TensorSpec]:
    """A spec for each kind that a number of one dtype may be of."""
    flags = (True, False) if isinstance(number.weak, Local) else (number.weak,)
    return [TensorSpec((), number.dtype, flag) for flag in flags]


def _dtypes(spec: TensorSpec) -> set[np.dtype[Any] | None]:
    return {option.dtype for option in narrowed(spec).options}


@contextmanager
def _as(variables: Sequence[Variable], specs: Specs) -> Iterator[None]:
    """For as long as one kind is written, what the rows ask of is what it gives."""
    before = [variable.spec for variable in variables]
    for variable, spec in zip(variables, specs, strict=True):
        variable.spec = spec
    try:
        yield
    finally:
        for variable, spec in zip(variables, before, strict=True):
            variable.spec = spec


# --- from some kinds to others --------------------------------------------------------
def as_mixed(lowering: Lowering, value: Mixed | Number) -> Mixed:
    """A number that may be Python's or NumPy's as one of the two kinds."""
    if isinstance(value, Mixed):
        return value
    assert isinstance(value.weak, Local)
    tag = lowering.compute("select", INT, value.weak, 0, 1, type=INT)
    return Mixed(tag, tuple(value._replace(weak=flag) for flag in (True, False)))


def as_kinds(lowering: Lowering, value: Value, to: Mixed) -> list[Operand]:
    """The operands of a number that is put where one of several kinds is."""
    kinds = [(one.dtype, one.weak) for one in to.options]
    if isinstance(value, Number) and isinstance(value.weak, Local):
        value = as_mixed(lowering, value)
    if isinstance(value, Number):
        value = Mixed(0, (value,))
    if not isinstance(value, Mixed):
        raise NotLowered("what is not of the kinds in one name")
    own = [(one.dtype, one.weak) for one in value.options]
    if own == kinds:
        return [*operands_of(value)]
    if not set(own).issubset(kinds):
        raise NotLowered("numbers of several kinds where there are others")
    *others, tag = [kinds.index(kind) for kind in own]
    found: Operand = tag
    for place, number in enumerate(others):
        same = lowering.compute("icmp eq", "i1", value.tag, place, type=INT)
        found = lowering.compute("select", INT, same, number, found, type=INT)
    parts: list[Operand] = [found]
    for kind, option in zip(kinds, to.options, strict=True):
        # The others are anything.
        there = kind in own
        zeros = (0,) * len(option.parts)
        parts += value.options[own.index(kind)].parts if there else zeros
    return parts


def as_one(
    lowering: Lowering,
    value: Mixed,
    dtype: np.dtype[Any],
    convert: Callable[[Number], Sequence[Operand]],
) -> Number:
    """A number of several kinds as one of a dtype, by what `convert` makes of each."""
    kind = machine_type(dtype)
    parts = tuple(lowering.local(kind) for _ in range(parts_of(dtype)))
    lowering.for_each_kind(
        value, lambda option: lowering.assign(parts, [*convert(option)])
    )
    return Number(dtype, False, parts)
