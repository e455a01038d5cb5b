"""Time the same work in several libraries, by turns, each in a Python of its own.

A benchmark is a script with a table of peers and a call of `main`. Started by hand, the
script starts itself once more for each peer that can be imported; the workers make
ready, and then each runs one repeat at a time, in turn, so that all of them meet the
same state of the machine. Nothing is asserted: what is slow is for people to judge.
"""

import argparse
import importlib.util
import platform
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).resolve().parents[3]

# Makes ready and returns one repeat: run, it gives the seconds of one unit of the work.
Setup = Callable[[], Callable[[], float]]


@dataclass(frozen=True, slots=True)
class Peer:
    """One row of the table: what it is called, the module it needs, and its work."""

    name: str
    module: str
    setup: Setup


def seconds_each(work: Callable[[], object], times: int) -> float:
    """The seconds that one of `times` calls of `work` takes on average."""
    start = perf_counter()
    for _ in range(times):
        work()
    return (perf_counter() - start) / times


def main(title: str, unit: float, peers: Sequence[Peer]) -> int:
    """Print the table: medians, and how they compare with the first of `peers`.

    unit: 1e6 for figures in microseconds, 1e3 for milliseconds.
    """
    parser = argparse.ArgumentParser(description=title)
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        work(next(peer for peer in peers if peer.name == options.worker))
        return 0
    present = [peer for peer in peers if importlib.util.find_spec(peer.module)]
    times = by_turns(present, options.repeats)
    words = "us" if unit == 1e6 else "ms"
    machine = f"{platform.machine()}, Python {platform.python_version()}"
    print(f"{title}; {machine}, median of {options.repeats}")
    base = unit * times[peers[0].name]
    for peer in present:
        figure = unit * times[peer.name]
        print(
            f"{peer.name:24} {figure:10.3f} {words} {figure - base:+10.3f} {words}"
            f"{figure / base:9.2f} x   {peer.module} {version_of(peer.module)}"
        )
    absent = [peer.name for peer in peers if peer not in present]
    if absent:
        print(f"not installed: {', '.join(absent)}")
    return 0


def work(peer: Peer) -> None:
    """A worker's life: one repeat for each line that comes in."""
    repeat = peer.setup()
    repeat()  # the first only warms
    print("ready", flush=True)
    for _ in sys.stdin:
        print(repeat(), flush=True)


def by_turns(peers: Sequence[Peer], repeats: int) -> dict[str, float]:
    """The median of each peer, in seconds."""
    workers = {peer.name: start(peer) for peer in peers}
    for name, worker in workers.items():
        if answer(worker) != "ready":
            raise RuntimeError(f"the worker for {name} did not start; see above")
    figures: dict[str, list[float]] = {name: [] for name in workers}
    for _ in range(repeats):
        for name, worker in workers.items():
            assert worker.stdin is not None  # made as a pipe
            worker.stdin.write("again\n")
            worker.stdin.flush()
            figures[name].append(float(answer(worker)))
    for worker in workers.values():
        worker.communicate()
    return {name: statistics.median(values) for name, values in figures.items()}


def start(peer: Peer) -> subprocess.Popen[str]:
    """A worker for `peer`, with the project's packages beside it."""
    command = [sys.executable, sys.argv[0], "--worker", peer.name]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)


def answer(worker: subprocess.Popen[str]) -> str:
    """The next line of a worker."""
    assert worker.stdout is not None  # made as a pipe
    return worker.stdout.readline().strip()


def version_of(module: str) -> str:
    """The version of the distribution that brings `module`."""
    names = {"autograph": "autograph-numpy", "tensorflow": "tensorflow_cpu"}
    for name in (names.get(module, module), module):
        try:
            return version(name)
        except PackageNotFoundError:
            continue
    return "of this tree"
