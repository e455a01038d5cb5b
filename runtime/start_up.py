"""Start-up: importing makes many objects and no garbage, so nothing is collected."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from time import time_ns

# When the first of our modules were loaded, in nanoseconds since 1970.
BEGUN = time_ns()


@contextmanager
def collection_paused() -> Iterator[None]:
    """No garbage collection inside the block, and none for it: 8 ms of the import."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if gc.get_freeze_count() == 0:
            # Frozen and thawed, objects count as old: the next collection of young
            # ones does not go through all that was just imported.
            gc.freeze()
            gc.unfreeze()
        if was_on:
            gc.enable()
