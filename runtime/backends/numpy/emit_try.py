"""Writing a `try` node: a try statement that tells what was raised, and the state then.

A checkpoint puts its values into a list, which the deeper blocks share, functions of
their own among them. The handlers are no part of the statement: they are branches that
come after it and ask which one was chosen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from runtime.backends.numpy.naming import Target
from runtime.backends.numpy.program import Body, Step, Variable
from runtime.errors import UnforeseenError
from runtime.ops.template import fill

if TYPE_CHECKING:
    from runtime.backends.numpy.emit import Writer

Catches = tuple[tuple[type[BaseException], ...], ...]


def write_try(
    writer: Writer, body: Body, step: Step, wanted: dict[Variable, Target]
) -> None:
    """The statement, before it the first values of all that it sets."""
    if writer.is_deep():
        writer.outline(body, step, wanted)
        return
    node, (inner,) = step.node, step.bodies
    guard, catches = node.attributes["guard"], node.attributes["catches"]
    # Names of their own: until the end, the handlers may read what others hold.
    clause, caught, *others = map(writer.name, step.outputs)
    count = len(node.attributes["cells"])
    kept, ends = others[:count], others[count:]
    function, location = writer.function, node.location
    function.write(f"{clause} = 0", None)
    function.write(" = ".join([*ends, caught]) + " = None", None)
    cells = ""
    if kept:
        cells = writer.cells[id(guard)] = writer.fresh("cells")
        function.write(f"{cells} = [None] * {count}", None)
    function.write("try:", location)
    function.loops += 1
    writer.block(inner, [(name, None) for name in ends])
    function.loops -= 1
    writer.cells.pop(id(guard), None)
    unforeseen = writer.bind(UnforeseenError.__name__, UnforeseenError)
    function.write(f"except {unforeseen}:", None)
    function.level += 1
    function.write("raise", None)
    function.level -= 1
    kinds = tuple(dict.fromkeys(kind for clause in catches for kind in clause))
    types = ", ".join(writer.bind(kind.__name__, kind) for kind in kinds)
    function.write(f"except ({types},) as error:", None)
    function.level += 1
    chosen = (
        f"{writer.bind('clause', clause_of)}(error, {writer.bind('kinds', catches)})"
    )
    function.write(f"{clause}, {caught} = {chosen}, error", None)
    function.level -= 1
    if kept:
        function.write(f"{', '.join(kept)}, = {cells}", None)


def write_checkpoint(
    writer: Writer, body: Body, step: Step, wanted: dict[Variable, Target]
) -> None:
    """The values, into the list that stands for the try statement."""
    if step.inputs:
        cells = writer.cells[id(step.node.attributes["guard"])]
        left = ", ".join(f"{cells}[{cell}]" for cell in step.node.attributes["cells"])
        values = ", ".join(variable.name for variable in step.inputs)
        writer.function.write(f"{left} = {values}", step.node.location)


def clause_of(error: BaseException, catches: Catches) -> int:
    """The number of the first handler that takes `error`, from 1 on."""
    kinds = type(error).__mro__
    numbers = (
        n for n, clause in enumerate(catches, 1) if any(k in kinds for k in clause)
    )
    return next(numbers)


def write_reraise(
    writer: Writer, body: Body, step: Step, wanted: dict[Variable, Target]
) -> None:
    """`raise` in the function's own line: the traceback stays the one that it was."""
    caught, content = step.inputs[0].name, step.node.attributes["content"]
    if content is not None:
        names = ", ".join(variable.name for variable in step.inputs)
        kept = writer.bind("content", content)
        caught = f"{writer.bind('changed', _changed)}({kept}, {names})"
    writer.write_step(f"raise {caught}", step)


def _changed(content: Any, error: BaseException, *inputs: Any) -> BaseException:
    """The exception with the arguments and attributes that the program has set."""
    args, attributes, cause, alone = fill(content, inputs)
    error.args = error.args if args is None else args
    if cause is not None or alone:
        # Which also hides its context.
        error.__cause__ = cause
    error.__dict__.update(attributes)
    return error
