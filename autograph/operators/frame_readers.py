"""frame_reader: what looks at the names of its caller's frame, as `locals` does.

`eval` and `exec` may be given names; what their text does would be done while tracing.
"""

from __future__ import annotations

import builtins
from typing import Any

from runtime import build
from runtime.errors import OnlyPythonError, located

_READERS = tuple(
    getattr(builtins, name) for name in ("locals", "vars", "dir", "eval", "exec")
)


def frame_reader(function: Any) -> Any:
    """The function, which is to be called in the frame of the caller.

    OnlyPythonError: the frame is that of a trace, which has names of ours, too.
    """
    frame = build.current()
    is_one = any(function is reader for reader in _READERS)
    if is_one and frame is not None and frame.trace.python_effects == "run":
        does = "runs a text" if function in (eval, exec) else "reads names"
        raise located(
            OnlyPythonError(f"{function.__name__}() {does} of which no graph knows"),
            "Write it out.",
        )
    return function


def of_class_body() -> None:
    """Before what reads names of a class body in a part that is evaluated later.

    OnlyPythonError: such a part is a function in converted code, which sees none.
    """
    frame = build.current()
    if frame is not None and frame.trace.python_effects == "run":
        raise located(
            OnlyPythonError("a class body reads its names in an `if`, `and` or `or`"),
            "Move it out of the class.",
        )
