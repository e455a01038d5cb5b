"""What a function reads outside of itself, and finds changed at a later call."""

import gc
import warnings
import weakref

import numpy as np
import pytest

import autograph as ag
from tests.conformance import read_outside as things
from tests.conformance.harness import disagreement, observe
from tests.conformance.trying import x3
from tracer import forms, in_vain

pytestmark = pytest.mark.usefixtures("others_set_aside")


@pytest.mark.parametrize(("program", "changes"), things.CASES)
def test_a_later_change_is_seen(program, changes):
    staged = ag.function(program)
    things.put("model", things.Model())
    things.put("sizes", [1, 2, 3])
    things.put("table", {"a": 1, "b": [2, 3]})
    _compare(staged, program)
    for _ in changes():
        _compare(staged, program)
        _compare(staged, program)


def _compare(staged, program):
    for given in ((x3,), (-x3,)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            found = disagreement(observe(program, given), observe(staged, given))
        assert found is None, found.sentence


def test_variables_of_an_enclosing_function_are_seen():
    factor, kept = 2.0, [1.0]

    def program(x):
        return x * factor * kept[0]

    staged = ag.function(program)
    for factor in (2.0, 3.0, np.float64(3.0), 5, 6, 7):
        assert staged(x3).tolist() == program(x3).tolist()
        kept[0] += 1.0
        assert staged(x3).tolist() == program(x3).tolist()


def test_equal_constants_need_no_other_trace():
    things.put("scale", 2.5)
    things.put("table", {"a": (1.5, "text")})
    staged = ag.function(lambda x: x * things.scale * things.table["a"][0])
    staged(x3)
    things.put("scale", float("2.5"))
    things.put("table", {"a": (float("1.5"), "".join(["te", "xt"]))})
    assert staged(x3).tolist() == (x3 * 3.75).tolist()
    assert len(staged.concrete_functions) == 1
    things.put("scale", 2.0)


def test_what_is_not_read_needs_no_other_trace():
    staged = ag.function(lambda x: things.model.k * x)
    staged(x3)
    things.model.w, things.model.other = np.zeros(3), 3
    things.put("scale", 77.0)
    staged(x3)
    assert len(staged.concrete_functions) == 1
    things.put("scale", 2.0)


def test_a_number_that_changes_at_each_call_is_an_input_of_the_third_trace():
    staged = ag.function(lambda x: x * things.bag.depth)
    for depth in range(20):
        things.bag.depth = depth
        assert staged(x3).tolist() == (x3 * depth).tolist()
    assert len(staged.concrete_functions) == 3


def test_an_array_that_is_replaced_is_an_input_of_the_second_trace():
    staged = ag.function(lambda x: x * things.bag.array)
    for value in range(20):
        things.bag.array = np.full(3, float(value))
        assert staged(x3).tolist() == (x3 * value).tolist()
    assert len(staged.concrete_functions) == 2


def test_a_function_that_finds_something_new_at_each_call_is_run_as_python():
    staged = ag.function(lambda x: x * len(things.bag.word))
    things.bag.word = ""
    said = "reads `SimpleNamespace.word`, which changes again and again: after 8 traces"
    with pytest.warns(RuntimeWarning, match=said) as caught:
        _with_words(staged, 30)
    assert len(staged.concrete_functions) == 8
    assert len(caught) == 1
    assert caught[0].filename == __file__
    # As soon as it stays, there is a graph for it.
    staged(x3)
    assert len(staged.concrete_functions) == 8
    assert staged(x3).tolist() == (x3 * 29).tolist()


def test_what_is_new_at_each_call_is_looked_at_ever_more_seldom(monkeypatch):
    staged, looks = ag.function(lambda x: x * len(things.bag.word)), []
    ask = forms.Forms._is_as_before
    monkeypatch.setattr(
        forms.Forms, "_is_as_before", lambda self: looks.append(1) or ask(self)
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _with_words(staged, 400)
    assert in_vain.FIRST < len(looks) < 30
    assert len(staged.concrete_functions) == forms.MOST_FORMS
    # Once it stays there is a trace for it.
    for _ in range(2 * in_vain.MOST):
        assert staged(x3).tolist() == (x3 * 399).tolist()
    asked = len(looks)
    for _ in range(10):
        staged(x3)
    assert len(looks) == asked


def _with_words(staged, count):
    for length in range(count):
        things.bag.word = "a" * length
        assert staged(x3).tolist() == (x3 * length).tolist()


def test_old_states_find_their_traces_again():
    staged = ag.function(lambda x: x if things.flag else -x)
    for value in (True, False) * 10:
        things.put("flag", value)
        assert staged(x3).tolist() == (x3 if value else -x3).tolist()
    assert len(staged.concrete_functions) == 2
    things.put("flag", True)


def test_a_trace_keeps_no_object_alive_that_it_has_read():
    class Node:
        def __init__(self):
            self.parts = [self]
            self.k = 2
            self.array = np.ones(3)

        @ag.function
        def run(self, x):
            return self.parts[0].k * x

    nodes = [Node() for _ in range(3)]
    for node in nodes:
        assert node.run(x3).tolist() == (2 * x3).tolist()
    references = [weakref.ref(node) for node in nodes]
    del node
    nodes.clear()
    gc.collect()
    assert [reference() for reference in references] == [None] * 3


def test_reasons_tell_what_has_changed():
    things.bag.depth, things.bag.word = 1, "a"
    staged = ag.function(lambda x: x * things.bag.depth * len(things.bag.word))
    staged(x3)
    things.bag.word = "bc"
    staged(x3)
    assert [row.reason for row in staged.traces()] == [
        "the first call",
        "`SimpleNamespace.word`: 'a' -> 'bc'",
    ]


def test_a_concrete_function_is_strict_about_what_it_has_read():
    things.bag.depth = 1
    traced = ag.function(lambda x: x * things.bag.depth).get_concrete_function(x3)
    traced(x3)
    things.bag.depth = 2
    with pytest.raises(TypeError) as caught:
        traced(x3)
    assert str(caught.value) == (
        "<lambda>: what it reads outside has changed: `SimpleNamespace.depth`: 1 -> 2"
    )


def test_effects_of_the_trace_keep_what_the_trace_has_read():
    things.put("scale", 2.0)
    staged = ag.function(lambda x: x * things.scale, python_effects="trace")
    assert staged(x3).tolist() == (x3 * 2).tolist()
    things.put("scale", 3.0)
    assert staged(x3).tolist() == (x3 * 2).tolist()
    things.put("scale", 2.0)


def test_a_method_of_each_instance_sees_its_own_changes():
    class Counter:
        def __init__(self, step):
            self.step = step

        @ag.function
        def add(self, x):
            return x + self.step

    one, two = Counter(1), Counter(2)
    for _ in range(3):
        assert one.add(0.0) == one.step
        assert two.add(0.0) == two.step
        one.step += 1
    assert two.add(0.0) == 2


def test_a_function_that_is_called_inside_another_is_watched_there():
    inner = ag.function(lambda x: x * things.bag.depth)
    outer = ag.function(lambda x: inner(x) + 1)
    for things.bag.depth in (1, 2, 3, 4):
        assert outer(x3).tolist() == (x3 * things.bag.depth + 1).tolist()
