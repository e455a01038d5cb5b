"""Functions that compute of Python's numbers alone: data at once, or plain Python."""

import numpy as np
import pytest

import autograph as ag
from runtime.build import Frame
from tests.conformance.harness import disagreement, observe
from tracer import only_python


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    monkeypatch.setattr(only_python, "MOST_IDLE", 100)


def longest(n):
    best = at = 0
    for i in range(1, n):
        k, steps = i, 0
        while k != 1:
            k = k // 2 if k % 2 == 0 else 3 * k + 1
            steps += 1
        if steps > best:
            best, at = steps, i
    return at, best


def product(a, b):
    made = [[0 for _ in b[0]] for _ in a]
    for i in range(len(a)):
        for j in range(len(b[0])):
            for k in range(len(b)):
                made[i][j] += a[i][k] * b[k][j]
    return made


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def printing(n, scale):
    total = 0
    for i in range(n):
        if i % 100 == 0:
            print("at", i)
        total += i % 7
    return np.ones(3) * total * scale


def while_loop(n):
    found = []
    while len(found) < n:
        found.append(len(found) ** 2)
    return found


# Numbers of one type would be one input.
ROWS = [[1, *(float(i + j) for i in range(6))] for j in range(7)]
CALLS = [
    (longest, (200,), (150,), (300,)),
    (product, (ROWS, ROWS), (ROWS, ROWS[::-1]), (ROWS[::-1], ROWS)),
    (fib, (14,), (13,), (12,)),
    (printing, (250, 2.0), (250, 2.0), (330, 0.5)),
    (while_loop, (130,), (140,), (3,)),
]


@pytest.mark.parametrize(("function", "calls"), [(f, calls) for f, *calls in CALLS])
def test_each_call_means_what_python_means(function, calls):
    staged = ag.function(function)
    for arguments in (*calls, *calls):
        found = disagreement(observe(function, arguments), observe(staged, arguments))
        assert found is None, found.sentence


def test_numbers_become_inputs_where_that_makes_a_graph():
    staged = ag.function(longest)
    staged(200), staged(150)
    (trace,) = staged.concrete_functions
    assert [str(spec.dtype) for spec in trace.signature.leaves] == ["int64"]
    assert any(node.op.name == "while" for node in trace.graph.nodes)


def test_what_is_python_is_not_traced_again_for_other_numbers(monkeypatch):
    staged = ag.function(product)
    staged(ROWS, ROWS)
    monkeypatch.setattr(staged.lookup, "specialize", None)
    assert staged(ROWS, ROWS[::-1]) == product(ROWS, ROWS[::-1])
    assert staged.concrete_functions == []


def test_a_trace_that_is_asked_for_takes_as_long_as_it_takes():
    concrete = ag.function(fib).get_concrete_function(12)
    assert concrete.graph.nodes == ()
    assert concrete() == fib(12)


def test_a_change_of_one_place_is_remembered_once_until_somebody_may_go_back():
    asked = []

    class Place:
        def get(self):
            asked.append(len(asked))
            return asked[-1]

        def set(self, held):
            self.held = held

    frame, place = Frame("try"), Place()
    frame.log(place), frame.log(place)
    mark = frame.mark()
    frame.log(place), frame.log(place)
    assert asked == [0, 1]
    frame.go_back(mark)
    assert place.held == 1
    frame.log(place)
    assert asked == [0, 1, 2]


def sorted_by_insertion(xs):
    for i in range(1, len(xs)):
        x, j = xs[i], i - 1
        while j >= 0 and xs[j] > x:
            xs[j + 1] = xs[j]
            j -= 1
        xs[j + 1] = x
    return len(xs)


def mixed(count):
    # Of one type they would be an input as they are.
    return [k * 7919 % 1009 * (0.5 if k % 2 else 1) for k in range(count)]


@pytest.mark.parametrize(
    "long",
    [mixed(1000), [mixed(100)] * 10, ["a", "b"] * 500],
    ids=["numbers of two types", "lists of them", "texts"],
)
def test_a_list_of_so_many_numbers_is_not_traced(monkeypatch, long):
    staged = ag.function(sorted_by_insertion)
    monkeypatch.setattr(staged.lookup, "specialize", None)
    own, plain = list(long), list(long)
    assert staged(own) == sorted_by_insertion(plain)
    assert own == plain == sorted(long)


def test_long_lists_are_pythons_once_one_was(monkeypatch):
    staged = ag.function(sorted_by_insertion)
    staged(mixed(260))
    assert staged.concrete_functions == []
    with monkeypatch.context() as patched:
        patched.setattr(staged.lookup, "specialize", None)
        for count in (300, 256):
            own = mixed(count)
            staged(own)
            assert own == sorted(mixed(count))
    short = [2, 1]
    staged(short)
    assert short == [1, 2]
    assert len(staged.concrete_functions) == 1


def test_of_long_lists_a_graph_is_made_where_there_is_one():
    staged = ag.function(lambda xs, at: np.array(xs)[at] * 2.0)
    xs = [0.5 * k for k in range(300)]
    assert staged(xs, np.int64(4)) == 4.0
    assert len(staged.concrete_functions) == 1


def test_a_list_that_is_given_as_an_array_is_not_long():
    spec = ag.TensorSpec([None], float)
    staged = ag.function(lambda x: x * 2.0, input_signature=[spec])
    assert staged([0.5] * 1000).tolist() == [1.0] * 1000
    assert len(staged.concrete_functions) == 1


def test_very_many_operations_are_made_by_python(monkeypatch):
    monkeypatch.setattr(only_python, "MOST_NODES", 100)

    def summed(x, rows):
        total = x
        for row in rows:
            total = total + row * 0.5
        return total

    rows = [np.full(2, float(i)) for i in range(60)]
    staged = ag.function(summed)
    for _ in range(2):
        assert staged(np.ones(2), rows).tolist() == summed(np.ones(2), rows).tolist()
    assert not staged.concrete_functions
    assert staged.get_concrete_function(np.ones(2), rows).graph.nodes


class Board:
    """Pieces that move by constants alone."""

    def __init__(self, count):
        self.count = count

    def play(self):
        moves = 0
        for k in range(self.count):
            moves += k % 3
        return moves


def test_after_one_object_was_given_up_another_one_has_to_wait():
    staged, long, short = ag.function(Board.play), Board(2000), Board(3)
    assert staged(long) == Board.play(long)
    for _ in range(3):
        assert staged(short) == 3
        assert not staged.concrete_functions
    # Until the calls with it have taken as long as a trace.
    staged.lookup._objects._trace = 0.0
    assert staged(short) == 3
    assert len(staged.concrete_functions) == 1


def test_a_trace_after_one_that_was_given_up_makes_fewer_operations(monkeypatch):
    monkeypatch.setattr(only_python, "MOST_NODES_AGAIN", 20)

    pieces = [Board(k) for k in range(200)]

    def played(n):
        total = 0
        for piece in pieces:
            total += piece.count * n
        return total

    def once(n):
        return sum(k for k in range(n))

    staged = ag.function(played)
    assert staged(9) == played(9)
    assert not staged.concrete_functions
    staged = ag.function(once)
    assert staged(900) == once(900)
    assert len(staged.concrete_functions) == 1


def test_an_item_of_many_objects_that_the_run_asks_for_is_found_by_python():
    boards = [Board(k) for k in range(99)]

    @ag.function
    def count_at(boards, k):
        return boards[k].count

    assert count_at(boards, np.int64(7)) == 7
    assert count_at(boards, np.int64(-1)) == 98
