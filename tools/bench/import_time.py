"""What `import autograph` costs beyond `import numpy`, which it imports itself.

And how long a program takes to a first result: both imports, and a first call.

Each import runs in a Python of its own, the two by turns, so that both meet the same
state of the machine; the figures are medians of the time the import statement takes,
with the modules' bytecode at hand, as it is from the second import on.

    python tools/bench/import_time.py [--repeats N]
"""

import argparse
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

# The statement alone, as the user waits for it, without the start of Python.
TIMED = """\
from time import perf_counter
start = perf_counter()
import {module}
print(perf_counter() - start)
"""
MODULES = ("numpy", "autograph", "first")
# A program of two lines, imported: what it does is what the import takes.
FIRST = """\
import numpy as np
import autograph as ag

@ag.function
def double(x):
    return x * 2 + 1

double(np.ones(4))
"""
LIMIT_MS = 60.0  # promised: NumPy's import and no more than this


def seconds(module: str, cache: str) -> float:
    """How long `import module` takes in a fresh Python, run beside the packages."""
    command = [sys.executable, "-c", TIMED.format(module=module)]
    # A shell that forbids bytecode would have every module compiled each time.
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": cache, "PYTHONPATH": cache}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(
        command,
        cwd=Path(__file__).resolve().parents[2],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


def medians(repeats: int) -> dict[str, float]:
    """The median over `repeats` rounds, in milliseconds; the first round only warms."""
    with tempfile.TemporaryDirectory() as cache:
        (Path(cache) / "first.py").write_text(FIRST)
        rounds = [
            {module: seconds(module, cache) for module in MODULES}
            for _ in range(repeats + 1)
        ]
    return {
        module: 1e3 * statistics.median(row[module] for row in rounds[1:])
        for module in MODULES
    }


def main() -> int:
    """Print the figures; the status is 1 when the promise does not hold."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=15)
    repeats = parser.parse_args().repeats
    times = medians(repeats)
    extra = times["autograph"] - times["numpy"]
    print(
        f"Python {platform.python_version()}, numpy {version('numpy')}, "
        f"{platform.machine()}, median of {repeats}"
    )
    print(f"import numpy      {times['numpy']:7.1f} ms")
    print(
        f"import autograph  {times['autograph']:7.1f} ms"
        f"   {times['autograph'] / times['numpy']:.2f} x"
        f"   {extra:+.1f} ms (promised: at most {LIMIT_MS:+.0f} ms)"
    )
    print(f"a first result    {times['first']:7.1f} ms, both imports and the call")
    return 1 if extra > LIMIT_MS else 0


if __name__ == "__main__":
    sys.exit(main())
