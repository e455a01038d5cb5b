"""Words of a program tell it from all others, and are the same for the same one."""

import math
from dataclasses import fields

import numpy as np
import pytest

from runtime.backends.llvm import numbered
from runtime.backends.llvm.numbered import Numbered, Unnamed, word_of
from runtime.backends.llvm.span import Span
from runtime.backends.numpy.program import Step, Variable, flatten
from runtime.effects import WORLD, Effect
from runtime.library_spec import LibrarySpec
from runtime.ops.template import Input
from runtime.spec import ListSpec, ObjectSpec, TensorSpec, of_kinds, spec_of
from runtime.structs import replace
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


@pytest.mark.parametrize(
    "one", APART, ids=lambda one: getattr(one, "__name__", repr(one))
)
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


def numbered_of(body):
    """All steps of the body are lowered."""
    return Numbered(body, Span(body, 0, len(body.steps), body.outputs))


def program_words(text):
    body, inputs = flatten(parse(text))
    found = numbered_of(body)
    return [*map(found.variable, inputs)], found.words()


def test_programs_that_differ_have_other_words():
    found = [repr(program_words(text)) for text in PROGRAMS]
    assert len({*found}) == len(found)
    assert found == [repr(program_words(text)) for text in PROGRAMS]


# What is said of steps by a bool.
FLAGS = [one.name for one in fields(Step) if one.type == "bool"]


@pytest.mark.parametrize("flag", FLAGS)
def test_what_the_passes_say_of_a_step_is_in_the_words(flag):
    body, _ = flatten(parse(PROGRAMS[0]))
    before = numbered_of(body).words()
    setattr(body.steps[0], flag, True)
    assert numbered_of(body).words() != before


def test_whose_memory_a_step_writes_into_is_in_the_words():
    body, (x, z) = flatten(parse(PROGRAMS[7]))
    (step,) = body.steps
    found = {numbered_of(body).words()}
    for into in (x, z):
        step.into = into
        found.add(numbered_of(body).words())
    step.stored = step
    found.add(numbered_of(body).words())
    step.outputs[0].constant = True
    found.add(numbered_of(body).words())
    assert len(found) == 5


LOOP = """graph f(x: float64[n], c: bool[]) {
    y: float64[n] = while[carried=1](x, c) {
        test(a: float64[n], d: bool[]) { return d }
        body(a: float64[n], d: bool[]) { b: float64[n] = sin(a) return b }
    }
    return y
}"""


def words_of_the_loop(change):
    body, (x, c) = flatten(parse(LOOP))
    (loop,) = body.steps
    change(body, loop, x, c)
    return numbered_of(body).words()


CHANGES = [
    lambda body, loop, x, c: None,
    lambda body, loop, x, c: loop.copied.add(0),
    lambda body, loop, x, c: setattr(loop.carried[0], "constant", True),
    lambda body, loop, x, c: setattr(loop.carried[0], "spec", TensorSpec((3,), float)),
    lambda body, loop, x, c: setattr(loop.bodies[1].steps[0], "moved", True),
    lambda body, loop, x, c: loop.bodies[1].outputs.__setitem__(0, loop.carried[0]),
    lambda body, loop, x, c: (
        loop.bodies[1].steps.clear()
        or loop.bodies[1].outputs.__setitem__(0, loop.carried[0])
    ),
    lambda body, loop, x, c: loop.bodies[0].outputs.__setitem__(0, loop.carried[0]),
    lambda body, loop, x, c: loop.inputs.reverse(),
    lambda body, loop, x, c: setattr(loop, "stored", loop.bodies[1].steps[0]),
    lambda body, loop, x, c: setattr(
        loop, "node", replace(loop.node, guards=frozenset({Effect("write", WORLD)}))
    ),
    lambda body, loop, x, c: setattr(loop, "node", replace(loop.node, into=0)),
]


def test_what_is_said_of_a_loop_is_in_the_words():
    found = [words_of_the_loop(change) for change in CHANGES]
    assert len({*found}) == len(found)
    assert found == [words_of_the_loop(change) for change in CHANGES]


def test_what_each_step_is_given_is_in_the_words():
    body, (x,) = flatten(parse(AROUND))
    first, second, third = body.steps
    (a,), (b,) = first.outputs, second.outputs
    found = set()
    for given in (
        *(([x], [a], [b]), ([x], [a], [a]), ([x], [x], [b])),
        *(([x, x], [a], [b]), ([x], [x, a], [b]), ([x], [a, b], [])),
        *(([x], [a], [a, b]), ([x], [a], [b, a])),
    ):
        first.inputs[:], second.inputs[:], third.inputs[:] = given
        found.add(numbered_of(body).words())
    assert len(found) == 8


def test_what_variables_are_is_in_the_words():
    body, (x,) = flatten(parse(AROUND))
    found = set()
    for spec in (
        *(TensorSpec((3,), float), TensorSpec((3,), float, weak=True)),
        *(TensorSpec((3,), int), TensorSpec((4,), float), TensorSpec(None, float)),
        *(TensorSpec(("n",), float), TensorSpec((3,), ">f8"), TensorSpec((), None)),
        of_kinds((3,), [(np.dtype(int), True), (np.dtype(float), True)]),
        of_kinds((3,), [(np.dtype(int), False), (np.dtype(float), True)]),
        ListSpec(TensorSpec((3,), float)),
    ):
        x.spec = spec
        found.add(numbered_of(body).words())
    assert len(found) == 11


def without_words(body, loop, x, c):
    """A variable of each way in which steps have one, each made to have no words."""
    yield from (x, loop.carried[0], loop.outputs[0], loop.bodies[1].steps[0].outputs[0])
    loop.into = Variable(TensorSpec((3,), float), body, -1)
    yield loop.into
    loop.into = None
    loop.bodies[0].outputs[0] = Variable(TensorSpec((), bool), body, -1)
    yield loop.bodies[0].outputs[0]


def test_variables_of_any_use_need_words():
    body, (x, c) = flatten(parse(LOOP))
    for one in without_words(body, *body.steps, x, c):
        own, one.spec = one.spec, LibrarySpec(np.poly1d([1]))
        with pytest.raises(Unnamed, match="a variable"):
            numbered_of(body)
        one.spec = own
        numbered_of(body)


def test_what_others_see_and_ops_of_others_have_no_words():
    body, _ = flatten(parse(AROUND))
    step = body.steps[1]
    node = step.node
    for other in (
        replace(node, guards=frozenset({Effect("write", object())})),
        replace(node, op=replace(node.op, name="another")),
    ):
        step.node = other
        with pytest.raises(Unnamed):
            numbered_of(body)
    found = set()
    for guards in ((), (Effect("write", WORLD),), (Effect("read", WORLD),)):
        step.node = replace(node, guards=frozenset(guards))
        found.add(numbered_of(body).words())
    assert len(found) == 3


def test_variables_that_are_not_made_once_have_no_number():
    body, _ = flatten(parse(AROUND))
    first, *others = body.steps
    body.steps[:] = others
    with pytest.raises(Unnamed, match="another program"):
        numbered_of(body)
    body.steps[:] = first, *others, first
    with pytest.raises(Unnamed, match="made twice"):
        numbered_of(body)


def test_steps_of_another_program_have_no_number():
    body, other = flatten(parse(PROGRAMS[0]))[0], flatten(parse(PROGRAMS[0]))[0]
    found = numbered_of(body)
    assert found.step(body.steps[0]) == found.body(body) == 0
    for ask, one in (
        (found.step, other.steps[0]),
        (found.body, other),
        (found.variable, other.outputs[0]),
    ):
        with pytest.raises(Unnamed):
            ask(one)


AROUND = """graph f(x: float64[n]) {
    a: float64[n] = sin(x)
    b: float64[n] = cos(a)
    c: float64[n] = sin(b)
    return c
}"""


def test_what_stands_around_the_steps_may_have_no_words():
    body, _ = flatten(parse(AROUND))
    found = set()
    for place in range(3):
        step, node = body.steps[place], body.steps[place].node
        step.node = replace(node, attributes={"unknown": object()})
        for first in range(3):
            span = Span(body, first, first + 1, body.steps[first].outputs)
            if first == place:
                with pytest.raises(Unnamed):
                    Numbered(body, span)
            else:
                found.add(Numbered(body, span).words())
        step.node = node
    assert len(found) == 6  # which are lowered, where it stands, and that it has none


def test_what_has_no_words_is_not_given_to_the_steps():
    body, _ = flatten(parse(AROUND))
    body.steps[0].outputs[0].spec = LibrarySpec(np.poly1d([1]))
    Numbered(body, Span(body, 2, 3, body.outputs))
    for first in (0, 1):
        with pytest.raises(Unnamed):
            Numbered(body, Span(body, first, first + 1, body.outputs))


def test_long_programs_have_no_words(monkeypatch):
    monkeypatch.setattr(numbered, "MOST_STEPS", 0)
    with pytest.raises(Unnamed, match="long"):
        numbered_of(flatten(parse(PROGRAMS[0]))[0])
