"""while_loop: a data-dependent loop becomes a `while` node.

The body is traced from placeholders for every place that it may change. What it leaves
there is joined with what the placeholders stood for; when that widens a type (0 meets
0.0, a shape changes, a name is set that was not, an array is changed in place), the
body is traced again, until the types hold.

A loop that may be left from inside, or whose test changes something, is turned round:
the test is run before the loop and at each iteration's end, and the loop asks a flag.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from runtime import build
from runtime.build import Frame, Slot, building
from runtime.errors import StagingError, StagingTypeError, located
from runtime.graph import Value
from runtime.ops import control
from runtime.structs import field, struct
from runtime.tensor_slot import TensorSlot
from tracer import (
    carrying,
    cond,
    contents,
    escaping,
    joining,
    met_again,
    own_contents,
    settling,
)
from tracer.cond import Body, run_body
from tracer.contents import CannotJoin, ContentType, Held, hold
from tracer.ended import Ended
from tracer.escaping import Place
from tracer.exits import BREAKS, LEAVING, NEXT, Exit, tags_of
from tracer.frozen import freeze_split
from tracer.leaving import ON, end_loop
from tracer.loop_round import LoopRound
from tracer.referred import Referred, are_parts_of_one, is_array, overlapping
from tracer.state import RETURNED, Box, State, with_boxes, with_names
from tracer.truth import truth
from tracer.undefined import UNDEFINED
from tracer.words import LOOP_WORDS, cannot_join

# Types only widen, along short chains (bool, int, float, complex; known dim, unknown
# dim, unknown rank), and each round finds a changed place or more.
MAX_ROUNDS = 40
# Rounds after which a place that gets further texts is taken to get them for ever.
PATIENCE = 3

Test = Callable[[], Any]


def while_loop(
    test: Test, body: Body, state: State, orelse: Body | None = None
) -> Exit:
    """Stage `while test(): body()` and `else: orelse()` from the present state.

    test:    reads the state; gives a tensor, or a Python value, of one element
    returns: the exit of the whole loop: None, or a (staged) return
    TypeError: a name changes between kinds of values that no graph can hold as one
    """
    if _PlainLoop(test, body, state).stage():
        return orelse() if orelse else None
    return _turned_round(test, body, state, orelse)


def _turned_round(test: Test, body: Body, state: State, orelse: Body | None) -> Exit:
    before = state.get()
    go, tag, content = Box(truth(test())), Box(NEXT), Box(UNDEFINED)
    # What the test binds is read by the body, which runs before the next test here.
    pairs = enumerate(zip(before, state.get(), strict=True))
    bound = [at for at, (old, new) in pairs if old is not new]
    count = len(state.joined)
    state = with_names(state, [at for at in bound if at >= count])
    carried = with_boxes(state, {"the test": go, "the way on": tag, RETURNED: content})
    left: set[int] = set()

    def ask() -> None:
        go.content = truth(test())

    def stop() -> None:
        go.content = False

    def whole_body() -> None:
        exit_ = body()
        tag.content, content.content = cond.tag_and_content(exit_)
        possible = tags_of(exit_)
        left.update(possible & LEAVING)
        if not possible & LEAVING:
            ask()
        elif possible <= LEAVING:
            stop()
        else:
            asked = with_boxes(state, {"the test": go})
            cond.cond(tag.content < BREAKS, ask, stop, asked)

    if not _PlainLoop(lambda: go.content, whole_body, carried).stage():
        raise AssertionError("a loop that asks a flag has no other exits")
    exit_ = cond.make_exit(tag.content, frozenset(left | ON), content.content)
    return end_loop(exit_, orelse, state)


@struct(frozen=False)
class _PlainLoop:
    """A loop that ends by its test alone, and whose test changes nothing."""

    test: Test
    body: Body
    state: State
    outer: Frame = field(init=False)
    contents_before: Sequence[Any] = field(init=False)
    before: list[Held] = field(init=False)
    kinds: list[ContentType] = field(init=False)
    slots: dict[Slot, ContentType] = field(init=False)
    # The places that get their own of what two places refer to.
    split: set[Place] = field(init=False, default_factory=set)
    rounds: int = field(init=False, default=0)
    # Those that hold an array, and another one of which it may be a part.
    overlapping: set[Place] = field(init=False, default_factory=set)
    referred: Referred = field(init=False)

    def __post_init__(self) -> None:
        self.outer = build.require_current("this loop")
        self.referred = Referred(self.outer)
        self.contents_before = self.state.get()
        carried = self.contents_before[: len(self.state.joined)]
        self.before = [
            # Lists in the tracer's own boxes are nobody else's.
            hold(content, escaping.is_container if name.isidentifier() else None)
            for name, content in zip(self.state.names, carried, strict=False)
        ]
        self.kinds = [
            contents.type_of(held, None, carry_numbers=True) for held in self.before
        ]

    def stage(self) -> bool:
        """Add the node and set the state; False, with nothing done, if not plain."""
        loop, slots = met_again.begun(self.state, self.outer)
        self.slots = {slot: self._type_before(slot) for slot in slots}
        for self.rounds in range(1, MAX_ROUNDS + 1):
            try:
                traced = self._trace()
            finally:
                self.state.put(self.contents_before)
            if traced is None:
                return False
            less = self.rounds == 1 and self._let_go(traced)
            if not self._widen(traced) and not less:
                met_again.note(loop, self.state, self.outer, self.slots)
                self._finish(traced)
                return True
        # Types settle, so it is places: each round changed one that it made itself.
        *_, last = ("what this loop gives", *self.slots)
        raise located(
            StagingTypeError(f"{last} is made anew by each round of this loop"),
            "Make it in the loop by a display or call (`[...]`, `list(x)`), which can "
            "be told from one made outside, or use an array.",
        )

    def _trace(self) -> LoopRound | None:
        places: list[Place] = [*range(len(self.kinds)), *self.slots]
        self.overlapping = overlapping({one: self._before(one) for one in places})
        traced = LoopRound(Frame("test", self.outer), Frame("body", self.outer))
        if not self._trace_test(traced):
            return None
        entered: list[Any] = []

        def body() -> Exit:
            self._enter(traced, traced.frame)
            exit_ = self.body()
            entered.append(exit_)
            self._note_contents(traced)
            return exit_

        traced.ended = run_body(traced.frame, body, self.state, anew=True)
        if any(tags_of(exit_) & LEAVING for exit_ in entered):
            return None
        return traced

    def _note_contents(self, traced: LoopRound) -> None:
        """Note what the round has made for places that may be arrays from outside.

        Before its changes are undone: some of it is in arrays that no place holds.
        """
        names = self.state.get()
        for place in self.referred.places:
            one = names[place] if isinstance(place, int) else place.content()
            given = hold(one), self._kind(place), traced.numbers, traced.frame
            traced.contents[place] = self.referred.contents.last(self.referred, *given)

    def _trace_test(self, traced: LoopRound) -> bool:
        frame = traced.test_frame
        try:
            with building(frame):
                entered = self._enter(traced, frame)
                mark = frame.mark()
                traced.go = truth(self.test()).value
                after = self.state.get()
        except StagingError:
            raise
        except Exception:
            # The test raises: turned round, it does so before the loop.
            return False
        finally:
            frame.undo_changes()
        same = all(a is b for a, b in zip(entered, after, strict=True))
        return same and len(frame.changes) == mark.changes

    def _enter(self, traced: LoopRound, frame: Frame) -> Sequence[Any]:
        """Put placeholders, new inputs of `frame`, into every carried place."""
        made: dict[Place, Any] = {
            at: self._placeholder(at, kind, frame) for at, kind in enumerate(self.kinds)
        }
        self.state.put([*made.values(), *self._others()])
        for slot, kind in self.slots.items():
            made[slot] = self._placeholder(slot, kind, frame)
            slot.change(frame, made[slot])
            traced.inputs[frame, slot] = frame.inputs[-1]
        for place in self.referred.places:
            kind = self._kind(place)
            found = tuple(map(frame.add_input, self.referred.carried(kind)))
            tensor = self.referred.attach(made[place], found)
            traced.numbers[id(tensor)] = found
            # Alive as long as it is told by its id.
            traced.placeholders.append(tensor)
        return self.state.get()

    def _others(self) -> Sequence[Any]:
        """Names that each round sets anew before it reads them, as they were."""
        return self.contents_before[len(self.kinds) :]

    def _placeholder(self, place: Place, kind: ContentType, frame: Frame) -> Any:
        inputs = [frame.add_input(spec) for spec in carrying.carried_specs(kind)]
        self._name(place, inputs)
        return self._content(place, kind, inputs)

    def _name(self, place: Place, values: Sequence[Value]) -> None:
        """Let pictures say which variable of the user's is carried."""
        name = self.state.names[place] if isinstance(place, int) else ""
        if len(values) == 1 and name.isidentifier():
            values[0].name = name

    def _content(self, place: Place, kind: ContentType, values: Sequence[Value]) -> Any:
        take = partial(carrying.new_tensor, alone=place in self.overlapping)
        content = carrying.content(kind, values, take)
        if place in self.split:
            freeze_split(content)
        return content

    def _let_go(self, traced: LoopRound) -> bool:
        """Carry no array that the body leaves as it was; True if there was one."""
        others = traced.without_unchanged([*self.slots])
        for slot in others:
            del self.slots[slot]
        return bool(others)

    def _widen(self, traced: LoopRound) -> bool:
        """Join the types with what the body left; True when one became wider."""
        ended = traced.ended
        assert ended is not None
        escaping.refuse(ended.own)
        wider = not ended.split <= self.split
        self.split |= ended.split
        for index, held in enumerate(ended.names):
            assert held is not None, "a plain loop's body does not return"
            joined = self._join(self.state.names[index], index, held, traced.frame)
            if not joining.same_type(joined, self.kinds[index]):
                wider, joined = True, self._settled(joined)
            self.kinds[index] = joined
        for slot, held in ended.slots.items():
            known = self.slots.get(slot)
            if known is None:
                known, wider = self._type_before(slot), True
            joined = self._join_slot(slot, known, held, traced.frame)
            if not joining.same_type(joined, known):
                wider, joined = True, self._settled(joined)
            self.slots[slot] = joined
        return self._refer(traced, ended) or wider

    def _refer(self, traced: LoopRound, ended: Ended) -> bool:
        """Number the places that may be arrays from outside; True when some are new."""
        trace, wider = self.outer.trace, False
        found: dict[Any, Any] = {**dict(enumerate(ended.names)), **ended.slots}
        slots = [place for place in found if isinstance(place, TensorSlot)]
        arrays = {
            place: held
            for place, held in found.items()
            if held is not None and place not in slots and is_array(self._kind(place))
        }
        trace.may_refer |= bool(arrays)
        if slots and are_parts_of_one(map(self._before, arrays)):
            build.want_references()
        for place, held in arrays.items() if trace.references else ():
            given = self._before(place), held, traced.numbers, traced.frame
            wider |= self.referred.widen(place, *given)
        return wider

    def _kind(self, place: Place) -> ContentType:
        return self.kinds[place] if isinstance(place, int) else self.slots[place]

    def _before(self, place: Place) -> Held:
        if isinstance(place, int):
            return self.before[place]
        return self._slot_before(place)

    def _settled(self, kind: ContentType) -> ContentType:
        """A type that is still growing: of many texts, one that the run makes."""
        return kind if self.rounds < PATIENCE else settling.with_texts(kind)

    def _join(self, name: str, index: int, held: Held, frame: Frame) -> ContentType:
        try:
            return joining.join(self.kinds[index], held, frame, texts=True)
        except CannotJoin:
            before = self.before[index]
            raise cannot_join(name, before, held, LOOP_WORDS) from None

    def _join_slot(
        self, slot: Slot, known: ContentType, held: Held, frame: Frame
    ) -> ContentType:
        try:
            return joining.join(known, held, frame, texts=True)
        except CannotJoin:
            before = self._slot_before(slot)
            raise cannot_join(str(slot), before, held, LOOP_WORDS) from None

    def _type_before(self, slot: Slot) -> ContentType:
        return contents.type_of(self._slot_before(slot), self.outer, True)

    def _slot_before(self, slot: Slot) -> Held:
        with building(self.outer):
            return escaping.hold_before(slot)

    def _finish(self, traced: LoopRound) -> None:
        traced.refuse_stale()
        ended, frame, outer = traced.ended, traced.frame, self.outer
        assert ended is not None
        assert traced.go is not None
        initial: list[Value] = []
        outs: list[Value] = []
        with building(outer):
            firsts = own_contents.firsts(self.referred.places, self._kind)
        for place in (*range(len(self.kinds)), *self.slots):
            given = place, self._kind(place)
            initial += own_contents.outputs(*given, self._before(place), outer, firsts)
            held, own = traced.left(place), traced.contents
            outs += own_contents.outputs(*given, held, frame, own)
        for place in self.referred.places:
            with building(outer):
                initial += self.referred.initial(place, self._kind(place))
            held = None if ended.dead else traced.left(place)
            told = self._kind(place), traced.numbers, frame
            outs += self.referred.last(held, *told)
        made = self._add_node(traced, initial, outs)
        self._leave(list(made))

    def _add_node(
        self, traced: LoopRound, initial: list[Value], outs: list[Value]
    ) -> tuple[Value, ...]:
        test_frame, frame, outer = traced.test_frame, traced.frame, self.outer
        assert traced.go is not None
        # Resolving the outputs may capture more, so the captures are read last.
        test_frame.use(traced.go)
        for value in outs:
            frame.use(value)
        captures = list(dict.fromkeys([*test_frame.captures, *frame.captures]))
        graphs = (
            test_frame.close([traced.go], captures),
            frame.close(outs, captures),
        )
        outer.stale |= test_frame.stale | frame.stale
        with building(outer):
            inputs = [outer.use(value) for value in initial] + captures
            attributes = {"carried": len(initial)}
            return outer.add(control.while_, inputs, attributes, graphs)

    def _leave(self, made: list[Value]) -> None:
        after: dict[Place, Any] = {
            at: self._take(at, kind, made) for at, kind in enumerate(self.kinds)
        }
        self.state.put([*after.values(), *self._others()])
        for slot, kind in self.slots.items():
            after[slot] = self._take(slot, kind, made)
            slot.change(self.outer, after[slot])
        for place in self.referred.places:
            count = len(self.referred.carried(self._kind(place)))
            self.referred.attach(after[place], made[:count])
            del made[:count]

    def _take(self, place: Place, kind: ContentType, made: list[Value]) -> Any:
        count = len(list(carrying.carried_specs(kind)))
        mine = [made.pop(0) for _ in range(count)]
        self._name(place, mine)
        return self._content(place, kind, mine)
