"""What waits until compiling is worth its while is lowered once."""

import numpy as np
import pytest

import autograph as ag
from runtime import store
from runtime.backends.llvm import hot, hot_code, kept_program, making, switch
from tests.runtime.backends.llvm.compiling import loops_of


@pytest.fixture
def lowerings(monkeypatch):
    """How often steps are lowered."""

    def lowered(steps):
        told.append(steps)
        return own(steps)

    told, own = [], hot_code.lowered
    monkeypatch.setattr(hot_code, "lowered", lowered)
    return told


def averaged(x, count):
    y = x.copy()
    for _ in range(count):
        for i in range(1, len(x) - 1):
            if x[i] > 0.5:
                y[i] = (x[i - 1] + x[i] + x[i + 1]) / 3
            else:
                y[i] = x[i] * x[i] + 0.25 * y[i - 1]
    return y


def made_in_time(staged, *arguments):
    """Call until all loops that are to be are machine code."""
    loops = loops_of(staged, arguments)
    for _ in range(400):
        staged(*arguments)
        if any(loop.is_made for loop in loops):
            return
    raise AssertionError("none is machine code")


def test_what_waits_for_its_time_is_lowered_once(tmp_path, lowerings, monkeypatch):
    monkeypatch.setattr(making, "SECONDS_ALL", 0.1)  # so it waits
    store._kept.clear()
    x = np.linspace(0.0, 1.0, 500)
    with ag.config(cache_dir=tmp_path / "kept", backend="auto"):
        staged = ag.function(averaged)
        made_in_time(staged, x, np.int64(3))
        assert len(lowerings) == len({*map(id, lowerings)}) > 0
        assert staged(x, 3).tobytes() == averaged(x, 3).tobytes()
    assert all(steps._awaited is None for steps in lowerings if steps.is_made)


def test_what_is_another_program_by_then_is_lowered_again(
    tmp_path, lowerings, monkeypatch
):
    def looked():
        return bytes(len(lowerings))  # as if a source was written meanwhile

    monkeypatch.setattr(making, "SECONDS_ALL", 0.1)
    monkeypatch.setattr(kept_program, "_surroundings", looked)
    store._kept.clear()
    x = np.linspace(0.0, 1.0, 500)
    with ag.config(cache_dir=tmp_path / "kept", backend="auto"):
        made_in_time(ag.function(averaged), x, np.int64(3))
    assert len(lowerings) > len({*map(id, lowerings)})


def test_what_python_has_hardly_spent_time_in_is_not_lowered(
    tmp_path, lowerings, monkeypatch
):
    monkeypatch.setattr(making, "SECONDS_LOWERING_EACH", 3600.0)
    x = np.linspace(0.0, 1.0, 500)
    with ag.config(cache_dir=tmp_path / "kept", backend="auto"):
        staged = ag.function(averaged)
        for _ in range(100):
            assert staged(x, 3).tobytes() == averaged(x, 3).tobytes()
        loops = [one for one in loops_of(staged, (x, 3)) if one.looking]
        # Somebody has looked into the folder, and waits for a while now.
        assert loops
        assert all(one.seconds > 3600 for one in loops)
    assert not lowerings


def test_steps_that_were_counted_count_when_more_are_awaited():
    def count_up(n):
        total = 0
        while total < n:
            total += 1
        return total

    with ag.config(backend="auto"):
        staged = ag.function(count_up)
        staged(np.int64(3))
        (loop,) = loops_of(staged, (np.int64(3),))
    loop.wait(0.03)
    loop.begin = loop.later
    loop.wait(0.05)
    steps = (0.05 - 0.03) / hot.SECONDS_A_STEP
    assert switch.WORK - loop.later == pytest.approx(steps, abs=2)
