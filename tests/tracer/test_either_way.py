"""Calls without machine code are made by the graph or as Python: by what is faster."""

import threading
import warnings
from time import perf_counter

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import switch
from tests.tracer.timed_calls import (
    GRAPH,
    Clock,
    Counted,
    calls_as_python,
    runs_of,
    total,
    tried,
    until_kept,
)
from tracer import either_way
from tracer.by_python import LOOK, Manner
from tracer.either_way import FAR, MOST_CALLS, MOST_LONG, ORDER, PAID, SURE, WON
from tracer.entering import Entering


def test_what_python_does_faster_is_python(clock):
    xs, y = np.arange(3.0), 1.0
    staged, counted = tried(total, clock, 0.5, xs, y)
    assert counted.calls == len(ORDER) // 2
    assert calls_as_python(staged, counted, xs, y, calls=50) == 50
    assert staged(xs, y) == total(xs, y)
    assert len(staged.concrete_functions) == 1


@pytest.mark.parametrize("seconds", [0.9 * GRAPH, 3 * GRAPH])
def test_a_graph_is_kept_unless_python_is_clearly_faster(clock, seconds):
    xs, y = np.arange(3.0), 1.0
    staged, counted = tried(total, clock, seconds, xs, y)
    until_kept(staged, xs, y)
    assert counted.calls == WON * len(ORDER) // 2
    assert calls_as_python(staged, counted, xs, y, calls=100) == 0
    # Nothing is timed any more.
    before = clock.now
    staged(xs, y)
    assert clock.now == before


def test_what_python_takes_far_longer_for_is_not_often_made_so(clock):
    xs, y = np.arange(3.0), 1.0
    staged, counted = tried(total, clock, 2 * FAR * GRAPH, xs, y)
    until_kept(staged, xs, y)
    assert counted.calls == WON * SURE


def test_what_a_call_as_python_takes_longer_is_a_small_part_of_all(clock):
    xs, y = np.arange(3.0), 1.0
    staged, counted = tried(total, clock, 2 * FAR * GRAPH, xs, y)
    assert counted.calls == 1
    before = clock.now
    while counted.calls == 1:
        staged(xs, y)
    lost = (2 * FAR - 1) * GRAPH
    assert clock.now - before > PAID * lost


def test_long_calls_in_machine_code_are_never_made_as_python():
    def steps(n):
        count = 0
        while count < n:
            count += 1 + (count ^ n) % 2
        return count

    wanted = steps(600_001)
    staged = ag.function(steps)
    staged(600_001)
    counted = Counted(staged, Clock(), 1.0)
    stop = perf_counter() + 60.0
    while not runs_of(staged) or until_kept(staged, 600_001):
        assert perf_counter() < stop
        assert staged(600_001) == wanted
    assert counted.calls == 0


def test_a_call_that_was_disturbed_does_not_decide(clock):
    xs, y = np.arange(3.0), 1.0
    staged = ag.function(total)
    staged(xs, y)
    counted = Counted(staged, clock, 100.0)
    while not counted.calls:
        staged(xs, y)
    counted.seconds = 0.5
    for _ in range(PAID * 100 + len(ORDER)):
        staged(xs, y)
    assert calls_as_python(staged, counted, xs, y, calls=20) == 20


def test_each_call_is_made_once(clock):
    held = {"count": 0}

    def note(xs):
        held["count"] += 1
        xs.append(held["count"])
        return held["count"]

    xs = []
    staged = ag.function(note)
    staged(xs)
    Counted(staged, clock, 0.5)
    given = [staged(xs) for _ in range(60)]
    assert given == list(range(2, 62))
    assert xs == list(range(1, 62))


def test_draws_come_in_pythons_order(clock):
    def draw(n):
        found = 0.0
        for _ in range(n):
            found += np.random.rand()
        return found

    np.random.seed(5)
    wanted = [draw(3) for _ in range(40)]
    np.random.seed(5)
    staged = ag.function(draw)
    first = staged(3)
    Counted(staged, clock, 0.5)
    assert [first, *(staged(3) for _ in range(39))] == wanted


def test_an_argument_of_a_larger_size_tries_the_graph_again(clock):
    def last(xs):
        found = 0
        for x in xs:
            found = x
        return found

    short, long = [4, 5, 6, 7], list(range(500))
    staged = ag.function(last)
    for others in ([1], [1, 2], [1, 2, 3], short):
        staged(others)
    counted = Counted(staged, clock, 0.5)
    for _ in range(3 + len(ORDER)):
        staged(short)
    assert calls_as_python(staged, counted, short, calls=20) == 20
    counted.seconds = 10 * GRAPH
    assert calls_as_python(staged, counted, long, calls=2) == 1
    calls_as_python(staged, counted, long, calls=2_000)
    assert calls_as_python(staged, counted, long, calls=50) == 0


def test_calls_that_come_to_take_longer_try_the_graph_again(clock, monkeypatch):
    monkeypatch.setattr(either_way, "AGAIN", 10**9)
    xs, y = np.arange(3.0), 1.0
    staged, counted = tried(total, clock, 0.5, xs, y)
    counted.seconds = 10 * GRAPH
    calls = 0
    while calls_as_python(staged, counted, xs, y) == 1:
        calls += 1
        assert calls < LOOK * MOST_CALLS * (MOST_LONG + 1)
    # One alone may have waited for other programs.
    assert calls > LOOK * LOOK
    until_kept(staged, xs, y)
    assert calls_as_python(staged, counted, xs, y, calls=5) == 0


def test_calls_of_another_kind_get_their_graph(clock):
    xs, y = np.arange(3.0), 1.0
    staged, _ = tried(total, clock, 0.5, xs, y)
    assert staged(np.arange(4), 2) == total(np.arange(4), 2)
    assert len(staged.concrete_functions) == 2
    # Of one that looks like the others it is found after some calls.
    for _ in range(MOST_CALLS + 1):
        assert np.array_equal(staged(np.ones((3, 2)), 1.0), total(np.ones((3, 2)), 1.0))
    assert len(staged.concrete_functions) == 3


def test_calls_that_look_alike_are_told_apart_where_some_have_a_graph(clock):
    def scaled(x, how):
        return x * 2 if how == "twice" else x * 3

    x = np.ones(3)
    staged, counted = tried(scaled, clock, 3 * GRAPH, x, "twice")
    until_kept(staged, x, "twice")
    counted.seconds = 0.5
    staged(x, "three times")
    calls_as_python(staged, counted, x, "three times", calls=2 + len(ORDER))
    assert calls_as_python(staged, counted, x, "three times", calls=20) == 20
    assert calls_as_python(staged, counted, x, "twice", calls=20) == 0
    assert np.array_equal(staged(x, "twice"), x * 2)


def test_keywords_are_passed(clock):
    xs = np.arange(3.0)
    staged, counted = tried(total, clock, 0.5, xs, y=2.0)
    assert calls_as_python(staged, counted, xs, y=2.0, calls=20) == 20
    assert staged(xs, y=2.0) == total(xs, 2.0)


def test_what_raises_as_python_raises(clock):
    def inverse(x):
        if x == 0:
            raise ValueError("none")
        return 1 / x

    staged, counted = tried(inverse, clock, 0.5, 2.0)
    assert calls_as_python(staged, counted, 2.0, calls=3) == 3
    with pytest.raises(ValueError, match="none"):
        staged(0.0)
    assert staged(4.0) == 0.25


def test_what_calls_itself_is_python_within(clock):
    looks = []

    @ag.function
    def down(xs):
        if not xs:
            return 0
        return 1 + down(xs[1:])

    staged, xs = down, [1, 2, 3, 4]
    staged(xs)
    counted = Counted(staged, clock, 0.5)
    look_up = staged.lookup._look_up
    staged.lookup._look_up = lambda *of: looks.append(of) or look_up(*of)
    for _ in range(1 + MOST_LONG + len(ORDER)):
        assert staged(xs) == 4
    # Each of these calls is five.
    assert calls_as_python(staged, counted, xs, calls=10) == 50
    assert looks == []
    assert len(staged.concrete_functions) == 1


def test_what_calls_itself_as_python_goes_as_deep_as_in_python():
    @ag.function
    def down(n):
        return 0 if n == 0 else 1 + down(n - 1)

    assert down(3) == 3
    assert Manner(down, is_around=False)(down, (700,), {}) == 700


def test_what_is_being_compiled_is_waited_for(clock, monkeypatch):
    awaited = [float("inf")]
    monkeypatch.setattr(either_way, "seconds_awaited", lambda run: awaited[0])
    xs, y = np.arange(3.0), 1.0
    staged, counted = tried(total, clock, 0.5, xs, y)
    assert counted.calls == 0
    # By twice the time that it is to take before it is asked for.
    awaited[0] = 20.0
    assert calls_as_python(staged, counted, xs, y, calls=20) == 0
    assert calls_as_python(staged, counted, xs, y, calls=20) > 0


@pytest.mark.parametrize("of", ["loops", "the entry"])
def test_what_it_took_to_look_for_machine_code_is_no_step(clock, monkeypatch, of):
    monkeypatch.setattr(either_way, "seconds_awaited", lambda run: 20.0)
    if of == "loops":
        monkeypatch.setattr(either_way, "seconds_looking", lambda run: 100.0)
    else:
        monkeypatch.setattr(Entering, "__call__", lambda self, *_: self._wait(9_999))
        looking = property(lambda self: 100.0, lambda self, value: None)
        monkeypatch.setattr(Entering, "looking", looking, raising=False)
    xs, y = np.arange(3.0), 1.0
    staged, counted = tried(total, clock, 0.5, xs, y)
    assert counted.calls == 0
    assert calls_as_python(staged, counted, xs, y, calls=100) == 0
    assert calls_as_python(staged, counted, xs, y, calls=50) > 0


def test_steps_that_are_counted_are_waited_for_while_they_come(clock, monkeypatch):
    monkeypatch.setattr(either_way, "seconds_awaited", lambda run: 20.0)
    monkeypatch.setattr(either_way, "is_counting", lambda run: True)
    xs, y = np.arange(3.0), 1.0
    staged, counted = tried(total, clock, 0.5, xs, y)
    assert calls_as_python(staged, counted, xs, y, calls=100) == 0
    monkeypatch.setattr(either_way, "is_counting", lambda run: False)
    assert calls_as_python(staged, counted, xs, y, calls=100) > 0


def test_a_programs_parts_are_awaited_until_they_are_settled():
    def count(n):
        while n > 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
        return n

    for backend, is_awaited in (("auto", True), ("native", False), ("numpy", False)):
        with ag.config(backend=backend):
            staged = ag.function(count)
            staged(np.int64(27))
            (concrete,) = staged.concrete_functions
        assert (switch.seconds_awaited(concrete.compiled) > 0) is is_awaited, backend


@pytest.mark.parametrize(
    ("options", "settings"),
    [
        ({"python_effects": "trace"}, {}),
        ({"precise": False}, {}),
        ({"autograph": False}, {}),
        ({"input_signature": [ag.TensorSpec((3,), float)]}, {}),
        ({}, {"strict": True}),
        ({}, {"backend": "numpy"}),
        ({}, {"backend": "native"}),
        ({}, {"precise": False}),
    ],
)
def test_where_a_graph_is_asked_for_it_stays(clock, options, settings):
    def twice(x):
        return x * 2

    with ag.config(**settings):
        staged = ag.function(twice, **options)
        staged(np.ones(3))
        counted = Counted(staged, clock, 0.5)
        for _ in range(5 + len(ORDER)):
            staged(np.ones(3))
    assert counted.calls == 0


def test_what_warns_stays_a_graph(clock):
    def warned(x):
        warnings.warn("so", UserWarning, stacklevel=2)
        return x * 2

    staged = ag.function(warned)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        staged(np.ones(3))
        counted = Counted(staged, clock, 0.5)
        for _ in range(5 + len(ORDER)):
            staged(np.ones(3))
    assert counted.calls == 0


def test_a_trace_that_is_called_stays_a_graph(clock):
    xs, y = np.arange(3.0), 1.0
    staged, counted = tried(total, clock, 0.5, xs, y)
    concrete = staged.get_concrete_function(xs, y)
    before = counted.calls
    for _ in range(40):
        assert concrete(xs, y) == total(xs, y)
    assert counted.calls == before


def test_watched_calls_are_by_the_graph(clock, caplog):
    xs, y = np.arange(3.0), 1.0
    staged, counted = tried(total, clock, 0.5, xs, y)
    with ag.config(log="exec"), caplog.at_level("INFO"):
        assert calls_as_python(staged, counted, xs, y) == 0
    assert "total: ran in" in caplog.text


def test_the_log_says_what_is_python(clock, caplog):
    xs, y = np.arange(3.0), 1.0
    with ag.config(log="retrace"), caplog.at_level("INFO"):
        tried(total, clock, 0.5, xs, y)
    told = "total: from now on calls like the last one are run as Python, as that takes"
    assert f"{told} 0.25 of its graph's time" in caplog.text


def test_threads_that_try_at_once_agree(clock):
    xs, y = np.arange(30.0), 1.0
    staged = ag.function(total)
    for n in (3, 4, 5, 30):
        staged(xs[:n], y)
    # No trace is made from here on, which would count, too.
    counted = Counted(staged, clock, 0.5)
    wrong = []

    def work():
        for i in range(300):
            given = xs[: 3 + i % 28]
            if staged(given, y) != total(given, y):
                wrong.append(i)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert counted.calls > 0


def test_calls_of_a_trial_may_leave_arguments_to_their_defaults(clock):
    def scaled(xs, y=1.0):
        return total(xs, y)

    xs = np.arange(3.0)
    for forms in ([(xs,), (xs, 1.0)], [(xs, 1.0), (xs,)]):
        staged = ag.function(scaled)
        staged(xs)
        Counted(staged, clock, 0.5)
        for k in range(40):
            assert staged(*forms[k % 2]) == scaled(xs)
