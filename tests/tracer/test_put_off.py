"""Traces that go long without a node are undone, and made when calls earn them."""

import sys

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import switch
from tests.tracer.idle_calls import MANY, STEP, Counter, let_tick
from tracer import by_python, idle, waiting
from tracer.waiting import MOST_CALLS


@pytest.fixture(autouse=True)
def _ticking(monkeypatch):
    let_tick(monkeypatch)


def test_a_trace_long_without_a_node_is_put_off():
    staged, one = ag.function(Counter.count), Counter(MANY)
    assert staged(one) == Counter.count(one)
    assert not staged.concrete_functions


def test_a_short_one_is_made():
    staged, one = ag.function(Counter.count), Counter(MANY // 4)
    assert staged(one) == Counter.count(one)
    assert len(staged.concrete_functions) == 1


def until_traced(staged, *args):
    """The number of calls until there is a trace."""
    plain = staged.python_function
    for calls in range(20_000):
        if staged.concrete_functions:
            return calls
        assert staged(*args) == plain(*args)
    raise AssertionError("no trace is made")


def test_it_is_made_when_calls_have_taken_four_times_as_long():
    staged, one = ag.function(Counter.count), Counter(MANY)
    calls = until_traced(staged, one)
    # Of the clock a call takes one step, and what is around it little.
    assert 3 * idle.LIMIT / STEP < calls < 5 * idle.LIMIT / STEP
    # The graph, from now on.
    assert staged(one) == Counter.count(one)
    assert len(staged.concrete_functions) == 1


def test_one_that_is_put_off_again_waits_longer():
    staged = ag.function(Counter.count)
    short, long = Counter(MANY), Counter(6 * MANY)
    least = until_traced(ag.function(Counter.count), short)
    assert until_traced(staged, long) > 4 * least


def test_operations_let_a_trace_go_on():
    turns = tuple(range(MANY))

    def chain(x):
        for k in turns:
            x = np.tanh(x) * 2 + k
        return x

    staged, x = ag.function(chain), np.ones(3)
    assert staged(x).tolist() == chain(x).tolist()
    assert len(staged.concrete_functions) == 1


def test_a_graph_that_is_asked_for_is_made():
    one = Counter(MANY)
    assert ag.function(Counter.count).get_concrete_function(one)() == one.count()
    assert ag.function(Counter.count).concrete_for((one,), {})() == one.count()
    with ag.config(strict=True):
        staged = ag.function(Counter.count)
        assert staged(one) == one.count()
        assert len(staged.concrete_functions) == 1
    staged = ag.function(Counter.count, precise=False)
    assert staged(one) == one.count()
    assert len(staged.concrete_functions) == 1


SETTINGS = [{"backend": "native"}, {"backend": "numpy"}, {"precise": False}]


@pytest.mark.parametrize("setting", SETTINGS)
def test_where_a_setting_asks_for_graphs_a_trace_may_go_on_four_times_as_long(setting):
    staged, one = ag.function(Counter.count), Counter((idle.ASKED - 1) * MANY // 2)
    other, long = ag.function(Counter.count), Counter(idle.ASKED * MANY)
    with ag.config(**setting):
        assert staged(one) == one.count()
        assert len(staged.concrete_functions) == 1
        assert other(long) == long.count()
        assert not other.concrete_functions


def test_there_it_is_made_when_calls_have_earned_it_as_well():
    staged, one = ag.function(Counter.count), Counter(idle.ASKED * MANY)
    with ag.config(backend="native"):
        calls = until_traced(staged, one)
        assert 3 * idle.ASKED < calls * STEP / idle.LIMIT < 5 * idle.ASKED


def test_numbers_become_inputs_there_in_place_of_a_trace_of_many_turns():
    staged = ag.function(longest)
    with ag.config(backend="native"):
        assert staged(60) == longest(60)
        assert staged(3100) == longest(3100)
    assert len(staged.concrete_functions) == 1


@pytest.fixture
def untimed(monkeypatch):
    """As many calls as can be are made without being timed."""
    monkeypatch.setattr(waiting, "UNTIMED", 1.0)


def test_who_is_strict_later_waits_no_longer(untimed):
    staged, one = ag.function(Counter.count), Counter(MANY)
    staged(one), staged(one)
    with ag.config(strict=True):
        assert staged(one) == one.count()
    assert len(staged.concrete_functions) == 1


def longest(n):
    best = 0
    for i in range(1, n):
        k, steps = i, 0
        while k != 1:
            k = k // 2 if k % 2 == 0 else 3 * k + 1
            steps += 1
        best = max(best, steps)
    return best


def test_numbers_become_inputs_where_that_makes_a_graph_soon():
    staged = ag.function(longest)
    assert staged(300) == longest(300)
    (trace,) = staged.concrete_functions
    assert [str(spec.dtype) for spec in trace.signature.leaves] == ["int64"]


def test_numbers_stay_constants_where_it_does_not():
    def shaped(n):
        found, shape = {}, np.zeros((1,) * (n % 4)).shape
        for k in range(MANY):
            found[k % 7] = k
        return shape, found

    staged = ag.function(shaped)
    assert staged(3) == shaped(3)
    assert not staged.concrete_functions
    kinds = staged.lookup._widening._kinds.values()
    assert not any(kind.are_data for kind in kinds)
    until_traced(staged, 3)
    (trace,) = staged.concrete_functions
    assert not trace.graph.inputs


def test_what_is_called_within_waits_as_well():
    inner = ag.function(lambda k: k * 2)

    @ag.function
    def outer(one):
        return [inner(k) for k in range(one.turns)]

    one = Counter(MANY)
    assert outer(one) == [2 * k for k in range(MANY)]
    assert not outer.concrete_functions
    assert not inner.concrete_functions
    # An argument of another kind is another call.
    assert inner(np.int64(2)) == 4
    assert len(inner.concrete_functions) == 1
    until_traced(inner, 3)


def asked(staged, monkeypatch):
    """A list that has an item for each call that is looked at from now on."""
    found, call = [], staged.lookup.call
    monkeypatch.setattr(
        staged.lookup, "call", lambda *given: found.append(1) or call(*given)
    )
    return found


def test_calls_that_wait_go_straight_to_python(untimed, monkeypatch):
    staged, one = ag.function(Counter.count), Counter(MANY)
    staged(one)
    looks = asked(staged, monkeypatch)
    assert MOST_CALLS > 100
    for _ in range(100):
        assert staged(one) == one.count()
    assert not looks


def test_what_is_owed_for_other_traces_is_waited_for():
    staged, one = ag.function(Counter.count), Counter(MANY)
    idle.ledger.owed = 10 * idle.LIMIT
    assert until_traced(staged, one) > 10 * idle.LIMIT / STEP


def test_methods_are_not_bound_while_they_wait(monkeypatch):
    kinds = []
    monkeypatch.setattr(waiting, "binds_at_once", kinds.append)
    ag.function(Counter.count)(Counter(MANY))
    assert kinds == [ag.Function]


@pytest.mark.skipif(not switch.is_on(), reason="there is no machine code")
def test_very_many_calls_go_by_machine_code_to_python(untimed, monkeypatch):
    monkeypatch.setattr(by_python, "MANY", 20)
    monkeypatch.setattr(by_python, "MANY_MORE", 20)
    monkeypatch.setattr(idle, "FACTOR", 400)
    staged, one = ag.function(Counter.count), Counter(MANY)
    for _ in range(1000):
        assert staged(one) == one.count()
    assert [key[0] for key in staged._short.entries] == [None]
    # Other kinds of calls have their traces, which know of that.
    assert staged(Other(3)) == Counter.count(Other(3))
    assert staged(Other(5)) == Counter.count(Other(5))
    assert None not in staged.lookup._used


class Other(Counter):
    """Another kind of argument."""


def test_a_recursion_that_waits_is_plain(monkeypatch):
    def move(count, source, target, other):
        if count == 0:
            return 0
        moves = again(count - 1, source, other, target)
        target.append(source.pop())
        return moves + 1 + again(count - 1, other, target, source)

    again = ag.function(move)
    looks = asked(again, monkeypatch)
    for _ in range(3):
        pegs = [[*range(7, 0, -1)], [], []]
        assert again(7, *pegs) == 2**7 - 1
        assert pegs == [[], [*range(7, 0, -1)], []]
    # One for each of the calls from here at most.
    assert len(looks) <= 3
    assert not again.concrete_functions


@pytest.mark.parametrize("seconds", [0.0, 1.0])
def test_what_waits_may_be_as_deep_as_in_python(seconds, monkeypatch):
    monkeypatch.setattr(waiting, "UNTIMED", seconds)

    def even(n, one):
        return True if n == 0 else odd(n - 1, one)

    @ag.function
    def odd(n, one):
        return False if n == 0 else again(n - 1, one)

    again, one = ag.function(even), Counter(1)
    before = sys.getrecursionlimit()
    for _ in range(20):
        assert again(700, one)
        assert odd(701, one)
        assert sys.getrecursionlimit() == before
    with pytest.raises(RecursionError):
        again(-1, one)
    assert sys.getrecursionlimit() == before
    assert not again.concrete_functions


def test_after_a_trace_for_one_object_others_wait_as_long():
    staged = ag.function(Counter.count)
    first = Counter(MANY)
    until_traced(staged, first)
    other = Counter(MANY)
    for _ in range(50):
        assert staged(other) == other.count()
    assert len(staged.concrete_functions) == 1


def reach(numbers, target, path, found):
    if target < 0:
        return
    if target == 0:
        found.append(path)
        return
    for k in range(len(numbers)):
        reach(numbers, target - numbers[k], path + [numbers[k]], found)


def test_a_call_looks_at_the_clock_where_it_begins():
    # In loops and branches of data each is within another: none ends for long.
    staged, found, wanted = ag.function(reach), [], []
    staged([2, 3, 4], 6, [], found)
    reach([2, 3, 4], 6, [], wanted)
    assert found == wanted
    assert not staged.concrete_functions


def test_ints_that_are_larger_than_any_float_wait_as_others():
    def larger(counter, n):
        return counter.count()[0] + n

    staged, one = ag.function(larger), Counter(MANY)
    for n in (3, 5, 1 << 5000, -(1 << 5000), 7, 1 << 5001, 2.5):
        assert staged(one, n) == larger(one, n)
    assert not staged.concrete_functions
