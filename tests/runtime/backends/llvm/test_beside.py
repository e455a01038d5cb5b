"""Machine code is made in a thread of its own, while the program goes on."""

import gc
import os
import subprocess
import sys
import threading
import warnings
import weakref
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import beside, making, switch
from tests.runtime.backends.llvm.compiling import forked, loops_of

pytestmark = pytest.mark.usefixtures("others_set_aside")

SETTING = ContextVar("setting", default="usual")


def count_up(limit):
    i = 0
    while i < limit:
        i = i + 1
    return i


def loop_of(staged):
    (loop,) = loops_of(staged, (np.int64(5),))
    return loop


@pytest.fixture
def _nothing_at_once(monkeypatch):
    """All is compiled beside the program."""
    monkeypatch.setattr(making, "AT_ONCE", 0.0)
    yield
    beside.wait()


def begun(work):
    task = beside.Task(work)
    beside.begin(task)
    return task


# --- the thread -----------------------------------------------------------------------
def test_work_is_done_in_another_thread_which_ends():
    task = begun(threading.get_ident)
    beside.wait()
    assert task.is_done
    assert task.result() != threading.get_ident()
    assert not beside.is_busy()


def test_what_the_work_raises_is_raised_to_who_asks_for_its_result():
    task = begun(lambda: {}["missing"])
    beside.wait()
    assert task.is_done
    with pytest.raises(KeyError, match="missing"):
        task.result()


def test_the_work_has_the_settings_of_who_began_it():
    token = SETTING.set("own")
    task = begun(SETTING.get)
    SETTING.reset(token)
    beside.wait()
    assert task.result() == "own"


def test_threads_take_turns_as_before_when_the_work_is_done():
    usual = sys.getswitchinterval()
    task = begun(sys.getswitchinterval)
    beside.wait()
    beside._last.join()
    assert task.result() < usual == sys.getswitchinterval()


def test_a_fork_waits_and_the_work_is_begun_anew_after_it():
    turns, is_under_way, may_end = [], threading.Event(), threading.Event()

    def work():
        turns.append(len(turns))
        is_under_way.set()
        while not may_end.wait(0.001):
            beside.go_on()
        return "done"

    task = begun(work)
    is_under_way.wait()
    beside._before_fork()
    try:
        assert not beside._last.is_alive()
        assert not task.is_done
        may_end.set()
    finally:
        beside._after_fork()
    beside.wait()
    assert (task.result(), turns) == ("done", [0, 1])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here")
def test_a_child_works_although_another_thread_was_about_to_fork(monkeypatch):
    monkeypatch.setattr(beside, "_pauses", 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = forked()
    if child == 0:
        task = begun(lambda: "done")
        beside.wait()
        os._exit(0 if task.is_done else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert beside._pauses == 1


# --- loops ----------------------------------------------------------------------------
@pytest.mark.usefixtures("_nothing_at_once")
def test_a_loop_goes_on_as_machine_code_when_it_is_there():
    staged = ag.function(count_up)
    # In Python alone it would take ten seconds.
    assert staged(np.int64(10**8)) == 10**8
    assert loop_of(staged).function is not None


@pytest.mark.usefixtures("_nothing_at_once")
def test_python_goes_on_while_the_code_is_made(monkeypatch):
    may_end = threading.Event()

    def built_later(*given):
        assert may_end.wait(60.0), "it is not made beside the program"
        return built(*given)

    built = making.built_to_share
    monkeypatch.setattr(making, "built_to_share", built_later)
    staged = ag.function(count_up)
    assert staged(np.int64(10 * switch.WORK)) == 10 * switch.WORK
    loop = loop_of(staged)
    assert (loop.function, loop.refused) == (None, "")
    may_end.set()
    beside.wait()
    assert staged(np.int64(10 * switch.WORK)) == 10 * switch.WORK
    assert loop.function is not None


@pytest.mark.usefixtures("_nothing_at_once")
def test_steps_outside_of_loops_are_compiled_beside_too():
    def chain(x, y):
        return (x * y + 0.5) / (1.0 + x * x) - y

    staged = ag.function(chain)
    x, y = np.linspace(0, 1, 1_000_000), np.linspace(1, 2, 1_000_000)
    for _ in range(20):
        staged(x, y)
    beside.wait()
    assert np.array_equal(staged(x, y), chain(x, y))
    held = staged.get_concrete_function(x, y).run.__globals__.values()
    (region,) = [one for one in held if type(one).__name__ == "Region"]
    assert region.function is not None


def fails(*given):
    raise LookupError("no such row")


@pytest.mark.parametrize("at_once", [1.0, 0.0])
def test_a_fault_of_the_compiler_is_said_and_python_goes_on(monkeypatch, at_once):
    monkeypatch.setattr(making, "AT_ONCE", at_once)
    monkeypatch.setattr(making, "built_to_share", fails)
    staged = ag.function(count_up)
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        for _ in range(3):
            assert staged(np.int64(3 * switch.WORK)) == 3 * switch.WORK
            beside.wait()
    (warning,) = shown
    line = count_up.__code__.co_firstlineno + 2
    assert str(warning.message) == (
        f"what runs at {__file__}:{line} stays Python: compiling it failed "
        "(LookupError('no such row'))"
    )
    assert warning.category is RuntimeWarning
    assert loop_of(staged).refused == "LookupError('no such row')"


def test_a_fault_is_raised_where_all_is_to_be_compiled(monkeypatch):
    monkeypatch.setattr(making, "built_to_share", fails)
    with ag.config(backend="native"):
        staged = ag.function(count_up)
        with pytest.raises(LookupError, match="no such row"):
            staged(np.int64(3))


@pytest.mark.usefixtures("_nothing_at_once")
def test_many_threads_wait_for_one_code():
    staged = ag.function(count_up)
    numbers = [np.int64(10 * switch.WORK + k) for k in range(8)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(staged, numbers)) == numbers
    beside.wait()
    assert staged(numbers[0]) == numbers[0]
    assert loop_of(staged).function is not None


@pytest.mark.usefixtures("_nothing_at_once")
def test_a_function_may_go_before_its_code_is_there():
    staged = ag.function(count_up)
    staged(np.int64(3 * switch.WORK))
    loop = weakref.ref(loop_of(staged))
    del staged
    gc.collect()
    beside.wait()
    assert loop() is None


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here")
@pytest.mark.usefixtures("_nothing_at_once")
def test_a_child_compiles_on_its_own():
    staged = ag.function(count_up)
    assert staged(np.int64(3 * switch.WORK)) == 3 * switch.WORK  # is being compiled
    child = forked()
    if child == 0:
        is_right = staged(np.int64(10**8)) == 10**8
        os._exit(0 if is_right and loop_of(staged).function is not None else 1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert staged(np.int64(10**8)) == 10**8


PROGRAM = """
import time
import numpy as np, autograph as ag
from runtime.backends.llvm import beside, making
making.AT_ONCE = 0.0
built = making.built_to_share

def built_later(*given):
    time.sleep(2.0)
    return built(*given)

making.built_to_share = built_later

@ag.function
def smoothed(x, count):
    for _ in range(count):
        x = x * 0.5 + x * x * 0.25 - x * x * x * 0.125
    return x

making.SECONDS_ALL = making.SECONDS_LOADING = 0.0
smoothed(np.ones(8), np.int64(50_000))
print(beside.is_busy())
"""


def test_a_program_may_end_while_its_code_is_made(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    found = subprocess.run(
        [sys.executable, path], capture_output=True, text=True, check=False
    )
    assert (found.returncode, found.stderr, found.stdout) == (0, "", "True\n")
