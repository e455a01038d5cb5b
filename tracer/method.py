"""method: a Function bound to an instance."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from runtime.traceback import cut

if TYPE_CHECKING:
    from tracer.concrete import ConcreteFunction
    from tracer.function import Function


class Method:
    """A Function bound to an instance."""

    def __init__(self, function: Function[..., Any], instance: Any) -> None:
        self.__func__ = function
        self.__self__ = instance
        functools.update_wrapper(self, function.python_function)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return self.__func__(self.__self__, *args, **kwargs)
        except Exception as error:
            raise cut(error)  # noqa: B904 - its cause is kept

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The trace of the method of this instance for these arguments."""
        return self.__func__.get_concrete_function(self.__self__, *args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__func__, name)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Method):
            return NotImplemented
        same = other.__self__ is self.__self__
        return same and other.__func__ is self.__func__

    def __hash__(self) -> int:
        return hash((id(self.__self__), id(self.__func__)))

    def __repr__(self) -> str:
        return f"<bound {self.__func__!r} of {self.__self__!r}>"
