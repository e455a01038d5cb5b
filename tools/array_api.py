"""Run the conformance suite of the Python array API standard on autograph.array_api.

    ARRAY_API_TESTS=/path/to/array-api-tests python tools/array_api.py [arguments]

The arguments go to pytest.

ARRAY_API_TESTS names a checkout of data-apis/array-api-tests with its submodule
array-api, and the packages of its requirements.txt are installed. The suite is run on
NumPy, on NumPy by array-api-compat where that is installed, and on autograph.array_api,
with 20 examples for each test; what fails of ours and not of NumPy fails this tool. It
takes three to eight minutes.
"""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OURS, NUMPY, COMPAT = "autograph.array_api", "numpy", "array_api_compat.numpy"
VERSION = "2024.12"
OPTIONS = "-q -rf --tb=no -p no:cacheprovider --max-examples 20 --disable-deadline"
SEEDS = 20
_FAILED = re.compile(r"^FAILED (.*?)(?: - .*)?$", re.MULTILINE)


def main(arguments: list[str]) -> int:
    """Run both, compare, say what differs."""
    checkout = os.environ.get("ARRAY_API_TESTS")
    if not checkout:
        print("array-api: skipped, ARRAY_API_TESTS names no checkout of the suite")
        return 0
    theirs, last = run(checkout, NUMPY, arguments)
    print(f"{NUMPY}: {last}")
    if importlib.util.find_spec("array_api_compat") is not None:
        print(f"{COMPAT}: {run(checkout, COMPAT, arguments)[1]}")
    ours, last = run(checkout, OURS, arguments)
    print(f"{OURS}: {last}")
    for seed in range(SEEDS):
        # Hypothesis takes examples from the constants in our source, so NumPy may have
        # been given others.
        if ours - theirs:
            tests = [f"--hypothesis-seed={seed}", *sorted(ours - theirs)]
            theirs |= run(checkout, NUMPY, tests, whole=False)[0]
    for name in sorted(ours):
        print(f"  fails{'' if name in theirs else ', and not for NumPy'}: {name}")
    return int(bool(ours - theirs))


def run(
    checkout: str, module: str, arguments: list[str], whole: bool = True
) -> tuple[set[str], str]:
    """The names of the tests that fail for a module, and the last line of pytest.

    whole: all tests are run; if not, those that the arguments name
    """
    settings = {
        "ARRAY_API_TESTS_MODULE": module,
        "ARRAY_API_TESTS_VERSION": VERSION,
        "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
    }
    suite = ["array_api_tests", "--hypothesis-derandomize"] if whole else []
    command = [sys.executable, "-m", "pytest", *suite, *OPTIONS.split()]
    done = subprocess.run(
        [*command, *arguments],
        cwd=checkout,
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in (0, 1):
        raise SystemExit(f"{done.stdout}\n{done.stderr}")
    return set(_FAILED.findall(done.stdout)), done.stdout.strip().splitlines()[-1]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
