"""Small arrays that a loop drops are what it makes next: none that is seen is taken."""

import gc
import threading
import tracemalloc

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm.spares import LARGEST, is_spare
from tests.runtime.backends.llvm.compiling import agreeing, loops_of

pytestmark = pytest.mark.usefixtures("others_set_aside")

COUNT = np.int64(30)


def compared(function, *argument_lists):
    """It gives what Python gives, made as it comes, and as machine code at once."""
    agreeing(function, argument_lists)
    with ag.config(backend="native"):
        return agreeing(function, argument_lists)


def marked(staged, arguments):
    """How many instructions take an array that was kept, and how many keep one."""
    (loop,) = loops_of(staged, arguments)
    found = [one.op for one in loop.function.body.walk() if is_spare(one)]
    return found.count("new"), found.count("release")


def halved(y, count):
    for _ in range(count):
        y = y * 0.5 + 1.0
    return y


def test_the_array_of_the_turn_before_is_taken():
    with ag.config(backend="native"):
        arguments = (np.arange(3.0), COUNT)
        staged = agreeing(halved, [arguments])
        assert marked(staged, arguments) == (1, 1)


def test_large_arrays_are_made_anew():
    with ag.config(backend="native"):
        arguments = (np.ones(LARGEST // 8 + 1), np.int64(3))
        staged = agreeing(halved, [arguments])
        assert marked(staged, arguments) == (0, 0)


def test_the_callers_arrays_are_not_taken():
    given = np.arange(3.0)
    staged = ag.function(halved)
    with ag.config(backend="native"):
        results = [staged(given, COUNT) for _ in range(4)]
    assert np.array_equal(given, np.arange(3.0))
    assert all(np.array_equal(one, halved(given, COUNT)) for one in results)
    assert len({one.ctypes.data for one in results}) == 4


def kept_in_a_list(y, count):
    found = []
    for i in range(count):
        y = y * 0.5 + 1.0
        if i % 3 == 0:
            found.append(y)
    return found, y


def seen_in_part(y, count):
    part = y[:1]
    for i in range(count):
        y = y * 0.5 + i
        if i % 7 == 0:
            part = y[:1]
    return part, y


def two_kinds(x, k, count):
    for i in range(count):
        x = x * 0.5 + k
        k = k * 2 % 7 + i
        if k[0] > 3:
            x = x[::-1] * 1.5
    return x, k


def accepted_or_not(y, count):
    best = y
    for i in range(count):
        new = y * 0.9 + i % 5
        if np.sum(new) < np.sum(y) + 3:
            y = new
        if np.max(new) > np.max(best):
            best = new
    return y, best


def exchanged(a, b, count):
    for _ in range(count):
        a, b = b * 0.5 + 1.0, a
    return a, b


def shorter_each_time(x, count):
    total = 0.0
    for _ in range(count):
        x = x[1:] * 1.25
        total = total + np.sum(x)
    return total, x


def of_inner_loops(m, count):
    for i in range(count):
        row = m[0] * 1.5
        j = 0
        while j < i % 4:
            row = row - m[1]
            j += 1
        m = m * 0.5 + row
    return m


def without_elements(x, count):
    for _ in range(count):
        x = x[:0] + 1.0
    return x


PROGRAMS = [
    (kept_in_a_list, (np.arange(4.0), COUNT)),
    (seen_in_part, (np.arange(4.0), COUNT)),
    (two_kinds, (np.arange(3.0), np.array([1, 5, 2]), COUNT)),
    (accepted_or_not, (np.arange(5.0), COUNT)),
    (exchanged, (np.arange(4.0), np.ones(4), COUNT)),
    (shorter_each_time, (np.arange(50.0), COUNT)),
    (of_inner_loops, (np.arange(8.0).reshape(2, 4), COUNT)),
    (without_elements, (np.arange(3.0), COUNT)),
]


@pytest.mark.parametrize(
    ("function", "arguments"), PROGRAMS, ids=[f.__name__ for f, _ in PROGRAMS]
)
def test_what_is_seen_elsewhere_is_not_taken(function, arguments):
    longer = [np.append(one, one) if one.ndim == 1 else one for one in arguments]
    compared(function, arguments, arguments, longer)


def test_the_sizes_may_be_others_at_each_call():
    lists = [(np.arange(float(n)), COUNT) for n in (2, 5, 2, 0, 1, 3, 3)]
    compared(halved, *lists)


def failing(x, limit, count):
    y = x
    for i in range(count):
        y = y * 1.5
        if y[0] > limit:
            raise ValueError(i)
    return y


def test_what_raises_in_the_midst_loses_nothing():
    x = np.ones(3)
    with ag.config(backend="native"):
        staged = ag.function(failing)
        for _ in range(3):
            with pytest.raises(ValueError, match="12"):
                staged(x, np.float64(150.0), COUNT)
            assert np.array_equal(staged(x, 1e9, COUNT), failing(x, 1e9, COUNT))
    assert np.array_equal(x, np.ones(3))


def test_threads_take_none_of_each_others():
    staged, wrong = ag.function(halved), []
    with ag.config(backend="native"):
        staged(np.ones(4), COUNT)

        def work(seed):
            for n in range(200):
                y = np.full(4, float(seed + n))
                if not np.array_equal(staged(y, COUNT), halved(y, COUNT)):
                    wrong.append((seed, n))

        threads = [threading.Thread(target=work, args=(1000 * i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert wrong == []


def test_what_is_kept_goes_with_the_code():
    size = LARGEST // 8
    y = np.ones(size)
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        with ag.config(backend="native"):
            staged = ag.function(halved)
            staged(y, COUNT)
        kept = tracemalloc.get_traced_memory()[0] - before
        del staged
        gc.collect()
        gone = before + kept - tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert gone > 8 * size
