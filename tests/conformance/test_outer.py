"""What functions change outside of themselves, at each call: as plain Python does.

Each program is run in two modules of its own, once as it is and once decorated, several
calls in a row; after each the result, the printed text, the arguments and what is
outside must agree.
"""

import contextlib
import gc
import io
import threading
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
from tests.conformance.outer_aliases import ALIASES
from tests.conformance.outer_rows import ROWS, THRICE, Row
from tests.conformance.outer_ways import WAYS

pytestmark = pytest.mark.usefixtures("others_set_aside")

PROGRAMS = {**ROWS, **WAYS, **ALIASES}

FAILING: dict[str, Row] = {
    "an op": (
        "n = 0",
        """
def f(x, i):
    global n
    n += 1
    y = x[i]
    n += 1
    return y
""",
        [f"np.array([1.0, 2.0]), np.int64({i})" for i in (0, 7, 1)],
        "n",
    ),
    "a raise by data, after a print": (
        "n, log = 0, []",
        """
def f(x, i):
    global n
    n += 1
    x[0] = 9
    log.append(n)
    print("p", n)
    if i > 1:
        raise ValueError("no", n)
    n += 1
    return x
""",
        [f"np.array([1.0, 2.0]), np.int64({i})" for i in (0, 7, 1)],
        "n, log",
    ),
    "always": (
        "n = 0",
        "def f(x):\n    global n\n    n += 1\n    raise KeyError('k')",
        THRICE,
        "n",
    ),
    "and caught": (
        "n = 2",
        """
def f(x):
    global n
    try:
        n += 1
        if x > 1:
            raise ValueError("a")
        n += 10
    except ValueError:
        n += 100
    return n
""",
        THRICE,
        "n",
    ),
}


def outcomes(row: Row, decorate: Any, path: Path) -> list[tuple[str, ...]]:
    """What each call shows: its result, its text, its arguments and the outside."""
    module, function, calls, outside = row
    text = f"{module}\n{function}\n"
    path.write_text(text)
    names: dict[str, Any] = {"np": np, "decorate": decorate, "__name__": path.stem}
    exec(compile(text, str(path), "exec"), names)
    decorated = decorate(names["f"])
    seen = []
    for call in calls:
        args = eval(f"({call},)", names)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            try:
                result = repr(decorated(*args))
            except Exception as error:
                result = repr(error)
        left = eval(f"({outside},)", names)
        seen.append((result, printed.getvalue(), repr(args), repr(left)))
    return seen


def check(row: Row, folder: Path) -> None:
    path = folder / "program.py"
    assert outcomes(row, ag.function, path) == outcomes(row, lambda f: f, path)


@pytest.mark.parametrize("name", PROGRAMS)
def test_each_call_does_what_python_does(name, tmp_path):
    check(PROGRAMS[name], tmp_path)


@pytest.mark.parametrize("name", FAILING)
def test_a_call_that_fails_leaves_what_python_leaves(name, tmp_path):
    check(FAILING[name], tmp_path)


class Counter:
    """A method that counts its calls."""

    def __init__(self) -> None:
        self.n, self.last = 0, None

    @ag.function
    def step(self, x):
        self.n += 1
        self.last = x
        return x * self.n


def test_methods_count_for_each_instance():
    a, b = Counter(), Counter()
    x = np.ones(2)
    results = [a.step(x), a.step(x), b.step(x), a.step(x)]
    assert [r.tolist() for r in results] == [[1, 1], [2, 2], [1, 1], [3, 3]]
    assert (a.n, b.n, a.last is x) == (3, 1, True)


def test_an_instance_is_not_kept_alive():
    counter = Counter()
    counter.step(np.float64(1))
    gone = weakref.ref(counter)
    del counter
    gc.collect()
    assert gone() is None


def test_numbers_outside_need_no_other_trace():
    state = {"n": 0, "total": 0.0}

    @ag.function
    def f(x):
        state["n"] += 1
        state["total"] += x
        return state["total"] / state["n"]

    for _ in range(4):
        f(np.float64(2))
    state["n"] = 100
    f(np.float64(2))
    assert state["n"] == 101
    # The total is a float at first and a NumPy float afterwards.
    reasons = [trace.reason for trace in f.traces()]
    assert reasons == [
        "the first call",
        "what it changes outside, the dict that is changed here, is of another kind",
    ]


def test_threads_lose_no_count():
    calls, seen = 0, []

    @ag.function
    def f(x):
        nonlocal calls
        calls += 1
        seen.append(x)
        return x

    def work():
        for k in range(50):
            f(np.float64(k))

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (calls, len(seen)) == (300, 300)


def test_under_trace_it_is_done_once():
    log = []

    @ag.function(python_effects="trace")
    def f(x):
        log.append("called")
        return x

    for _ in range(3):
        f(np.float64(1))
    assert log == ["called"]


def test_a_trace_alone_changes_nothing():
    log = [1.0]

    @ag.function
    def f(x):
        log.append(x)
        return len(log)

    concrete = f.get_concrete_function(np.float64(1))
    assert log == [1.0]
    assert concrete(np.float64(5)) == 2
    assert log == [1.0, 5.0]
