"""match on data: every kind of pattern, guards, and what is bound afterwards."""

import collections
import dataclasses
import enum

import numpy as np
import pytest

from tests.autograph.converters.samples import Samples, name, say

samples = Samples()


class Color(enum.IntEnum):
    RED = 1
    BLUE = 2


@dataclasses.dataclass
class Point:
    x: object
    y: object


Pair = collections.namedtuple("Pair", "first second")


class Named:
    __match_args__ = ("a", "b")

    def __init__(self, a, b, c):
        self.a, self.b, self.c = a, b, c


@samples(0, 1, 2, 3, 9)
def literals(n):
    match n:
        case 0:
            r = 10
        case 1 | 2:
            r = 20
        case -1:
            r = 40
        case 3.0:
            r = 30
        case _:
            r = n
    return r


@samples(0, 1, 2, 3)
def no_case_taken(n):
    r = -n
    match n:
        case 1:
            r = 10
        case 2:
            r += 20
    return r


@samples(0, 1, 2)
def a_name_bound_in_one_case(n):
    match n:
        case 1:
            r = 10
    return r


@samples(1, 2, 3)
def values(n):
    match n:
        case Color.RED:
            return 10
        case Color.BLUE:
            return 20
    return 30


@samples((0, 0), (0, 3), (3, 0), (2, 2), (1, 5))
def sequences(n, m):
    match (n, m):
        case (0, 0):
            return 0
        case [0, k] | (k, 0):
            return k * 10
        case (a, b) if a == b:
            return a + b + 100
        case (a, *rest):
            return a + rest[0]
    return -1


@samples((0, 1, 2), (1, 1, 2), (2, 1, 5), (3, 1, 3))
def stars(x, y, z):
    match [x, y, z]:
        case [0, *rest]:
            return rest
        case [1, *_, last]:
            return [last, 0]
        case [*start, 3]:
            return start
        case [*_, b, c]:
            return [b, c]


@samples((3, 1), (1, 3), (2, 2))
def guards_with_effects(x, y):
    match x, y:
        case a, b if say("first", a > b):
            print(a)
        case a, b if say("second", b > a + 1):
            print(b)
        case a, _:
            print("none", a)
    return a


@samples((3, 1), (1, 3), (2, 2))
def names_of_a_failed_guard_stay(x, y):
    a = b = -1
    match x, y:
        case a, 1 if a > 5:
            print("never")
        case b, c if (d := b + c) > 100 and d:
            print("never")
        case _:
            pass
    return a, b


@samples((3, 1), (7, 3), (2, 2))
def a_failed_pattern_binds_nothing(x, y):
    a = -1
    match x, y:
        case a, 3:
            print("three")
    return a


@samples((3, 1), (-3, 1))
def a_guard_that_binds(x, y):
    match x:
        case n if (m := n * y) > 0 and (k := m + 1) > 0:
            return m, k
        case n:
            return n, m


@samples((1, 5), (2, 5), (3, 5), (4, 5))
def mappings(x, y):
    match {"kind": x, "value": y, "more": x + y}:
        case {"kind": 1, "value": v}:
            return v
        case {"kind": 2, **rest}:
            return rest["value"] + rest["more"]
        case {"missing": v}:
            return v - 1
        case {"kind": 3 as k, "value": int() | float() as v}:
            return k * v
        case {}:
            return -1


@samples((0, 5), (1, 5), (2, 5), (3, 3))
def dataclasses_and_attributes(x, y):
    match Point(x, y):
        case Point(0, y=v):
            r = v
        case Point(x=1) as p:
            r = p.x + p.y
        case Point(a, b) if a == b:
            r = a * 100
        case Point(a, _):
            r = -a
    return r


@samples((0, 5), (1, 5), (2, 5))
def match_args(x, y):
    match Named(x, y, x + y):
        case Named(0, b):
            return b
        case Named(1, c=c):
            return c
        case Named(a, b, c=c):
            return a + b + c


@samples((0, 5), (1, 5))
def namedtuples(x, y):
    match Pair(x, y):
        case Pair(0, second):
            return second
        case (first, second):
            return first + second


@samples((0, 5), (1, 5))
def classes_of_numbers(x, y):
    match x:
        case bool():
            return -1
        case str(s):
            return s
        case np.integer() as n if n > 0:
            return n
        case int(n) | np.int64(imag=n):
            return n - y
        case _:
            return -2


@samples((1, 2), (5, 2), (7, 9))
def nested(x, y):
    match [Point(x, (y, 1)), {"k": [x, y]}]:
        case [Point(1, (b, _)), {"k": [a, *_]}]:
            return a, b
        case [Point(a, [_, _]), {"k": [*_, b]}] if b < 5:
            return b, a
        case [_, {"k": k}]:
            return k[0], k[1]


@samples(0, 5, 30)
def in_a_loop_with_break(n):
    steps = total = 0
    while True:
        match steps:
            case 3:
                steps += 2
                continue
            case k if k > 8:
                break
            case k if k * k > n:
                total -= 1
            case _:
                total += steps
        steps += 1
    return steps, total


@samples([1, 2, 3], [0, 0, 0], [3, 3, 9])
def over_the_items_of_an_array(values):
    counts = [0, 0, 0]
    for v in values:
        match v:
            case 0:
                counts[0] += 1
            case n if n % 3 == 0:
                counts[1] += n
            case n:
                counts[2] -= n
    return counts, n


@samples([1, 2], [2, 1])
def an_array_is_what_numpy_says(values):
    match values:
        case [a, b]:
            return a + b
        case np.ndarray(shape=(n,)):
            return values[0] * n


@samples((1, None), (2, None))
def singletons(x, none):
    match none, x > 1:
        case (True, _):
            return 1
        case (None, True):
            return 2
        case (None, flag) if flag:
            return 3
        case (None, np.bool_()):
            return 4


@samples(1, 0)
def bools_of_python(x):
    positive = not x < 1
    match positive:
        case True:
            r = 1
        case False:
            r = 2
    return r, positive is True, positive is not False, (x > 0) is True


@samples(1, 2)
def the_subject_is_evaluated_once(x):
    match say("subject", x):
        case 5:
            return 5
        case 1:
            return 1
        case _:
            return 0


@samples(1, 2)
def inside_each_other(x):
    match x:
        case 1:
            match x + 1:
                case 3:
                    return 1
                case k:
                    y = k
        case _:
            match x:
                case 2 as y:
                    pass
    return y


@samples(1, -2)
def fails_in_a_pattern(x):
    match x:
        case 1:
            return 0
        case Point(1, 2, 3):
            return 1
        case int(1, 2):
            return 2


@samples((1, 2), (2, 2))
def lists_that_change(x, y):
    items = [x, y]
    match items:
        case [1, *rest]:
            rest[0] = 100
            items[0] = 5
        case [a, b]:
            items[1] = a * b
    return items


@pytest.mark.parametrize("sample", samples.all, ids=name)
def test_a_converted_match_does_what_python_does(sample):
    sample.check_converted()


@pytest.mark.parametrize("sample", samples.staged, ids=name)
def test_a_staged_match_does_what_python_does(sample):
    sample.check_staged()
