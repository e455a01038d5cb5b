"""Calls whose trace goes long without a node, by a clock that ticks when asked."""

from tracer import idle, put_off, waiting

# Seconds of the clock between two looks at it.
STEP = 1e-3
# Turns that are too many for a first trace.
MANY = int(2 * idle.LIMIT / STEP)


def let_tick(monkeypatch):
    """Time goes on by being asked for, and decides."""
    now = [0.0]

    def tell():
        now[0] += STEP
        return now[0]

    monkeypatch.setattr(idle, "TIMED", True)
    monkeypatch.setattr(idle, "ledger", idle.Ledger())
    for module in (idle, put_off, waiting):
        monkeypatch.setattr(module, "thread_time", tell)


class Counter:
    """Counts by constants alone."""

    def __init__(self, turns):
        self.turns = turns

    def count(self):
        found = {}
        for k in range(self.turns):
            found[k % 7] = found.get(k % 7, 0) + k
        return found
