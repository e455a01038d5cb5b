"""What every docstring example may use without importing it: NumPy, as `np`."""

import os
from typing import Any

import numpy as np
import pytest

from runtime.config import config

# No test, and no program that one runs, finds what another has compiled.
os.environ["AUTOGRAPH_CACHE_DIR"] = "off"
config(cache_dir=None)


@pytest.fixture(autouse=True)
def _numpy_in_docstrings(doctest_namespace: dict[str, Any]) -> None:
    doctest_namespace["np"] = np
