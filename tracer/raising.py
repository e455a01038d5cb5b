"""raising: what the traced program raises becomes a node, raised when it is reached."""

from __future__ import annotations

import sys

from runtime.build import Frame
from runtime.location import raised_at
from runtime.ops import world
from runtime.ops.template import encode
from runtime.tensor import Tensor
from tracer import handlers


def emit_raise(frame: Frame, error: Exception) -> None:
    """A node that raises what the program raised, said to be where it did."""
    if _is_quitting(error):
        raise error
    handlers.refuse_failure("a raise", raised_at(error))
    frame.location = raised_at(error)
    whole = (error.args, dict(vars(error)))
    content, inputs = encode(whole, lambda part: isinstance(part, Tensor))
    if inputs:
        # A run fills in the values; the object itself must keep no tensors.
        error.args = ()
        vars(error).clear()
        world.raise_(*inputs, exception=without_frames(error), content=content)
    else:
        world.raise_(exception=without_frames(error))
    frame.location = None


def _is_quitting(error: Exception) -> bool:
    """True for a debugger's `quit`, which is to end the trace and not the program."""
    bdb = sys.modules.get("bdb")
    return bdb is not None and isinstance(error, bdb.BdbQuit)


def without_frames(error: BaseException) -> BaseException:
    """The error without its frames, which would keep tensors of the trace alive."""
    link: BaseException | None = error
    while link is not None:
        link.__traceback__ = None
        link = link.__cause__ or link.__context__
    return error
