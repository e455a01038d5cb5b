"""The benches run and print a row for each library; no figure is asserted."""

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "tools" / "bench"


@pytest.mark.parametrize("name", ["call", "loop", "trace"])
def test_bench_prints_a_row_for_numpy_and_for_the_project(name: str) -> None:
    done = subprocess.run(
        [sys.executable, str(FOLDER / f"{name}.py"), "--repeats", "1"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    first = {line.split()[0].rstrip(",") for line in done.stdout.splitlines()}
    assert {"numpy", "autograph"} <= first


def test_bench_of_conversion_prints_a_row_for_each_shape() -> None:
    command = [str(FOLDER / "conversion.py"), "--repeats", "1", "--shapes-only"]
    done = subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "1,000 lines" in done.stdout


def test_calls_and_functions_that_are_dropped_leave_no_objects() -> None:
    command = [str(FOLDER / "growth.py"), "--calls", "700", "--functions", "30"]
    done = subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    calls, functions = done.stdout.splitlines()
    assert calls.startswith("700 calls: ")
    assert functions.startswith("30 dropped Functions: ")
    assert all(abs(int(line.split()[-4])) < 50 for line in (calls, functions))
