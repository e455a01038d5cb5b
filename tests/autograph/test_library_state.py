"""What a library keeps where no trace looks is changed by each call, and once."""

import array
import collections
import contextlib
import contextvars
import email.generator
import functools
import gc
import hashlib
import io
import logging
import os
import pathlib
import pickle
import pprint
import queue
import re
import struct
import sys
import threading
import warnings
import weakref
import zlib
from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import pytest

import autograph as ag

X = np.array([1.0, 2.0])


class Key:
    pass


KEY = Key()


def world():
    """What the programs below change."""
    waiting = queue.Queue()
    variable = contextvars.ContextVar("variable", default=0)
    return SimpleNamespace(
        numbers=array.array("d"),
        waiting=waiting,
        lock=threading.Lock(),
        event=threading.Event(),
        semaphore=threading.Semaphore(9),
        local=threading.local(),
        variable=variable,
        weak=weakref.WeakKeyDictionary(),
        buffer=bytearray(8),
        view=memoryview(bytearray(4)),
        scanner=re.compile(r"\d").scanner("1 2 3 4 5 6"),
        stack=contextlib.ExitStack(),
        text=io.StringIO(),
        items=[],
    )


def left(w):
    """What can be seen of it afterwards."""
    streams = bytes(w.buffer), bytes(w.view), w.text.getvalue()
    locks = w.lock.locked(), w.event.is_set(), w.semaphore._value
    counts = len(w.numbers), w.waiting.qsize(), w.variable.get(), len(w.items)
    found = w.scanner.search()
    return (
        streams,
        locks,
        counts,
        list(w.numbers),
        dict(w.weak),
        found and found.group(),
    )


def appends(w, x):
    w.numbers.append(1.0)
    return x * len(w.numbers)


def appends_data(w, x):
    w.numbers.append(x[0])
    return x


def extends_and_fails(w, x):
    w.numbers.extend([1.0, x[0]])
    return x


def puts(w, x):
    w.waiting.put(1)
    return x + w.waiting.qsize()


def toggles(w, x):
    if w.lock.locked():
        w.lock.release()
    else:
        w.lock.acquire()
    return x


def holds(w, x):
    with w.lock:
        return x, w.lock.locked()


def enters(w, x):
    w.lock.__enter__()
    is_held = w.lock.locked()
    w.lock.__exit__(None, None, None)
    type(w.lock).acquire(w.lock)
    type(w.lock).release(w.lock)
    return x, is_held


def sets_an_event(w, x):
    if w.event.is_set():
        w.event.clear()
        return x
    w.event.set()
    return -x


def takes_one(w, x):
    w.semaphore.acquire()
    return x


def counts_by_thread(w, x):
    w.local.n = getattr(w.local, "n", 0) + 1
    return x + w.local.n


def sets_a_context(w, x):
    w.variable.set(w.variable.get() + 1)
    return x + w.variable.get()


def sets_data_in_a_context(w, x):
    w.variable.set(float(x[0]))
    return x + w.variable.get()


def keeps_weakly(w, x):
    w.weak[KEY] = w.weak.get(KEY, 0) + 1
    return x + w.weak[KEY]


def packs_into(w, x):
    struct.pack_into("d", w.buffer, 0, x[0])
    return x


def sets_in_a_view(w, x):
    w.view[0] = w.view[0] + 1
    return x + w.view[0]


def scans(w, x):
    return x + int(w.scanner.search().group())


def pushes(w, x):
    w.stack.callback(w.items.append, 1)
    return x


def leaves_a_stack(w, x):
    with contextlib.ExitStack() as stack:
        stack.callback(w.items.append, x[0])
        return x


def redirects(w, x):
    with contextlib.redirect_stdout(w.text):
        print(x[0])
    return x


def starts_a_thread(w, x):
    thread = threading.Thread(target=w.items.append, args=(1,))
    thread.start()
    thread.join()
    return x


def sets_the_environment(w, x):
    os.environ["AUTOGRAPH_TESTS"] = "v"
    return x, os.environ.pop("AUTOGRAPH_TESTS")


def fails_with_a_number(w, x):
    try:
        os.remove("/nowhere/at/all")
    except OSError as error:
        return x, error.errno, error.filename
    return x


CHANGING = [
    *(appends, appends_data, extends_and_fails, puts, toggles, holds, enters),
    sets_an_event,
    *(takes_one, counts_by_thread, sets_a_context, sets_data_in_a_context),
    *(keeps_weakly, packs_into, sets_in_a_view, scans, pushes, leaves_a_stack),
    *(redirects, starts_a_thread, sets_the_environment, fails_with_a_number),
]
OF_RUN: list[Callable[..., object]] = [
    lambda w, x: hashlib.md5(x.tobytes()).hexdigest(),
    lambda w, x: (zlib.compress(x), zlib.crc32(x.tobytes())),
    lambda w, x: pathlib.Path(f"a{x[0]}") / "b",
    lambda w, x: struct.pack("dd", x[0], 1.0),
    lambda w, x: pickle.loads(pickle.dumps(x)) + 1,
    lambda w, x: re.match(r"(\d+)\.", f"{x[0]}").group(1),
    lambda w, x: x + array.array("d", x)[0],
]


@pytest.mark.parametrize("function", [*CHANGING, *OF_RUN])
def test_each_call_does_what_python_does(function):
    plain, staged = world(), world()
    graph = ag.function(lambda x: function(staged, x))
    for x in (X, X + 1, X):
        assert repr(graph(x)) == repr(function(plain, x))
    assert left(staged) == left(plain)


def test_what_the_interpreter_has_is_set_by_each_call():
    @ag.function
    def sets(x):
        gc.disable()
        sys.setrecursionlimit(limit + 7)
        np.set_printoptions(precision=2)
        return str(x / 3)

    limit = sys.getrecursionlimit()
    with np.printoptions():
        try:
            for _ in range(3):
                gc.enable()
                np.set_printoptions(precision=8)
                sys.setrecursionlimit(limit)
                assert sets(X) == "[0.33 0.67]"
                assert (gc.isenabled(), sys.getrecursionlimit()) == (False, limit + 7)
        finally:
            gc.enable()
            sys.setrecursionlimit(limit)


def test_warnings_are_silenced_by_each_call():
    @ag.function
    def silenced(x):
        warnings.simplefilter("ignore", RuntimeWarning)
        warnings.filterwarnings("ignore", "Casting complex", Warning)
        return (x / 0).astype(int) + (x + 1j).astype(int)

    for _ in range(3):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            silenced(X)
        assert said == []


def test_the_environment_is_looked_at_by_each_call(monkeypatch):
    @ag.function
    def reads(x):
        return x * int(os.environ["AUTOGRAPH_TESTS"]), os.getenv("AUTOGRAPH_TESTS")

    for value in ("1", "2", "1"):
        monkeypatch.setenv("AUTOGRAPH_TESTS", value)
        assert repr(reads(X)) == repr((X * int(value), value))


def test_what_cannot_be_put_back_is_refused():
    generator = email.generator.Generator(io.StringIO())

    @ag.function
    def writes(x):
        generator.write("a")
        return x

    with pytest.raises(TypeError, match=r"^a Generator that was made outside of the"):
        writes(X)


def test_an_object_of_its_own_is_part_of_the_graph():
    @ag.function
    def own(x):
        numbers = array.array("d")
        numbers.append(2.0)
        waiting = queue.Queue()
        waiting.put(3)
        return x * numbers[0] + waiting.get()

    assert own(X).tolist() == [5.0, 7.0]
    assert len(own.concrete_functions) == 1


def test_what_was_not_changed_is_not_put_back():
    waiting = queue.Queue()
    waiting.seen = collections.deque([1, 2, 3])

    @ag.function
    def puts_one(x):
        waiting.put(1)
        return x

    for _ in waiting.seen:
        puts_one(X)
    assert waiting.qsize() == 3


def with_children(x):
    generator = np.random.default_rng(3)
    first, second = generator.spawn(2)
    return first.random(2) + x, second.random()


def with_children_of_a_sequence(x):
    return np.random.default_rng(np.random.SeedSequence(3).spawn(1)[0]).random(2) + x


SEQUENCE, LOGGER = np.random.SeedSequence(5), logging.getLogger("of these tests")


def with_children_of_an_outer_sequence(x):
    return SEQUENCE.spawn(1)[0].spawn_key[0] * x * 0 + x


def prints_of_numpy(x):
    np.info(np.sin)
    return x


def goes_through_two(x):
    outer, inner = np.nested_iters(np.ones((2, 3)), [[0], [1]])
    return [float(v) for _ in outer for v in inner], x


def shows(x):
    printer = pprint.PrettyPrinter(width=20)
    printer.pprint(x)
    return printer.pformat([x, 1]), pprint.pformat(x)


def sets_a_level(x):
    LOGGER.setLevel(10 + LOGGER.level)
    return x


@functools.lru_cache
def cached(n):
    return n * 2


def clears_a_cache(x):
    cached.cache_clear()
    return x


FURTHER = (
    *(with_children, with_children_of_a_sequence, prints_of_numpy, goes_through_two),
    *(shows,),
)


@pytest.mark.parametrize("function", FURTHER)
def test_what_is_made_or_printed_by_a_call_is_so_by_each(function, capsys):
    graph = ag.function(function)
    for x in (X, X + 1, X):
        found = repr(graph(x)), capsys.readouterr().out
        expected = repr(function(x)), capsys.readouterr().out
        assert found == expected


def test_what_a_library_counts_or_sets_is_so_by_each_call():
    spawns = ag.function(with_children_of_an_outer_sequence)
    sets, clears = ag.function(sets_a_level), ag.function(clears_a_cache)
    children, LOGGER.level = SEQUENCE.n_children_spawned, 0
    for n in range(1, 4):
        spawns(X)
        assert SEQUENCE.n_children_spawned == children + n
        sets(X)
        assert LOGGER.level == 10 * n
        cached(n)
        clears(X)
        assert cached.cache_info().currsize == 0
