"""What large arrays are made of when such were freed before."""

import platform
import subprocess
import sys

import pytest

PROGRAM = """
import resource
import numpy as np
import autograph as ag

@ag.function
def twice(x, v, count):
    for _ in range(count):
        v = v - x * 0.5
        x = x + v * 0.5
    return x, v

def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

x, v = np.ones(1_000_000), np.ones(1_000_000)
with ag.config(backend="native"):
    for _ in range(5):
        twice(x, v, np.int64(4))
    before = faults()
    for _ in range(10):
        twice(x, v, np.int64(4))
print(faults() - before)
"""


# Freed memory is kept by a setting of glibc's `malloc`, which no other has.
@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="not glibc")
def test_arrays_that_come_and_go_have_the_same_memory(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, str(program)], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) < 500
