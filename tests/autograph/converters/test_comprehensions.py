"""Comprehensions: what they become, and that it is short."""

import textwrap

import numpy as np
import pytest

import autograph as ag
from autograph.conversion import convert


def shown(function):
    """The converted body of a function, without its first line."""
    lines = ag.to_code(ag.function(function)).strip().splitlines()[1:]
    return textwrap.dedent("\n".join(lines))


def one_for(x):
    return [v * 2 for v in x]


def with_a_test(x):
    return [v * 2 for v in x if v > 0]


def two_fors(x, y):
    return {v + w for v in x if v for w in y}


def of_a_dict(x):
    return {k: v + 1 for k, v in x}


def lazily(x):
    return (v + 1 for v in x)


CODE = [
    (one_for, "return ag__.list_comp(x, lambda comp, v: comp.yield_(v * 2))"),
    (
        with_a_test,
        "return ag__.list_comp("
        "x, lambda comp, v: comp.if_(v > 0, lambda: comp.yield_(v * 2)))",
    ),
    (
        two_fors,
        "return ag__.set_comp(x, lambda comp, v: comp.if_("
        "v, lambda: comp.for_(y, lambda w: comp.yield_(v + w))))",
    ),
    (
        of_a_dict,
        "def step(comp, item):\n"
        "    k, v = item\n"
        "    return comp.yield_(k, v + 1)\n"
        "return ag__.dict_comp(x, step)",
    ),
    (lazily, "return ag__.generator_exp(x, lambda comp, v: comp.yield_(v + 1))"),
]


@pytest.mark.parametrize(("function", "code"), CODE, ids=lambda p: str(p)[:20])
def test_a_comprehension_says_what_it_does_with_an_item(function, code):
    assert shown(function) == code


def many(x, n):
    positive = [v for v in x if v > 0]
    pairs = [(i, v * n) for i, v in enumerate(x)]
    table = [[u * w for u in x] for w in positive]
    total = sum(v * w for v, w in zip(x, positive) if v < w)
    first = next((i for i in range(n) if x[i] > 2), -1)
    named = {str(i): i for i in range(n)}
    return pairs, table, total, first, named, any(v > 3 for v in x)


def test_the_code_is_short():
    code = ag.to_code(ag.function(many))
    source = textwrap.dedent("""
        def many(x, n):
            positive = [v for v in x if v > 0]
            pairs = [(i, v * n) for i, v in enumerate(x)]
            table = [[u * w for u in x] for w in positive]
            total = sum(v * w for v, w in zip(x, positive) if v < w)
            first = next((i for i in range(n) if x[i] > 2), -1)
            named = {str(i): i for i in range(n)}
            return pairs, table, total, first, named, any(v > 3 for v in x)
    """)
    assert len(code) < 4 * len(source)


def test_outside_of_a_trace_a_generator_expression_is_pythons_own():
    def made(x):
        return (v * 2 for v in x), [v * v for v in range(3)], {v: 1 + v for v in x}

    generator, items, found = convert(made)([1, 2])
    assert type(generator).__name__ == "generator"
    assert (list(generator), items, found) == ([2, 4], [0, 1, 4], {1: 2, 2: 3})


def test_a_long_comprehension_over_python_things_takes_linear_time():
    @ag.function
    def f(x):
        squares = [i * i for i in range(20_000)]
        return x + len(squares) + len({i: i + 1 for i in squares})

    assert f(np.float64(1.0)) == 40_001.0
