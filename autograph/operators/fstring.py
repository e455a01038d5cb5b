"""f_string, formatted, percent: text, made by each run when a tensor is in it."""

from __future__ import annotations

import dataclasses
import math
import operator
from collections.abc import Callable
from functools import partial
from typing import Any

from autograph.operators import objects
from autograph.operators.own_texts import in_format, shown, text
from autograph.operators.slots import call, slot
from autograph.rules import why_module
from runtime import build
from runtime import objects as run_time
from runtime.formatting import format_value, join_parts
from runtime.objects import BYTES, TEXT, Method, Result
from runtime.ops.template import fill, remade
from runtime.ops.world import host_call
from runtime.tensor import Tensor
from tracer import caught
from tracer.choice import Choice, options_of, varying
from tracer.item_type import settled
from tracer.joining import MOST_TEXTS
from tracer.list_objects import wholes
from tracer.opened import opened
from tracer.picking import holds_choice, over
from tracer.tree import flatten_to_choices, holds_tensor
from tracer.varied import with_all


def staged(
    function: Callable[..., Any], result: Result, *args: Any, **kwargs: Any
) -> Any:
    """`function(*args, **kwargs)`, at each run if an argument holds a tensor."""
    args, kwargs = opened((args, kwargs), objects=True)
    if any(varying(arg) is not None for arg in args):
        return with_all(args, partial(staged, function, result, *args, **kwargs))
    if holds_choice(args, kwargs):
        args, kwargs = with_few_choices((args, kwargs))
    if holds_choice(args, kwargs):
        return over(partial(staged, function, result), *args, **kwargs)
    args, kwargs = caught.shown((args, kwargs))
    if holds_tensor((args, kwargs)):
        args, kwargs = wholes((args, kwargs))
        return run_time.call(function, result, *args, **kwargs)
    if build.current() is not None:
        args, kwargs = remade((args, kwargs))
    return function(*args, **kwargs)


def is_of_run(whole: Any) -> bool:
    """Whether a text with this in it is made by each run."""
    return holds_tensor(opened(whole, objects=True))


def with_few_choices(whole: Any) -> Any:
    """Choices of texts as texts of the run, where there are many combinations."""
    leaves = flatten_to_choices(whole)[0]
    counts = [len(options_of(leaf)) for leaf in leaves if type(leaf) is Choice]
    return settled(whole) if math.prod(counts) > MOST_TEXTS else whole


def staged_or_plain(function: Callable[..., str], *args: Any, **kwargs: Any) -> Any:
    """`function(*args, **kwargs)`, which gives a text."""
    args = opened(args)
    if function in (str, repr) and len(args) == 1:
        made = text_of_parts(args[0])
        if made is not None:
            return made
    return staged(function, TEXT, *args, **kwargs)


def formatted(value: Any, conversion: int, spec: Any) -> Any:
    """`{value!conversion:spec}` of an f-string."""
    value = opened(value)
    made = text_of_parts(value) if _is_empty(spec) else None
    if made is not None:
        value, conversion = made, _NONE
    elif not holds_tensor(value):
        # Of one that holds tensors each run makes the text, with what it has then.
        made = in_format(value, spec) if conversion == _NONE else None
        if made is not None:
            return made
        value, conversion = _as_text(value, conversion, spec)
    return staged_or_plain(format_value, value, conversion, spec)


def _as_text(value: Any, conversion: int, spec: Any) -> tuple[Any, int]:
    """An object of the user's as the text that its methods make of it."""
    made = value
    if conversion == ord("r"):
        made = shown(value)
    elif conversion == ord("s") or (conversion == _NONE and _is_empty(spec)):
        made = text(value)
    return made, conversion if made is value else _NONE


def text_of_parts(value: Any) -> Any:
    """What is made of the texts of what is in it; None for what makes its own."""
    if type(value) in _BRACKETS:
        return _display_text(value) if build.current() and _holds_own(value) else None
    return record_text(value) if holds_tensor(value) else None


_BRACKETS: dict[type, tuple[str, str]] = {
    list: ("[", "]"),
    tuple: ("(", ")"),
    dict: ("{", "}"),
}


def _holds_own(value: Any, around: tuple[Any, ...] = ()) -> bool:
    """Whether a list, tuple or dict holds an object of which a user wrote the text."""
    kind = type(value)
    if kind not in _BRACKETS:
        return slot(kind, "__repr__") is not None
    if any(value is one for one in around):
        return False
    parts = value.values() if kind is dict else value
    return any(_holds_own(part, (*around, value)) for part in parts)


def _display_text(value: Any) -> Any:
    """The text that Python makes of a list, tuple or dict."""
    start, end = _BRACKETS[type(value)]
    parts: list[Any] = []
    for part in value.items() if type(value) is dict else value:
        pair = part if type(value) is dict else (part,)
        texts = [formatted(one, ord("r"), "") for one in pair]
        parts += [", " if parts else "", *texts[:1]]
        parts += [": ", *texts[1:]] if len(texts) > 1 else []
    comma = "," if type(value) is tuple and len(value) == 1 else ""
    return f_string(start, *parts, comma, end)


def record_text(value: Any) -> Any:
    """What the `__repr__` that `dataclass` writes gives; None for other objects."""
    kind = type(value)
    home = next((base for base in kind.__mro__ if "__repr__" in vars(base)), object)
    function = getattr(vars(home)["__repr__"], "__wrapped__", None)
    code = getattr(function, "__code__", None)
    written = getattr(code, "co_filename", "") == "<string>"
    if not written or why_module(kind.__module__) is not None:
        return None
    parts: list[Any] = []
    for field in dataclasses.fields(home):
        if field.repr:
            held = formatted(getattr(value, field.name), ord("r"), "")
            parts += [", " if parts else "", f"{field.name}=", held]
    return f_string(f"{kind.__qualname__}(", *parts, ")")


def _is_empty(spec: Any) -> bool:
    """True for a format that is known to be none; one of the run may be."""
    return type(spec) is str and not spec


# The conversion of `{value}`.
_NONE = -1


def f_string(*parts: Any) -> Any:
    """The parts of an f-string as one text."""
    if len(parts) == 1:
        return parts[0]
    return staged_or_plain(join_parts, *parts)


def percent(left: Any, right: Any) -> Any:
    """`left % right`, of which the left side may be a text."""
    if type(left) is Choice:
        return objects.of_each(percent, left, right)
    if varying(left) is not None:
        return with_all((left, right), lambda: percent(left, right))
    if type(left) in TEXTS:
        return staged(operator.mod, TEXTS[type(left)], left, right)
    return objects.binary(left, "%", right)


TEXTS: dict[type, Result] = {str: TEXT, bytes: BYTES}


def text_method(function: Method, *args: Any, **kwargs: Any) -> Any:
    """A method of a text, or with arguments, that are known only at the run."""
    if function.__name__ == "join" and len(args) == 1:
        # A list, since an iterator does not show what is in it.
        args = (items_of(args[0]),)
    return staged(
        function.function, function.result, function.__self__, *args, **kwargs
    )


def items_of(parts: Any) -> Any:
    """What a text joins, in a list."""
    return parts if type(parts) in (list, tuple) else call(list, parts)


def method(function: Any, *args: Any, **kwargs: Any) -> Any:
    """A method of a plain text with arguments that hold tensors."""
    found = run_time.method(function.__self__, function.__name__)
    return text_method(found, *args, **kwargs)


def symbolic(part: Any) -> Any:
    """What is printed while tracing: of a text, one of the tensors it is made of."""
    frame = build.current()
    if frame is None or not run_time.is_object(part):
        return part
    made = [node for node in frame.nodes if part.value in node.outputs]
    if not made or made[0].op is not host_call:
        return part
    attributes = made[0].attributes
    inputs = tuple(symbolic(Tensor(value)) for value in made[0].inputs)
    args, kwargs = fill((attributes["args"], attributes["kwargs"]), inputs)
    return attributes["function"](*args, **kwargs)
