"""raising: what the traced program raises becomes a node, raised when it is reached."""

from __future__ import annotations

import copy
import dis
import itertools
import sys
from collections.abc import Callable
from typing import Any

from runtime import build
from runtime.build import Frame, Trace, building
from runtime.errors import (
    OnlyPythonError,
    PythonTypeError,
    StagingTypeError,
    attributes_of,
    located,
    require_no_refusal,
)
from runtime.location import Call, raised_at
from runtime.ops import control, world
from runtime.ops.template import encode
from runtime.tensor import Tensor
from runtime.traceback import users_lines
from tracer import caught
from tracer.choice import Choice, each
from tracer.opened import opened


def emit_raise(frame: Frame, error: Exception) -> None:
    """A node that raises what the program raised, said to be where it did."""
    if _is_quitting(error):
        raise error
    require_said(frame, error)
    _require_outside(frame.trace, error)
    _note_changes(frame)
    for index, part in enumerate(() if caught.is_open(error) else error.args):
        if isinstance(part, Choice):
            with building(frame):
                _raise_each(error, index, part)
            return
    frame.location = raised_at(error, _calls(frame.trace, error))
    # The handlers around are told what it is.
    frame.trace.raising = error
    with building(frame):
        tensor = caught.tensor_of(error)
        if tensor is not None:
            change = caught.shown(caught.change_of(error))
            content, inputs = encode(change, lambda part: isinstance(part, Tensor))
            control.reraise(tensor, *inputs, content=content)
            without_frames(error)
        else:
            _raise(error)
    frame.trace.raising = None
    frame.location = None


def _note_changes(frame: Frame) -> None:
    """Note what was changed on the way: it may be that nothing else writes it."""
    inside: Frame | None = frame
    while inside is not None:
        for slot, _ in inside.changes:
            holder = slot.holder()
            if id(holder) not in frame.trace.created:
                is_array = isinstance(holder, Tensor)
                frame.trace.loses.add("arrays" if is_array else "others")
        inside = inside.parent


def _calls(trace: Trace, error: Exception) -> tuple[Call, ...]:
    """The calls that the error was raised in: those open, and those it has left."""
    lines = users_lines(error)
    left = (Call(to.function, at) for at, to in itertools.pairwise(lines))
    return (*trace.called, *left)


def _raise_each(error: Exception, index: int, chosen: Choice) -> None:
    """Raise the error with the option that its argument is."""

    def with_option(option: Any) -> None:
        made = copy.copy(error)
        made.args = (*error.args[:index], option, *error.args[index + 1 :])
        made.__traceback__ = error.__traceback__
        emit_raise(build.require_current("a raise"), made)

    each(chosen, with_option)


def _raise(error: Exception) -> None:
    links = tuple(map(_of_run, caught.links_of(error)))
    whole = opened(caught.shown((error.args, attributes_of(error))), arrays=False)
    content, inputs = encode((whole, links), lambda part: isinstance(part, Tensor))
    if not inputs:
        own = id(error) in build.require_current("a raise").trace.created
        # A copy of what the program makes: a branch that ends takes back what it has
        # set, also of the exception that it has made.
        made = world.another(error) if own else error
        world.raise_(exception=without_frames(made), own=own)
        return
    if isinstance(error, BaseExceptionGroup):
        raise located(
            OnlyPythonError("an ExceptionGroup holds what depends on data"),
            "Raise one of its exceptions, or an exception with a list of messages.",
        )
    # A run fills in the values; the object itself must keep no tensors.
    bare = _bare(error)
    whole, links = content
    world.raise_(*inputs, exception=bare, content=whole, links=links)


def _bare(error: Exception) -> BaseException:
    """An exception of the same type with nothing in it but what it was raised from."""
    made = type(error).__new__(type(error))
    made.__cause__, made.__context__ = map(_of_no_run, caught.links_of(error))
    made.__suppress_context__ = error.__suppress_context__
    return without_frames(made)


def _of_no_run(error: BaseException | None) -> BaseException | None:
    return error if _of_run(error) is None else None


def _of_run(error: BaseException | None) -> Any:
    """What a run makes of what the error was raised from; None for a constant."""
    if error is None:
        return None
    tensor = caught.tensor_of(error)
    if tensor is not None:
        return tensor
    whole = opened(error, arrays=False)
    return None if whole is without_frames(error) else caught.shown(whole)


def require_said(frame: Frame, error: BaseException) -> None:
    """Refuse an error that no `raise` has made, where texts or lists are inputs.

    What stands for one may be why: `np.dtype(text)`. A trace for the very text says.
    One that a run has caught is its own.
    What is a refusal, in the words of other code, is refused as well.
    """
    require_no_refusal(error)
    if not isinstance(error, Exception) or caught.tensor_of(error) is not None:
        return
    if frame.trace.has_objects and not _is_said(error):
        raise StagingTypeError(
            "this fails, as a text or list itself may not"
        ) from error


def sure(function: Callable[..., Any], *args: Any) -> Any:
    """`function(*args)` of what nothing stands for: what it raises, each call does."""
    try:
        return function(*args)
    except Exception as error:
        raise error.with_traceback(None)  # noqa: B904 - it is the error itself


def _require_outside(trace: Trace, error: Exception) -> None:
    """PythonTypeError: it is a StopIteration, and a generator's body may raise it.

    Python makes a RuntimeError of it there, but where a `try` in the body takes it.
    """
    if isinstance(error, StopIteration) and trace.generator == len(trace.guards):
        raise located(
            PythonTypeError("whether a generator raises StopIteration depends on data"),
            "End it by a `return`, and give `next` a second argument.",
        )


def _is_said(error: Exception) -> bool:
    """Whether a `raise` has raised it, and it is no answer of NumPy's."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    if last is None:
        return True
    module = last.tb_frame.f_globals.get("__name__")
    is_raise = last.tb_frame.f_code.co_code[last.tb_lasti] in _RAISES
    return is_raise and module != _ANSWERS


# Raises what NumPy says of samples.
_ANSWERS = "runtime.numpy_api.refusals"
_RAISES = {dis.opmap["RAISE_VARARGS"], dis.opmap["RERAISE"]}


def _is_quitting(error: Exception) -> bool:
    """True for a debugger's `quit`, which is to end the trace and not the program."""
    # Another thread may be half-way through loading it.
    quitting = getattr(sys.modules.get("bdb"), "BdbQuit", None)
    return quitting is not None and isinstance(error, quitting)


def _is_of_trace(thing: Any) -> bool:
    created = build.require_current("a raise").trace.created
    return isinstance(thing, Tensor) or id(thing) in created


def without_frames(error: BaseException) -> BaseException:
    """The error without its frames, which would keep tensors of the trace alive."""
    link: BaseException | None = error
    while link is not None:
        link.__traceback__ = None
        if isinstance(link, AttributeError) and _is_of_trace(link.obj):
            link.obj = None
        cause, context = caught.links_of(link)
        # Without what the trace is made within.
        link.__context__, link = context, cause or context
    return error
