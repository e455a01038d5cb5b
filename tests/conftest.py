"""Settings for all tests.

Graphs are verified after every construction and pass, and what finds a trace quickly is
made by the first call that has it, so that the second one goes that way.
"""

import signal

import pytest

import runtime.verify
import tracer.either_way
import tracer.idle
import tracer.short_keys
from tests import few_passes
from tracer import garbage

# A shell lets programs in the background ignore it: what is interrupted would not end.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
runtime.verify.enabled = True
tracer.short_keys.MADE_AT = 1
# Calls by the graph stay so, however long they take here.
tracer.either_way.TIMED = False
# A trace takes as long as it takes here.
tracer.idle.TIMED = False


@pytest.fixture(autouse=True)
def _few_passes_in_three_of_four_tests(request, monkeypatch):
    """`with_passes` marks the tests that ask for what LLVM's passes do."""
    is_asked_for = request.node.get_closest_marker("with_passes") is not None
    if not is_asked_for and few_passes.is_drawn(request.node.nodeid):
        few_passes.have(monkeypatch)


@pytest.fixture
def others_set_aside():
    """Collections go through what the test makes, and not through all there was.

    That is a million objects, a second for each, where many tests have run.
    """
    with garbage.of_trace():
        yield
