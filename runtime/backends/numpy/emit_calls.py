"""Writing a recursion: its graph as a Python function that calls itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.backends.numpy.lowerings import copy_text
from runtime.backends.numpy.naming import Target
from runtime.backends.numpy.program import Body, Step, Variable

if TYPE_CHECKING:
    from runtime.backends.numpy.emit import Writer

# How the names of the functions begin that recursions become.
CALLED = "call_"


def called(step: Step) -> str:
    """The name of the Python function that a recursion, or a call of it, runs."""
    return f"{CALLED}{step.node.attributes['function']}"


def write_recursion(
    writer: Writer, body: Body, step: Step, wanted: dict[Variable, Target]
) -> None:
    """The function, and its first call."""
    outer = writer.function
    inner = writer.function = type(outer)(level=0)
    own = step.bodies[0]
    # What the checkpoints in it write is handed on by each call.
    kept = writer.handed[called(step)] = [*writer.cells.values()]
    head = ", ".join([*map(writer.name, step.carried), *kept])
    inner.write(f"def {called(step)}({head}):", None)
    inner.level = 1
    writer.steps(own, {})
    results = [_returned(writer, variable) for variable in own.outputs]
    inner.write("return (" + "".join(f"{r}, " for r in results) + ")", None)
    writer.done.append(inner)
    writer.function = outer
    write_call(writer, body, step, wanted)


def _returned(writer: Writer, variable: Variable) -> str:
    """An output of a recursive function, which may be called again."""
    if writer.sharing.is_constant(variable):
        return copy_text(variable, writer.bind)
    return variable.name


def write_call(
    writer: Writer, body: Body, step: Step, wanted: dict[Variable, Target]
) -> None:
    """A call of the function."""
    names = [
        copy_text(one, writer.bind, deep=False) if at in step.copied else one.name
        for at, one in enumerate(step.inputs)
    ]
    given = ", ".join([*names, *writer.handed[called(step)]])
    made = [writer.output(variable, wanted) for variable in step.outputs]
    left = "".join(f"{name}, " for name in made)
    text = f"{called(step)}({given})"
    writer.write_step(f"{left}= {text}" if left else text, step)
