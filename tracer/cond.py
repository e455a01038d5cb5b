"""cond: a data-dependent choice becomes an `if` node.

Both bodies are traced, each in a frame of its own and from the same state. What they
leave behind (names, changed arrays, the exit) is joined place by place and becomes the
node's outputs. A body that raises is a branch that raises when it is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from runtime import build
from runtime.build import Frame, Slot, building
from runtime.errors import (
    OnlyPythonError,
    PythonTypeError,
    StagingError,
    StagingTypeError,
    StagingValueError,
    located,
)
from runtime.graph import Value
from runtime.ops import control
from runtime.tensor import Tensor
from runtime.tensor_slot import TensorSlot
from tracer import carrying, choice, escaping, exits, raising
from tracer.attributes_put import require_in_place
from tracer.cells import CellSlot
from tracer.contents import Held, hold
from tracer.ended import Ended, Places, is_users
from tracer.exits import (
    NEXT,
    RETURNS,
    Exit,
    Jump,
    Return,
    StagedExit,
    tags_of,
)
from tracer.state import EMPTY, RETURNED, Box, State, with_boxes
from tracer.truth import truth
from tracer.undefined import UNDEFINED, Maybe
from tracer.words import EXPRESSION_WORDS, IF_WORDS, Words

Body = Callable[[], Exit]


class Unreachable(BaseException):
    """Every path has raised: what follows is never run. Not for users to catch."""


def run_body(frame: Frame, body: Body, state: State, anew: bool = False) -> Ended:
    """Trace `body` in `frame` and undo its changes, having noted them.

    The caller puts the state's names back.

    anew: the body is run many times, each time with what the last time has left
    """
    try:
        with building(frame):
            try:
                exit_ = body()
            except StagingError:
                raise
            except Unreachable:
                return _dead(frame)
            except SystemExit:
                # A library has raised it: `raise` is seen where it stands.
                raise located(
                    OnlyPythonError("this ends the program, depending on data"),
                    "End it outside of the function.",
                ) from None
            except RecursionError as error:
                raise located(
                    PythonTypeError("a recursion that depends on data has no end here"),
                    "Numbers, texts and arrays may differ from level to level; "
                    "functions and the nesting of containers must be the same.",
                ) from error
            except Exception as error:
                # The program raises here, so the branch does, when it is taken.
                ended = _dead(frame)
                raising.emit_raise(frame, error)
                return ended
            return _end(frame, exit_, state, anew)
    finally:
        frame.undo_changes()


def _dead(frame: Frame) -> Ended:
    """A body that raises, after it has changed some of the user's arrays maybe."""
    slots = (slot for slot in frame.changed() if is_users(slot))
    left = {slot: hold(slot.content()) for slot in slots}
    return Ended(frame, dead=True, slots=left)


def _end(frame: Frame, exit_: Exit, state: State, anew: bool) -> Ended:
    ended = Ended(frame, dead=False, exit=exit_)
    joined = state.get()[: len(state.joined)]
    returned = tags_of(exit_) <= {RETURNS}
    tag, content = tag_and_content(exit_)
    places = {
        slot: slot.content() for slot in frame.changed() if not slot.is_local(frame)
    }
    require_in_place(frame.changes, [*places])
    pairs = list(zip(state.names, joined, strict=False))
    apart = [held for name, held in pairs if anew and name == RETURNED]
    kept = [held for name, held in pairs if not anew or name != RETURNED]
    seen = escaping.Seen([*kept, content], places, anew, apart=apart)
    ended.names = [_hold_name(content, returned, seen) for content in joined]
    ended.slots = {slot: seen.hold_place(slot, held) for slot, held in places.items()}
    ended.tag, ended.content = hold(tag), hold(content, seen.is_reference)
    held = [*ended.names, *ended.slots.values(), ended.content]
    ended.own, ended.made = seen.own(frame, [one for one in held if one is not None])
    ended.split = seen.splits(joined, places, content)
    ended.kept = {
        id(slot.tensor): slot.get()
        for slot in frame.changed()
        if isinstance(slot, TensorSlot) and slot.is_local(frame)
    }
    return ended


def _hold_name(content: Any, returned: bool, seen: escaping.Seen) -> Held | None:
    """What a name holds; None where it is unbound, or unclear, on a path that returns
    and so does not come back to it.
    """
    if not returned:
        return hold(content, seen.is_reference)
    try:
        held = hold(content, seen.is_reference)
    except (StagingTypeError, StagingValueError):
        return None
    return None if held.form is None else held


def tag_and_content(exit_: Exit) -> tuple[Any, Any]:
    """An exit as two carried places: its tag, and what is returned."""
    if exit_ is None:
        return NEXT, UNDEFINED
    if isinstance(exit_, Jump):
        return exit_.tag, UNDEFINED
    return exit_.tag, exit_.content


def make_exit(tag: Any, possible: frozenset[int], content: Any) -> Exit:
    """The exit with this tag; a plain one when only one tag is possible."""
    if len(possible) == 1:
        (only,) = possible
        if only == NEXT:
            return None
        if only == RETURNS:
            return Return(_returned(content))
        return exits.BREAK if only == exits.BREAKS else exits.CONTINUE
    return StagedExit(tag, possible, content)


def _returned(content: Any) -> Any:
    # The tag says that this path returned, so the flag need not be looked at.
    return content.content if isinstance(content, Maybe) else content


def cond(
    predicate: Any, then: Body, orelse: Body, state: State, words: Words = IF_WORDS
) -> Exit:
    """Stage `if predicate: then() else: orelse()`.

    predicate: a Tensor of one element, any dtype
    returns:   the joined exit of the two bodies
    TypeError: a name holds values on the two paths that no graph can hold as one
    """
    outer = build.require_current("this if")
    chosen = truth(predicate)
    before = state.get()
    ended = []
    for name, body in (("then", then), ("orelse", orelse)):
        try:
            with choice.told_apart(predicate, body is then):
                ended.append(run_body(Frame(name, outer), body, state))
        finally:
            state.put(before)
    first, second = ended
    is_left = not (first.dead and second.dead)
    places = Places(first, second, words)
    if is_left:
        _collect(places, ended, state)
        places.share()
    else:
        _collect_slots(places, ended, state)
    made = _add_node(outer, chosen, first, second, places)
    after = _contents(chosen, places, made)
    if is_left:
        return _leave(outer, places, made, after, ended, state, before)
    _change(outer, _slots(ended), after)
    raise Unreachable


def _alive(ended: list[Ended]) -> list[Ended]:
    return [side for side in ended if not side.dead]


def _collect(places: Places, ended: list[Ended], state: State) -> None:
    places.add("the way on", lambda side: side.tag)
    places.add(RETURNED, lambda side: side.content)
    for index, name in enumerate(state.joined):
        try:
            places.add(name, partial(_name, at=index))
        except StagingTypeError:
            if not any(side.returned for side in _alive(ended)):
                raise
            # A path that has returned does not come back to what the other reads.
            places.add(name, partial(_name_unless_returned, at=index))
    _collect_slots(places, ended, state)
    for slot in _own_slots(ended):
        places.add(str(slot), partial(_own, slot=slot))


def _collect_slots(places: Places, ended: list[Ended], state: State) -> None:
    for slot in _slots(ended):
        unchanged = escaping.hold_before(slot)
        pick = partial(_slot, slot=slot, unchanged=unchanged, state=state)
        places.add(str(slot), pick, is_users(slot))


def _slot(side: Ended, slot: Slot, unchanged: Held, state: State) -> Held:
    if slot not in side.slots and isinstance(slot, CellSlot):
        # This side may have set the variable by its name.
        at = state.position(slot.cell)
        return unchanged if at is None else side.names[at] or unchanged
    return side.slots.get(slot, unchanged)


def _own(side: Ended, slot: Slot) -> Held | None:
    """An attribute of an object that the other side does not know, maybe."""
    return side.own.get(slot)


def _name(side: Ended, at: int) -> Held | None:
    return side.names[at]


def _name_unless_returned(side: Ended, at: int) -> Held | None:
    return None if side.returned else side.names[at]


def _slots(ended: list[Ended]) -> list[Slot]:
    return list(dict.fromkeys(slot for side in ended for slot in side.slots))


def _own_slots(ended: list[Ended]) -> list[Slot]:
    return list(dict.fromkeys(slot for side in ended for slot in side.own))


def _add_node(
    outer: Frame, chosen: Tensor, first: Ended, second: Ended, places: Places
) -> tuple[Value, ...]:
    pairs = list(places.pairs)
    # Closing resolves the outputs, which may capture more: so twice, captures last.
    for side, at in ((first, 0), (second, 1)):
        for pair in pairs:
            side.frame.use(pair[at])
    captures = list(dict.fromkeys([*first.frame.captures, *second.frame.captures]))
    graphs = (
        first.frame.close([pair[0] for pair in pairs], captures),
        second.frame.close([pair[1] for pair in pairs], captures),
    )
    for side in (first, second):
        # Who has called a function goes on after its return; nobody has the whole one.
        if not side.dead and (not side.returned or _has_caller(outer)):
            outer.stale |= side.frame.stale
    with building(outer):
        return outer.add(control.if_, (chosen.value, *captures), {}, graphs)


def _has_caller(frame: Frame) -> bool:
    """True in a function that another one has called, in this trace or when it runs."""
    calls = frame.trace.calls
    return len(calls) > 1 or any(call.graph is not None for call in calls)


def _contents(chosen: Tensor, places: Places, made: Sequence[Value]) -> list[Any]:
    take = places.taker(made, chosen)
    return [
        carrying.content(kind, [made[i] for i in indices], take)
        for kind, indices in zip(places.kinds, places.indices, strict=True)
    ]


def _change(outer: Frame, slots: list[Slot], contents: Sequence[Any]) -> None:
    for slot, new in zip(slots, contents, strict=True):
        slot.change(outer, new)


def _leave(
    outer: Frame,
    places: Places,
    made: Sequence[Value],
    after: Sequence[Any],
    ended: list[Ended],
    state: State,
    before: Sequence[Any],
) -> Exit:
    # The way on and what is returned come first, then the names.
    for name, indices in zip(state.joined, places.indices[2:], strict=False):
        if len(indices) == 1 and name.isidentifier():
            # For pictures; one value may be that of two names.
            made[indices[0]].name = made[indices[0]].name or name
    tag, content, *rest = after
    count = len(state.joined)
    names, slots = rest[:count], rest[count:]
    state.put([*names, *before[count:]])
    escaping.hand_over((thing for side in ended for thing in side.made), outer)
    _change(outer, [*_slots(ended), *_own_slots(ended)], slots)
    possible = frozenset().union(*(tags_of(side.exit) for side in _alive(ended)))
    return make_exit(tag, possible, content)


def choose(
    predicate: Any,
    then: Callable[[], Any],
    orelse: Callable[[], Any],
    state: State = EMPTY,
) -> Any:
    """Stage the expression `then() if predicate else orelse()`.

    state: the names that `:=` binds in one of them
    """
    chosen = Box(None)

    def case(evaluate: Callable[[], Any]) -> None:
        chosen.content = evaluate()

    cond(
        predicate,
        lambda: case(then),
        lambda: case(orelse),
        with_boxes(state, {RETURNED: chosen}),
        EXPRESSION_WORDS,
    )
    return chosen.content
