"""What every docstring example may use without importing it: NumPy, as `np`."""

import atexit
import os
import shutil
import tempfile
from typing import Any

import numpy as np
import pytest

from runtime.config import config

# No test, and no program that one runs, finds what another has compiled.
os.environ["AUTOGRAPH_CACHE_DIR"] = "off"
config(cache_dir=None)


def _keep_bytecode() -> None:
    """Keep bytecode as long as the tests run, where Python is told to write none.

    Programs that tests run, each in a Python of its own, would compile our modules
    every time: a second for each of them, of which there are two hundred.
    """
    folder, owner = tempfile.mkdtemp(prefix="autograph-bytecode-"), os.getpid()

    def remove() -> None:
        if os.getpid() == owner:  # and no fork of it
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)
    del os.environ["PYTHONDONTWRITEBYTECODE"]
    os.environ["PYTHONPYCACHEPREFIX"] = folder


if os.environ.get("PYTHONDONTWRITEBYTECODE"):
    _keep_bytecode()


@pytest.fixture(autouse=True)
def _numpy_in_docstrings(doctest_namespace: dict[str, Any]) -> None:
    doctest_namespace["np"] = np
