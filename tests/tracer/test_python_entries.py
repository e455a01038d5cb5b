"""Calls as Python that come very often go by machine code to the Python function."""

import sys
import threading
import weakref

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm.python_entry import PythonEntry
from runtime.vectored import MISS
from tracer import by_python, either_way
from tracer.by_python import LOOK_ENTERED

pytest.importorskip("llvmlite")


@pytest.fixture
def at_once(monkeypatch):
    """Calls by the graph are slower than Python, which machine code soon calls."""
    monkeypatch.setattr(either_way, "TIMED", True)
    monkeypatch.setattr(either_way, "SECONDS", -1.0)
    monkeypatch.setattr(either_way, "CLEAR", 1e9)
    monkeypatch.setattr(either_way, "MOST_LONG", 10**9)
    monkeypatch.setattr(either_way, "AGAIN", 10**9)
    monkeypatch.setattr(either_way, "FELT", 0.0)
    monkeypatch.setattr(either_way, "SHORT", 1e9)
    monkeypatch.setattr(by_python, "MANY", 0)
    monkeypatch.setattr(by_python, "MANY_MORE", 0)


class Point:
    """An object of the user's."""

    def __init__(self, x, y):
        self.x, self.y = x, y


def dot(one, other, factor=1):
    return (one.x * other.x + one.y * other.y) * factor


def warm(function, *args, **kwargs):
    """A Function whose calls like this one go by machine code to Python."""
    return entered(ag.function(function), *args, **kwargs)


def entered(staged, *args, **kwargs):
    """It, after so many calls that there is an entry; code may be made meanwhile."""
    for _ in range(1_000_000):
        staged(*args, **kwargs)
        if staged._short.entries:
            return staged
    raise AssertionError("no entry was made")


def entry_of(staged):
    (entry,) = staged._short.entries.values()
    return entry


def takes(staged, *args):
    return entry_of(staged)(*args) is not MISS


def test_a_method_of_small_objects_is_called_at_once(at_once):
    one, other = Point(1.0, 2.0), Point(3.0, 4.0)
    staged = warm(dot, one, other, 2)
    assert takes(staged, one, other, 2)
    assert [staged(one, other, 2) for _ in range(200)] == [22.0] * 200
    one.x = 2.0
    assert staged(one, other, 2) == 28.0
    # Another object of the class is Python's, too.
    assert takes(staged, Point(0.0, 1.0), other, 2)


def test_calls_of_another_kind_are_left_to_python(at_once):
    one, other = Point(1.0, 2.0), Point(3.0, 4.0)
    staged = warm(dot, one, other, 2)
    assert not takes(staged, one, other)
    assert not takes(staged, one, other, 2.0)
    assert not takes(staged, one, other, True)
    assert not takes(staged, one, other, 9)
    assert not takes(staged, one, other, -9)
    assert not takes(staged, one, other, 2**70)
    assert staged(one, other) == 11.0
    assert staged(one, other=other, factor=2) == 22.0
    assert staged(one, other, 2**70) == 11.0 * 2**70
    with pytest.raises(TypeError):
        staged(one)


@pytest.mark.parametrize(
    ("fits", "others"),
    [
        ([1, 2, 3], ([1] * 13, (1, 2))),
        ({"a": 1}, ({str(i): i for i in range(5)}, [1])),
        ("abc", ("a" * 13, b"abc")),
        (2.5, (10.1, -10.1, float("nan"), float("inf"), 2)),
        (-3, (13, -13, 1.0)),
        (None, (0, "")),
    ],
)
def test_an_argument_is_told_by_its_type_and_size(fits, others):
    most = [4 * by_python.size_of(fits)]
    entry = PythonEntry(lambda one: (one,), [fits], most, 1000)
    assert entry.run(fits) == (fits,)
    assert [other for other in others if entry.run(other) is not MISS] == []


def test_some_calls_are_left_to_python():
    entry = PythonEntry(lambda one: one, [1], [4], 3)
    assert [entry.run(1) is MISS for _ in range(9)] == [False] * 3 + [True] + [
        False
    ] * 3 + [True, False]
    entry.close()
    assert [entry.run(1) for _ in range(5)] == [MISS] * 5


def test_what_is_raised_is_raised_and_nothing_is_kept():
    class Held:
        pass

    def fails(one):
        raise ValueError("no")

    held = Held()
    entry = PythonEntry(fails, [held], [0.0], 1000)
    before = sys.getrefcount(held)
    for _ in range(100):
        with pytest.raises(ValueError, match="no"):
            entry.run(held)
    assert sys.getrefcount(held) == before
    gone = weakref.ref(fails)
    del fails
    assert gone() is not None
    del entry
    assert gone() is None


def test_within_a_trace_and_while_calls_are_watched_it_is_not_asked(at_once, caplog):
    one, other = Point(1.0, 2.0), Point(3.0, 4.0)
    staged = warm(dot, one, other, 2)

    @ag.function
    def outer(x):
        return x * staged(one, other, 2)

    assert np.array_equal(outer(np.ones(2)), [22.0, 22.0])
    (concrete,) = outer.concrete_functions
    assert "multiply" in str(concrete.graph)
    with ag.config(log="exec"), caplog.at_level("INFO"):
        assert staged(one, other, 2) == 22.0
    assert "dot: " in caplog.text


def test_a_larger_argument_ends_it(at_once):
    def last(n):
        found = ""  # texts have no machine code
        for i in range(n):
            found = str(i)
        return found

    staged = ag.function(last)
    for n in (1, 2, 3):
        staged(n)
    assert takes(entered(staged, 4), 4)
    assert staged(1000) == "999"
    assert not takes(staged, 4)


def test_arrays_have_none(at_once):
    staged = ag.function(lambda x: x * 2)
    for _ in range(20 * LOOK_ENTERED):
        staged(np.ones(3))
    assert not staged._short.entries


def test_without_machine_code_python_calls_it(at_once, monkeypatch):
    monkeypatch.setattr(by_python, "is_on", lambda: False)
    one, other = Point(1.0, 2.0), Point(3.0, 4.0)
    staged = ag.function(dot)
    for _ in range(20 * LOOK_ENTERED):
        assert staged(one, other, 2) == 22.0
    assert not staged._short.entries


def test_threads_call_it(at_once):
    one, other = Point(1.0, 2.0), Point(3.0, 4.0)
    staged = warm(dot, one, other, 2)
    wrong = []

    def work():
        for _ in range(3000):
            if staged(one, other, 2) != 22.0:
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
