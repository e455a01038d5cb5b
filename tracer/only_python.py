"""only_python: the calls that no graph serves, which are made as Python."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from runtime.errors import OnlyPythonError
from tracer.signature import Signature

Known = dict[Signature, OnlyPythonError]


@contextmanager
def noted(known: Known, signature: Signature) -> Iterator[None]:
    """Raise at once what a trace for this signature raised before; note what it raises.

    So each call but the first goes straight to Python.
    """
    if signature in known:
        raise known[signature]
    try:
        yield
    except OnlyPythonError as error:
        known[signature] = error.with_traceback(None)
        raise
