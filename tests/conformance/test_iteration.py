"""Loops over all that Python goes through do as graphs what they do in Python."""

import itertools

import numpy as np
import pytest

import autograph as ag
from autograph.same import assert_same_as_python
from tests.conformance.test_programs import comparable, outcome

i8, f8 = np.int64, np.float64
ROW = np.array([1.0, -2.0, 4.0, 3.0])
OTHER = np.array([-1.0, 2.0, -4.0, -3.0])


class Count:
    def __init__(self, n):
        self.i, self.n = 0, n

    def __iter__(self):
        return self

    def __next__(self):
        if self.i >= self.n:
            raise StopIteration
        self.i += 1
        return self.i


class Sequence:
    def __init__(self, x):
        self.x = x

    def __len__(self):
        return 3

    def __getitem__(self, i):
        if i >= 3:
            raise IndexError
        return self.x[i] * 2


class Positive:
    def __init__(self, x):
        self.x = x

    def __iter__(self):
        for v in self.x:
            if v > 0:
                yield v


class Wrapped:
    def __init__(self, x):
        self.x = x

    def __iter__(self):
        return iter(self.x)


def left(iterable, x):
    total, v = x[0] * 0, x[0]
    for v in iterable:
        if v < 0:
            continue
        if total > 2.5:
            break
        total = total + v
    else:
        total = -total
    return total, v * 1.0


def returned(iterable, x):
    for v in iterable:
        if v > x[0]:
            return v * 1.0
    else:
        x = x * 2
    return x[0]


def user_iterator(x):
    total = 0.0
    for v in Count(3):
        for w in Count(v):
            total += w * x[0]
    return total


def user_iterator_that_ends_by_data(x):
    total = 0.0
    for v in Count(int(x[2]) + 2):
        total += v * x[0]
    return total, sum(Count(int(x[3]))), list(Count(int(x[2])))


def user_iterator_that_is_left(x):
    count = Count(9)
    total = 0.0
    for v in count:
        if v > x[2]:
            break
        total += v
    else:
        total = -1.0
    return total, count.i, next(count, None)


def user_sequence(x):
    return left(Sequence(x), x), returned(Sequence(x), x)


def user_generator_method(x):
    return left(Positive(x), x), returned(Positive(x), x), sum(Positive(x), 0.0)


def user_iterable(x):
    return left(Wrapped(x), x), returned(Wrapped(x), x), list(Wrapped([x[0], 2]))


def maps(x):
    doubled = map(lambda v: v * 2, x)
    return left(doubled, x), returned(map(lambda v: v * 2, [1, 2, 3]), x)


def filters(x):
    some = filter(lambda v: v > x[0], [1, 2, 3])
    return left(filter(lambda v: v > 0, x), x), returned(some, x)


def reverses(x):
    total = 0
    for i in reversed(range(int(x[0]) + 3)):
        if i == 1:
            break
        total = total * 3 + i
    else:
        total = -total
    return left(reversed(x), x), returned(reversed([1, 2, 3]), x), total


def dict_views(x):
    d = {"a": x[0], "b": x[1], "c": x[2]}
    total = 0.0
    for k, v in d.items():
        if v > 3:
            break
        total = total + v
        d[k] = v * 2
    else:
        total = total + 100
    for v in d.values():
        if v < 0:
            continue
        total = total * 2 + v
    for k in d:
        if d[k] > 3:
            return total, k == "c"
    for k in d.keys():
        total += d[k]
    return total, False


def strict_zip(x):
    total = 0.0
    for a, b in zip(x, x * 2, strict=True):
        if a > 2:
            break
        total += a * b
    for i, v in enumerate(x, start=5):
        total += i * v
    return total


def strict_zip_of_two_lengths(x):
    total = 0.0
    for a, b in zip(x, x[:2], strict=True):
        total += a * b
    return total


def nested_targets(x):
    total = 0.0
    for i, (a, *b) in enumerate(x.reshape(2, -1)):
        if a < 0:
            continue
        total += i * a + sum(b)
    for i, (a, (b, *c), *d) in [(1, (x[0], (x[1], x[2], x[3]), 5, 6))]:
        total += a * i + b * sum(c) + len(d)
    return total


def zips_of_many_kinds(x):
    total = 0.0
    for a, b in zip(x, itertools.count()):
        if a > 2:
            break
        total += a * b
    for a, b in zip(x, "ab"):
        if a > 2:
            break
        total += a * len(b)
    for a, b in zip("abcd", x):
        total += ord(a) * b
    return total


def pairs_by_an_iterator(x):
    numbers = iter([1.0, 2.0, 3.0, 4.0])
    total = 0.0
    for a in numbers:
        total += a * next(numbers)
    return total * x[0], next(numbers, None)


def head_and_rest(x):
    rows = iter(x)
    total = next(rows)
    for v in rows:
        total = total * 2 + v
    return total


def next_in_a_long_loop(x):
    numbers = iter([1.0, 2.0, 3.0, 4.0])
    total = 0.0
    for _ in range(300):
        total = total + x[0] * next(numbers, 1.0)
    return total


def iterator_of_a_branch(x):
    if x[0] > 0:
        numbers = iter([2.0, 3.0])
        total = next(numbers) * 10 + next(numbers)
    else:
        total = 1.0
    return total


def stop_iteration_comes_out(x):
    numbers = iter([1.0])
    return next(numbers) + next(numbers) + x


PROGRAMS = [
    user_iterator,
    user_iterator_that_ends_by_data,
    user_iterator_that_is_left,
    user_sequence,
    user_generator_method,
    user_iterable,
    maps,
    filters,
    reverses,
    dict_views,
    strict_zip,
    strict_zip_of_two_lengths,
    nested_targets,
    zips_of_many_kinds,
    pairs_by_an_iterator,
    head_and_rest,
    next_in_a_long_loop,
    iterator_of_a_branch,
    stop_iteration_comes_out,
]


@pytest.mark.parametrize("row", [ROW, OTHER], ids=["row", "other"])
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_a_loop_does_in_a_graph_what_it_does_in_python(function, row, capsys):
    arguments = (row,)
    wanted = comparable(outcome(function, arguments))
    text = capsys.readouterr().out
    staged = ag.function(function)
    for _ in range(2):  # traced, and from the cache
        assert comparable(outcome(staged, arguments)) == wanted
        assert capsys.readouterr().out == text


def numbers_beside_an_array(x, p):
    found = []
    for a, _ in zip([1.5], x):
        found.append(a)
    for a, _ in zip([p, 2, True], x):
        found.append(a)
    for _, b in zip(x, ()):
        found.append(b)
    return found


def test_numbers_beside_an_array_stay_what_they_are():
    assert_same_as_python(numbers_beside_an_array, ROW, 2.5)


def part_of_a_grown_list(x):
    found = [v for v in x if v > 0]
    return list(itertools.islice(found, 1)), max([(v, 1) for v in found], default=None)


def test_a_part_of_a_grown_list_is_that_of_python():
    assert_same_as_python(part_of_a_grown_list, ROW)
