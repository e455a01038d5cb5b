"""raised: what a converted `raise` asks."""

from __future__ import annotations

from typing import Any, NoReturn

from runtime import build
from runtime.errors import OnlyPythonError, located
from tracer.choice import Choice, each

# There is no `from`.
_NONE = object()


def raised(error: Any, cause: Any = _NONE) -> Any:
    """`error`, to be raised; one of several is raised here, by each path its own.

    cause: what stands behind `from`; the error gets it here
    """
    if isinstance(error, Choice):
        return each(error, lambda option: _raise(option, cause))
    _require_exception(error)
    if isinstance(cause, Choice):
        return each(cause, lambda option: _raise(error, option))
    if cause is _NONE:
        return error
    made = _instance(error, "exceptions must derive from BaseException")
    if cause is not None:
        cause = _instance(cause, "exception causes must derive from BaseException")
    made.__cause__ = cause
    return made


def _require_exception(error: Any) -> None:
    """OnlyPythonError: it is to end the program, and no trace could tell by whom.

    A KeyboardInterrupt may be the user's, and be meant for the trace itself.
    """
    kind: Any = error if isinstance(error, type) else type(error)
    ends = issubclass(kind, BaseException) and not issubclass(kind, Exception)
    if ends and build.current() is not None:
        raise located(
            OnlyPythonError(f"{kind.__name__} is raised, which is no Exception"),
            "Raise it outside of the function.",
        )


def _raise(error: Any, cause: Any) -> NoReturn:
    raise raised(error, cause)


def _instance(error: Any, message: str) -> BaseException:
    """What Python makes of a class of exceptions, or refuses."""
    if isinstance(error, type) and issubclass(error, BaseException):
        error = error()
    if not isinstance(error, BaseException):
        raise TypeError(message)
    return error
