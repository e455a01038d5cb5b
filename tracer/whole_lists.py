"""whole_lists: lists of numbers among the arguments that are one input each.

A trace takes arguments apart, so that a list of numbers is as many constants or inputs,
and a list of another length is another trace. A long list of numbers of one type, and
one whose length differs from call to call, is an input as it is: a list of the graph,
of any length. Where the function cannot be traced so, its lists are taken apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from typing import Any, TypeVar, cast

from runtime.spec import ListSpec
from tracer import containers, tree
from tracer.forms import Unsettled
from tracer.leaf_keys import kind_of_items
from tracer.only_python import refuse_huge
from tracer.parameters import Bound, Parameters
from tracer.signature import Signature, signature_of
from tracer.widening import Widening, kind_of

Made = TypeVar("Made")
# Numbers that make a list a long one: what is shorter may be a shape, or coefficients.
LONG = 16
# Lists in one call: more are the rows of one that is taken apart.
MOST_LISTS = 8
# Kinds of calls that are remembered.
MOST_KINDS = 1_000
# Lengths of the lists of a kind of call that show that they differ.
MOST_LENGTHS = 2
# Calls of a kind that show that the numbers do, and the fewest numbers of which lists
# are made then: a point is better taken apart.
MOST_CALLS, FEW = 3, 4
_NESTED = (list, tuple)


class WholeLists:
    """What a Function has learned of the lists among its arguments."""

    def __init__(self, widening: Widening, parameters: Parameters) -> None:
        self._widening, self._parameters = widening, parameters
        # The structures of calls that differ in the lengths of lists alone, and how
        # many calls found no trace by a short key.
        self._lengths: dict[Any, set[tree.Structure]] = {}
        self._calls: Counter[Any] = Counter()
        self._refused: set[Any] = set()

    def found(
        self, bound: Bound, trace: Callable[[Signature, list[Any]], Made]
    ) -> tuple[Made, list[Any]] | None:
        """The trace of a call in which lists are inputs, and its leaves.

        trace: gives one that is known, or makes it
        None: there is no such list, or no such trace
        LongListError: of so many there is no trace at all
        """
        args, kwargs = bound
        refuse_huge((*args, *kwargs.values()))
        for signature, leaves in self._signatures(bound):
            kind = kind_of(signature)
            if kind in self._refused:
                continue
            try:
                return trace(signature, leaves), copied(leaves)
            except Unsettled:
                raise
            except Exception:
                # The trace for the numbers one by one says whether it is an error.
                self._refused.add(kind)
        return None

    def _signatures(self, bound: Bound) -> Iterator[tuple[Signature, list[Any]]]:
        """Those with lists in them, the one with the most lists first."""
        args, kwargs = bound
        if not any(map(_may_hold, (*args, *kwargs.values()))):
            return
        if not self._widening.reduces:
            return
        constant = self._widening.constants(self._parameters, bound)
        apart = {id(thing) for thing in containers.found_in(constant)}
        every = _signature(bound, 1, apart)
        if not 0 < _lists(every[0]) <= MOST_LISTS:
            return
        if len(self._lengths) >= MOST_KINDS:
            # Of objects that have gone, say.
            self._lengths.clear()
            self._calls.clear()
            self._refused.clear()
        kind = kind_of(every[0])
        lengths = self._lengths.setdefault(kind, set())
        if len(lengths) < MOST_LENGTHS:
            lengths.add(tree.flatten(bound)[1])
        self._calls[kind] += 1
        if len(lengths) >= MOST_LENGTHS:
            yield every
        least = FEW if self._calls[kind] >= MOST_CALLS else LONG
        long = _signature(bound, least, apart)
        if _lists(long[0]):
            yield long


def leaves_like(signature: Signature, bound: Bound) -> list[Any] | None:
    """The leaves of arguments; None where they are nested otherwise than in a trace.

    signature: the trace's
    """
    lists: set[int] = set()
    if _lists(signature):
        try:
            parts: list[Any] = signature.structure.flatten_up_to(cast(Any, bound))
        except ValueError:
            return None
        lists = {id(part) for part in parts if type(part) is list}
    leaves, structure = tree.flatten_where(bound, lambda node: id(node) in lists)
    return leaves if tree.same(structure, signature.structure) else None


def copied(leaves: list[Any]) -> list[Any]:
    """The leaves, with lists that a graph may change as a function does its own."""
    return [[*leaf] if is_flat(leaf) else leaf for leaf in leaves]


def is_flat(leaf: Any) -> bool:
    """True for a list of numbers: others are taken apart by the graph itself."""
    return type(leaf) is list and not (leaf and type(leaf[0]) in _NESTED)


def passed_in(bound: Bound, leaves: Sequence[Any]) -> list[Any]:
    """The containers of the arguments, but for those in lists that are leaves.

    A trace has placeholders for these.
    """
    return containers.found_in(bound, {id(x) for x in leaves if type(x) is list})


def _may_hold(given: Any) -> bool:
    return type(given) is list or tree.children(given) is not None


def _signature(
    bound: Bound, least: int, apart: Set[int]
) -> tuple[Signature, list[Any]]:
    """That of arguments of which lists of so many numbers are one leaf each.

    apart: the ids of lists that are not
    """

    def is_whole(node: Any) -> bool:
        if type(node) is not list or id(node) in apart or _count(node) < least:
            return False
        return kind_of_items(node) is not None

    return signature_of(*bound, lambda of: tree.flatten_where(of, is_whole))


def _count(items: list[Any]) -> int:
    """How many numbers are in a list, or in the lists and tuples in it."""
    if not items or type(items[0]) not in _NESTED:
        return len(items)
    return sum(_count([*part]) if type(part) in _NESTED else 1 for part in items)


def _lists(signature: Signature) -> int:
    return sum(type(leaf) is ListSpec for leaf in signature.leaves)
