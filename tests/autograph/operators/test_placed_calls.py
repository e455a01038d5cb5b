"""Logs of a graph name the line, function and module of the user's that logs."""

import logging

import numpy as np
import pytest

import autograph as ag

LOG = logging.getLogger("tests.placed_calls")
AROUND = logging.LoggerAdapter(LOG, {})


def told(x):
    LOG.warning("sum %s", x.sum())
    return x


def program(x):
    for k in range(len(x)):
        if x[k] > 1:
            LOG.warning(
                "large %.1f",
                x[k],
            )
    AROUND.error("around")
    [1].index(1), LOG.log(logging.ERROR, "level")
    return told(x)[0]


class Records(logging.Handler):
    def __init__(self):
        super().__init__()
        self.seen = []

    def emit(self, record):
        place = record.module, record.funcName, record.lineno, record.filename
        self.seen.append((*place, record.getMessage()))


@pytest.fixture
def records():
    handler = Records()
    LOG.addHandler(handler)
    LOG.propagate = False
    yield handler.seen
    LOG.removeHandler(handler)
    LOG.propagate = True


@pytest.mark.parametrize("backend", ["numpy", "native"])
def test_logs_name_the_line_that_logs(records, backend):
    x = np.arange(4.0)
    program(x)
    wanted = records.copy()
    assert [record[1] for record in wanted] == ["program"] * 4 + ["told"]
    staged = ag.function(program)
    with ag.config(backend=backend):
        for _ in range(3):
            records.clear()
            staged(x)
            assert records == wanted
