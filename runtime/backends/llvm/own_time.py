"""own_time: how long something takes."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

# So often it is done at most; not again when all has taken so many seconds.
TIMES, ENOUGH = 5, 0.02


def seconds(work: Callable[[], object]) -> float:
    """What it takes at least, of this thread's own time: others may want the cores."""
    found, spent = math.inf, 0.0
    for _ in range(TIMES):
        begin = time.thread_time()
        work()
        taken = time.thread_time() - begin
        found, spent = min(found, taken), spent + taken
        if spent >= ENOUGH:
            break
    return found
