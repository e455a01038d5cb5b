"""What waits until compiling is worth its while is lowered once."""

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import hot_code, kept_program, making, store
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
