"""given: what a trace passes for a caller's list of numbers, lists or tuples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.graph import Value
from runtime.ops import given as ops
from runtime.ops import lists
from runtime.spec import ListSpec, TensorSpec
from runtime.tensor import Tensor
from runtime.tuple_spec import TupleSpec
from tracer.item_type import ItemType, in_rows, type_of_item
from tracer.mixed_items import no_type
from tracer.rows import Plan, Region, Row, known, site_given
from tracer.signature import Signature
from tracer.staged_list import StagedList


def rows_of(signature: Signature) -> Plan | None:
    """The regions of a trace for lists of lists; None: the arguments hold none."""
    found = [
        frozenset({site_given(i)})
        for i, leaf in enumerate(signature.leaves)
        if has_rows(leaf) and signature.aliases[i] == i
    ]
    return Plan(tuple(found)) if found else None


def has_rows(spec: Any) -> bool:
    """True for what is known of a list of lists."""
    return type(spec) is ListSpec and type(spec.item) is ListSpec


def passed(leaf: int, tensor: Tensor) -> list[Any]:
    """The list for the input that is the leaf `leaf` of the arguments."""
    assert isinstance(tensor.spec, ListSpec)
    item = tensor.spec.item
    if isinstance(item, ListSpec):
        rows = known()
        region = None if rows is None else rows.region_at(site_given(leaf))
        assert region is not None
        return _rows(region, tensor, item.item)
    parts = [tensor]
    if isinstance(item, TupleSpec):
        made = ops.list_given(tensor, width=len(item.parts))
        parts = [made] if len(item.parts) == 1 else [*made]
    return [StagedList(_kind(item).shape, _values(parts))]


def _rows(region: Region, given: Tensor, item: TensorSpec) -> list[Any]:
    """A list of new rows of the region."""
    kind = in_rows(_kind(item))
    if not region.given:
        first = [lists.list_of(item=spec) for spec in kind.specs]
        region.held[:] = [StagedList(kind.shape, _values(first))]
    elif region.held[0].type != kind:
        raise no_type()
    width = len(item.parts) if isinstance(item, TupleSpec) else None
    *made, numbers = ops.rows_given(*region.held[0].lists, given, width=width)
    region.held[:] = [region.first] = [StagedList(kind.shape, _values(made))]
    region.given.append(given)
    row = type_of_item([Row(region, lists.list_len(numbers))])
    return [StagedList(row.shape, _values([numbers]))]


def _kind(item: TensorSpec) -> ItemType:
    """The type of the items that a caller's list holds."""
    parts = tuple(Tensor(Value(spec), scalar=True) for spec in ops.parts_of(item))
    return type_of_item(parts if isinstance(item, TupleSpec) else parts[0])


def _values(parts: Sequence[Tensor]) -> Sequence[Tensor]:
    for part in parts:
        part.scalar = True
    return parts
