"""Loops become machine code when they have run for long, and may leave it again."""

import gc
import os
import signal
import threading
import warnings
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import hot, making, switch
from runtime.backends.llvm.engine import optimized
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.whiles import loop_function
from tests.runtime.backends.llvm.compiling import loops_of

pytestmark = pytest.mark.usefixtures("others_set_aside")


def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def power(base, count):
    total = 1
    for _ in range(count):
        total = total * int(base)
    return total


def there_and_back(base, count):
    total, steps = 1, 0
    for _ in range(count):
        total = total * int(base)
    while total > 1:
        total = total // int(base)
        steps += 1
    return steps


def decay(x, count):
    for _ in range(count):
        x = x * 1e3
    return x


def count_up(limit):
    i = 0
    while i < limit:
        i = i + 1
    return i


def mixed(count):
    """A number that is not known before the last turn."""
    found = turn = np.int64(0)
    while turn < count:
        found = (found * 5 + 3) % 1_000_003
        turn = turn + 1
    return found


def smoothed(x, count):
    for _ in range(count):
        x = x * 0.5 + x * x * 0.25
    return x


STATE = ag.Variable(0)


def noting(count):
    for i in range(count):
        STATE.assign_add(i)


def loop_of(function, *arguments):
    (loop,) = loops_of(function, arguments)
    return loop


def test_few_steps_compile_nothing():
    staged = ag.function(collatz)
    assert staged(np.int64(27)) == 111
    loop = loop_of(staged, np.int64(27))
    assert (loop.function, loop.begin) == (None, 111 * loop.work)


def test_many_steps_compile_in_the_midst_of_a_run():
    staged = ag.function(count_up)
    assert staged(np.int64(switch.WORK)) == switch.WORK
    loop = loop_of(staged, np.int64(5))
    assert loop.function is not None
    # The next run begins there.
    assert staged(np.int64(3)) == 3
    assert loop.begin > switch.WORK


def test_very_many_steps_wait_as_long_as_looking_at_them_takes():
    with ag.config(cache_dir=None):
        waits = [switch.first_look(count) for count in (2, 20, 200, 2000)]
    assert waits == sorted(waits)
    assert waits[0] == waits[1] == switch.SECONDS
    assert waits[3] >= 1.0


def test_steps_of_several_calls_add_up():
    staged = ag.function(count_up)
    for _ in range(41):
        assert staged(np.int64(1000)) == 1000
    assert loop_of(staged, np.int64(5)).function is not None


def test_what_is_long_to_compile_waits(monkeypatch):
    """Until Python has spent as long in it."""
    monkeypatch.setattr(making, "SECONDS_ALL", 2.0)
    staged = ag.function(count_up)
    assert staged(np.int64(2 * switch.WORK)) == 2 * switch.WORK
    loop = loop_of(staged, np.int64(5))
    assert loop.function is None
    assert loop.begin < 0
    monkeypatch.setattr(making, "SECONDS_ALL", 2e-6)
    loop.begin = switch.WORK
    assert staged(np.int64(3)) == 3
    assert loop.function is not None


def test_loop_of_arrays_is_timed(monkeypatch):
    monkeypatch.setattr(hot, "SECONDS", 3600.0)
    staged = ag.function(smoothed)
    x = np.linspace(0.0, 1.0, 200_000)
    assert np.array_equal(staged(x, np.int64(3)), smoothed(x, np.int64(3)))
    loop = loop_of(staged, x, np.int64(3))
    assert loop.is_timed
    assert loop.function is None
    loop._due = 1e-3
    expected = smoothed(x, np.int64(400))
    for _ in range(50):
        assert np.array_equal(staged(x, np.int64(400)), expected)
        if loop.function is not None:
            break
    assert loop.function is not None
    assert np.array_equal(staged(x, np.int64(3)), smoothed(x, np.int64(3)))


def test_timed_loop_that_cannot_go_on_stays_python(monkeypatch):
    monkeypatch.setattr(hot, "MOST", 1)
    with ag.config(backend="native"):
        staged = ag.function(smoothed)
        x = np.linspace(0.0, 1.0, 20)
        assert np.array_equal(staged(x, np.int64(9)), smoothed(x, np.int64(9)))
        loop = loop_of(staged, x, np.int64(3))
    assert loop.refused == "too long a program"


def test_numpy_backend_compiles_nothing():
    with ag.config(backend="numpy"):
        staged = ag.function(count_up)
        assert staged(np.int64(50_000)) == 50_000
        assert loops_of(staged, (np.int64(5),)) == []


def test_loop_with_what_no_machine_code_does_stays_python():
    STATE.assign(0)
    with ag.config(backend="native"):
        staged = ag.function(noting)
        staged(np.int64(3))
        assert loops_of(staged, (np.int64(3),)) == []
    assert STATE.value == 3


def test_loop_that_calls_the_recursion_it_is_in_stays_python():
    def fits(pieces, left):
        if left == 0:
            return True
        for k in range(len(pieces)):
            if 0 < pieces[k] <= left:
                piece, pieces[k] = pieces[k], 0
                if fits(pieces, left - piece):
                    return True
                pieces[k] = piece
        return False

    staged = ag.function(fits)
    for left in (9, 10):
        own, plain = np.array([5, 3, 2, 6]), np.array([5, 3, 2, 6])
        with ag.config(backend="native"):
            assert staged(own, np.int64(left)) == fits(plain, np.int64(left))
        assert own.tolist() == plain.tolist()


def test_arguments_of_another_kind_run_as_python():
    """An int of more than 64 bits from the start of the second loop."""
    with ag.config(backend="native"):
        staged = ag.function(there_and_back)
        for count in (20, 50, 20):
            given = np.int64(3), np.int64(count)
            assert staged(*given) == there_and_back(*given) == count
        assert loops_of(staged, given)[1].function is not None


def test_loop_that_leaves_too_often_stays_python(monkeypatch):
    monkeypatch.setattr(hot, "LEAVINGS", 3)
    with ag.config(backend="native"):
        staged = ag.function(power)
        loop = None
        # The first calls leave the machine code of the whole call.
        for _ in range(10):
            assert staged(np.int64(3), np.int64(30)) == 3**30
            assert staged(np.int64(7), np.int64(50)) == 7**50
            loop = loop_of(staged, np.int64(7), np.int64(50))
    assert loop.run is hot._no


def test_interrupt_ends_a_loop():
    def stop(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    try:
        with ag.config(backend="native"):
            staged = ag.function(count_up)
            staged(np.int64(3))
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            with pytest.raises(KeyboardInterrupt):
                staged(np.int64(2**62))
            assert staged(np.int64(7)) == 7
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_other_threads_go_on_beside_a_loop():
    ended = threading.Event()
    turns = []

    def beside():
        while not ended.is_set():
            turns.append(len(turns))
            ended.wait(0.001)

    thread = threading.Thread(target=beside)
    with ag.config(backend="native"):
        staged = ag.function(mixed)
        staged(np.int64(3))
        thread.start()
        begun = len(turns)
        staged(np.int64(30_000_000))
        ended.set()
        thread.join()
    assert len(turns) > begun + 2


def test_many_threads_run_one_loop():
    with ag.config(backend="native"):
        staged = ag.function(collatz)
        numbers = [np.int64(k) for k in range(1, 400)]
        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(staged, numbers)) == list(map(collatz, numbers))


def test_overflow_warns_once_at_the_users_line():
    with ag.config(backend="native"), warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        staged = ag.function(decay)
        assert staged(np.float64(1.0), np.int64(200)) == np.inf
        assert loop_of(staged, np.float64(1.0), np.int64(2)).function is not None
    (warning,) = shown
    assert str(warning.message) == "overflow encountered in scalar multiply"
    line = decay.__code__.co_firstlineno + 2
    assert (warning.filename, warning.lineno) == (__file__, line)


def overflow_and_then_an_index(x, count):
    total = np.float64(1e308)
    for i in range(count):
        total = total * 10
        if i == 1:
            total = total + x[i * 9]
    return total


def test_what_was_before_a_way_out_is_warned_of():
    with ag.config(backend="native"), warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        staged = ag.function(overflow_and_then_an_index)
        with pytest.raises(IndexError, match="index 9"):
            staged(np.ones(3), np.int64(3))
    assert [str(one.message)[:8] for one in shown] == ["overflow"]


def guarded(x, count):
    total, whole = np.float64(0), 0
    for i in range(count):
        y = x[i]
        if y != 0:
            total = total + 1 / y
        if y < 1e9:
            total = total + y * y * y
            whole += int(y * 2)
    return total, whole


def test_nothing_is_said_of_what_a_branch_guards():
    x = np.array([0.0, 2.0, np.nan, 1e300, np.inf])
    with ag.config(backend="native"), warnings.catch_warnings():
        warnings.simplefilter("error")
        staged = ag.function(guarded)
        assert repr(staged(x, np.int64(5))) == repr(guarded(x, 5))
        assert loop_of(staged, x, np.int64(5)).function is not None


def test_nothing_is_said_where_nothing_is_to_be():
    with ag.config(backend="native"), warnings.catch_warnings():
        warnings.simplefilter("error")
        staged = ag.function(decay)
        with np.errstate(all="ignore"):
            assert staged(np.float64(1.0), np.int64(200)) == np.inf
        assert staged(np.float64(1.0), np.int64(2)) == 1e6


def test_settings_that_raise_are_pythons():
    with ag.config(backend="native"), np.errstate(over="raise"):
        staged = ag.function(decay)
        with pytest.raises(FloatingPointError, match="scalar multiply"):
            staged(np.float64(1.0), np.int64(200))


def test_warning_that_is_an_error_is_raised():
    with ag.config(backend="native"), warnings.catch_warnings():
        warnings.simplefilter("error")
        staged = ag.function(decay)
        with pytest.raises(RuntimeWarning, match="overflow"):
            staged(np.float64(1.0), np.int64(200))


def test_machine_code_goes_with_its_function():
    gc.disable()
    try:
        with ag.config(backend="native"):
            staged = ag.function(lambda n: count_up(n))
            staged(np.int64(5))
            (loop,) = loops_of(staged, (np.int64(5),))
            assert loop.function is not None
            gone = weakref.ref(loop)
            del loop, staged
    finally:
        gc.enable()
    gc.collect()
    assert gone() is None


def test_loop_ir_as_text():
    staged = ag.function(count_up)
    loop = loop_of(staged, np.int64(2))
    text = str(loop_function(Lowering(loop.span), "count_up", loop.inputs))
    assert (
        text
        == """\
loops count_up(v1: ~int64, v2: int64):
  while(v3)
  {
    v4 = icmp slt i64(v1, v2)
    v3 = move(v4)
  } then {
    poll()
    v7 = sadd(v1, 1) else exit 0
    v1 = move(v7)
  }
  return v1: ~int64
"""
    )


def resident():
    """The process's memory, in bytes."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="not on Linux")
def test_what_llvm_needs_to_compile_is_given_back():
    text = "define i64 @f(i64 %a) {\n  %b = add i64 %a, 1\n  ret i64 %b\n}\n"
    for _ in range(5):
        optimized(text)
    before = resident()
    for _ in range(60):
        optimized(text)
    assert resident() - before < 1_000_000
