"""parameters: those of a function, to which the arguments of its calls are bound."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable, Sequence
from contextlib import suppress
from operator import is_not
from typing import Any

from tracer.method import Method
from tracer.shown import Shown

# Arguments as parameters take them: by position, and by name.
Bound = tuple[tuple[Any, ...], dict[str, Any]]
_POSITIONAL = (
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
)


def _told_by(function: Any) -> tuple[Any, ...]:
    """What tells the parameters, of which a program may set each: code and defaults."""
    if isinstance(function, functools.partial):
        held = function.keywords
        return (*_told_by(function.func), *function.args, *held, *held.values())
    code = code_of(function)
    named = getattr(function, "__kwdefaults__", None) or {}
    return (code, getattr(function, "__defaults__", None), *named, *named.values())


def code_of(function: Any) -> types.CodeType | None:
    """The code that a function runs; None for what is no function."""
    return getattr(function, "__code__", None)


def _is_in_python(function: Any) -> bool:
    while isinstance(function, functools.partial):
        function = function.func
    call = function if code_of(function) else type(function).__call__
    return not isinstance(function, type) and code_of(call) is not None


def signature_of_calls(function: Any) -> inspect.Signature:
    """The parameters that calls are bound to.

    Not those of what it is around (`functools.wraps`), which it may call otherwise, nor
    what it tells of itself (`__signature__`).
    """
    return inspect.signature(_bare(function), follow_wrapped=False)


def _bare(function: Any) -> Any:
    """One with the same parameters that tells of nothing else."""
    if isinstance(function, functools.partial):
        inner = _bare(function.func)
        return functools.partial(inner, *function.args, **function.keywords)
    if isinstance(function, types.MethodType):
        return types.MethodType(_bare(function.__func__), function.__self__)
    if isinstance(function, types.FunctionType):
        names = function.__name__, function.__defaults__, function.__closure__
        bare = types.FunctionType(function.__code__, function.__globals__, *names)
        bare.__kwdefaults__ = function.__kwdefaults__
        bare.__annotations__ = function.__annotations__
        return bare
    if isinstance(function, Method):
        return _bare(function.__wrapped__)
    if isinstance(function, Shown):
        return _bare(function.python_function)  # type: ignore[attr-defined] # a Function
    call = type(function).__call__
    if isinstance(function, type) or not isinstance(call, (types.FunctionType, Shown)):
        return function
    # `inspect` compares an object, whose `==` may be anything.
    return types.MethodType(_bare(call), function)


def _told_of(function: Any, called: inspect.Signature) -> inspect.Signature:
    """What messages name: where all is handed on, the parameters of what is called."""
    if [p.kind for p in called.parameters.values()] != _ALL:
        return called
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):  # one of C's has none to be read
        return called


_ALL = [inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD]


def _takes_all(*args, **kwargs):  # type: ignore[no-untyped-def] # as it is shown
    """Has the signature of a builtin."""


class Parameters:
    """A function's parameters: binding as Python binds, and names for messages."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self._read()
        # 1 for a method, whose first argument is no array. `__set_name__` says so, and
        # until then the name of the argument.
        self.instance = int(self.positional[:1] in (["self"], ["cls"]))
        around = self.qualname.rpartition(".")[0]
        self.in_class = bool(around) and not around.endswith("<locals>")

    def is_method(self) -> None:
        """It is held by a class."""
        self.instance = min(1, len(self.positional))

    def _read(self) -> None:
        function: Any = self.function
        self._known = _told_by(function)
        self.code = code_of(function)
        if not _is_in_python(function):
            # Some do not tell theirs, and none means its defaults to be passed.
            function = _takes_all
        self.signature = signature_of_calls(function)
        self.told = _told_of(function, self.signature)
        self.qualname: str = getattr(function, "__qualname__", "")
        all_ = self.told.parameters.values()
        self.positional = [p.name for p in all_ if p.kind in _POSITIONAL]
        self.defaults = {p.name: p.default for p in all_ if p.default is not p.empty}
        self.variadic = any(p.kind is p.VAR_POSITIONAL for p in all_)
        taken = self.signature.parameters.values()
        self.plain = all(p.kind in _POSITIONAL for p in taken)
        self.count = len(taken)

    def renew(self) -> bool:
        """Read them again where they are others; whether the code is another one."""
        now, known = _told_by(self.function), self._known
        if len(now) == len(known) and not any(map(is_not, now, known)):
            return False
        code = self.code
        self._read()
        return code is not self.code

    def bind(self, args: Sequence[Any], kwargs: dict[str, Any], name: str) -> Bound:
        """The arguments with defaults filled in, positional where they can be.

        TypeError: they do not match the parameters; Python's own words.
        """
        if not kwargs and self.plain and len(args) == self.count:
            return tuple(args), {}
        bound = None
        with suppress(TypeError):
            bound = self.signature.bind(*args, **kwargs)
        if bound is None:  # nothing is being handled, which would be its context
            raise self._mismatch(args, kwargs, name)
        bound.apply_defaults()
        return bound.args, bound.kwargs

    def _mismatch(
        self, args: Sequence[Any], kwargs: dict[str, Any], name: str
    ) -> TypeError:
        """Python's own error for these arguments."""
        # A function that does nothing, called so, words it as the user's own would.
        bare = [
            p.replace(
                annotation=p.empty, default=p.empty if p.default is p.empty else None
            )
            for p in self.signature.parameters.values()
        ]
        scope: dict[str, Any] = {}
        exec(f"def call{inspect.Signature(bare)}: pass", scope)
        scope["call"].__qualname__ = self.qualname or name
        try:
            scope["call"](*args, **kwargs)
        except TypeError as error:
            return error.with_traceback(None)
        return TypeError(f"{name}() cannot be called with these arguments")

    def with_defaults(
        self,
        args: Sequence[Any],
        kwargs: dict[str, Any],
        traced_args: Sequence[Any],
        traced_kwargs: dict[str, Any],
        name: str,
    ) -> Bound:
        """Bound arguments where what was left out is what the trace was made for."""
        try:
            given = self.signature.bind_partial(*args, **kwargs)
        except TypeError:
            raise self._mismatch(args, kwargs, name) from None
        whole = self.signature.bind(*traced_args, **traced_kwargs)
        whole.arguments.update(given.arguments)
        return whole.args, whole.kwargs

    def named(self, args: Sequence[Any], kwargs: dict[str, Any]) -> dict[str, Any]:
        """The arguments by the names of their parameters."""
        try:
            return self.told.bind(*args, **kwargs).arguments
        except TypeError:
            return {**{str(i): arg for i, arg in enumerate(args)}, **kwargs}


class Inputs:
    """Which arguments that are no arrays become inputs, as the user has said.

    reduces: whether sizes, and numbers, become inputs by themselves
    static:  the names of arguments whose numbers and sizes are constants always
    dynamic: the names of those whose numbers are inputs from the first call on
    """

    def __init__(
        self,
        reduces: bool = True,
        static: Sequence[str] = (),
        dynamic: Sequence[str] = (),
    ) -> None:
        self.reduces = reduces
        self.static = frozenset(static)
        self.dynamic = frozenset(dynamic)

    def check(self, name: str, parameters: Parameters) -> None:
        """TypeError: an argument is named that the function does not have, or twice."""
        known = parameters.told.parameters
        for words, named in (("static", self.static), ("dynamic", self.dynamic)):
            for argument in sorted(named - set(known)):
                listed = ", ".join(f"`{each}`" for each in known)
                raise TypeError(
                    f"{words}_args names `{argument}`, but {name}() has "
                    + (f"the arguments {listed}" if known else "no arguments")
                )
        for argument in sorted(self.static & self.dynamic):
            raise TypeError(f"`{argument}` is in static_args and in dynamic_args")
