"""A loop that is traced once more begins with the places it was found to change."""

import gc
import weakref

import numpy as np
import pytest

import autograph as ag
from autograph.same import assert_same_as_python
from tests.conformance.by_hand import function_of
from tracer import met_again, while_loop
from tracer.loop_round import LoopRound


@pytest.fixture
def rounds(monkeypatch):
    """The rounds in which loops are traced, from here on."""
    made = []

    def counted(*frames):
        made.append(LoopRound(*frames))
        return made[-1]

    monkeypatch.setattr(while_loop, "LoopRound", counted)
    return made


def put(x, k, by):
    x[k] += by


SIX_LEVELS = """\
def put(x, k, by):
    x[k] += by

def f(x, y, n):
    for a in range(n):
        for b in range(n):
            for c in range(n):
                for d in range(n):
                    for e in range(n):
                        for f in range(n):
                            {store}
    return y
"""
# Each level was traced twice in each round of the one around it: 2 + 4 + ... + 64. What
# is stored by a helper is found by a first round, once for each level.
STORES = {
    "y[a] += x[b, c] * x[d, e] - f": {6},
    "put(y, a, x[b, c] * x[d, e] - f)": range(7, 31),
}


@pytest.mark.parametrize("store", STORES)
def test_levels_of_loops_are_not_traced_twice_as_often_each(rounds, store):
    program = function_of(SIX_LEVELS.format(store=store), f"<{store}>")
    x, n = np.ones((2, 2)), np.int64(2)
    graph = ag.function(program).get_concrete_function(x, np.zeros(2), n).graph
    assert "while" in str(graph)
    assert len(rounds) in STORES[store]
    assert_same_as_python(program, x, np.zeros(2), n)


def add(x, y, n, to_both):
    for i in range(n):
        x[i] += 1
        if to_both:
            y[i] += 2


def both_and_one(x, y, n):
    add(x, y, n, True)
    add(x, y, n, False)


def one_and_both(x, y, n):
    add(x, y, n, False)
    add(x, y, n, True)


def carried(program):
    """How many values each loop of the program carries."""
    x, y, n = np.zeros(3), np.zeros(3), np.int64(3)
    concrete = ag.function(program).get_concrete_function(x, y, n)
    nodes = concrete.traced_graph.nodes
    loops = [node for node in nodes if node.op.name == "while"]
    return [node.attributes["carried"] for node in loops]


def test_another_call_carries_no_place_that_it_does_not_change():
    more, less = carried(both_and_one)
    assert more == less + 1
    assert carried(one_and_both) == [less, more]
    for program in (both_and_one, one_and_both):
        assert_same_as_python(program, np.zeros(3), np.zeros(3), np.int64(3))


def sums(x, n):
    found = []
    for step in (0.5, 1):
        s = 0
        for i in range(n):
            s += step
            x[i] += s
        found.append(s)
    return found


def test_a_number_is_as_wide_as_this_call_makes_it():
    assert_same_as_python(sums, np.zeros(3), np.int64(3))
    wide, narrow = ag.function(sums)(np.zeros(3), np.int64(3))
    assert (type(wide), type(narrow)) == (float, int)


def of_own_arrays(x, n):
    for i in range(n):
        row = np.zeros(3)
        for k in range(n):
            row[k] += x[k] * i
        x += row
    return x


def in_branches(x, y, n):
    for i in range(n):
        at = x if i % 2 else y
        for k in range(n):
            at[k] += i
            if at[k] > 3:
                x[k] -= y[k]
    return x


def test_places_that_a_round_makes_or_picks_are_found_anew():
    assert_same_as_python(of_own_arrays, np.arange(3.0), np.int64(3))
    assert_same_as_python(in_branches, np.zeros(3), np.ones(3), np.int64(3))


def tried_in_a_turn_that_is_gone_back_on(x, n):
    for k in range(900):
        row = np.zeros(3)
        for i in range(n):
            put(row, i, x[i] * k)
        x += row
    return x


def test_an_array_of_what_was_gone_back_on_is_not_begun_with(rounds):
    arguments = np.ones(3), np.int64(3)
    ag.function(tried_in_a_turn_that_is_gone_back_on).get_concrete_function(*arguments)
    # Two for the inner loop in the turn, and in each of two rounds of the outer one.
    assert len(rounds) == 2 + 2 * (1 + 2)


def generations(board, n):
    for _ in range(3):
        new = np.zeros_like(board)
        for i in range(n):
            for j in range(n):
                put(new, i, board[j] * j)
        board = new
    return board


def test_a_loop_that_changes_another_array_now_begins_with_what_it_was_found_to(rounds):
    arguments = np.ones(3), np.int64(3)
    ag.function(generations).get_concrete_function(*arguments)
    # In the first one two of the outer loop, with two and one of the inner one. Later
    # one that begins with the array of before, in which the inner one does so and goes
    # on, and one of both.
    assert len(rounds) == 5 + 2 * (1 + 2 + 1 + 1)
    assert_same_as_python(generations, *arguments)


def of_a_constant(x, y, n, told=False):
    for i in range(n):
        for j in range(n):
            for k in range(n):
                if told:
                    y[k] = x[i]
                x[i] += j * x[k]
    return x


def test_what_is_named_and_left_as_it_was_is_not_begun_with_again(rounds):
    arguments = np.ones(3), np.ones(3), np.int64(3)
    ag.function(of_a_constant).get_concrete_function(*arguments)
    # Each level is traced twice when it is met first, and once from then on.
    assert len(rounds) == 2 + (2 + 1) + (2 + 1 + 1)
    assert_same_as_python(of_a_constant, *arguments)
    assert_same_as_python(of_a_constant, *arguments, True)


def named_in_many_ways(x, y, z, n):
    view = z[1:]
    for i in range(n):
        x[i, 0], y[i] = i, x[i, 1]
        view[i] += 1
        for j in range(n):
            x.T[j][i] -= j
            np.add(y, 1, out=y)
        y += x[0]
        y = y * 2 if i > 1 else y
    return x, y


def test_stores_of_many_kinds_are_known_before_the_first_round(rounds):
    arguments = np.ones((3, 3)), np.ones(3), np.ones(4), np.int64(3)
    assert_same_as_python(named_in_many_ways, *arguments)


def test_what_was_found_keeps_no_frame_alive(monkeypatch):
    frames, note = [], met_again.note

    def noted(loop, state, frame, slots):
        frames.append(weakref.ref(frame))
        note(loop, state, frame, slots)

    monkeypatch.setattr(met_again, "note", noted)
    gc.disable()
    try:
        ag.function(add)(np.zeros(3), np.zeros(3), np.int64(3), True)
        assert frames
        assert not any(frame() for frame in frames)
    finally:
        gc.enable()
