"""What is asked of text that a run makes: its length, characters, case, comparisons.

Each becomes a call of str's own method by the run: of numbers a host call, of text a
piece of another text.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

from runtime import staged_text
from runtime.ops.template import encode
from runtime.ops.world import host_call
from runtime.spec import TensorSpec
from runtime.staged_text import Piece, StagedText
from runtime.tensor import Tensor

_TO_TEXT = """
upper lower title capitalize casefold swapcase strip lstrip rstrip replace center ljust
rjust zfill expandtabs removeprefix removesuffix translate
""".split()
_TO_INT = "find rfind index rindex count".split()
_TO_BOOL = """
startswith endswith isdigit isalpha isalnum isnumeric isspace isupper islower isdecimal
isidentifier istitle isascii isprintable
""".split()

# The type of what each of str's methods gives.
METHODS: dict[str, type] = {
    **dict.fromkeys(_TO_TEXT, str),
    **dict.fromkeys(_TO_INT, int),
    **dict.fromkeys(_TO_BOOL, bool),
}
# Functions of text, and of text and something else.
FUNCTIONS: dict[Callable[..., Any], type] = {
    len: int,
    ord: int,
    int: int,
    float: float,
    operator.eq: bool,
    operator.ne: bool,
    operator.lt: bool,
    operator.le: bool,
    operator.gt: bool,
    operator.ge: bool,
    operator.contains: bool,
    operator.getitem: str,
    operator.mul: str,
    operator.mod: str,
}


def call(function: Callable[..., Any], kind: type, *args: Any, **kwargs: Any) -> Any:
    """`function(*args, **kwargs)`, made by each run: text, or a number of this type."""
    if kind is str:
        return StagedText((Piece(function, args, kwargs),))
    template, inputs = encode((args, kwargs), lambda part: isinstance(part, Tensor))
    positional, named = template
    return host_call(
        *inputs,
        function=function,
        args=positional,
        kwargs=named,
        results=(TensorSpec((), kind, weak=True),),
        writes=False,
    )


def _operate(function: Callable[..., Any], *args: Any) -> Any:
    return call(function, FUNCTIONS[function], *args)


def _method(text: StagedText, name: str) -> Callable[..., Any] | None:
    kind = METHODS.get(name)
    if kind is None:
        return None
    return functools.partial(call, getattr(str, name), kind, text)


staged_text.set_api(_operate, _method)
