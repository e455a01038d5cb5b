"""Generator functions with a `yield` where no form has one: as they are, or Python."""

import numpy as np

import autograph as ag


class Bar:
    """What says how far a loop has come, and refuses to be gone past its end."""

    def __init__(self):
        self.value = 0

    def over(self, items):
        try:
            for item in items:
                self.value += 1
                if self.value > len(items):
                    raise ValueError(self.value)
                yield item
        except GeneratorExit:
            self.value = 0
            raise


def test_a_generator_with_a_yield_under_an_except_acts_at_each_run():
    bar = Bar()

    @ag.function
    def fitted(x):
        for i in bar.over(range(3)):
            x = x + i
        return x

    for _ in range(3):
        bar.value = 0
        assert fitted(np.float64(1.0)) == 4.0
        assert bar.value == 3


def test_a_generator_with_a_yield_under_an_except_that_computes_is_a_graph():
    def halves(items):
        try:
            for item in items:
                yield item / 2
        except GeneratorExit:
            pass

    @ag.function
    def summed(x):
        total = x[0]
        for half in halves([1.0, 3.0]):
            total = total + half * x
        return total

    with ag.config(strict=True):
        assert list(summed(np.array([1.0, -2.0]))) == [3.0, -3.0]


def test_a_generator_that_goes_on_with_an_iterator_it_is_given_does_so_at_each_run():
    def taken(it):
        while True:
            try:
                yield next(it)
            except StopIteration:
                return

    @ag.function
    def summed(x):
        for one in taken(rest):
            x = x + one
            if one > 2:
                break
        return x

    rest = iter([1.0, 3.0, 5.0, 7.0])
    assert [summed(np.float64(0.0)) for _ in range(3)] == [4.0, 5.0, 7.0]
