"""lowering: a loop, or other steps of a program, to loop IR.

Each variable of the program gets locals of its own, so the values that a step needs
are still there wherever it is left. What an op becomes is a row of a table
(`numbers.py`, `arrays.py`); here are the branches, the loops and the exits.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from functools import partial
from types import MappingProxyType

from runtime.backends.llvm.alive import Needs
from runtime.backends.llvm.given_parts import as_part, gives_part
from runtime.backends.llvm.having import HOST_CALL
from runtime.backends.llvm.kinds_apart import apart, as_kinds
from runtime.backends.llvm.loops import (
    BIT,
    INT,
    POINTER,
    Array,
    Block,
    Exit,
    Function,
    List,
    Local,
    Map,
    Mixed,
    Number,
    Operand,
    Referred,
    TypedList,
    Value,
    operands_of,
)
from runtime.backends.llvm.meeting import Meeting
from runtime.backends.llvm.operands import (
    Operands,
    as_locals,
    stored_into,
)
from runtime.backends.llvm.outgrown import line_of
from runtime.backends.llvm.references import Hold
from runtime.backends.llvm.span import Span
from runtime.backends.llvm.turns import Turns
from runtime.backends.llvm.typed import Typed
from runtime.backends.llvm.values import NotLowered
from runtime.backends.llvm.walking import around, tests_around
from runtime.backends.numpy.program import Body, Step, Variable
from runtime.spec import object_type

Lower = Callable[["Lowering", Step], None]
# The rows of the ops that give numbers, and of those that give arrays.
LOWER: dict[str, Lower] = {}
OF_ARRAYS: dict[str, Lower] = {}
# The way out of a turn that is never left: what would leave it is asked before.
UNUSED = Exit(0, (), ())
# The rows of the ops that read or change lists; they may have several results.
OF_LISTS: dict[str, Lower] = {}
# Those of the ops that read or change lists of numbers in memory.
OF_TYPED_LISTS: dict[str, Lower] = {}
# Those of numbers that give two.
PAIRS = frozenset({"divmod"})
# What writes several steps from one on together, and says where they end.
TOGETHER: list[Callable[[Lowering, Body, int], int]] = []
OTHERS = ""  # the row for all ops that have none
CALLED = "python"  # the row for what has no machine code


def lower_of(step: Step, typed: Container[Variable]) -> Lower:
    """The row for a step, by what it gives, and of which lists."""
    name = step.node.op.name
    if any(one in typed for one in (*step.inputs, *step.outputs)) and not step.bodies:
        return OF_TYPED_LISTS[name]
    if name in OF_LISTS:
        return OF_LISTS[name]
    table = OF_ARRAYS if any(v.spec.shape for v in step.outputs) else LOWER
    return table.get(name) or table[OTHERS]


def _gives_several(step: Step) -> bool:
    """Whether the row for a step is one of several results."""
    name, are_arrays = step.node.op.name, any(v.spec.shape for v in step.outputs)
    is_call = name == HOST_CALL
    return name in OF_LISTS or is_call or (name in PAIRS and not are_arrays)


class Lowering(Operands):
    """The function for some steps of a program, under construction."""

    def __init__(
        self, span: Span, precise: bool = True, typed: Typed = MappingProxyType({})
    ) -> None:
        super().__init__(precise)
        self.span, self.typed = span, typed
        self.place: tuple[Body, int] = (span.body, span.first)
        self._needs = Needs(span)
        # By the step, what is held there, and what numbers are of which kind.
        self.exits: dict[
            tuple[Body, int, tuple[Hold, ...], tuple[Number, ...]], Exit
        ] = {}
        self.kinds: tuple[Number, ...] = ()
        # Those that are taken where one of NumPy's ints wraps round, at which step.
        self.overflows: dict[int, Step] = {}
        self.wraps = False  # whether some wrap round
        self.handed: list[tuple[Variable, ...]] = []
        # The loops of NumPy's that it calls: address, and what they are given.
        self.outside: dict[str, tuple[int, int]] = {}
        # The steps called as Python, by their functions' names.
        self.called: dict[str, Step] = {}
        self.calls = 0
        # Whether one of these must not be done twice, or before its turn.
        self.says = False
        # Whether numbers are drawn, and in which tests of loops.
        self.draws, self.drawn = False, set[Body]()
        # By stores, and by ufuncs.
        self.written: set[Variable] = set()
        self.overwritten: set[Variable] = set()
        self.meeting = Meeting(self.end_of, precise)
        self.turns = Turns()
        # Whether all that elements are computed of stays an expression, for now.
        self.leaves_all = False
        # Of which arrays steps are operations, once that was asked: see `one_pass.py`.
        self.shapes: dict[Step, object] = {}
        # What is one of two steps of arrays, by the local that it is in.
        self.alike: dict[Local, tuple[Operand, Operand]] = {}
        self.made_here = set[Operand]()  # objects, each with memory of its own
        self.on_stack = 0  # the bytes of small arrays that are no objects

    # The function.

    def function(self, name: str, inputs: Sequence[Variable]) -> Function:
        """The steps, from the values of the inputs to those of the span's outputs."""
        given = self.enter(inputs)
        self.steps(self.span.body, self.span.first)
        outputs = [self.value(variable) for variable in self.span.outputs]
        for value in outputs:
            if isinstance(value, Array) and value.is_view and not value.may_be_whole:
                raise NotLowered("a view that is given")
        return self.finished(name, inputs, given, outputs)

    def enter(self, inputs: Sequence[Variable]) -> list[Value]:
        """Locals for the inputs."""
        given = [self._given(variable) for variable in inputs]
        for variable, value in zip(inputs, given, strict=True):
            self.values[variable] = value
            if isinstance(value, Referred):
                self.hold(variable, value.object, None)
        return given

    def _given(self, variable: Variable) -> Value:
        """Locals for an input; a text is an object that is only handed on."""
        if object_type(variable.spec) is str:
            return List(variable.spec, self.local(POINTER))
        return self.entering(variable)

    def finished(
        self,
        name: str,
        inputs: Sequence[Variable],
        given: list[Value],
        outputs: list[Value],
    ) -> Function:
        """The function with what has been written so far."""
        typed = {id(one.object) for one in given if isinstance(one, TypedList)}
        entered = tuple(
            hold.object
            for hold in self.holds
            if hold.home is None and id(hold.object) not in typed
        )
        drops = tuple(hold.object for hold in self.holds)
        changed = self.written | self.overwritten
        written = frozenset(
            position for position, v in enumerate(inputs) if v in changed
        )
        constants = tuple(array for _, array in self.constants)
        return Function(
            name,
            given,
            self.block,
            outputs,
            entered,
            drops,
            written,
            bool(self.warned),
            constants,
            bool(self.overwritten) or self.draws or self.says,
            silent=self.silent,
        )

    def end_of(self, body: Body) -> int:
        """The number of the step of a body before which the function ends."""
        return self.span.stop if body is self.span.body else len(body.steps)

    # Instructions.

    def leave_if(self, condition: Operand) -> None:
        """Go on as Python, from the step at hand, where the condition holds."""
        if condition is not False:
            self.emit("leave_if", condition, exit=self.exit())

    def leave_unless(self, condition: Operand) -> None:
        """Go on as Python, from the step at hand, where it does not hold."""
        if isinstance(condition, Local):
            self.leave_if(self.compute("xor", BIT, condition, True, type=BIT))
        else:
            self.leave_if(not condition)

    def exit(self) -> Exit:
        """The way out at the step at hand; what it hands is what is alive there."""
        if not self.drawn.isdisjoint(tests_around(self.place[0])):
            # Python would ask the test once more, and draw once more.
            raise NotLowered("a test that is left after a draw")
        if self.leaves_all:
            return UNUSED
        place = (*self.place, tuple(self.holds), self.kinds)
        found = self.exits.get(place)
        if found is None:
            handed = tuple(self._needs.at(*self.place, self.values))
            values = tuple(map(self.value, handed))
            drops = tuple(hold.object for hold in self.holds)
            found = Exit(len(self.exits), values, drops)
            self.exits[place] = found
            self.handed.append(handed)
        return found

    def note_overflow(self, step: Step) -> None:
        """Note that the step at hand may be left where one of NumPy's ints wraps."""
        if line_of(step) is not None and not self.leaves_all:
            self.overflows[self.exit().number] = step

    # Steps.

    def steps(self, body: Body, first: int = 0) -> None:
        """The steps of a body, from the first one on."""
        position = first
        while position < self.end_of(body):
            step = body.steps[position]
            self.place = (body, position)
            if step.node.in_try:
                raise NotLowered("a statement in a try")
            stop = TOGETHER[0](self, body, position)
            if stop == position:
                self.lower(step)
                stop = position + 1
            for done in range(position, stop):
                self.release_dead(body, done)
            position = stop
        self.place = (body, self.end_of(body))

    def lower(self, step: Step) -> None:
        """One step: by its row, or else as a call of Python."""
        take_back = self.to_take_back(step)
        try:
            if not apart(self, step, self._by_row):
                self._by_row(step)
        except NotLowered:
            if step.bodies:
                raise
            take_back()
            LOWER[CALLED](self, step)

    def _by_row(self, step: Step) -> None:
        if not (len(step.outputs) < 2 or step.bodies or _gives_several(step)):
            raise NotLowered("several results")
        lower_of(step, self.typed)(self, step)

    # Branches.

    def branches(self, step: Step) -> None:
        """An `if`: each branch writes the locals of the results."""
        (test,) = self.number_of(step.inputs[0]).parts
        sources = [one if one in self.held else None for one in stored_into(step)]
        made = [
            None if source else self.given_by(step, place)
            for place, source in enumerate(sources)
        ]
        # Of a test that has been answered one branch is never run.
        dead = None if isinstance(test, Local) else step.bodies[bool(test)]
        blocks = [
            Block()
            if branch is dead
            else self.within(partial(self.branch, branch, made))
            for branch in step.bodies
        ]
        self.emit("if", test, blocks=tuple(blocks))
        body, _ = self.place = around(step.bodies[0])
        for variable, value, source in zip(step.outputs, made, sources, strict=True):
            if value is None:
                assert source is not None
                self.values[variable] = self.values[source]
                self.join(variable, source)
                continue
            self.values[variable] = value
            if isinstance(value, Referred):
                self.hold(variable, value.object, body)

    def given_by(self, step: Step, place: int) -> Value:
        """Locals for one of the results of an `if`, or for what a loop carries."""
        variable = (step.carried or step.outputs)[place]
        is_part = gives_part(self.values, step, place)
        made = self.entering(variable)
        return as_part(made) if is_part else made

    def branch(self, body: Body, made: Sequence[Value | None]) -> None:
        """One branch, whose results go into the locals of `made`, if they need any."""
        maps = {v: one for v, one in self.values.items() if isinstance(one, Map)}
        self.steps(body)
        self.hand_over(body, made, None)
        self.values.update(maps)  # an array of one is this branch's alone

    def hand_over(
        self, body: Body, made: Sequence[Value | None], kept: Iterable[Hold] | None
    ) -> None:
        """The end of a body: its results into `made`; what it holds is let go.

        kept: for each of `made` the reference that its locals hold so far, if they do;
              None at the end of a branch, which may give a copy of a view
        """
        both = zip(body.outputs, made, strict=True)
        pairs = [(variable, to) for variable, to in both if to is not None]
        results = [self.as_other(self.value(one), to) for one, to in pairs]
        olds, gone = list(kept or ()), []
        for index, (variable, to) in enumerate(pairs):
            if not isinstance(to, Referred):
                continue
            own, old = self.held[variable], olds[index] if olds else None
            if own is old:
                continue
            if own.home is body and own in self.holds:
                self.holds.remove(own)  # handed over as it is
            else:
                self.emit("hold", own.object)
            if old is not None:
                gone.append(old.object)
        # After all are held: names may have changed places.
        for thing in gone:
            self.emit("release", thing)
        for hold in [hold for hold in self.holds if hold.home is body]:
            self.release(hold)
        targets = [one for _, value in pairs for one in operands_of(value)]
        self.assign(targets, [one for parts in results for one in parts])

    def as_other(self, value: Value, to: Value) -> list[Operand]:
        """The operands of a result, in the form of the locals that take it."""
        if isinstance(to, Mixed):
            return as_kinds(self, value, to)
        if not isinstance(to, Array):
            return as_locals(value, to)
        if value is to:
            return list(operands_of(value))  # what a loop changes in place
        if not isinstance(value, Array) or (value.is_view and not to.is_view):
            raise NotLowered("a view that a branch or a loop gives")
        if value.dtype != to.dtype or len(value.dims) != len(to.dims):
            raise NotLowered("arrays of several kinds in one name")
        for size, known in zip(value.dims, to.dims, strict=True):
            if not isinstance(known, Local) and size is not known:
                self.leave_unless_equal(size, known)
        return list(operands_of(value))

    def leave_unless_equal(self, size: Operand, known: Operand) -> None:
        """Where a size is not what the program says it is, Python finds out."""
        if size != known or isinstance(size, Local):
            self.leave_if(self.compute("icmp ne", BIT, size, known, type=INT))


LOWER["if"] = Lowering.branches
LOWER["constant"] = lambda lowering, step: None
