"""trace: one run of a Python function on placeholders gives a Graph.

Beside the graph a trace gives what the call must do around it: which arguments are its
inputs, how its outputs make the returned structure, and which of the caller's arrays
the program changed.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Sequence
from typing import Any

from runtime import kinds, swallowed
from runtime.build import Frame, OperatorsWanted, ReferencesWanted, Slot, building
from runtime.effects import writes
from runtime.errors import PythonTypeError, StagingError
from runtime.structs import field, struct
from runtime.tensor import Tensor
from runtime.variable import VariableMade
from tracer import (
    again,
    captures,
    caught,
    containers,
    garbage,
    guarded,
    idle,
    leaks,
    outer,
    recursion,
    row_view,
    splitting,
    tree,
)
from tracer.added import with_added
from tracer.attributes_put import always_put, put_anew
from tracer.cond import Unreachable
from tracer.encoding import Encoder
from tracer.given import rows_of
from tracer.identities import with_reads
from tracer.only_python import IdleError
from tracer.placeholders import (
    note_kinds,
    passed_for,
    placeholders,
    without_lists,
)
from tracer.plain import is_plain
from tracer.python_calls import require_apart
from tracer.raising import emit_raise
from tracer.refusals import Tried, undone_if_refused
from tracer.rows import Plan, Rows, RowsWanted
from tracer.signature import Signature
from tracer.traced import (
    ChangedContainer,
    Constant,
    Traced,
    loses_writes,
)

kinds.set_split(splitting.split)
# A trace that finds further places outside more often changes new objects each time.
MOST_ROUNDS = 10
MOST_NEW = 3  # those after which operators are looked at


def trace(
    function: Callable[..., Any],
    name: str,
    signature: Signature,
    leaves: Sequence[Any],
    leaf_names: Sequence[str],
    python_effects: str = "run",
    convert: Callable[[Callable[..., Any]], Callable[..., Any]] | None = None,
    places: Sequence[outer.Place] = (),
    own: Sequence[Any] = (),
    tried: Tried | None = None,
) -> Traced:
    """Run `function` once on placeholders for the signature's tensors.

    leaves:  the arguments' leaves; those that are constants are passed as they are
    convert: what is to be done to the function first, within the trace
    places:  what is known to be changed outside
    own:     the arguments' containers, for which the trace has placeholders
    tried:   gets what was looked at by traces that came to nothing
    Errors: what the function raises on every path before it has any effect, and
    StagingErrors where the program cannot become a graph.
    """
    of = (function, name, signature, without_lists(leaves), leaf_names)
    given = (*of, python_effects, convert, own)
    modes, known, rounds = _Modes.of(rows_of(signature), tried), places, 0
    while True:
        reading = outer.Reading(places, modes.fixed) if places else None
        try:
            with garbage.of_trace():
                return _trace(*given, modes, reading)
        except (VariableMade, idle.PutOff):
            raise
        except OperatorsWanted as wanted:
            modes.want(wanted)
        except outer.Wanted as wanted:
            # Its frames hold it, which would wait for the garbage collector.
            wanted.__traceback__ = None
            # What is gone with its trace was made by it (a function with attributes).
            living, rounds = outer.living(wanted.places), rounds + 1
            if (not living or rounds > MOST_NEW) and not modes.varies:
                # An operator may make them (`a | b`), which is seen by itself then.
                modes.varies, rounds, places = True, 0, known
                continue
            if not living or rounds > MOST_ROUNDS:
                words = "this changes a new object outside at each trace"
                error, remedy = PythonTypeError(words), "Return the value instead."
                raise leaks.at_definition(function, error, remedy) from None
            places = (*places, *living)
        except StagingError as refused:
            modes.after(refused, bool(places))


@struct(frozen=False)
class _Modes:
    """How a trace is made, as those before it have shown.

    varies:     Python's own operators do not see what is met
    references: items of lists of known length that data ask for are themselves
    given:      the lists in lists that are passed as rows
    plan:       which lists are rows; None: none is
    refused:    what was said without rows, if that is why they are tried
    no_rows:    it could not be traced with rows
    fixed:      numbers outside are constants
    long_lists: what is done with the long lists that comprehensions make
    trace:      the latest
    tried:      what those before it have looked at
    """

    varies: bool = False
    references: bool = False
    fixed: bool = False
    given: Plan | None = None
    plan: Plan | None = None
    refused: StagingError | None = None
    no_rows: bool = False
    long_lists: str = "loops"
    trace: Any = None
    tried: Tried = field(default_factory=Tried)

    @classmethod
    def of(cls, given: Plan | None, tried: Tried | None) -> _Modes:
        """Those of a first trace."""
        modes = cls(given=given, plan=given, tried=tried or Tried())
        modes.varies = modes.references = given is not None
        return modes

    def want(self, wanted: OperatorsWanted) -> None:
        """Note what a trace has found missing."""
        if isinstance(wanted, ReferencesWanted):
            self.references = True
        elif isinstance(wanted, RowsWanted):
            self.varies = self.references = True
            self.plan = (self.plan or Plan()).with_groups(wanted.groups)
            self.refused = self.refused or wanted.refused
        else:
            self.varies = True

    def after(self, error: StagingError, has_places: bool) -> None:
        """Try another way after a refusal. The error, or one before: there is none."""
        if isinstance(error, IdleError):
            raise error
        if self.plan not in (None, self.given) and self.refused is None:
            # What was not refused without rows may do without them.
            self.plan, self.refused, self.no_rows = self.given, error, True
        elif has_places and not self.fixed:
            # As constants the numbers outside may decide what a graph cannot.
            self.fixed = True
        elif self.trace is not None and self.trace.long_lists == "was made":
            self.long_lists = "unrolled"
        elif self.no_rows or (self.plan is not None and not self.plan.regions):
            raise self.refused or error from None
        else:
            raise error


def _trace(
    function: Callable[..., Any],
    name: str,
    signature: Signature,
    leaves: Sequence[Any],
    leaf_names: Sequence[str],
    python_effects: str,
    convert: Callable[[Callable[..., Any]], Callable[..., Any]] | None,
    own: Sequence[Any],
    modes: _Modes,
    reading: outer.Reading | None,
) -> Traced:
    frame, given = _frame(name, python_effects, modes), function
    note_kinds(frame.trace, signature)
    captures.note(frame.trace, leaves)
    with building(frame), undone_if_refused(frame, own, modes.tried):
        tensors, parts = placeholders(frame, signature, leaf_names)
        args: Any = passed_for(signature, tensors | parts, leaves)
        args, kwargs = tree.unflatten(signature.structure, args)
        passed = _Passed(containers.found_in((args, kwargs)))
        frame.trace.given.update((id(one), one) for one in passed.found)
        frame.trace.kinds.update(map(type, passed.found))
        captures.note_callable(function)
        if reading is not None:
            tensors.update(reading.begin(frame, len(leaves)))
        if convert is not None:
            function = convert(function)
        result = _run(frame, function, (args, kwargs), passed)
        idle.require_not(frame.trace)
        leaks.refuse_iterators(result, function)
        _refuse_kept(reading, passed, function)
        traced = _finish(frame, tensors, parts, result, passed, reading)
        # What is alive after this is held by objects of the user.
        passed.empty()
        result = args = kwargs = None
        tensors.clear()
        parts.clear()
        if python_effects == "run":
            _undo(frame, reading, passed, traced)
    return _checked(frame, traced, leaves, _slots(reading), given, modes.tried)


def _checked(
    frame: Frame,
    traced: Traced,
    leaves: Sequence[Any],
    slots: Sequence[Slot],
    function: Any,
    tried: Tried,
) -> Traced:
    """What is left of the trace, and what it has read outside."""
    noted = tried.note(frame.trace)
    leaks.check(frame)
    if frame.trace.python_effects != "run":
        return traced
    # Which arrays are met is told by all nodes, also those that nothing uses.
    return with_added(with_reads(traced, noted, leaves, slots, function))


def _frame(name: str, python_effects: str, modes: _Modes) -> Frame:
    frame = Frame(name)
    frame.trace.python_effects, frame.trace.clock = python_effects, idle.clock()
    frame.trace.handled = sys.exc_info()[1]
    frame.trace.floats_raise = guarded.floats_raise()
    frame.trace.varies, frame.trace.references = modes.varies, modes.references
    frame.trace.rows = Rows(modes.plan, modes.no_rows)
    frame.trace.long_lists, modes.trace = modes.long_lists, frame.trace
    with building(frame):
        row_view.begin(frame.trace.rows)
    return frame


def _undo(
    frame: Frame, reading: outer.Reading | None, passed: _Passed, traced: Traced
) -> None:
    """Undo what the trace did outside: each call does it.

    Wanted: it did more than the places of `reading`.
    """
    outlive = frame.trace.holding.keys() | frame.trace.outside.keys()
    results = (leaf.content for leaf in traced.result if isinstance(leaf, Constant))
    own = {id(thing) for thing in passed.found}
    # An object of the user's is one that the trace has made, or one from outside.
    own |= {
        id(thing)
        for thing in results
        if id(thing) not in outlive and not is_plain(type(thing))
    }
    # They may hold tensors, and are not to be held after the trace.
    calls, frame.trace.python_calls = frame.trace.python_calls, []
    wanted = outer.undo(frame, _slots(reading), own)
    if wanted is not None:
        slots = filter(None, (place.slot() for place in wanted.places))
        require_apart(calls, list(slots))
        raise wanted


class _Passed:
    """The placeholders of the arguments' containers, and what they held at first."""

    def __init__(self, found: list[Any]) -> None:
        self.found = found
        self.before = [containers.content_of(container) for container in found]
        self.index = {id(container): i for i, container in enumerate(found)}

    def changed(self) -> list[tuple[int, containers.Content]]:
        """Those that hold something else now, with what they hold."""
        now = [containers.content_of(container) for container in self.found]
        return [
            (i, content)
            for i, (before, content) in enumerate(zip(self.before, now, strict=True))
            if not containers.same(before, content)
        ]

    def empty(self) -> None:
        """Let go of the tensors of the trace."""
        for container in self.found:
            containers.empty(container)
        self.before.clear()


class _Nothing:
    """There is no result: every path raises."""


_NOTHING = _Nothing()


def _run(
    frame: Frame, function: Callable[..., Any], given: Any, passed: _Passed
) -> Any:
    run, (args, kwargs) = function, given
    if isinstance(function, types.MethodType):
        run, args = function.__func__, (function.__self__, *args)
    try:
        with swallowed.Watch():
            return recursion.call(run, args, kwargs)
    except StagingError:
        raise
    except Unreachable:
        return _NOTHING
    except Exception as error:
        had_effects = any(writes(node.effects) for node in frame.nodes)
        of_run = caught.tensor_of(error) is not None or tree.holds_tensor(error.args)
        # Python's own operators change lists, too: `a *= 2`.
        if not (had_effects or frame.changes or passed.changed() or of_run):
            again.note_raised(error, frame)
            raise
        # What happened before, a print or a change of an argument, must happen still.
        emit_raise(frame, error)
        return _NOTHING


def _slots(reading: outer.Reading | None) -> Sequence[Slot]:
    return reading.slots() if reading else ()


def _refuse_kept(reading: outer.Reading | None, passed: _Passed, function: Any) -> None:
    """What outlives the call must not hold what only the trace knows."""
    kept = [slot.content() for slot in _slots(reading)]
    for held in (*kept, *(passed.found[i] for i, _ in passed.changed())):
        leaks.refuse_iterators(held, function, "what is kept outside")


def _finish(
    frame: Frame,
    tensors: dict[int, Tensor],
    parts: dict[int, Tensor],
    result: Any,
    passed: _Passed,
    reading: outer.Reading | None,
) -> Traced:
    numbers = {id(tensor): i for i, tensor in (tensors | parts).items()}
    encoder = Encoder(frame.trace, numbers, passed.index, slots := _slots(reading))
    ends, now_held = result is not _NOTHING, passed.changed()
    left = [*(held for _, held in now_held), *(s.content() for s in slots if ends)]
    encoder.share([result, *left])
    structure, leaves = encoder.encode(result) if ends else (None, ())
    containers_changed = tuple(
        ChangedContainer(i, *encoder.encode(content)) for i, content in now_held
    )
    after = encoder.places_of(slots if ends else ())
    initial = dict(zip(tensors, frame.inputs, strict=True))
    arguments_changed = encoder.changed(tensors, initial)
    rows_changed = encoder.rows_changed()
    met = frame.trace.arrays_changed()
    arrays_changed = tuple((array, encoder.output(value)) for array, value in met)
    return Traced(
        frame.close(encoder.outputs),
        tuple(tensors),
        structure,
        leaves,
        arguments_changed,
        arrays_changed,
        containers_changed,
        reading,
        after,
        encoder.once,
        tuple(filter(None, encoder.objects)),
        loses_writes=loses_writes(frame.trace, tensors, initial),
        rows_changed=rows_changed,
        **_asked(frame, passed, slots),
    )


def _asked(frame: Frame, passed: _Passed, slots: Sequence[Slot]) -> dict[str, Any]:
    """What is to be asked of the calls, since it could be told."""
    changed = (id(slot.holder()) for slot, _ in frame.changes)
    return {
        "always_put": always_put(frame.changes, slots),
        "put_anew": put_anew(frame.changes, slots),
        "asks_layout": frame.trace.asks_layout,
        "loses": frozenset(frame.trace.loses),
        "asks_identity": frame.trace.asks_identity,
        "changes_passed": bool(frame.trace.rows.given_changed())
        or any(key in passed.index for key in changed),
    }
