"""What users wait for: whole programs, run once, with and without a decorator.

Each program of `tools/bench/whole` defines some functions, calls each a few times and
prints. It runs in a Python of its own: plain; with ours and an empty folder of machine
code, and once more with the folder that the first run has filled; with Numba's `njit`,
without and with its cache filled, where Numba can do the program (it prints `-` where
it cannot). Figures are the clock's, from the start of the process to its end, medians
of some rounds in which all ways go by turns. What a program prints must be the same.

    python tools/bench/whole_programs.py [--repeats N] [--only NAME] [--without-numba]
"""

import argparse
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from time import perf_counter

HOME = Path(__file__).parent / "whole"
OURS = "import autograph as ag\n\njit = ag.function\n"
# What `jit` of a program is, by the way in which it runs.
WAYS = {
    "plain": "def jit(function):\n    return function\n",
    "ours": OURS,
    "ours again": OURS,
    "numba": "from numba import njit as jit\n",
    "numba again": "import numba\n\njit = numba.njit(cache=True)\n",
}
LONGEST = 120.0  # seconds that a program may take


class Runs:
    """The runs of one program: in folders of its own."""

    def __init__(self, program: Path, home: Path) -> None:
        self.program, self.home = program, home
        self.printed: str | None = None
        self.took: dict[str, list[float]] = {way: [] for way in WAYS}

    def run(self, way: str) -> bool:
        """Run it once; whether it has printed what the plain program prints."""
        folder = self.home / way.replace(" ", "_")
        if not folder.exists():
            folder.mkdir()
            (folder / "jit.py").write_text(WAYS[way])
            shutil.copy(self.program, folder)
        objects = folder / "objects"
        if way == "ours":
            shutil.rmtree(objects, ignore_errors=True)
        environment = {
            **os.environ,
            "AUTOGRAPH_CACHE_DIR": str(objects),
            "PYTHONPATH": str(Path(__file__).resolve().parents[2]),
            "PYTHONPYCACHEPREFIX": str(self.home.parent / "bytecode"),
        }
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        start = perf_counter()
        done = subprocess.run(
            [sys.executable, "-W", "ignore", self.program.name],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=LONGEST,
            check=False,
        )
        self.took[way].append(perf_counter() - start)
        if way == "plain":
            self.printed = done.stdout
        return done.returncode == 0 and done.stdout == self.printed


def measured(program: Path, ways: list[str], repeats: int) -> dict[str, str]:
    """The medians of each way; a first round fills the folders and is not counted."""
    with tempfile.TemporaryDirectory() as home:
        runs = Runs(program, Path(tempfile.mkdtemp(dir=home)))
        wrong = {way for way in ways if not runs.run(way)}
        for taken in runs.took.values():
            taken.clear()
        for _ in range(repeats):
            wrong |= {way for way in ways if way not in wrong and not runs.run(way)}
    found = {}
    for way in ways:
        failed = "-" if way.startswith("numba") else "DIFFERS"
        median = statistics.median(runs.took[way] or [0.0])
        found[way] = failed if way in wrong else f"{median:.2f}"
    return found


def main() -> int:
    """Print the table; the status is 1 where ours prints something else."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only")
    parser.add_argument("--without-numba", action="store_true")
    options = parser.parse_args()
    ways = [
        way for way in WAYS if not (options.without_numba and way.startswith("numba"))
    ]
    print(
        f"Python {platform.python_version()}, numpy {version('numpy')}, "
        f"{platform.machine()}, seconds of a whole process, medians of "
        f"{options.repeats}"
    )
    print(f"{'':14}" + "".join(f"{way:>13}" for way in ways))
    differs = False
    for program in sorted(HOME.glob("[a-z]*.py")):
        if options.only in (None, program.stem):
            found = measured(program, ways, options.repeats)
            figures = "".join(f"{found[way]:>13}" for way in ways)
            print(f"{program.stem:14}{figures}", flush=True)
            differs |= "DIFFERS" in found.values()
    return int(differs)


if __name__ == "__main__":
    sys.exit(main())
