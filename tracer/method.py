"""method: a Function bound to an instance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar

from runtime.traceback import cut
from tracer.shown import Shown

if TYPE_CHECKING:
    from tracer.concrete import ConcreteFunction
    from tracer.cost import Cost
    from tracer.function import Function

P = ParamSpec("P")  # a function's parameters
Q = ParamSpec("Q")  # a method's: without the instance
R = TypeVar("R")
S = TypeVar("S")  # the instance


# What a function of Python's is run by: the first three may be set.
OF_PYTHON = ("__code__", "__defaults__", "__kwdefaults__", "__globals__", "__closure__")


def of_python(name: str) -> property:
    """An attribute of a Function that is its Python function's, also when it is set.

    Who copies a function by `types.FunctionType` asks for all of them.
    """

    def get(function: Any) -> Any:
        return getattr(function.python_function, name)

    def put(function: Any, content: Any) -> None:
        setattr(function.python_function, name, content)

    return property(get, put)


class Method(Shown, Generic[Q, R]):
    """A Function bound to an instance, which shows the traces of that instance."""

    def __init__(self, function: Function[..., Any], instance: Any) -> None:
        self.__func__ = function
        self.__self__ = instance
        self.__module__ = function.__module__

    def __call__(self, /, *args: Q.args, **kwargs: Q.kwargs) -> R:
        try:
            return self.__func__(self.__self__, *args, **kwargs)
        except Exception as error:
            raise cut(error)  # noqa: B904 - its cause is kept

    # As functions have them; setting them for each method would cost as much as a call.

    @property
    def __doc__(self) -> str | None:  # type: ignore[override] # a function's is no property
        return self.__func__.__doc__

    @property
    def __wrapped__(self) -> Any:
        """The method of the plain function."""
        return self.__func__.python_function.__get__(self.__self__)

    def get_concrete_function(self, /, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The trace of the method of this instance for these arguments."""
        return self.__func__.get_concrete_function(self.__self__, *args, **kwargs)

    @property
    def concrete_functions(self) -> list[ConcreteFunction]:
        """The traces of this instance that are kept, oldest first."""
        return self.__func__.lookup.kept_for(self.__self__)

    def concrete_for(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> ConcreteFunction:
        """The trace that a call with these arguments is run by."""
        return self.__func__.concrete_for((self.__self__, *args), kwargs)

    def cost(self, /, *args: Any, **kwargs: Any) -> Cost:
        """What a call of the method of this instance costs: see `Function.cost`."""
        return self.__func__.cost(self.__self__, *args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__func__, name)

    def __reduce__(self) -> tuple[Any, ...]:
        """A method of a copy of the instance."""
        return Method, (self.__func__, self.__self__)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Method):
            return NotImplemented
        same = other.__self__ is self.__self__
        return same and other.__func__ is self.__func__

    def __hash__(self) -> int:
        return hash((id(self.__self__), id(self.__func__)))

    def __repr__(self) -> str:
        return f"<bound {self.__func__!r} of {self.__self__!r}>"
