"""caught_parts: the arguments of an exception that is known only when the graph runs.

What an operation raises holds text as a rule, and what the program raises whatever it
was given; the handler may get either. So the run is asked, and what a graph would have
to know of an argument (a method, a part, its length) is refused: Python does it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from runtime.ops import world
from runtime.ops.control import CAUGHT, CLAUSE
from runtime.spec import TensorSpec
from runtime.tensor import Tensor
from runtime.unknown import refuse

FLAG = TensorSpec((), bool, weak=True)


class ArgumentsOfCaught:
    """The arguments of an exception that is known only when the graph runs."""

    def __init__(self, tensor: Tensor) -> None:
        self._tensor = tensor

    def whole(self) -> Any:
        """The tuple, as a value of the run."""
        return self._ask(lambda error: error.args, CAUGHT)

    def length(self) -> Any:
        """How many there are, a staged int."""
        return self._ask(lambda error: len(error.args), CLAUSE)

    def __getitem__(self, index: Any) -> Any:
        if not isinstance(index, int):
            refuse("a part of the arguments of this exception")
        return self._ask(lambda error: error.args[index], CAUGHT)

    def __iter__(self) -> NoReturn:
        refuse("the number of arguments of this exception")

    def _ask(self, question: Callable[[Any], Any], result: TensorSpec) -> Any:
        return world.python_call(self._tensor, function=question, result=result)

    def _unknown(self, *_: Any) -> NoReturn:
        refuse("what the arguments of this exception hold")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _unknown
    __add__ = __radd__ = __mul__ = __rmul__ = __contains__ = _unknown
    count = index = _unknown
    __hash__ = object.__hash__


def is_instance(part: Any, kinds: Any) -> Any:
    """`isinstance(part, kinds)` of such an argument, a staged bool."""

    def question(found: Any) -> bool:
        return isinstance(found, kinds)

    return world.python_call(part, function=question, result=FLAG)
