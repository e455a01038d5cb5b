"""Calls: `ag__.converted_call(f, (args), {keywords})`, so that callees are converted.

`super()` gets the arguments that Python finds by itself only in a method's own frame;
what looks at the names of the frame that calls it (`locals()` and the like) stays as it
is, and makes a function Python's: in a graph's there are names of ours beside them.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.converters.context import Context
from autograph.syntax import expression, literal

# They read or need the frame of their caller, which must be the user's.
FRAME_READERS = frozenset({"locals", "globals", "vars", "dir", "eval", "exec"})

# Those that may be asked of an object.
_ASKED = frozenset({"vars", "dir"})

# They may stop in a debugger, which looks at the frame of its caller.
STOPS = frozenset({"breakpoint", "set_trace"})


def convert(context: Context, node: gast.Call) -> gast.expr:
    """`f(a, *b, k=c, **d)`."""
    name = node.func.id if isinstance(node.func, gast.Name) else None
    if name == "super" and not node.args and context.first_parameter:
        return expression("super(__class__, SELF)", node, SELF=context.first_parameter)
    of_frame = name in FRAME_READERS and not (name in _ASKED and node.args)
    if of_frame and name != "globals":
        node = context.inside(node)
        node.func = expression("ag__.frame_reader(FUNCTION)", node, FUNCTION=node.func)
        return node
    if of_frame or name == "super":
        return context.inside(node)
    if (name or getattr(node.func, "attr", None)) in STOPS:
        return _stop(context, node)
    called = _callee(context, node.func)
    starred = any(isinstance(part, gast.Starred) for part in node.args) or any(
        keyword.arg is None for keyword in node.keywords
    )
    operator = "starred_call" if starred else "converted_call"
    arguments: list[Any] = [context.expression(argument) for argument in node.args]
    whole = "(ARGUMENTS,)" if arguments else "()"
    if len(arguments) == 1 and isinstance(arguments[0], gast.Starred):
        # Python's message is another one where nothing stands beside the star.
        whole, arguments = "ARGUMENTS", [arguments[0].value]
    return expression(
        f"ag__.{operator}(FUNCTION, {whole}, KEYWORDS)",
        node,
        FUNCTION=called,
        KEYWORDS=_keywords(context, node),
        **({"ARGUMENTS": arguments} if arguments else {}),
    )


def _stop(context: Context, node: gast.Call) -> gast.expr:
    """A call of what may be a debugger, from a frame that knows the local names."""
    node = context.inside(node)
    names = sorted(context.analysis.locals)
    shown = "(NAMES,)" if names else "None"
    node.func = expression(
        f"ag__.debugger(FUNCTION, lambda: {shown})",
        node,
        FUNCTION=node.func,
        **({"NAMES": names} if names else {}),
    )
    return node


def _callee(context: Context, node: Any) -> gast.expr:
    """What is called; a method is no array, but what it is a method of may be one.

    `thing.__class__(...)` is no method, and of a choice of objects a choice of classes.
    """
    plain = isinstance(node, gast.Attribute) and node.attr != "__class__"
    if not plain or node.attr in context.computed:
        return context.expression(node)
    node.value = context.expression(node.value)
    return node


def _keywords(context: Context, node: Any) -> list[gast.expr]:
    if not node.keywords:
        return []
    values = [context.expression(keyword.value) for keyword in node.keywords]
    names = [literal(keyword.arg, keyword.value) for keyword in node.keywords]
    if any(keyword.arg is None for keyword in node.keywords):
        # Each with its name, and None before what two stars spread.
        pairs = [
            expression("(NAME, VALUE)", value, NAME=name, VALUE=value)
            for name, value in zip(names, values, strict=True)
        ]
        return [expression("(PAIRS,)", node, PAIRS=pairs)]
    return [gast.copy_location(gast.Dict(names, values), node)]
