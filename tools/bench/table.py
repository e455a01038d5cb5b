"""The benchmark: one table of all rows, this project beside its peers.

Each peer that is installed has a process of its own. For each row all make ready and
compare their results with plain Python's; then they are measured by turns, so that all
meet the same state of the machine, each when the threads of the one before sleep. The
ratio is of the best peer's time to ours: above 1 ours is the fastest. Nothing is
asserted: what is slow is for people to judge.

    python tools/bench/table.py [--rows NAME ...] [--peers NAME ...] [--quick]
        [--python PEER=INTERPRETER ...] [--repeats N] [--budget SECONDS]

--python names the interpreter of a peer that is installed elsewhere. Two peers more are
this project without machine code and with all of it at once: executor, native.
"""

from __future__ import annotations

import argparse
import platform
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

# The project's folder in place of this one, whose files are named like Python's own.
sys.path.pop(0)
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tools.bench.rows import ROWS
from tools.bench.rows.row import Row
from tools.bench.shared.languages import LANGUAGES
from tools.bench.shared.peers import Peer, Unanswered, is_there

Peers = dict[str, Peer]

OURS = "autograph"
OWN = (OURS, "executor", "native")
USUAL = ("numpy", OURS, "numba", "jax", "torch", "tf", "tf-xla")


@dataclass(slots=True)
class Line:
    """What was found of a row at one size: medians, and why others have none."""

    row: Row
    size: str
    seconds: dict[str, float] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)

    @property
    def best(self) -> str:
        """The fastest peer; "" where there is none."""
        others = {name: t for name, t in self.seconds.items() if name not in OWN}
        return min(others, key=lambda name: others[name], default="")

    @property
    def ratio(self) -> float | None:
        """How many times as fast as the best peer this project is."""
        if OURS not in self.seconds or not self.best:
            return None
        return self.seconds[self.best] / self.seconds[OURS]


def main() -> int:
    """Print the table, and below it what could not be measured."""
    options = _options()
    wanted = [row for row in ROWS if _is_asked(row, options.rows)]
    pythons = dict(pair.split("=", 1) for pair in options.python)
    peers = {
        name: Peer(name, pythons.get(name, sys.executable)) for name in options.peers
    }
    absent = [name for name, peer in peers.items() if not is_there(peer)]
    peers = {name: peer for name, peer in peers.items() if name not in absent}
    lines: list[Line] = []
    print(
        f"{platform.machine()}, Python {platform.python_version()}; us a call, medians"
    )
    print(_head(peers), flush=True)
    try:
        with tempfile.TemporaryDirectory() as folder:
            for row in wanted:
                for size in list(row.sizes)[: 1 if options.quick else None]:
                    line = Line(row, size)
                    lines.append(line)
                    _measure(line, peers, options, Path(folder) / f"{len(lines)}")
                    print(_text(line, peers), flush=True)
    except KeyboardInterrupt:
        lines.pop()  # the one that was being measured
    finally:
        for peer in peers.values():
            peer.stop()
    print("\n".join(_end(lines, peers, absent)))
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", nargs="+", default=[], help="parts of names")
    parser.add_argument("--peers", nargs="+", default=list(USUAL), choices=LANGUAGES)
    parser.add_argument("--quick", action="store_true", help="small sizes, 3 repeats")
    parser.add_argument("--python", nargs="+", default=[], metavar="PEER=INTERPRETER")
    parser.add_argument("--repeats", type=int, default=0)
    parser.add_argument(
        "--budget",
        type=float,
        default=90.0,
        metavar="SECONDS",
        help="for a peer to make ready for one row",
    )
    options = parser.parse_args()
    options.repeats = options.repeats or (3 if options.quick else 7)
    return options


def _is_asked(row: Row, names: Sequence[str]) -> bool:
    return not names or any(name.lower() in row.name.lower() for name in names)


def _measure(
    line: Line, peers: Peers, options: argparse.Namespace, expected: Path
) -> None:
    """Let all make ready at once, the plain program first; then measure by turns."""
    ask = {"row": line.row.name, "size": line.size, "expected": str(expected)}
    plain = {name: peer for name, peer in peers.items() if name == "numpy"}
    others = {name: peer for name, peer in peers.items() if name != "numpy"}
    found: dict[str, list[float]] = {}
    for group in (plain, others):
        found |= {name: [] for name in _made_ready(line, group, ask, options.budget)}
    for _ in range(options.repeats):
        for name, values in found.items():
            # What takes long is measured as often as is time for.
            if name not in line.refused and sum(values) < options.budget / 9:
                _measure_once(line, peers[name], values, options.budget)
    for name, values in found.items():
        if values and name not in line.refused:
            line.seconds[name] = statistics.median(values)


def _made_ready(
    line: Line, peers: Peers, ask: dict[str, str], budget: float
) -> Iterator[str]:
    for peer in peers.values():
        peer.ask(ask, budget)
    for name, peer in peers.items():
        try:
            peer.answer()
            yield name
        except Unanswered as why:
            line.refused[name] = str(why)


def _measure_once(line: Line, peer: Peer, values: list[float], budget: float) -> None:
    try:
        peer.ask({"measure": True}, budget)
        values.append(float(peer.answer()["seconds"]))
    except Unanswered as why:
        line.refused[peer.name] = str(why)


def _head(peers: Peers) -> str:
    return f"{'':28}" + "".join(f"{name:>12}" for name in peers) + "     ratio"


def _text(line: Line, peers: Peers) -> str:
    cells = ""
    for name in peers:
        seconds = line.seconds.get(name)
        cells += f"{'-' if seconds is None else _us(seconds):>12}"
    ratio = "" if line.ratio is None else f"{_short(line.ratio):>10}  {line.best}"
    return f"{f'{line.row.name}, {line.size}':28}{cells}{ratio}"


def _short(ratio: float) -> str:
    return f"{ratio:.2f}" if ratio >= 0.1 else f"{ratio:.2g}"


def _us(seconds: float) -> str:
    us = 1e6 * seconds
    return f"{us:,.0f}" if us >= 1000 else f"{us:.3g}"


def _end(lines: Sequence[Line], peers: Peers, absent: Sequence[str]) -> Iterator[str]:
    """What is below the table."""
    rated = sorted(
        (line.ratio, number) for number, line in enumerate(lines) if line.ratio
    )
    if rated:
        middle = statistics.median(ratio for ratio, _ in rated)
        slower = sum(ratio < 1 for ratio, _ in rated)
        yield (
            f"\n{len(rated)} rows, {slower} of them slower than the best peer; the "
            f"median ratio is {middle:.2f}\n\nThe slowest first:"
        )
    for ratio, number in rated:
        line = lines[number]
        yield f"  {_short(ratio):>8}  {line.row.name}, {line.size} (best: {line.best})"
    versions = dict.fromkeys(peer.versions for peer in peers.values())
    yield f"\nVersions: {'; '.join(versions)}"
    if absent:
        yield f"Not installed: {', '.join(absent)}"
    refused = [
        f"  {line.row.name}, {line.size}, {name}: {why}"
        for line in lines
        for name, why in line.refused.items()
    ]
    if refused:
        yield "\n".join(["\nNot measured:", *refused])


if __name__ == "__main__":
    sys.exit(main())
