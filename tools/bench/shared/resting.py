"""resting: a worker answers when it takes no core from the next peer any more."""

from __future__ import annotations

from time import perf_counter, process_time, sleep

# Seconds: how often it is looked, what may be used by then, and when it is given up.
LOOK, LITTLE, LONG = 0.01, 0.001, 1.0


def rest() -> None:
    """Wait until the threads of this process sleep.

    Those of some libraries look for more to do before, OpenBLAS's for 0.1 s.
    """
    until = perf_counter() + LONG
    while perf_counter() < until:
        before = process_time()
        sleep(LOOK)
        if process_time() - before < LITTLE:
            return
