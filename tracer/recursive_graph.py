"""recursive_graph: a function that calls itself depending on data, as one graph.

The body is traced from placeholders, again and again until its types hold. In the first
round a further call is a path without an end, so the result's type is that of the other
paths; after that a further call is a `call` node with that result. What the body reads
from outside, and the places that it changes, are passed on by each call.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, cast

from runtime.aliases import note_aliases
from runtime.build import Frame, Slot, building, require_current
from runtime.effects import PURE, WRITES_WORLD, Effects
from runtime.errors import StagingTypeError, located, with_notes
from runtime.graph import Value
from runtime.location import start_of
from runtime.ops import control
from runtime.structs import field, struct
from runtime.tensor import Tensor, tensor
from tracer import carrying, cells, containers, contents, joining, lent, marks, passing
from tracer.cond import Unreachable, run_body
from tracer.contents import CannotJoin, Carried, ContentType, Held
from tracer.ended import Ended
from tracer.escaping import RETURNED, hold_before, hold_place, refuse
from tracer.exits import Return
from tracer.frozen import freeze_split
from tracer.lent import Sources
from tracer.passing import Fit, Kinds
from tracer.places import created
from tracer.state import EMPTY
from tracer.words import RECURSION_WORDS, cannot_join

MAX_ROUNDS = 12
# Rounds in which the result may come to hold more things than before.
MOST_GROWTH = 3


class Again(BaseException):
    """This round's types are too narrow: it is given up. Not for users to catch."""

    def __init__(self, graph: RecursiveGraph) -> None:
        self.graph = graph


@struct(eq=False, frozen=False)
class _Round:
    """One tracing of the body.

    leaves:  the placeholders of the leaves that the graph takes
    first:   the value that each one had
    written: for each leaf that was changed in place, its last value
    inner:   a further call was met
    result:  what is returned
    """

    frame: Frame
    leaves: list[Any] = field(default_factory=list)
    first: list[Value] = field(default_factory=list)
    written: dict[int, Value] = field(default_factory=dict)
    inner: bool = False
    result: Held | None = None
    ended: Ended | None = None


@struct(eq=False, frozen=False)
class RecursiveGraph:
    """The graph of a function under construction, and what is known of it so far.

    kinds:    of the arguments
    result:   of what is returned; None while no path is known to return
    slots:    the places outside that it changes
    written:  the leaves of the arguments that it changes in place
    sources:  for each leaf of the result, the arrays that it may be
    overlaps: two of these leaves may be parts of one
    captures: the values of the frame around it that it reads
    split:    two parts of the result may be one object
    guards:   how many try statements are open around it
    """

    function: Callable[..., Any]
    args: tuple[Any, ...]
    keys: tuple[str, ...]
    given: Sequence[Any]
    kinds: Kinds
    outer: Frame
    name: str = field(init=False)
    symbol: str = field(init=False)
    known: bool = False
    growth: int = 0
    result: ContentType | None = None
    result_held: Held | None = None
    slots: dict[Slot, ContentType] = field(default_factory=dict)
    slots_held: dict[Slot, Held] = field(default_factory=dict)
    written: list[int] = field(default_factory=list)
    sources: list[Sources] = field(default_factory=list)
    overlaps: bool = False
    captures: list[Value] = field(default_factory=list)
    effects: Effects = PURE
    split: bool = False
    guards: int = field(init=False)
    round: _Round = field(init=False)

    def __post_init__(self) -> None:
        self.name = self.function.__name__
        taken, self.guards = self.outer.trace.symbols, len(self.outer.trace.guards)
        stem = re.sub(r"\W", "_", self.name)
        self.symbol, count = stem, 1
        while self.symbol in taken:
            count += 1
            self.symbol = f"{stem}_{count}"
        taken.add(self.symbol)

    def stage(self) -> Any:
        """Add the node to the frame around; what the first call returns.

        TypeError, ValueError: it cannot be one graph.
        """
        trace, taken = self.outer.trace, set(self.outer.trace.symbols)
        for _ in range(MAX_ROUNDS):
            trace.symbols = set(taken)
            try:
                self._trace()
            except Again as again:
                if again.graph is not self:
                    raise
                continue
            outputs = self._widen()
            if outputs is not None:
                return self._finish(outputs)
        raise located(
            StagingTypeError(f"what `{self.name}` changes differs at every level"),
            "Return what each level makes, or keep it in an array.",
        )

    # One round.

    def _trace(self) -> None:
        self.round = turn = _Round(Frame(self.symbol, self.outer))

        def body() -> Return:
            arguments = self._enter(turn)
            passed = containers.found_in(passing.anew(self.kinds, arguments))
            before = [containers.content_of(thing) for thing in passed]
            for thing in passed:
                created(thing)
            own, others = arguments[: len(self.args)], arguments[len(self.args) :]
            named = dict(zip(self.keys, others, strict=True))
            with cells.watched(self.function, turn.frame, self.outer.trace.calls):
                result = self.function(*own, **named)
            self._refuse_changed(passed, before)
            self._note_written(turn)
            return Return(result)

        turn.ended = ended = run_body(turn.frame, body, EMPTY, anew=True)
        turn.result, self.split = ended.content, self.split or RETURNED in ended.split

    def _enter(self, turn: _Round) -> list[Any]:
        """The arguments of any level; the changed places hold those of any level."""
        taken = passing.carried(self.kinds, self.given)
        aliases = passing.aliases([leaf for _, leaf in taken])
        for at, (kind, _) in enumerate(taken):
            # An alias is an input too, which is not read.
            value = turn.frame.add_input(kind.spec)
            first = aliases[at] == at
            made = (
                Tensor(value, scalar=kind.scalar) if first else turn.leaves[aliases[at]]
            )
            turn.leaves.append(made)
            turn.first.append(made._value)
        for slot, held in self.slots.items():
            specs = carrying.carried_specs(held)
            inputs = [turn.frame.add_input(spec) for spec in specs]
            slot.change(turn.frame, carrying.content(held, inputs, carrying.new_tensor))
        return passing.rebuilt(self.kinds, iter(turn.leaves))

    def _refuse_changed(
        self, passed: list[Any], before: list[containers.Content]
    ) -> None:
        for thing, held in zip(passed, before, strict=True):
            if not containers.same(held, containers.content_of(thing)):
                raise located(
                    StagingTypeError(
                        f"`{self.name}` changes a {type(thing).__name__} that differs "
                        "from level to level of a recursion that depends on data"
                    ),
                    "Return what it makes instead, or pass on one and the same.",
                )

    def _note_written(self, turn: _Round) -> None:
        for at, (made, value) in enumerate(zip(turn.leaves, turn.first, strict=True)):
            if not made.scalar and made._value is not value:
                turn.written[at] = made.value

    # What a round has shown.

    def _widen(self) -> list[Value] | None:
        """Take in what the round has shown; the outputs if nothing was new."""
        turn = self.round
        ended, frame = turn.ended, turn.frame
        assert ended is not None
        refuse(ended.own, start_of(self.function))
        lent.refuse_stale(self.name, frame.stale.values(), turn.leaves, self.outer)
        news = turn.inner and not self.known
        self.known = True
        if not ended.dead:
            news |= self._widen_result(turn.result, frame)
            news |= self._widen_slots(ended, frame)
            news |= self._widen_written(turn)
            assert turn.result is not None
            assert turn.result.form is not None
            found = self.sources, turn.result.form.leaves, turn.leaves, self.outer
            news |= lent.note_sources(*found) and turn.inner
            if not self.overlaps and lent.overlap(turn.result.form.leaves):
                self.overlaps, news = True, news or turn.inner
        outputs = self._outputs(turn)
        captures = [value for value in frame.captures if value not in self.captures]
        self.captures += captures
        effects = frozenset().union(*(node.effects for node in frame.nodes))
        if self.result is None:
            # It never returns: what that raises must be raised.
            effects |= WRITES_WORLD
        news |= turn.inner and (bool(captures) or effects != self.effects)
        self.effects |= effects
        return None if news else outputs

    def _widen_result(self, held: Held | None, frame: Frame) -> bool:
        assert held is not None
        if self.result is None:
            self.result = contents.type_of(held, frame, False)
            self.result_held = held
            return self.round.inner
        try:
            joined = joining.join(self.result, held, frame)
        except CannotJoin:
            assert self.result_held is not None
            raise self._cannot_join(
                f"what `{self.name}` returns", self.result_held, held
            ) from None
        wider = not joining.same_type(joined, self.result)
        sizes = [len(list(carrying.carried_specs(k))) for k in (self.result, joined)]
        self.growth += sizes[0] < sizes[1]
        if self.growth > MOST_GROWTH:
            raise with_notes(
                StagingTypeError(
                    f"what `{self.name}` returns is nested deeper at each level of a "
                    "recursion that depends on data"
                ),
                start_of(self.function),
                "Return the same kind of value at every level, or fill an array.",
            )
        self.result = joined
        return wider

    def _cannot_join(self, name: str, first: Held, second: Held) -> StagingTypeError:
        place = start_of(self.function)
        return cannot_join(name, first, second, RECURSION_WORDS, place)

    def _widen_slots(self, ended: Ended, frame: Frame) -> bool:
        wider = False
        for slot, held in ended.slots.items():
            known = self.slots.get(slot)
            if known is None:
                with building(self.outer):
                    self.slots_held[slot] = hold_before(slot)
                known = contents.type_of(self.slots_held[slot], self.outer, True)
                wider = True
            wider |= self._join_slot(slot, known, held, frame)
        return wider

    def _join_slot(
        self, slot: Slot, known: ContentType, held: Held, frame: Frame
    ) -> bool:
        try:
            joined = joining.join(known, held, frame)
        except CannotJoin:
            raise self._cannot_join(str(slot), self.slots_held[slot], held) from None
        self.slots[slot] = joined
        return not joining.same_type(joined, known)

    def _widen_written(self, turn: _Round) -> bool:
        found = [at for at in turn.written if at not in self.written]
        self.written += found
        return bool(found) and turn.inner

    def _outputs(self, turn: _Round) -> list[Value]:
        """The graph's outputs: the result, the places, the arguments changed."""
        ended, frame = turn.ended, turn.frame
        assert ended is not None
        found: list[Value] = []
        if self.result is not None:
            held = None if ended.dead else turn.result
            found += carrying.outputs(self.result, held, frame)
        for slot, kind in self.slots.items():
            held = ended.slots.get(slot)
            if held is None and not ended.dead:
                with building(frame):
                    held = hold_place(slot)
            found += carrying.outputs(kind, held, frame)
        found += [turn.written.get(at, turn.first[at]) for at in self.written]
        for value in found:
            frame.use(value)
        return found

    # Calls.

    def again(self, given: Sequence[Any], fit: Fit) -> Any:
        """A further call, met in the body; what it returns."""
        self.round.inner = True
        if not passing.same(fit.kinds, self.kinds):
            self.kinds = fit.kinds
            raise Again(self)
        if not self.known:
            raise Unreachable
        frame = require_current("this call")
        if self.slots and frame.trace.is_handled(self.guards):
            raise lent.lost(self.name)
        for slot, kind in self.slots.items():
            if self._join_slot(slot, kind, hold_place(slot), frame):
                raise Again(self)
        made_specs = self._specs()
        inputs = self._inputs(given, frame)
        attributes = {"function": self.symbol, "specs": made_specs}
        attributes |= control.effects_as_attributes(self.effects)
        made = frame.add(control.call, inputs, attributes)
        return self._take(given, list(made), frame)

    def _finish(self, outputs: list[Value]) -> Any:
        """The node, which is the first call."""
        outer = self.outer
        graph = self.round.frame.close(outputs, self.captures)
        with building(outer):
            inputs = self._inputs(self.given, outer)
            carried = len(inputs) - len(self.captures)
            attributes = {"function": self.symbol, "carried": carried}
            outer.location = None if outer.parent else start_of(self.function)
            made = outer.add(control.recursion, inputs, attributes, (graph,))
            outer.location = None
            return self._take(self.given, list(made), outer)

    def _inputs(self, given: Sequence[Any], frame: Frame) -> list[Value]:
        """The values for the graph's inputs: leaves, places, captures."""
        leaves = [leaf for _, leaf in passing.carried(self.kinds, given)]
        if self.written and frame.trace.is_handled():
            raise lent.lost(self.name)
        places_seen = (self.written, self.slots, self.captures, self.outer)
        lent.refuse_shared(self.name, leaves, *places_seen)
        inputs = passing.values(leaves)
        for slot, kind in self.slots.items():
            inputs += carrying.outputs(kind, hold_place(slot), frame)
        return inputs + [frame.use(value) for value in self.captures]

    def _specs(self) -> tuple[Any, ...]:
        """The specs of the graph's outputs."""
        kinds = [kind for kind in (self.result, *self.slots.values()) if kind]
        carried = [spec for kind in kinds for spec in carrying.carried_specs(kind)]
        taken = passing.carried(self.kinds, self.given)
        return (*carried, *(taken[at][0].spec for at in self.written))

    def _take(self, given: Sequence[Any], made: list[Value], frame: Frame) -> Any:
        """Put the outputs where they belong; what is returned."""
        leaves = [leaf for _, leaf in passing.carried(self.kinds, given)]
        result = None if self.result is None else self._taken_result(leaves, made)
        for slot, kind in self.slots.items():
            specs = list(carrying.carried_specs(kind))
            mine = [made.pop(0) for _ in specs]
            slot.change(frame, carrying.content(kind, mine, carrying.new_tensor))
        for at in self.written:
            tensor(leaves[at]).write(made.pop(0))
        if self.result is None:
            raise Unreachable
        return result

    def _taken_result(self, leaves: list[Any], made: list[Value]) -> Any:
        kind = self.result
        assert kind is not None
        assert kind.form is not None
        mine = [made.pop(0) for _ in list(carrying.carried_specs(kind))]
        pairs = zip(kind.form.leaves, self.sources, strict=False)
        known = {id(leaf): sources for leaf, sources in pairs}
        alone = self.overlaps or lent.overlap(leaves)

        def take(value: Value, leaf: Carried | None) -> Tensor:
            if leaf is None or leaf.scalar:
                return carrying.new_tensor(value, leaf)
            # An option of a choice may be any array that was passed.
            anyone: Sources = {at: at for at in range(len(leaves))}
            sources = lent.as_given(known.get(id(leaf), anyone), leaves)
            seen = tuple(s for s in leaf.sources if self.outer.sees(s._value))
            sources += (*seen, *marks.marks_among(leaf.sources))
            made = Tensor(value, scalar=leaf.scalar, sources=sources)
            return cast(Tensor, note_aliases(made, alone))

        content = carrying.content(kind, mine, take)
        if self.split:
            freeze_split(content)
        return content
