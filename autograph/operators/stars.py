"""Stars: `[*xs, y]`, `{**d}`, `f(*xs)`, `f(**d)`, `a, *b = xs` of what a run gives.

What a star spreads may have a length that depends on data. In a list or tuple a
StagedList stands for all its items, so that the whole is a list or tuple of such a
length; one of several things is spread in a branch for each of them. A call gets as
many arguments as there are: in a branch for each count that the callee tells apart.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

from autograph.operators import consumers, dicts, lists
from autograph.operators.comprehension import listed
from autograph.operators.generators import Generator
from autograph.operators.iterators import is_users, require_here, started
from autograph.operators.number_calls import kind_name
from autograph.operators.registry import staging_of
from runtime import build
from runtime.errors import PythonTypeError, StagingError, located
from runtime.numpy_api.fields import is_record
from runtime.objects import is_object
from runtime.ops.lists import unpacker
from runtime.tensor import Tensor
from tracer import captures
from tracer.choice import Choice, Varying, all_options, tag_of, varying
from tracer.dict_objects import Keys
from tracer.frozen import made_in
from tracer.iterated import FRESH
from tracer.list_objects import of_display, plain_content, staged
from tracer.picking import each, holds_choice, over
from tracer.places import created
from tracer.raising import sure
from tracer.staged_list import StagedList
from tracer.tree import holds_tensor


def star(iterable: Any) -> Any:
    """`*iterable` in a display or call: its items, or what stands for them all."""
    kind = type(iterable)
    if kind is list or kind is tuple or build.current() is None:
        return of_display(iterable)
    iterable = captures.as_written(iterable)
    kind = type(iterable)
    require_here(iterable)
    one_of = _gone_through(iterable)
    if one_of is not None:
        return (Varying(one_of),)
    if consumers.is_generator(iterable):
        return listed(iterable)
    if kind is Tensor and iterable.scalar and not is_object(iterable):
        name = kind_name(iterable)
        raise TypeError(f"Value after * must be an iterable, not {name}")
    if staging_of(iterable) is None:
        return iterable
    items = lists.items_of(iterable)
    return (plain_content(items),) if isinstance(items, StagedList) else items


def several(thing: Any) -> Choice | None:
    """What it is one of, or holds one of; None for anything else."""
    return thing if type(thing) is Choice else varying(thing)


def _gone_through(iterable: Any) -> Choice | None:
    """As `several`; of a dict that holds one of several contents their keys."""
    one_of = several(iterable)
    if one_of is None or not isinstance(iterable, dict):
        return one_of
    return Choice(tag_of(one_of), [list(option) for option in all_options(one_of)])


def star_mapping(mapping: Any) -> Any:
    """`**mapping` in a dict display."""
    one_of = several(mapping)
    return mapping if one_of is None else {_Spread(mapping): Varying(one_of)}


class _Spread:
    """Stands for the keys of one of several dicts, in a display."""

    __slots__ = ("of",)

    def __init__(self, of: Any) -> None:
        self.of = of


class _Key:
    """Stands in a display for a key that is known only when the graph runs."""

    __slots__ = ("of",)

    def __init__(self, of: Any) -> None:
        self.of = of


def key_of(part: Any) -> Any:
    """A key of a dict display."""
    if type(part) is str or build.current() is None or not holds_tensor(part):
        return part
    return _Key(part)


def new(display: Any) -> Any:
    """A list, dict or set that was made here."""
    return created(spread(of_display(display)))


def new_set(items: tuple[Any, ...]) -> Any:
    """A set display, by its items."""
    if build.current() is None or not holds_tensor(items):
        return new({*items})
    made: set[Any] = created(set())
    for item in items:
        dicts.add(made, item)
    return made


def _keyed(display: dict[Any, Any]) -> Any:
    """A dict with keys that depend on data, which get their items one by one."""
    made = display.copy()
    made.clear()
    created(made)
    for key, item in display.items():
        if type(key) is Keys:
            dicts.merge(made, item)
        else:
            dicts.set_item(item, made, key.of if type(key) is _Key else key)
    return made


def spread(display: Any) -> Any:
    """A display such as `{**d, "k": v}`, with what varies in it taken apart."""
    kind = type(display)
    if kind not in _REBUILT or _is_several(display):
        return display
    parts = list(display.items() if kind is dict else display)
    one_of: list[Any] = [_one_of(kind, part) for part in parts]
    at = next((i for i, choice in enumerate(one_of) if choice is not None), None)
    if at is None:
        by_data = kind is dict and not {_Key, Keys}.isdisjoint(map(type, display))
        return _keyed(display) if by_data else display
    rebuild, before, behind = _REBUILT[kind], parts[:at], parts[at + 1 :]

    def with_option(option: Any) -> Any:
        return spread(created(rebuild(before, _items(kind, parts[at], option), behind)))

    return over(with_option, one_of[at])


def _one_of(kind: type, part: Any) -> Any:
    """What decides about a part of a display: its stars, or a choice in its key."""
    held = part[1] if kind is dict else part
    if type(held) is Varying:
        return held.content
    key = part[0] if kind is dict else part
    by_key = kind is dict or kind is set
    return key if by_key and holds_choice(key) else None


def _items(kind: type, part: Any, option: Any) -> Any:
    """What `option` makes of the part."""
    held = part[1] if kind is dict else part
    if type(held) is Varying:
        return option if kind is dict else star(option)
    return {option: held} if kind is dict else (option,)


_REBUILT: dict[type, Any] = {
    dict: lambda before, items, behind: {**dict(before), **items, **dict(behind)},
    list: lambda before, items, behind: [*before, *items, *behind],
    tuple: lambda before, items, behind: (*before, *items, *behind),
    set: lambda before, items, behind: {*before, *items, *behind},
}


def _is_several(display: Any) -> bool:
    """True for a display that is one of several of its kind, and no more."""
    content = varying(display)
    kind = type(display)
    return content is not None and all(type(o) is kind for o in all_options(content))


def starred(display: tuple[Any, ...]) -> Any:
    """A tuple with stars in it."""
    return spread(display) if build.current() is not None else display


def unpack(value: Any, before: int, after: int | None = None) -> Any:
    """The value of `a, b = value`; after: how many targets follow one with a star."""
    kind = type(value)
    if build.current() is None:
        return value
    if kind is list or kind is tuple:
        held = staged(value)
        if held is not None:
            # The target with a star gets a list of the one StagedList, which is a
            # list of that length.
            return held.unpack(before, after)
    is_begun = is_users(kind, "__iter__")
    is_begun = is_begun or (is_users(kind, "__next__") and hasattr(kind, "__iter__"))
    if is_begun:
        value = _started(value)
        kind = type(value)
    require_here(value)
    one_of = _gone_through(value)
    if one_of is not None:
        return _unpack_each(one_of, before, after)
    if kind is Generator:
        return _unpack_generator(value, before, after)
    if is_record(value):
        return tuple(value)
    is_number = kind is Tensor and value.scalar and not is_object(value)
    if is_number:
        raise TypeError(f"cannot unpack non-iterable {kind_name(value)} object")
    if staging_of(value) is None:
        is_known = not is_begun or hasattr(kind, "__iter__")
        return value if is_known else _by_next(value, None if after is None else before)
    items = lists.items_of(value)
    return items.unpack(before, after) if isinstance(items, StagedList) else items


def _by_next(value: Any, count: int | None) -> Iterator[Any]:
    """What Python unpacks of an iterator that has no `__iter__` of its own.

    count: how many targets stand before a star, for which Python makes a list of it,
           which cannot be; None: no target has one
    """
    for _ in itertools.repeat(None) if count is None else range(count):
        try:
            yield next(value)
        except StopIteration:
            return
    yield from value


def _started(value: Any) -> Any:
    """What Python goes through of an object of the user's, asked by the trace.

    PythonTypeError: an iterator from outside, of which data say where it ends
    """
    iterator = started(value)
    if not is_users(type(iterator), "__next__"):
        return iterator
    frame = build.require_current("unpacking")
    if not made_in(iterator, frame):
        raise located(
            PythonTypeError("an iterator that each call goes on with is unpacked"),
            "Unpack a list of what it gives.",
        )
    return iterator


def _unpack_each(one_of: Choice, before: int, after: int | None) -> Any:
    """Of the one that it is."""

    def parts(option: Any) -> Any:
        found = sure(unpacker(before, after), unpack(option, before, after))
        if after is not None:
            created(found[before])
        return found

    return _spread_at(before, list(each(one_of, parts)), after)


def _spread_at(before: int, found: Sequence[Any], after: int | None) -> Any:
    """What the targets get, for Python to unpack once more."""
    if after is None:
        return found
    return [*found[:before], *star(found[before]), *found[before + 1 :]]


def _unpack_generator(generator: Generator, before: int, after: int | None) -> Any:
    """Item by item, as Python does; of a new one by its body, where data decide."""
    frame = build.require_current("unpacking")
    mark, is_new = frame.mark(), generator.state == FRESH
    try:
        return _spread_at(before, unpacker(before, after)(generator), after)
    except StagingError:
        frame.go_back(mark)
        if not is_new or not generator.runs:
            raise
    return unpack(listed(generator), before, after)
