"""operands: what the variables of a program are in machine code under construction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np

from runtime.backends.llvm.constants import constant_array, constant_number
from runtime.backends.llvm.loops import (
    BIT,
    INT,
    OF_KINDS,
    POINTER,
    Array,
    Instruction,
    List,
    Local,
    Map,
    Mixed,
    Number,
    Numeric,
    Operand,
    Referred,
    Silent,
    TypedList,
    Value,
    operands_of,
)
from runtime.backends.llvm.references import Hold, References
from runtime.backends.llvm.typed import Typed
from runtime.backends.llvm.values import NotLowered, machine_type, narrowed, parts_of
from runtime.backends.numpy.program import Body, Step, Variable
from runtime.ops.lists import MUTATES
from runtime.spec import ListSpec, TensorSpec
from runtime.table_spec import TableSpec

# What comes of them was there before, or is no operation of the program's.
SILENT = frozenset(
    {"slice", "identity", "strong", "as_kind", "real", "imag", "vdot", "clip"}
    | {"draw", "ask"}
)
# What they give of Python's numbers alone is Python's, else NumPy's.
OPERATORS = frozenset(
    {"add", "subtract", "multiply", "divide", "floor_divide", "remainder"}
    | {"divmod", "negative", "positive", "absolute", "number_power", "identity"}
    | {"array_power"}
    | {"less", "less_equal", "greater", "greater_equal", "equal", "not_equal"}
)


class Operands(References):
    """What each variable is: a number, an array, or a Map: one not computed yet."""

    def __init__(self, precise: bool = True) -> None:
        super().__init__()
        # Whether functions are NumPy's and the C library's, or our own.
        self.precise = precise
        self.values: dict[Variable, Value | Map] = {}
        # The lists whose numbers lie in memory, and of which dtype they are.
        self.typed: Typed = {}
        # What the Maps are read from.
        self.read_by: dict[Variable, list[Hold]] = {}
        # The arrays that the graph holds.
        self.constants: list[tuple[np.ndarray[Any, Any], Array]] = []
        # The steps of which NumPy warns; Python's own floats overflow in silence.
        self.warned: list[Step] = []
        # What those come to, by the local that is written last: see `Function`.
        self.silent: Silent = {}
        # Expressions with an axis more, and what rows of them are reduced to.
        self.widened: dict[Any, Any] = {}
        self.folded: dict[Any, Any] = {}
        # The keys that have been looked up: in which body, and their places.
        self.looked: dict[tuple[Any, ...], tuple[Body, Local]] = {}
        # The instructions that have taken values out of lists.
        self.taken: dict[Variable, Instruction] = {}
        # What else the text names: its address, and what keeps that alive.
        self.named: dict[str, tuple[int, Any]] = {}

    def named_source(self, generator: Any) -> str:
        """The name of a generator in the text, which is the same for the same one."""
        held = {id(one): name for name, (_, one) in self.named.items()}
        found: str = held.get(id(generator), f"source_{len(self.named)}")
        self.named[found] = id(generator), generator
        return found

    def entering(self, variable: Variable) -> Value:
        """Locals for an input, what a loop carries, or what a branch gives.

        Sizes that the trace knows are no locals. NotLowered: it has no machine type.
        """
        dtype = self.typed.get(variable)
        if dtype is None:
            return self.of_spec(variable.spec)
        thing, data = self.local(POINTER), self.local(POINTER)
        length = self.local(INT)
        self.lengths.add(length)
        return TypedList(dtype, thing, data, length, self.local(INT))

    def of_spec(self, spec: TensorSpec) -> Value:
        """Locals for a value of this spec."""
        if type(spec) is TableSpec:
            return List(spec, self.local(POINTER))
        if type(spec) is ListSpec:
            return List(spec.item, self.local(POINTER))
        if type(spec) is not TensorSpec or spec.dtype is None or spec.shape is None:
            raise NotLowered(f"a value of {spec!r}")
        if spec.shape == ():
            return self.mixed(spec) or self.number(spec)
        machine_type(spec.dtype)
        rank = range(len(spec.shape))
        sizes = [one if isinstance(one, int) else self.local(INT) for one in spec.shape]
        return Array(
            spec.dtype,
            self.local(POINTER),
            self.local(POINTER),
            tuple(sizes),
            tuple(self.local(INT) for _ in rank),
        )

    def mixed(self, spec: TensorSpec) -> Mixed | None:
        """Locals for a number of several dtypes; None for one of a single dtype."""
        options = narrowed(spec).options
        if len({option.dtype for option in options}) == 1:
            return None
        return Mixed(self.local(INT), tuple(map(self.number, options)))

    def number(self, spec: TensorSpec) -> Number:
        """Locals for a number of this spec."""
        spec = narrowed(spec)
        dtypes = {option.dtype for option in spec.options}
        if type(spec) is not TensorSpec or spec.shape != () or len(dtypes) != 1:
            raise NotLowered(f"a value of {spec!r}")
        (dtype,) = dtypes
        if dtype is None:
            raise NotLowered("a value of any dtype")
        kind = machine_type(dtype)
        flags = {option.weak for option in spec.options}
        weak = self.local(BIT) if len(flags) > 1 else spec.weak
        count = parts_of(dtype)
        return Number(dtype, weak, tuple(self.local(kind) for _ in range(count)))

    def value(self, variable: Variable) -> Value:
        """What a variable is, as operands."""
        found = self.values.get(variable)
        if found is None:
            found = constant_number(self, variable) or constant_array(self, variable)
            self.values[variable] = found
        if isinstance(found, Map):
            raise NotLowered("a Map where a value is wanted")
        return found

    def operand(self, variable: Variable) -> Numeric | Map:
        """The same, where a Map will do, and a list will not."""
        found = self.values.get(variable)
        if not isinstance(found, Map):
            found = self.value(variable)
        if isinstance(found, (List, TypedList, Mixed)):
            raise NotLowered("no array and no number of one kind where one is wanted")
        return found

    def to_take_back(self, step: Step) -> Callable[[], None]:
        """What takes back all that is written from now on, for a step that gives up.

        A Map among its operands, which has been made an array, is one again.
        """
        written, warned = len(self.block.instructions), len(self.warned)
        holds, inputs = list(self.holds), [v for v in step.inputs if v in self.values]
        known = {variable: self.values[variable] for variable in inputs}

        def take_back() -> None:
            del self.block.instructions[written:], self.warned[warned:]
            self.holds[:] = holds
            self.values |= known

        return take_back

    def for_each_kind(
        self, mixed: Mixed, write: Callable[[Number], None], place: int = 0
    ) -> None:
        """What `write` writes for each of the kinds, where the number is of it."""
        option = mixed.options[place]
        if option is mixed.options[-1]:
            write(option)
            return
        test = self.compute("icmp eq", BIT, mixed.tag, place, type=INT)
        rest = partial(self.for_each_kind, mixed, write, place + 1)
        blocks = self.within(partial(write, option)), self.within(rest)
        self.emit("if", test, blocks=blocks, type=OF_KINDS)

    def reads_of(self, variables: Iterable[Variable]) -> dict[Hold, None]:
        """The references that keep what operands are read from, each once."""
        found: dict[Hold, None] = {}
        for variable in variables:
            value = self.values.get(variable)
            if isinstance(value, Map):
                found.update(dict.fromkeys(self.read_by.get(variable, ())))
            elif isinstance(value, Referred):
                found[self.held[variable]] = None
        return found

    def number_of(self, variable: Variable) -> Number:
        """The same, where it is to be a number."""
        found = self.value(variable)
        if not isinstance(found, Number):
            raise NotLowered("no number where one is wanted")
        return found

    def array_of(self, variable: Variable) -> Array:
        """The same, where it is to be an array."""
        found = self.value(variable)
        if not isinstance(found, Array):
            raise NotLowered("no array where one is wanted")
        return found

    def list_of(self, variable: Variable) -> List:
        """The same, where it is to be a list."""
        found = self.value(variable)
        if not isinstance(found, List):
            raise NotLowered("no list where one is wanted")
        return found

    def typed_of(self, variable: Variable) -> TypedList:
        """The same, where it is to be a list whose numbers lie in memory."""
        found = self.value(variable)
        if not isinstance(found, TypedList):
            raise NotLowered("no list of numbers where one is wanted")
        return found

    def give(self, step: Step, *parts: Operand) -> None:
        """The step's one result, a number of these parts."""
        (variable,) = step.outputs
        self.give_to(variable, step, *parts)

    def give_to(self, variable: Variable, step: Step, *parts: Operand) -> None:
        """One of the step's results, a number of these parts."""
        spec = narrowed(variable.spec)
        if type(spec) is not TensorSpec or spec.dtype is None:
            raise NotLowered(f"a value of {spec!r}")
        if len(parts) != parts_of(spec.dtype):
            raise NotLowered("a complex number where a float was expected")
        weak = self._weakness(step) if spec.kinds else spec.weak
        self.values[variable] = Number(spec.dtype, weak, parts)
        if spec.dtype.kind in "fc" and step.node.op.name not in SILENT:
            if weak is not False:
                self.is_silent(parts, weak)
            is_told = weak is True or step in self.warned[-1:]
            self.warned += [] if is_told else [step]

    def is_silent(self, parts: Sequence[Operand], weak: Operand) -> None:
        """Python warns of nothing that comes to these, if it computes them itself."""
        known = tuple(part for part in parts if isinstance(part, Local))
        last = self.block.instructions[-1:]
        is_late = isinstance(weak, Local) and any(weak in one.outs for one in last)
        for trigger in (weak,) if is_late else known:
            assert isinstance(trigger, Local)
            self.silent[trigger] = known, weak

    def _weakness(self, step: Step) -> bool | Local:
        """Whether the result is Python's: if all operands are, as only the run knows.

        NotLowered: it may be of several dtypes, or the op does not go by its operands
        """
        dtypes = {option.dtype for option in narrowed(step.outputs[0].spec).options}
        if len(dtypes) != 1 or step.node.op.name not in OPERATORS:
            raise NotLowered(f"a value of {step.outputs[0].spec!r}")
        flags = dict.fromkeys(self.number_of(variable).weak for variable in step.inputs)
        if False in flags:
            return False
        # In their order: the text is the same in each process, or it is not found.
        asked = [flag for flag in flags if isinstance(flag, Local)]
        if not asked:
            return True
        found, *others = asked
        for flag in others:
            found = self.compute("and", BIT, found, flag, type=BIT)
        return found


def as_locals(value: Value, to: Number | List | TypedList) -> list[Operand]:
    """The operands of a number or a list, in the form of the locals that take it."""
    if isinstance(to, TypedList):
        if not isinstance(value, TypedList) or value.dtype != to.dtype:
            raise NotLowered("lists of several kinds in one name")
        return [*operands_of(value)]
    if isinstance(to, List):
        if not isinstance(value, List):
            raise NotLowered("a list and no list in one name")
        return [value.object]
    if not isinstance(value, Number) or value.dtype != to.dtype:
        raise NotLowered("values of several kinds in one name")
    if not isinstance(to.weak, Local) and to.weak is not value.weak:
        raise NotLowered("values of several kinds in one name")
    flag = [value.weak] if isinstance(to.weak, Local) else []
    return [*value.parts, *flag]


def stored_into(step: Step) -> list[Variable | None]:
    """For each result of an `if` what all branches give: it, or it changed in place.

    None for the others
    """
    return [_stored_into(step, place) for place in range(len(step.outputs))]


def _stored_into(step: Step, place: int) -> Variable | None:
    """The same of one: of all each time, it would be asked ever more often within."""
    sources = {source_of(body, body.outputs[place]) for body in step.bodies}
    (source, *others) = sources
    inside = any(source.home is body for body in step.bodies)
    is_one = not (others or inside) and source.spec.shape != ()
    return source if is_one else None


def _is_change(step: Step) -> bool:
    name = step.node.op.name
    return name in ("store", "with_part_at") or name in MUTATES


def source_of(body: Body, variable: Variable) -> Variable:
    """What a value of a branch was before it was changed in place."""
    while variable.home is body and variable.index >= 0:
        step = body.steps[variable.index]
        found = None
        if step.in_place and variable is step.outputs[0] and _is_change(step):
            found = step.inputs[0]
        elif step.node.op.name == "if":
            found = _stored_into(step, step.outputs.index(variable))
        elif step.node.op.name == "while":
            place = step.outputs.index(variable)
            found = step.inputs[place] if _is_kept(step, place) else None
        if found is None:
            break
        variable = found
    return variable


def kept_in_place(step: Step) -> set[int]:
    """The positions of a loop's carried lists and arrays that are one in all turns."""
    return {place for place in range(len(step.carried)) if _is_kept(step, place)}


def _is_kept(step: Step, place: int) -> bool:
    variable, again = step.carried[place], step.bodies[1]
    is_one = isinstance(variable.spec, ListSpec) or variable.spec.shape != ()
    if not is_one or place in step.copied:
        return False
    return source_of(again, again.outputs[place]) is variable
