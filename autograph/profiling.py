"""profiling: `ag.profile`, a block whose decorated calls are timed, step by step."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from runtime.config import config
from runtime.spans import RECORDERS
from tracer.log import STAND_INS
from tracer.recording import Recording, watched


@contextmanager
def profile(
    file: str | os.PathLike[str] | None = None,
    *,
    steps: bool = True,
    events: int = 200_000,
) -> Iterator[Recording]:
    """Time what decorated functions do in the block, in all threads.

    file:   where to write the Chrome trace (for chrome://tracing, or Perfetto), None
            for nowhere; it is written, too, where the block raises
    steps:  whether each step of the graphs is timed, and not only their runs
    events: how many are kept; what comes after is in the table alone
    gives:  a Recording: a table as text, `rows` and `events`
    OSError: the file cannot be written.

    >>> import numpy as np, autograph as ag
    >>> double = ag.function(lambda x: x * 2)
    >>> with profile() as found:
    ...     _ = double(np.ones(2))
    >>> sorted({row.kind for row in found.rows})
    ['call', 'compile', 'convert', 'op', 'optimize', 'run', 'trace']

    Off it costs nothing; on, a step costs about a microsecond more, and a call finds
    its trace the long way.
    """
    found = Recording(steps, events)
    RECORDERS.append(found)
    STAND_INS.append(watched)
    try:
        with config.watched():
            yield found
    finally:
        RECORDERS.remove(found)
        STAND_INS.remove(watched)
        if file is not None:
            found.save(file)
