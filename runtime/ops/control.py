"""Control: the ops that hold graphs, for a choice, a loop and a recursion.

Their sub-graphs are closed: what a branch or body needs from outside comes in as a
capture, an input of the node like any other. An executor runs them; they have no
kernel.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from runtime import spec as specs
from runtime.effects import WRITES_WORLD, Effect, Effects, Guard
from runtime.graph import Graph
from runtime.op import op
from runtime.spec import TensorSpec

CLAUSE = TensorSpec((), int, weak=True)
# An exception that was caught: a Python object, told by nothing but its presence.
CAUGHT = TensorSpec((), np.dtype(object))


@op("if", graphs=("then", "orelse"))
def if_(
    predicate: TensorSpec, *captures: TensorSpec, graphs: tuple[Graph, ...]
) -> tuple[TensorSpec, ...]:
    """The outputs of `then(*captures)` when predicate is true, else of `orelse`.

    predicate: a staged Python bool
    Both graphs take the captures and give equally many outputs.
    """
    then, orelse = graphs
    pairs = zip(then.outputs, orelse.outputs, strict=True)
    return tuple(specs.join(a.spec, b.spec) for a, b in pairs)


@op("while", graphs=("test", "body"))
def while_(
    *inputs: TensorSpec, graphs: tuple[Graph, ...], carried: int
) -> tuple[TensorSpec, ...]:
    """`while test(*inputs): the first inputs become body(*inputs)`; those, at the end.

    carried: how many of the inputs change; the others are captures
    Both graphs take all inputs; `test` gives a Python bool, `body` the carried values.
    """
    _, body = graphs
    return tuple(value.spec for value in body.inputs[:carried])


@op("recursion", graphs=("body",))
def recursion(
    *inputs: TensorSpec, graphs: tuple[Graph, ...], function: str, carried: int
) -> tuple[TensorSpec, ...]:
    """`body(*inputs)`, in which a `call` of `function` is `body` of other inputs.

    function: the name that the calls in `body`, at any depth, go by
    carried:  how many of the inputs a call may change; the others are captures
    """
    (body,) = graphs
    return tuple(value.spec for value in body.outputs)


def _named_effects(attributes: Mapping[str, Any]) -> Effects:
    kinds = ("read", "write")
    return frozenset(
        Effect(kind, what)  # type: ignore[arg-type] # there are no other words
        for kind in kinds
        for what in attributes.get(kind, ())
    )


def effects_as_attributes(effects: Effects) -> dict[str, Any]:
    """The attributes of a `call` whose graph has these effects."""
    found: dict[str, list[Any]] = {}
    for effect in effects:
        found.setdefault(effect.kind, []).append(effect.what)
    return {kind: tuple(found[kind]) for kind in sorted(found)}


@op(effects=_named_effects)
def call(
    *inputs: TensorSpec,
    function: str,
    specs: tuple[TensorSpec, ...],
    read: tuple[Any, ...] = (),
    write: tuple[Any, ...] = (),
) -> tuple[TensorSpec, ...]:
    """The outputs of the `recursion` around it that is called `function`.

    specs: those of the outputs; what the call reads and writes is named, since its
    graph is still being made when the node is
    """
    return specs


@op("called", graphs=("body",))
def called(
    *captures: TensorSpec, graphs: tuple[Graph, ...], function: str
) -> tuple[TensorSpec, ...]:
    """The outputs of `body(*captures)`: a call of a function of the user's.

    function: its name. The passes `outline` and `inline` make such nodes and take them
    back; what runs a graph takes them back first.
    """
    (body,) = graphs
    return tuple(value.spec for value in body.outputs)


@op("try", graphs=("body",))
def try_(
    *captures: TensorSpec,
    graphs: tuple[Graph, ...],
    guard: Guard,
    catches: tuple[tuple[type[BaseException], ...], ...],
    cells: tuple[TensorSpec, ...],
) -> tuple[TensorSpec, ...]:
    """Run `body(*captures)`; an exception of `catches` ends it early.

    guard:   its name: the body's checkpoints, and the nodes that may fail, bear it
    catches: for each handler the types that it takes, the first one first
    cells:   the specs of what each checkpoint keeps
    Gives 0, or 1 for the first handler, 2 for the second, ...; the exception; what the
    last checkpoint before it kept; and the body's outputs, when nothing was raised.
    """
    (body,) = graphs
    return (CLAUSE, CAUGHT, *cells, *(value.spec for value in body.outputs))


def _writes_guard(attributes: Mapping[str, Any]) -> Effects:
    return frozenset({Effect("write", attributes["guard"])})


@op("checkpoint", effects=_writes_guard)
def checkpoint(*kept: TensorSpec, guard: Guard, cells: tuple[int, ...]) -> tuple[()]:
    """Keep the values for the handlers of the try statement that `guard` names.

    cells: which of its cells get them; the others keep what they have
    """
    return ()


@op("reraise", effects=WRITES_WORLD)
def reraise(caught: TensorSpec, *inputs: TensorSpec, content: Any = None) -> tuple[()]:
    """Raise again what was caught, with the traceback that it has.

    content: a template of its arguments (None: as they are), attributes and cause,
             where the program has set them since, and whether it has set the cause
    """
    return ()
