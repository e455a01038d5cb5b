"""attempt: a `try` whose body may fail when the graph runs becomes a `try` node.

The body is traced in place first. When nothing in it may fail, that is all, and what it
raises while tracing goes to the handlers as in plain Python. Otherwise it is gone back
on and traced in a frame of its own. Before each node that may fail a checkpoint keeps
the state that a handler would find; the checkpoints' values are joined place by place,
and become outputs of the node beside what the body's end leaves. What follows is a
branch on how it ended: the end's state and what comes next, or one's and a handler.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime import build
from runtime.build import Frame, OperatorsWanted, building
from runtime.errors import StagingError
from runtime.graph import Value
from runtime.ops import control
from runtime.signals import Interrupted
from runtime.structs import field, struct
from runtime.tensor import Tensor
from tracer import carrying, caught, cond, escaping, places, raising, tree
from tracer.checkpoints import Checkpoints
from tracer.cond import Body, Unreachable, make_exit, run_body
from tracer.ended import Ended
from tracer.exits import Exit, tags_of
from tracer.guarded import Watching, guarded
from tracer.kept import Cells, outward, write_cells
from tracer.numbered import Numbered
from tracer.state import State
from tracer.undefined import UNDEFINED

Handler = Callable[[BaseException], Exit]


@struct
class Clause:
    """One `except`.

    types:   gives the type or types that it takes, asked when something was raised;
             None takes everything
    handler: runs its block
    named:   the block has a name for the exception
    again:   the block ends by raising it again
    """

    types: Callable[[], Any] | None
    handler: Handler
    named: bool = False
    again: bool = False

    def takes(self, error: BaseException) -> bool:
        """Whether Python would give `error` to it. TypeError: it names no types."""
        return self.types is None or issubclass(
            type(error), caught.kinds_of(self.types())
        )


def attempt(
    body: Body,
    clauses: Sequence[Clause],
    then: Callable[[Exit], Exit],
    state: State,
    kept: State,
    key: Any,
) -> Exit:
    """`try: body()` with handlers, then `then(exit)` outside of them.

    state: what is looked at afterwards
    kept:  what is looked at afterwards, by a handler or by `then`; the same names
    key:   stands for the statement
    """
    frame = build.current()
    if frame is None:
        return _plain(body, clauses, then)
    if key in frame.trace.failing:
        staged = _Attempt(frame, clauses, then, state, kept)
        if staged.trace(body):
            return staged.finish()
    mark, before = frame.mark(), kept.get()
    done, exit_ = _in_place(frame, body, clauses, then)
    if done:
        return exit_
    frame.go_back(mark)
    kept.put(before)
    frame.trace.failing.add(key)
    staged = _Attempt(frame, clauses, then, state, kept)
    staged.trace(body)
    return staged.finish()


def _in_place(
    frame: Frame,
    body: Body,
    clauses: Sequence[Clause],
    then: Callable[[Exit], Exit],
) -> tuple[bool, Exit]:
    """As plain Python; (False, None) when something in the body may fail."""
    watch = Watching(_pass_on(clauses))
    try:
        with guarded(frame, watch, [clause.types for clause in clauses]):
            exit_ = body()
    except (OperatorsWanted, Interrupted):
        raise
    except (StagingError, Unreachable):
        if not watch.failed:
            raise
        return False, None
    except BaseException as error:
        if watch.failed or _holds_tensor(error):
            return False, None
        raising.require_said(frame, error)
        return True, _handle(error, clauses)
    return (False, None) if watch.failed else (True, then(exit_))


def _plain(body: Body, clauses: Sequence[Clause], then: Callable[[Exit], Exit]) -> Exit:
    try:
        exit_ = body()
    except BaseException as error:
        return _handle(error, clauses)
    return then(exit_)


def _handle(error: BaseException, clauses: Sequence[Clause]) -> Exit:
    """What the handler of an exception that is being handled by Python does."""
    for clause in clauses:
        if clause.takes(error):
            return clause.handler(error)
    raise error


def _pass_on(clauses: Sequence[Clause]) -> bool:
    """Whether nothing is read after a failure but what it is."""
    return all(clause.again for clause in clauses)


def _holds_tensor(error: BaseException) -> bool:
    return tree.holds_tensor((error.args, vars(error)))


@struct(eq=False, frozen=False)
class _Taken:
    """A clause whose types are known."""

    kinds: tuple[type[BaseException], ...]
    clause: Clause


@struct(eq=False, frozen=False)
class _Attempt:
    """One staged `try`."""

    outer: Frame
    clauses: Sequence[Clause]
    then: Callable[[Exit], Exit]
    state: State
    kept: State
    frame: Frame = field(init=False)
    checkpoints: Checkpoints = field(init=False)
    before: Sequence[Any] = field(init=False)
    ended: Ended = field(init=False)
    chosen: Tensor = field(init=False)
    error: Tensor = field(init=False)
    fails: bool = field(init=False)

    def trace(self, body: Body) -> bool:
        """Trace `body`; False when it turns out that nothing in it may fail."""
        self.frame = Frame("body", self.outer)
        self.checkpoints = Checkpoints(self.frame, self.kept, _pass_on(self.clauses))
        self.before = self.kept.get()
        types = [clause.types for clause in self.clauses]
        try:
            with guarded(self.frame, self.checkpoints, types):
                self.ended = run_body(self.frame, body, self.kept)
        finally:
            self.kept.put(self.before)
        return bool(self.checkpoints.live())

    def finish(self) -> Exit:
        """Add the node, and what comes after it."""
        frame, checkpoints, ended = self.frame, self.checkpoints, self.ended
        taken, self.fails = self._taken(), bool(checkpoints.live())
        catches = tuple(one.kinds for one in taken)
        cells = write_cells(checkpoints, self.outer)
        ends = _Ends(ended, frame, checkpoints.numbered)
        captures = list(frame.captures)
        graph = frame.close(ends.outputs, captures)
        attributes = {
            "guard": checkpoints.guard,
            "catches": catches,
            "cells": cells.specs,
        }
        with building(self.outer):
            made = self.outer.add(control.try_, captures, attributes, (graph,))
        self.outer.stale |= frame.stale
        self.chosen, self.error = Tensor(made[0]), Tensor(made[1])
        first = 2 + len(cells.specs)
        cells.take(made[2:first])
        ends.take(made[first:])
        others = self.before[len(self.kept.joined) :]
        return self._go_on(taken, cells, ends, others)

    def _taken(self) -> list[_Taken]:
        """The clauses by type; a type that cannot be had raises when it is asked."""
        taken: list[_Taken] = []
        for clause in self.clauses:
            try:
                kinds = (
                    (BaseException,)
                    if not clause.types
                    else caught.kinds_of(clause.types())
                )
            except StagingError:
                raise
            except Exception as error:
                taken.append(_Taken((BaseException,), Clause(None, _raiser(error))))
                break
            # One by one, so that the handler's exception has a type.
            alone = clause.named and len(kinds) > 1
            split = [(kind,) for kind in kinds] if alone else [kinds]
            taken += [_Taken(part, clause) for part in split]
        return taken

    def _go_on(
        self, taken: list[_Taken], cells: Cells, ends: _Ends, others: Sequence[Any]
    ) -> Exit:
        def ended() -> Exit:
            ends.put(self.kept, others)
            return self.then(ends.exit)

        def failed() -> Exit:
            cells.put(self.kept, others)
            return self._choose(taken, cells, 0)

        if ends.dead:
            return failed()
        if not self.fails:
            # What might have failed was in a loop without a turn.
            return ended()
        return cond.cond(self.chosen == 0, ended, failed, self.state)

    def _choose(self, taken: list[_Taken], cells: Cells, at: int) -> Exit:
        """The handler of the clause at `at`, or a later one."""

        def this() -> Exit:
            return self._run(taken, at, cells)

        if at + 1 >= len(taken):
            return this()
        return cond.cond(
            self.chosen == at + 1,
            this,
            lambda: self._choose(taken, cells, at + 1),
            self.state,
        )

    def _run(self, taken: list[_Taken], at: int, cells: Cells) -> Exit:
        """The handler, for each of the exceptions that the program may raise here."""
        one = taken[at]
        known = [
            number
            for number, raised in enumerate(cells.raised, 1)
            if _first(taken, raised.kind) == at
        ]
        # Without a name they are not told apart; raised again, they are the program's.
        of_op = not cells.open and (one.clause.named or not known)
        if not one.clause.named:
            known = []

        def open_() -> Exit:
            error = caught.caught_as(one.kinds[0], self.error, of_op)
            return _run_handler(one.clause, error)

        return self._handle(one, cells, known, open_)

    def _handle(
        self, one: _Taken, cells: Cells, numbers: list[int], open_: Callable[[], Exit]
    ) -> Exit:
        """Run the handler with the exception that came, one of those of `numbers`."""
        if not numbers:
            return open_()
        number, *rest = numbers
        error = cells.raised[number - 1].exception(cells.tensors_of(number))

        def this() -> Exit:
            return _run_handler(one.clause, caught.stand_for(error, self.error))

        def others() -> Exit:
            return self._handle(one, cells, rest, open_)

        if not rest and not cells.may_raise(one.kinds):
            return this()
        return cond.cond(cells.origin == number, this, others, self.state)


def _first(taken: list[_Taken], kind: type[BaseException]) -> int:
    """The clause that takes exceptions of a type; -1 for none."""
    return next((n for n, one in enumerate(taken) if issubclass(kind, one.kinds)), -1)


def _run_handler(clause: Clause, error: BaseException) -> Exit:
    try:
        # While Python handles it, a bare `raise` raises it again. What is set on it is
        # the handler's own affair, until then.
        places.created(error)
        raise error
    except BaseException as current:
        try:
            return clause.handler(current)
        finally:
            current.__traceback__ = None


def _raiser(error: Exception) -> Handler:
    def handler(_: BaseException) -> Exit:
        raise error

    return handler


class _Ends:
    """What the end of the body leaves: places whose types are those of the end alone.

    dead: the end is never reached
    """

    def __init__(self, ended: Ended, frame: Frame, numbered: Numbered) -> None:
        self.dead = ended.dead
        self._ended = ended
        places = {} if ended.dead else ended.slots
        slots = (*places.values(), *ended.own.values())
        held = [ended.tag, ended.content, *ended.names, *slots]
        self._kinds = [None if one is None else outward(one, frame) for one in held]
        self._counts: list[int] = []
        self.outputs: list[Value] = []
        for kind, one in zip(self._kinds, held, strict=True):
            made = [] if kind is None else carrying.outputs(kind, one, frame)
            self._counts.append(len(made))
            self.outputs += [frame.use(value) for value in made]
        self._numbered = numbered
        # Which arrays from outside the names are, after all other outputs.
        told = [None if one is None else numbered.number(one, frame) for one in held]
        at = (at for at, number in enumerate(told) if number is not None)
        self._numbers = {one: n for n, one in enumerate(at, len(self.outputs))}
        self.outputs += [number for number in told if number is not None]

    def take(self, made: Sequence[Value]) -> None:
        """Read the outputs, as values of the frame outside."""
        values = iter(made)
        found: list[Any] = []
        for at, (kind, n) in enumerate(zip(self._kinds, self._counts, strict=True)):
            mine = [next(values) for _ in range(n)]
            content: Any = UNDEFINED
            if kind is not None:
                content = carrying.content(kind, mine, carrying.new_tensor)
                if at in self._numbers:
                    self._numbered.attach(kind, content, made[self._numbers[at]])
            found.append(content)
        self._tag, self._content, *rest = found
        count = len(self._ended.names)
        self._names, self._slots = rest[:count], rest[count:]

    @property
    def exit(self) -> Exit:
        """How the body was left."""
        return make_exit(self._tag, tags_of(self._ended.exit), self._content)

    def put(self, state: State, others: Sequence[Any]) -> None:
        """Make the names and places hold what the end left."""
        state.put([*self._names, *others])
        frame = build.require_current("this try")
        escaping.hand_over(self._ended.made, frame)
        slots = (*self._ended.slots, *self._ended.own)
        for slot, content in zip(slots, self._slots, strict=True):
            slot.change(frame, content)
