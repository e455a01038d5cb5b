"""Tuples whose length is found when the graph runs: lists until they leave the graph.

They are made, joined and gone through by the ops of lists. Here is what differs: how
one leaves the graph, and what it says of an item that it has not.
"""

from __future__ import annotations

from typing import Any

from runtime.op import op
from runtime.ops.basic import WEAK_INT
from runtime.ops.lists import ANYTHING
from runtime.ops.template import fill
from runtime.spec import ListSpec, TensorSpec


@op(kernel=lambda xs: tuple(xs), source="tuple({0})")
def list_tuple(xs: TensorSpec) -> TensorSpec:
    """`tuple(xs)`: the items in a tuple, as it leaves the graph."""
    return ANYTHING


def _get_of_tuple(xs: list[Any], *dynamic: Any, index: tuple[Any]) -> Any:
    (at,) = fill(index, dynamic)
    try:
        return xs[at]
    except IndexError:
        raise IndexError("tuple index out of range") from None


@op(kernel=_get_of_tuple)
def tuple_get(xs: TensorSpec, *dynamic: TensorSpec, index: tuple[Any]) -> TensorSpec:
    """`t[index]` of a tuple with these items. IndexError: in a tuple's words."""
    assert isinstance(xs, ListSpec)
    return xs.item


@op(kernel=lambda xs, *dynamic, sought: tuple(xs).index(*fill(sought, dynamic)))
def tuple_index(xs: TensorSpec, *dynamic: TensorSpec, sought: Any) -> TensorSpec:
    """`t.index(*sought)` of a tuple. ValueError: in a tuple's words."""
    return WEAK_INT
