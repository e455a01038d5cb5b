"""What programs of objects and of constants alone take: first calls, and further ones.

Schedulers, solvers, trees, games: what a trace finds of them is no graph, or a constant
one, and takes some hundred times as long as Python. Each row is of a Python of its own,
with all functions and methods of the program decorated and with none; the figures are
the thread's own time, which other processes change less than the clock's: of the first
call, and of `--calls` further ones, or of as many as a second has room for.

    python tools/bench/objects.py [--calls N] [PROGRAM ...]
"""

import argparse
import json
import platform
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from time import thread_time
from typing import Any

PROGRAMS = (
    *("scheduler", "constraints", "linked", "board", "machine", "colours"),
    *("accounts", "mixed", "towers", "subsets", "change", "explorer", "swarm"),
)
# No more calls once they have taken so many seconds.
MOST = 4.0


def measured(program: str, is_plain: bool, calls: int) -> tuple[float, float]:
    """Seconds of the first call, and of one of those that follow."""
    command = [sys.executable, __file__, "--one", program, "--calls", str(calls)]
    found = subprocess.run(
        command + ["--plain"] * is_plain, capture_output=True, check=True, text=True
    )
    first, later = json.loads(found.stdout)
    return first, later


def one(program: str, is_plain: bool, calls: int) -> None:
    """Print what a program's calls take, in this process."""
    sys.path.insert(0, str(Path(__file__).parents[2]))
    from tools.bench import object_programs

    programs: Any = object_programs

    function: Any = programs.plain()
    if not is_plain:
        import autograph as ag

        function = ag.function
    run: Callable[[], Any] = programs.MADE[program](function)
    start = thread_time()
    run()
    first, made, later = thread_time() - start, 0, thread_time()
    while made < calls and thread_time() - later < MOST:
        run()
        made += 1
    print(json.dumps([first, (thread_time() - later) / max(made, 1)]))


def main() -> None:
    """Print a line for each program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", nargs="*", default=PROGRAMS)
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--one")
    parser.add_argument("--plain", action="store_true")
    given = parser.parse_args()
    if given.one:
        one(given.one, given.plain, given.calls)
        return
    words = (platform.machine(), platform.python_version(), version("numpy"))
    print("{}, Python {}, NumPy {}; ms of the thread".format(*words))
    print(f"{'':14}{'first':>10}{'Python':>10}{'later':>10}{'Python':>10}{'ratio':>8}")
    for program in given.programs:
        first, later = measured(program, False, given.calls)
        of_first, of_later = measured(program, True, given.calls)
        row = [1e3 * seconds for seconds in (first, of_first, later, of_later)]
        told = "".join(f"{ms:10.3f}" for ms in row)
        print(f"{program:14}{told}{later / of_later:8.2f}", flush=True)


if __name__ == "__main__":
    main()
