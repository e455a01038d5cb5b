"""quiet: trials of a library's functions while tracing, of which nobody hears."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Iterator

import numpy as np

from runtime.build import suspended


@contextlib.contextmanager
def quietly() -> Iterator[None]:
    """For the block, there is no trace, no warning, and nothing is printed.

    >>> with quietly():
    ...     print(np.log(0.0))
    """
    with (
        suspended(),
        np.errstate(all="ignore"),
        warnings.catch_warnings(),
        contextlib.redirect_stdout(io.StringIO()),
    ):
        warnings.simplefilter("ignore")
        yield
