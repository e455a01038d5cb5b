"""with_stmt: what a converted `with` calls.

`__enter__` and `__exit__` of the user's, and the functions under `@contextmanager`, are
called converted, and are given what fails when the graph runs. Any other manager is
entered and left while tracing, so it must not matter to what each run does: where it
does, the call is made as Python.
"""

from __future__ import annotations

import contextlib
import sys
import types
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

import numpy as np

from autograph.operators import objects
from autograph.operators.calls import converted_call, generator_of
from autograph.operators.own_texts import type_name
from autograph.operators.registry import staging_of
from autograph.operators.slots import call, slot
from runtime import build
from runtime.build import Frame
from runtime.effects import writes
from runtime.errors import PythonTypeError, located
from runtime.failing import may_fail_at
from runtime.graph import Node
from runtime.numpy_api import library
from runtime.numpy_api.lacking import require_known
from runtime.ops import settings as settings_ops
from runtime.tensor import Tensor
from tracer import attempt
from tracer.block import Block
from tracer.choice import Choice
from tracer.exits import Exit
from tracer.frozen import made_in
from tracer.picking import each_body
from tracer.state import State, state_of

Body = Callable[[Any], Exit]


def with_stmt(
    manager: Any,
    body: Body,
    get_state: Callable[[], tuple[Any, ...]],
    set_state: Callable[[Sequence[Any]], None],
    names: tuple[str, ...],
) -> Exit:
    """`with manager as value: body(value)`."""
    frame = build.current()
    if frame is None:
        return _plain(manager, body)
    state = state_of(names, set_state)
    kind = type(manager)
    if kind is Choice:
        return each_body(
            manager,
            lambda one: with_stmt(one, body, get_state, set_state, names),
            state,
        )
    if kind is Tensor:
        shown = type_name(manager)
        if library.is_object(manager) and hasattr(manager.spec.example, "__exit__"):
            raise _refused(shown, "is made when the graph runs")
        require_known(manager, "entered by a `with`")
        raise TypeError(
            f"'{shown}' object does not support the context manager protocol"
        )
    if kind is contextlib.suppress:
        return _suppressed(manager, body, state)
    if kind is contextlib._GeneratorContextManager:
        run = generator_of(manager.func)
        if run is not None:
            return _generated(run(*manager.args, **manager.kwds), body, state)
    if kind is np.errstate:
        return _settings(manager, body, state, frame)
    enter, leave = slot(kind, "__enter__"), slot(kind, "__exit__")
    if enter is None and leave is None:
        return _foreign(manager, body, frame)
    return _users(manager, body, state)


def _plain(manager: Any, body: Body) -> Exit:
    with manager as value:
        return body(value)
    # The manager has swallowed an exception.
    return None


def _method(manager: Any, name: str) -> Callable[..., Any]:
    """A special method, bound; TypeError in Python's words when there is none."""
    function = slot(type(manager), name)
    if function is not None:
        return lambda *args: call(function, manager, *args)
    method = getattr(type(manager), name, None)
    if method is None:
        with manager:
            # Python refuses it.
            raise AssertionError
    return lambda *args: method(manager, *args)


def _users(manager: Any, body: Body, state: State) -> Exit:
    enter, leave = _method(manager, "__enter__"), _method(manager, "__exit__")
    value = enter()

    def failed(error: BaseException) -> Exit:
        def again() -> Exit:
            raise error

        kind = converted_call(type, (error,))
        swallows = objects.asked(leave(kind, error, error.__traceback__))
        staging = staging_of(swallows)
        if staging is not None:
            return staging.if_stmt(swallows, lambda: None, again, state)
        return None if swallows else again()

    def then(exit_: Exit) -> Exit:
        leave(None, None, None)
        return exit_

    clause = attempt.Clause(None, failed, named=True)
    return attempt.attempt(
        lambda: body(value), [clause], then, state, state, body.__code__
    )


def _suppressed(manager: Any, body: Body, state: State) -> Exit:
    clause = attempt.Clause(lambda: manager._exceptions, lambda error: None)
    return attempt.attempt(
        lambda: body(None), [clause], lambda exit_: exit_, state, state, body.__code__
    )


def _generated(run: Callable[[Any], Exit], body: Body, state: State) -> Exit:
    block = Block(body, state)
    run(block.run)
    return block.finish()


def _settings(manager: Any, body: Body, state: State, frame: Frame) -> Exit:
    """`np.errstate`: for what the body computes, at each run."""
    settings = _given(manager)

    def leave() -> None:
        settings_ops.leave_errstate()

    def failed(error: BaseException) -> Exit:
        leave()
        raise error

    def then(exit_: Exit) -> Exit:
        leave()
        return exit_

    settings_ops.enter_errstate(settings=settings)
    clause = attempt.Clause(None, failed, again=True)
    # What NumPy computes while tracing, of constants, has them as well.
    with manager, frame.trace.raising_floats("raise" in settings.values()):
        if not frame.trace.guards:
            # A run that fails leaves them, too, and no handler is run before.
            return then(body(None))
        return attempt.attempt(
            lambda: body(None), [clause], then, state, state, body.__code__
        )


def _given(manager: Any) -> dict[str, Any]:
    """The arguments of an `np.errstate`."""
    given = {name: getattr(manager, f"_{name}", None) for name in _ERRORS}
    settings = {name: word for name, word in given.items() if word is not None}
    if callable(getattr(manager, "_call", None)):
        settings["call"] = manager._call
    return settings


_ERRORS = ("all", "divide", "over", "under", "invalid")


def under_settings(function: types.FunctionType) -> types.FunctionType:
    """A function under `@np.errstate(...)` as one with a `with`; others as they are."""
    if function.__code__ is not _DECORATED:
        return function
    held = zip(_DECORATED.co_freevars, function.__closure__ or (), strict=True)
    cells = {name: cell.cell_contents for name, cell in held}
    settings, decorated = _given(cells["self"]), cells["func"]

    def under(*args: Any, **kwargs: Any) -> Any:
        with np.errstate(**settings):  # one can be entered once only
            return decorated(*args, **kwargs)

    return cast(types.FunctionType, under)


_DECORATED: types.CodeType = cast(types.FunctionType, np.errstate()(len)).__code__
# Managers that hold for what is computed inside them, so for what the graph computes.
_SETTINGS = (
    warnings.catch_warnings,
    contextlib.redirect_stdout,
    contextlib.redirect_stderr,
)
# The function under its `contextmanager`.
_PRINTING = np.printoptions.__wrapped__  # type: ignore[attr-defined] # contextlib sets it, typeshed lacks it
# They do nothing but hold a value, or call the managers that are entered in them.
_HARMLESS = (contextlib.nullcontext,)


def _foreign(manager: Any, body: Body, frame: Frame) -> Exit:
    """A manager of C's or a library's, whose work is done while tracing."""
    made_by = getattr(manager, "func", type(manager))
    shown = getattr(made_by, "__name__", type(manager).__name__)
    if isinstance(manager, _HARMLESS):
        return _plain(manager, body)
    if frame.parent is not None:
        raise _refused(shown, "stands in a branch, loop or try that depends on data")
    if not (_is_setting(manager) or made_in(manager, frame)):
        raise _refused(shown, "was made outside of the function")
    before, ended = len(frame.nodes), False
    sets = _is_setting(manager) or made_by is _PRINTING
    outside = _of_process()

    def watched(value: Any) -> Exit:
        nonlocal ended, sets
        sets = sets or _of_process() != outside
        exit_ = body(value)
        ended = True
        return exit_

    exit_ = None
    try:
        exit_ = _plain(manager, watched)
    except KeyboardInterrupt:
        raise
    except BaseException:  # pytest's are no Exceptions
        # One that `__exit__` raises where nothing has failed yet: the run may fail.
        if not (ended and _concerns(manager, frame, before, sets)):
            raise
    if _concerns(manager, frame, before, sets):
        raise _refused(shown, "is around what happens when the graph runs")
    return exit_


def _is_setting(manager: Any) -> bool:
    # Who has one of decimal's has loaded it; another thread may be half-way through.
    make = getattr(sys.modules.get("decimal"), "localcontext", None)
    is_its = make is not None and isinstance(manager, type(make()))
    return is_its or isinstance(manager, _SETTINGS)


def _of_process() -> tuple[Any, ...]:
    """What a manager may set that holds for all that is computed in it."""
    shown = warnings.showwarning, sys.stdout, sys.stderr
    return list(warnings.filters), shown, np.geterr(), np.get_printoptions()


def _concerns(manager: Any, frame: Frame, before: int, sets: bool) -> bool:
    """Whether the manager would see what the nodes from `before` on do at each run."""
    added = frame.nodes[before:]
    if sets:
        return bool(added)
    # What managers of C do at the end (they close) is the same where something failed.
    watches = isinstance(type(manager).__exit__, types.FunctionType)
    if not watches and _top(manager) not in sys.stdlib_module_names:
        # A setting of a library, as `scipy.special.errstate`: only its functions know.
        if any(node.op.name == "host_call" for node in _within(added)):
            return True
    return any(
        writes(node.effects) or (watches and may_fail_at(frame.nodes, at))
        for at, node in enumerate(added, before)
    )


def _within(nodes: Sequence[Node]) -> Iterator[Node]:
    for node in nodes:
        yield node
        for graph in node.graphs:
            yield from graph.walk()


def _top(manager: Any) -> str:
    return type(manager).__module__.partition(".")[0]


def _refused(shown: str, why: str) -> BaseException:
    return located(
        PythonTypeError(f"a {shown} is entered and left while tracing, but {why}"),
        "Put it around the call of the decorated function.",
    )
