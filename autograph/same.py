"""same: does a function do as a graph what it does as plain Python?

It is called plain and then twice as a graph (traced, and from the cache), each time on
copies of the arguments and with its surroundings as they were: the globals and closure
variables that it names, and the state of the random generators. Everything that can be
observed is compared, strictly: 1.0 and np.float64(1.0) are not the same.
"""

from __future__ import annotations

import contextlib
import copy
import io
import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from autograph.differences import between, both, error_text, identity
from autograph.function import function
from autograph.surroundings import Surroundings
from runtime.config import config
from runtime.structs import struct
from tracer.function import Function
from tracer.method import Method


def assert_same_as_python(f: Any, *args: Any, **kwargs: Any) -> Any:
    """Call `f` plain and as a graph, and compare all that can be observed.

    f: a function, or one that is decorated already
    returns: what plain Python returns
    AssertionError: value, dtype, type, printed text, exception, the arguments
    afterwards or what the function changed around it differ; the message shows both.
    The exception that both raise is raised again.

    >>> assert_same_as_python(lambda x: x * 2, np.float64(1.5))
    np.float64(3.0)
    """
    __tracebackhide__ = True
    if isinstance(f, Method):
        f, args = f.__func__, (f.__self__, *args)
    graph = f if isinstance(f, Function) else function(f)
    plain = graph.python_function
    around = Surroundings(plain)
    expected = _observe(plain, args, kwargs, around)
    for call in ("the first call", "a call from the cache"):
        got = _observe(graph, args, kwargs, around)
        told = list(_differences(expected, got))
        if told:
            lines = "\n".join(f"  {line}" for line in told)
            raise AssertionError(
                f"{graph.__name__} is not the same as a graph, in {call}:\n{lines}"
            ) from got.raised
    if expected.raised is not None:
        raise expected.raised
    return expected.result


@struct
class _Outcome:
    """All that can be observed of one call."""

    result: Any
    raised: Exception | None
    printed: str
    arguments: Any
    around: dict[str, Any]


def _observe(f: Any, args: Any, kwargs: Any, around: Surroundings) -> _Outcome:
    """Call with copies of the arguments, then put the surroundings back."""
    try:
        own = copy.deepcopy((args, kwargs))
    except TypeError as error:
        raise TypeError(
            "assert_same_as_python calls the function several times, each with a copy "
            f"of its arguments, but one cannot be copied: {error}"
        ) from None
    states = random.getstate(), np.random.get_state()
    printed = io.StringIO()
    result = raised = None
    with (
        config(eager=False),
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(printed),
    ):
        try:
            result = f(*own[0], **own[1])
        except Exception as error:
            raised = error
    random.setstate(states[0])
    np.random.set_state(states[1])
    return _Outcome(result, raised, printed.getvalue(), own, around.restored())


def _differences(python: _Outcome, graph: _Outcome) -> Iterator[str]:
    if error_text(python.raised) != error_text(graph.raised):
        yield from both(
            "exception", error_text(python.raised), error_text(graph.raised)
        )
    elif python.raised is None:
        first, second = _places(python.arguments), _places(graph.arguments)
        yield from between("the result", python.result, graph.result)
        yield from identity(python.result, graph.result, first, second)
    if python.printed != graph.printed:
        yield from both("printed text", repr(python.printed), repr(graph.printed))
    positional, named = python.arguments
    for number, argument in enumerate(positional):
        yield from between(
            f"argument {number + 1} afterwards", argument, graph.arguments[0][number]
        )
    for name in named:
        yield from between(
            f"argument `{name}` afterwards", named[name], graph.arguments[1][name]
        )
    for name, thing in python.around.items():
        yield from between(f"`{name}` afterwards", thing, graph.around[name])


def _places(arguments: Any) -> dict[int, str]:
    """The arrays among the arguments, by id."""
    args, kwargs = arguments
    named = {**{f"{i + 1}": arg for i, arg in enumerate(args)}, **kwargs}
    return {
        id(thing): name
        for name, thing in named.items()
        if isinstance(thing, np.ndarray)
    }
