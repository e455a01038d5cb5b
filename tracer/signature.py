"""Signature: what a trace is made for: the arguments' structure, and per leaf a
TensorSpec (arrays, NumPy scalars) or a Literal (anything else, by value).
"""

from __future__ import annotations

import math
import sys
import weakref
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np

from runtime.foreign import is_foreign
from runtime.spec import ListSpec, TensorSpec, holds_objects, spec_of
from runtime.structs import struct
from runtime.tuple_spec import TupleSpec
from tracer import tree
from tracer.leaves import HEAP_TYPE, is_itself_only, same_constant
from tracer.parameters import Parameters


class Literal:
    """A Python value that is a constant of the trace.

    Equal when nothing tells them apart: 1, 1.0 and True differ, 0.0 and -0.0 too, and
    NaN equals NaN of the same sign. An object of the user's is itself only, whatever
    its class takes for equal, and is held weakly.
    """

    __slots__ = ("_hash", "_is_weak", "_key", "_reference")

    def __init__(self, content: Any) -> None:
        kind = type(content)
        self._is_weak = False
        self._reference: Callable[[], Any] = lambda: content
        key: Any = (kind, content)
        if isinstance(content, (float, complex)):
            key = (kind, repr(content), _signs(content))
        elif kind is slice:
            # Python 3.11 has no hash for it.
            key = (kind, repr(content))
        elif is_told_by_itself(content):
            key = (kind, id(content))
            self._hold_weakly(content)
        self._key = key
        try:
            self._hash = hash(key)
        except TypeError:
            self._key = (kind, id(content))
            self._hash = hash(self._key)

    def _hold_weakly(self, content: Any) -> None:
        try:
            self._reference = weakref.ref(content)
            self._is_weak = True
        except TypeError:
            # Some objects cannot be referred to weakly; those are kept alive.
            pass

    def when_gone(self, method: weakref.WeakMethod[Callable[[], None]]) -> None:
        """Call this when the object is collected."""
        content = self._reference() if self._is_weak else None
        if content is not None:
            self._reference = weakref.ref(content, _caller(method))

    @property
    def content(self) -> Any:
        """The value, or None when it has been collected."""
        return self._reference()

    @property
    def is_weak(self) -> bool:
        """Whether it is an object of the user's, which is not kept alive."""
        return self._is_weak

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Literal):
            return NotImplemented
        if self._key != other._key:
            return False
        # An object that is gone has left its address, and so its key, to others.
        if self._is_weak:
            return self.content is other.content
        return same_constant(self.content, other.content)

    @property
    def is_gone(self) -> bool:
        """True when the object has been collected: no call can pass it again."""
        return self._is_weak and self.content is None

    def __repr__(self) -> str:
        try:
            text = "an object that is gone" if self.is_gone else repr(self.content)
        except Exception:
            # A repr of the user's may fail, and is asked for by warnings.
            text = f"<{type(self.content).__name__} object>"
        text = " ".join(text.split("\n"))
        return text if len(text) <= 60 else f"{text[:57]}..."


def _caller(
    method: weakref.WeakMethod[Callable[[], None]],
    is_finalizing: Callable[[], bool] = sys.is_finalizing,
) -> Callable[[object], None]:
    """Calls the method, but not at the interpreter's end, when modules are gone."""

    def call(_: object) -> None:
        found = None if is_finalizing() else method()
        if found is not None:
            found()

    return call


def _signs(number: complex) -> tuple[float, float]:
    """The signs of its parts, which a NaN does not print."""
    return math.copysign(1.0, number.real), math.copysign(1.0, number.imag)


# How a part lies along each axis of the array that it is a part of: so many elements
# before it and after it, and the step from one of its own to the next; 0: it is one.
Along = tuple[tuple[int, int, int], ...]


@struct
class Whole:
    """An array that arguments are parts of, by their leaves."""

    parts: tuple[tuple[int, Along], ...]


@struct
class Signature:
    """The structure of (args, kwargs) and a TensorSpec or Literal per leaf.

    aliases: for each leaf the first leaf that is the same object
    scalars: for each leaf, whether it is a NumPy scalar rather than an array
    orders:  the keys of each dict, as they were put in: a structure sorts them
    form:    the number of the form of what is outside, among those met
    others:  what is equal and yet another: keys that are no texts or ints (True equals
             1), dtypes of a name of their own (`'q'`) or with metadata
    wholes:  what some of the leaves are parts of, where these overlap: leaves of their
             own, that follow the others
    """

    structure: tree.Structure
    leaves: tuple[TensorSpec | Literal, ...]
    aliases: tuple[int, ...]
    scalars: tuple[bool, ...]
    orders: tuple[tuple[Any, ...], ...] = ()
    form: int = 0
    others: tuple[Any, ...] = ()
    wholes: tuple[Whole, ...] = ()

    @property
    def parts(self) -> frozenset[int]:
        """The leaves that are parts of others."""
        return frozenset(i for whole in self.wholes for i, _ in whole.parts)

    @property
    def is_gone(self) -> bool:
        """True when no call can have this signature again."""
        return any(isinstance(x, Literal) and x.is_gone for x in self.leaves)

    @property
    def tensors(self) -> list[int]:
        """The positions of the leaves that are tensors."""
        return [i for i, x in enumerate(self.leaves) if isinstance(x, TensorSpec)]


def in_words(leaf: TensorSpec | Literal) -> str:
    """A leaf for people: a Python number that is an input is named by its type."""
    if isinstance(leaf, ListSpec):
        return f"list[{in_words(leaf.item)}]"
    if isinstance(leaf, TupleSpec):
        return f"tuple[{', '.join(map(in_words, leaf.parts))}]"
    if isinstance(leaf, TensorSpec) and leaf.weak:
        return leaf.python_type.__name__
    return repr(leaf)


def is_tensor_leaf(leaf: Any) -> bool:
    """True for arguments that become tensors: arrays, NumPy scalars, specs."""
    if isinstance(leaf, (np.ndarray, np.generic)):
        return not holds_objects(leaf.dtype)
    return isinstance(leaf, TensorSpec)


def is_own_object(content: Any) -> bool:
    """Whether it is an object of the user's, which may change though it is equal."""
    return bool(type(content).__flags__ & HEAP_TYPE) and is_itself_only(content)


def is_told_by_itself(content: Any) -> bool:
    """Whether a signature takes it for itself only, whatever its class says."""
    of_class: Any = type(content).__hash__
    return of_class in (None, object.__hash__) or is_own_object(content)


class Foreign(TypeError):
    """An argument holds numbers, and is not NumPy's own kind of array of them.

    A masked array or pandas' column computes otherwise than its numbers do, and what an
    array of objects or a bytearray holds may be other things at the next call. So what
    is given one is run as Python; an array without dims of text is one of them, and an
    element of a `np.recarray`, whose fields are attributes.
    """

    why = "an argument is no array of NumPy's own kind"

    def __init__(self, leaf: Any) -> None:
        kind = type(leaf).__name__
        super().__init__(
            f"no graph takes a {kind}: convert it, for example by np.array"
        )


# Classes of arrays that a graph takes.
ARRAYS = (np.ndarray, np.memmap)


def leaf_type(leaf: Any) -> TensorSpec | Literal:
    """How a signature records an argument's leaf.

    Foreign: no graph can take it.
    """
    if isinstance(leaf, TensorSpec):
        return leaf
    if type(leaf) is list:
        return _list_type(leaf)
    if is_tensor_leaf(leaf):
        is_array = isinstance(leaf, (np.ndarray, np.record))
        if is_array and not _is_plain(leaf):
            raise Foreign(leaf)
        return TensorSpec(leaf.shape, leaf.dtype)
    if is_foreign(leaf) or isinstance(leaf, np.ndarray):
        raise Foreign(leaf)
    return Literal(leaf)


def _is_plain(array: np.ndarray[Any, Any]) -> bool:
    # A graph holds a text by itself, without the width that an array has for it.
    is_text = array.ndim == 0 and array.dtype.kind in "UST"
    return type(array) in ARRAYS and not is_text


def _list_type(items: list[Any]) -> ListSpec:
    """That of a list of numbers, of tuples of them, or of lists of either."""
    if type(items[0]) is list:
        return ListSpec(_list_type([next(chain.from_iterable(items))]))
    if type(items[0]) is tuple:
        return ListSpec(TupleSpec(tuple(map(spec_of, items[0]))))
    return ListSpec(spec_of(items[0]))


def example(leaf: Any) -> Any:
    """What stands for a leaf of the arguments that are shown: an array is its spec."""
    is_array = isinstance(leaf, np.ndarray) and leaf.ndim > 0 and is_tensor_leaf(leaf)
    return leaf_type(leaf) if is_array else leaf


def signature_of(
    args: Sequence[Any],
    kwargs: dict[str, Any],
    flatten: Callable[[Any], tuple[list[Any], tree.Structure]] = tree.flatten,
) -> tuple[Signature, list[Any]]:
    """The signature of bound arguments, and all leaves in its order."""
    leaves, structure = flatten((tuple(args), kwargs))
    aliases = aliases_of(leaves)
    types = tuple(leaf_type(leaf) for leaf in leaves)
    scalars = tuple(map(_is_scalar, leaves))
    orders = tree.orders(structure)
    keys = [(i, Literal(key)) for i, key in tree.other_keys(structure)]
    dtypes = [(~i, Literal(dtype)) for i, dtype in _other_dtypes(leaves)]
    others = (*keys, *dtypes)
    return Signature(structure, types, aliases, scalars, orders, others=others), leaves


def aliases_of(leaves: Sequence[Any]) -> tuple[int, ...]:
    """For each leaf the first one that is the same array or list."""
    first: dict[int, int] = {}
    return tuple(
        first.setdefault(id(leaf), i) if isinstance(leaf, (np.ndarray, list)) else i
        for i, leaf in enumerate(leaves)
    )


def _other_dtypes(leaves: Sequence[Any]) -> Iterator[tuple[int, Any]]:
    """The dtypes that are not the one of their name, to which they are equal."""
    for i, leaf in enumerate(leaves):
        dtype = leaf.dtype if isinstance(leaf, (np.ndarray, np.generic)) else None
        if dtype is not None and (dtype.char in SECOND or dtype.metadata):
            yield i, dtype


# Of two C types of one size one is the second, as `long long` is.
SECOND = frozenset(
    char for char in "bBhHiIlLqQfdgFDG" if np.dtype(np.dtype(char).str).char != char
)


def _is_scalar(leaf: Any) -> bool:
    # A spec without dims stands for a scalar, which is what one mostly is.
    return isinstance(leaf, np.generic) or (
        isinstance(leaf, TensorSpec) and leaf.shape == ()
    )


def leaf_names(parameters: Parameters, signature: Signature) -> list[str]:
    """For each leaf the way to it, as a user writes it: `x`, `params['w'][0]`."""
    args, kwargs = tree.unflatten(signature.structure, signature.leaves)
    named = parameters.named(args, kwargs).items()
    return [f"{name}{path}" for name, value in named for path in tree.paths(value)]
