"""What a Function stands: threads, interruptions, forks, copies, many calls."""

import asyncio
import copy
import gc
import inspect
import multiprocessing
import pickle
import subprocess
import sys
import threading
import weakref

import numpy as np
import pytest

import autograph as ag
from runtime import build
from tests.autograph.process import run

x3 = np.arange(3.0)


@ag.function
def doubled(x):
    return x * 2 if x.sum() > 0 else x


class Scaled:
    """Doc of Scaled."""

    def __init__(self, k):
        self.k = k

    @ag.function
    def step(self, x, y=1):
        """Doc of step."""
        return x * self.k


# --- Threads --------------------------------------------------------------------------


def test_sixteen_threads_trace_each_signature_once_also_when_one_raises():
    traced: list[object] = []

    @ag.function(reduce_retracing=False, python_effects="trace")
    def grown(x, n):
        traced.append((x.shape, x.dtype, n))
        if n == 3:
            raise ValueError("three")
        while x.sum() < 10:
            x = x + n + 1
        return x

    wrong: list[object] = []
    start = threading.Barrier(16)

    def work(seed):
        generator = np.random.default_rng(seed)
        start.wait()
        for _ in range(20):
            size, n = int(generator.integers(1, 3)), int(generator.integers(4))
            x = np.ones(size, [np.float64, np.float32][int(generator.integers(2))])
            try:
                made = grown(x, n)
            except ValueError as error:
                wrong.extend([] if n == 3 and str(error) == "three" else [error])
                continue
            while x.sum() < 10:
                x = x + n + 1
            if made.dtype != x.dtype or not np.array_equal(made, x):
                wrong.append((made, x))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    assert wrong == []
    succeeded = [key for key in traced if key[-1] != 3]  # type: ignore[index] # keys are tuples
    assert len(succeeded) == len(set(succeeded))


# --- Interruptions --------------------------------------------------------------------


def test_ctrl_c_while_tracing_leaves_nothing_behind():
    class Box:
        value = 1

    box, kept, presses = Box(), [1], [KeyboardInterrupt]

    @ag.do_not_convert
    def interrupted():
        if presses:
            raise presses.pop()

    @ag.function
    def f(x):
        box.value = x.sum()
        kept.append(x.sum())
        interrupted()
        return x * 2

    with pytest.raises(KeyboardInterrupt):
        f(x3)
    assert (box.value, kept) == (1, [1])
    assert build.current() is None
    assert gc.get_freeze_count() == 0
    assert f.concrete_functions == []
    assert f(x3).tolist() == [0.0, 2.0, 4.0]
    assert (box.value, kept) == (3.0, [1, 3.0])


def test_ctrl_c_while_the_graph_runs_leaves_lists_as_they_were():
    turns = []

    def pressed():
        turns.append(1)
        if len(turns) % 3 == 0:
            raise KeyboardInterrupt

    class Box:
        value = 1

    box = Box()

    @ag.function
    def f(passed, n):
        for _ in range(n):
            passed.append(1.0)
            box.value += 1
            ag.py_function(pressed, result=None)
        return n

    for _ in range(3):
        turns.clear()
        passed = [0.5]
        with pytest.raises(KeyboardInterrupt):
            f(passed, np.int64(5))
        assert (passed, box.value) == ([0.5], 1)
    assert f(passed, np.int64(2)) == 2
    assert (passed, box.value) == ([0.5, 1.0, 1.0], 3)


# --- Calls from everywhere ------------------------------------------------------------


def test_functions_call_one_another():
    @ag.function
    def a(x, n):
        return b(x, n - 1) if n > 0 else x

    @ag.function
    def b(x, n):
        return a(x * 2, n - 1) if n > 0 else x

    assert a(2.0, 5) == 8.0
    assert a(2.0, np.int64(5)) == 8.0


def test_a_function_is_called_by_the_python_in_a_graph():
    def called(v):
        return doubled(v) + 1

    @ag.function
    def f(x):
        return ag.py_function(called, x, result=ag.TensorSpec([3], float)) * 2

    assert f(x3).tolist() == [2.0, 6.0, 10.0]
    assert f(-x3).tolist() == [2.0, 0.0, -2.0]


def test_generators_and_coroutines_call_functions():
    def generated():
        for i in range(3):
            yield doubled(np.float64(i))

    async def awaited(i):
        await asyncio.sleep(0)
        made = doubled(np.float64(i))
        await asyncio.sleep(0)
        return made

    async def gathered():
        return await asyncio.gather(*map(awaited, range(5)))

    assert list(generated()) == [0.0, 2.0, 4.0]
    assert asyncio.run(gathered()) == [0.0, 2.0, 4.0, 6.0, 8.0]


# --- Copies ---------------------------------------------------------------------------


def test_functions_and_methods_are_pickled_by_reference():
    assert pickle.loads(pickle.dumps(doubled)) is doubled
    assert pickle.loads(pickle.dumps(Scaled.step)) is Scaled.step
    assert pickle.loads(pickle.dumps(Scaled(3))).step(2.0) == 6.0
    assert pickle.loads(pickle.dumps(Scaled(3).step))(2.0) == 6.0


def test_a_function_that_has_no_name_outside_is_not_pickled():
    with pytest.raises((AttributeError, pickle.PicklingError), match="Can't"):
        pickle.dumps(ag.function(lambda x: x))


@pytest.mark.parametrize("make", [copy.copy, copy.deepcopy])
def test_copies_of_objects_have_functions_of_their_own(make):
    first = Scaled(2)
    first.step(1.0)
    first.held, first.bound = doubled, first.step
    second = make(first)
    second.k = 5
    assert (first.step(1.0), second.step(1.0)) == (2.0, 5.0)
    assert second.held is doubled
    assert second.bound(1.0) == (5.0 if make is copy.deepcopy else 2.0)


def test_a_method_shows_itself_as_one():
    step = Scaled(2).step
    assert (step.__name__, step.__qualname__) == ("step", "Scaled.step")
    assert (step.__doc__, step.__module__) == ("Doc of step.", __name__)
    assert str(inspect.signature(step)) == "(x, y=1)"


# --- Processes ------------------------------------------------------------------------


def test_a_fork_goes_on_with_the_traces():
    doubled(x3)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        made = pool.map(doubled, [x3, -x3, np.ones((2, 2))])
    assert [array.tolist() for array in made] == [
        [0.0, 2.0, 4.0],
        [0.0, -1.0, -2.0],
        [[2.0, 2.0], [2.0, 2.0]],
    ]


ENDING = """
import builtins

import numpy as np

import autograph as ag


@ag.function
def doubled(x):
    return x * 2 if x[1] > 0 else x


@ag.function
def never(x):
    return x + 1


class Scaled:
    @ag.function
    def step(self, x):
        return x * 3 if x[1] > 0 else x


class Last:
    def __init__(self, name):
        self.kept = name, doubled, never, Scaled(), np.arange(2.0), print

    def __del__(self):
        name, doubled, never, scaled, x, say = self.kept
        say(name, doubled(x)[1], doubled(x[:2])[1], never(x)[1], scaled.step(x)[1])


doubled(np.arange(5.0))
last = builtins.last = Last("at the end")
"""


def test_a_program_that_ends_calls_functions_as_python(tmp_path):
    (tmp_path / "program.py").write_text(ENDING, encoding="utf-8")
    ran = run(tmp_path, "program.py")
    assert (ran.stdout, ran.stderr) == ("at the end 2.0 2.0 2.0 3.0\n", "")


# --- Many calls -----------------------------------------------------------------------


@pytest.mark.usefixtures("others_set_aside")
@pytest.mark.parametrize("backend", ["numpy", "native"])
def test_many_calls_keep_nothing(backend):
    # What comes at some time comes once: machine code, and what makes it.
    scaled = Scaled(2)
    product, twice = ag.function(lambda x, n: x * n), ag.function(lambda x: x * 2)

    def call(count):
        for i in range(count):
            product(x3[: i % 3 + 1], i)
            scaled.step(float(i))
            twice(x3)

    with ag.config(backend=backend):
        call(1_100)
        grown = []
        for _ in range(3):
            gc.collect()
            before = len(gc.get_objects())
            call(2_000)
            gc.collect()
            grown.append(len(gc.get_objects()) - before)
    assert min(grown) < 20
    assert len(product.concrete_functions) <= 4


@pytest.mark.usefixtures("others_set_aside")
def test_functions_that_are_dropped_go_with_all_they_hold():
    def one(i):
        made = ag.function(lambda x: x * 2 + i)
        made(x3)
        return weakref.ref(made)

    one(0)
    gc.collect()
    before = len(gc.get_objects())
    references = [one(i) for i in range(40)]
    gc.collect()
    assert [reference() for reference in references] == [None] * 40
    assert len(gc.get_objects()) - before < 100


# --- The end of the interpreter -------------------------------------------------------

LIVES_TO_THE_END = """
import os

import autograph as ag


class Thing:
    pass


one = ag.function(lambda thing: 1)
os.kept = [one, Thing()]
one(os.kept[1])
"""


def test_python_ends_silently_where_what_a_trace_is_for_lives_to_the_end():
    # What `os` holds goes when the names of later modules are gone already.
    command = [sys.executable, "-c", LIVES_TO_THE_END]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_trace_is_copied_as_itself_and_not_pickled():
    traced = ag.function(lambda x: x * 2).get_concrete_function(np.float64(1))
    assert copy.deepcopy({"traced": traced})["traced"] is traced
    assert copy.copy(traced) is traced
    with pytest.raises(TypeError) as caught:
        pickle.dumps(traced)
    assert str(caught.value) == "the trace of `<lambda>` cannot be pickled"
    assert caught.value.__notes__ == [
        "  Pickle the function, and ask it for the trace again."
    ]
