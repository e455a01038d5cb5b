"""Loops beside Numba, by index or of small arrays, and what their first calls took.

Each peer has a process of its own. Results are compared with plain Python's; then all
are measured by turns. Figures are the processor's time, the shortest of the repeats.
The ratio is Numba's time to ours: above 1 ours is the faster.

    python tools/bench/loop_table.py [--set small_arrays] [--rows NAME ...]
        [--peer native] [--repeats N]

The peer is `native`, which compiles in the first call, or `autograph`, as it comes.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

# The project's folder in place of this one, whose files are named like Python's own.
sys.path.pop(0)
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tools.bench import by_index, small_arrays
from tools.bench.rows.row import Row
from tools.bench.shared.peers import Peer, Unanswered

SETS = {"by_index": by_index.ROWS, "small_arrays": small_arrays.ROWS}
BUDGET = 60.0  # seconds for an answer
THEIRS = "numba"


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", nargs="+", default=[], help="parts of names")
    parser.add_argument("--set", default="by_index", choices=SETS)
    parser.add_argument("--peer", default="native", choices=["native", "autograph"])
    parser.add_argument("--repeats", type=int, default=9)
    options = parser.parse_args()
    peers = [Peer(name, sys.executable) for name in (THEIRS, options.peer)]
    print(f"{'us a call':28}{THEIRS:>10}{'ours':>10}{'ratio':>8}   first calls, ms")
    ratios = []
    try:
        with tempfile.TemporaryDirectory() as folder:
            for number, row in enumerate(SETS[options.set]):
                asked = [name.lower() in row.name.lower() for name in options.rows]
                if asked and not any(asked):
                    continue
                try:
                    expected = Path(folder) / str(number)
                    ratios.append(_line(row, peers, expected, options))
                except Unanswered as why:
                    print(f"{row.name:28} {why}", flush=True)
    finally:
        for peer in peers:
            peer.stop()
    slower = sum(ratio < 1 for ratio in ratios)
    middle = statistics.median(ratios) if ratios else 0.0
    print(f"{len(ratios)} rows, {slower} of them slower; the median is {middle:.2f}")
    return 0


def _line(
    row: Row, peers: list[Peer], expected: Path, options: argparse.Namespace
) -> float:
    """Measure a row, print it, and give its ratio."""
    firsts = []
    for peer in peers:
        (size,) = row.sizes
        asked = {"row": row.name, "size": size, "expected": str(expected)}
        peer.ask({**asked, "set": options.set}, BUDGET)
        firsts.append(peer.answer()["first"])
    least = [float("inf")] * len(peers)
    for _ in range(options.repeats):
        for place, peer in enumerate(peers):
            peer.ask({"measure": True, "least": True}, BUDGET)
            least[place] = min(least[place], peer.answer()["seconds"])
    theirs, ours = least
    cells = "".join(f"{1e6 * seconds:10.4g}" for seconds in least)
    took = "".join(f"{1e3 * seconds:8.0f}" for seconds in firsts)
    print(f"{row.name:28}{cells}{theirs / ours:8.2f}   {took}", flush=True)
    return theirs / ours


if __name__ == "__main__":
    sys.exit(main())
