"""A try node as the executor writes it."""

import numpy as np

import autograph as ag


def source(function, *arguments):
    return ag.function(function).get_concrete_function(*arguments).run.source


def filled(x, places, out):
    for k in range(len(places)):
        try:
            out[k] = x[places[k]]
        except IndexError:
            out[k] = -1.0


def filled_twice(x, places, out):
    for k in range(len(places)):
        try:
            out[k] = 7.0
            out[k] = x[places[k]]
        except IndexError:
            out[0] += 1.0


ARGUMENTS = np.arange(3.0), np.arange(600) % 5, np.zeros(600)


def test_the_last_store_of_a_body_is_made_in_place():
    assert "copy" not in source(filled, *ARGUMENTS)


def test_a_store_that_a_handler_sees_is_made_in_place_before_a_checkpoint_says_so():
    assert "copy" not in source(filled_twice, *ARGUMENTS)


def test_both_fill_what_python_fills():
    for function in (filled, filled_twice):
        plain, staged = np.zeros(600), np.zeros(600)
        function(*ARGUMENTS[:2], plain)
        ag.function(function)(*ARGUMENTS[:2], staged)
        assert plain.tolist() == staged.tolist()


def test_a_try_below_many_loops_is_a_function_of_its_own():
    def deep(x, n):
        total = n * 0
        for _ in range(n):
            for _ in range(n):
                for _ in range(n):
                    for _ in range(n):
                        try:
                            for a in range(n):
                                for b in range(n):
                                    total += a + b
                                    x[total]
                        except IndexError:
                            total = total - 7
        return total

    x, n = np.arange(30.0), np.int64(2)
    assert ag.function(deep)(x, n) == deep(x, n)
