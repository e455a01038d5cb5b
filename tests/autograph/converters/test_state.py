"""The state functions: one pair for a function, whose statements name their part."""

import builtins

import numpy as np
import pytest

import autograph as ag
from tests.autograph.converters.samples import Samples, name
from tracer.state import state_of
from tracer.undefined import UNDEFINED

samples = Samples()


@samples(3, -3)
def statements_of_other_names(x):
    a = b = c = x
    while a > 0:
        if b > 1:
            b = b - 1
            for i in range(3):
                c = c + i
        elif c < 20:
            c = c * 2
        a = a - 1
    if c > 5:
        d = a + b
    else:
        d = b
    return a, b, c, d


@samples(2, -2)
def name_of_a_comprehension_and_of_the_function(x):
    v = x
    if v > 0:
        v = v * 2
    made = [lambda: v + w for v in (x, 1) if (w := v * 3)]
    while v < 10:
        v = v + 5
    return v, w, [f() for f in made]


@samples(2, -2)
def name_of_a_function_inside(x):
    y = x

    def inner(z):
        nonlocal y
        if z > 0:
            y = y + z
        while z > 0:
            z = z - 1
        return z

    if y > 0:
        y = inner(y)
    return inner(3), y


@samples(2, -2)
def unbound_on_one_path(x):
    while x > 0:
        if x == 1:
            late = x
        x = x - 1
    if x == 0:
        del x
        return late
    return x


@pytest.mark.parametrize("sample", samples.all, ids=name)
def test_converted_statements_that_share_a_pair_do_what_python_does(sample) -> None:
    sample.check_converted()


@pytest.mark.parametrize("sample", samples.staged, ids=name)
def test_staged_statements_that_share_a_pair_do_what_python_does(sample) -> None:
    sample.check_staged()


def test_a_function_has_one_pair_whatever_its_statements_change() -> None:
    code = ag.to_code(statements_of_other_names)
    assert code.count("def get_state") == code.count("def set_state") == 1
    assert "get_state, set_state, ('c', 'i'), 1)" in code


def test_a_statement_reads_and_sets_its_own_names_only() -> None:
    a, b = 1, 2

    def get_state():
        return a, b

    def set_state(vars_):
        nonlocal a, b
        a, b = vars_

    state = state_of(("b",), set_state)
    state.put([3])
    assert (state.get(), get_state()) == ((3,), (1, 3))
    state.put([UNDEFINED])
    state.put([UNDEFINED])
    assert state.get() == (UNDEFINED,)
    set_state((5, 6))
    assert state.get() == (6,)


def test_a_global_that_is_not_bound_is_what_python_finds() -> None:
    def set_state(vars_):
        global abs, of_nobody
        abs, of_nobody = vars_

    state = state_of(("abs", "of_nobody"), set_state)
    assert state.get() == (builtins.abs, UNDEFINED)
    state.put([UNDEFINED, np.pi])
    assert state.get() == (builtins.abs, np.pi)
    state.put([UNDEFINED, UNDEFINED])
    assert "of_nobody" not in globals()
