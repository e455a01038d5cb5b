"""The names of values in pictures: those of the user's variables."""

import numpy as np

import autograph as ag


def climb(x, limit):
    steps, best = 0, x
    while x < limit:
        if x % 2 == 0:
            x = x * 3 + 1
            best = x
        else:
            x = x + 1
        steps += 1
    return best, steps


def test_what_a_loop_and_a_branch_give_has_the_name_that_holds_it():
    graph = ag.function(climb).get_concrete_function(np.float64(1), np.float64(9)).graph
    text = graph.to_dot()
    for shown in ("while(best=x, steps=0, x.2=x)", "return best.3, steps.3"):
        assert shown in text
    for shown in ("best.2: float64[]", "best: float64[]"):
        assert shown in text


def test_one_array_of_two_names_has_the_first():
    @ag.function
    def f(x):
        if x > 0:
            low = high = x * 2
        else:
            low = high = x + 1
        return low + high

    assert (
        'label="high: float64[]"'
        in f.get_concrete_function(np.float64(1)).graph.to_dot()
    )
