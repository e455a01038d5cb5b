"""leaf_keys: how a leaf of a call's arguments is told from others, as Python text.

For each kind of leaf a test that the next call has one of that kind too, and what of it
stands in the call's key. Two leaves with equal keys are alike for the signature.
"""

from __future__ import annotations

import enum
import weakref
from itertools import chain
from typing import Any

import numpy as np

from runtime.spec import ListSpec, ObjectSpec, TensorSpec
from runtime.structs import field, struct
from tracer.signature import SECOND, Literal, is_told_by_itself

# NumPy's scalars: a type for each dtype, and those whose dtype has a size or unit.
_SIZED = (np.void, np.str_, np.bytes_, np.datetime64, np.timedelta64)
_ALL = {*np.sctypeDict.values(), np.longlong, np.ulonglong}
SCALARS = frozenset(_ALL.difference((*_SIZED, np.object_)))
SIZED = frozenset(_SIZED)
# What fits the graph's Python int.
_RANGE = f"{-(2**63)} <= {{v}} < {2**63}"
# Constants that are told by their type and what they are equal to.
_BY_VALUE = {
    *(int, bool, str, bytes, type(None), type(...)),
    type(len),  # builtin functions
}
# Those to which another dtype is equal.
_TWINS = SECOND | {np.dtype(np.dtype(char).str).char for char in SECOND}
# The hash of objects that have none of their own.
_HASH: Any = object.__hash__
# Other constants are told as signatures tell them: what is equal may be another thing,
# which no table can say of all classes.
_AS_LITERAL = "Literal({v})"


@struct
class LeafKey:
    """Texts with `{v}` for the leaf; equal ones are one kind of leaf.

    check:  what holds for each leaf of this kind; none: its key says it
    key:    what stands in the key; none: nothing does
    passed: what the graph is given
    kind:   the type, or what a list holds, that `check` names `{k}`
    """

    check: str = ""
    key: str = ""
    passed: str = "{v}"
    kind: Any = None
    is_array: bool = field(default=False)


_SCALAR = LeafKey(key="type({v})")
_SCALAR_OF_SIZE = LeafKey("type({v}) in SIZED", "{v}.dtype")
# Ranges of the same numbers are equal, dtypes with other metadata too.
_PLAIN_RANGE = LeafKey("type({v}) is range", "repr({v})")
_DTYPE = LeafKey("isinstance({v}, dtype) and not {v}.metadata", "{v}")
# What is equal and yet not alike: zeros have signs, and no NaN is equal to itself.
_BY_TEXT = {
    float: LeafKey("type({v}) is float and {v} == {v}", "{v} or str({v})"),
    complex: LeafKey("type({v}) is complex and {v} == {v}", "repr({v})"),
    # Two of no items are equal, whatever they say.
    range: LeafKey("type({v}) is range", "repr({v})"),
}
_NUMBER_INPUTS = {
    bool: LeafKey("type({v}) is bool"),
    int: LeafKey(f"type({{v}}) is int and {_RANGE}"),
    float: LeafKey("type({v}) is float"),
    complex: LeafKey("type({v}) is complex"),
}
# Numbers that an input_signature makes NumPy's, where that changes no value.
_FITTED: dict[Any, LeafKey] = {
    (bool, np.dtype(bool)): LeafKey("type({v}) is bool", passed="bool_({v})"),
    (int, np.dtype(np.int64)): LeafKey(
        f"type({{v}}) is int and {_RANGE}", passed="int64({v})"
    ),
    (float, np.dtype(float)): LeafKey("type({v}) is float", passed="float64({v})"),
}


def type_of_all(items: list[Any]) -> type | None:
    """The type that all items of a list have, if a list of the graph holds such.

    >>> type_of_all([1, 2]), type_of_all([1, 2.0]), type_of_all([])
    (<class 'int'>, None, None)
    """
    kinds = set(map(type, items))
    kind = kinds.pop() if len(kinds) == 1 else None
    if kind is int and not (-(2**63) <= min(items) and max(items) < 2**63):
        return None
    return kind if kind in _ITEMS else None


def kind_of_items(items: list[Any]) -> Any:
    """What a list that is an input holds; None where it is none.

    A type for numbers, a tuple of types for tuples, (list, kind) for lists of a kind.

    >>> kind_of_items([1, 2]), kind_of_items([(1, 0.5)]), kind_of_items([[1], [], [2]])
    (<class 'int'>, (<class 'int'>, <class 'float'>), (<class 'list'>, <class 'int'>))
    """
    first = type(items[0]) if items else None
    if first is list:
        if set(map(type, items)) != {list} or len(set(map(id, items))) < len(items):
            return None
        kind = _kind_of_flat([*chain.from_iterable(items)])
        return None if kind is None else (list, kind)
    return _kind_of_flat(items)


def _kind_of_flat(items: list[Any]) -> Any:
    if not items or type(items[0]) is not tuple:
        return type_of_all(items)
    if set(map(type, items)) != {tuple} or len(set(map(len, items))) > 1:
        return None
    kinds = tuple(type_of_all([*part]) for part in zip(*items, strict=True))
    return None if None in kinds else kinds or None


# Of NumPy's those whose dtype no other type has.
_FIRST = {kind for kind in SCALARS if np.dtype(kind).char not in SECOND}
_ITEMS = frozenset({*_NUMBER_INPUTS, *_FIRST})
# The graph changes its list as a function does one of its own.
_LIST = "type({v}) is list and type_of_all({v}) is {k}"
# It takes other lists apart, and so copies them itself.
_NESTED = "type({v}) is list and kind_of_items({v}) == {k}"


class Itself(weakref.ref[Any]):
    """An object that is equal to itself only, whatever its class takes for equal."""

    __slots__ = ()

    def __hash__(self) -> int:
        return id(self())

    def __eq__(self, other: Any) -> bool:
        thing = self()
        return thing is not None and thing is other()


# What the texts name.
SCOPE = {
    "Itself": Itself,
    "Literal": Literal,
    "type_of_all": type_of_all,
    "kind_of_items": kind_of_items,
    "SIZED": SIZED,
    "bool_": np.bool_,
    "dtype": np.dtype,
    "float64": np.float64,
    "int64": np.int64,
    "ndarray": np.ndarray,
}


def leaf_key(leaf: Any, wanted: TensorSpec | Literal) -> LeafKey | None:
    """How a leaf is told that a trace takes for `wanted`; None: there is no quick way.

    >>> leaf_key(np.ones((3, 2)), TensorSpec((None, 2), float)).key
    '{v}.dtype, {v}.shape[1]'
    """
    if isinstance(wanted, Literal):
        return _of_constant(leaf)
    kind = type(leaf)
    if isinstance(wanted, ListSpec):
        held = kind_of_items(leaf)
        if isinstance(held, type):
            return LeafKey(_LIST, passed="[*{v}]", kind=held)
        return LeafKey(_NESTED, kind=held)
    if kind is np.ndarray:
        return None if leaf.dtype.metadata else _of_array(leaf.dtype, wanted)
    if kind in SCALARS:
        return _SCALAR
    if kind in SIZED:
        return _SCALAR_OF_SIZE
    if isinstance(wanted, ObjectSpec):
        return LeafKey("type({v}) is {k}", kind=kind)
    if wanted.weak:
        return _NUMBER_INPUTS.get(kind)
    if type(wanted) is TensorSpec and wanted.shape == ():
        return _FITTED.get((kind, wanted.dtype))
    return None


def _of_array(known: np.dtype[Any], wanted: TensorSpec) -> LeafKey:
    """Its dtype, and those of its sizes that the trace knows."""
    check, shape = "type({v}) is ndarray", wanted.shape
    dtype = "{v}.dtype, {v}.dtype.char" if known.char in _TWINS else "{v}.dtype"
    if not shape or None not in shape or not all(map(_is_size, shape)):
        return LeafKey(check, f"{dtype}, {{v}}.shape", is_array=True)
    sizes = [f"{{v}}.shape[{i}]" for i, dim in enumerate(shape) if dim is not None]
    check += f" and {{v}}.ndim == {len(shape)}"
    return LeafKey(check, ", ".join([dtype, *sizes]), is_array=True)


def _is_size(dim: Any) -> bool:
    return dim is None or isinstance(dim, int)


def _of_constant(leaf: Any) -> LeafKey | None:
    kind: Any = type(leaf)
    if kind in _BY_TEXT and leaf == leaf:
        return _BY_TEXT[kind]
    by_itself = kind.__hash__ is _HASH and kind.__eq__ is object.__eq__
    if by_itself and kind.__weakrefoffset__:
        # Equal to itself only, and to nothing once it is gone. It may be given another
        # class, which has a hash of its own, too.
        return LeafKey("type({v}) is {k}", "ref({v})", kind=kind)
    if kind.__weakrefoffset__ and is_told_by_itself(leaf):
        return LeafKey("type({v}) is {k}", "Itself({v})", kind=kind)
    if kind is range:
        return _PLAIN_RANGE
    is_member = isinstance(leaf, enum.Enum) and kind.__hash__ is enum.Enum.__hash__
    if isinstance(leaf, np.dtype) and not leaf.metadata:
        return _DTYPE
    if by_itself or is_member or kind in _BY_VALUE:
        return LeafKey("type({v}) is {k}", "{v}", kind=kind)
    if _may_change(leaf):
        return None
    return LeafKey("type({v}) is {k}", _AS_LITERAL, kind=kind)


def _may_change(leaf: Any) -> bool:
    """Whether it may hold something else later, and still be equal to what it was."""
    parts = (leaf.start, leaf.stop, leaf.step) if type(leaf) is slice else leaf
    try:
        hash(parts)
    except TypeError:
        return True
    return False
