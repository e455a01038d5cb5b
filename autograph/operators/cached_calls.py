"""Calls of functions under `functools.lru_cache`: their cache, and no other's tensors.

A cache would keep tensors of one trace and hand them to the next. What the function
computes is computed by each run, which is the same; but what it prints or changes is
done where the cache has no answer. So such a function is called by each run as it is.
One that the traced function makes has an empty cache in each call: what this trace has
asked it is all that it knows.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.operators.slots import call
from runtime import build
from runtime.build import Frame
from runtime.effects import Guard
from runtime.errors import OnlyPythonError, StagingTypeError, located
from runtime.ops.template import encode
from runtime.ops.world import host_call
from runtime.spec import spec_of
from runtime.tensor import Tensor
from tracer import tree
from tracer.leaves import is_numeric

_CONSTANTS = {int, float, complex, bool, str, bytes, type(None)}


def called(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`function(*args, **kwargs)`, of a function with a cache."""
    frame = build.current()
    if frame is None:
        return function(*args, **kwargs)
    _require_hashable((*args, *kwargs.values()))
    known = frame.trace.answers
    constant = not tree.holds_tensor((args, kwargs))
    # The frame that has made it, if it is one of the trace's own.
    of = frame.trace.created.get(id(function), (None, None))[1]
    key: Any = (
        (id(function), id(of), functools._make_key(args, kwargs, True))
        if constant
        else 0
    )
    if constant and key in known:
        return known[key][1]
    if not constant:
        _require_not_within(function, frame)
    mark, before = frame.mark(), frame.trace.created.copy()
    answer = call(function.__wrapped__, *args, **kwargs)
    if constant and of is frame:
        # What it prints or changes is done here, by the first call of each run.
        known[key] = (function, answer)
        return answer
    if frame.parent is not None:
        _require_own_affairs(function, frame, mark, before)
    says, changes = _says_something(frame, mark), _changes_something(frame, mark)
    if says or changes:
        frame.go_back(mark)
        is_silent = constant and not says
        return _made_by_call(function, args, kwargs, answer, is_silent, changes)
    if constant and not tree.holds_tensor(answer):
        if not _is_constant(answer):
            # What a branch or a try has filled is emptied when that has been traced,
            # and the cache gives one object to all that ask.
            frame.go_back(mark)
            return function(*args, **kwargs)
        known[key] = (function, answer)
    return answer


def _made_by_call(
    function: Any, args: Any, kwargs: Any, answer: Any, is_silent: bool, changes: bool
) -> Any:
    """The answer of what does more than to compute one, by a call as it is."""
    if id(function) in build.require_current("a function").trace.created:
        raise _first_call_unknown(function, "does more than compute")
    if is_silent and not is_numeric(answer) and answer is not None:
        # Made once, for all that ask: what it changes is changed now, as it is by
        # whoever asks first.
        return function(*args, **kwargs)
    if changes:
        # What the function reads of that afterwards, it has read before the run.
        words = f"`{function.__name__}` has a cache and changes what is outside of it"
        hint = "Call it outside of the decorated function, or without lru_cache."
        raise located(OnlyPythonError(words), hint)
    return _by_each_run(function, args, kwargs, answer)


def _require_not_within(function: Any, frame: Frame) -> None:
    """Refuse what asks itself for what data tell.

    Its cache knows the answers, where a graph would compute each again: of Fibonacci's
    numbers as many times as they are.
    """
    wrapped = _said(inspect.unwrap(function))
    if any(_said(one.function) == wrapped for one in frame.trace.calls):
        raise located(
            OnlyPythonError(
                f"`{function.__name__}` has a cache and asks itself by data"
            ),
            "Fill an array or a list in a loop.",
        )


def _said(function: Any) -> tuple[str, str] | None:
    """What a function's code says of itself, which is what it says when converted."""
    code = getattr(function, "__code__", None)
    return None if code is None else (code.co_filename, code.co_qualname)


def _is_constant(answer: Any) -> bool:
    if isinstance(answer, (tuple, frozenset)):
        return all(map(_is_constant, answer))
    return type(answer) in _CONSTANTS or isinstance(answer, (np.generic, np.dtype))


def _require_hashable(values: tuple[Any, ...]) -> None:
    for value in values:
        if isinstance(value, Tensor):
            if not value.scalar:
                raise TypeError("unhashable type: 'numpy.ndarray'")
        else:
            hash(value)


def _says_something(frame: Frame, mark: build.Mark) -> bool:
    """Whether the trace has printed or drawn anything since."""
    effects = (effect for node in frame.nodes[mark.nodes :] for effect in node.effects)
    return any(e.kind == "write" and not isinstance(e.what, Guard) for e in effects)


def _changes_something(frame: Frame, mark: build.Mark) -> bool:
    """Whether the trace has changed anything since that it has not made."""
    created = frame.trace.created
    return any(
        id(slot.holder()) not in created
        for slot, _ in frame.changes[mark.changes :]
        if not isinstance(slot.holder(), Tensor)
    )


def _require_own_affairs(
    function: Any, frame: Frame, mark: build.Mark, before: dict[int, Any]
) -> None:
    """Refuse what is done once, by the first call, where data tell which that is."""
    for slot, _ in frame.changes[mark.changes :]:
        if id(slot.holder()) in before and not isinstance(slot.holder(), Tensor):
            does = "changes what the decorated function has made"
            raise _first_call_unknown(function, does)


def _first_call_unknown(function: Any, does: str) -> StagingTypeError:
    return located(
        StagingTypeError(
            f"`{function.__name__}` has a cache and {does}, and which call of it is "
            "the first depends on data"
        ),
        "Let it return what it finds, or call it without lru_cache.",
    )


def _by_each_run(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    answer: Any,
) -> Any:
    if answer is not None and not is_numeric(answer) and not isinstance(answer, Tensor):
        raise located(
            StagingTypeError(
                f"`{function.__name__}` has a cache, does more than compute, and gives "
                "no number or array"
            ),
            "Call it outside of the decorated function, or without lru_cache.",
        )
    content, inputs = encode((args, kwargs), lambda part: isinstance(part, Tensor))
    positional, named = content
    spec = answer.spec if isinstance(answer, Tensor) else None
    results = () if answer is None else (spec or spec_of(answer),)
    made = host_call(
        *inputs,
        function=function,
        args=positional,
        kwargs=named,
        results=results,
        writes=True,
    )
    if answer is None:
        return None
    if isinstance(made, Tensor):
        made.scalar = not isinstance(answer, Tensor) or answer.scalar
    return made
