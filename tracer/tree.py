"""Nested structures (tuples, lists, dicts, namedtuples, records) and their leaves.

The walking is optree's; records (dataclasses, objects of attrs) are made known to it
when first met. None is a leaf here, since in a branch it meets tensors. An object of a
plain class (see `plain`) is a leaf too, but for those who take it apart.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Iterable
from functools import lru_cache
from typing import Any

import optree

from runtime.errors import PythonTypeError, located
from runtime.library_spec import LibrarySpec
from runtime.ops.template import Input, Instance, OneOf
from runtime.records import is_record
from runtime.spec import ListSpec, ObjectSpec, TensorSpec
from runtime.table_spec import TableSpec
from runtime.tensor import Tensor
from runtime.tuple_spec import TupleSpec
from tracer import plain
from tracer.choice import Choice, Varying, standing, varying
from tracer.plain import NAMESPACE
from tracer.undefined import Maybe

Structure = optree.PyTreeSpec
# Those that were met. A TensorSpec stands for an array, so it is a leaf.
_records: set[type] = {TensorSpec, ListSpec, TupleSpec, TableSpec, ObjectSpec}
_records |= {LibrarySpec, Input, Instance, OneOf}
# Records that their user has registered.
_theirs: set[type] = set()
# The plain classes that were met where objects are taken apart.
_plain: set[type] = set()


def flatten(tree: Any) -> tuple[list[Any], Structure]:
    """The leaves in order, and the structure that puts them back.

    >>> flatten({"b": 1, "a": (2, None)})[0]
    [2, None, 1]
    """
    return _flattened(tree, _meet)


def _flattened(
    tree: Any, is_leaf: Callable[[Any], bool]
) -> tuple[list[Any], Structure]:
    try:
        return optree.tree_flatten(
            tree, is_leaf=is_leaf, none_is_leaf=True, namespace=NAMESPACE
        )
    except RecursionError:
        raise located(
            PythonTypeError("a list, dict or object holds itself here"),
            "A graph holds what is in it, which would have no end: keep its place, for "
            "example its index, instead.",
        ) from None


def flatten_to_choices(
    tree: Any, stop: Collection[int] = ()
) -> tuple[list[Any], Structure]:
    """As `flatten`, with choices, and the nodes whose ids are in `stop`, as leaves."""
    return flatten_where(tree, lambda node: id(node) in stop)


def flatten_where(
    tree: Any, is_leaf: Callable[[Any], bool], opens: bool = False
) -> tuple[list[Any], Structure]:
    """As `flatten`, with choices, and the nodes where `is_leaf` holds, as leaves.

    opens: plain objects, but where `is_leaf` holds, are taken apart
    """
    meet = _meet_opening if opens else _meet
    return _flattened(
        tree,
        lambda node: (
            isinstance(node, Choice)
            or varying(node) is not None
            or is_leaf(node)
            or meet(node)
        ),
    )


def flatten_opening(
    tree: Any, is_leaf: Callable[[Any], bool]
) -> tuple[list[Any], Structure]:
    """As `flatten`, plain objects taken apart, but where `is_leaf` holds."""
    return _flattened(tree, lambda node: is_leaf(node) or _meet_opening(node))


def visit(tree: Any, look_at: Callable[[Any], None]) -> None:
    """Call `look_at` with the whole, each part that holds others, and each leaf."""

    def is_leaf(node: Any) -> bool:
        look_at(node)
        return _meet(node)

    _flattened(tree, is_leaf)


def children(node: Any) -> list[Any] | None:
    """What a node of a nested structure holds; None for a leaf.

    >>> children({"b": 1, "a": (2, None)}), children(3)
    ([(2, None), 1], None)
    """
    if type(node) in (list, tuple):
        return [*node]
    found = entries(node)
    return None if found is None else [child for _, child in found]


def entries(node: Any) -> list[tuple[Any, Any]] | None:
    """What a node holds, each after its key, name or place; None for a leaf.

    >>> entries({"b": 1, "a": (2, None)})
    [('a', (2, None)), ('b', 1)]
    """
    if _meet(node) or optree.tree_is_leaf(node, none_is_leaf=True, namespace=NAMESPACE):
        return None
    found = optree.tree_flatten_one_level(node, none_is_leaf=True, namespace=NAMESPACE)
    return list(zip(found[2], found[0], strict=True))


def inside(node: Any) -> list[Any] | None:
    """As `children`, and what the attributes of a plain object are."""
    if not plain.is_plain(type(node)):
        return children(node)
    found = [part for held in plain.attributes(node) for part in held.values()]
    return [part.content if type(part) is Maybe else part for part in found]


def unflatten(structure: Structure, leaves: Iterable[Any]) -> Any:
    """The tree of this structure with these leaves."""
    return optree.tree_unflatten(structure, leaves)


def same(a: Structure, b: Structure) -> bool:
    """True for one structure, the keys of dicts in one order too.

    >>> one, other = ({"p": 1, "q": 2}, {"q": 2, "p": 1})
    >>> same(flatten(one)[1], flatten(other)[1])
    False
    """
    if a != b or a is b:
        return a is b
    return not _has_dict(a) or orders(a) == orders(b)


@lru_cache
def _has_dict(structure: Structure) -> bool:
    return _is_dict(structure) or any(map(_has_dict, structure.children()))


def orders(structure: Structure) -> tuple[tuple[Any, ...], ...]:
    """The keys of each dict of two keys or more, as they were put in.

    >>> orders(flatten(({"q": 2, "p": 1}, {"x": 3}))[1])
    (('q', 'p'),)
    """
    if not _has_orders(structure):
        return ()
    found: list[tuple[Any, ...]] = []
    waiting = [unflatten(structure, range(structure.num_leaves))]
    while waiting:
        thing = waiting.pop()
        if isinstance(thing, dict) and len(thing) > 1:
            found.append(tuple(thing))
        waiting += children(thing) or ()
    return tuple(found)


@lru_cache
def _has_orders(structure: Structure) -> bool:
    is_ordered = _is_dict(structure) and structure.num_children > 1
    return is_ordered or any(map(_has_orders, structure.children()))


def other_keys(structure: Structure) -> list[tuple[int, Any]]:
    """The keys that are neither texts nor ints, with the number of their step.

    Structures take 1, 1.0 and True for one key, and a text of NumPy's for Python's.

    >>> other_keys(flatten({True: 2})[1]), other_keys(flatten({"a": 2, "b": [1]})[1])
    ([(0, True)], [])
    """
    if not _has_dict(structure):
        return []
    steps = [step for path in structure.paths() for step in path]
    return [(i, step) for i, step in enumerate(steps) if type(step) not in (str, int)]


def _is_dict(structure: Structure) -> bool:
    return structure.type is not None and issubclass(structure.type, dict)


def holds_tensor(tree: Any) -> bool:
    """True when a leaf is known only when the graph runs."""
    return any(
        isinstance(leaf, Tensor) or (type(leaf) is set and standing(leaf) is not None)
        for leaf in flatten(tree)[0]
    )


def forget_local_classes() -> bool:
    """Forget the classes that functions made: one that a trace made goes with it.

    Those that are still there are registered anew when they are met. False: none.
    """
    local = [kind for kind in _records | _plain if "<locals>" in kind.__qualname__]
    for kind in local:
        optree.unregister_pytree_node(kind, namespace=NAMESPACE)
        _records.discard(kind)
        _plain.discard(kind)
        plain.forget(kind)
    _has_dict.cache_clear()
    _has_orders.cache_clear()
    return bool(local)


def leaf() -> Structure:
    """The structure of what is no structure."""
    return optree.treespec_leaf(none_is_leaf=True, namespace=NAMESPACE)


class Word:
    """Prints as it is, without quotes, inside a structure's own repr."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def map_leaves(function: Callable[[Any], Any], tree: Any) -> Any:
    """The same structure with `function` applied to each leaf."""
    leaves, structure = flatten(tree)
    return unflatten(structure, [function(leaf) for leaf in leaves])


def paths(tree: Any) -> list[str]:
    """For each leaf, how a user would write the way to it: `[0]['w'].bias`."""
    accessors = optree.tree_accessors(
        tree, is_leaf=_meet, none_is_leaf=True, namespace=NAMESPACE
    )
    return [accessor.codify("") for accessor in accessors]


def parts(node: Any) -> dict[str, Any] | None:
    """What a node holds, by how a user would write the way to it; None for a leaf.

    >>> parts({"a": [1, 2], "b": 3}), parts(3)
    ({"['a']": [1, 2], "['b']": 3}, None)
    """
    if children(node) is None:
        return None
    held, accessors = {}, _accessors_of(node)
    for accessor in accessors:
        held[accessor.codify("")] = accessor(node)
    return held


def _accessors_of(node: Any) -> list[Any]:
    """The ways to what a node itself holds, and no deeper."""
    return optree.tree_accessors(
        node,
        is_leaf=lambda part: part is not node or type(part) in _plain,
        none_is_leaf=True,
        namespace=NAMESPACE,
    )


def _meet(node: Any) -> bool:
    """A leaf if it is a plain object; registers a record, as it is first met."""
    kind = type(node)
    if kind not in _records and kind not in _theirs:
        if is_record(kind):
            _register(kind)
        elif kind is not tuple and issubclass(kind, tuple):
            plain.meet_tuple(kind, _records)
    if kind is OrderedDict:
        plain.put_in_order(node)
    return kind in _plain


def _meet_opening(node: Any) -> bool:
    """Never a leaf by this; a plain class too is registered, as it is first met."""
    kind = type(node)
    if not _meet(node) and kind not in _records and plain.is_plain(kind):
        _register_plain(kind)
    return False


def _register(kind: type) -> None:
    if plain.is_registered(kind):
        _theirs.add(kind)
        return

    def split(node: Any) -> tuple[list[Any], tuple[str, ...], tuple[str, ...]]:
        held = plain.of_record(node)
        names = tuple(held)
        return list(held.values()), names, names

    def join(names: Any, leaves: Iterable[Any]) -> Any:
        made: Any = object.__new__(kind)
        for name, leaf in zip(names, leaves, strict=True):
            object.__setattr__(made, name, leaf)
        return made

    optree.register_pytree_node(
        kind, split, join, path_entry_type=optree.GetAttrEntry, namespace=NAMESPACE
    )
    _records.add(kind)
    plain.ours.add(kind)


class _Sometimes:
    """An attribute that is set on one path only, as a part of a structure."""

    def __init__(self, maybe: Maybe) -> None:
        self.maybe = maybe


def _register_plain(kind: type) -> None:
    def split(node: Any) -> tuple[list[Any], tuple[tuple[str, ...], ...]]:
        held, slots = plain.attributes(node)
        parts = [*held.values(), *slots.values()]
        found = [_Sometimes(p) if type(p) is Maybe else p for p in parts]
        return found, (tuple(held), tuple(slots))

    def join(names: Any, leaves: Iterable[Any]) -> Any:
        parts = list(leaves)
        inner = flatten(parts)[0]
        if any(isinstance(leaf, Word) for leaf in inner):
            return Word(f"<{kind.__name__}>")
        if any(isinstance(leaf, Input) for leaf in inner):
            return Instance(kind, names[0], names[1], tuple(parts))
        count = len(names[0])
        held = dict(zip(names[0], parts[:count], strict=True))
        return plain.make(kind, held, dict(zip(names[1], parts[count:], strict=True)))

    optree.register_pytree_node(kind, split, join, namespace=NAMESPACE)
    _plain.add(kind)
    plain.ours.add(kind)


def _split_choice(choice: Choice) -> tuple[list[Any], None]:
    return [choice._ag_tag, *choice._ag_options], None


def _join_choice(_: None, children: Iterable[Any]) -> Any:
    tag, *options = children
    if isinstance(tag, Input):
        return OneOf(tag, tuple(options))
    if any(isinstance(leaf, Word) for leaf in flatten(options)[0]):
        return Word(" or ".join(map(repr, options)))
    return Choice(tag, options)


def _split_counter(
    counter: Counter[Any],
) -> tuple[list[Any], tuple[Any, ...], tuple[Any, ...]]:
    return list(counter.values()), tuple(counter), tuple(counter)


def _join_counter(keys: tuple[Any, ...], counts: Iterable[Any]) -> Any:
    counts = list(counts)
    words = any(isinstance(count, Word) for count in counts)
    pairs = zip(keys, counts, strict=True)
    return Word(f"Counter({dict(pairs)})") if words else Counter(dict(pairs))


_register_node: Any = optree.register_pytree_node  # its types say collections only
_register_node(
    _Sometimes,
    lambda one: ([one.maybe.content, one.maybe.defined], None),
    lambda _, parts: Maybe(*parts),
    namespace=NAMESPACE,
)
_register_node(
    Varying,
    lambda varying: ([varying.content], None),
    lambda _, children: Varying(*children),
    namespace=NAMESPACE,
)
_register_node(
    Counter,
    _split_counter,
    _join_counter,
    path_entry_type=optree.MappingEntry,
    namespace=NAMESPACE,
)
_register_node(Choice, _split_choice, _join_choice, namespace=NAMESPACE)
