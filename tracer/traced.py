"""traced: what a trace gives: its graph, and how its outputs make what is returned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeGuard

import numpy as np

from runtime.build import Trace
from runtime.graph import Graph, Value
from runtime.spec import holds_objects
from runtime.structs import struct
from runtime.tensor import Tensor
from tracer import outer, tree
from tracer.reads import Reads


@struct
class Constant:
    """A leaf of the result that is not in the graph."""

    content: Any


def is_array(leaf: Any) -> TypeGuard[Argument | Constant]:
    """True for what is the very array that was passed, or one from outside."""
    of_array = isinstance(leaf, Constant) and isinstance(leaf.content, np.ndarray)
    return isinstance(leaf, Argument) or (
        of_array and not holds_objects(leaf.content.dtype)
    )


@struct
class Output:
    """A leaf of the result: the graph's output at `index`.

    array:  without dims, yet an array, and not the scalar that graphs hold for one
    locked: a read-only view
    dtype:  of an array without dims: a scalar knows neither byte order nor StringDType
    """

    index: int
    array: bool = False
    locked: bool = False
    dtype: Any = None


@struct
class Argument:
    """A leaf of the result: the very array passed as the leaf at `index`."""

    index: int


@struct
class Container:
    """A leaf of the result: the very list, dict, ... passed, of the arguments' own."""

    index: int
    kind: str


@struct
class Picked:
    """A leaf of the result: one of `options`, by the graph's output at `tag`."""

    tag: int
    options: tuple[tuple[tree.Structure, tuple[Leaf, ...]], ...]


@struct
class Made:
    """A leaf of the result: an object or container that each call makes anew."""

    index: int
    kind: str


Leaf = Constant | Output | Argument | Container | Picked | Made


@struct
class Recipe:
    """An object that each call makes anew: its class and its attributes.

    held:  the names in its `__dict__`
    slots: the names of its slots
    parts: the structure and the leaves of each attribute
    """

    kind: type
    held: tuple[str, ...]
    slots: tuple[str, ...]
    parts: tuple[tuple[tree.Structure, tuple[Leaf, ...]], ...]


@struct
class Shared:
    """A list, dict or dataclass to which more than one place refers."""

    part: tuple[tree.Structure, tuple[Leaf, ...]]

    @property
    def parts(self) -> tuple[tuple[tree.Structure, tuple[Leaf, ...]], ...]:
        return (self.part,)


@struct
class Copied:
    """What the program makes and the caller may change: a set, say, an exception."""

    content: Any
    parts: tuple[()] = ()


Anew = Recipe | Shared | Copied


@struct
class ChangedContainer:
    """One of the arguments' containers, and what the program leaves in it."""

    index: int
    structure: tree.Structure
    leaves: tuple[Leaf, ...]


@struct
class Traced:
    """A trace's graph, and what surrounds it.

    inputs:     the argument leaf for each input of the graph
    structure:  of the result, None when every path raises
    result:     its leaves
    arguments_changed: (argument leaf, output index) for arrays changed in place
    arrays_changed:    (the user's array, output index), for arrays read by name
    containers_changed: lists, dicts and dataclasses among the arguments
    rows_changed: the outputs that are `Left` by the lists in lists among the arguments
    changes_passed: it changes a list, dict or dataclass among the arguments, or did
    asks_identity: which of the lists and dicts are one decides something
    asks_dtype: some function asks arrays for their dtype, which may have metadata
    met: the ids of those outside, where one that is passed may not be one of them
    loses_writes: the arrays that only paths that raise write, or ask whether they may:
        argument leaves, and the user's arrays that are read by name
    loses: what paths that raise change, "arrays" of others, and "others"
    asks_layout: it holds for arguments in C order alone
    outer: the places outside that are inputs too, their leaves after the arguments'
    outer_after: what the program leaves in them
    always_put: the numbers of those that get it even if it is what they held
    put_anew: the numbers of attributes that are deleted before they get it, in order
    once: it leaves an object there that is made anew by each call
    objects: objects and containers that each call makes anew
    reads: what was read outside as constants
    """

    graph: Graph
    inputs: tuple[int, ...]
    structure: tree.Structure | None
    result: tuple[Leaf, ...]
    arguments_changed: tuple[tuple[int, int], ...]
    arrays_changed: tuple[tuple[np.ndarray[Any, Any], int], ...]
    containers_changed: tuple[ChangedContainer, ...]
    outer: outer.Reading | None = None
    outer_after: tuple[tuple[tree.Structure, tuple[Leaf, ...]], ...] = ()
    once: bool = False
    objects: tuple[Anew, ...] = ()
    always_put: frozenset[int] = frozenset()
    put_anew: tuple[int, ...] = ()
    asks_layout: bool = False
    rows_changed: tuple[int, ...] = ()
    loses_writes: tuple[int | np.ndarray[Any, Any], ...] = ()
    loses: frozenset[str] = frozenset()
    changes_passed: bool = False
    asks_identity: bool = False
    asks_dtype: bool = False
    met: frozenset[int] = frozenset()
    reads: Reads | None = None


def loses_writes(
    trace: Trace, tensors: dict[int, Tensor], initial: dict[int, Value]
) -> tuple[Any, ...]:
    """The arrays that are written only where the function raises afterwards."""
    first = {id(tensor): (i, initial[i]) for i, tensor in tensors.items()}
    arrays = trace.arrays.values()
    first |= {id(tensor): (array, value) for array, tensor, value in arrays}
    written = [(t, *first[key]) for key, t in trace.written.items() if key in first]
    # No tensor outlives the trace.
    trace.written.clear()
    return tuple(where for tensor, where, value in written if tensor.value is value)


def left_alone(traced: Traced) -> frozenset[int]:
    """The numbers of the places outside that hold in the end what they did before."""
    if traced.outer is None:
        return frozenset()
    known = dict(zip(traced.graph.inputs, traced.inputs, strict=True))
    found, first = set(), traced.outer.first
    pairs = zip(traced.outer.forms, traced.outer_after, strict=False)
    for place, (form, (structure, leaves)) in enumerate(pairs):
        kept = form.kept(structure)
        is_put = place in traced.always_put or place in traced.put_anew
        if (
            kept is not None
            and not is_put
            and all(
                _is_kept(traced, leaf, known, form, i, first + i)
                for i, leaf in zip(kept, leaves, strict=True)
            )
        ):
            found.add(place)
        first += form.count
    return frozenset(found)


def _is_kept(
    traced: Traced, leaf: Leaf, known: dict[Any, int], form: Any, i: int, number: int
) -> bool:
    """Whether a leaf that is left in a place is the one that it held."""
    if isinstance(leaf, Argument):
        return traced.outer is not None and leaf.index == traced.outer.number(number)
    if type(leaf) is Output:
        is_plain = not (leaf.array or leaf.locked)
        return is_plain and known.get(traced.graph.outputs[leaf.index]) == number
    return isinstance(leaf, Constant) and form.is_constant(i, leaf.content)


def leaves_of(traced: Traced) -> Iterator[Leaf]:
    """The leaves of what a call returns, makes anew, and leaves in containers."""
    yield from _all_leaves(traced.result)
    for recipe in traced.objects:
        for _, leaves in recipe.parts:
            yield from _all_leaves(leaves)
    for changed in traced.containers_changed:
        yield from _all_leaves(changed.leaves)
    for _, leaves in traced.outer_after:
        yield from _all_leaves(leaves)


def _all_leaves(leaves: Sequence[Leaf]) -> Iterator[Leaf]:
    for leaf in leaves:
        yield leaf
        if isinstance(leaf, Picked):
            for _, inner in leaf.options:
                yield from _all_leaves(inner)
