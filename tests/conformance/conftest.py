"""Settings of these tests: what no graph can be made for fails, and is not Python's."""

import pytest

import autograph as ag
from tests.tracer import entered

at_once, both_ways = entered.at_once, entered.both_ways


@pytest.fixture(autouse=True)
def _strict():
    with ag.config(strict=True):
        yield
