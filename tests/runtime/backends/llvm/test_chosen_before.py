"""Arrays that change names in each step: which is which is asked before a loop."""

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm.chosen_before import with_choices_before
from runtime.backends.llvm.loops import Block, Exit, Function, Instruction, Local
from tests.conformance.harness import disagreement, observe
from tests.runtime.backends.llvm.random_swapped import program, tried

STEPS = np.int64(7)


def heat(u, steps):
    v = u.copy()
    for _ in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                near = u[i + 1, j] + u[i - 1, j] + u[i, j + 1] + u[i, j - 1]
                v[i, j] = u[i, j] + 0.1 * (near - 4 * u[i, j])
        u, v = v, u
    return u


def wave(before, now, after, steps):
    for _ in range(steps):
        for i in range(1, len(now) - 1):
            bend = now[i + 1] - 2 * now[i] + now[i - 1]
            after[i] = 2 * now[i] - before[i] + 0.1 * bend
        before, now, after = now, after, before
    return now


def by_halves(a, b, steps):
    """They change names in some of the steps, and each is written to."""
    total = 0.0
    for k in range(steps):
        for i in range(len(a)):
            a[i] += b[i] * 0.5
            if a[i] > 1:
                b[i] -= a[i]
            total += b[i]
        if k % 3 != 1:
            a, b = b, a
    return total, a, b


def within_turns(a, b, steps):
    """They change names in the inner loop: there nothing is known before it."""
    for _ in range(steps):
        for i in range(1, len(a)):
            a[i] = b[i - 1] + 1
            a, b = b, a
    return a, b


def one_of_two(a, b, steps):
    """One name for two arrays, of which the other has its own."""
    for k in range(steps):
        c = a if k % 2 else b
        for i in range(len(a)):
            c[i] = a[i] + b[i]
    return a, b


def by_places(a, b, places, steps):
    """A place that is none is Python's error, with all before it written."""
    for _ in range(steps):
        for i in range(len(a)):
            b[places[i]] = a[i] + 1
        a, b = b, a
    return a, b


def grown(a, b, steps):
    """Ints that leave the machine, half-way."""
    for _ in range(steps):
        for i in range(len(a)):
            b[i] = int(a[i]) * 3037000500 + 1
        a, b = b, a
    return a


def floats(count, seed=0):
    return np.random.default_rng(seed).random(count)


CALLS = {
    "heat": (heat, lambda: (floats(300).reshape(15, 20), STEPS)),
    "heat in another order": (
        heat,
        lambda: (np.asfortranarray(floats(300).reshape(15, 20)), STEPS),
    ),
    "wave": (wave, lambda: (floats(50), floats(50, 1), np.zeros(50), STEPS)),
    "wave of gaps": (
        wave,
        lambda: (floats(50), floats(100, 1)[::2], floats(50)[::-1], STEPS),
    ),
    "by halves": (by_halves, lambda: (floats(40), floats(40, 1), STEPS)),
    "of one memory": (by_halves, lambda: (*[floats(40)] * 2, STEPS)),
    "of two dtypes": (by_halves, lambda: (floats(9), floats(9).astype("f4"), STEPS)),
    "within turns": (within_turns, lambda: (floats(40), floats(40, 1), STEPS)),
    "one of two": (one_of_two, lambda: (floats(40), floats(40, 1), STEPS)),
    "by places": (
        by_places,
        lambda: (floats(9), floats(9, 1), np.arange(9)[::-1].copy(), STEPS),
    ),
    "by a place that is none": (
        by_places,
        lambda: (floats(9), floats(9, 1), np.array([1, 2, 0, 5, 9, 3, 1, 1, 1]), STEPS),
    ),
    "grown": (grown, lambda: (np.arange(5), np.zeros(5, np.int64), STEPS)),
}


@pytest.mark.parametrize("name", CALLS)
def test_arrays_that_change_names(name):
    function, given = CALLS[name]
    with ag.config(backend="native"):
        staged = ag.function(function)
        for _ in range(3):
            found = disagreement(observe(function, given()), observe(staged, given()))
            assert found is None, found.sentence


@pytest.mark.parametrize("name", ["heat", "wave"])
def test_nothing_is_asked_in_a_turn(name):
    function, given = CALLS[name]
    with ag.config(backend="native"):
        staged = ag.function(function)
        for _ in range(2):
            staged(*given())
        (outer, *_) = str(staged.inspect("loops")).split("; HotLoop at")[1:]
    turn = outer[outer.index("for turns") :]
    assert "hold(" not in outer
    assert "if(" not in turn[: turn.index("store")]


def test_a_sum_of_few_places_is_no_count_of_bits():
    """`x[j] for j != i`: three steps, of which one gives nothing."""

    def others(x):
        found = np.zeros(len(x))
        for i in range(len(x)):
            s = 0.0
            for j in range(len(x)):
                if j != i:
                    s -= x[j]
            found[i] = s
        return found

    with ag.config(backend="native"):
        staged = ag.function(others)
        for _ in range(2):
            np.testing.assert_array_equal(staged(floats(20)), others(floats(20)))
        assert "HotLoop" in str(staged.inspect("loops"))


class Plain:
    """Of the lowering what the pass asks for."""

    def __init__(self):
        self.alike = {}

    def local(self, kind):
        return Local(kind, "w")


def test_nothing_lets_go_of_what_is_not_held():
    """Neither at the end of a turn, nor on a way out, nor where the user interrupts."""
    test, one, other, chosen = (Local("ptr", name) for name in "tabc")
    choice = Instruction(
        "if",
        (),
        (test,),
        tuple(
            Block([Instruction("hold", (), (x,)), Instruction("move", (chosen,), (x,))])
            for x in (one, other)
        ),
    )
    left = Instruction("leave_if", (), (test,), exit=Exit(1, (), (one, chosen)))
    polled = Instruction("poll", (), (one, chosen))
    counted = Instruction("poll", (Local("i64", "n"),), (Local("i64", "m"), chosen))
    inner = Instruction("while", (), (test,), (Block(), Block([polled, counted])))
    turn = Block([choice, left, inner, Instruction("release", (), (chosen,))])
    loop = Instruction("while", (), (test,), (Block(), turn))
    function = Function("loop", [], Block([loop]), [])
    made = with_choices_before(Plain(), function).body.instructions
    assert [step.op for step in made] == ["if", "while"]
    assert [step.op for step in turn.instructions] == ["leave_if", "while"]
    assert left.exit.drops == (one,)
    assert polled.args == (one,)
    assert len(counted.args) == 1


def test_what_a_turn_hands_on_is_held():
    """It would be let go of where nobody holds it."""
    test, one, other, chosen, kept = (Local("ptr", name) for name in "tabck")
    sides = tuple(
        Block([Instruction("hold", (), (x,)), Instruction("move", (chosen,), (x,))])
        for x in (one, other)
    )
    choice = Instruction("if", (), (test,), sides)
    handed = Instruction("move", (kept,), (chosen,))
    turn = Block([choice, handed, Instruction("release", (), (chosen,))])
    loop = Instruction("while", (), (test,), (Block(), turn))
    made = with_choices_before(Plain(), Function("loop", [], Block([loop]), []))
    assert made.body.instructions == [loop]
    assert turn.instructions[0] is choice


def loop_of(*turn):
    block = Block([*turn])
    test = Local("i1", "t")
    loop = Instruction("while", (), (test,), (Block(), block))
    with_choices_before(Plain(), Function("loop", [], Block([loop]), []))
    return [one.op for one in block.instructions]


def test_what_a_turn_keeps_is_held():
    """No release is in the loop: something else lets it go."""
    test, one, other, chosen = (Local("ptr", name) for name in "tabc")
    sides = tuple(
        Block([Instruction("hold", (), (x,)), Instruction("move", (chosen,), (x,))])
        for x in (one, other)
    )
    assert loop_of(Instruction("if", (), (test,), sides)) == ["if"]


def test_what_stores_nothing_stays():
    test, i = Local("i1", "t"), Local("i64", "i")
    sides = tuple(
        Block([Instruction("address", (Local("ptr", f"{x}0"),), (Local("ptr", x), i))])
        for x in "ab"
    )
    assert loop_of(Instruction("if", (), (test,), sides)) == ["if"]


@pytest.mark.parametrize("second", ["b", "c"])
@pytest.mark.parametrize("stride", [8, 16, Local("i64", "s")])
def test_a_store_into_one_of_two_arrays_is_one_store(second, stride):
    """`a[i] = a[j]` beside `b[i] = c[j]`, whose steps are known of one side alone."""
    test, i, j = (Local("i64", name) for name in "tij")
    arrays = {name: Local("ptr", name) for name in "abc"}
    sides = []
    for to, of, step in (("a", "a", 8), ("b", second, stride)):
        there, here, number = (Local("ptr", f"{to}{of}{k}") for k in range(3))
        sides.append(
            Block(
                [
                    Instruction("address", (there,), (arrays[to], i, step)),
                    Instruction("address", (here,), (arrays[of], j, step)),
                    Instruction("same", (number,), (here,)),
                    Instruction("store", (), (there, number), type="ptr"),
                ]
            )
        )
    turn = Block([Instruction("if", (), (test,), tuple(sides))])
    verdict = Local("i1", "v")
    block = Block([Instruction("while", (), (verdict,), (Block(), turn))])
    with_choices_before(Plain(), Function("loop", [], block, []))
    words = [one.op for one in turn.instructions]
    assert words == ["address", "address", "same", "store"]
    choice, _ = block.instructions
    moves = [side.instructions[0] for side in choice.blocks]
    wanted = [("a", "b"), ("a", second)] if second == "c" else [("a", "b")]
    pairs = [*zip(moves[0].args, moves[1].args, strict=True)]
    for name, other in wanted:
        assert (arrays[name], arrays[other]) in pairs
    assert ((8, stride) in pairs) == (stride != 8)
    assert len(pairs) == len(wanted) + (stride != 8)
    chosen = dict(zip(pairs, moves[0].outs, strict=True))
    first, *_ = turn.instructions
    assert first.args == (
        chosen[arrays["a"], arrays["b"]],
        i,
        chosen.get((8, stride), 8),
    )


@pytest.mark.parametrize("seed", range(8))
def test_random_programs_agree(seed):
    assert tried(seed) is None, program(seed)
