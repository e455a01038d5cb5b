"""place_kinds: how a call tells that places outside hold what its trace is for.

A leaf of a place is a number or an array, of which the trace knows the spec, or a
constant. Each kind looks at a leaf, and says the same as Python text for the functions
that are generated (`place_text`).
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.spec import OBJECT_TYPES, ObjectSpec, TensorSpec
from runtime.structs import struct
from tracer.leaves import is_numeric, leaf_spec, same_constant

# Gives the name of an object in a text.
Named = Callable[[Any], str]

_STAGED_NUMBERS = (int, float, complex)
_EQUAL = (str, bytes, bool, int, float, complex, type(None))
# Constants of which there is one only, and those that `==` tells apart as we do.
_SINGLE = (bool, type(None))
_BY_VALUE = (str, bytes, int)
# NumPy's scalars whose type does not say their size or unit.
_SIZED = (np.flexible, np.datetime64, np.timedelta64)


class Same:
    """A constant that is only itself."""

    __slots__ = ("content",)

    def __init__(self, content: Any) -> None:
        self.content = content

    def fits(self, leaf: Any) -> bool:
        """Whether a leaf is this constant."""
        return leaf is self.content

    def check(self, leaf: str, named: Named) -> str:
        """What holds for a leaf that fits."""
        return f"{leaf} is {named(self.content)}"


class Equal(Same):
    """A constant: a text, a bool, None and the like."""

    __slots__ = ()

    def fits(self, leaf: Any) -> bool:
        """Whether a leaf is such a constant."""
        return same_constant(leaf, self.content)

    def check(self, leaf: str, named: Named) -> str:
        """What holds for a leaf that fits."""
        kind, content = type(self.content), named(self.content)
        if kind in _SINGLE:
            return f"{leaf} is {content}"
        if kind in _BY_VALUE:
            return f"type({leaf}) is {named(kind)} and {leaf} == {content}"
        return f"{named(self.fits)}({leaf})"


class Weakly:
    """A constant that is only itself, and is not kept alive."""

    __slots__ = ("reference",)

    def __init__(self, content: Any) -> None:
        self.reference = weakref.ref(content)

    @property
    def content(self) -> Any:
        """The constant; None once it is gone."""
        return self.reference()

    def fits(self, leaf: Any) -> bool:
        """Whether a leaf is this constant."""
        return leaf is not None and leaf is self.reference()

    def check(self, leaf: str, named: Named) -> str:
        """What holds for a leaf that fits."""
        return f"{leaf} is {named(self.reference)}() is not None"


@struct
class Number:
    """An array or a number, or a text of the run, by its spec."""

    kind: type
    spec: TensorSpec

    def fits(self, leaf: Any) -> bool:
        """Whether a leaf is such a number."""
        if type(leaf) is not self.kind or isinstance(self.spec, ObjectSpec):
            return type(leaf) is self.kind
        if self.spec.weak:
            return is_staged_number(leaf)
        known: Any = leaf
        return bool(known.dtype == self.spec.dtype and known.shape == self.spec.shape)

    def check(self, leaf: str, named: Named) -> str:
        """What holds for a leaf that fits."""
        spec, is_kind = self.spec, f"type({leaf}) is {named(self.kind)}"
        if isinstance(spec, ObjectSpec) or self.kind in (float, complex):
            return is_kind
        if self.kind is int:
            return f"{is_kind} and {-(2**63)} <= {leaf} < {2**63}"
        if issubclass(self.kind, np.generic) and not issubclass(self.kind, _SIZED):
            return is_kind
        dtype = named(spec.dtype)
        is_dtype = f"({leaf}.dtype is {dtype} or {leaf}.dtype == {dtype})"
        return f"{is_kind} and {is_dtype} and {leaf}.shape == {spec.shape!r}"


Kind = Same | Weakly | Number


def kind_of(leaf: Any, fixed: bool, texts: bool) -> Kind:
    """How a leaf of a place is told.

    fixed: numbers are constants; texts: texts are of the run
    """
    numeric = isinstance(leaf, (np.ndarray, np.generic)) and is_numeric(leaf)
    text = texts and type(leaf) in OBJECT_TYPES
    if numeric or (not fixed and (text or is_staged_number(leaf))):
        return Number(type(leaf), leaf_spec(leaf))
    if is_constant(leaf) or isinstance(leaf, Keys):
        return Equal(leaf)
    try:
        return Weakly(leaf)
    except TypeError:
        return Same(leaf)


def is_constant(leaf: Any) -> bool:
    """True for what is a constant by its value."""
    return type(leaf) in _EQUAL


def is_staged_number(leaf: Any) -> bool:
    """True for a Python number that fits a graph."""
    if type(leaf) is int:
        return -(2**63) <= leaf < 2**63
    return type(leaf) in _STAGED_NUMBERS


class Keys:
    """The keys of a dict, or the items of a set, in their order: constants."""

    __slots__ = ("keys",)

    def __init__(self, content: Any) -> None:
        self.keys = tuple(content)

    def __hash__(self) -> int:
        return hash(len(self.keys))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Keys) or len(self.keys) != len(other.keys):
            return False
        return all(map(same_constant, self.keys, other.keys))
