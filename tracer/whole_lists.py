"""whole_lists: lists of numbers among the arguments that are one input each.

A trace takes arguments apart, so that a list of numbers is as many constants or inputs,
and a list of another length is another trace. A long list of numbers of one type, and
one whose length differs from call to call, is an input as it is: a list of the graph,
of any length. Where the function cannot be traced so, its lists are taken apart.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from runtime.spec import ListSpec
from tracer import tree
from tracer.forms import Unsettled
from tracer.signature import Bound, Signature, signature_of
from tracer.widening import kind_of

Made = TypeVar("Made")
# Numbers that make a list a long one: what is shorter may be a shape, or coefficients.
LONG = 16
# Lengths of the lists of a kind of call that show that they differ.
MOST_LENGTHS = 2
_INT = range(-(2**63), 2**63)


class WholeLists:
    """What a Function has learned of the lists among its arguments."""

    def __init__(self) -> None:
        # The structures of calls that differ in the lengths of lists alone.
        self._lengths: dict[Any, set[tree.Structure]] = {}
        self._refused: set[Any] = set()

    def found(
        self, bound: Bound, trace: Callable[[Signature, list[Any]], Made]
    ) -> tuple[Made, list[Any]] | None:
        """The trace of a call in which lists are inputs, and its leaves.

        trace: gives one that is known, or makes it
        None: there is no such list, or no such trace
        """
        for signature, leaves in self._signatures(bound):
            kind = kind_of(signature)
            if kind in self._refused:
                continue
            try:
                return trace(signature, leaves), _copied(leaves)
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
        every = _signature(bound, 1)
        if not _has_lists(every[0]):
            return
        lengths = self._lengths.setdefault(kind_of(every[0]), set())
        if len(lengths) < MOST_LENGTHS:
            lengths.add(tree.flatten(bound)[1])
        if len(lengths) >= MOST_LENGTHS:
            yield every
        long = _signature(bound, LONG)
        if _has_lists(long[0]):
            yield long


def leaves_like(signature: Signature, bound: Bound) -> list[Any] | None:
    """The leaves of arguments; None where they are nested otherwise than in a trace.

    signature: the trace's
    """
    for least in (1, LONG) if _has_lists(signature) else (sys.maxsize,):
        found, leaves = _signature(bound, least)
        if tree.same(found.structure, signature.structure):
            return _copied(leaves)
    return None


def _copied(leaves: list[Any]) -> list[Any]:
    """The leaves, with lists that a graph may change as a function does its own."""
    return [list(leaf) if type(leaf) is list else leaf for leaf in leaves]


def _may_hold(given: Any) -> bool:
    return type(given) is list or tree.children(given) is not None


def _signature(bound: Bound, least: int) -> tuple[Signature, list[Any]]:
    def is_whole(node: Any) -> bool:
        return type(node) is list and len(node) >= least and _is_of_one_type(node)

    return signature_of(*bound, lambda of: tree.flatten_where(of, is_whole))


def _is_of_one_type(numbers: list[Any]) -> bool:
    """Whether a list holds floats alone, or ints that fit the graph's."""
    kinds = set(map(type, numbers))
    if kinds == {int}:
        return min(numbers) in _INT and max(numbers) in _INT
    return kinds == {float}


def _has_lists(signature: Signature) -> bool:
    return any(type(leaf) is ListSpec for leaf in signature.leaves)
