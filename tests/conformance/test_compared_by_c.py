"""Objects that C compares by methods of theirs, with lists of the run's length."""

import bisect
import heapq

import numpy as np
import pytest

from tests.conformance.trying import Programs, check, i

CASES = Programs()
DATA = [([1, 2, 3], i(k)) for k in (0, 2, 0)]


class Held:
    """What is as large as its list is long."""

    def __init__(self, items):
        self.items = list(items)

    def __lt__(self, other):
        return len(self.items) < len(other.items)

    def __eq__(self, other):
        return type(other) is Held and len(self.items) == len(other.items)

    __hash__ = None


def two(given, count):
    long, short = Held(given), Held(given[:1])
    for k in range(count):
        long.items.append(k)
    return long, short


@CASES(*DATA)
def sorted_(given, count):
    long, short = two(given, count)
    first, last = sorted([long, short])
    return first is short, len(last.items)


@CASES(*DATA)
def sorted_in_place(given, count):
    long, short = two(given, count)
    both = [long, short]
    both.sort()
    return both[0] is short


@CASES(*DATA)
def heaps(given, count):
    long, short = two(given, count)
    heap = [long]
    heapq.heappush(heap, short)
    other = [long, short]
    heapq.heapify(other)
    return heapq.heappop(heap) is short, other[0] is short


@CASES(*DATA)
def places(given, count):
    long, short = two(given, count)
    both = [short, long]
    return both.index(long), both.count(short), bisect.bisect_left(both, long)


@CASES(*DATA)
def extremes(given, count):
    long, short = two(given, count)
    return min([long, short]) is short, max(long, short) is long


@CASES(*DATA)
def lists_of_them(given, count):
    long, short = two(given, count)
    return [long] == [short], (long, 1) != (short, 1), long == short


@CASES(*DATA)
def by_a_key(given, count):
    long, short = two(given, count)
    return sorted([long, short], key=lambda one: len(one.items))[0] is short


@CASES(*DATA)
def what_holds_nothing_of_the_run(given, count):
    one, other = Held([1, 2]), Held([3])
    return sorted([one, other])[0] is other, np.sum(given) + count


@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_they_are_compared_as_they_are(function, arguments):
    check(function, arguments)
