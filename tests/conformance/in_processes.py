"""in_processes: a long run of random programs, in several processes."""

import multiprocessing
from collections.abc import Callable, Iterator
from typing import TypeVar

T = TypeVar("T")


def each(one: Callable[[int], T], seeds: range, jobs: int) -> Iterator[T]:
    """What `one` gives of each seed, in any order."""
    if jobs == 1:
        yield from map(one, seeds)
        return
    # A worker is renewed now and then: each program leaves code and traces in caches.
    # Spawned: a process must not be copied while threads run in it.
    context = multiprocessing.get_context("spawn")
    with context.Pool(jobs, maxtasksperchild=50) as pool:
        yield from pool.imap_unordered(one, seeds, chunksize=20)
