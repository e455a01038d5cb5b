"""The pytest plugin: a fixture that compares with plain Python, and an option.

pytest finds it by the entry point `autograph.pytest_plugin`; nothing else imports it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from autograph.same import assert_same_as_python as _assert_same_as_python
from runtime.config import config

_BEFORE = pytest.StashKey[bool]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option `--autograph-eager`."""
    parser.getgroup("autograph").addoption(
        "--autograph-eager",
        action="store_true",
        help="run functions under @ag.function as the Python they are, not as graphs",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Switch to eager for the whole session when that is asked for."""
    if config.getoption("--autograph-eager"):
        config.stash[_BEFORE] = _switch(True)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Leave it as it was: several sessions may run in one process."""
    if _BEFORE in config.stash:
        _switch(config.stash[_BEFORE])


def _switch(eager: bool) -> bool:
    before = config.eager
    config(eager=eager)
    return before


def pytest_report_header(config: pytest.Config) -> str | None:
    """Say so at the top of the report."""
    if config.getoption("--autograph-eager"):
        return "autograph: functions run as plain Python (--autograph-eager)"
    return None


@pytest.fixture
def assert_same_as_python() -> Callable[..., Any]:
    """`assert_same_as_python(f, *args, **kwargs)`: the graph does what Python does.

    It compares value, dtype, type, printed text, exception, and the arguments
    afterwards; it also compares with `--autograph-eager`.
    """
    return _assert_same_as_python
