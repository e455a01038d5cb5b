"""finishing: what a call gives and changes, made of what its graph has given."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from operator import itemgetter
from typing import Any

from tracer import containers, tree
from tracer.outer import Added
from tracer.results import Results, locked
from tracer.traced import Output, Traced, left_alone
from tracer.undefined import UNDEFINED

Outputs = tuple[Any, ...]
Finish = Callable[[Outputs, Sequence[Any], Sequence[Any]], Any]


def finisher(traced: Traced, writes: bool) -> Finish:
    """A function of the graph's outputs, the leaves and the containers of a call.

    writes: whether a call changes anything that is not its own
    """
    structure, result = traced.structure, traced.result
    single = structure is not None and structure.is_leaf()
    alone = left_alone(traced)
    outputs = [leaf for leaf in result if isinstance(leaf, Output)]
    is_plain = len(outputs) == len(result) and not any(leaf.array for leaf in outputs)
    is_tuple = structure == tree.flatten((0,) * len(result))[1]
    if is_plain and (single or is_tuple) and not writes:
        return _plain(outputs, is_tuple)

    def finish(outputs: Outputs, leaves: Sequence[Any], found: Sequence[Any]) -> Any:
        written = [(outputs[i], leaves[at]) for at, i in traced.arguments_changed]
        written += [(outputs[i], array) for array, i in traced.arrays_changed]
        # What was written in place is there already.
        written = [(made, array) for made, array in written if made is not array]
        for content, array in written:
            write_back(array, content)
        call = Results(traced.objects, outputs, leaves, found, written)
        for changed in traced.containers_changed:
            content = call.whole(changed.structure, changed.leaves)
            containers.put(found[changed.index], content)
        for at in traced.rows_changed:
            put_rows(outputs[at])
        _write_outer(traced, call, alone)
        assert structure is not None, "a graph without a result always raises"
        return call.leaf(result[0]) if single else call.whole(structure, result)

    return finish


def _plain(parts: Sequence[Output], is_tuple: bool) -> Finish:
    """What gives these outputs, or a tuple of them; nothing else is to be done."""
    pairs = [(part.index, part.locked) for part in parts]
    has_locked = any(lock for _, lock in pairs)
    if not has_locked and is_tuple == (len(parts) > 1) and parts:
        pick = itemgetter(*(at for at, _ in pairs))  # of several it gives a tuple
        return lambda outputs, leaves, found: pick(outputs)

    def finish(outputs: Outputs, leaves: Sequence[Any], found: Sequence[Any]) -> Any:
        made = [locked(outputs[at]) if lock else outputs[at] for at, lock in pairs]
        return tuple(made) if is_tuple else made[0]

    return finish


def put_rows(left: Sequence[tuple[Any, Any]]) -> None:
    """Make a caller's lists in lists hold what a run has left in them."""
    for row, items in left:
        row[:] = items


def _write_outer(traced: Traced, call: Results, alone: Collection[int]) -> None:
    if traced.outer is None:
        return
    after = [one for at, one in enumerate(traced.outer_after) if at not in alone]
    pairs = enumerate(zip(traced.outer.slots(), traced.outer.forms, strict=True))
    places = [(at, *place) for at, place in pairs if at not in alone]
    # All is made before anything is put: one place may hold what another did.
    contents = [call.whole(*one) for one in after]
    anew = {at: n for n, at in enumerate(traced.put_anew)}
    written = list(zip(places, contents, after, strict=True))
    written.sort(key=lambda one: anew.get(one[0][0], -1))
    for (at, slot, form), content, (_, leaves) in written:
        if isinstance(form, Added):
            slot.holder().extend(content)
            continue
        if at in anew:
            # It comes behind the others then.
            slot.set(UNDEFINED)
        # What a call leaves alone stays the class's, if it is that.
        left = type(leaves[0]) is Output if len(leaves) == 1 else False
        is_put = at in anew or at in traced.always_put
        if is_put or not (left and slot.get() is content):
            slot.set(content)


def write_back(array: Any, content: Any) -> None:
    """Make one of the caller's arrays what its graph has made of it."""
    if array.shape != content.shape:
        array.shape = content.shape
    array[...] = content
