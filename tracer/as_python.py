"""as_python: a call that no graph can be made for is Python's, and a warning says so.

What the function means outranks what makes it fast (decision 71). Who would rather have
an error says `ag.config(strict=True)`, or makes an error of the warning.
"""

from __future__ import annotations

import warnings

from runtime.config import config
from runtime.errors import OnlyPythonError, StagingError
from runtime.traceback import users_lines
from tracer import log
from tracer.forms import Unsettled
from tracer.signature import Foreign

# Warnings that one Function gives: each names another line or thing.
MOST_TOLD = 8


class Told:
    """What a Function has warned of."""

    def __init__(self) -> None:
        self._texts: set[str] = set()

    def why(
        self, name: str, effects: str, reason: Foreign | Unsettled | StagingError
    ) -> str:
        """Why a call that no graph serves is made as Python; a refusal is told.

        effects: `python_effects` of the function; "trace" has another meaning than
                 Python, so there a refusal is raised
        StagingError: the refusal, where Python is not wanted
        """
        if isinstance(reason, (Foreign, Unsettled, OnlyPythonError)):
            return reason.why
        if reason.bars_python() or effects != "run" or config.strict:
            raise reason
        self._tell(name, reason)
        return log.REFUSED

    def _tell(self, name: str, refusal: StagingError) -> None:
        """Warn once, at the user's line."""
        notes = getattr(refusal, "__notes__", ())
        # The warning has the line itself.
        said = [note for note in notes if not note.startswith("  in ")]
        first = f"{name}() is run as Python, without a graph: {refusal}"
        text = "\n".join((first, *said))
        if text in self._texts or len(self._texts) >= MOST_TOLD:
            return
        at = [refusal.location, *users_lines(refusal)][-1]
        file, line = (name, 0) if at is None else (at.filename, at.line)
        warnings.warn_explicit(text, RuntimeWarning, file, line)
        # Not what a filter has made an error of, which is one at the next call, too.
        self._texts.add(text)
