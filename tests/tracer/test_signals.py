"""What a signal's handler raises leaves the call: a trace, compiling, and a run."""

import contextlib
import functools
import gc
import linecache
import signal

import numpy as np
import pytest

import autograph as ag
import tracer.lookup
from runtime.backends.llvm.hot import Compilable
from tracer import again


class Late(Exception):
    """A timeout."""


class Watch:
    """Raises when the signal comes."""

    def __init__(self):
        self.times = 0

    def stop(self, number, frame):
        self.times += 1
        raise Late(number)

    def __call__(self, number, frame):
        self.stop(number, frame)


HANDLERS = {
    "method": lambda watch: watch.stop,
    "object": lambda watch: watch,
    "partial": lambda watch: functools.partial(watch.stop),
    "function": lambda watch: lambda number, frame: watch.stop(number, frame),
}


@pytest.fixture
def handler(request):
    """A handler of SIGALRM that raises."""
    made = HANDLERS[getattr(request, "param", "function")](Watch())
    before = signal.signal(signal.SIGALRM, made)
    yield made
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def interrupting(monkeypatch, owner, name, *, swallow=False):
    """Let the signal come at the first call of `owner.name`."""
    plain, done = getattr(owner, name), []

    def call(*args, **kwargs):
        if not done:
            done.append(1)
            try:
                signal.raise_signal(signal.SIGALRM)
            except BaseException as error:
                if isinstance(error, Exception) or not swallow:
                    raise
        return plain(*args, **kwargs)

    monkeypatch.setattr(owner, name, call)


def long(name, before="", handled=""):
    """A function of 100 statements, of which a trace takes 30 ms and more."""
    lines = [f"    x = x * 0.{k} + y[{k} % 3]" for k in range(100)]
    if handled:
        lines = [
            "    try:",
            *("    " + line for line in lines),
            f"    except {handled}:",
        ]
        lines.append("        return None")
    source = "\n".join(["def f(x, y):", before or "    pass", *lines, "    return x"])
    linecache.cache[name] = len(source), None, source.splitlines(True), name
    scope = {}
    exec(compile(source, name, "exec"), scope)
    return scope["f"]


# Where the signal comes in a callback of the garbage collector's (Hypothesis has one),
# Python says that it ignores what was raised; it leaves the call all the same.
AT_ANY_MOMENT = pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning"
)

FORMS = {
    "nothing": {},
    "print": {"before": "    print('go')"},
    "handled": {"handled": "Exception"},
    "bare": {"handled": "BaseException"},
    "others": {"handled": "KeyError"},
}


@AT_ANY_MOMENT
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("after", [0.01, 0.02])
def test_what_comes_in_a_trace_leaves_the_call_and_no_other(handler, form, after):
    ag.function(long("<first>"))(np.ones(2), np.ones(3))  # which loads modules
    plain = long(f"<{form}>", **FORMS[form])
    f, x, y = ag.function(plain), np.ones(2), np.ones(3)
    signal.setitimer(signal.ITIMER_REAL, after)
    with pytest.raises(Late) as caught:
        f(x, y)
    assert caught.value.__context__ is None
    assert signal.getsignal(signal.SIGALRM) is handler
    np.testing.assert_array_equal(f(x, y), plain(x, y))
    assert len(f.concrete_functions) == 1


@AT_ANY_MOMENT
def test_what_a_callback_of_the_collector_swallows_leaves_the_call(handler):
    plain = long("<collected>")
    f, x, y, left = ag.function(plain), np.ones(2), np.ones(3), [1]

    def callback(phase, info):
        if left and signal.getsignal(signal.SIGALRM) is not handler:  # in a trace
            left.pop()
            signal.raise_signal(signal.SIGALRM)

    at = gc.get_threshold()
    gc.callbacks.append(callback)
    gc.set_threshold(50)
    try:
        with pytest.raises(Late):
            f(x, y)
    finally:
        gc.callbacks.remove(callback)
        gc.set_threshold(*at)
    assert not left
    np.testing.assert_array_equal(f(x, y), plain(x, y))


@pytest.mark.parametrize("handler", HANDLERS, indirect=True)
@pytest.mark.parametrize("swallow", [False, True])
def test_what_others_catch_in_a_trace_leaves_the_call(handler, monkeypatch, swallow):
    @ag.function
    def double(x):
        return x * 2

    interrupting(monkeypatch, tracer.lookup, "trace", swallow=swallow)
    with pytest.raises(Late):
        double(np.ones(2))
    with pytest.raises(Late):
        signal.raise_signal(signal.SIGALRM)
    np.testing.assert_array_equal(double(np.ones(2)), [2.0, 2.0])


def test_a_handler_that_raises_nothing_is_called_and_the_trace_goes_on(monkeypatch):
    @ag.function
    def double(x):
        return x * 2

    seen = []
    before = signal.signal(signal.SIGALRM, lambda number, frame: seen.append(number))
    try:
        interrupting(monkeypatch, tracer.lookup, "trace")
        np.testing.assert_array_equal(double(np.ones(2)), [2.0, 2.0])
    finally:
        signal.signal(signal.SIGALRM, before)
    assert seen == [signal.SIGALRM]


def test_what_comes_while_code_is_compiled_leaves_the_call(handler, monkeypatch):
    @ag.function
    def total(x):
        s = 0.0
        for k in range(len(x)):
            s += x[k]
        return s

    interrupting(monkeypatch, Compilable, "_found")
    with ag.config(backend="native"):
        with pytest.raises(Late):
            [total(np.ones(5)) for _ in range(4)]
        assert total(np.ones(5)) == 5.0
        assert "double" in total.inspect("llvm")


@AT_ANY_MOMENT
@pytest.mark.parametrize("handler", HANDLERS, indirect=True)
def test_a_run_that_it_stops_is_not_made_again_as_python(handler, monkeypatch):
    @ag.function
    def step(x, found, n):
        for k in range(n):
            x[k % 3] += 1.0
        found.append(x[n % 4])

    x = np.zeros(3)
    with ag.config(backend="numpy"):
        for n in (2, 3, 2, 6):
            with contextlib.suppress(IndexError):
                step(x, [], n)
        assert any(one.made_again for one in step.concrete_functions)
        monkeypatch.setattr(again, "quietly", None)
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(Late):
            step(x, [], 10_000_000)
