"""leaks: tensors that outlive their trace, refused at the line that let them out.

Every trace notes its tensors weakly. After it, the only ones alive are held by objects
of the user: a global, an attribute, a list. The stores that converted code made of them
were noted too, with their lines.
"""

from __future__ import annotations

import gc
import weakref
from typing import Any

from runtime import build
from runtime.build import Frame
from runtime.errors import StagingTypeError, with_notes
from runtime.location import here
from runtime.tensor import Tensor
from runtime.traceback import point_at
from tracer import tree

REMEDY = (
    "A tensor exists only while the function is traced: return the value, or keep it "
    "in an ag.Variable."
)


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
    # They hold what the program itself made, and nobody else may.
    frame.changes = []
    trace.arrays.clear()
    trace.created.clear()
    if not any(reference() is not None for reference, _, _ in trace.notes):
        return
    gc.collect()
    for reference, where, location in trace.notes:
        tensor = reference()
        if tensor is not None:
            error = StagingTypeError(
                f"{where} would keep a {tensor.spec!r} tensor after the trace"
            )
            raise point_at(with_notes(error, location, REMEDY), location)
