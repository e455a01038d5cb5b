"""leaks: tensors that outlive their trace, refused at the line that let them out.

Every trace notes its tensors weakly. After it, the only ones alive are held by objects
of the user: a global, an attribute, a list. The stores that converted code made of them
were noted too, with their lines.
"""

from __future__ import annotations

import gc
import itertools
import sys
import types
import weakref
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any

from runtime import build
from runtime.build import Frame, Slot, Trace
from runtime.errors import PythonTypeError, StagingTypeError, with_notes
from runtime.location import Location, here
from runtime.numpy_api.views import Flags
from runtime.ongoing import Ongoing
from runtime.ops.random import is_source
from runtime.spec import ListSpec
from runtime.tensor import Tensor
from runtime.tensor_slot import TensorSlot
from runtime.traceback import point_at
from tracer import containers, made_functions, plain, tree
from tracer.hidden import held_by, hides_tensor
from tracer.opaque import is_opaque, is_without_state

REMEDY = (
    "A tensor exists only while the function is traced: return the value, or keep it "
    "in an ag.Variable."
)


# Python's own iterators: a later call would go on with the one that the trace made.
ITERATORS = (
    Ongoing,
    types.GeneratorType,
    *(enumerate, filter, map, reversed, zip),
    *map(type, (iter([]), iter(()), iter({}), iter(range(0)), iter(set()))),
    *map(type, (iter({}.values()), iter({}.items()), reversed([]), reversed({}))),
)
# Those of C's that a call goes through as they are, and may return.
_MADE_IN_C = (
    *(kind for kind in vars(itertools).values() if isinstance(kind, type)),
    *map(type, (*itertools.tee((), 1), iter(int, 0))),
)


# What may hold a tensor, and is no nested structure.
_AROUND: tuple[type, ...] = (
    *(types.BuiltinFunctionType, types.MethodWrapperType, types.MappingProxyType),
    type(lru_cache(iter)),
    *(type({}.values()), type({}.items()), property, staticmethod, classmethod),
    BaseException,
)

RESULT = "the result"


def refuse_iterators(result: Any, function: Any, words: str = RESULT) -> None:
    """Refuse a result of `function` that is an iterator, or holds one.

    And one that is a function, or a class, that takes along what the trace has made.

    words: what the result is
    """
    found: list[tuple[str, str]] = []
    trace = build.require_current("a result").trace

    def look_at(part: Any) -> None:
        if isinstance(part, (*ITERATORS, *_MADE_IN_C)):
            found.append(("is an iterator, whose items", "a list of the items"))
        elif _hides_tensor(part, words == RESULT):
            kind = type(part).__name__
            found.append((f"holds a {kind} whose values", "a list of the values"))
        elif _is_made_in_c(part, trace) or (
            id(part) in trace.created and _is_own(part)
        ):
            kind = type(part).__name__
            found.append(
                (f"is a {kind} of each call's own, which", "what it is made of")
            )
        elif taken := made_functions.takes_along(part):
            found.append((f"is {taken}", "what it is made of"))

    _visit(result, look_at)
    if not found:
        return
    what, instead = found[0]
    error = PythonTypeError(f"{words} {what} would be asked for after the trace")
    verb = "Return" if words == RESULT else "Keep"
    raise at_definition(function, error, f"{verb} {instead}.")


# Besides what libraries may change; by name, as not all are loaded.
_OF_A_CALL = frozenset(
    {"builtins.object", "random.Random", "numpy.errstate", "numpy.vectorize"}
)


def _is_own(part: Any) -> bool:
    """Whether each call is to have such an object of its own, if the trace made it.

    One that is taken apart is made anew for each.
    """
    if tree.children(part) is not None:
        return False
    if is_source(part) or is_opaque(part):
        return True
    kinds = type(part).__mro__[: 1 if type(part) is object else -1]
    return any(f"{one.__module__}.{one.__qualname__}" in _OF_A_CALL for one in kinds)


# They have no state, or are told apart otherwise.
_WITHOUT_STATE = (
    *map(type, (None, ..., NotImplemented, str.join, str.__add__, dict.fromkeys)),
    *(types.ClassMethodDescriptorType, types.GetSetDescriptorType),
    *(types.MemberDescriptorType, staticmethod, classmethod, BaseException),
)


def _is_made_in_c(part: Any, trace: Trace) -> bool:
    """Whether it is an object of C's that the trace has made: a lock, a hash, a tree.

    It is told by who it is alone, so that whoever has it sees what others do to it.
    """
    kind = type(part)
    if vars(object)["__eq__"] is not kind.__eq__ or plain.is_plain(kind):
        return False
    if isinstance(part, _WITHOUT_STATE) or is_without_state(part):
        return False
    if is_opaque(part) or tree.children(part) is not None:
        return False  # of Python's, or taken apart
    outside = (trace.outside, trace.solid, trace.holding)
    return not any(id(part) in things for things in outside)


def _visit(result: Any, look_at: Callable[[Any], None]) -> None:
    """As `tree.visit`, into the objects that the trace has made, too."""
    frame = build.require_current("a result")
    waiting, known = [result], set[int]()

    def look(part: Any) -> None:
        look_at(part)
        if id(part) in frame.trace.created and plain.is_plain(type(part)):
            if id(part) not in known:
                known.add(id(part))
                waiting.extend(tree.inside(part) or ())

    while waiting:
        tree.visit(waiting.pop(), look)


def at_definition(
    function: Any, error: StagingTypeError, remedy: str
) -> StagingTypeError:
    """The error, of the function as a whole, said to be at its first line."""
    code = getattr(function, "__code__", None)
    place = code and Location(code.co_filename, code.co_firstlineno, code.co_name, code)
    error = with_notes(error, place, remedy)
    return point_at(error, place) if place else error


def _hides_tensor(part: Any, is_result: bool) -> bool:
    """True for a slice with a tensor in it, which no run can fill in, and for flags.

    And for what Python made around one, or around a list or dict of the arguments: a
    method of C's, a view of a dict.
    """
    if isinstance(part, Flags):
        return True
    if isinstance(part, _AROUND):
        frame = build.current()
        # One that was caught is a value of the graph; of one that is kept outside,
        # `check` tells the line.
        known = not is_result or (frame is not None and id(part) in frame.trace.caught)
        if isinstance(part, BaseException):
            held = part.args, tuple(vars(part).values())
            return _has_container(held) or (not known and hides_tensor(part))
        return hides_tensor(part) or _holds_given(part, frame)
    if not isinstance(part, slice):
        return False
    return any(isinstance(x, Tensor) for x in (part.start, part.stop, part.step))


def _holds_given(part: Any, frame: Frame | None) -> bool:
    """Whether it reaches what stands for a container of the arguments."""
    given = {} if frame is None else frame.trace.given
    return next(held_by(part, given), None) is not None


def _has_container(parts: Any) -> bool:
    """Whether what an exception holds is a list or the like, which may be the user's.

    One that stands for a run's holds another one.
    """
    found: list[Any] = []
    tree.visit(parts, found.append)
    lists = (isinstance(one, Tensor) and type(one.spec) is ListSpec for one in found)
    return any(lists) or bool(containers.found_in(parts))


def note_store(content: Any, where: str) -> None:
    """Note that `content` is put into `where`, which may outlive the trace."""
    frame = build.current()
    if frame is None:
        return
    leaves, _ = tree.flatten(content)
    for leaf in leaves:
        if isinstance(leaf, Tensor):
            frame.trace.notes.append((weakref.ref(leaf), where, here()))


def check(frame: Frame) -> None:
    """Refuse if a tensor that was stored during the trace is still alive.

    TypeError: at the line of the store.
    """
    trace = frame.trace
    before = _before(frame)
    frame.stale.clear()
    forget(trace)
    if not _kept(trace):
        return
    gc.collect()
    forget_dropped(before)
    if _kept(trace) and tree.forget_local_classes():
        # Methods of a class that the trace made keep what they are closed over.
        gc.collect()
    for reference, where, location in trace.notes:
        tensor = reference()
        if tensor is not None:
            for slot, held in before.items():
                slot.set(held)
            error = LeftError(
                f"{where} would keep a {tensor.spec!r} tensor after the trace"
            )
            error.left = [reference for reference, _, _ in trace.notes]
            raise point_at(with_notes(error, location, REMEDY), location)


class LeftError(StagingTypeError):
    """A tensor that was stored during the trace is there when it ends."""

    left: Sequence[weakref.ref[Tensor]]

    def bars_python(self) -> bool:
        """Whether one is there even without the trace: Python would find it."""
        step = self.__traceback__
        while step is not None:
            # One that still runs is not cleared.
            with suppress(RuntimeError):
                step.tb_frame.clear()
            step = step.tb_next
        if not self.is_final and any(map(_lives, self.left)):
            gc.collect()  # takes 0.1 s where a program has many objects
        return self.is_final or any(map(_lives, self.left))


def _kept(trace: Trace) -> bool:
    """Whether a tensor that was stored is there still."""
    return any(_lives(reference) for reference, _, _ in trace.notes)


def _lives(reference: weakref.ref[Tensor]) -> bool:
    return reference() is not None


def forget(trace: Trace) -> None:
    """Empty the tables of a trace that is over: they hold what it made."""
    trace.arrays.clear()
    trace.created.clear()
    trace.given.clear()
    trace.loops.clear()
    if trace.rows is not None:
        trace.rows.forget()
    trace.tests.clear()
    trace.frozen.clear()
    trace.kinds.clear()
    trace.functions.clear()
    trace.dicts.clear()
    trace.holding.clear()
    trace.solid.clear()
    trace.outside.clear()
    # Made in some branch, they hold its frame and all that was changed there.
    trace.marks.clear()
    trace.handled = None
    _let_go_of_caught(trace)


def _let_go_of_caught(trace: Trace) -> None:
    # In a function of its own, whose names hold none of them afterwards.
    for error, _, _ in trace.caught.values():
        # Raised anew, it has the frames of the trace.
        error.__traceback__ = error.__context__ = None
    trace.caught.clear()


def _before(frame: Frame) -> dict[Slot, Any]:
    """The user's objects that were changed, with what they held; frame forgets them."""
    changed, frame.changes = frame.changed(), []
    return {
        slot: held
        for slot, held in changed.items()
        # What the trace made, or what held its tensors from the start, is its own.
        if not (
            isinstance(slot, TensorSlot)
            or slot.is_local(frame)
            or tree.holds_tensor(held)
        )
    }


def forget_dropped(before: dict[Any, Any]) -> None:
    """Leave out the objects that only `before` holds: the program dropped them.

    `[0] * n` and `list(x)` make lists that no display or class noted as made here.
    """
    while True:
        mine = Counter(id(slot.holder()) for slot in before)
        dropped = [
            slot
            for slot in before
            # One more is the argument of getrefcount.
            if sys.getrefcount(slot.holder()) <= mine[id(slot.holder())] + 1
        ]
        if not dropped:
            return
        for slot in dropped:
            del before[slot]
        # One that is dropped may have held another one.
        del slot, dropped
