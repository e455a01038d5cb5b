"""Threads that share a loop go to processors of their own; after it they are free."""

import ctypes
import os

import numpy as np
import pytest

import autograph as ag
from runtime import store
from runtime.backends.llvm import apart, crew
from runtime.backends.llvm.building import Source, built

C, TASKS = ctypes.CDLL(None), "/proc/self/task"
pytestmark = pytest.mark.skipif(
    not all(hasattr(C, name) for name in apart.CALLED),
    reason="the C library lets no thread choose its processors",
)
ENTRY = """
@taken = external global i8

define void @tested() {
  call void @FUNCTION()
  ret void
}
"""


class Called:
    """A function of `apart`'s, and the processors that it is told are taken."""

    def __init__(self, function):
        self.taken = (ctypes.c_uint64 * apart.WORDS)()
        text = apart.text("@taken", can_move=True) + ENTRY.replace("FUNCTION", function)
        symbols = {
            name: ctypes.cast(getattr(C, name), ctypes.c_void_p).value
            for name in apart.CALLED
        }
        symbols["taken"] = ctypes.addressof(self.taken)
        source = Source("tested", lambda: text, symbols, (self.taken,))
        self.made = built(source, store.key_of(f"{text}{id(self)}"))

    def __call__(self, taken):
        """The processors that are taken afterwards."""
        for word in range(apart.WORDS):
            self.taken[word] = sum(1 << n % 64 for n in taken if n // 64 == word)
        ctypes.CFUNCTYPE(None)(self.made.address)()
        numbers = range(apart.PROCESSORS)
        return {n for n in numbers if self.taken[n // 64] >> n % 64 & 1}


@pytest.fixture
def allowed():
    """The processors of this thread, which has them back in the end."""
    before = os.sched_getaffinity(0)
    yield before
    os.sched_setaffinity(0, before)


def test_who_finds_its_processor_taken_goes_to_a_free_one(allowed):
    if len(allowed) < 2:
        pytest.skip("there is one processor")
    be_apart, others = Called("be_apart"), sorted(allowed)[1:]
    os.sched_setaffinity(0, others)  # it is most likely still there afterwards
    os.sched_setaffinity(0, allowed)
    assert be_apart(others) == allowed
    assert os.sched_getaffinity(0) == allowed


def test_who_finds_none_stays_and_who_is_alone_does(allowed):
    be_apart = Called("be_apart")
    assert be_apart(allowed) == allowed
    assert os.sched_getaffinity(0) == allowed
    one = {min(allowed)}
    os.sched_setaffinity(0, one)
    assert be_apart(()) == one
    assert be_apart(one) == one
    assert os.sched_getaffinity(0) == one


def test_a_caller_forgets_who_was_there_before(allowed):
    one = {min(allowed)}
    os.sched_setaffinity(0, one)
    assert Called("begin_apart")((700, 1023)) == one


def test_where_it_cannot_be_done_nothing_is_asked_of_the_c_library():
    text = apart.text("@taken", can_move=False)
    assert not any(name in text for name in apart.CALLED)
    assert all(f"@{name}()" in text for name in ("begin_apart", "be_apart"))


@pytest.mark.skipif(not os.path.isdir(TASKS), reason="threads have no files here")
def test_the_crew_may_be_anywhere_after_its_work(allowed):
    staged, x = ag.function(lambda x: np.exp(-x * x) + x), np.ones(100_000)
    with ag.config(backend="native", num_threads=3):
        before = crew.CREW.number
        for _ in range(100):
            staged(x)
    assert crew.CREW.number > before
    threads = [int(name) for name in os.listdir(TASKS)]
    assert all(os.sched_getaffinity(number) == allowed for number in threads)
