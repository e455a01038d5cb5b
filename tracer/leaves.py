"""Leaves: which values a graph can hold, and when two constants are the same."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from runtime.spec import (
    OBJECT_TYPES,
    PYTHON_NUMBERS,
    TensorSpec,
    holds_objects,
    object_type,
    spec_of,
)
from runtime.tensor import Tensor
from tracer import plain, tree


def is_numeric(leaf: Any) -> bool:
    """True for what becomes a tensor: tensors, arrays, NumPy and Python numbers."""
    if isinstance(leaf, Tensor) or type(leaf) in PYTHON_NUMBERS:
        return True
    if isinstance(leaf, (np.ndarray, np.generic)):
        return not holds_objects(leaf.dtype)
    return False


def is_text(leaf: Any) -> bool:
    """True for what a graph can hold as the object that it is: texts, bytes."""
    if isinstance(leaf, Tensor):
        return leaf.scalar and object_type(leaf.spec) is not None
    return type(leaf) in OBJECT_TYPES


def leaf_spec(leaf: Any) -> TensorSpec:
    """The spec of a numeric leaf, or of a text."""
    return leaf.spec if isinstance(leaf, Tensor) else spec_of(leaf)


def a(thing: Any) -> str:
    """The name of its type, with an article.

    >>> a(3), a("text")
    ('an int', 'a str')
    """
    return a_kind(type(thing))


def a_kind(kind: type) -> str:
    """The name of a type, with an article."""
    word = kind.__name__
    return f"an {word}" if word[0] in "aeiouAEIOU" else f"a {word}"


def describe(thing: Any) -> str:
    """What `thing` is, in a user's words, for messages.

    >>> describe({"x": np.zeros(3), "y": (1, None, object())})
    "{'x': float64[3], 'y': (1, None, an object)}"
    """
    leaves, structure = tree.flatten(thing)
    words = [tree.Word(describe_leaf(leaf)) for leaf in leaves]
    return str(tree.unflatten(structure, words))


def describe_leaf(leaf: Any) -> str:
    """A part of a nested structure, in a user's words."""
    if isinstance(leaf, Tensor):
        return describe_spec(leaf.spec)
    if is_numeric(leaf):
        return describe_spec(leaf_spec(leaf)) if hasattr(leaf, "shape") else repr(leaf)
    if isinstance(leaf, TensorSpec) or leaf is None:
        return repr(leaf)
    if isinstance(leaf, str) and len(leaf) < 30:
        return repr(leaf)
    return a(leaf)


def describe_spec(spec: TensorSpec) -> str:
    """A dtype and shape; the Python type of a staged Python number."""
    words = [o.python_type.__name__ if o.weak else repr(o) for o in spec.options]
    return " or ".join(words)


_SAME: dict[type, Callable[[Any, Any], bool]] = {}


def equal_sets(a: Any, b: Any) -> bool:
    """True for two sets, or bytearrays, that hold the same constants in one order."""
    if type(a) is not type(b) or type(a) not in (set, bytearray) or len(a) != len(b):
        return False
    return all(map(same_constant, a, b))


def same_constant(a: Any, b: Any) -> bool:
    """True when two leaves are one object, or constants that nothing tells apart.

    0 and 0.0 and False differ, so do 0.0 and -0.0; NaN is the same as NaN of that sign.
    What is equal and yet another thing (`Decimal("1.0")`, `Decimal("1.00")`) differs.
    """
    if a is b:
        return True
    kind = type(a)
    if kind is not type(b) or isinstance(a, (Tensor, np.ndarray)):
        return False
    if kind.__flags__ & HEAP_TYPE and is_itself_only(a, b):
        return False
    for base in kind.__mro__:
        if base in _SAME:
            return _SAME[base](a, b)
        parts = _PARTS.get(f"{base.__module__}.{base.__name__}")
        if parts is not None:
            first, second = parts(a), parts(b)
            return len(first) == len(second) and all(map(same_constant, first, second))
    if kind.__hash__ is None:
        # A set, or another object that may change: equal now, yet not the same.
        return False
    try:
        return bool(a == b)
    except Exception:
        # An object whose == fails, or gives an array, is the same only as itself.
        return False


# Set on classes that a Python program can make.
HEAP_TYPE = 1 << 9


def is_itself_only(*things: Any) -> bool:
    """True for the user's objects that hold something, which may change.

    What their class takes for equal may hold something else, or be changed alone. One
    that holds nothing yet may be in its `__init__`: a `__hash__` of the user's would
    fail there, or call what has asked.
    """
    kind = type(things[0])
    if plain.is_plain(kind):
        return True
    if plain.is_library(kind.__module__):
        return False
    return type(kind.__hash__) is not _IN_C or any(map(_holds, things))


# What the `__hash__` of a class in C is, and of what inherits it.
_IN_C: Any = type(object.__hash__)


def _holds(thing: Any) -> bool:
    try:
        return any(plain.attributes(thing))
    except Exception:
        # What does not tell its state may have one.
        return True


def _same_number(a: Any, b: Any) -> bool:
    if isinstance(a, np.generic) and a.dtype != b.dtype:
        # A day and its first hour are equal.
        return False
    if isinstance(a, (float, np.floating)):
        alike = a != a and b != b if a != a or b != b else a == b
        return bool(alike) and math.copysign(1, a) == math.copysign(1, b)
    if isinstance(a, (complex, np.complexfloating)):
        return _same_number(a.real, b.real) and _same_number(a.imag, b.imag)
    return bool(a == b)


def _same_dtype(a: Any, b: Any) -> bool:
    same = a == b and a.char == b.char
    return bool(same and (a.metadata or {}) == (b.metadata or {}))


def _ends(one: Any) -> tuple[Any, ...]:
    return one.start, one.stop, one.step


def _moment(one: Any) -> tuple[Any, ...]:
    return one.isoformat(), one.fold, one.tzinfo


# What is equal and yet another thing: by the name of its class, the parts that tell it.
_PARTS: dict[str, Callable[[Any], tuple[Any, ...]]] = {
    "builtins.range": _ends,
    "builtins.slice": _ends,
    "builtins.frozenset": tuple,
    "builtins.tuple": tuple,
    "datetime.datetime": _moment,
    "datetime.time": _moment,
    "datetime.timezone": lambda one: one.__getinitargs__(),
    "decimal.Decimal": lambda one: (str(one),),
    "inspect.Parameter": lambda one: (one.name, one.kind, one.default, one.annotation),
    "inspect.Signature": lambda one: (*one.parameters.values(), one.return_annotation),
    "uuid.UUID": lambda one: (one.int, one.is_safe),
}


def _same_function(a: FunctionType, b: FunctionType) -> bool:
    """True for one `def` or `lambda`, run twice, of which both do the same.

    They have the same variables of the functions around them, not only equal ones.
    """
    if a.__code__ is not b.__code__ or a.__globals__ is not b.__globals__:
        return False
    if vars(a) or vars(b):
        return False
    cells = a.__closure__ or (), b.__closure__ or ()
    named = a.__kwdefaults__ or {}, b.__kwdefaults__ or {}
    defaults = (
        (*(f.__defaults__ or ()), *(kw[name] for name in sorted(kw)))
        for f, kw in zip((a, b), named, strict=True)
    )
    return all(map(operator.is_, *cells)) and all(map(same_constant, *defaults))


_SAME.update(
    {
        **dict.fromkeys((np.generic, float, complex), _same_number),
        **dict.fromkeys((int, str, bytes), operator.eq),
        np.dtype: _same_dtype,
        FunctionType: _same_function,
    }
)
