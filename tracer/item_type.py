"""item_type: what all items of a list have in common, when its length is not known.

Items may be nested structures: the structure and the leaves that are no numbers are
fixed, each other leaf has one spec that serves all items.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import reduce
from itertools import islice, repeat
from typing import Any

import numpy as np

from runtime import build
from runtime import spec as specs
from runtime.graph import Value
from runtime.objects import held
from runtime.ops.basic import WEAK_INT, cast
from runtime.ops.lists import list_cast
from runtime.ops.template import Input, Instance, OneOf, encode
from runtime.spec import ListSpec, ObjectSpec, TensorSpec, object_type
from runtime.structs import replace, struct
from runtime.tensor import Tensor
from tracer import plain, tree
from tracer.choice import Choice, each, options_of
from tracer.hidden import hides_tensor
from tracer.leaves import is_numeric, is_text, leaf_spec, same_constant
from tracer.marks import note_listed
from tracer.rows import Row, like_rows, note_lists

# Items without a number in them are counted by a list of zeros.
COUNT = WEAK_INT
# Kinds of items in one list; more are taken for one that is new at each step.
MOST_KINDS = 8


class NoItemType(Exception):
    """Items differ in structure or in a constant; the caller words the error."""


@struct(eq=False)
class Fixed:
    """A leaf that is the same constant in every item."""

    content: Any

    def __hash__(self) -> int:
        return hash(type(self.content))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fixed) and same_constant(self.content, other.content)


@struct
class ItemShape:
    """The structure of an item, and its fixed leaves: None where a number stands.

    rows: the list holds rows of such items (see `rows`)
    """

    structure: tree.Structure
    fixed: tuple[Fixed | None, ...]
    rows: bool = False

    @property
    def parts(self) -> int:
        """How many lists hold the items; at least the one that counts them."""
        return max(1, sum(leaf is None for leaf in self.fixed))

    def whole(self, parts: Iterable[Any]) -> Any:
        """An item with these parts."""
        rest = iter(parts)
        leaves = [next(rest) if leaf is None else leaf.content for leaf in self.fixed]
        return tree.unflatten(self.structure, leaves)

    @property
    def mixed(self) -> bool:
        """True where an item is one of several kinds, the first part says which."""
        return self.structure.type is Choice

    def has_objects(self) -> bool:
        """True when an object is, or is in, an item."""
        found = self.template()
        options = found.options if type(found) is OneOf else (found,)
        return any(type(leaf) is Instance for leaf in tree.flatten(options)[0])

    def has_rows(self) -> bool:
        """True when a list that is a row is in an item."""
        return _has_rows(self.structure)

    def template(self) -> Any:
        """An item with places for its parts. NoItemType: its kind has no template."""
        places = [Input(k) for k in range(sum(leaf is None for leaf in self.fixed))]
        made = self.whole(places)
        if len(encode(made, lambda part: type(part) is Input)[1]) != len(places):
            raise NoItemType
        return made


def _has_rows(structure: tree.Structure) -> bool:
    return structure.type is Row or any(map(_has_rows, structure.children()))


@struct
class ItemType:
    """The shape of the items, and the spec of each part that is a number."""

    shape: ItemShape
    specs: tuple[TensorSpec, ...]


def type_of_item(item: Any) -> ItemType:
    """The type of one item. NoItemType: no list whose length is staged can hold it."""
    whole = _map_texts(item, lambda kind, _: _stand_in(kind))
    if isinstance(whole, Choice):
        return reduce(join_mixed, map(type_of_item, options_of(whole)))
    leaves, structure = flatten_own(whole)
    fixed = tuple(None if is_numeric(leaf) else _fixed(leaf) for leaf in leaves)
    parts = tuple(leaf_spec(leaf) for leaf in leaves if is_numeric(leaf))
    shape = ItemShape(structure, fixed)
    try:
        if any(map(_is_array_without_dims, leaves)):
            raise NoItemType
        shape.template()
    except NoItemType:
        note_lists(item)
        raise
    return ItemType(shape, parts or (COUNT,))


def _is_array_without_dims(leaf: Any) -> bool:
    """True for `np.array(1.0)`: what is taken out of a list's memory is a number."""
    if isinstance(leaf, Tensor):
        return not leaf.scalar and leaf.spec.shape == () and leaf.spec.dtype is not None
    return isinstance(leaf, np.ndarray) and leaf.shape == ()


def _fixed(leaf: Any) -> Fixed:
    """What is the same in each run; NoItemType: it holds what a run knows."""
    if hides_tensor(leaf):
        raise NoItemType
    return Fixed(leaf)


def flatten_own(whole: Any) -> tuple[list[Any], tree.Structure]:
    """As `tree.flatten`, with the objects that the trace has made taken apart."""
    frame = build.current()
    created = {} if frame is None else frame.trace.created

    def is_users(thing: Any) -> bool:
        return plain.is_plain(type(thing)) and id(thing) not in created

    if _holds_itself(whole, is_users, []):
        return tree.flatten(whole)
    return tree.flatten_opening(whole, is_users)


def _holds_itself(
    thing: Any, is_users: Callable[[Any], bool], around: list[int]
) -> bool:
    if isinstance(thing, Tensor) or is_users(thing):
        return False
    if id(thing) in around:
        return True
    inside = tree.inside(thing) or ()
    path = [*around, id(thing)]
    return any(_holds_itself(part, is_users, path) for part in inside)


def settled(whole: Any) -> Any:
    """With a text of the run for each choice of constant texts in it."""
    return _map_texts(whole, lambda _, text: each(text, held))


def _map_texts(item: Any, make: Callable[[type, Choice], Tensor]) -> Any:
    """The item with a text of the run for each choice of texts in it."""
    leaves, structure = tree.flatten_to_choices(item)
    kinds = [_kind_of_texts(leaf) for leaf in leaves]
    if not any(kinds):
        return item
    pairs = zip(kinds, leaves, strict=True)
    return tree.unflatten(structure, [make(k, x) if k else x for k, x in pairs])


def _kind_of_texts(leaf: Any) -> type | None:
    """The type of all options of a choice, if they are texts."""
    options = options_of(leaf) if type(leaf) is Choice else ()
    kinds = {object_type(leaf_spec(x)) if is_text(x) else None for x in options}
    return kinds.pop() if len(kinds) == 1 else None


def _stand_in(kind: type) -> Tensor:
    return Tensor(Value(ObjectSpec(kind)))


def join(a: ItemType, b: ItemType, texts: bool = True) -> ItemType:
    """The type that serves the items of both. NoItemType: there is none.

    texts: constant texts that differ become texts of the run
    """
    if NOTHING in (a, b):
        return b if a == NOTHING else a
    if a.shape.rows or a.shape.mixed or b.shape.mixed:
        return join_mixed(a, b)
    if not tree.same(a.shape.structure, b.shape.structure):
        like_rows(*(kind.shape.whole(repeat(0)) for kind in (a, b)))
        raise NoItemType
    pairs = zip(_leaves(a), _leaves(b), strict=True)
    joined = [_join(x, y, texts) for x, y in pairs]
    fixed = tuple(leaf if isinstance(leaf, Fixed) else None for leaf in joined)
    parts = tuple(leaf for leaf in joined if not isinstance(leaf, Fixed))
    return ItemType(ItemShape(a.shape.structure, fixed), parts or (COUNT,))


def join_mixed(a: ItemType, b: ItemType) -> ItemType:
    """The same, of items that are of several kinds if no one type serves both."""
    if a.shape.rows and b.shape.rows:
        return in_rows(join_mixed(of_rows(a), of_rows(b)))
    if NOTHING in (a, b):
        return b if a == NOTHING else a
    found = kinds_of(a)
    for kind in kinds_of(b):
        for at, known in enumerate(found):
            with suppress(NoItemType):
                found[at] = join(known, kind)
                break
        else:
            found.append(kind)
    if len(found) > MOST_KINDS:
        raise NoItemType
    return found[0] if len(found) == 1 else _one_of(found)


def kinds_of(kind: ItemType) -> list[ItemType]:
    """The types that an item of this type may have."""
    if not kind.shape.mixed:
        return [kind]
    fixed, specs = iter(kind.shape.fixed), iter(kind.specs)
    next(fixed), next(specs)
    found = []
    for child in kind.shape.structure.children()[1:]:
        leaves = tuple(islice(fixed, child.num_leaves))
        parts = tuple(next(specs) for leaf in leaves if leaf is None)
        found.append(ItemType(ItemShape(child, leaves), parts or (COUNT,)))
    return found


def _one_of(kinds: Sequence[ItemType]) -> ItemType:
    """The type of items that are of one of these types."""
    wholes = [kind.shape.whole(repeat(0)) for kind in kinds]
    fixed = (None, *(leaf for kind in kinds for leaf in kind.shape.fixed))
    specs = (COUNT, *(spec for kind in kinds for spec in own_specs(kind)))
    held = {id(leaf.content) for leaf in fixed if leaf is not None}
    _, structure = tree.flatten_opening(Choice(0, wholes), lambda x: id(x) in held)
    shape = ItemShape(structure, fixed)
    shape.template()
    return ItemType(shape, specs)


def own_specs(kind: ItemType) -> tuple[TensorSpec, ...]:
    """The specs of the parts of an item, none for one without a number in it."""
    return kind.specs if None in kind.shape.fixed else ()


# The type of the items of a list in which there never was one.
NOTHING = ItemType(ItemShape(tree.leaf(), (Fixed(NoItemType),)), (COUNT,))


def in_rows(kind: ItemType) -> ItemType:
    """The type of a list of rows of such items."""
    return ItemType(replace(kind.shape, rows=True), tuple(map(ListSpec, kind.specs)))


def of_rows(kind: ItemType) -> ItemType:
    """The type of the items in the rows."""
    inner = (spec.item for spec in kind.specs if isinstance(spec, ListSpec))
    return ItemType(replace(kind.shape, rows=False), tuple(inner))


def _leaves(kind: ItemType) -> Iterator[Fixed | TensorSpec]:
    """For each leaf of an item its constant, or its spec."""
    parts = iter(kind.specs)
    return (next(parts) if leaf is None else leaf for leaf in kind.shape.fixed)


def _join(a: Fixed | TensorSpec, b: Fixed | TensorSpec, texts: bool) -> Any:
    if isinstance(a, Fixed) and isinstance(b, Fixed):
        if a == b:
            return a
        if not texts:
            raise NoItemType
    try:
        return specs.join(_spec(a), _spec(b))
    except TypeError:
        raise NoItemType from None


def _spec(leaf: Fixed | TensorSpec) -> TensorSpec:
    if not isinstance(leaf, Fixed):
        return leaf
    if not is_text(leaf.content):
        raise NoItemType
    return leaf_spec(leaf.content)


def common_type(items: Iterable[Any], mixed: bool = False) -> ItemType | None:
    """The type that serves all `items`; None when there is no item.

    mixed: they may be of several kinds
    NoItemType: there is none.
    """
    types = [type_of_item(item) for item in items]
    return reduce(join_mixed if mixed else join, types) if types else None


def parts_of(item: Any, kind: ItemType) -> Iterator[Value]:
    """The item's parts as values of the specs of `kind`, which serves it."""
    whole = settled(item)
    leaves, _ = flatten_own(whole)
    parts = parts_among(leaves, kind)
    for leaf, spec in zip(parts, kind.specs, strict=True):
        note_listed(leaf)
        yield as_spec(held(leaf).value, spec)


def parts_among(leaves: Iterable[Any], kind: ItemType) -> list[Any]:
    """Those leaves of an item that are no constants; 0 counts an item without."""
    pairs = zip(leaves, kind.shape.fixed, strict=True)
    return [leaf for leaf, fixed in pairs if fixed is None] or [0]


def as_spec(value: Value, spec: TensorSpec) -> Value:
    """`value` cast to the dtype of `spec`, where `spec` does not list its kind."""
    if spec.describes_kinds(value.spec):
        return value
    if isinstance(spec, ListSpec):
        made: Tensor = list_cast(Tensor(value), item=spec.item)
    else:
        made = cast(Tensor(value), dtype=spec.dtype, weak=spec.weak)
    return made.value
