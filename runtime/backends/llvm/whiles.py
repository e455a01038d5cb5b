"""whiles: a `while` of a program, to loop IR: its test, its body, what it carries."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.backends.llvm.block_turns import block_turns
from runtime.backends.llvm.given_parts import as_part, gives_part
from runtime.backends.llvm.loops import (
    BIT,
    Array,
    Block,
    Function,
    List,
    Local,
    Operand,
    Referred,
    TypedList,
    Value,
    operands_of,
)
from runtime.backends.llvm.lowering import LOWER, OF_ARRAYS, Lowering
from runtime.backends.llvm.operands import kept_in_place
from runtime.backends.llvm.walking import around
from runtime.backends.numpy.program import Step, Variable


def loop_function(
    lowering: Lowering, name: str, inputs: Sequence[Variable]
) -> Function:
    """The one step, a loop, at any turn; inputs: the carried variables first."""
    (step,) = lowering.span.steps
    given = lowering.enter(inputs)
    carried = [
        as_part(value) if gives_part(lowering.values, step, place) else value
        for place, value in enumerate(given[: len(step.carried)])
    ]
    lowering.values.update(zip(step.carried, carried, strict=True))
    _loop(lowering, step, carried)
    return lowering.finished(name, inputs, given, carried)


def inner_loop(lowering: Lowering, step: Step) -> None:
    """A `while` in the loop: its carried locals begin as the first values."""
    body, _ = lowering.place
    kept = {at for at in kept_in_place(step) if _is_one(lowering, step, at)}
    carried = [
        lowering.value(step.inputs[at]) if at in kept else _carried(lowering, step, at)
        for at in range(len(step.carried))
    ]
    # The captures follow.
    pairs = enumerate(zip(step.inputs, carried, strict=False))
    firsts = [
        _own_copy(lowering, first)
        if at in step.copied
        else lowering.as_other(lowering.value(first), to)
        for at, (first, to) in pairs
    ]
    targets = [one for value in carried for one in operands_of(value)]
    lowering.assign(targets, [one for parts in firsts for one in parts])
    for at, (variable, value) in enumerate(zip(step.carried, carried, strict=True)):
        lowering.values[variable] = value
        if at in kept:
            lowering.join(variable, step.inputs[at])
        elif isinstance(value, Referred):
            if at not in step.copied:
                lowering.emit("hold", value.object)
            lowering.hold(variable, value.object, body)
    _loop(lowering, step, carried)
    lowering.place = around(step.bodies[0])
    for output, variable in zip(step.outputs, step.carried, strict=True):
        lowering.values[output] = lowering.values[variable]
        if isinstance(lowering.values[output], Referred):
            lowering.join(output, variable)


def _carried(lowering: Lowering, step: Step, at: int) -> Value:
    """Locals for what a loop carries, which may begin as a part of an array."""
    first, made = lowering.value(step.inputs[at]), lowering.given_by(step, at)
    return as_part(made) if isinstance(first, Array) and first.is_view else made


def _is_one(lowering: Lowering, step: Step, at: int) -> bool:
    """Whether what a loop carries can be what it is given: all is known of it there."""
    value, sizes = lowering.value(step.inputs[at]), step.carried[at].spec.shape
    if not isinstance(value, Array):
        return True
    known = zip(value.dims, sizes or (), strict=True)
    return all(
        size == wanted and not isinstance(size, Local)
        for size, wanted in known
        if isinstance(wanted, int)
    )


def _own_copy(lowering: Lowering, variable: Variable) -> list[Operand]:
    """The operands of a new array, or list, with the content of this one."""
    value = lowering.value(variable)
    if isinstance(value, List):
        return [lowering.copied_list(value, lowering.exit())]
    if isinstance(value, TypedList):
        made = lowering.copied_typed(value, value.data, value.length, lowering.exit())
        return [*operands_of(made)]
    return lowering.copied(lowering.array_of(variable), lowering.exit())


def _loop(lowering: Lowering, step: Step, carried: list[Value]) -> None:
    """The loop itself: test, body, and the next values into the same locals."""
    test, again = step.bodies
    verdict = lowering.local(BIT)

    def head() -> None:
        lowering.steps(test)
        lowering.assign([verdict], lowering.number_of(test.outputs[0]).parts)
        for hold in [hold for hold in lowering.holds if hold.home is test]:
            lowering.release(hold)

    def turn() -> None:
        lowering.steps(again)
        hand_over()

    def hand_over() -> None:
        kept = [lowering.held.get(variable) for variable in step.carried]
        lowering.hand_over(again, carried, kept)  # type: ignore[arg-type] # arrays have

    def body() -> None:
        # Before the steps: after them LLVM could no longer see that a turn which
        # decides that it is the last one is so.
        lowering.emit("poll", *(hold.object for hold in lowering.holds))
        turns = block_turns(lowering, step)
        if turns is None:
            turn()
            return
        blocks = (turns.block(hand_over), lowering.within(turn))
        lowering.emit("if", turns.test, blocks=blocks)

    blocks: tuple[Block, ...] = (lowering.within(head), lowering.within(body))
    lowering.turns.begin(lowering, step)
    lowering.emit("while", verdict, blocks=blocks)


LOWER["while"] = OF_ARRAYS["while"] = inner_loop
