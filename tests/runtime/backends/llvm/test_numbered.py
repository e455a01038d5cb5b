"""Words of a program tell it from all others, and are the same for the same one."""

import math

import numpy as np
import pytest

from runtime.backends.llvm import numbered
from runtime.backends.llvm.numbered import Numbered, Unnamed, word_of
from runtime.backends.numpy.program import flatten
from runtime.ops.template import Input
from runtime.spec import ListSpec, ObjectSpec, TensorSpec, spec_of
from runtime.table_spec import TableSpec
from runtime.text import parse

NUMBER = TensorSpec((), float, weak=True)
APART = [
    *(0, 1, -1, 2**70, False, True, 0.0, 1.0, 0j, 1j, "1", b"1", None, ...),
    *((), (1,), (1, 1), [], [1], ((1,),), ("tuple", 1), {}, {1: 2}, {1: 2, 3: 4}),
    *({3: 4, 1: 2}, slice(None), slice(1), slice(1, None), slice(None, None, 1)),
    *(Input(0), Input(1), (Input(0),), int, float, np.float64, np.add, np.subtract),
    *(np.dtype(np.int64), np.dtype(np.longlong), np.dtype(np.int32), np.dtype(">i4")),
    *(np.dtype("M8[s]"), np.dtype("M8[ms]"), np.float64(1), np.int64(1), np.True_),
    *(np.float64(-0.0), np.float64(0.0), np.float32(1), np.arange(4), np.arange(4.0)),
    *(np.arange(8)[::2], np.arange(0, 8, 2), np.arange(4).reshape(2, 2), np.arange(1)),
    *(NUMBER, TensorSpec((), float), TensorSpec((2,), float), TensorSpec((3,), float)),
    *(TensorSpec((None,), float), TensorSpec(("n",), float), TensorSpec(None, float)),
    *(TensorSpec((2,), np.float32), ListSpec(NUMBER), ListSpec(TensorSpec((), float))),
    *(TableSpec(), ObjectSpec(str), ObjectSpec(bytes), math.log, math.sin, np.mean),
]


def words(one):
    return numbered.marshal.dumps(word_of(one), numbered.VERSION)


def test_things_that_differ_have_other_words():
    found = [words(one) for one in APART]
    assert len({*found}) == len(found)


def test_zeros_and_numbers_that_are_none_are_told_by_their_bits():
    assert words(0.0) != words(-0.0)
    assert words(math.nan) == words(math.nan)
    assert words(np.array([0.0])) != words(np.array([-0.0]))
    assert words((0.0, 1.0)) != words((0, 1.0))


@pytest.mark.parametrize("one", APART, ids=repr)
def test_words_are_the_same_each_time_whoever_else_holds_a_thing(one):
    held = [one, one]
    assert words(held[0]) == words(one)
    assert words([one, one]) == words(held)


@pytest.mark.parametrize(
    "thing",
    [
        *(object(), lambda x: x, np.random.default_rng(0), {1, 2}, spec_of, math),
        *(np.zeros(2**14), np.array([None]), np.zeros(2, [("a", "i4")])),
        *([object()], {1: object()}, (1, (object(),)), np.ma.masked_array([1])),
    ],
    ids=lambda thing: type(thing).__name__,
)
def test_what_has_no_words_is_refused(thing):
    with pytest.raises(Unnamed):
        word_of(thing)


PROGRAMS = [
    "graph f(x: float64[n]) { y: float64[n] = sin(x) return y }",
    "graph f(x: float64[n]) { y: float64[n] = cos(x) return y }",
    "graph f(x: float64[3]) { y: float64[3] = sin(x) return y }",
    "graph f(x: float32[n]) { y: float32[n] = sin(x) return y }",
    "graph f(x: float64[n]) { y: float64[n] = sin(x) return x }",
    "graph f(x: float64[n]) { y: float64[n] = sin(x) return y, y }",
    "graph f(x: float64[n]) { y: float64[n] = add(x, x) return y }",
    "graph f(x: float64[n], z: float64[n]) { y: float64[n] = add(x, z) return y }",
    "graph f(x: float64[n], z: float64[n]) { y: float64[n] = add(z, x) return y }",
]


def program_words(text):
    body, inputs = flatten(parse(text))
    found = Numbered(body)
    return [*map(found.variable, inputs)], found.words()


def test_programs_that_differ_have_other_words():
    found = [repr(program_words(text)) for text in PROGRAMS]
    assert len({*found}) == len(found)
    assert found == [repr(program_words(text)) for text in PROGRAMS]


@pytest.mark.parametrize(
    "flag",
    [
        *("in_place", "outlives", "in_order", "there"),
        *("moved", "overlaps", "lent", "of_part"),
    ],
)
def test_what_the_passes_say_of_a_step_is_in_the_words(flag):
    body, _ = flatten(parse(PROGRAMS[0]))
    before = Numbered(body).words()
    setattr(body.steps[0], flag, True)
    assert Numbered(body).words() != before


def test_whose_memory_a_step_writes_into_is_in_the_words():
    body, (x, z) = flatten(parse(PROGRAMS[7]))
    (step,) = body.steps
    found = {Numbered(body).words()}
    for into in (x, z):
        step.into = into
        found.add(Numbered(body).words())
    step.stored = step
    found.add(Numbered(body).words())
    step.copied = {1}
    found.add(Numbered(body).words())
    step.outputs[0].constant = True
    found.add(Numbered(body).words())
    assert len(found) == 6


def test_steps_of_another_program_have_no_number():
    body, other = flatten(parse(PROGRAMS[0]))[0], flatten(parse(PROGRAMS[0]))[0]
    found = Numbered(body)
    assert found.step(body.steps[0]) == found.body(body) == 0
    for ask, one in (
        (found.step, other.steps[0]),
        (found.body, other),
        (found.variable, other.outputs[0]),
    ):
        with pytest.raises(Unnamed):
            ask(one)


def test_long_programs_have_no_words(monkeypatch):
    monkeypatch.setattr(numbered, "MOST_STEPS", 0)
    with pytest.raises(Unnamed, match="long"):
        Numbered(flatten(parse(PROGRAMS[0]))[0])
