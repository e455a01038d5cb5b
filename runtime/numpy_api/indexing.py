"""Indexing of tensors: keys as templates, views, and stores.

A key of ints and slices gives a view: it is read from its base again when the base has
changed, and writing to it writes the base. Arrays of integers and masks give new
arrays.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from runtime import build, kinds, objects, shapes, unknown
from runtime.aliases import note_aliases
from runtime.errors import OnlyPythonError, located
from runtime.layouts import Unknown, halves, is_contiguous, tried, whole_index
from runtime.location import here
from runtime.numpy_api import faults, fields, library
from runtime.numpy_api.asking import is_flat
from runtime.numpy_api.create import array
from runtime.numpy_api.flat_keys import flat_key
from runtime.numpy_api.operands import cast_constant, has_tensor, list_as_element
from runtime.numpy_api.own_views import is_own_view
from runtime.numpy_api.set_flat import set_flat
from runtime.ops.basic import copy
from runtime.ops.index import Index, index_, indexed, is_advanced, slice_
from runtime.ops.index import store as store_op
from runtime.ops.places import has_no_dims
from runtime.ops.template import Input, encode
from runtime.ops.world import host_call
from runtime.picked import Own, Pick, possible
from runtime.spec import OBJECT_TYPES, object_type
from runtime.structs import struct
from runtime.tensor import Tensor, tensor
from runtime.tensor_view import View

# Elements; the memory is not touched, so this only bounds addresses.
LARGEST_LAYOUT = 1 << 28
INVALID = (
    "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer "
    "or boolean arrays are valid indices"
)


@struct
class Key:
    """A key as a template, with its dynamic parts as they are when it is used."""

    index: Index
    dynamic: tuple[Tensor, ...]

    @property
    def is_advanced(self) -> bool:
        """True when it selects by content, so gives a new array."""
        return is_advanced(self.index, tuple(part.spec for part in self.dynamic))

    def same(self, other: Key) -> bool:
        """True when both certainly select the same place."""
        if len(self.dynamic) != len(other.dynamic) or self.index != other.index:
            return False
        pairs = zip(self.dynamic, other.dynamic, strict=True)
        return all(a.value is b.value for a, b in pairs)


def key_of(key: Any) -> Key:
    """The user's key, encoded.

    IndexError: a part is neither an integer, a slice, an array of integers or a mask.
    """
    parts = key if isinstance(key, tuple) else (key,)
    dynamic: list[Tensor] = []

    def place(part: Any) -> Input:
        # What the tensor holds now counts, whatever is done to it later.
        dynamic.append(Tensor(part.value, scalar=part.scalar))
        return Input(len(dynamic) - 1)

    index = tuple(_encode(part, place) for part in parts)
    if sum(part is Ellipsis for part in index) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    return Key(index, tuple(dynamic))


def _encode(part: Any, place: Callable[[Any], Input]) -> Any:
    if part is None or part is Ellipsis:
        return part
    if isinstance(part, slice):
        bounds = (part.start, part.stop, part.step)
        made = slice(*(_bound(bound, place) for bound in bounds))
        if type(made.step) is int and made.step == 0:
            raise ValueError("slice step cannot be zero")
        return made
    if isinstance(part, (bool, np.bool_, list, tuple, range, np.ndarray)):
        part = _array_part(part)
    if isinstance(part, Tensor):
        _check_part(part)
        return place(part)
    try:
        return operator.index(part)
    except TypeError:
        raise IndexError(INVALID) from None


def _array_part(part: Any) -> Any:
    if isinstance(part, np.ndarray):
        return tensor(part)
    made = array(part)
    if isinstance(part, (list, tuple, range)) and 0 in (tensor(made).spec.shape or ()):
        return array(part, np.intp)  # `[[]]` is no array of floats here
    return made


def _bound(bound: Any, place: Callable[[Any], Input]) -> Any:
    if bound is None:
        return None
    if not isinstance(bound, Tensor):
        return operator.index(bound)
    if bound.spec.dtype is not None and bound.spec.dtype.kind not in "iu":
        raise TypeError(
            "slice indices must be integers or None or have an __index__ method"
        )
    return place(bound)


def _check_part(part: Tensor) -> None:
    dtype = part.spec.dtype
    if dtype is None or dtype.kind in "biu":
        return
    if part.spec.shape == ():
        raise IndexError(INVALID)
    raise IndexError("arrays used as indices must be of integer (or boolean) type")


def getitem(base: Tensor, key: Any) -> Any:
    """`base[key]`: a view for ints and slices, an element, or a new array.

    IndexError: more parts than axes; an index out of bounds, when the graph runs.
    """
    is_unknown = base.spec.shape is None and base.spec.dtype is None
    if library.is_object(base) or (is_unknown and isinstance(key, str)):
        return library.item(base, key)
    if base.scalar and base.spec.kinds:
        return kinds.split(getitem, base, key)
    if fields.is_record(base) and (base.scalar or fields.is_field_key(key)):
        return fields.get(base, key, view)
    if base.scalar:
        return _scalar_item(base, key)
    if has_mixed_part(key):
        return kinds.split(lambda one, whole: getitem(whole, one), key, base)
    encoded = flat_key(key, key_of) if is_flat(base) else key_of(key)
    flat: dict[str, Any] = {"flat": True} if is_flat(base) else {}
    if encoded.is_advanced:
        found = index_(base, *encoded.dynamic, index=encoded.index, **flat)
        if type(encoded.index[0]) is not Input:
            # NumPy puts the arrays' axes first, and turns what it has made.
            given = base, *encoded.dynamic
            found.layout = tried(index_, given, found._value.spec, index=encoded.index)
        return found
    flat = flat if _is_one(encoded) else {}
    first = slice_(base, *encoded.dynamic, index=encoded.index, **flat)
    element = first.spec.shape == () and Ellipsis not in encoded.index
    if element and not fields.is_record(base):
        return first
    if is_flat(base):
        return copy(first)
    made = view(
        base,
        first,
        lambda whole: slice_(whole, *encoded.dynamic, index=encoded.index),
        lambda whole, part: store_op(
            whole, part, *encoded.dynamic, index=encoded.index
        ),
        contiguous=_is_contiguous(encoded.index),
        key=encoded,
    )
    made.scalar = element
    return _or_element(base, made, encoded)


def _or_element(base: Tensor, made: Tensor, key: Key) -> Tensor:
    """A view, which integers make an element of an array of fewer dims.

    A view sees later changes of the array; an element does not.
    """
    if made._value.spec.shape is not None or not _is_one(key) or Ellipsis in key.index:
        return made
    either = Tensor(made._value, scalar=False)
    trace = build.require_current("an item").trace
    if not trace.references:
        trace.may_refer = True
        either.sources = possible(base)
        return note_aliases(either)
    either._pick = Pick(has_no_dims(either), Own.ELEMENT, made)
    either._pick.note(either._value)
    return either


def has_mixed_part(key: Any) -> bool:
    """True when an index is of one kind or another that are not both integers."""

    def is_unclear(part: Any) -> bool:
        if not kinds.is_mixed(part):
            return False
        return any(dtype.kind not in "iu" for dtype, _ in part.spec.kinds)

    return bool(encode(key, is_unclear)[1])


def view(
    base: Tensor,
    first: Tensor,
    read: Callable[[Tensor], Tensor],
    write: Callable[[Tensor, Tensor], Tensor],
    *,
    contiguous: bool = False,
    key: Key | None = None,
    locked: bool = False,
    by_layout: bool = False,
    flat: bool = False,
    turned: bool = False,
    how: Hashable = None,
) -> Tensor:
    """A tensor in the memory of `base`.

    first:      what `read(base)` has just given
    contiguous: elements that are neighbours in it are so in the base
    how:        says what `read` and `write` do, where they need no other tensor
    """
    if base.scalar and not fields.is_record(base):
        return first
    made = Tensor(
        first.value,
        scalar=False,
        view=View(
            base,
            read,
            write,
            contiguous and is_contiguous(base),
            _layout(base, first),
            key,
            locked,
            by_layout,
            flat,
            base.spec.shape,
            turned,
            here(),
            how=how,
        ),
    )
    made._cache = base.value
    return made


def layout(array: Tensor) -> np.ndarray[Any, Any] | None:
    """An array of bytes that lies in memory as `array` does, if its sizes are known.

    NumPy's own reshape of it tells whether the reshape of `array` is a view.
    """
    if array._view is not None:
        return array._view.layout
    if array.layout is not None:
        return None if isinstance(array.layout, Unknown) else array.layout
    count = shapes.size_of(array.spec.shape)
    if count is None or count > LARGEST_LAYOUT or not is_contiguous(array):
        return None
    return np.empty(
        [int(dim) for dim in array.spec.shape or () if dim is not None], "u1"
    )


def _layout(base: Tensor, first: Tensor) -> np.ndarray[Any, Any] | None:
    start = layout(base)
    if first is base:
        return start
    node = build.require_current("a view").nodes[-1]
    index = node.attributes.get("index", ())
    if start is None or node.outputs[0] is not first.value or _has_staged_slice(index):
        return None
    if node.op is host_call:
        return None  # a function may look at its other arguments, and at bytes
    if node.op.name in ("real", "imag"):
        return halves(start)
    # Every index gives the same layout, so 0 stands for a staged one.
    zeros = [0] * (len(node.inputs) - 1)
    assert node.op.kernel is not None
    try:
        return np.asarray(node.op.kernel(start, *zeros, **node.attributes))
    except (IndexError, ValueError):
        return None  # sizes that the run finds, or it raises when it is used


def _has_staged_slice(index: Index) -> bool:
    slices = (part for part in index if isinstance(part, slice))
    return any(Input in map(type, (s.start, s.stop, s.step)) for s in slices)


def _is_contiguous(index: Index) -> bool:
    """True for leading ints, then one slice with step 1, then whole axes."""
    rest = list(index)
    while rest and (isinstance(rest[0], int) or type(rest[0]) is Input):
        rest.pop(0)
    if rest and isinstance(rest[0], slice) and rest[0].step in (None, 1):
        rest.pop(0)
    return all(part is Ellipsis or part == slice(None) for part in rest)


def _scalar_item(base: Tensor, key: Any) -> Any:
    if objects.is_object(base):
        return objects.get_item(base, key)
    unknown.require_class(base)
    if base.spec.weak:
        kind = base.spec.python_type.__name__
        raise TypeError(f"'{kind}' object is not subscriptable")
    if isinstance(key, tuple) and key == ():
        return base
    parts = key if isinstance(key, tuple) else (key,)
    if all(part is None or part is Ellipsis for part in parts):
        return slice_(base, index=key_of(key).index)
    raise IndexError("invalid index to scalar variable.")


def store(base: Tensor, key: Any, content: Any) -> Any:
    """The whole of `base` after `base[key] = content`, cast as NumPy does it.

    ValueError: content does not fit there, if that is certain now.
    """
    if library.is_object(base):
        library.set_item(base, key, content)
        return base
    if base.scalar and base.spec.kinds:
        return kinds.split(store, base, key, content)
    if fields.is_record(base) and (base.scalar or fields.is_field_key(key)):
        return fields.store(base, key, content)
    if base.scalar:
        raise TypeError(f"{_kind_text(base)} object does not support item assignment")
    if has_mixed_part(key):
        return kinds.split(_store_at, key, base, content)
    encoded = flat_key(key, key_of) if is_flat(base) else key_of(key)
    if is_own_view(base, encoded, content):
        return base
    if is_flat(base) and not (_is_one(encoded) and _is_one_number(content)):
        return set_flat(base, key, content)
    content = as_stored(base, encoded, content)
    flat: dict[str, Any] = {"flat": True} if is_flat(base) else {}
    index = whole_index(base) if encoded.index == (...,) else encoded.index
    try:
        return store_op(base, content, *encoded.dynamic, index=index, **flat)
    except ValueError as error:
        faults.raise_of_store(base, key, content, encoded.dynamic, error)


def _kind_text(number: Tensor) -> str:
    spec = number.spec
    kind = object_type(spec)
    if spec.weak:
        return f"'{spec.python_type.__name__}'"
    if kind in OBJECT_TYPES:
        return f"'{kind.__name__}'"
    kind = kind or number.dtype.type
    return f"'{kind.__module__}.{kind.__name__}'"


def as_stored(base: Tensor, key: Key, content: Any) -> Any:
    """A list, whose numbers are cast one by one: one that does not fit is an error."""
    if not isinstance(content, (list, tuple)):
        return cast_constant(base, content)
    dtype = base.spec.dtype
    if dtype is None or base.spec.kinds:
        return content
    dynamic = tuple(part.spec for part in key.dynamic)
    is_element = indexed(base.spec.shape, key.index, dynamic) == ()
    if dtype.names is not None and has_tensor(content):
        element = slice_(base, *key.dynamic, index=key.index)
        return fields.with_fields(element, content) if is_element else content
    if is_element and dtype.names is None:
        return list_as_element(dtype, content)
    try:
        return array(content, dtype)
    except (OverflowError, ValueError):
        # Python has written the items before it, which no graph does.
        raise located(OnlyPythonError("an item of this list does not fit")) from None


def _is_one(key: Key) -> bool:
    return not key.is_advanced and not any(isinstance(p, slice) for p in key.index)


def _is_one_number(content: Any) -> bool:
    return np.ndim(content) == 0 if not isinstance(content, Tensor) else content.scalar


def _store_at(key: Any, base: Tensor, content: Any) -> Any:
    return store(base, key, content)
