"""Lists outside that a function adds to, which is no reading of what they hold."""

from collections import deque

import numpy as np
import pytest

import autograph as ag

SEEN = []
NUMBERS = [np.float64(k) for k in range(12)]


class Log:
    def __init__(self):
        self.items = []


LOG = Log()
QUEUE = deque()
LAST = deque(maxlen=1)
NAMES = set()


@pytest.fixture(autouse=True)
def _empty():
    for held in (SEEN, LOG.items, QUEUE, LAST, NAMES):
        held.clear()


def hands_on(x):
    ag.py_function(SEEN.append, x, result=None)
    return x


def hands_on_in_a_lambda(x):
    ag.py_function(lambda v: SEEN.extend([v, v]), x, result=None)
    return x


def hands_on_an_attribute(x):
    ag.py_function(lambda v: LOG.items.insert(0, v), x, result=None)
    return x


def hands_on_of_a_deque(x):
    ag.py_function(QUEUE.appendleft, x, result=None)
    return x


def reads_too(x):
    ag.py_function(SEEN.append, x, result=None)
    return x + len(LOG.items)


def adds_itself(x):
    SEEN.append(x)
    return x


ONE_TRACE = [hands_on, hands_on_in_a_lambda, hands_on_an_attribute]
ONE_TRACE += [hands_on_of_a_deque, reads_too, adds_itself]


@pytest.mark.parametrize("program", ONE_TRACE)
def test_what_is_added_needs_no_other_trace(program):
    staged = ag.function(program)
    held = SEEN, LOG.items, QUEUE
    results = [staged(x) for x in NUMBERS], list(map(list, held))
    assert len(staged.concrete_functions) == 1
    for one in held:
        one.clear()
    assert results == ([program(x) for x in NUMBERS], list(map(list, held)))


def reads_the_last_after_adding(x):
    SEEN.append(2.0)
    return x + SEEN[-1] + len(SEEN)


def adds_in_a_branch(x):
    if x > 5:
        SEEN.append(x)
    return len(SEEN)


def adds_where_another_list_says(x):
    if LOG.items:
        SEEN.append(x)
    else:
        LOG.items.append(x)
    return x


def keeps_the_last(x):
    LAST.append(1.0)
    return x


def adds_a_name(x):
    NAMES.add("name")
    return x


READING = [reads_the_last_after_adding, adds_in_a_branch]
READING += [adds_where_another_list_says, keeps_the_last, adds_a_name]


@pytest.mark.parametrize("program", READING)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_what_is_read_is_watched_all_the_same(program):
    def found(called):
        results = []
        for held in (SEEN, LOG.items, QUEUE, LAST, NAMES):
            held.clear()
        for number, x in enumerate(NUMBERS[:8]):
            results.append(called(x))
            if number == 5:
                SEEN.clear()
                LAST.append(7.0)
                NAMES.clear()
            results.append((list(SEEN), list(LOG.items), list(LAST), set(NAMES)))
        return results

    assert found(ag.function(program)) == found(program)


def test_list_of_an_enclosing_function_is_added_to_by_one_trace():
    seen = []

    @ag.function
    def program(x):
        ag.py_function(lambda v: seen.append(v), x, result=None)
        ag.py_function(seen.append, x, result=None)
        return x

    for x in NUMBERS:
        program(x)
    assert seen == [x for x in NUMBERS for _ in range(2)]
    assert len(program.concrete_functions) == 1


def test_list_of_an_enclosing_function_that_is_read_too_is_watched():
    seen = []

    @ag.function
    def program(x):
        count = len(seen)
        ag.py_function(seen.append, x, result=None)
        return count

    assert [program(x) for x in NUMBERS[:5]] == [0, 1, 2, 3, 4]


def test_another_list_under_the_name_gets_what_is_added():
    global SEEN
    staged, first = ag.function(hands_on), SEEN
    try:
        staged(NUMBERS[1])
        SEEN = []
        staged(NUMBERS[2])
        assert (first, SEEN) == ([1.0], [2.0])
    finally:
        SEEN = first
