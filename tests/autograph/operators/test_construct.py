"""Objects that are made: dataclasses, constructors, classes inside the function."""

import dataclasses

import pytest

from tests.autograph.converters.samples import Samples, name

samples = Samples()


@dataclasses.dataclass
class Checked:
    low: object
    high: object = 10
    spread: object = dataclasses.field(default=None, init=False)
    notes: list = dataclasses.field(default_factory=lambda: [1])
    scale: dataclasses.InitVar[int] = 1

    def __post_init__(self, scale):
        if self.low > self.high:
            self.low, self.high = self.high, self.low
        self.spread = (self.high - self.low) * scale

    @property
    def middle(self):
        return self.low + self.spread // 2 if self.spread > 2 else self.low


@samples((3, 1), (0, 3), (20, 3))
def a_dataclass_that_checks(x, y):
    c, d = Checked(x, y), Checked(x, scale=2)
    return c.low, c.high, c.middle, d.spread, d.notes, d.middle


class Counted:
    def __new__(cls, x):
        made = super().__new__(cls)
        made.first = x if x > 1 else -x
        return made

    def __init__(self, x):
        self.second = x * 2 if x > 2 else x


@samples(3, 1, 2)
def a_constructor_of_its_own(x):
    c = Counted(x)
    return c.first, c.second


@samples((3, 1), (-3, 1))
def defined_inside(x, y):
    class Local:
        factor = 2

        def __init__(self, v):
            self.v = v

        def __add__(self, other):
            return self.v + other * self.factor if self.v > 0 else y

        @property
        def doubled(self):
            return self.v * 2 if self.v > y else self.v

    a = Local(x)
    return a + y, a.doubled


@pytest.mark.parametrize("sample", samples.all, ids=name)
def test_converted_constructors_do_what_python_does(sample):
    sample.check_converted()


@pytest.mark.parametrize("sample", samples.staged, ids=name)
def test_staged_constructors_do_what_python_does(sample):
    sample.check_staged()
