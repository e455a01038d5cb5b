"""Operators of a Tensor: Python's, which become nodes, and those that are refused.

What an operator means is NumPy's affair (`runtime.numpy_api`); this says which methods
Python calls for it. A Python number or list on the left reaches the reflected method,
an ndarray reaches `__array_ufunc__`.
"""

from __future__ import annotations

import importlib
import operator
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, NoReturn

import numpy as np

from runtime import swallowed
from runtime.errors import PythonTypeError, located
from runtime.foreign import is_foreign
from runtime.library_spec import LibrarySpec
from runtime.location import user_frame
from runtime.operator_words import (
    BINARY,
    ORDERS,
    is_like_array,
    is_ours,
    is_written,
    may_answer,
    operation_of,
    refuse_elements,
)
from runtime.spec import OBJECT_TYPES, PYTHON_NUMBERS, object_type
from runtime.structs import struct

Operand = (bool, int, float, complex, np.ndarray, np.generic, list, tuple, range)


@struct(eq=False)
class NumpyApi:
    """NumPy's functions and Python's operators on tensors: `runtime.numpy_api`.

    They are built on tensors, so they come here by registration, not by import.
    """

    getitem: Callable[[Any, Any], Any]
    layout: Callable[[Any], Any]
    set_item: Callable[[Any, Any, Any], None]
    call_ufunc: Callable[[np.ufunc, str, tuple[Any, ...], dict[str, Any]], Any]
    call_function: Callable[[Callable[..., Any], tuple[Any, ...], dict[str, Any]], Any]
    attribute: Callable[[Any, str], Any]
    set_attribute: Callable[[Any, str, Any], None]
    operate: Callable[..., Any]
    operate_in_place: Callable[[str, Any, Any], Any]
    array: Callable[[Any], Any]
    view: Callable[..., Any]
    part_made: Callable[[Any], Any]
    length: Callable[[Any], Any]
    text: Callable[[Any], str]
    raise_as_python: Callable[..., None]
    note_unconverted: Callable[[FrameType, FrameType | None], None]


class _Later:
    """Loads `runtime.numpy_api`, which registers itself, when it is first asked for.

    Only a trace needs it: it is a third of what `import autograph` would cost.
    """

    def __getattr__(self, name: str) -> Any:
        importlib.import_module("runtime.numpy_api")
        return getattr(numpy_api, name)


numpy_api: Any = _Later()  # a NumpyApi once that is loaded


def set_numpy_api(made: NumpyApi) -> None:
    """Tell tensors what NumPy's functions mean for them (done once)."""
    global numpy_api
    numpy_api = made


def _operand(self: Any, other: Any) -> Any:
    """What stands beside the tensor, as NumPy takes it; NotImplemented for others."""
    if self.spec.weak and isinstance(other, _NUMBERS) and not _is_known(type(other)):
        # Beside a Python number, one of a subclass (an IntEnum) is what C's `+` takes.
        base: Any = next(kind for kind in _NUMBERS if isinstance(other, kind))
        return base.__pos__(other)
    if isinstance(other, (Operators, *Operand)) or is_foreign(other):
        return other
    if self.scalar and type(other) in OBJECT_TYPES:
        return other
    if self.scalar and object_type(self.spec) is not None:
        # Python's own operators say what they take, but for another's own methods.
        return other if type(other).__module__ == "builtins" else NotImplemented
    dtype = self.spec.dtype
    if type(other) in _TEXT and (dtype is None or dtype.kind in "UST"):
        return _TEXT[type(other)](other)
    if hasattr(type(other), "refuse_in_array") and not self.spec.weak:
        other.refuse_in_array()
    return numpy_api.array(other) if is_like_array(type(other)) else NotImplemented


_NUMBERS = (int, float, complex)


def _is_known(kind: type) -> bool:
    return kind in PYTHON_NUMBERS or issubclass(kind, np.generic)


_TEXT: dict[type, Callable[[Any], Any]] = {str: np.str_, bytes: np.bytes_}


def _refused(
    operation: Callable[..., Any], self: Any, other: Any, word: str, swap: bool = False
) -> Any:
    """Python's own refusal of `self` and `other`; NotImplemented where it has none.

    word: of the method by which the other one may answer
    """
    kind = type(other)
    if is_ours(kind):
        return NotImplemented
    if may_answer(kind, word):
        refuse_elements(self, kind)
        return NotImplemented
    numpy_api.raise_as_python(operation, *((other, self) if swap else (self, other)))
    return NotImplemented


def _compared(word: str, mirrored: str) -> Callable[[Any, Any], Any]:
    operation = getattr(operator, f"__{word}__")
    other_way = getattr(operator, f"__{mirrored}__")

    def compared(self: Any, other: Any) -> Any:
        operand = _operand(self, other)
        if operand is not NotImplemented:
            return numpy_api.operate(word, self, operand)
        if is_written(ORDERS[mirrored], sys._getframe(1)):
            return _refused(other_way, self, other, mirrored, swap=True)
        return _refused(operation, self, other, word)

    return compared


def _forward(word: str) -> Callable[[Any, Any], Any]:
    operation = operation_of(word)

    def forward(self: Any, other: Any) -> Any:
        operand = _operand(self, other)
        if operand is NotImplemented:
            return _refused(operation, self, other, word)
        return numpy_api.operate(word, self, operand)

    return forward


def _reflected(word: str) -> Callable[[Any, Any], Any]:
    def reflected(self: Any, other: Any) -> Any:
        asking = sys._getframe(1)
        return operate_reflected(
            word, self, other, lambda: is_written(f"{BINARY[word]}=", asking)
        )

    return reflected


def operate_reflected(
    word: str, self: Any, other: Any, in_place: Callable[[], bool]
) -> Any:
    """`other op self`, whose left operand has no say.

    in_place: whether it is written as `other op= self`, which Python's refusals name
    """
    operand = _operand(self, other)
    if operand is NotImplemented:
        operation = operation_of(f"i{word}" if in_place() else word)
        return _refused(operation, self, other, word, swap=True)
    return numpy_api.operate(word, operand, self, in_place=in_place)


def _equality(word: str) -> Callable[[Any, Any], Any]:
    def equality(self: Any, other: Any) -> Any:
        operand = _operand(self, other)
        if operand is not NotImplemented:
            return numpy_api.operate(word, self, operand)
        kind = type(other)
        own: Any = kind.__eq__
        plain = own is object.__eq__ and not hasattr(kind, "__array_ufunc__")
        if not plain and not is_ours(kind):
            refuse_elements(self, kind)
        if self.scalar:
            is_numpys = kind in _TEXT and not self.spec.weak
            return np.bool_(word == "ne") if is_numpys else NotImplemented
        others = is_ours(kind) or kind is range
        if others or not (plain or kind.__module__ == "builtins"):
            return NotImplemented
        # NumPy asks each element; Python would say that the tensor is another object.
        differs = (self, word == "ne")
        made = numpy_api.call_function(np.full_like, differs, {"dtype": bool})
        return made[()] if self.spec.rank == 0 else made

    return equality


def _yes() -> bool:
    return True


def _in_place(word: str) -> Callable[[Any, Any], Any]:
    operation = operation_of(f"i{word}")

    def in_place(self: Any, other: Any) -> Any:
        operand = _operand(self, other)
        if self.scalar:
            if operand is NotImplemented:
                return _refused(operation, self, other, word)
            return numpy_api.operate(word, self, operand, in_place=_yes)
        if operand is NotImplemented:
            done = getattr(type(other), "_ag_put_into", None)
            if done is not None:
                return done(other, operation, self)
            return _refused(operation, self, other, f"i{word}")
        made = numpy_api.operate_in_place(word, self, operand)
        return self if made is None else made

    return in_place


def _unary(word: str) -> Callable[[Any], Any]:
    def unary(self: Any) -> Any:
        return numpy_api.operate(word, self)

    return unary


class Operators:
    """The operators of a Tensor; a base of that one class only."""

    __slots__ = ()

    __add__ = _forward("add")
    __radd__ = _reflected("add")
    __iadd__ = _in_place("add")
    __sub__ = _forward("sub")
    __rsub__ = _reflected("sub")
    __isub__ = _in_place("sub")
    __mul__ = _forward("mul")
    __rmul__ = _reflected("mul")
    __imul__ = _in_place("mul")
    __truediv__ = _forward("truediv")
    __rtruediv__ = _reflected("truediv")
    __itruediv__ = _in_place("truediv")
    __floordiv__ = _forward("floordiv")
    __rfloordiv__ = _reflected("floordiv")
    __ifloordiv__ = _in_place("floordiv")
    __mod__ = _forward("mod")
    __rmod__ = _reflected("mod")
    __imod__ = _in_place("mod")
    __divmod__ = _forward("divmod")
    __rdivmod__ = _reflected("divmod")
    __pow__ = _forward("pow")
    __rpow__ = _reflected("pow")
    __ipow__ = _in_place("pow")
    __matmul__ = _forward("matmul")
    __rmatmul__ = _reflected("matmul")
    __imatmul__ = _in_place("matmul")
    __and__ = _forward("and")
    __rand__ = _reflected("and")
    __iand__ = _in_place("and")
    __or__ = _forward("or")
    __ror__ = _reflected("or")
    __ior__ = _in_place("or")
    __xor__ = _forward("xor")
    __rxor__ = _reflected("xor")
    __ixor__ = _in_place("xor")
    __lshift__ = _forward("lshift")
    __rlshift__ = _reflected("lshift")
    __ilshift__ = _in_place("lshift")
    __rshift__ = _forward("rshift")
    __rrshift__ = _reflected("rshift")
    __irshift__ = _in_place("rshift")
    __lt__ = _compared("lt", "gt")
    __le__ = _compared("le", "ge")
    __eq__ = _equality("eq")
    __ne__ = _equality("ne")
    __gt__ = _compared("gt", "lt")
    __ge__ = _compared("ge", "le")
    __neg__ = _unary("neg")
    __pos__ = _unary("pos")
    __abs__ = _unary("abs")
    __invert__ = _unary("invert")

    def __hash__(self) -> int:
        if not self.scalar:  # type: ignore[attr-defined] # a Tensor has it
            raise TypeError("unhashable type: 'numpy.ndarray'")
        raise located(
            PythonTypeError(
                "a value that is known only when the graph runs is put into a set or "
                "is the key of a dict"
            ),
            "Use a list or an array; np.unique tells values apart.",
        )

    def __str__(self) -> str:
        return numpy_api.text(self)

    def __format__(self, spec: str) -> str:
        if spec:
            refuse("the text of this tensor", "made")
        return str(self)

    # What follows from the shape and the dtype.

    @property
    def size(self: Any) -> Any:
        """The number of elements: an int, or a staged int."""
        if isinstance(self.spec, LibrarySpec):
            return numpy_api.attribute(self, "size")
        total: Any = 1
        for length in self.shape:
            total = total * length
        return total

    @property
    def itemsize(self: Any) -> int:
        """Bytes of one element."""
        return self.dtype.itemsize

    @property
    def nbytes(self: Any) -> Any:
        """Bytes of all elements."""
        return self.size * self.itemsize

    # What needs the value itself, which a trace does not have.

    def __bool__(self) -> bool:
        asking = sys._getframe(1)
        numpy_api.note_unconverted(asking, user_frame(asking))
        refuse("the truth value of this tensor", "a bool")

    def __int__(self) -> int:
        refuse("the value of this tensor", "an int")

    def __index__(self) -> int:
        refuse("the value of this tensor", "an index")

    def __float__(self) -> float:
        refuse("the value of this tensor", "a float")

    def __complex__(self) -> complex:
        refuse("the value of this tensor", "a complex")

    def __array__(self, *_: Any, **__: Any) -> np.ndarray[Any, Any]:
        refuse("the value of this tensor", "an ndarray")


def require_attribute(tensor: Any, name: str) -> None:
    """Raise Python's AttributeError for what a text has not, but an array has."""
    kind = object_type(tensor.spec) if tensor.scalar else None
    if kind is not None and not hasattr(kind, name):
        raise AttributeError(f"'{kind.__name__}' object has no attribute '{name}'")


def no_items(tensor: Any) -> str:
    """What Python says of an iteration over a tensor without dims."""
    if not tensor.scalar:
        return "iteration over a 0-d array"
    spec, is_text = tensor.spec, object_type(tensor.spec) is not None
    if is_text or (spec.dtype is not None and spec.dtype.names):
        what = "how many characters this text has" if is_text else "what a record holds"
        refuse(what, "gone through")
    kind = spec.python_type.__name__ if spec.weak else f"numpy.{spec.dtype}"
    return f"'{kind}' object is not iterable"


def refuse(what: str, wanted: str) -> NoReturn:
    """Raise for `what`, which a trace does not have, where it is `wanted`."""
    words = f"{what} is known only when the graph runs, so it cannot be {wanted} "
    error = located(PythonTypeError(words + "while tracing"), _CONVERTED)
    swallowed.note(error)
    raise error


def say_as_it_is(error: BaseException) -> None:
    """Give an error of a function that is traced as it is the remedy for that."""
    notes = getattr(error, "__notes__", [])
    notes[:] = [note.replace(_CONVERTED, _AS_IT_IS) for note in notes]


_CONVERTED = (
    "Only converted code can depend on it: no function that is marked with "
    "@ag.do_not_convert, has no source, belongs to a library, or is called by one."
)
_AS_IT_IS = (
    "The function is traced as it is: decorate it with autograph=True, the default, "
    "and an `if`, `while` or `for` may depend on it."
)
