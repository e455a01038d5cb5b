"""Titles: the first line of a node's box, as near to the user's own line as may be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.graph import Node
from runtime.ops.template import Input
from runtime.text_print import Printer

SHORT = 14  # characters of a constant that is written where it is used
PREVIEW = 24  # most characters of attributes and of a constant's content

_Title = Callable[[Node, Sequence[str], Printer], str]


def title(node: Node, names: Sequence[str], printer: Printer) -> str:
    """What the node does, with the names of its inputs."""
    write = TITLES.get(node.op.name)
    if write is not None:
        return write(node, names, printer)
    call = f"{node.op.name}({', '.join(names)})"
    if node.graphs or not node.attributes:
        return call
    attributes = printer.attributes(node)
    return f"{call} {attributes}" if len(attributes) <= PREVIEW else call


def shortened(text: str, most: int) -> str:
    """`text` in at most that many characters.

    >>> shortened("a long story", 7)
    'a long…'
    """
    return text if len(text) <= most else text[: most - 1] + "…"


def constant_text(value: Any, printer: Printer) -> str | None:
    """The text of a constant that is written where it is used; None for a box.

    Of a number not all digits, if they are many.
    """
    if isinstance(value, float | np.floating) and len(str(value)) > SHORT:
        return f"{value:.5g}…"
    text = str(value) if isinstance(value, np.generic) else printer.literal(value)
    return text if len(text) <= SHORT and not text.startswith("@") else None


def _constant(node: Node, names: Sequence[str], printer: Printer) -> str:
    if node.attributes.get("shared") is True:
        return "array from outside"
    text = " ".join(str(node.attributes["value"]).split())
    return f"constant {shortened(text, PREVIEW)}"


def _item(node: Node, names: Sequence[str], printer: Printer) -> str:
    return f"{names[0]}[{_index(node, names[1:], printer)}]"


def _store(node: Node, names: Sequence[str], printer: Printer) -> str:
    path = node.attributes.get("path", ())
    parts = (", ".join(_part(p, names[2:], printer) for p in step) for step in path)
    places = "".join(f"[{one or '()'}]" for one in parts)
    return f"{names[0]}{places}[{_index(node, names[2:], printer)}] = {names[1]}"


def _call(node: Node, names: Sequence[str], printer: Printer) -> str:
    function = printer.object_name(node.attributes["function"]).removeprefix("@")
    args = node.attributes.get("args")
    kwargs = node.attributes.get("kwargs") or {}
    if args is None:
        return f"{function}({', '.join(names)})"
    return f"{function}({_arguments(args, kwargs, names, printer)})"


def _placeholder(node: Node, names: Sequence[str], printer: Printer) -> str:
    return "not set yet"


def _print(node: Node, names: Sequence[str], printer: Printer) -> str:
    args, kwargs = node.attributes["args"], node.attributes["kwargs"]
    return f"print({_arguments(args, kwargs, names, printer)})"


def _read(node: Node, names: Sequence[str], printer: Printer) -> str:
    return f"read {printer.object_name(node.attributes['variable'])}"


def _assign(node: Node, names: Sequence[str], printer: Printer) -> str:
    return f"{printer.object_name(node.attributes['variable'])} = {names[0]}"


TITLES: dict[str, _Title] = {
    "assign_variable": _assign,
    "constant": _constant,
    "host_call": _call,
    "index": _item,
    "placeholder": _placeholder,
    "print": _print,
    "python_call": _call,
    "read_variable": _read,
    "slice": _item,
    "store": _store,
}


def _arguments(
    args: Sequence[Any], kwargs: Any, names: Sequence[str], printer: Printer
) -> str:
    words = [_part(arg, names, printer) for arg in args]
    words += [f"{key}={_part(arg, names, printer)}" for key, arg in kwargs.items()]
    return ", ".join(words)


def _index(node: Node, names: Sequence[str], printer: Printer) -> str:
    index = node.attributes["index"]
    parts = index if isinstance(index, tuple) else (index,)
    return ", ".join(_part(part, names, printer) for part in parts) or "()"


def _part(part: Any, names: Sequence[str], printer: Printer) -> str:
    """A part of a template, with the names of the inputs in their places."""
    if isinstance(part, Input):
        return names[part.k]
    if isinstance(part, slice):
        ends = [part.start, part.stop, part.step]
        words = ["" if end is None else _part(end, names, printer) for end in ends]
        return ":".join(words[:2] if part.step is None else words)
    if isinstance(part, tuple | list):
        words = [_part(inner, names, printer) for inner in part]
        return (
            f"({', '.join(words)})"
            if isinstance(part, tuple)
            else f"[{', '.join(words)}]"
        )
    return printer.literal(part)
