"""What a `while` of lanes computes alike in each turn is done in its first one."""

import numpy as np

import autograph as ag
from runtime.backends.llvm.loops import INT, Block, Exit, Instruction, Local
from runtime.backends.llvm.steady import ONCE, settled, turn_ends
from tests.conformance.harness import disagreement, observe

a, b, k, test, far, place, x = (Local(n, INT) for n in range(7))
EXIT = Exit(0, (), ())


def loop(*body):
    return Instruction("while", args=(test,), blocks=(Block(), Block([*body])))


def first_turn(block):
    """What is done in the first turn, and in all."""
    (found,) = settled(block).instructions
    first, *rest = found.blocks[1].instructions
    if first.op != ONCE:
        return [], [first, *rest]
    return first.blocks[0].instructions, rest


leaves = Instruction("leave_if", args=(k,), exit=EXIT)
adds = Instruction("add", (far,), (a, b), type=INT)
points = Instruction("address", (place,), (a, far, 8))
reads = Instruction("load", (x,), (place,))
counts = Instruction("move", (k,), (x,))


def test_what_turns_do_alike_is_done_in_the_first():
    first, rest = first_turn(Block([loop(adds, points, reads, counts)]))
    assert first == [adds, points, reads]
    assert rest == [counts]


def test_elements_that_are_read_behind_a_way_out_are_read_there():
    """The way out may be what keeps the place within the array."""
    first, rest = first_turn(Block([loop(adds, leaves, points, reads, counts)]))
    assert first == [adds, points]
    assert rest == [leaves, reads, counts]


def test_what_a_turn_makes_of_the_one_before_is_done_in_each():
    moves = Instruction("add", (far,), (k, b), type=INT)
    again = Instruction("move", (far,), (b,))
    body = (moves, points, reads, counts)
    assert first_turn(Block([loop(*body)])) == ([], [*body])
    twice = (adds, again, points, reads, counts)
    assert first_turn(Block([loop(*twice)])) == ([], [*twice])


def test_what_is_read_after_a_loop_is_kept_where_lanes_stop():
    ends = Instruction("move", (k, x), (x, k))
    inner = loop(ends)
    assert turn_ends(Block([inner]), ()) == {ends: []}
    assert turn_ends(Block([inner]), (x,)) == {ends: [x]}
    assert turn_ends(Block([inner, leaves]), ()) == {ends: [k]}


def shifted(x, at, turns, out):
    for i in range(len(out)):
        total, j = 0.0, 0
        while j < turns[i]:
            total = total + x[at[i]] * x[i] + x[j]
            j += 1
        out[i] = total
    return out


def test_no_element_is_read_where_there_is_no_turn():
    """There the place may be outside of the array."""
    x, turns = np.arange(1.0, 61.0), np.arange(60) % 5 + 4
    far, none = np.arange(60), turns.copy()
    far[::7], none[::7] = 10**9, 0
    with ag.config(backend="native"):
        staged = ag.function(shifted)
        for given in ((x, far % 60, turns), (x, far, none), (x, far, turns)):
            found = observe(staged, (*given, np.zeros(60)))
            difference = disagreement(observe(shifted, (*given, np.zeros(60))), found)
            assert difference is None, difference.sentence
    assert f"{ONCE}()" in staged.inspect("loops")


def kept(x, out):
    for i in range(len(x)):
        a, b, steps = float(x[i]), 1.0, 0
        while a < 1e9 and steps < 300:
            a, b = a * a + 0.5, b * 2
            steps += 1
        out[i] = b / a + steps
    return out


def test_lanes_that_stopped_keep_what_they_had():
    given = np.linspace(-1.0, 2.0, 97), np.zeros(97)
    with ag.config(backend="native"):
        staged = ag.function(kept)
        for _ in range(2):
            found = disagreement(observe(kept, given), observe(staged, given))
            assert found is None, found.sentence
    assert "lanes(" in staged.inspect("loops")
