"""Warm calls that change places outside: what they look at, and what they write."""

import gc
import threading
import weakref

import numpy as np
import pytest

import autograph as ag
from tests.tracer.entered import both_ways  # noqa: F401 # a fixture
from tests.tracer.outside_calls import X, both_do, model, told
from tests.tracer.warm_calls import i, long_ways

pytestmark = [
    pytest.mark.usefixtures("others_set_aside"),
    pytest.mark.usefixtures("both_ways"),
]
COUNT = 0
RATE = 2.0


@pytest.fixture
def long(monkeypatch):
    return long_ways(monkeypatch)


def warm(call, *args):
    for _ in range(3):
        call(*args)


@pytest.mark.parametrize("name", ["count", "step", "add", "put", "swap", "keep"])
def test_a_warm_call_finds_its_trace_by_a_short_key(name, long):
    one = model(ag.function)()
    args = () if name == "swap" else (X,)
    # `swap` has one form for each order of the two arrays' places.
    warm(getattr(one, name), *args)
    warm(getattr(one, name), *args)
    del long[:]
    for _ in range(5):
        getattr(one, name)(*args)
    assert long == []


@pytest.mark.parametrize("name", ["count", "step", "add", "put", "swap", "keep"])
def test_warm_calls_leave_what_python_leaves(name):
    def steps(decorate):
        one = model(decorate)()
        args = () if name == "swap" else (X,)
        results = [told(getattr(one, name), *args) for _ in range(6)]
        return [*results, vars(one), type(one).kept]

    both_do(steps)


def test_globals_and_closures_are_read_and_written_by_warm_calls(long):
    calls = 0

    @ag.function
    def f(x):
        global COUNT
        nonlocal calls
        calls, COUNT = calls + 1, COUNT + 2
        return x * calls

    global COUNT
    COUNT = 0
    warm(f, X)
    del long[:]
    COUNT, calls = 100, 10
    assert list(f(X)) == [11.0, 22.0]
    assert (COUNT, calls, long) == (102, 11, [])


def test_each_kind_of_number_has_its_own_trace_and_all_are_found_again(long):
    one = model(ag.function)()
    kinds = [0, 0.5, np.float32(1), np.int8(3)]
    for n in kinds * 3:
        one.n = n
        one.count(X)
    del long[:]
    for n in kinds:
        one.n = n
        warm(one.count, X)
        assert type(one.n) is type(n + 1)
        assert one.n == n + 3
    assert long == []


def test_what_a_place_holds_is_told_apart():
    def steps(decorate):
        one = model(decorate)()
        found = [one.count(X), one.count(X), one.count(X)]
        for n in (True, 2.5, 2**70, np.float32(2), np.ones(2), np.ones(2, int), 1):
            one.n = n
            found += [told(one.count, X), type(one.n), one.n]
        del one.n
        found.append(told(one.count, X))
        return found

    both_do(steps)


def test_items_are_told_apart():
    def steps(decorate):
        one = model(decorate)()
        found = [one.put(X), one.put(X), one.put(X)]
        for table in ({"b": 2.0, "a": 1.0}, {"a": 1.0}, {"a": 1, "b": 2}, {}):
            one.table.clear()
            one.table.update(table)
            found += [told(one.put, X), dict(one.table)]
        # Keys that are equal, and other objects.
        one.table.clear()
        one.table.update({"".join(["", k]): 1.0 for k in "ab"})
        found += [told(one.put, X), dict(one.table)]
        for pair in ([1.0], [1.0, 2.0, 3.0], [1, 2], [(1.0,), 2.0]):
            one.pair[:] = pair
            found += [told(one.put, X), list(one.pair)]
        return found

    both_do(steps)


def test_arrays_that_become_one_are_told_from_two():
    def steps(decorate):
        one = model(decorate)()
        found = [one.swap().copy() for _ in range(5)]
        one.w = one.other
        found += [one.swap() is one.other, one.swap() is one.w]
        one.w = one.other[:]
        found += [one.write(one.w), one.other.copy(), one.w.copy()]
        return found

    both_do(steps)


def test_an_argument_in_a_place_or_its_memory_is_written_as_python_does():
    def steps(decorate):
        one = model(decorate)()
        found = [one.write(X.copy()) for _ in range(4)]
        found += [one.write(one.w), one.write(one.w[:]), one.write(one.w[::-1])]
        one.w.flags.writeable = False
        found += [told(one.write, X), one.n]
        return [*found, one.w]

    both_do(steps)


def test_a_warm_call_that_fails_leaves_what_python_leaves():
    def steps(decorate):
        one = model(decorate)()
        found = [one.divide(X, np.int64(1)) for _ in range(4)]
        found += [told(one.divide, X, np.int64(5)), one.n, one.w.copy()]
        return [*found, one.divide(X, np.int64(0)), one.n]

    both_do(steps)


def test_a_class_gives_what_an_object_has_no_more():
    def steps(decorate):
        one = model(decorate)()
        warm(one.keep, X)
        found = [one.kept]
        del one.kept
        found += [one.keep(X), one.kept, type(one).kept]
        del one.kept
        type(one).kept = 5
        return [*found, one.keep(X), one.kept, type(one).kept]

    both_do(steps)


def test_a_property_that_a_class_gets_later_is_asked():
    def steps(decorate):
        one = model(decorate)()
        warm(one.count, X)
        kind = type(one)
        kind.n = property(lambda self: 40)
        found = [told(one.count, X), told(one.count, X)]
        kept = []
        kind.n = property(lambda self: 2.5, lambda self, n: kept.append(n))
        found += [told(one.count, X), told(one.count, X), kept]
        del kind.n
        return [*found, one.count(X), one.n]

    both_do(steps)


def test_a_property_set_after_the_attribute_was_read_is_read():
    def steps(decorate):
        class Model:
            def __init__(self):
                self.scale, self.n = 2.0, 1

            @decorate
            def scaled(self, x):
                return x * self.scale

        one = Model()
        found = []
        for scale in (2.0, 3.0, 4.0, 5.0):
            one.scale = scale
            found += [one.scaled(X), one.scaled(X)]
        for given in (lambda self: 7, lambda self: 8.5, lambda self: self.n):
            Model.scale = property(given)
            for one.n in range(4):
                found.append(told(one.scaled, X))
        del Model.scale
        return [*found, one.scaled(X)]

    both_do(steps)


def test_slots_and_a_setattr_of_ones_own_are_written():
    def steps(decorate):
        class Slim:
            __slots__ = ("n",)

        class Checked:
            def __init__(self):
                object.__setattr__(self, "n", 1)

            def __setattr__(self, name, value):
                object.__setattr__(self, name, value + 0.5)

        slim, checked = Slim(), Checked()
        slim.n = 1

        @decorate
        def f(x):
            slim.n += 1
            checked.n += 1
            return x * slim.n

        return [*(f(X) for _ in range(5)), slim.n, checked.n]

    both_do(steps)


def test_an_object_that_has_a_place_is_not_kept_alive():
    kind = model(ag.function)
    one = kind()
    warm(one.count, X)
    reference = weakref.ref(one)
    del one
    gc.collect()
    assert reference() is None


def test_a_container_that_is_passed_and_changed_outside_is_one():
    def steps(decorate):
        held = [1.0, 2.0]

        @decorate
        def f(xs, x):
            held[0] += x
            return xs[0] + held[0]

        found = [f([1.0, 3.0], np.float64(2)) for _ in range(4)]
        return [*found, f(held, np.float64(2)), held]

    both_do(steps)


def test_threads_that_change_one_place_lose_nothing():
    one = model(ag.function)()
    warm(one.count, X)

    def many():
        for _ in range(300):
            one.count(X)

    threads = [threading.Thread(target=many) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert one.n == 3 + 4 * 300


def test_what_is_read_beside_a_changed_place_is_looked_at():
    def steps(decorate):
        @decorate
        def f(x):
            global COUNT
            COUNT += 1
            return x * RATE + COUNT

        global COUNT, RATE
        COUNT, RATE = 0, 2.0
        found = [f(X) for _ in range(3)]
        RATE = 3.0
        found += [f(X), f(X)]
        RATE = 2.0
        return [*found, f(X), COUNT]

    both_do(steps)


def test_a_global_that_is_gone_is_missed():
    def steps(decorate):
        @decorate
        def f(x):
            global COUNT
            COUNT = COUNT + 1
            return x

        global COUNT
        COUNT = 0
        found = [f(X) for _ in range(3)]
        del COUNT
        found.append(told(f, X))
        COUNT = 4
        return [*found, f(X), COUNT]

    both_do(steps)


def test_a_class_of_lists_and_a_dict_of_other_keys_are_changed():
    def steps(decorate):
        class Mine(list):
            pass

        held, table = Mine([1.0, 2.0]), dict.fromkeys([(1, 2), 3], 0.5)

        @decorate
        def f(x):
            held[1] += x[0]
            table[3] = held[1]
            return held[1]

        found = [f(X) for _ in range(5)]
        return [*found, type(held), held, table, list(table)]

    both_do(steps)


def test_an_array_outside_that_is_changed_is_written_into():
    def steps(decorate):
        w = np.ones(3)

        @decorate
        def f(x):
            nonlocal w
            w -= 0.5 * x
            return w.sum()

        @decorate
        def view(x):
            w[1:] += x
            return w[:2]

        kept = w
        found = [f(i(k)) for k in range(4)]
        found += [view(i(1)).base is kept for _ in range(4)]
        part = view(i(1))
        f(i(2))
        return [*found, w is kept, w, part]

    both_do(steps)
