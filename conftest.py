"""What every docstring example may use without importing it: NumPy, as `np`."""

from typing import Any

import numpy as np
import pytest


@pytest.fixture(autouse=True)
def _numpy_in_docstrings(doctest_namespace: dict[str, Any]) -> None:
    doctest_namespace["np"] = np
