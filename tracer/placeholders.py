"""placeholders: what a trace passes to a function for the arguments of a call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from runtime.build import Frame, Trace
from runtime.spec import ListSpec, ObjectSpec, TensorSpec
from runtime.tensor import Tensor
from runtime.tuple_spec import TupleSpec
from tracer.given import passed
from tracer.signature import Along, Signature, Whole


def placeholders(
    frame: Frame, signature: Signature, leaf_names: Sequence[str]
) -> tuple[dict[int, Tensor], dict[int, Tensor]]:
    """For each leaf that is an input a tensor, which is a new input of the frame.

    And for each that is a part of another one the tensor that is this part.
    """
    tensors, parts = {}, signature.parts
    for i in signature.tensors:
        if signature.aliases[i] != i or i in parts:
            continue
        spec = signature.leaves[i]
        assert isinstance(spec, TensorSpec)
        is_value = signature.scalars[i] or type(spec) is ListSpec
        made = Tensor(frame.add_input(spec), scalar=is_value)
        if not made.scalar:
            made.owner = f"the argument `{leaf_names[i]}`"
        tensors[i] = made
    return tensors, _add_wholes(frame, signature, tensors, leaf_names)


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
    pairs = zip(signature.aliases, leaves, strict=False)  # wholes follow
    return [made.get(alias, leaf) for alias, leaf in pairs]


def _passed(leaf: int, tensor: Tensor) -> Any:
    return passed(leaf, tensor) if type(tensor.spec) is ListSpec else tensor


def _spec_of_whole(whole: Whole, leaves: Sequence[Any]) -> TensorSpec:
    """What a trace for these leaves knows of the array that some are parts of."""
    dims: list[int | None] = [None] * len(whole.parts[0][1])
    for i, along in whole.parts:
        sizes = iter(leaves[i].shape)
        for axis, (before, after, step) in enumerate(along):
            size = next(sizes) if step else 1
            if size is not None:
                dims[axis] = before + (size - 1) * abs(step) + 1 + after
    return TensorSpec(tuple(dims), leaves[whole.parts[0][0]].dtype)


def _add_wholes(
    frame: Frame, signature: Signature, tensors: dict[int, Tensor], names: Sequence[str]
) -> dict[int, Tensor]:
    """Make inputs of what arguments are parts of; the parts, as they are taken of it.

    tensors: the other inputs, by their leaves, to which these are added
    """
    parts: dict[int, Tensor] = {}
    for number, whole in enumerate(signature.wholes, len(signature.leaves)):
        made = Tensor(frame.add_input(_spec_of_whole(whole, signature.leaves)))
        tensors[number] = made
        for i, along in whole.parts:
            parts[i] = taken(made, along)
            made.owner = parts[i].owner = f"the argument `{names[i]}`"
    return parts


def taken(whole: Any, along: Along) -> Any:
    """The part of an array, or of a tensor, that lies along its axes so."""
    found = whole[tuple(map(_index, along))]
    if all(step >= 0 for _, _, step in along):
        return found
    steps = [step // abs(step) for _, _, step in along if step]
    return found[tuple(slice(None, None, step) for step in steps)]


def _index(lies: tuple[int, int, int]) -> int | slice:
    before, after, step = lies
    return slice(before, -after or None, abs(step)) if step else before
