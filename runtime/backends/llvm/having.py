"""having: which steps there is machine code for, and which of them take any time."""

from __future__ import annotations

from collections.abc import Iterable

from runtime.backends.llvm import (
    arrays,
    choosing,
    comparing,
    draws,
    functions,
    gathers,
    joins,
    lists,
    numbers,
    positions,
    products,
    python_draws,
    reductions,
    rows,
    sorts,
    tables,
    typed_lists,
    variances,
    views,
)
from runtime.backends.llvm.fallback import is_pure
from runtime.backends.llvm.lowering import LOWER, OF_ARRAYS, OF_LISTS
from runtime.backends.llvm.reduced import UFUNCS
from runtime.backends.llvm.switch import is_precise
from runtime.backends.llvm.values import ufunc_of
from runtime.backends.llvm.walking import walk
from runtime.backends.numpy.program import Step

# Each has put its rows into the tables.
FILLED = (
    *(
        arrays,
        choosing,
        comparing,
        draws,
        functions,
        gathers,
        joins,
        lists,
        numbers,
        positions,
        products,
    ),
    *(python_draws, reductions, rows, sorts, tables, typed_lists, variances, views),
)
# What of draws has machine code.
DRAWS = {"draw": draws.is_known, "ask": python_draws.is_known}
OVER_ARRAYS = frozenset({*UFUNCS, *positions.WORDS, products.MATMUL, *joins.JOINS})
OVER_ARRAYS |= {"index", "sort", "argsort"}


def may_be_native(step: Step) -> bool:
    """Whether the ops of a loop are among those that machine code is made of."""
    steps = [*walk(step.bodies)]
    if _calls_around(steps) or any(map(lists.may_tell_nans_apart, steps)):
        return False
    if any(inner.node.op.name in DRAWS for inner in walk(step.bodies[:1])):
        # Python has asked the test when machine code begins with it.
        return False
    return all(
        DRAWS[inner.node.op.name](inner)
        if inner.node.op.name in DRAWS
        else inner.node.op.name in LOWER
        or inner.node.op.name in OF_ARRAYS
        or inner.node.op.name in OF_LISTS
        or ufunc_of(inner.node, is_precise()) is not None
        or is_pure(inner)
        for inner in steps
    )


def _calls_around(steps: Iterable[Step]) -> bool:
    """Whether they call a recursion that they are themselves in: it is Python's."""
    named = {"call": set[str](), "recursion": set[str]()}
    for step in steps:
        if step.node.op.name in named:
            named[step.node.op.name].add(step.node.attributes["function"])
    return not named["call"] <= named["recursion"]


def takes_any_time(step: Step) -> bool:
    """Whether a step is of whole arrays, or calls what may take long."""
    name, outputs = step.node.op.name, step.outputs
    if name in ("slice", "transpose", "expand_dims", "if", "while", "constant"):
        return False
    if name in OVER_ARRAYS:
        return True
    if name in OF_LISTS:
        return not lists.is_of_one_item(step)
    is_number = name in LOWER or ufunc_of(step.node, is_precise()) is not None
    return not is_number or any(v.spec.shape != () for v in outputs)
