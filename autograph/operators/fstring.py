"""f_string, formatted, percent: text, staged when a tensor is in it."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial
from typing import Any

from autograph.operators import objects
from autograph.operators.slots import call, slot
from runtime.errors import StagingTypeError, located
from runtime.staged_text import Piece, StagedText, format_value
from runtime.tensor import Tensor
from tracer.caught import shown
from tracer.choice import varying
from tracer.list_objects import wholes
from tracer.picking import holds_choice, over
from tracer.tree import holds_tensor, map_leaves
from tracer.varied import with_all

Text = str | StagedText
# The methods that give text of their arguments; the others ask about characters.
METHODS: dict[str, Any] = {
    "format": str.format,
    "format_map": str.format_map,
}


def staged_or_plain(function: Callable[..., str], *args: Any, **kwargs: Any) -> Text:
    """`function(*args, **kwargs)`, at each run if an argument holds a tensor."""
    if any(varying(arg) is not None for arg in args):
        made: Text = with_all(args, partial(staged_or_plain, function, *args, **kwargs))
        return made
    if holds_choice(args, kwargs):
        plain: Text = over(partial(staged_or_plain, function), *args, **kwargs)
        return plain
    args, kwargs = shown((args, kwargs))
    if holds_tensor((args, kwargs)):
        # As they are now: an array may be changed before the text is used.
        args, kwargs = map_leaves(_as_it_is, wholes((args, kwargs)))
        return StagedText((Piece(function, args, kwargs),))
    return function(*args, **kwargs)


def _as_it_is(leaf: Any) -> Any:
    if not isinstance(leaf, Tensor):
        return leaf
    if not leaf.scalar and leaf.root.owner:
        # The caller's own memory, which a call changes before its result is put
        # together.
        return leaf.copy()
    return Tensor(leaf.value, scalar=leaf.scalar)


def formatted(value: Any, conversion: int, spec: Text) -> Text:
    """`{value!conversion:spec}` of an f-string."""
    value, conversion = _as_text(value, conversion, spec)
    return staged_or_plain(format_value, value, conversion, spec)


def _as_text(value: Any, conversion: int, spec: Text) -> tuple[Any, int]:
    """An object of the user's as the text that its methods make of it."""
    kind = type(value)
    if holds_tensor(value):
        # Each run makes the text, of an object that holds what it has then.
        return value, conversion
    own = slot(kind, "__format__") if conversion == _NONE else None
    if own is not None:
        return call(own, value, spec), _NONE
    if conversion == ord("r"):
        made = objects.shown(value)
        return made, conversion if made is value else _NONE
    if conversion == ord("s") or (conversion == _NONE and spec == ""):
        made = objects.text(value)
        return made, conversion if made is value else _NONE
    return value, conversion


# The conversion of `{value}`.
_NONE = -1


def f_string(*parts: Text) -> Text:
    """The parts of an f-string as one text."""
    if holds_choice(parts):
        whole: Text = over(f_string, *parts)
        return whole
    pieces: list[str | Piece] = []
    for part in parts:
        pieces += part.pieces if isinstance(part, StagedText) else (part,)
    if any(isinstance(piece, Piece) for piece in pieces):
        return StagedText(tuple(pieces))
    return "".join(pieces)  # type: ignore[arg-type]


def percent(left: Text, right: Any) -> Text:
    """`left % right`."""
    return staged_or_plain(operator.mod, left, right)


def joined(between: str, items: list[Any]) -> Text:
    """`between.join(items)`."""
    return staged_or_plain(str.join, between, items)


def method(function: Any, *args: Any, **kwargs: Any) -> Text:
    """A method of a str with arguments that hold tensors."""
    name = function.__name__
    if name not in METHODS:
        raise located(
            StagingTypeError(
                f"str.{name} gets a value that is known only when the graph runs"
            ),
            "Only f-strings, %, str.format and str.join are made by each run.",
        )
    return staged_or_plain(METHODS[name], function.__self__, *args, **kwargs)
