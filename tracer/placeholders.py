"""placeholders: what a trace passes to a function for the arguments of a call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from runtime.build import Frame, Trace
from runtime.spec import ListSpec, ObjectSpec, TensorSpec
from runtime.tensor import Tensor
from runtime.tuple_spec import TupleSpec
from tracer.given import passed
from tracer.signature import Signature


def placeholders(
    frame: Frame, signature: Signature, leaf_names: Sequence[str]
) -> dict[int, Tensor]:
    """For each leaf that is an input a tensor, which is a new input of the frame."""
    tensors = {}
    for i in signature.tensors:
        if signature.aliases[i] != i:
            continue
        spec = signature.leaves[i]
        assert isinstance(spec, TensorSpec)
        is_value = signature.scalars[i] or type(spec) is ListSpec
        made = Tensor(frame.add_input(spec), scalar=is_value)
        if not made.scalar:
            made.owner = f"the argument `{leaf_names[i]}`"
        tensors[i] = made
    return tensors


def note_kinds(trace: Trace, signature: Signature) -> None:
    """Note whether texts or lists are inputs, which functions in C take otherwise."""
    kinds = (ObjectSpec, ListSpec)
    trace.has_objects = any(isinstance(leaf, kinds) for leaf in signature.leaves)
    trace.has_tuples = any(map(_holds_tuples, signature.leaves))


def _holds_tuples(spec: Any) -> bool:
    if isinstance(spec, ListSpec):
        return _holds_tuples(spec.item)
    return isinstance(spec, TupleSpec)


def without_lists(leaves: Sequence[Any]) -> list[Any]:
    """The leaves, but for lists: what those hold is not for the trace to see."""
    return [None if type(leaf) is list else leaf for leaf in leaves]


def passed_for(
    signature: Signature, tensors: Mapping[int, Tensor], leaves: Sequence[Any]
) -> list[Any]:
    """What is passed for each leaf: a constant as it is, a list as one of the graph."""
    made = {i: _passed(i, tensor) for i, tensor in tensors.items()}
    return [made.get(signature.aliases[i], leaf) for i, leaf in enumerate(leaves)]


def _passed(leaf: int, tensor: Tensor) -> Any:
    return passed(leaf, tensor) if type(tensor.spec) is ListSpec else tensor
