"""improved: the passes over loop IR, in their order."""

from __future__ import annotations

from collections.abc import Mapping

from runtime.backends.llvm.absolutes import with_squares
from runtime.backends.llvm.bit_counts import with_bit_counts
from runtime.backends.llvm.bounds_once import with_bounds_once
from runtime.backends.llvm.chosen_before import with_choices_before
from runtime.backends.llvm.chunks import with_chunks
from runtime.backends.llvm.divisors import with_divisors
from runtime.backends.llvm.epilogues import with_epilogues
from runtime.backends.llvm.forwarded import with_forwarding
from runtime.backends.llvm.from_front import with_front
from runtime.backends.llvm.grown import with_growth
from runtime.backends.llvm.lanes import with_lanes
from runtime.backends.llvm.loops import Function, Local
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.needless import without_needless
from runtime.backends.llvm.periods import with_periods
from runtime.backends.llvm.rough_tests import with_rough_tests
from runtime.backends.llvm.said_before import with_said_before
from runtime.backends.llvm.settled import with_settled_kinds
from runtime.backends.llvm.short_choices import with_short_choices
from runtime.backends.llvm.spares import with_spares
from runtime.backends.llvm.stretches import with_stretches
from runtime.backends.llvm.summands import with_summands
from runtime.backends.llvm.tested_once import with_tests_once


def improved(
    lowering: Lowering, made: Function, begins: Mapping[Local, int]
) -> Function:
    """The function as it is written.

    begins: the ints that a loop which is entered at any turn has begun with
    """
    made = with_settled_kinds(lowering, made)
    function = without_needless(made, begins, lowering.lengths)
    function = with_squares(lowering, function)
    function = with_rough_tests(lowering, function)
    words = {one.op for one in function.body.walk()}
    if "while" in words:
        function = with_choices_before(lowering, function)
        function = with_summands(lowering, with_bit_counts(lowering, function))
        # What is independent is found first; what else is done then depends on that.
        function = with_lanes(lowering, with_stretches(lowering, function))
        function = with_rough_tests(lowering, function, is_last=True)
        function = with_bounds_once(lowering, function)
        # What has been without is found once more: lanes know nothing of two loops
        # for one.
        function = with_tests_once(lowering, function)
        function = with_stretches(lowering, function, is_last=True)
        function = with_growth(lowering, function)
        function = with_said_before(with_short_choices(lowering, function))
    function = with_divisors(lowering, function)
    if "product" in words:
        function = with_epilogues(function)
    if "while" in words:
        function = with_forwarding(lowering, with_chunks(lowering, function))
        function = with_periods(lowering, function)
    function = with_front(lowering, function)
    return with_spares(lowering, function) if "while" in words else function
