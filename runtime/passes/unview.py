"""Unview: what a loop or a branch changes through a view alone, it gets as the view.

`v = x.T`, then `v[i, j] += 1` in a loop, is a view of x in each turn, a change of it,
and the view of that which is x again. Where nothing else reads x, the loop carries the
view: one is taken before it, and x is taken of it after it. So a turn does nothing but
the change, which machine code does in place.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from runtime.graph import Graph, Node, Value
from runtime.hushed import warnings_as
from runtime.passes.rewrite import (
    Names,
    renamed,
    with_graphs,
    with_inputs,
    with_nodes,
)
from runtime.structs import replace

# The views that another one may undo.
VIEWS = frozenset(
    {"transpose", "swapaxes", "moveaxis", "flip", "rot90", "expand_dims", "squeeze"}
    | {"reshape", "ravel", "reshape_like", "view_bits"}
)
# Sizes that stand for those that only the run knows, no two of which are equal.
_SIZES = (13, 17, 11, 19, 7, 23)
# Bytes of the largest elements that an array may be seen as.
_BYTES = 32


def unview(graph: Graph) -> Graph:
    """`graph` with such views around its loops and branches, at every depth."""
    return _unview(graph, is_inside=False)


def _unview(graph: Graph, *, is_inside: bool) -> Graph:
    nodes: list[Node] = []
    names: Names = {}
    views = _Views(is_inside)
    for old in graph.nodes:
        node = with_inputs(old, names)
        held = [_unview(inner, is_inside=True) for inner in node.graphs]
        node = with_graphs(node, held)
        around = _outside(node)
        views.made.update(value for one in around for value in one.outputs)
        if len(around) == 1:
            views.made.difference_update(node.outputs)
        for made in around:
            one = with_inputs(made, names)
            same = views.known(one)
            if same is not None:
                names[one.outputs[0]] = same
                continue
            nodes.append(one)
    return with_nodes(graph, nodes, names)


class _Views:
    """What is known of the views of a graph.

    is_inside: it is a body or a branch, where nobody can tell one view from another
    made:      what this pass has made there
    """

    def __init__(self, is_inside: bool) -> None:
        self.is_inside = is_inside
        self.made: set[Value] = set()
        self._makers: dict[Value, Node] = {}
        self._taken: dict[tuple[Any, ...], Value] = {}

    def known(self, node: Node) -> Value | None:
        """What a view is already: the same one, or what was put back for it."""
        self._makers.update(dict.fromkeys(node.outputs, node))
        if node.op.name not in VIEWS or node.guards:
            return None
        (made,) = node.outputs
        back = self._makers.get(node.inputs[0])
        if back is not None and back.op.name in VIEWS and undoes(node, back):
            found = back.inputs[0]
        elif len(node.inputs) == 1:
            key = node.op.name, node.inputs[0], repr(sorted(node.attributes.items()))
            found = self._taken.setdefault(key, made)
        else:
            return None
        if found is made or found.spec != made.spec:
            return None
        return found if self.is_inside or {found, made} & self.made else None


class _Changed(NamedTuple):
    """An array that a sub-graph reads by a view alone, and puts back.

    view: takes the view; back: of what was changed, the array. None: not here
    """

    view: Node | None
    back: Node | None


def _outside(node: Node) -> list[Node]:
    """The node, with the views that it need not take in front of it, and after it."""
    find = _FINDS.get(node.op.name)
    if find is None:
        return [node]
    before: list[Node] = []
    after: list[Node] = []
    for position in range(len(node.outputs)):
        sides = find(node, position)
        if sides is None:
            continue
        at, views = sides
        view = next(one.view for one in views if one.view is not None)
        back = next(one.back for one in views if one.back is not None)
        if len(back.inputs) > 1 and _is_read(node, at, views):
            continue  # it would be asked of what it is to give
        whole = node.inputs[at]
        taken, left = (Value(view.outputs[0].spec) for _ in range(2))
        before.append(replace(view, inputs=(whole,), outputs=(taken,)))
        others = (whole,) if len(back.inputs) > 1 else ()
        given = node.outputs[position]
        after.append(replace(back, inputs=(left, *others), outputs=(given,)))
        node = _with_view(node, at, position, taken, left, views)
    return [*before, node, *after]


def _is_read(node: Node, at: int, views: tuple[_Changed, ...]) -> bool:
    """Whether sub-graphs read more of this input than the views."""
    inner = at - len(node.inputs)
    return any(
        graph.inputs[inner] in one.inputs
        for graph, own in zip(node.graphs, views, strict=True)
        for one in graph.nodes
        if one not in own
    )


def _with_view(
    node: Node,
    at: int,
    position: int,
    taken: Value,
    left: Value,
    views: tuple[_Changed, ...],
) -> Node:
    """The node that is given the view as its input `at`, and gives what it became.

    Who reads more than the view takes the array of it again.
    """
    again = next((one.back for one in views if one.back is not None), None)
    inner = at - len(node.inputs) + len(node.graphs[0].inputs)
    graphs = []
    for graph, (view, back) in zip(node.graphs, views, strict=True):
        inside, whole = Value(taken.spec), graph.inputs[inner]
        names = {whole: inside}
        nodes = [one for one in graph.nodes if one is not view and one is not back]
        if view is not None:
            names[view.outputs[0]] = inside
        if again is not None and any(whole in one.inputs for one in nodes):
            nodes.insert(0, replace(again, inputs=(inside,), outputs=(whole,)))
            del names[whole]
        nodes = [with_inputs(one, names) for one in nodes]
        ends = list(renamed(graph.outputs, names))
        if back is not None:
            (end,) = renamed(back.inputs[:1], names)
            ends[position] = end
        inputs = list(graph.inputs)
        inputs[inner] = inside
        graphs.append(
            replace(
                graph, inputs=tuple(inputs), nodes=tuple(nodes), outputs=tuple(ends)
            )
        )
    inputs, outputs = list(node.inputs), list(node.outputs)
    inputs[at], outputs[position] = taken, left
    return replace(
        node, inputs=tuple(inputs), outputs=tuple(outputs), graphs=tuple(graphs)
    )


def _of_loop(node: Node, position: int) -> tuple[int, tuple[_Changed, ...]] | None:
    """Where a loop carries such an array, and what test and body do with it."""
    body = node.graphs[1]
    changed = _changed(body, body.inputs[position], position)
    if changed is None or changed.back is None:
        return None
    return position, (_Changed(None, None), changed)


def _of_branch(node: Node, position: int) -> tuple[int, tuple[_Changed, ...]] | None:
    """Which input branches give as this output, and what each does with it.

    One may change nothing.
    """
    sources = {
        inner: at
        for graph in node.graphs
        for at, inner in enumerate(graph.inputs, len(node.inputs) - len(graph.inputs))
    }
    found: list[tuple[int, _Changed]] = []
    for graph in node.graphs:
        end = graph.outputs[position]
        if end in sources:
            used = _uses(graph)[end]
            found.append((sources[end], _Changed(None, None)))
            if used > 1:
                return None
            continue
        makers = {value: one for one in graph.nodes for value in one.outputs}
        whole = _whole(graph, makers, end)
        changed = None if whole is None else _changed(graph, whole, position)
        if whole is None or changed is None:
            return None
        found.append((sources[whole], changed))
    places, views = zip(*found, strict=True)
    backs = [one for one in views if one.back is not None]
    if not backs or len({*places}) > 1 or not _alike(backs):
        return None
    return places[0], views


_FINDS = {"while": _of_loop, "if": _of_branch}


def _whole(graph: Graph, makers: dict[Value, Node], end: Value) -> Value | None:
    """The input of which a branch has put back a view, if it is one."""
    while end in makers:
        inputs = makers[end].inputs
        if not inputs:
            return None
        end = inputs[0]
    return end if end in graph.inputs else None


def _alike(changed: list[_Changed]) -> bool:
    """Whether all of these are taken, and put back, by the same views."""
    first, *others = changed
    return all(
        one.op is other.op and one.attributes == other.attributes
        for changes in others
        for one, other in zip(changes, first, strict=True)
        if one is not None and other is not None
    )


def _changed(graph: Graph, whole: Value, position: int) -> _Changed | None:
    """The view by which a graph changes an array; None: it is none, or does more."""
    end = graph.outputs[position]
    backs = [one for one in graph.nodes if end in one.outputs]
    if not backs or backs[0].op.name not in VIEWS or _uses(graph)[end] > 1:
        return None
    (back,) = backs
    if back.guards or back.inputs[1:] not in ((), (whole,)):
        return None
    readers = (one for one in graph.nodes if one.inputs == (whole,) and not one.guards)
    for view in readers:
        fits = view.op.name in VIEWS and view.outputs[0].spec == back.inputs[0].spec
        if not fits or view is back:
            continue
        if back.op.name != "reshape" and _is_for_items(graph, view):
            continue
        if undoes(back, view):
            return _Changed(view, back)
    return None


def _is_for_items(graph: Graph, view: Node) -> bool:
    """Whether items are read of a view by `.flat` alone, for which it may be a copy."""
    (made,) = view.outputs
    users = [one for one in graph.nodes if made in one.inputs]
    return bool(users) and all(one.attributes.get("flat") for one in users)


def _uses(graph: Graph) -> Counter[Value]:
    found = Counter(value for one in graph.nodes for value in one.inputs)
    found.update(graph.outputs)
    return found


def undoes(
    back: Node, view: Node, axes: Sequence[int] = (), is_taken: bool = False
) -> bool:
    """Whether of a view of any array `back` gives that array itself, as it lies.

    axes:     those of which `back` is given the array's sizes; none: the array itself
    is_taken: the run takes the view anyway, so the array has such sizes
    """
    whole = view.inputs[0].spec
    if len(view.inputs) > 1 or back.outputs[0].spec != whole:
        return False
    if whole.dtype is None or whole.shape is None:
        return False
    left = iter(_SIZES)
    times = _divisor(view) if is_taken else 1
    shape = [d if isinstance(d, int) else times * next(left, 1) for d in whole.shape]
    try:
        # Nobody writes it, so that it takes no memory.
        array = np.empty(shape, (np.void, whole.dtype.itemsize))
        others: list[Any] = [array] * (len(back.inputs) - 1)
        if axes:
            others = [shape[axis] for axis in axes]
        with warnings_as("error"):
            again = _run(back, _run(view, array), *others)
    except (ValueError, TypeError, IndexError, MemoryError):
        return False
    return (again.ctypes.data, again.shape, again.strides) == (
        array.ctypes.data,
        array.shape,
        array.strides,
    )


def _divisor(view: Node) -> int:
    """What divides the sizes of the arrays of which there is such a view."""
    if view.op.name == "view_bits":
        return _BYTES
    known = (dim for dim in view.outputs[0].spec.shape or () if isinstance(dim, int))
    return math.prod(dim for dim in known if dim) if view.op.name == "reshape" else 1


def _run(node: Node, *arrays: Any) -> Any:
    assert node.op.kernel is not None
    return node.op.kernel(*arrays, **node.attributes)
