"""Function: what a user holds; calls find their traces by short keys or by its lookup.

call -> short key | lookup -> convert -> trace -> optimise -> compile -> run

Decorating loads this module and little else: what a trace needs is loaded by the first
call (`Function.lookup`).
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Concatenate, Generic, cast, overload

from runtime import waiting
from runtime.config import WATCH
from runtime.current import STATE
from runtime.errors import as_builtin
from runtime.signals import Interrupted, left_by
from runtime.start_up import collection_paused
from runtime.traceback import cut
from runtime.vectored import Vectored
from tracer.generated import MISS
from tracer.method import OF_PYTHON, Method, P, Q, R, S, of_python
from tracer.parameters import Inputs, Parameters
from tracer.short_keys import ShortKeys
from tracer.shown import Shown

# What is called when Python, NumPy, or whoever looks at an object sees fit.
_BY_OTHERS = (
    *("__del__", "__getattribute__", "__array_finalize__", "__array_wrap__"),
    *("__array_ufunc__", "__array_function__"),
)
# What methods are that Python calls of itself: those of a class, which `type` makes of
# plain functions alone, and those which no call of the program's has.
_METHODS: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("__init_subclass__", "__class_getitem__"), classmethod),
    "__new__": staticmethod,
    **dict.fromkeys(_BY_OTHERS, attrgetter("python_function")),
}
# Methods of which C takes a text, a truth or a number, and no tensor.
_TEXTS = frozenset({"__str__", "__repr__", "__format__"})
_ASKED = _TEXTS | {"__bool__", "__hash__", "__int__", "__float__", "__complex__"}

if TYPE_CHECKING:
    from tracer.concrete import ConcreteFunction
    from tracer.lookup import Lookup

Convert = Callable[[Callable[..., Any]], Callable[..., Any]]


class Function(Shown, Vectored, Generic[P, R]):
    """A Python function that runs as graphs: one per signature of its arguments.

    Made by `autograph.function`; keeps the function's name, doc, signature and types.
    """

    # Not in `__dict__`, which `functools.wraps` copies to what wraps a Function.
    __slots__ = (
        *("python_function", "_convert", "_load", "either_way", "input_signature"),
        *("python_effects", "precise", "_inputs", "_parameters", "_short", "_readers"),
        "_found",
    )
    __name__: str
    __qualname__: str
    __code__, __defaults__, __kwdefaults__, __globals__, __closure__ = map(
        of_python, OF_PYTHON
    )

    def __init__(
        self,
        python_function: Callable[P, R],
        convert: Convert,
        input_signature: Sequence[Any] | None = None,
        python_effects: str = "run",
        inputs: Inputs | None = None,
        precise: bool | None = None,
        load: Callable[[], None] | None = None,
        either_way: bool = False,
    ) -> None:
        self.python_function = python_function
        self._convert = convert
        self._load = load
        # Whether calls may be made as Python where that is quicker.
        self.either_way = either_way
        self.input_signature = input_signature
        self.python_effects = python_effects
        self._inputs = inputs or Inputs(reduces=input_signature is None)
        self.precise = precise
        self._parameters = Parameters(python_function)
        self._short = ShortKeys()
        self._readers = self._short.readers
        self._found: dict[str, Lookup] = {}
        self.__name__ = self.__qualname__ = type(python_function).__name__
        functools.update_wrapper(self, python_function)
        self._inputs.check(self.__name__, self._parameters)
        if input_signature is not None:
            from tracer.input_signature import check_parameters

            check_parameters(self.__name__, input_signature, self._parameters)

    def __call__(self, /, *args: P.args, **kwargs: P.kwargs) -> R:
        """The function's result for these arguments, by its graph for them."""
        if STATE.frame is not None:
            # Called inside another trace: becomes part of it.
            made = self._convert(self.python_function)(*args, **kwargs)
            return cast(R, self._as_asked(made) if self.__name__ in _ASKED else made)
        try:
            if WATCH.on:
                if WATCH.ended or sys.is_finalizing():  # no module can be loaded
                    return self.python_function(*args, **kwargs)
                return cast(R, self.lookup.watched_call(args, kwargs))
            form: Any = (len(args), *kwargs) if kwargs else len(args)
            result: Any
            for read in self._readers.get(form, ()):
                result = read(self, args, kwargs)
                if result is not MISS:
                    return result  # a cast would be a call
            return cast(R, self.lookup.call(args, kwargs))
        except Exception as error:
            # One frame of ours is left in a traceback: this one.
            raise cut(as_builtin(error))  # noqa: B904 - its cause is kept
        except Interrupted as error:
            stopped = error
        raise cut(left_by(stopped))

    def _as_asked(self, made: Any) -> Any:
        from tracer.asked_by_c import taken

        return taken(self.__name__, made)

    @property
    def lookup(self) -> Lookup:
        """What finds the trace for a call, or makes it; made by the first call."""
        made: Lookup | None = self._found.get("lookup")
        if made is None:
            has_run = waiting.has_run("tracer.lookup")
            with nullcontext() if has_run else collection_paused():
                from tracer.lookup import Lookup

                if self._load is not None:
                    # Not in the trace, whose objects are collected apart.
                    self._load()
            of = (self._convert, self._parameters, self._short, self._inputs)
            # One of two threads is the first.
            made = self._found.setdefault("lookup", Lookup(self, *of))
        return made

    def bound(self, args: Any, kwargs: dict[str, Any]) -> Any:
        """The arguments as the parameters take them."""
        return self.lookup.bound(args, kwargs)

    def get_concrete_function(self, /, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The trace for these arguments; TensorSpecs may stand for arrays.

        One array passed twice is an example of two: the trace takes any two arrays.
        """
        try:
            return self.lookup.by_example(args, kwargs)
        except Exception as error:
            raise cut(as_builtin(error))  # noqa: B904 - its cause is kept
        except Interrupted as error:
            stopped = error
        raise cut(left_by(stopped))

    @property
    def concrete_functions(self) -> list[ConcreteFunction]:
        """The traces that are kept, oldest first."""
        return self.lookup.kept

    def concrete_for(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> ConcreteFunction:
        """The trace that a call with these arguments is run by.

        TypeError: it is run as Python
        """
        try:
            return self.lookup.of_call(args, kwargs)
        except Exception as error:
            raise cut(as_builtin(error))  # noqa: B904 - its cause is kept
        except Interrupted as error:
            stopped = error
        raise cut(left_by(stopped))

    def __set_name__(self, owner: type, name: str) -> None:
        self._parameters.is_method()
        if name in _METHODS:
            setattr(owner, name, _METHODS[name](self))

    @overload
    def __get__(self, instance: None, owner: type) -> Function[P, R]: ...
    @overload
    def __get__(
        self: Function[Concatenate[S, Q], R], instance: S, owner: type | None = None
    ) -> Method[Q, R]: ...
    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        """As a method: the instance is the first argument."""
        return self if instance is None else Method(self, instance)

    def __reduce__(self) -> str:
        """By reference, as functions are pickled and copied."""
        return self.__qualname__

    def __repr__(self) -> str:
        count = len(self.lookup.kept) if self._found else 0
        traces = "1 trace" if count == 1 else f"{count} traces"
        return f"<Function {self.__qualname__}{self._parameters.told}: {traces}>"
