"""A loop that counts its steps says whether it is on its way to machine code."""

import numpy as np

import autograph as ag
from runtime.backends.llvm.switch import WORK, is_counting, seconds_looking
from tests.runtime.backends.llvm.compiling import loops_of


def halvings(n):
    count = 0
    while n > 1:
        n, count = n // 2, count + 1
    return count


def test_a_loop_is_on_its_way_when_a_part_of_its_steps_is_counted():
    staged, n = ag.function(halvings), np.int64(27)
    staged(n)
    (loop,) = loops_of(staged, (n,))
    compiled = staged.concrete_functions[0].compiled
    assert not is_counting(compiled)
    loop.wait(0.05)
    for part, is_on_its_way in ((0.0, False), (0.2, False), (0.3, True), (0.9, True)):
        loop.begin = loop.later + int(part * (WORK - loop.later))
        assert is_counting(compiled) is is_on_its_way, part
    loop.refused = "so"
    assert not is_counting(compiled)


def test_what_it_took_to_see_what_a_loop_costs_is_known():
    staged, n = ag.function(halvings), np.int64(27)
    staged(n)
    (loop,) = loops_of(staged, (n,))
    compiled = staged.concrete_functions[0].compiled
    assert seconds_looking(compiled) == 0.0
    loop.begin = WORK
    staged(n)
    assert seconds_looking(compiled) == loop.looking > 0.0
