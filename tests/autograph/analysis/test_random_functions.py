"""The analysis against runs of random functions: what it promises really holds."""

import random

import gast
from hypothesis import given, settings
from hypothesis import strategies as st

from autograph.analysis import Analysis, analyze
from tests.autograph.analysis.random_functions import (
    NAMES,
    Region,
    Run,
    random_function,
)

RUNS = 12


def first_events(run: Run, start: int) -> dict[str, str]:
    """What happens first to each name from an event on."""
    first: dict[str, str] = {}
    for kind, name in run.events[start:]:
        first.setdefault(name, kind)
    return first


def read_next(run: Run, start: int) -> set[str]:
    return {name for name, kind in first_events(run, start).items() if kind == "read"}


def check_region(analysis: Analysis, run: Run, region: Region) -> None:
    statements = region.statements
    changed = {n for kind, n in run.events[region.start : region.end] if kind != "read"}
    assert changed <= analysis.assigned(statements)
    if region.way != "unfinished":
        assert read_next(run, region.end) <= analysis.live_out(statements)
    # At a loop it is about the start of each round; see check_loop.
    if not isinstance(statements[0], gast.For | gast.While):
        assert read_next(run, region.start) <= analysis.live_in(statements)
    if region.way in ("break", "continue", "return"):
        assert region.way in analysis.exits(statements)


def check_loop(analysis: Analysis, run: Run, region: Region) -> None:
    (loop,) = region.statements
    carried = analysis.loop_carried(loop)
    for start in [*region.rounds, region.end]:
        needed = read_next(run, start)
        assert start == region.end or needed <= analysis.live_in([loop])
        bound = {name for _, name in run.events[region.start : start]}
        written = bound & analysis.assigned([loop])
        assert needed & written <= carried


@settings(derandomize=True, max_examples=250, deadline=None, database=None)
@given(st.integers(min_value=0, max_value=2**64 - 1))
def test_every_run_of_a_random_function_keeps_to_the_analysis(seed: int) -> None:
    choices = random.Random(seed)
    function = gast.parse(random_function(choices)).body[0]
    analysis = analyze(function)
    assert analysis.locals <= set(NAMES)
    for _ in range(RUNS):
        run = Run(function, choices)
        for name, bound in run.reads:
            assert bound or analysis.may_be_undefined(name)
        for region in run.regions:
            check_region(analysis, run, region)
            if region.rounds:
                check_loop(analysis, run, region)
            if region.way == "end":
                assert not analysis.always_exits(region.statements)


def test_runs_reach_most_of_what_is_to_be_checked() -> None:
    choices = random.Random(0)
    ways: dict[str, int] = {}
    unbound = rounds = 0
    for _ in range(100):
        function = gast.parse(random_function(choices)).body[0]
        run = Run(function, choices)
        unbound += sum(not bound for _, bound in run.reads)
        for region in run.regions:
            ways[region.way] = ways.get(region.way, 0) + 1
            rounds += len(region.rounds) > 1
    assert min(ways[w] for w in ("end", "break", "continue", "return", "raise")) >= 5
    assert unbound > 10
    assert rounds > 5
