"""signals: what the handler of a signal raises leaves the call, whatever we do then.

A timeout comes as an exception out of a handler (`signal.alarm`), in whatever Python
code is run then. That may be a trace, which would take it for what the program raises,
or a trial of a function of NumPy's, which would take it for a refusal. So handlers
raise something else meanwhile, which nobody catches, and the call raises what it was.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType, FunctionType, MethodType
from typing import Any, NoReturn


class Interrupted(BaseException):
    """A signal's handler has raised `error`. Not for users to catch."""

    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self.error = error


class _Block:
    """The block of `apart` that the main thread is in, if it is in one.

    stopped: what a handler has raised in it
    """

    entered = False
    stopped: Interrupted | None = None


_block = _Block()


@contextmanager
def apart() -> Iterator[None]:
    """The block in which handlers raise Interrupted, which no `except Exception` takes.

    Code of others in the block may have caught it: it is raised at the end then.
    """
    handlers = {} if _block.entered else _handlers()
    if not handlers:
        yield
        return
    _block.entered, _block.stopped = True, None
    made: dict[int, Any] = {}
    try:
        for number, handler in handlers.items():
            made[number] = _raising_apart(handler)
            _signal().signal(number, made[number])
        yield
    finally:
        _put_back(handlers, made)
        stopped, _block.stopped, _block.entered = _block.stopped, None, False
        if stopped is not None:
            raise stopped


def left_by(stopped: Interrupted) -> BaseException:
    """What leaves a call that a handler has ended; within the block it is the same."""
    return stopped if _block.entered else stopped.error


@contextmanager
def leaving() -> Iterator[None]:
    """The block that is left so, in the midst of a run, whose program may catch it."""
    try:
        yield
        return
    except Interrupted as error:
        stopped = error
    raise left_by(stopped)


def is_of_handler(error: BaseException) -> bool:
    """Whether the handler of a signal has raised `error`, in this very place."""
    at, codes = error.__traceback__, None
    while at is not None:
        if codes is None:
            codes = set(map(_code_of, _handlers().values()))
        if at.tb_frame.f_code in codes:
            return True
        at = at.tb_next
    return False


def _signal() -> Any:
    """The module below `signal`, which makes no enum of each answer: 50 times as long.

    None: nobody has loaded `signal`, and so nobody has set a handler.
    """
    known = sys.modules.get("signal")
    return getattr(known, "_signal", None)


def _handlers() -> dict[int, Any]:
    """The handlers that are Python's, by their signals; none in another thread.

    KeyboardInterrupt is none that an `except Exception` takes, and stays what it is.
    """
    module = _signal()
    if module is None or threading.current_thread() is not threading.main_thread():
        return {}
    found = {number: module.getsignal(number) for number in module.valid_signals()}
    usual = module.default_int_handler
    return {n: one for n, one in found.items() if callable(one) and one is not usual}


def _raising_apart(handler: Callable[..., Any]) -> Callable[..., Any]:
    def handle(number: int, frame: FrameType | None) -> Any:
        if not _block.entered:  # somebody in the block has kept it
            return handler(number, frame)
        before = sys.exception()
        try:
            return handler(number, frame)
        except BaseException as error:
            _forget(error, before)
            _stop(error)

    return handle


def _stop(error: BaseException) -> NoReturn:
    if not isinstance(error, Interrupted):
        _block.stopped = Interrupted(error)
    assert _block.stopped is not None
    raise _block.stopped from None


def _forget(error: BaseException, before: BaseException | None) -> None:
    """Let `error` not tell of what was being handled where the signal came: of ours."""
    link: BaseException | None = error
    while link is not None and before is not None:
        if link.__context__ is before:
            link.__context__ = None
        link = link.__context__


def _put_back(handlers: dict[int, Any], made: dict[int, Any]) -> None:
    """Set the handlers again that are ours still; a signal may come meanwhile."""
    while made:
        number = next(iter(made))
        try:
            if _signal().getsignal(number) is made[number]:
                _signal().signal(number, handlers[number])
            made.pop(number, None)
        except Interrupted:
            continue  # which is noted


def _code_of(handler: Any) -> CodeType | None:
    """The code that a handler is, or begins with."""
    while hasattr(handler, "func"):  # a partial
        handler = handler.func
    if not isinstance(handler, FunctionType | MethodType):
        handler = getattr(type(handler), "__call__", None)  # noqa: B004 - its code
    return getattr(handler, "__code__", None)
