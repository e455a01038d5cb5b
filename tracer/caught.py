"""Caught: the exceptions that a handler gets while tracing, for those of the run.

Where the program itself raises, its type, arguments and attributes are known, and the
handler gets such an exception, with tensors in it. What an op raises is known when the
graph runs: its stand-in has the handler's type and asks the run for everything else.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, NoReturn

from runtime import build
from runtime.errors import (
    PythonTypeError,
    attributes_of,
    located,
    made_of,
    set_attributes,
)
from runtime.objects import TEXT
from runtime.ops import template, world
from runtime.ops.control import CAUGHT
from runtime.structs import struct
from runtime.tensor import Tensor
from runtime.unknown import refuse
from tracer import tree
from tracer.caught_parts import FLAG, ArgumentsOfCaught
from tracer.choice import TAG, Choice


def kinds_of(types: Any) -> tuple[type[BaseException], ...]:
    """The exception types of an `except`, flat. TypeError: one is none."""
    if isinstance(types, tuple):
        return tuple(kind for part in types for kind in kinds_of(part))
    if isinstance(types, type) and issubclass(types, BaseException):
        return (types,)
    if isinstance(types, Choice):
        raise located(
            PythonTypeError("what this `except` takes depends on data"),
            "Put the try into each branch.",
        )
    raise TypeError(
        "catching classes that do not inherit from BaseException is not allowed"
    )


@struct(eq=False)
class Raised:
    """An exception that the program raises, as far as it is known while tracing.

    content: a template of its arguments and attributes, and of what it is linked to:
             its cause and context, each by its type and a place, or as it is
    tensors: what is in the places of the template
    """

    kind: type[BaseException]
    content: Any
    tensors: tuple[Tensor, ...]

    @classmethod
    def of(cls, error: BaseException) -> Raised:
        """What is known of `error`."""
        links = tuple(map(_link, links_of(error)))
        suppressed = error.__suppress_context__
        whole = (*shown((error.args, attributes_of(error))), links, suppressed)
        content, inputs = template.encode(whole, lambda part: isinstance(part, Tensor))
        return cls(type(error), content, tuple(inputs))

    def exception(self, tensors: tuple[Tensor, ...]) -> BaseException:
        """Such an exception, with `tensors` in it."""
        args, attributes, links, suppressed = template.refill(self.content, tensors)
        made = made_of(self.kind, args)
        set_attributes(made, attributes)
        made.__context__, made.__cause__ = map(_linked, reversed(links))
        made.__suppress_context__ = suppressed
        return made


def links_of(
    error: BaseException,
) -> tuple[BaseException | None, BaseException | None]:
    """Its cause and its context, also of a stand-in that tells nobody else.

    What was being handled when the trace began is none: each call has its own there.
    """
    read, frame = object.__getattribute__, build.current()
    cause, context = read(error, "__cause__"), read(error, "__context__")
    if frame is not None and context is frame.trace.handled:
        context = None
    return cause, context


def _link(error: BaseException | None) -> Any:
    tensor = tensor_of(error)
    return error if tensor is None else (kind_of(error), tensor)


def kind_of(error: Any) -> type[BaseException]:
    """The type of an exception; of a stand-in, the one that its handler takes."""
    kind = type(error)
    return kind.__mro__[2] if isinstance(error, _Open) else kind


def _linked(link: Any) -> BaseException | None:
    return caught_as(*link) if isinstance(link, tuple) else link


def stand_for(error: BaseException, tensor: Tensor) -> BaseException:
    """`error` itself, noted to stand for what `tensor` is when the graph runs."""
    trace = build.require_current("an exception").trace
    trace.caught[id(error)] = (error, tensor, _state(error))
    return error


def _state(error: BaseException) -> tuple[Any, dict[str, Any], Any, bool]:
    own = dict(object.__getattribute__(error, "__dict__"))
    args = None if is_open(error) else error.args
    suppressed = object.__getattribute__(error, "__suppress_context__")
    return args, own, links_of(error)[0], suppressed


def change_of(error: BaseException) -> Any:
    """What the program has made of a stand-in, or None: arguments, attributes, cause.

    The arguments and the cause are None where they are as they were; the last part says
    that the program has raised it `from` something, be it None.
    """
    frame = build.require_current("an exception")
    args, attributes, cause, before = frame.trace.caught[id(error)][2]
    now, set_, linked, suppressed = _state(error)
    changed = {k: v for k, v in set_.items() if attributes.get(k, _NO) is not v}
    alone = suppressed and not before
    if now is args and linked is cause and not changed and not alone:
        return None
    new_args = None if now is args else now
    return new_args, changed, None if linked is cause else linked, alone


def tensor_of(thing: Any) -> Tensor | None:
    """The exception of the run that `thing` stands for, if it does."""
    frame = build.current()
    if frame is None or not isinstance(thing, BaseException):
        return None
    known = frame.trace.caught.get(id(thing))
    return known[1] if known else None


def shown(whole: Any) -> Any:
    """`whole`, with the exceptions of the run in the places of what stands for them."""
    frame = build.current()
    if frame is None or not frame.trace.caught:
        return whole
    return tree.map_leaves(_shown, whole)


def _shown(leaf: Any) -> Any:
    if isinstance(leaf, ArgumentsOfCaught):
        return leaf.whole()
    tensor = tensor_of(leaf)
    if tensor is None:
        return leaf
    return tensor if is_open(leaf) or tree.holds_tensor(leaf.args) else leaf


def is_open(thing: Any) -> bool:
    """True for an exception of which only the handler's type is known."""
    return isinstance(thing, BaseException) and isinstance(thing, _Open)


def is_same(left: BaseException, right: BaseException) -> Any:
    """`left is right`: a staged bool of two stand-ins.

    TypeError: one of them is an exception that the program made while tracing, and the
    other may have been raised from it
    """
    found = [tensor for tensor in map(tensor_of, (left, right)) if tensor is not None]
    if left is right or not found:
        return left is right
    if len(found) == 1:
        refuse("whether this is the same exception")
    return world.python_call(*found, function=operator.is_, result=FLAG)


def is_of_op(thing: Any) -> bool:
    """True for a stand-in of what no Python code has raised."""
    return isinstance(thing, _Open) and type(thing).of_op


def caught_as(
    kind: type[BaseException], tensor: Tensor, of_op: bool = False
) -> BaseException:
    """A stand-in for what an op raises and a handler for `kind` takes.

    of_op: no Python code may raise it, so it has no cause
    """
    # A trace goes on only from what is an Exception.
    base = kind if issubclass(kind, Exception) else Exception
    made = _open_class(base, of_op)
    error = base.__new__(made)
    return stand_for(error, tensor)


def is_instance(error: BaseException, kinds: Any) -> Any:
    """`isinstance(error, kinds)`, of a stand-in: known, or a staged bool."""
    if isinstance(error, kinds):
        return True
    return _ask(error, lambda found: isinstance(found, kinds))


def _ask(error: BaseException, question: Callable[[Any], Any]) -> Any:
    tensor = tensor_of(error)
    return world.python_call(tensor, function=question, result=FLAG)


class TypeOfCaught:
    """The type of an exception that is known only when the graph runs."""

    def __init__(self, tensor: Tensor) -> None:
        self._tensor = tensor

    @property
    def __name__(self) -> Any:
        """Its name, as a text of the run."""
        return world.python_call(self._tensor, function=_name, result=TEXT)

    def __repr__(self) -> str:
        return "<type known when the graph runs>"

    def is_(self, kind: Any) -> Any:
        """Whether it is this type, as a staged bool."""
        if not isinstance(kind, type):
            return False
        return self._ask(lambda found: type(found) is kind)

    def is_subclass(self, kinds: Any) -> Any:
        """`issubclass(self, kinds)`, as a staged bool."""
        return self._ask(lambda found: isinstance(found, kinds))

    def _ask(self, question: Callable[[Any], Any]) -> Any:
        return world.python_call(self._tensor, function=question, result=FLAG)

    def __eq__(self, other: object) -> NoReturn:
        refuse("the type of this exception")

    __hash__ = None  # type: ignore[assignment] # as Python does where `==` is defined


def type_of(error: BaseException) -> Any:
    """`type(error)` of a stand-in."""
    tensor = tensor_of(error)
    assert tensor is not None
    return TypeOfCaught(tensor)


_NO = object()
_KNOWN = {"with_traceback"}
_UNKNOWN = {"__context__", "__suppress_context__", "__notes__"}


class _Open:
    """What all stand-ins for exceptions of ops share."""

    of_op = False

    @property  # type: ignore[misc]  # the type of the run is asked for
    def __class__(self) -> Any:
        if tensor_of(self) is None:
            return type(self)  # its trace is over: a debugger or `gc` has found it
        return type_of(self)  # type: ignore[arg-type] # an exception by its class

    def __getattribute__(self, name: str) -> Any:
        # Those of C code too, such as `errno`: they hold nothing.
        unknown = {"__cause__"} | _UNKNOWN if not type(self).of_op else _UNKNOWN
        if name == "args":
            tensor = tensor_of(self)
            assert tensor is not None
            return ArgumentsOfCaught(tensor)
        if name == "__cause__" and name in unknown:
            return _cause_of(self)  # type: ignore[arg-type] # an exception by its class
        own = object.__getattribute__(self, "__dict__")
        if (
            name in own
            or name in _KNOWN
            or (name.startswith("__") and name not in unknown)
        ):
            return super().__getattribute__(name)
        refuse(f"`{name}` of this exception")

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        refuse("a copy of this exception")

    def __str__(self) -> str:
        refuse("the text of this exception")

    __repr__ = __str__


def _cause_of(error: BaseException) -> Any:
    """What the program has raised it from, or else the run has, which may be None."""
    known = links_of(error)[0]
    tensor = tensor_of(error)
    if known is not None or tensor is None:
        return known
    # Where the exception is known: what a handler finds may be used after it.
    with build.building(_home(tensor)):
        cause: Tensor = world.python_call(tensor, function=_cause, result=CAUGHT)
        has_one = world.python_call(cause, function=_is_there, result=TAG)
    return Choice(has_one, (None, caught_as(Exception, cause)))


def _home(tensor: Tensor) -> build.Frame:
    """The frame that has made the tensor."""
    frame = build.require_current("an exception")
    while frame.parent is not None and frame.parent.sees(tensor._value):
        frame = frame.parent
    return frame


def _cause(error: Any) -> Any:
    # There is none where nothing has been raised.
    return getattr(error, "__cause__", None)


def _is_there(thing: Any) -> int:
    return int(thing is not None)


_open_classes: dict[tuple[type, bool], Any] = {}


def _open_class(kind: type[BaseException], of_op: bool) -> Any:
    key = kind, of_op
    if key not in _open_classes:
        scope = {"__module__": kind.__module__, "of_op": of_op}
        _open_classes[key] = type(kind.__name__, (_Open, kind), scope)
    return _open_classes[key]


def _name(error: BaseException) -> str:
    return type(error).__name__
