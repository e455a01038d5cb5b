"""Errors of tracing: builtin types that Python users expect, and where to look.

A StagingError says that a program cannot be staged; it is a fault of the trace, never
an exception that the user's program raised, so no branch may swallow it.
"""

from __future__ import annotations

from typing import Any, TypeVar

from runtime.location import Location, here
from runtime.methods import is_users

ErrorType = TypeVar("ErrorType", bound=BaseException)


class StagingError(Exception):
    """Base of all refusals to stage; each is also a builtin exception type.

    is_final: no call is made as Python for it
    location: the line that is refused before anything of it has run
    """

    is_final = False
    location: Location | None = None

    def bars_python(self) -> bool:
        """Whether a call that it refuses must not be made as Python."""
        return self.is_final


class StagingTypeError(StagingError, TypeError):
    """A value of the wrong kind for a graph."""


class StagingValueError(StagingError, ValueError):
    """A value that a graph cannot hold."""


class StagingNotImplementedError(StagingError, NotImplementedError):
    """A construct that is not staged."""


class OnlyPythonError(StagingNotImplementedError):
    """What no graph does: a call of the decorated function is made as Python."""

    why = "a graph cannot do what it does"


class ObjectArrayError(StagingValueError, OnlyPythonError):
    """An array of Python objects would be in the graph."""

    why = "it computes with an array of Python objects"

    @classmethod
    def located(cls) -> ObjectArrayError:
        """The error, at the user's line."""
        return located(
            cls("an array of Python objects cannot be in a graph"),
            "Give it a numeric dtype (`x.astype(float)`), or use a list.",
        )


class PythonTypeError(StagingTypeError, OnlyPythonError):
    """A value of the wrong kind for a graph, with which Python goes on."""


class PythonValueError(StagingValueError, OnlyPythonError):
    """An array of which only the run knows which one it is: Python goes on with it."""

    why = "which of its arrays are one depends on data"


class UnforeseenError(StagingError):
    """A run meets what its graph was not made for: the call is made as Python.

    No handler of the program's sees it.
    """


class UnforeseenTypeError(UnforeseenError, StagingTypeError):
    """A function gives something else than it gave where it was tried."""


class UnforeseenValueError(UnforeseenError, StagingValueError):
    """Data of which something else is made than of all others."""


class LeakedTensorError(StagingError, RuntimeError):
    """A tensor is used outside of the trace, or the branch, that made it."""

    @classmethod
    def of_value(cls, value: Any) -> LeakedTensorError:
        """The value belongs to no frame that is open here."""
        return located(
            cls(
                f"a {value.spec!r} tensor is used outside of the trace or branch that "
                "made it"
            ),
            "Tensors exist only while the function is traced: return the value, or "
            "keep it in an ag.Variable.",
        )

    @staticmethod
    def outside(what: str) -> RuntimeError:
        """No trace is on at all, so no branch could swallow the builtin error."""
        return located(
            RuntimeError(f"{what} is used outside of the trace that made it"),
            "Tensors exist only while the function is traced: return the value, or "
            "keep it in an ag.Variable.",
        )


def require_no_refusal(error: BaseException) -> None:
    """Raise the refusal of which unconverted code has made `error`, if it has.

    C code that asks a tensor for its value says what it makes of the TypeError:
    `np.array([tensor])` in a `np.vectorize` raises a ValueError from it. A context
    says nothing: a trace may be made anew where another one has been refused.
    """
    seen: set[int] = set()
    behind: BaseException | None = error
    while behind is not None and id(behind) not in seen:
        if isinstance(behind, StagingError):
            raise behind from None
        seen.add(id(behind))
        # By the slot: of an error of the run `__cause__` is a question to the run.
        behind = _CAUSE.__get__(behind)


_CAUSE: Any = vars(BaseException)["__cause__"]  # a C slot, which has no type
# What users see instead, once the trace is over.
_BUILTIN: dict[type, type[Exception]] = {
    StagingTypeError: TypeError,
    StagingValueError: ValueError,
    StagingNotImplementedError: NotImplementedError,
    LeakedTensorError: RuntimeError,
}


def as_builtin(error: Exception) -> Exception:
    """A refusal to stage as the builtin exception it is; other errors as they are.

    The notes and the traceback are kept.
    """
    kind = next((_BUILTIN[k] for k in type(error).__mro__ if k in _BUILTIN), None)
    if kind is None:
        return error
    made = refused_as(kind, error)
    made.__cause__ = error.__cause__  # which also hides the refusal itself
    return made


def refused_as(kind: type[ErrorType], error: BaseException) -> ErrorType:
    """The same refusal, as another kind of one."""
    made = kind(*error.args).with_traceback(error.__traceback__)
    for note in getattr(error, "__notes__", ()):
        made.add_note(note)
    return made


def place(location: Location | None) -> str:
    """`  in f, file.py line 3:  source` for an error's note; empty when unknown."""
    if location is None:
        return ""
    source = f":  {location.source}" if location.source else ""
    return f"  in {location.function}, {location.filename} line {location.line}{source}"


def located(error: ErrorType, mend: str = "") -> ErrorType:
    """`error` with notes: the user's line, and how to mend it."""
    return with_notes(error, here(), mend)


def with_notes(
    error: ErrorType, location: Location | None, mend: str = ""
) -> ErrorType:
    """`error` with notes: the place, and how to mend it."""
    if where := place(location):
        error.add_note(where)
    if mend:
        error.add_note("  " + mend)
    return error


def attributes_of(error: BaseException) -> dict[str, Any]:
    """What an exception holds besides its arguments, in slots too, as AxisError's."""
    slots = {n: getattr(error, n) for n in _slots(type(error)) if hasattr(error, n)}
    return {**vars(error), **slots}


def made_of(kind: type[BaseException], args: tuple[Any, ...]) -> BaseException:
    """An exception by its arguments, as made by no `__init__` of the user's.

    Such a one may want others. C's is asked: it keeps what `str` of a SyntaxError says.

    >>> str(made_of(SyntaxError, ("no end",)))
    'no end'
    """
    made = kind.__new__(kind, *args)
    inits = (vars(base).get("__init__") for base in kind.__mro__)
    by_c = next(i for i in inits if i is not None and not is_users(i))
    try:
        by_c(made, *args)
    except (TypeError, ValueError):
        # The user's `__init__` has given it others: it says what it says of none.
        pass
    made.args = args
    return made


def set_attributes(error: BaseException, attributes: dict[str, Any]) -> None:
    """Put them into an exception that was made without its `__init__`."""
    slots = _slots(type(error)) if attributes else []
    for name, content in attributes.items():
        if name in slots:
            object.__setattr__(error, name, content)
        else:
            error.__dict__[name] = content


def alone(error: BaseException) -> Any:
    """The same error without a traceback, which would hold what was called."""
    made = made_of(type(error), error.args)
    held = attributes_of(error)
    if "__notes__" in held:
        held["__notes__"] = [*held["__notes__"]]
    set_attributes(made, held)
    return made


def _slots(kind: type) -> list[str]:
    found = (vars(base).get("__slots__", ()) for base in kind.__mro__)
    named = ([names] if isinstance(names, str) else names for names in found)
    return [name for names in named for name in names if name not in _NOT_HELD]


_NOT_HELD = ("__dict__", "__weakref__")  # slots that say what else there is


def unbound(name: str, free: bool = False) -> NameError:
    """The error that CPython raises for a variable that is not bound.

    free: it belongs to a function around the one that reads it

    >>> unbound("total")
    UnboundLocalError("cannot access local variable 'total' where it is not \
associated with a value")
    """
    what = "not associated with a value"
    if free:
        text = f"cannot access free variable '{name}' where it is {what} in enclosing "
        return NameError(text + "scope", name=name)
    text = f"cannot access local variable '{name}' where it is {what}"
    return UnboundLocalError(text)  # which CPython gives no `name`
