"""one_pass: several arrays that steps one after the other give, computed in one loop.

What is computed of the same elements is read once, and nothing between is an array. So
the turns of a loop that a trace has unrolled are no passes of their own, and each of
them is no loop to compile: of 200 statements that took LLVM half a minute.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from runtime.backends.llvm.blocks import (
    choice,
    compute_into,
    leave_unless_in_order,
    leave_unless_rows_first,
    new_array,
)
from runtime.backends.llvm.chains import result_of
from runtime.backends.llvm.elements import SIMPLE
from runtime.backends.llvm.in_place import note_written, place_of
from runtime.backends.llvm.loops import (
    BIT,
    INT,
    Array,
    Block,
    Folded,
    Local,
    Map,
    Operand,
)
from runtime.backends.llvm.lowering import UNUSED, Lowering, lower_of
from runtime.backends.llvm.maps import leaves_of, overlap
from runtime.backends.llvm.pieces import (
    DROPPED,
    all_of,
    flat,
    is_alike,
    is_one_piece,
    product,
    terms_of,
    with_arrays,
)
from runtime.backends.llvm.row_block import RowBlock
from runtime.backends.llvm.sharing import share
from runtime.backends.llvm.values import NotLowered, ufunc_of
from runtime.backends.numpy.program import Body, Step, Variable
from runtime.spec import TensorSpec
from runtime.structs import replace, struct

# Steps that are one pass at most, and what they give: elements are in registers.
MOST, RESULTS = 48, 8
# What is in the place of a shape, for steps that are no operations of elements.
CONSTANT, NO_SHAPE = "constant", ""


def in_one_pass(lowering: Lowering, body: Body, first: int) -> int:
    """Where the steps from `first` on end that have been written as one loop.

    It is `first` where they are to be written one by one.
    """
    stop = _end(lowering, body, first)
    made = [v for step in body.steps[first:stop] for v in step.outputs]
    results = [v for v in made if v.spec.shape and body.last_use.get(v, -1) >= stop]
    if lowering.leaves_all or not 2 <= len(results) <= RESULTS:
        return first
    if _are_taken(lowering, results, stop):
        return first
    known, warned = dict(lowering.values), len(lowering.warned)
    holds = list(lowering.holds)
    try:
        found = _expressions(lowering, body.steps[first:stop], results)
        places = [place_of(lowering, body.steps[v.index]) for v in results]
        arrays = [None if v is None else lowering.array_of(v) for v in places]
        written, values = found
        _require_alike(written, values, arrays)
    except NotLowered:
        lowering.values, lowering.holds = known, holds
        del lowering.warned[warned:]
        return first
    for one in written.instructions:
        # Nothing is computed yet: Python begins with the first step.
        one = replace(one, exit=lowering.exit()) if one.exit is UNUSED else one
        lowering.block.instructions.append(one)
    OnePass(lowering, body, results, values, places).write()
    for variable in made:
        if isinstance(lowering.values.get(variable), Map):
            del lowering.values[variable]
    return stop


def _end(lowering: Lowering, body: Body, first: int) -> int:
    """Where the steps end that are operations of elements of arrays of one shape."""
    count, stop = 0, first
    shape = body.steps[first].outputs[0].spec.shape if body.steps[first].outputs else ()
    if not shape:
        return stop
    for at in range(first, lowering.end_of(body)):
        step = body.steps[at]
        found = lowering.shapes.get(step)
        if found is None:
            found = lowering.shapes[step] = _shape_of(lowering, step)
        if found == CONSTANT and count:
            continue
        if count == MOST or found != shape:
            break
        count, stop = count + 1, at + 1
    return stop


def _shape_of(lowering: Lowering, step: Step) -> object:
    """The shape of the arrays of which a step is an operation of elements.

    NO_SHAPE: it is none, or of arrays of several shapes; CONSTANT: it is a constant
    """
    if step.node.op.name == "constant" and not step.node.guards:
        return CONSTANT
    if not _is_of_elements(lowering, step):
        return NO_SHAPE
    shape = step.outputs[0].spec.shape
    are_alike = all(one.spec.shape in (shape, ()) for one in step.inputs)
    return shape if are_alike else NO_SHAPE


def _is_of_elements(lowering: Lowering, step: Step) -> bool:
    if step.node.guards or len(step.outputs) != 1:
        return False
    ufunc = ufunc_of(step.node, lowering.precise)
    if ufunc is None or ufunc.__name__ not in SIMPLE:
        return False
    return all(type(one.spec) is TensorSpec for one in (*step.inputs, *step.outputs))


def _are_taken(lowering: Lowering, results: Sequence[Variable], stop: int) -> bool:
    """Whether one is to be an expression for what comes behind, as a sum of it."""
    body = results[0].home
    following = body.steps[stop : lowering.end_of(body)]
    if following and _is_of_elements(lowering, following[0]):
        return False
    return any(
        variable in step.inputs and lowering.meeting.takes(step, variable)
        for variable in results
        for step in following
        if not step.bodies
    )


def _expressions(
    lowering: Lowering, steps: Sequence[Step], results: Sequence[Variable]
) -> tuple[Block, list[Map]]:
    """What is written of numbers, and the expressions of the results."""
    lowering.leaves_all = True

    def write() -> None:
        for step in steps:
            if step.node.op.name != "constant":
                lower_of(step, lowering.typed)(lowering, step)

    try:
        written = lowering.within(write)
    finally:
        lowering.leaves_all = False
    values = [lowering.operand(variable) for variable in results]
    found = [one for one in values if isinstance(one, Map)]
    if len(found) < len(values):
        raise NotLowered("results that are there")
    return written, found


def _require_alike(
    written: Block, values: Sequence[Map], arrays: Sequence[Array | None]
) -> None:
    """NotLowered: something is of other dims, or no operation of the machine's."""
    if any(one.blocks or not _is_known(one.exit) for one in written.instructions):
        raise NotLowered("steps that are no operations of elements")
    terms = [one for value in values for one in terms_of(value)]
    for one in (*terms, *(array for array in arrays if array is not None)):
        if isinstance(one, Map) and (one.symbol or one.op == DROPPED):
            raise NotLowered("loops of NumPy's")
        if isinstance(one, Folded):
            raise NotLowered("rows that become numbers")
        if isinstance(one, (Map, Array)) and not is_alike(one, values[0]):
            raise NotLowered("arrays that are repeated")
    objects = [one.object for one in arrays if one is not None]
    if len(objects) > len({id(one) for one in objects}):
        raise NotLowered("results in one another's memory")


def _is_known(exit: object) -> bool:
    return exit is None or exit is UNUSED


@struct(eq=False)
class OnePass:
    """Results that are computed in one loop: their expressions, and where they go.

    places: the array in whose memory a result is to be; None: it is a new one
    """

    lowering: Lowering
    body: Body
    results: Sequence[Variable]
    values: Sequence[Map]
    places: Sequence[Variable | None]

    def write(self) -> None:
        """All of it."""
        lowering = self.lowering
        for value in self.values:
            leave_unless_rows_first(lowering, value)
        pairs = zip(self.places, self.values, strict=True)
        there = [None if v is None else self._there(v, one) for v, one in pairs]
        made = [
            self._new(variable, value) if array is None else array
            for array, variable, value in zip(
                there, self.results, self.values, strict=True
            )
        ]
        leaves = {id(leaf): leaf for v in self.values for leaf in leaves_of(v)}
        others = [*leaves.values(), *(one for one in there if one is not None)]
        tests = [is_one_piece(lowering, one) for one in others]
        tests += [self._is_alike(value) for value in self.values[1:]]
        for one in there:
            if one is not None:
                tests.append(self._is_not(overlap(lowering, one, others)))
        fast = partial(self._fast, made)
        choice(
            lowering, all_of(lowering, tests), fast, partial(self._slow, made, there)
        )()
        for variable, array, place in zip(self.results, made, self.places, strict=True):
            if place is None or lowering.array_of(place) is not array:
                lowering.values[variable] = array
            else:
                note_written(lowering, self.body.steps[variable.index], place)

    def _is_alike(self, value: Map) -> Operand:
        """Whether it is of the sizes of the first one: only the run may know."""
        tests = list[Operand]()
        for size, known in zip(value.dims, self.values[0].dims, strict=True):
            if isinstance(size, Local) and isinstance(known, Local):
                test = self.lowering.compute("icmp eq", BIT, size, known, type=INT)
                tests.append(True if size is known else test)
            else:
                tests.append(size is known or size == known)
        return all_of(self.lowering, tests)

    def _there(self, place: Variable, value: Map) -> Array | None:
        array = self.lowering.array_of(place)
        if array.is_view:
            return None
        for size, known in zip(value.dims, array.dims, strict=True):
            if size is not known:
                self.lowering.leave_unless_equal(size, known)
        leave_unless_in_order(self.lowering, array)
        return array

    def _new(self, variable: Variable, value: Map) -> Array:
        made = result_of(variable, self.lowering, value.dtype, value.dims)
        # Held at once, so that it is let go of where the next one finds no memory.
        self.lowering.hold(variable, made.object, self.body)
        return made

    def _is_not(self, test: Operand) -> Operand:
        if isinstance(test, bool):
            return not test
        return self.lowering.compute("xor", BIT, test, True, type=BIT)

    def _fast(self, made: Sequence[Array]) -> None:
        """One loop, all of a place before any is written."""
        lowering = self.lowering
        size, parts = product(lowering, self.values[0].dims), dict[int, Map]()
        known = {
            id(leaf): flat(leaf, size) for v in self.values for leaf in leaves_of(v)
        }
        rows = [with_arrays(one, known, (size,), parts) for one in self.values]
        targets = [flat(one, size) for one in made]
        terms = {id(one): one for value in self.values for one in terms_of(value)}
        cost = 2 * len(terms)

        def part(first: Operand, length: Operand) -> None:
            emitter = RowBlock(lowering, True)

            def element(at: Operand, in_block: Operand) -> None:
                same: dict[int, tuple[Operand, ...]] = {}
                found = [emitter.value(row, at, in_block, same) for row in rows]
                for target, operands in zip(targets, found, strict=True):
                    emitter.put(target, at, operands)

            emitter.each(first, length, element)

        share(lowering, size, [], cost, True, part)

    def _slow(self, made: Sequence[Array], there: Sequence[Array | None]) -> None:
        """Each by a loop of its own, and what is written into arrays at last."""
        lowering, copies = self.lowering, list[tuple[Array, Array]]()
        for target, array, value in zip(made, there, self.values, strict=True):
            into = target
            if array is not None:
                into = new_array(lowering, value.dtype, value.dims)
                copies.append((array, into))
            compute_into(lowering, into, value)
        for array, copy in copies:
            compute_into(lowering, array, copy)
            lowering.emit("release", copy.object)
