"""What the tests of calls that are timed share."""

import pytest

from tests.tracer.timed_calls import Clock
from tracer import either_way


@pytest.fixture
def clock(monkeypatch):
    """Calls are timed, by a clock of the test's."""
    made = Clock()
    monkeypatch.setattr(either_way, "TIMED", True)
    monkeypatch.setattr(either_way, "clock", made)
    return made
