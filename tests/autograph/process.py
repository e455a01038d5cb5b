"""Python in a process of its own, with these packages on its path."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def run(
    folder: Path, *arguments: str, typed: str = "", hash_seed: str = "random"
) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder; typed: its standard input."""
    own = {"PYTHONPATH": str(ROOT), "PYTHON_COLORS": "0", "PYTHONHASHSEED": hash_seed}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, **own},
        input=typed,
        capture_output=True,
        text=True,
        timeout=120,
    )
