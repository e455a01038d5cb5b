"""StagedText: text of which parts are known only when the graph runs.

An f-string (or `str`, `.format`, `%`) of a tensor gives one. It may be printed, be the
message of an assertion or exception, be part of another text, and be returned: the text
is made by each run, and so is what str's methods and operators give of it. What would
need its characters at once, as iterating over them, is refused.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from runtime.errors import StagingTypeError, located
from runtime.text_print import textual

_CONVERSIONS: dict[int, Callable[[Any], Any]] = {
    -1: lambda value: value,
    ord("s"): str,
    ord("r"): repr,
    ord("a"): ascii,
}


def format_value(value: Any, conversion: int, spec: str) -> str:
    """`{value!conversion:spec}` of an f-string.

    >>> format_value(1.5, -1, ".3f"), format_value("a", ord("r"), "")
    ('1.500', "'a'")
    """
    return format(_CONVERSIONS[conversion](value), spec)


@textual
@dataclass(frozen=True, slots=True)
class Items:
    """`*of` within a tuple: a list of the run, for as many as it has items."""

    of: Any


def spread(parts: Iterable[Any]) -> Iterator[Any]:
    """The parts, with the items of what is to be spread and is known by now."""
    for part in parts:
        if type(part) is Items and type(part.of) is list:
            yield from part.of
        else:
            yield part


@textual
@dataclass(frozen=True, slots=True)
class Piece:
    """The text that `function(*args, **kwargs)` gives; the arguments hold tensors."""

    function: Callable[..., str]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


@textual
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class StagedText:
    """Plain text and pieces, one after the other."""

    pieces: tuple[str | Piece, ...]

    def text(self) -> str:
        """The whole text, with the arguments as they are now."""
        return "".join(
            piece
            if isinstance(piece, str)
            else piece.function(*spread(piece.args), **piece.kwargs)
            for piece in self.pieces
        )

    def map(self, place: Callable[[Any], Any]) -> StagedText:
        """The same with `place` applied to the pieces' arguments."""
        return StagedText(
            tuple(
                piece
                if isinstance(piece, str)
                else Piece(piece.function, place(piece.args), place(piece.kwargs))
                for piece in self.pieces
            )
        )

    def __add__(self, other: Any) -> StagedText:
        if isinstance(other, StagedText):
            return StagedText((*self.pieces, *other.pieces))
        if isinstance(other, str):
            return StagedText((*self.pieces, other))
        return NotImplemented

    def __radd__(self, other: Any) -> StagedText:
        if isinstance(other, str):
            return StagedText((other, *self.pieces))
        return NotImplemented

    def __repr__(self) -> str:
        return "<text known when the graph runs>"

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise located(
            StagingTypeError(
                "this text holds a tensor, so its characters are known only when the "
                "graph runs"
            ),
            "It can be printed, compared, asked by most of str's methods, be the "
            "message of an assert or raise, and be returned; for more use "
            "ag.py_function.",
        )

    __str__ = __format__ = __hash__ = __bool__ = __len__ = __iter__ = _refuse
    __int__ = __index__ = __float__ = __complex__ = _refuse

    def __eq__(self, other: object) -> Any:
        return _compared(operator.eq, self, other)

    def __ne__(self, other: object) -> Any:
        return _compared(operator.ne, self, other)

    def __lt__(self, other: Any) -> Any:
        return _compared(operator.lt, self, other)

    def __le__(self, other: Any) -> Any:
        return _compared(operator.le, self, other)

    def __gt__(self, other: Any) -> Any:
        return _compared(operator.gt, self, other)

    def __ge__(self, other: Any) -> Any:
        return _compared(operator.ge, self, other)

    def __getitem__(self, key: Any) -> Any:
        return _operate(operator.getitem, self, key)

    def __mul__(self, times: Any) -> Any:
        return _operate(operator.mul, self, times)

    __rmul__ = __mul__

    def __mod__(self, values: Any) -> Any:
        return _operate(operator.mod, self, values)

    def __contains__(self, part: Any) -> bool:
        self._refuse()

    def __getattr__(self, name: str) -> Any:
        if not hasattr(str, name) or name.startswith("__"):
            raise AttributeError(f"'str' object has no attribute '{name}'")
        return _method(self, name) or self._refuse()


def _compared(comparison: Any, text: StagedText, other: Any) -> Any:
    if not isinstance(other, (str, StagedText)):
        return NotImplemented
    return _operate(comparison, text, other)


# What is asked of text, entered by runtime.text_methods, which is built on tensors.
_operate: Callable[..., Any]
_method: Callable[[StagedText, str], Any]


def set_api(operate: Any, method: Any) -> None:
    """Tell what operators and str's methods mean for text that a run makes."""
    global _operate, _method
    _operate, _method = operate, method
