"""Control: the ops that hold graphs, one for a choice and one for a loop.

Their sub-graphs are closed: what a branch or body needs from outside comes in as a
capture, an input of the node like any other. An executor runs them; they have no
kernel.
"""

from __future__ import annotations

from runtime import spec as specs
from runtime.graph import Graph
from runtime.op import op
from runtime.spec import TensorSpec


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
