"""Operators on objects of the user's classes: their methods are called converted.

`a + b`, `-a`, `a < b`, `if a:`, `len(a)`, `str(a)`: the methods are asked in Python's
order, the reflected one of a subclass first. Where no operand has a method of the
user's, the operator is Python's own.
"""

from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from autograph.operators import dicts, indices
from autograph.operators.own_texts import in_format, shown, text, type_name
from autograph.operators.registry import staging_of
from autograph.operators.slots import call, slot
from runtime import kinds
from runtime.errors import StagingTypeError, located
from runtime.numpy_api import library
from runtime.ops.basic import cast
from runtime.ops.world import python_call
from runtime.scalar_operators import plainly
from runtime.spec import of_kinds
from runtime.tensor import Tensor
from tracer.choice import Choice, each, varying
from tracer.dict_objects import is_keyed
from tracer.frozen import same_object
from tracer.iterated import Iterated
from tracer.list_objects import of_display
from tracer.places import CONTAINERS, created
from tracer.varied import with_all

Operation = Callable[[Any, Any], Any]

# The word in the source, the name of the method, and Python's own.
BINARY: dict[str, tuple[str, Operation]] = {
    "+": ("add", operator.add),
    "-": ("sub", operator.sub),
    "*": ("mul", operator.mul),
    "/": ("truediv", operator.truediv),
    "//": ("floordiv", operator.floordiv),
    "%": ("mod", operator.mod),
    "**": ("pow", operator.pow),
    "@": ("matmul", operator.matmul),
    "&": ("and", operator.and_),
    "|": ("or", operator.or_),
    "^": ("xor", operator.xor),
    "<<": ("lshift", operator.lshift),
    ">>": ("rshift", operator.rshift),
    "divmod": ("divmod", divmod),
}
UNARY: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "-": ("neg", operator.neg),
    "+": ("pos", operator.pos),
    "~": ("invert", operator.invert),
}
# With the method of the operand on the right.
COMPARISONS: dict[str, tuple[str, str, Operation]] = {
    "==": ("__eq__", "__eq__", operator.eq),
    "!=": ("__ne__", "__ne__", operator.ne),
    "<": ("__lt__", "__gt__", operator.lt),
    "<=": ("__le__", "__ge__", operator.le),
    ">": ("__gt__", "__lt__", operator.gt),
    ">=": ("__ge__", "__le__", operator.ge),
}
IN_PLACE = {f"i{name}": word for word, (name, _) in BINARY.items()}


def binary(left: Any, word: str, right: Any) -> Any:
    """`left word right`, as in `a + b`."""
    if varying(left) is not None or varying(right) is not None:
        return with_all((left, right), lambda: binary(left, word, right))
    if type(left) is Choice or type(right) is Choice:
        return of_each(lambda a, b: binary(a, word, b), left, right)
    name, plain = BINARY[word]
    if is_keyed(left) or is_keyed(right):
        return dicts.operate(word, plain, left, right)
    forward, backward = f"__{name}__", f"__r{name}__"
    if not (slot(type(left), forward) or slot(type(right), backward)):
        if library.meet(left, right):
            return library.operate(name, left, right)
        made = of_display(plainly(name)(left, right))
        return created(made) if isinstance(made, CONTAINERS) else made
    same = type(left) is type(right)
    left = _as_seen_by(left, right)
    for method, of, other in _asked(left, forward, right, None if same else backward):
        result = _ask(method, of, other)
        if result is not NotImplemented:
            return result
    raise _unsupported(_SHOWN.get(word, word), left, right)


_SHOWN = {"**": "** or pow()", "divmod": "divmod()"}


def _unsupported(word: str, left: Any, right: Any) -> TypeError:
    kinds = f"'{type_name(left)}' and '{type_name(right)}'"
    return TypeError(f"unsupported operand type(s) for {word}: {kinds}")


def _asked(
    left: Any, forward: str, right: Any, backward: str | None
) -> Iterator[tuple[str, Any, Any]]:
    """(method, its object, the other operand), in the order in which Python asks."""
    first, second = (forward, left, right), (backward, right, left)
    if backward is None:
        yield first
    elif _takes_precedence(type(right), type(left), backward):
        yield from (second, first)  # type: ignore[misc] # the pairs are of one type
    else:
        yield from (first, second)  # type: ignore[misc] # the pairs are of one type


def _takes_precedence(right: type, left: type, backward: str) -> bool:
    """Whether the right operand is asked first: of a subclass, with its own method.

    Also beside a list and the like, whose `+` comes after all methods for numbers.
    """
    if issubclass(left, (list, tuple, str, bytes, bytearray)):
        return True
    own = getattr(right, backward, None)
    return (
        left is not right
        and issubclass(right, left)
        and own is not getattr(left, backward, None)
    )


def _ask(name: str, of: Any, other: Any) -> Any:
    users = slot(type(of), name)
    if users is not None:
        return call(users, of, other)
    method: Any = getattr(type(of), name, NotImplemented)  # None bars it: it is called
    return NotImplemented if method is NotImplemented else method(of, other)


def _as_seen_by(other: Any, of: Any) -> Any:
    """A tensor as NumPy hands it to a method of an object on its right.

    Without a say in NumPy's arithmetic the object stands in an array of objects, so it
    meets Python numbers.
    """
    kind = type(of)
    if not isinstance(other, Tensor) or other.spec.weak:
        return other
    if hasattr(kind, "__array_ufunc__") or hasattr(kind, "__array_priority__"):
        return other
    if not other.scalar:
        raise located(
            StagingTypeError(
                f"NumPy makes an array of objects of an array and a {kind.__name__}, "
                "which no graph can hold"
            ),
            "Give the class `__array_ufunc__ = None`, so that its method is called.",
        )
    found = [(_PYTHONS[dtype.kind], True) for dtype, _ in other.spec.kinds]
    if found:
        return python_call(other, function=_python, result=of_kinds((), found))
    return cast(other, dtype=_PYTHONS[other.dtype.kind], weak=True)


def _python(number: Any) -> Any:
    return number.item() if isinstance(number, np.generic) else number


_PYTHONS = {
    "b": np.dtype(bool),
    "i": np.dtype(int),
    "u": np.dtype(int),
    "f": np.dtype(float),
    "c": np.dtype(complex),
}


def of_each(operation: Operation, left: Any, right: Any) -> Any:
    """`operation(left, right)` of the options that the operands are."""
    if type(left) is Choice:
        return each(left, lambda option: of_each(operation, option, right))
    if type(right) is Choice:
        return each(right, lambda option: of_each(operation, left, option))
    return operation(left, right)


def unary(word: str, operand: Any) -> Any:
    """`-operand`, `+operand`, `~operand`."""
    if type(operand) is Choice:
        return each(operand, lambda option: unary(word, option))
    name, plain = UNARY[word]
    function = slot(type(operand), f"__{name}__")
    return plain(operand) if function is None else call(function, operand)


def compared(left: Any, word: str, right: Any) -> Any:
    """`left word right` for a comparison, not a chain of them."""
    if type(left) is Choice or type(right) is Choice:
        return of_each(lambda a, b: compared(a, word, b), left, right)
    forward, backward, _ = COMPARISONS[word]
    if library.meet(left, right):
        return library.operate(forward.strip("_"), left, right)
    if not (_compares(type(left), forward) or _compares(type(right), backward)):
        own: Any = type(left).__eq__
        if word in ("==", "!=") and own is object.__eq__:
            same_object(left, right)
        return plainly(forward.strip("_"))(left, right)
    kinds = type(left), type(right)
    left = _as_seen_by(left, right)
    first, second = (forward, left, right), (backward, right, left)
    if kinds[0] is not kinds[1] and issubclass(kinds[1], kinds[0]):
        first, second = second, first
    for method, of, other in (first, second):
        result = _compare(method, of, other)
        if result is not NotImplemented:
            return result
    if word in ("==", "!="):
        return same_object(left, right) == (word == "==")
    shown = f"'{type_name(left)}' and '{type_name(right)}'"
    raise TypeError(f"'{word}' not supported between instances of {shown}")


def _compares(kind: type, name: str) -> bool:
    return bool(slot(kind, name) or (name == "__ne__" and _inverts(kind)))


def _inverts(kind: Any) -> bool:
    """Whether `!=` is Python's own, which asks the user's `==`."""
    return kind.__ne__ is object.__ne__ and slot(kind, "__eq__") is not None


def _compare(name: str, of: Any, other: Any) -> Any:
    if name == "__ne__" and _inverts(type(of)):
        result = _ask("__eq__", of, other)
        return result if result is NotImplemented else negated(result)
    return _ask(name, of, other)


def negated(value: Any) -> Any:
    """`not value`."""
    staging = staging_of(value)
    return (not value) if staging is None else staging.not_(value)


def in_place(value: Any, name: str, operand: Any) -> Any:
    """`value op= operand`, as a value; NotImplemented: no method of the user's."""
    word = IN_PLACE[name]
    function = slot(type(value), f"__{name}__")
    if function is not None:
        result = call(function, value, operand)
        if result is not NotImplemented:
            return result
    elif not isinstance(value, Tensor) and hasattr(type(value), f"__{name}__"):
        return NotImplemented  # Python's own comes first, or None that bars it
    method = BINARY[word][0]
    asks = slot(type(value), f"__{method}__") or slot(type(operand), f"__r{method}__")
    if function is None and not asks:
        return NotImplemented
    try:
        return binary(value, word, operand)
    except TypeError as error:
        if str(error) != str(_unsupported(word, value, operand)):
            raise
        raise _unsupported(f"{word}=", value, operand) from None


def asked(value: Any) -> Any:
    """What decides `if value:`: the value, or what the user's method says of it."""
    kind = type(value)
    if kind is bool:
        return value
    function = slot(kind, "__bool__")
    if function is not None:
        return _as_bool(call(function, value))
    if issubclass(kind, Iterated):
        return value.is_true()
    if getattr(kind, "__bool__", None) is None:
        function = slot(kind, "__len__")
        if function is not None:
            return length(value) != 0
    return value


def _as_bool(answer: Any) -> Any:
    """What `__bool__` gave, which Python wants to be a bool."""
    if type(answer) is bool:
        return answer
    if kinds.is_mixed(answer):
        return kinds.split(_as_bool, answer)
    if isinstance(answer, Tensor) and answer.spec.weak and answer.spec.dtype == bool:
        return answer
    shown = type_name(answer)
    raise TypeError(f"__bool__ should return bool, returned {shown}")


def length(of: Any) -> Any:
    """`len(of)` of an object with a `__len__` of the user's."""
    function = slot(type(of), "__len__")
    found = call(function, of)
    if not isinstance(found, Tensor):
        return builtins.len(_Sized(found))
    return cast(found, dtype=np.dtype(int), weak=True)


class _Sized:
    """Has a length that is known, which Python checks."""

    def __init__(self, length: Any) -> None:
        self._length = length

    def __len__(self) -> int:
        return self._length


# Builtins that call a method of their first argument.
_METHODS: dict[Any, str] = {
    abs: "__abs__",
    complex: "__complex__",
    float: "__float__",
    int: "__int__",
    math.ceil: "__ceil__",
    math.floor: "__floor__",
    math.trunc: "__trunc__",
    reversed: "__reversed__",
    round: "__round__",
}
_CALLED: dict[Any, str] = {divmod: "divmod", pow: "**"}
_OPERATIONS: dict[Any, Callable[..., Any]] = {
    **{
        plain: lambda a, b, word=word: binary(a, word, b)
        for word, (_, plain) in BINARY.items()
    },
    **{
        plain: lambda a, b, word=word: compared(a, word, b)
        for word, (_, _, plain) in COMPARISONS.items()
    },
}


def builtin(function: Any, args: tuple[Any, ...]) -> Callable[..., Any] | None:
    """What a call of a builtin becomes when an argument is an object of the user's."""
    if not args:
        return None
    if (by_index := indices.builtin(function, args)) is not None:
        return by_index
    kind = type(args[0])
    if function is len:
        return length if slot(kind, "__len__") else None
    if function is bool:
        return (
            (lambda value: negated(negated(asked(value)))) if _decides(kind) else None
        )
    if function in _TEXTS:
        made = _TEXTS[function](args[0]) if len(args) == 1 else args[0]
        return None if made is args[0] else lambda value: made
    if function in _CALLED and len(args) == 2:
        return _operator(_CALLED[function], *args)
    if function is pow:
        return slot_call(slot(kind, "__pow__"))
    if function is format:
        return in_format if slot(kind, "__format__") else None
    if function in _METHODS:
        return slot_call(slot(kind, _METHODS[function]))
    return _OPERATIONS.get(function)


def _operator(word: str, left: Any, right: Any) -> Operation | None:
    """An operator that is called by name; None where neither has it of the user's."""
    name, _ = BINARY[word]
    own = slot(type(left), f"__{name}__") or slot(type(right), f"__r{name}__")
    return None if own is None else lambda a, b: binary(a, word, b)


def slot_call(function: Any) -> Callable[..., Any] | None:
    """A user's method, to be called converted; None where there is none."""
    return None if function is None else lambda *args: call(function, *args)


def truth(value: Any) -> Any:
    """`bool(value)`."""
    return negated(negated(asked(value)))


def _decides(kind: type) -> bool:
    return bool(slot(kind, "__bool__") or slot(kind, "__len__"))


_TEXTS: dict[Any, Callable[[Any], Any]] = {str: text, repr: shown}
