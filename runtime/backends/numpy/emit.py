"""Writing a program as the text of one flat Python function.

A node is one line; an `if` node is an if statement, a `while` node a while loop whose
carried values are local variables. A value that becomes a carried value, or the result
of a branch, is given that name at once where nothing still reads what the name holds;
what remains are moves at the end of the block. Arrays are let go after their last use,
small ones too: NumPy then hands the memory out again (0.02 us less for each node).
"""

from __future__ import annotations

import math
import operator
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from runtime.backends.numpy.asked import asked
from runtime.backends.numpy.emit_calls import write_call, write_recursion
from runtime.backends.numpy.emit_loop import write_while
from runtime.backends.numpy.emit_region import write_region
from runtime.backends.numpy.emit_stores import (
    write_changed,
    write_into,
    write_list_change,
    write_part,
    write_store,
)
from runtime.backends.numpy.emit_try import write_checkpoint, write_reraise, write_try
from runtime.backends.numpy.lowerings import (
    LIST_STATEMENTS,
    LOWERINGS,
    call_text,
    copy_text,
    literal,
    may_be_list,
)
from runtime.backends.numpy.naming import Target, direct, is_held
from runtime.backends.numpy.program import Body, Step, Variable
from runtime.backends.numpy.sharing import Sharing
from runtime.backends.numpy.table_lowerings import TABLE_LOWERINGS
from runtime.backends.numpy.watching import Watch
from runtime.location import Location
from runtime.memory import STORES, makes_its_own
from runtime.spec import PYTHON_NUMBERS, ObjectSpec, object_type
from runtime.structs import field, struct

if TYPE_CHECKING:
    from runtime.backends.llvm.hot import HotLoop, Region

# CPython refuses 21 nested loops and 101 levels of indentation; deeper blocks become
# functions of their own.
LOOPS, LEVELS = 16, 40


@struct(frozen=False)
class Function:
    """The lines of one function under construction, each with its node's place."""

    lines: list[tuple[int, str, Location | None]] = field(default_factory=list)
    level: int = 1
    loops: int = 0

    def write(self, text: str, location: Location | None) -> None:
        self.lines.append((self.level, text, location))


# What the copies of lists that are results know of each other.
MEMO = "memo"


class Writer:
    """The text of a whole program, and the objects that it names."""

    def __init__(
        self,
        sharing: Sharing,
        hot_loop: Callable[[Step], HotLoop | None] | None = None,
        regions: Callable[[Body], dict[int, Region]] | None = None,
    ) -> None:
        self.namespace: dict[str, Any] = {"np": np, "math": math, "operator": operator}
        self.sharing = sharing
        self._bound: dict[tuple[str, int], str] = {}
        # What the names of the program hold, or have held.
        self._named: defaultdict[str, list[Variable]] = defaultdict(list)
        self.function = Function()
        self.done: list[Function] = []
        # How many of the blocks around want a value under this name.
        self.targets: Counter[str] = Counter()
        self._count = 0
        self._parts = 0
        # The lists that the open try statements' checkpoints write, by guard.
        self.cells: dict[int, str] = {}
        self.handed: dict[str, list[str]] = {}
        self.hot_loop = hot_loop
        self.regions = regions
        self.in_native = False
        self.has_hot_loops = False
        self.watch: Watch | None = None

    def write(
        self, program: Body, inputs: list[Variable]
    ) -> tuple[str, list[Location | None]]:
        """The text of `run` and its helpers, and the place behind each line."""
        for variable in inputs:
            self.name(variable)
        self.function.level = 0
        head = ", ".join(variable.name for variable in inputs)
        self.function.write(f"def run({head}):", None)
        self.function.level = 1
        self.steps(program, {})
        results = self._results(program.outputs)
        self.function.write("return (" + "".join(f"{r}, " for r in results) + ")", None)
        self.done.append(self.function)
        lines = [line for function in self.done for line in function.lines]
        text = "".join(f"{'    ' * level}{line}\n" for level, line, _ in lines)
        return text, [location for _, _, location in lines]

    # Names.

    def bind(self, stem: str, thing: Any) -> str:
        """The global name of an object; the same object and stem, the same name."""
        key = (stem, id(thing))
        name = self._bound.get(key)
        if name is None:
            plain = re.sub(r"\W", "_", stem)
            name, count = plain + "_", 1
            while name in self.namespace:
                count += 1
                name = f"{plain}_{count}"
            self._bound[key] = name
            self.namespace[name] = thing
        return name

    def fresh(self, stem: str) -> str:
        """A name that nothing in the program has."""
        self._count += 1
        return f"{stem}{self._count}"

    def name(self, variable: Variable, wanted: str | None = None) -> str:
        if wanted is None:
            self._count += 1
            wanted = f"v{self._count}"
        variable.name = wanted
        self._named[wanted].append(variable)
        return wanted

    def _results(self, outputs: Iterable[Variable]) -> list[str]:
        lists = [one for one in outputs if may_be_list(one.spec)]
        copied = self._copied_once(outputs)
        if not any(map(self.sharing.is_constant, lists)):
            return [copied.get(one) or self._result(one) for one in outputs]
        # A list in two results stays one list: if one is copied, all are.
        self.function.write(f"{MEMO} = {{}}", None)
        copied |= {one: copy_text(one, self.bind, memo=MEMO) for one in lists}
        return [copied.get(one) or self._result(one) for one in outputs]

    def _copied_once(self, outputs: Iterable[Variable]) -> dict[Variable, str]:
        """The names of copies of those constants that are several results."""
        found = {}
        for variable, count in Counter(outputs).items():
            is_array = not may_be_list(variable.spec)
            if count > 1 and is_array and self.sharing.is_constant(variable):
                found[variable] = self.fresh("v")
                made = copy_text(variable, self.bind)
                self.function.write(f"{found[variable]} = {made}", None)
        return found

    def _result(self, variable: Variable) -> str:
        """An output of the whole graph: a scalar for 0-d, and never our constants."""
        spec, name = variable.spec, variable.name
        if self.sharing.is_constant(variable):
            return copy_text(variable, self.bind)
        if spec.shape == () and not spec.weak and not isinstance(spec, ObjectSpec):
            array = self.bind("ndarray", np.ndarray)
            return f"{name}[()] if type({name}) is {array} else {name}"
        return name

    # Blocks.

    def steps(self, body: Body, wanted: dict[Variable, Target]) -> None:
        found = self.regions(body) if self.regions and not self.in_native else {}
        position = 0
        while position < len(body.steps):
            region = found.get(position)
            if region and not self.is_deep():
                write_region(self, body, region, wanted)
                position = region.span.stop
            else:
                self.step(body, position, wanted)
                position += 1

    def step(self, body: Body, position: int, wanted: dict[Variable, Target]) -> None:
        step = body.steps[position]
        name = step.node.op.name
        write = self._WRITERS.get(name, Writer.plain)
        if self.watch is None or name == "constant":
            write(self, body, step, wanted)
        else:
            number = self.watch.enter(self, step)
            write(self, body, step, wanted)
            self.watch.leave(self, step, number)
        taken = {variable.name for variable in step.outputs}
        used = dict.fromkeys((*step.inputs, *step.outputs))
        kept = [v for v in used if v.name not in taken or v in step.outputs]
        if dead := self.dead(body, position, kept):
            self.function.write(" = ".join(dead) + " = None", None)

    def around_native(self, step: Step, called: str) -> tuple[list[str], list[str]]:
        """What a watch writes around a call of machine code: see there."""
        return self.watch.around_native(self, step, called) if self.watch else ([], [])

    def dead(self, body: Body, position: int, used: Iterable[Variable]) -> list[str]:
        """The names of those arrays that a step at this position was last to use."""
        return list(
            dict.fromkeys(
                variable.name
                for variable in used
                if variable.home is body
                and variable.index >= 0
                and body.last_use.get(variable, position) <= position
                and not variable.constant
                and _is_array(variable)
                and not is_held(self._named[variable.name], body, position)
            )
        )

    def block(self, body: Body, targets: list[Target]) -> None:
        """A branch or loop body whose outputs end up in the names of `targets`."""
        function = self.function
        function.level += 1
        start = len(function.lines)
        names = [name for name, _ in targets]
        self.targets.update(names)
        self.steps(body, direct(body, targets))
        self.targets.subtract(names)
        moves = [
            (name, variable.name)
            for (name, _), variable in zip(targets, body.outputs, strict=True)
            if name != variable.name
        ]
        self.move(moves, None)
        if len(function.lines) == start:
            function.write("pass", None)
        function.level -= 1

    def move(self, moves: list[tuple[str, str]], location: Location | None) -> None:
        """All at once, so that no move overwrites what another still reads."""
        if moves:
            left = ", ".join(name for name, _ in moves)
            self.function.write(
                left + " = " + ", ".join(source for _, source in moves), location
            )

    # Steps.

    def _constant(self, body: Body, step: Step, wanted: dict[Variable, Target]) -> None:
        (variable,) = step.outputs
        variable.constant = True
        value = step.node.attributes["value"]
        if type(value) in PYTHON_NUMBERS or type(value) is str:
            text = literal(value)
            negative = text is not None and text.startswith("-")
            variable.name = f"({text})" if negative else text or self.bind("c", value)
            return
        if step.node.attributes.get("shared") is True:
            variable.name = self.bind("shared", value)
            return
        variable.name = self.bind("c", value)

    def plain(self, body: Body, step: Step, wanted: dict[Variable, Target]) -> None:
        if step.into is not None or step.stored is not None:
            write_into(self, step, wanted)
            return
        left = ", ".join(self.output(variable, wanted) for variable in step.outputs)
        text = self.expression(step)
        self.function.write(f"{left} = {text}" if left else text, step.node.location)

    def output(self, variable: Variable, wanted: dict[Variable, Target]) -> str:
        target = wanted.get(variable)
        return self.name(variable, target[0] if target else None)

    def write_step(self, line: str, step: Step) -> None:
        self.function.write(line, step.node.location)

    def expression(self, step: Step) -> str:
        """The step's outputs as one Python expression of its inputs' names."""
        node = step.node
        names = [variable.name for variable in step.inputs]
        name = node.op.name
        lowering = TABLE_LOWERINGS.get(name) or LOWERINGS.get(name)
        if lowering is not None:
            text = lowering(step, names, self.bind)
        elif step.in_place and node.op.into is not None:
            text = call_text(step, node.op.into, names, self.bind)
        elif isinstance(node.op.numpy, np.ufunc) and any(map(_is_text, step.inputs)):
            # Operators of an element of an array of text are Python's own.
            text = f"{self.bind(node.op.name, node.op.numpy)}({', '.join(names)})"
        elif node.op.source is not None:
            if "}." in node.op.source:
                # `5.real` is no Python.
                names = [f"({n})" if n.isdecimal() else n for n in names]
            text = node.op.source.format(*names, **node.attributes)
        else:
            text = call_text(step, node.op.kernel, names, self.bind)
        if not makes_its_own(node) and _is_scalar(step):
            # A 0-d view would change with what it views.
            return f"{self.bind('scalar', _scalar)}({text})"
        return text

    def _if(self, body: Body, step: Step, wanted: dict[Variable, Target]) -> None:
        if self.is_deep():
            self.outline(body, step, wanted)
            return
        targets = [
            (self.output(variable, wanted), wanted.get(variable, ("", None))[1])
            for variable in step.outputs
        ]
        function = self.function
        asks, place = asked(function, body, step.bodies[0].position, step.inputs[0])
        function.write(f"if {asks}:", place or step.node.location)
        self.block(step.bodies[0], targets)
        start = len(function.lines)
        function.write("else:", None)
        self.block(step.bodies[1], targets)
        if [line for _, line, _ in function.lines[start + 1 :]] == ["pass"]:
            del function.lines[start:]

    # Functions of their own.

    def is_deep(self) -> bool:
        return self.function.loops >= LOOPS or self.function.level >= LEVELS

    def outline(self, body: Body, step: Step, wanted: dict[Variable, Target]) -> None:
        """Write the step as a function of its own, and here a call of it."""
        outer, self.function = self.function, Function(level=0)
        inner = self.function
        names = dict.fromkeys(v.name for v in step.inputs if not v.constant)
        names.update(dict.fromkeys(self.cells.values()))
        self._parts += 1
        call = f"part{self._parts}({', '.join(names)})"
        inner.write(f"def {call}:", None)
        inner.level = 1
        self._WRITERS[step.node.op.name](self, body, step, wanted)
        outputs = "".join(f"{variable.name}, " for variable in step.outputs)
        inner.write(f"return ({outputs})", None)
        self.done.append(inner)
        self.function = outer
        outer.write(f"{outputs}= {call}" if outputs else call, step.node.location)

    _WRITERS: ClassVar[
        dict[str, Callable[[Writer, Body, Step, dict[Variable, Target]], None]]
    ] = {
        "constant": _constant,
        **dict.fromkeys(STORES, write_store),
        "changed": write_changed,
        **dict.fromkeys(("with_part_at", "with_part"), write_part),
        **dict.fromkeys(LIST_STATEMENTS, write_list_change),
        "if": _if,
        "while": write_while,
        "recursion": write_recursion,
        "call": write_call,
        "try": write_try,
        "reraise": write_reraise,
        "checkpoint": write_checkpoint,
    }


def _is_array(variable: Variable) -> bool:
    """True for what is worth letting go; an exception keeps its frames, and so us."""
    spec = variable.spec
    return not spec.weak and (spec.shape != () or spec.dtype == object)


def _is_text(variable: Variable) -> bool:
    return object_type(variable.spec) is not None


def _is_scalar(step: Step) -> bool:
    """True when the one output is 0-d and the text may give an array all the same."""
    if len(step.outputs) != 1:
        return False
    spec = step.outputs[0].spec
    if spec.weak or spec.shape != () or isinstance(spec, ObjectSpec):
        return False
    name = step.node.op.name
    if name == "array_power":
        return False  # `**` is NumPy's ufuncs, which give scalars
    return name != "slice" or ... in step.node.attributes["index"]


def _scalar(value: Any) -> Any:
    return value[()] if type(value) is np.ndarray else value
