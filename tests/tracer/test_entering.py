"""Calls by machine code: they mean what calls by Python mean, and know when not to."""

import copy
import weakref

import numpy as np
import pytest

import autograph as ag
from tests.conformance.harness import disagreement, observe
from tests.tracer import random_forms
from tests.tracer.entered import (
    at_once,  # noqa: F401 # a fixture
    entries_of,
    linear,
    not_at_once,
    takes,
    warm,
)
from tests.tracer.warm_calls import X, Y, i
from tracer import entering

pytestmark = pytest.mark.usefixtures("at_once")
SCALE = 2.0


def test_a_call_that_comes_again_goes_by_machine_code():
    f = ag.function(lambda x: x * 2 + 1)
    warm(f, X)
    assert takes(f, X)
    assert f(X).tolist() == [3.0, 5.0, 7.0]


def test_a_call_that_came_few_times_has_no_entry(monkeypatch):
    not_at_once(monkeypatch)
    f = ag.function(lambda x: x * 2 + 1)
    for _ in range(1000):
        f(X)
    assert not hasattr(f, "_entries")


def test_an_entry_is_made_when_python_has_spent_what_compiling_costs(monkeypatch):
    not_at_once(monkeypatch)
    monkeypatch.setattr(entering, "CALLS", 10)
    monkeypatch.setattr(entering, "SECONDS_A_CALL", 1e-4)
    f = ag.function(lambda x: x * 2 + 1)
    made_at = next(n for n in range(1000) if (f(X), hasattr(f, "_entries"))[1])
    assert made_at > 10
    assert takes(f, X)


def counted(n):
    xs = [0] * n
    for k in range(n):
        xs[k] = xs[k // 2] + 1
    return xs[-1]


def test_calls_that_make_lists_have_an_entry_by_the_time_that_they_take(monkeypatch):
    not_at_once(monkeypatch)
    n = np.int64(20_000)
    monkeypatch.setattr(entering, "SAVED", 0.0)
    f = ag.function(counted)
    for _ in range(600):
        f(n)
    assert not hasattr(f, "_entries")
    # As if each call took hours.
    monkeypatch.setattr(entering, "SAVED", 1e9)
    f = ag.function(counted)
    made_at = next(k for k in range(5000) if (f(n), hasattr(f, "_entries"))[1])
    assert made_at > entering.CALLS_OF_LISTS + entering.LOOKS
    assert takes(f, n)
    assert f(n) == counted(20_000)


def searched(n):
    waiting, found = [1], 0
    while waiting:
        x = waiting.pop()
        found += x % 7
        if 2 * x < n:
            waiting.append(2 * x)
            waiting.append(2 * x + 1)
    return found


def test_a_list_that_a_first_turn_makes_is_one_that_the_call_makes(monkeypatch):
    not_at_once(monkeypatch)
    monkeypatch.setattr(entering, "SAVED", 1e9)
    f, n = ag.function(searched), np.int64(2_000)
    assert any((f(n), hasattr(f, "_entries"))[1] for _ in range(2000))
    assert f(n) == searched(2_000)


@ag.function
def pick(x, n):
    return x[n] * 2


@ag.function
def steps(n):
    count = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        count += 1
    return count


@ag.function
def several(x, y):
    return x + y, (x, 3, y.sum() > 1e300), None


OTHERS = [
    *(X, X.astype("f4"), X[:2], X[::2], X.reshape(1, 3), np.array(2.0), X.tolist()),
    *(np.float64(2), np.float32(2), i(2), np.int8(2), np.bool_(True), 2, 2.0, True),
    *(np.asfortranarray(np.ones((2, 3))), np.zeros(0), np.ma.array([1.0, 2.0]), 2j),
    *(X.astype(">f8"), X.view(np.recarray), np.array(["a"]), None, "text", 10**30),
    *(float("nan"), -0.0, np.float64(-0.0), np.inf),
]


@pytest.mark.parametrize(
    "first", [X, np.float64(1.5), 3, 2.5, X.astype("f4")], ids=repr
)
def test_arguments_of_every_kind_mean_what_they_mean(first):
    def function(x):
        return x * 2 + 1

    staged = ag.function(function, dynamic_args="x")
    warm(staged, first)
    assert takes(staged, first)
    for _ in range(2):
        for other in OTHERS:
            python = observe(function, [copy.deepcopy(other)])
            graph = observe(staged, [copy.deepcopy(other)])
            found = disagreement(python, graph)
            assert found is None, f"{other!r}: {found.sentence}"


@pytest.mark.parametrize("seed", range(20))
def test_random_calls_that_are_like_one_another(seed):
    assert random_forms.difference(7_000_000 + seed) == ""


def test_loops_and_branches_are_in_the_entry():
    warm(steps, i(27))
    assert takes(steps, i(27))
    assert [steps(i(n)) for n in (1, 6, 27)] == [0, 8, 111]
    assert type(steps(i(6))) is int


def test_an_exit_goes_on_as_python_with_its_error_at_the_users_line():
    warm(pick, X, i(1))
    assert takes(pick, X, i(1))
    with pytest.raises(IndexError, match="index 5 is out of bounds") as caught:
        pick(X, i(5))
    last = caught.traceback[-1]
    assert last.name == "pick"
    assert str(last.statement).strip() == "return x[n] * 2"
    assert pick(X, i(-1)) == 6.0


def test_an_entry_that_is_left_often_is_dropped():
    f = ag.function(lambda x, n: x[n] * 2)
    warm(f, X, i(1))
    assert len(entries_of(f)) == 1
    for _ in range(20):
        with pytest.raises(IndexError):
            f(X, i(5))
    assert entries_of(f) == ()
    assert f(X, i(2)) == 6.0


def test_results_are_arguments_constants_and_tuples():
    x, y = X.copy(), Y.copy()
    f = ag.function(lambda x, y: (x + y, (x, 3, "a"), None, x + y))
    warm(f, x, y)
    assert takes(f, x, y)
    total, (same, *constants), nothing, other = f(x, y)
    assert same is x
    assert constants == [3, "a"]
    assert nothing is None
    assert total.tolist() == other.tolist() == (x + y).tolist()


def test_one_array_passed_twice_is_another_call_than_two():
    f = ag.function(lambda x, y: (x + y, x is y))
    for _ in range(3):
        assert f(X, X)[1] is True
        assert f(X, Y)[1] is False
    assert len(entries_of(f)) == 2
    assert f(X, X.copy())[1] is False


def test_constants_are_told_apart():
    def told(x, n):
        return x * 1, type(n), repr(n)

    f = ag.function(told, static_args="n")
    given = [2, 2.0, True, None, "a", -0.0, 0.0, 0, False, 300, 2**62, 2**63, b"a"]
    for _ in range(3):
        for n in given:
            assert f(X, n)[1:] == (type(n), repr(n))
    assert len(entries_of(f)) == 8


def test_an_object_is_itself_while_it_lives():
    class Thing:
        def __init__(self, size):
            self.size = size

    f = ag.function(lambda x, thing: x * thing.size)
    kept = Thing(100.0)
    warm(f, i(1), kept)
    for size in range(1, 6):
        thing = Thing(float(size))
        assert warm(f, i(1), thing) == size
        assert f(i(1), kept) == 100.0
        gone = weakref.ref(thing)
        del thing
        assert gone() is None
    assert len(entries_of(f)) == 1
    kept.__class__ = type("Other", (Thing,), {"size": 7.0})
    del kept.__dict__["size"]
    assert f(i(1), kept) == 7.0


def test_what_is_read_outside_is_looked_at():
    global SCALE
    held = 3.0

    def scaled(x):
        return x * SCALE * held

    f = ag.function(scaled)
    warm(f, i(1))
    assert takes(f, i(1))
    for change in (5.0, 5.0 + 1e-9, 2.0):
        SCALE = change
        assert warm(f, i(1)) == change * held
    held = 4.0
    assert warm(f, i(1)) == 8.0
    held = float("4.0")  # equal, yet another object
    assert warm(f, i(1)) == 8.0


def test_attributes_that_are_read_are_looked_at():
    class Model:
        def __init__(self):
            self.scale, self.inner = 2.0, None

    model = Model()
    model.inner = Model()

    def scaled(x):
        return x * model.scale * model.inner.scale

    f = ag.function(scaled)
    assert warm(f, i(1)) == 4.0
    assert takes(f, i(1))
    model.inner.scale = 3.0
    assert warm(f, i(1)) == 6.0
    model.inner = Model()
    assert warm(f, i(1)) == 4.0
    del model.scale
    with pytest.raises(AttributeError, match="scale"):
        f(i(1))
    model.scale = 5.0
    assert warm(f, i(1)) == 10.0


def test_a_function_of_other_code_is_another_one():
    def one(x):
        return x * 2

    def other(x):
        return x * 3

    f = ag.function(one)
    assert warm(f, i(1)) == 2
    one.__code__ = other.__code__
    assert warm(f, i(1)) == 3


def test_defaults_are_looked_at():
    def read(x, scale=2.0, table={"a": 1.0}):
        return x * scale * table["a"]

    f = ag.function(read)
    assert warm(f, i(1)) == 2.0
    read.__defaults__ = (3.0, {"a": 1.0})
    assert warm(f, i(1)) == 3.0
    read.__defaults__[1]["a"] = 5.0
    assert warm(f, i(1)) == 15.0
    plain = ag.function(lambda x, scale=2.0: x * scale)
    assert warm(plain, i(1)) == 2.0
    assert takes(plain, i(1))
    plain.__defaults__ = (4.0,)
    assert warm(plain, i(1)) == 4.0


def test_keywords_mean_what_they_mean():
    f = ag.function(lambda x, y: x - y)
    warm(f, X, Y)
    assert f(X, y=Y).tolist() == f(y=Y, x=X).tolist() == (X - Y).tolist()
    with pytest.raises(TypeError, match="missing"):
        f(X)
    with pytest.raises(TypeError, match="unexpected keyword"):
        f(X, Y, z=1)


def test_a_method_binds_its_instance():
    class Model:
        def __init__(self, scale):
            self.scale = scale

        @ag.function
        def scaled(self, x):
            return x * self.scale

    one, other = Model(2.0), Model(3.0)
    for _ in range(4):
        assert one.scaled(i(1)) == 2.0
        assert other.scaled(i(1)) == 3.0
    assert len(entries_of(Model.scaled)) == 2
    one.scale = 5.0
    assert warm(one.scaled, i(1)) == 5.0
    assert Model.scaled(other, i(2)) == 6.0
    assert one.scaled.__self__ is one
    assert list(map(one.scaled, [i(1)])) == [5.0]


def test_static_and_class_methods():
    class Model:
        scale = 2.0

        @staticmethod
        @ag.function
        def plain(x):
            return x * 2

        @classmethod
        @ag.function
        def scaled(cls, x):
            return x * cls.scale

    for _ in range(4):
        assert Model.plain(i(2)) == Model().plain(i(2)) == 4
        assert Model.scaled(i(2)) == Model().scaled(i(2)) == 4.0


def test_a_call_in_a_trace_becomes_part_of_it():
    warm(linear, X)
    outer = ag.function(lambda x: linear(x) * 3)
    assert outer(X).tolist() == [9.0, 15.0, 21.0]
    names = [node.op.name for node in outer.get_concrete_function(X).graph.nodes]
    assert names.count("multiply") == 2


def test_eager_mode_and_logs_see_the_call(caplog):
    calls = []

    def noted(x):
        calls.append(1)
        return x * 2

    f = ag.function(noted, python_effects="trace")
    warm(f, X)
    count = len(calls)
    with ag.config(eager=True):
        f(X)
    assert len(calls) == count + 1
    with ag.config(log="exec"):
        f(X)
    assert "ran" in caplog.text
    f(X)
    assert len(calls) == count + 1


def test_the_gate_is_open_after_a_trace_that_fails():
    from runtime.gate import GATE

    def fails(x):
        raise ValueError("no")

    for _ in range(2):
        with pytest.raises(ValueError, match="no"):
            ag.function(fails, autograph=False, python_effects="trace")(X)
    assert GATE.reasons == 0
