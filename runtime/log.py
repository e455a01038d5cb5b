"""log: the loggers of the topics, and a handler for programs that set up none.

Imported when a topic is first switched on: until then nothing imports `logging`.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterable

ROOT = logging.getLogger("autograph")
LOGGERS = {
    topic: logging.getLogger(f"autograph.{topic}")
    for topic in ("convert", "retrace", "cache", "exec")
}


class _Stderr(logging.Handler):
    """To standard error, unless the program handles the records itself."""

    def emit(self, record: logging.LogRecord) -> None:
        handled = logging.getLogger().handlers or ROOT.handlers != [self]
        if not handled and sys.stderr is not None:
            sys.stderr.write(f"{record.name}: {record.getMessage()}\n")


def switch_on(topics: Iterable[str]) -> None:
    """Let records of these topics through, where the program has set no level."""
    for topic in topics:
        if LOGGERS[topic].level == logging.NOTSET:
            LOGGERS[topic].setLevel(logging.INFO)
    if not any(isinstance(handler, _Stderr) for handler in ROOT.handlers):
        ROOT.addHandler(_Stderr())
