"""What a first call takes: in a new process, and where its code is in the folder.

The modules that run for it, the trace and the program of a hundred operations; then two
functions whose machine code an earlier process has put into the folder (`cache_dir`),
part by part. Each row is of Pythons of their own, with the modules' bytecode at hand;
the figures are the thread's own time, which other processes change less than the
clock's, and the shortest of some runs.

    python tools/bench/first_calls.py [--repeats N]
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

OPERATIONS = 100
# A hundred operations, all different.
LINES = "".join(f"    x = np.tanh(x) * {1 + i / 64}\n" for i in range(OPERATIONS // 2))
FUNCTIONS = f"""\
import numpy as np

def chain(x):
{LINES}    return x

def another(x):
{LINES.replace("tanh", "arctan")}    return x

def smooth(x):
    y = x.copy()
    for i in range(1, len(x) - 1):
        y[i] = (x[i - 1] + x[i] + x[i + 1]) / 3
    return y

def warm(x):
    y = x.copy()
    for i in range(1, len(x) - 1):
        y[i] = x[i - 1] * x[i] - 2.0
    return y
"""
START = """\
import json, sys
from time import thread_time
import numpy as np
import autograph as ag
import functions

x = np.linspace(0.0, 1.0, 64)
found = {}
PACKAGES = "autograph", "runtime", "tracer"

def ms(function):
    start = thread_time()
    ag.function(function)(x)
    return 1e3 * (thread_time() - start)
"""
PYTHON = (
    START
    + """\
def ours():
    return [n for n in sys.modules if n.split(".")[0] in PACKAGES]

found["a first call"] = ms(functions.chain)
from runtime.waiting import has_run
found["  modules of ours that have run (number)"] = sum(map(has_run, ours()))
found["another function's first call"] = ms(functions.another)
again = functions.another
found["  of it without the conversion"] = ms(again)
print(json.dumps(found))
"""
)
# Each part's own time, without the parts in it.
NATIVE = (
    START
    + """\
parts, inner = {}, []

def timed(owner, name, label):
    function = getattr(owner, name)

    def call(*args, **kwargs):
        start = thread_time()
        inner.append(0.0)
        try:
            return function(*args, **kwargs)
        finally:
            took = thread_time() - start
            parts[label] = parts.get(label, 0.0) + 1e3 * (took - inner.pop())
            if inner:
                inner[-1] += took

    setattr(owner, name, call)

with ag.config(backend="native", cache_dir=sys.argv[1]):
    found["a first native call, in all"] = ms(functions.warm)
    from runtime.backends.llvm import engine, hot_code, kept_program, linking
    from runtime.backends.llvm import making, rests, text
    from runtime import store
    timed(kept_program, "known_of", "words and their key")
    timed(kept_program.Known, "making_of", "what was kept")
    timed(hot_code, "lowered", "lowering")
    timed(text.Text, "write", "text")
    timed(store, "key_of", "key")
    timed(rests, "called", "what Python makes")
    timed(store, "found", "reading")
    timed(engine, "image_of", "compiling")
    timed(linking, "_code", "linking")
    timed(linking.Compiled, "__init__", "binding")
    for function in functions.smooth, functions.chain:
        parts.clear()
        total = ms(function)
        found[f"{function.__name__}, in all"] = total
        for part, took in parts.items():
            found[f"  {function.__name__}: {part}"] = took
print(json.dumps(found))
"""
)


def run(program: str, folder: Path) -> dict[str, float]:
    """What a program has measured in a Python of its own."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder / "bytecode")}
    environment["PYTHONPATH"] = str(folder)
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(
        [sys.executable, "-c", program, str(folder / "objects")],
        cwd=Path(__file__).resolve().parents[2],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def shortest(program: str, repeats: int, folder: Path) -> dict[str, float]:
    """The least of each over the runs; the first run fills the folders."""
    run(program, folder)
    runs = [run(program, folder) for _ in range(repeats)]
    return {name: min(one[name] for one in runs) for name in runs[0]}


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=9)
    repeats = parser.parse_args().repeats
    print(
        f"Python {platform.python_version()}, numpy {version('numpy')}, "
        f"{platform.machine()}, the shortest of {repeats}, ms of the thread"
    )
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home)
        (folder / "functions.py").write_text(FUNCTIONS)
        for program in PYTHON, NATIVE:
            for name, took in shortest(program, repeats, folder).items():
                print(f"{name:40} {took:8.2f}")


if __name__ == "__main__":
    main()
