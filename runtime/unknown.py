"""unknown: objects of which only the run knows what they are.

An argument of an exception that an operation raises (`e.args[0]`) is text as a rule;
what the program has raised in the same `try` may hold anything. A graph can print such
an object, compare it or give it back. What it is, and so what can be asked of it, is
refused: Python does it.
"""

from __future__ import annotations

from typing import Any, NoReturn

from runtime.errors import PythonTypeError, located
from runtime.spec import TensorSpec


def is_unknown(thing: Any) -> bool:
    """True for the tensor of an object that may be of any class."""
    spec = getattr(thing, "spec", None)
    if type(spec) is not TensorSpec or spec.shape != () or spec.kinds:
        return False
    return spec.dtype == object


def require_class(thing: Any) -> None:
    """PythonTypeError: `thing` may be of any class."""
    if is_unknown(thing):
        refuse("the class of an argument of this exception")


def refuse(what: str) -> NoReturn:
    """PythonTypeError: only the run knows it."""
    raise located(
        PythonTypeError(
            f"{what} is known only when the graph runs, since an operation raises it"
        ),
        "It can be printed, be part of a text, be raised again and be returned; "
        "catch a narrower type, or raise an exception of your own for more.",
    )
