"""For the tests of compiled programs: they leave machine code as often as need be."""

import pytest

# LLVM is loaded, so that what is little is compiled at once.
from runtime.backends.llvm import engine, hot  # noqa: F401 # loaded


@pytest.fixture(autouse=True)
def _leave_as_often_as_need_be(monkeypatch):
    monkeypatch.setattr(hot, "LEAVINGS", 1_000_000)
