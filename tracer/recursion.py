"""recursion: a call of a function that is being traced already, one level further in.

A recursion that ends while tracing is run as Python runs it. Where the next level is
met in a branch or loop that depends on data, its end is not known: the call goes back
to where the first level began, which is traced anew as a graph that calls itself.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from typing import Any

from runtime import build, depth
from runtime.build import Frame, Trace
from runtime.errors import OnlyPythonError, StagingError
from runtime.location import Call, here
from runtime.structs import field, struct
from tracer import cells, passing, recursive_graph
from tracer.only_python import IdleError
from tracer.passing import Fit

# Levels inside one another that a recursion which is no graph is unrolled to.
MOST_UNROLLED = 100
# The same where Python goes on with it: each level in a try takes longer to trace than
# the one before, and a hundred of them took two seconds before the call was given up.
MOST_UNROLLED_LEFT = 20
# A level that makes so many times more nodes than the first one, and each makes more.
MOST_GROWTH = 50
# As many levels, each with constant texts of its own, and they are taken to go on so.
MANY_LEVELS = 4
# How far a function's recursion has been found not to be one graph: with other
# constants and sizes at each level, or at all, or so that it is left to Python.
NOT_WIDER, NOT_AT_ALL, LEFT = 1, 2, 3


@struct(eq=False, frozen=False)
class OpenCall:
    """A call of a user's function that is being traced.

    frame: where it was called
    graph: the recursive graph that it is being made, if it is
    begun: the nodes that the frame had then
    kinds: of the arguments, as they are when it begins; None: not looked at
    """

    function: types.FunctionType
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    frame: Frame
    graph: recursive_graph.RecursiveGraph | None = None
    begun: int = field(init=False)
    key: tuple[Any, ...] = field(init=False)
    kinds: passing.Kinds | None = field(init=False)

    def __post_init__(self) -> None:
        # A function of a struct is a method to type checkers.
        function: Any = self.function
        self.begun = len(self.frame.nodes)
        # Converting again gives another function object of the same code and cells.
        closure = function.__closure__ or ()
        own = zip(function.__code__.co_freevars, closure, strict=True)
        cells = tuple(id(cell) for name, cell in own if name != "ag__")
        # What containers hold is seldom asked, and takes long of large ones: now only
        # if the function has been met inside of itself (`look` says how).
        is_nested = function.__code__ in self.frame.trace.nested
        is_simple = all(isinstance(one, passing.SIMPLE) for one in self.given)
        self.kinds = self._kinds() if is_nested or is_simple else None
        # One `def` that is run again may give a function with other defaults.
        named = (function.__kwdefaults__ or {}).values()
        defaults = tuple(map(id, (*(function.__defaults__ or ()), *named)))
        held = (*cells, *defaults)
        self.key = (function.__code__, held, len(self.args), tuple(self.kwargs))

    def _kinds(self) -> passing.Kinds:
        return tuple(map(passing.first_kind, self.given))

    def look(self) -> None:
        """Look at the kinds of the arguments, which are what they were at first."""
        self.kinds = self._kinds()

    @property
    def given(self) -> Sequence[Any]:
        """All arguments in one order."""
        return (*self.args, *self.kwargs.values())

    def made_until(self, inner: OpenCall) -> int:
        """The nodes that this level has made before the next one was met."""
        return inner.begun - (self.begun if inner.frame is self.frame else 0)

    def fit(self, inner: OpenCall, texts: bool = False) -> Fit | None:
        """How `inner` is a further level of this call; texts: with other texts."""
        if self.key != inner.key or self.frame is inner.frame:
            return None
        kinds = self.graph.kinds if self.graph else self.kinds
        assert kinds is not None
        return passing.fit(kinds, self.given, inner.given, texts)


class Met(BaseException):
    """A further level was met: unwinds to the first one. Not for users to catch.

    fit: how it is one; None: the first level's arguments have not been looked at
    """

    def __init__(self, call: OpenCall, fit: Fit | None) -> None:
        self.call = call
        self.fit = fit


def call(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """`function(*args, **kwargs)`, of a converted function, in a trace or not.

    TypeError: the recursion depends on data and cannot be one graph.
    """
    frame = build.current()
    if frame is None or not isinstance(function, types.FunctionType):
        return function(*args, **kwargs)
    made = OpenCall(function, args, kwargs, frame)
    trace = frame.trace
    outer, fit = _level_of(made, trace)
    if outer is not None and fit is not None:
        if outer.graph is None:
            raise Met(outer, fit)
        return outer.graph.again(made.given, fit)
    _refuse_endless(made, trace)
    called = trace.called
    if trace.calls:  # the first one is the traced function itself
        trace.called = (*called, Call(function.__name__, here()))
    trace.calls.append(made)
    try:
        return _opened(made, trace)
    finally:
        trace.called = called
        trace.calls.pop()


def _refuse_endless(inner: OpenCall, trace: Trace) -> None:
    """Python's own limit for the levels of one function, a lower one where each is
    inside a branch or loop that depends on data, or makes more than the one before.
    """
    code = inner.function.__code__
    levels = [call for call in trace.calls if call.function.__code__ is code]
    is_left = trace.refused.get(inner.key) == LEFT
    most = MOST_UNROLLED_LEFT if is_left else MOST_UNROLLED
    many = len({call.frame for call in levels}) > most
    if len(levels) >= depth.limit() or many or _grows([*levels, inner], trace):
        raise RecursionError("maximum recursion depth exceeded")


def _grows(levels: Sequence[OpenCall], trace: Trace) -> bool:
    """Whether each level, of what is no graph, makes many times more than the first.

    What is written into one of two parts of one of two parts has no end otherwise.
    """
    is_unrolled = trace.refused.get(levels[-1].key, 0) >= NOT_AT_ALL
    if not is_unrolled or len(levels) <= MANY_LEVELS:
        return False
    first, last = levels[0].made_until(levels[1]), levels[-2].made_until(levels[-1])
    return last > MOST_GROWTH * (first + 1)


def _level_of(inner: OpenCall, trace: Trace) -> tuple[OpenCall | None, Fit | None]:
    """The open call that `inner` is a further level of; exact ones first."""
    refused = trace.refused.get(inner.key, 0)
    if refused >= NOT_AT_ALL:
        return None, None
    _look_at_first(inner, trace)
    fits = [(outer, outer.fit(inner)) for outer in reversed(trace.calls)]
    for outer, fit in fits:
        if fit is not None and not fit.widens:
            return outer, fit
    for outer, fit in fits:
        if fit is not None and refused < NOT_WIDER:
            return outer, fit
    if refused or sum(outer.key == inner.key for outer in trace.calls) < MANY_LEVELS:
        return None, None
    fits = [(outer, outer.fit(inner, texts=True)) for outer in reversed(trace.calls)]
    return next((pair for pair in fits if pair[1] is not None), (None, None))


def _look_at_first(inner: OpenCall, trace: Trace) -> None:
    """Go back to the first call of the function met inside of itself, to look at it.

    Its containers may have been changed since, and are then as it was given them.
    """
    for outer in trace.calls:
        is_met = outer.key == inner.key and outer.frame is not inner.frame
        if is_met and outer.kinds is None and outer.graph is None:
            trace.nested.add(inner.function.__code__)
            raise Met(outer, None)


def _opened(made: OpenCall, trace: Trace) -> Any:
    """Run the call; as a recursive graph once a further level has been met in it."""
    frame = made.frame
    mark = frame.mark()
    refusal: StagingError | None = None
    while True:
        try:
            with cells.watched(made.function, frame, trace.calls):
                return made.function(*made.args, **made.kwargs)
        except Met as met:
            if met.call is not made:
                raise
            fit = met.fit
            if fit is None:
                frame.go_back(mark)
                made.look()
                continue
        except StagingError as error:
            if refusal is None or isinstance(error, IdleError):
                raise
            # Unrolled it has no end either, so the reason is why it is no graph.
            raise refusal from None
        frame.go_back(mark)
        try:
            return _staged(made, fit)
        except IdleError:
            raise  # Unrolled it takes longer.
        except StagingError as error:
            refusal = error
            wider = fit.widens and trace.refused.get(made.key, 0) < NOT_WIDER
            never = LEFT if isinstance(error, OnlyPythonError) else NOT_AT_ALL
            trace.refused[made.key] = NOT_WIDER if wider else never
        frame.go_back(mark)


def _staged(made: OpenCall, fit: Fit) -> Any:
    made.graph = recursive_graph.RecursiveGraph(
        made.function, made.args, tuple(made.kwargs), made.given, fit.kinds, made.frame
    )
    try:
        return made.graph.stage()
    finally:
        made.graph = None
