"""families: all modules of ops, any of which may be named."""

from __future__ import annotations

from runtime.op import OPS, Op
from runtime.ops import (
    basic,
    characters,
    control,
    create,
    elementwise,
    given,
    heaps,
    index,
    join,
    kind,
    linalg,
    lists,
    philox,
    placeholder,
    places,
    random,
    reduce,
    rows,
    settings,
    shape,
    sort,
    state,
    tables,
    tuples,
    views,
    world,
)

# Importing a family enters its ops in the table `runtime.op.OPS`.
FAMILIES = (
    *(basic, characters, control, create, elementwise, given, heaps, index, join),
    *(kind, linalg, lists, philox, placeholder, places, random, reduce, rows, settings),
    *(shape, sort, state, tables, tuples, views, world),
)


def op_named(name: str) -> Op | None:
    """The op of this name, as `runtime.op.Op.name` is; None: there is none."""
    return OPS.get(name)
