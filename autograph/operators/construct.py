"""construct: an instance of a class, its `__new__` and `__init__` converted.

What `type.__call__` does, step by step. The `__init__` that `dataclass` writes has no
source; it is done here by hand where it would call functions of the user's.
"""

from __future__ import annotations

import dataclasses
import enum
import inspect
from typing import Any

from autograph.operators import attributes
from autograph.operators.slots import as_users, call, slot
from runtime import build
from runtime.build import Frame
from runtime.errors import OnlyPythonError, located
from tracer import leaks, places, plain


def construct(kind: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`kind(*args, **kwargs)`.

    OnlyPythonError: the class has a `__del__`, which is called once for each call
    """
    _refuse_finalizer(kind)
    own = slot(type(kind), "__call__")
    if own is not None:
        return call(own, kind, *args, **kwargs)
    new, init = as_users(kind.__new__), as_users(kind.__init__)
    standard = type(kind).__call__ is type.__call__
    frame = build.current()
    # Half made, one of a registered class has not what it is to be taken apart by.
    whole = not (new or init) or plain.is_registered(kind)
    if frame is None or not standard or whole:
        kwargs = _with_module(frame, kind, args, kwargs)
        if _only_makes(kind):
            return places.created(kind(*args, **kwargs))
        places.note_called(kind)
        return places.created(_kept(kind(*args, **kwargs), args, kwargs))
    if new is None:
        made = _kept(kind.__new__(kind, *args, **kwargs), args, kwargs)
    else:
        made = call(new, kind, *args, **kwargs)
    if kind not in type(made).__mro__:  # as Python asks: not its `__class__`
        return made
    places.created(made)
    frame.trace.kinds.add(kind)
    if _is_written_by_dataclass(kind):
        _fill(kind, made, args, kwargs)
        return made
    init = as_users(type(made).__init__)
    if init is None:
        type(made).__init__(made, *args, **kwargs)
        _kept(made, args, kwargs)
    else:
        call(init, made, *args, **kwargs)
    return made


def _with_module(
    frame: Frame | None, kind: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> dict[str, Any]:
    """With the module that `Enum("Name", "A B")` finds by the frame that calls it."""
    makes_class = isinstance(kind, enum.EnumMeta) and (args[1:] or "names" in kwargs)
    if frame is None or not makes_class or not frame.trace.calls:
        return kwargs
    scope = frame.trace.calls[-1].function.__globals__
    return {"module": scope.get("__name__"), **kwargs}


def _refuse_finalizer(kind: Any) -> None:
    frame = build.current()
    if frame is None or frame.trace.python_effects != "run":
        return
    if as_users(getattr(kind, "__del__", None)):
        raise located(
            OnlyPythonError(f"a {kind.__name__} is made, which has a `__del__`"),
            "Close it in a `with` statement.",
        )


def _kept(made: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`made`, into which code that is not converted may have put what it was given."""
    leaks.note_store((args, kwargs), f"a {type(made).__name__}")
    return made


def _only_makes(kind: Any) -> bool:
    """Whether nothing outside changes when one is made by what is not converted."""
    return kind.__module__ == "builtins" or issubclass(kind, BaseException)


def _is_written_by_dataclass(kind: Any) -> bool:
    """Whether its `__init__` is a dataclass's, and calls something."""
    if "__dataclass_fields__" not in kind.__dict__:
        return False
    if kind.__init__.__code__.co_filename != "<string>":
        return False
    makers = (field.default_factory for field in dataclasses.fields(kind))
    makes = any(maker is not dataclasses.MISSING for maker in makers)
    return makes or bool(as_users(getattr(kind, "__post_init__", None)))


def _fill(kind: Any, made: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """What the `__init__` of a dataclass does."""
    signature = inspect.signature(kind.__init__)
    try:
        given = signature.bind(made, *args, **kwargs).arguments
    except TypeError:
        # Python's own words.
        kind.__init__(made, *args, **kwargs)
        raise
    fields = dataclasses.fields(kind)
    for field in fields:
        if field.init and field.name in given:
            value = given[field.name]
        elif field.default_factory is not dataclasses.MISSING:
            value = call(field.default_factory)
        elif field.init:
            value = field.default
        else:
            continue
        _set(kind, made, field.name, value)
    if hasattr(made, "__post_init__"):
        names = list(signature.parameters)[1:]
        own = {field.name for field in fields}
        inputs = [name for name in names if name not in own]
        defaults = signature.parameters
        call(made.__post_init__, *(given.get(n, defaults[n].default) for n in inputs))


def _set(kind: Any, made: Any, name: str, value: Any) -> None:
    frozen = kind.__dataclass_params__.frozen
    change = None if frozen else attributes.setter(made, name, value)
    if change is not None:
        change()
    else:
        object.__setattr__(made, name, value)
