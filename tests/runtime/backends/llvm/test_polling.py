"""What loops do beside their steps costs them next to nothing."""

import numpy as np

import autograph as ag


def counted(n):
    total = 0
    for i in range(n):
        total += i % 7
    return total


def root(a):
    x = a
    for _ in range(100):
        y = 0.5 * (x + a / x)
        if abs(y - x) < 1e-12 * y:
            break
        x = y
    return x


def shown(function, argument, stage):
    staged = ag.function(function)
    assert staged(argument) == function(argument)
    return staged.get_concrete_function(argument).inspect(stage)


def test_turns_are_counted_in_a_register():
    text = shown(counted, np.int64(1000), "llvm")
    assert "i64 @look(" in text
    assert "%turns_left = alloca" not in text
    assert "%turns_left." in text  # what is left, of one turn and the next


def test_a_turn_that_is_the_last_leaves_at_once():
    text = shown(root, np.float64(1e30), "llvm")
    # Else the next turn would wait for what this one has compared.
    assert "select i1" not in text.split("define internal")[0]
