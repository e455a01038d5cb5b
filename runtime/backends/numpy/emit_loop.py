"""Writing a loop, which counts its steps where it may go on as machine code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.backends.llvm.switch import WORK
from runtime.backends.numpy.asked import asked
from runtime.backends.numpy.lowerings import copy_text
from runtime.backends.numpy.naming import Target, dies_here
from runtime.backends.numpy.program import Body, Step, Variable

if TYPE_CHECKING:
    from runtime.backends.llvm.hot import HotLoop
    from runtime.backends.numpy.emit import Writer


def write_while(
    writer: Writer, body: Body, step: Step, wanted: dict[Variable, Target]
) -> None:
    """The loop; its carried values are local variables."""
    if writer.is_deep():
        writer.outline(body, step, wanted)
        return
    _enter(writer, body, step, wanted)
    function = writer.function
    function.loops += 1
    test, again = step.bodies
    hot = writer.hot_loop(step) if writer.hot_loop else None
    names = _begin(writer, hot) if hot else ("", "")
    around, writer.in_native = writer.in_native, writer.in_native or bool(hot)
    _test(writer, test, step)
    if hot:
        _count(writer, hot, *names)
    targets: list[Target] = [(v.name, v) for v in step.carried]
    writer.block(again, targets)
    function.loops -= 1
    writer.in_native = around
    if hot:
        loop, count = names
        end = f"{loop}.ended({count})" if hot.is_timed else f"{loop}.begin = {count}"
        writer.write_step(end, step)


def _enter(
    writer: Writer, body: Body, step: Step, wanted: dict[Variable, Target]
) -> None:
    """Name the carried values, and give them their first values."""
    moves = []
    for index, variable in enumerate(step.carried):
        first, output = step.inputs[index], step.outputs[index]
        name = None
        if output in wanted:
            name = wanted[output][0]
        elif dies_here(first, body, step) and not writer.targets[first.name]:
            name = first.name
        variable.name = name = writer.name(output, name)
        if index in step.copied:
            moves.append((name, copy_text(first, writer.bind, deep=False)))
        elif name != first.name:
            moves.append((name, first.name))
    writer.move(moves, step.node.location)


def _test(writer: Writer, test: Body, step: Step) -> None:
    """The head of the loop; `while expression:` when the test is one line."""
    function = writer.function
    (verdict,) = test.outputs
    start = len(function.lines)
    function.level += 1
    writer.steps(test, {})
    asks, place = asked(function, test, len(test.steps), verdict)
    function.level -= 1
    written = function.lines[start:]
    del function.lines[start:]
    place = place or step.node.location
    if not written:
        function.write(f"while {asks}:", place)
        return
    function.write("while True:", step.node.location)
    function.lines += written
    function.level += 1
    function.write(f"if not {asks}: break", place)
    function.level -= 1


# Loops that become machine code when they have run for long: see backends/llvm/hot.py.


def _begin(writer: Writer, hot: HotLoop) -> tuple[str, str]:
    """Before the loop: its counter. Gives the names of the loop and the counter."""
    writer.has_hot_loops = True
    loop, count = writer.bind("loop", hot), writer.fresh("n")
    begin = f"{loop}.started()" if hot.is_timed else f"{loop}.begin"
    writer.write_step(f"{count} = {begin}", hot.step)
    return loop, count


def _count(writer: Writer, hot: HotLoop, loop: str, count: str) -> None:
    """At the head of a turn: go on as machine code, to the loop's end."""
    step, function = hot.step, writer.function
    given = ", ".join(variable.name for variable in hot.inputs)
    carried = "".join(f"{variable.name}, " for variable in step.carried)
    found = f"{count}found"
    before, after = writer.around_native(step, loop)
    # Or it would hold what the loop has given.
    holds = any(variable.spec.shape != () for variable in step.carried)
    gone = [f"{found} = None"] if holds else []
    if hot.is_timed:
        asked = [(1, f"if {loop}.is_due({count}):")]
        missed = f"{loop}.missed({count})"
    else:
        asked = [(1, f"{count} += {hot.work}"), (1, f"if {count} >= {WORK}:")]
        missed = f"{count} = {loop}.later"
    lines = [
        *asked,
        *((2, line) for line in before),
        (2, f"{found} = {loop}.run({given})"),
        (2, f"if {found} is not None:"),
        *((3, line) for line in [*after, f"{carried}= {found}", *gone]),
        (3, "break"),
        (2, missed),
    ]
    level = function.level
    for deeper, line in lines:
        function.level = level + deeper
        writer.write_step(line, step)
    function.level = level
