"""places: lists, dicts and attributes that converted code changes, as slots.

What a branch or loop body does to them is undone when the body ends and becomes state,
as for names. Objects that were made inside the body are its own affair.
"""

from __future__ import annotations

import collections
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from types import FunctionType
from typing import Any, TypeVar

from runtime import build
from runtime.build import Frame, Slot
from runtime.errors import PythonTypeError, located
from runtime.methods import is_users
from runtime.structs import replace, struct
from tracer import idle, instance_dicts, leaks, opaque, rows, tree
from tracer.choice import (
    Choice,
    Stands,
    may_vary,
    resolved,
    standing,
    vary,
    varying,
)
from tracer.frozen import made_in, require_free
from tracer.managed import is_computed
from tracer.telling import builtin_of, copied, own_dict, refill
from tracer.undefined import UNDEFINED, Maybe

_ITEMS = (list, collections.deque, bytearray)
# What is seen as one place, whoever changes it.
CONTAINERS = (*_ITEMS, dict, set)


def tracing() -> bool:
    """True while a trace is on in this thread."""
    return build.current() is not None


def created(thing: Any) -> Any:
    """Note that `thing` was made in the current frame; returns it."""
    frame = build.current()
    if frame is not None:
        created_by(thing, frame)
        if type(thing) is list and rows.known() is not None:
            _born[0](thing)
    return thing


# What is done with a list that is made where lists may be rows.
_born: list[Callable[[list[Any]], None]] = []


def set_born(born: Callable[[list[Any]], None]) -> None:
    """Tell what is done with such a list (done once by tracer.list_objects)."""
    _born[:] = [born]


def created_of(whole: Any, leaves: Iterable[Any]) -> Any:
    """Note that what holds the leaves was made here; returns the whole.

    A leaf that is a container or an object is the user's own.
    """
    _created_around(whole, {id(leaf) for leaf in leaves})
    return whole


def _created_around(whole: Any, leaves: set[int]) -> None:
    if id(whole) not in leaves:
        for child in tree.inside(whole) or ():
            _created_around(child, leaves)
        if (frame := build.current()) is not None:
            created_by(whole, frame)


def created_by(thing: Any, frame: Frame) -> None:
    """Note that `thing` is one of the frame's own."""
    frame.trace.created[id(thing)] = (thing, frame)
    frame.made.append(id(thing))


def changing(container: Any) -> None:
    """Log what a list or dict holds, before converted code changes it."""
    frame = build.current()
    if frame is not None:
        require_free(frame, container)
        frame.log(ContainerSlot(container))


def changing_item(of: Any, at: Any) -> None:
    """Log what an item of a list or dict is, before converted code sets it."""
    frame = build.current()
    is_item = type(of) is list and type(at) is int and -len(of) <= at < len(of)
    if frame is None or not is_item:
        changing(of)
        return
    require_free(frame, of)
    frame.log_item(ContainerSlot(of), at)


def note_called(function: Any) -> None:
    """What is not converted is called: it may do anything, a line into a file."""
    frame = build.current()
    # NumPy's and tensors' only compute: those that write are steps of the graph.
    called = function.func if isinstance(function, partial) else function
    module = f"{getattr(called, '__module__', None)}."
    if frame is not None and not module.startswith(("numpy.", "runtime.numpy_api.")):
        frame.trace.acts = frame.trace.acts or idle.may_act(called)


def watched(
    function: Callable[..., Any],
    args: Sequence[Any],
    kwargs: Mapping[str, Any] | None = None,
) -> Any:
    """`function(*args, **kwargs)`, with what it changes of these containers logged.

    It is not converted, so what it does to them is found by looking afterwards; a bound
    method may change what it is bound to.
    """
    frame = build.current()
    named = kwargs or {}
    if frame is None:
        return function(*args, **named)
    seen = (getattr(function, "__self__", None), *args, *named.values())
    slots = [ContainerSlot(one) for one in seen if isinstance(one, CONTAINERS)]
    before = [slot.get() for slot in slots]
    states = opaque.states(function, seen)
    for thing in seen:
        instance_dicts.owner_of(thing)
    try:
        try:
            result = function(*args, **named)
        except Exception:
            opaque.check(frame, states)
            raise
        opaque.check(frame, states)
        return result
    except Exception as error:
        if not frame.trace.has_objects or tree.holds_tensor(seen):
            raise
        # Nothing stands for a text or list in it, so each call raises it.
        raise error.with_traceback(None)  # noqa: B904 - it is the error itself
    finally:
        for slot, held in zip(slots, before, strict=True):
            if not slot.holds(held):
                require_free(frame, slot.container)
                frame.changes.extend(_changed(slot, held))
                kind = type(slot.container).__name__
                leaks.note_store((*args, *named.values()), f"a {kind}")


def _changed(slot: ContainerSlot, held: Any) -> list[tuple[Slot, Any]]:
    """A change to be logged; of an object's `__dict__`, those of its attributes."""
    owner = instance_dicts.owner_of(slot.container)
    if owner is None:
        return [(slot, held)]
    now = slot.container
    before = ((name, held.get(name, UNDEFINED)) for name in {**held, **now})
    pairs = [pair for pair in before if now.get(pair[0], UNDEFINED) is not pair[1]]
    if any(instance_dicts.is_of_class(type(owner), name) for name, _ in pairs):
        # Kept under a name by which the class gives another thing.
        return [(slot, held)]
    return [(AttributeSlot(owner, name), old) for name, old in pairs]


AnySlot = TypeVar("AnySlot", bound=Slot)


def changing_attribute(owner: Any, name: str) -> None:
    """Log what an attribute holds, before converted code sets it."""
    frame = build.current()
    if frame is not None:
        instance_dicts.require_shared(owner)
        require_free(frame, owner)
        slot = as_found(AttributeSlot(owner, name))
        frame.changes.append((replace(slot, is_set=True), slot.get()))


def as_found(slot: AnySlot) -> AnySlot:
    """A slot that is about to be changed, so that it can be put back as it is now."""
    if not isinstance(slot, AttributeSlot) or slot.is_own():
        return slot
    return replace(slot, inherited=slot.get())


@struct(eq=False)
class ContainerSlot:
    """All that a list, dict, set, deque or bytearray holds, as one place.

    order: of a set, in which it was gone through when the slot was made
    """

    container: Any
    order: tuple[Any, ...] = ()

    def __post_init__(self) -> None:
        if isinstance(self.container, set):
            order = tuple(set.__iter__(self.container))
            object.__setattr__(self, "order", order)

    def __hash__(self) -> int:
        return id(self.container)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ContainerSlot) and other.container is self.container

    def get(self) -> Any:
        """A shallow copy."""
        return copied(self.container)

    def set(self, held: Any) -> None:
        """Make the container hold what the copy holds."""
        if isinstance(self.container, set):
            _put_into_set(self.container, held, self.order)
            return
        refill(self.container, held)

    def holds(self, held: Any) -> bool:
        """True while the container holds the same objects as the copy."""
        now, own = self.container, builtin_of(self.container)
        if isinstance(now, dict):
            pairs = zip(own.items(now), builtin_of(held).items(held), strict=False)
            same = all(a is c and b is d for (a, b), (c, d) in pairs)
        elif isinstance(now, set):
            same = set.__eq__(now, held)
        else:
            parts = zip(own.__iter__(now), own.__iter__(held), strict=False)
            same = all(a is b for a, b in parts)
        return bool(same) and own.__len__(now) == own.__len__(held)

    def content(self) -> Any:
        """What a join sees: the copy (a set, whose order is no state, as one thing)."""
        inner: Any = varying(self.container)
        if inner is None and type(self.container) is set:
            inner = standing(self.container)
        return self.get() if inner is None else inner

    def change(self, frame: Frame, content: Any) -> None:
        """Make the container hold joined content."""
        if isinstance(content, Maybe) or content is UNDEFINED:
            raise AssertionError("a container is always there")
        frame.changes.append((self, self.get()))
        content = resolved(content)
        if not may_vary(self.container):
            _require_constant(self.container, content)
        if isinstance(content, Choice):
            vary(self.container, content)
        else:
            self.set({content} if isinstance(content, Stands) else content)
        if not made_in(self.container, frame):
            leaks.note_store(content, f"a {type(self.container).__name__}")

    def is_local(self, frame: Frame) -> bool:
        """True when the container was made in `frame`."""
        return made_in(self.container, frame)

    def holder(self) -> Any:
        """The container."""
        return self.container

    def __str__(self) -> str:
        return f"the {type(self.container).__name__} that is changed here"


def _put_into_set(members: set[Any], held: Any, order: Sequence[Any]) -> None:
    """Make a set hold these, and be gone through in their order if it can be.

    In which order that is depends on all that was added and taken away before.
    """
    if not isinstance(held, set):
        order = held
    elif held != set(order):
        order = [*held]
    wanted = {member: member for member in order}
    for member in [*set.__iter__(members)]:
        if wanted.get(member, UNDEFINED) is not member:
            set.discard(members, member)
    for _ in range(2):
        for member in order:
            if not set.__contains__(members, member):
                set.add(members, member)
        if all(map(operator.is_, set.__iter__(members), order)):
            return
        set.clear(members)
    set.update(members, held)


def _require_constant(container: Any, content: Any) -> None:
    """Refuse what only the known containers can hold."""
    if isinstance(content, Stands):
        content = [content]
    inside = content.values() if isinstance(content, dict) else content
    if isinstance(content, Choice) or any(isinstance(x, Stands) for x in inside):
        base = next(k for k in CONTAINERS if isinstance(container, k)).__name__
        kind = type(container).__name__
        word = kind if kind == base else f"{kind} (a class of {base}s)"
        raise located(
            PythonTypeError(f"what a {word} holds depends on data"),
            "Use a list, dict or set itself, or an array.",
        )


@struct(eq=False)
class AttributeSlot:
    """One attribute of one object.

    inherited: what the class gives, where the object has none of its own; putting that
               back is to let the object's own go
    is_set:    the program's text sets or deletes it, rather than a join of paths
    """

    owner: Any
    name: str
    inherited: Any = UNDEFINED
    is_set: bool = False

    def is_own(self) -> bool:
        """Whether the object itself holds it, and not only its class."""
        kind, name = type(self.owner), self.name
        if instance_dicts.is_of_class(kind, name) or not kind.__dictoffset__:
            return self.get() is not UNDEFINED
        return name in own_dict(self.owner)

    def may_inherit(self) -> bool:
        """Whether the class gives it to objects that have none of their own."""
        is_kind = isinstance(self.owner, type)
        kinds = self.owner.__mro__[1:] if is_kind else type(self.owner).__mro__
        held = [vars(k)[self.name] for k in kinds if self.name in vars(k)]
        return bool(held) and not hasattr(held[0], "__set__")

    def __hash__(self) -> int:
        return hash((id(self.owner), self.name))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AttributeSlot):
            return NotImplemented
        return other.owner is self.owner and other.name == self.name

    def get(self) -> Any:
        """The attribute, UNDEFINED when there is none."""
        # Past the user's `__getattr__`, which is asked only for what is not there.
        owner = self.owner
        if is_computed(type(owner), self.name):
            return vars(owner).get(self.name, UNDEFINED)
        reads = getattr if isinstance(owner, type) else object.__getattribute__
        try:
            return reads(owner, self.name)
        except AttributeError:
            return UNDEFINED

    def set(self, held: Any) -> None:
        """Put it back; an attribute that was not there is deleted."""
        kind = type(self.owner)
        if held is not self.inherited:
            # Past a `__setattr__` in Python: the user's, or a frozen dataclass's.
            own = is_users(kind.__setattr__)
            instance_dicts.put(self.owner, self.name, held, own)
        elif self.is_own():
            own = is_users(kind.__delattr__)
            (object.__delattr__ if own else delattr)(self.owner, self.name)

    def content(self) -> Any:
        """The attribute."""
        return self.get()

    def change(self, frame: Frame, content: Any) -> None:
        """Give the attribute joined content, a Maybe if it is set on one path only."""
        if self.may_inherit() and not self.is_own():
            instance_dicts.note_joined(self, frame)
        frame.changes.append((replace(self, is_set=False), self.get()))
        self.set(content)
        if not made_in(self.owner, frame):
            leaks.note_store(content, str(self))

    def is_local(self, frame: Frame) -> bool:
        """True when the object was made in `frame`."""
        return made_in(self.owner, frame)

    def holder(self) -> Any:
        """The object that has the attribute."""
        return self.owner

    def __str__(self) -> str:
        named = isinstance(self.owner, (type, FunctionType))
        return f"`{(self.owner if named else type(self.owner)).__name__}.{self.name}`"
