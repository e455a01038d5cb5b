"""Writing steps that may be machine code: a call of it, or the steps as Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.backends.numpy.naming import Target
from runtime.backends.numpy.program import Body, Variable

if TYPE_CHECKING:
    from runtime.backends.llvm.hot import Region
    from runtime.backends.numpy.emit import Writer


def write_region(
    writer: Writer, body: Body, region: Region, wanted: dict[Variable, Target]
) -> None:
    """The call; where it gives None the steps are run by Python, and timed."""
    span, function = region.span, writer.function
    writer.has_hot_loops = True
    name, found = writer.bind("region", region), writer.fresh("found")
    given = ", ".join(variable.name for variable in region.inputs)
    first = span.steps[0]
    before, after = writer.around_native(first, name)
    for line in before:
        writer.write_step(line, first)
    writer.write_step(f"{found} = {name}.run({given})", first)
    writer.write_step(f"if {found} is None:", first)
    function.level += 1
    around, writer.in_native = writer.in_native, True
    for position in range(span.first, span.stop):
        writer.step(body, position, wanted)
    writer.in_native = around
    writer.write_step(f"{name}.ended()", first)
    function.level -= 1
    writer.write_step("else:", first)
    function.level += 1
    for line in after:
        writer.write_step(line, first)
    left = "".join(f"{variable.name}, " for variable in span.outputs)
    writer.write_step(f"{left}= {found}", first)
    taken = {variable.name for variable in span.outputs}
    dead = writer.dead(body, span.stop - 1, region.inputs)
    gone = [one for one in dead if one not in taken]
    # What it has given is held by this name, too.
    gone += [found] if any(one.spec.shape != () for one in span.outputs) else []
    if gone:
        function.write(" = ".join(gone) + " = None", None)
    function.level -= 1
