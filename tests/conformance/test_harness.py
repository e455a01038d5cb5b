"""The harness sees every way in which a graph can go wrong, and nothing else."""

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.conformance.choices import seeded
from tests.conformance.generator import Program, basic, generate
from tests.conformance.harness import (
    Disagreement,
    Outcome,
    agree,
    check,
    disagreement,
    load,
    observe,
)
from tests.conformance.reduce import reduced

Function = Callable[..., Any]
SEEDS = range(150)


def forgets_writes(function: Function) -> Function:
    return lambda *arguments: function(*copy.deepcopy(arguments))


def forgets_prints(function: Function) -> Function:
    function.__globals__["print"] = lambda *values, sep=None: None
    return function


def raises_another_exception(function: Function) -> Function:
    def staged(*arguments: Any) -> Any:
        try:
            return function(*arguments)
        except (AssertionError, IndexError) as error:
            raise ValueError(str(error)) from error

    return staged


def returns_what_it_returned_first(function: Function) -> Function:
    memory: list[Any] = []

    def staged(*arguments: Any) -> Any:
        result = function(*arguments)
        memory.append(result)
        return memory[0]

    return staged


def returns_floats(function: Function) -> Function:
    return lambda *arguments: tuple(np.float64(x) for x in function(*arguments)[:1])


def skips_asserts(function: Function) -> Function:
    def staged(*arguments: Any) -> Any:
        try:
            return function(*arguments)
        except AssertionError:
            return None

    return staged


WRONG = {
    forgets_writes: "arguments",
    raises_another_exception: "exception",
    returns_what_it_returned_first: "result",
    returns_floats: "result",
    skips_asserts: "exception",
}


@pytest.mark.parametrize(("decorate", "what"), WRONG.items())
def test_a_wrong_decorator_is_caught(
    decorate: Callable[[Function], Function], what: str, tmp_path: Path
) -> None:
    found = [check(generate(seeded(s)), tmp_path, decorate) for s in SEEDS]
    assert {one.what for one in found if one} == {what}


def test_lost_prints_are_caught(tmp_path: Path) -> None:
    program = generate(seeded(1))
    plain = observe(load(program.text, tmp_path), program.arguments[0])
    quiet = forgets_prints(load(program.text, tmp_path))
    found = disagreement(plain, observe(quiet, program.arguments[0]))
    assert found is not None
    assert found.what == "printed text"


def test_python_agrees_with_itself(tmp_path: Path) -> None:
    found = [check(generate(seeded(s)), tmp_path, lambda f: f) for s in SEEDS]
    assert found == [None] * len(SEEDS)


def test_generated_programs_do_not_meet_the_limits_of_numbers(tmp_path: Path) -> None:
    """Python raises there, and NumPy does not: see grammar.py.

    What a try raises and does not handle are ValueErrors, KeyErrors and the like.
    """
    allowed = {None, "AssertionError", "IndexError", "UnboundLocalError"}
    allowed |= {"ValueError", "KeyError", "ArithmeticError", "ZeroDivisionError"}
    allowed.add("NameError")  # of a name of a function around
    for s in SEEDS:
        program = generate(seeded(s))
        for arguments in program.arguments:
            outcome = observe(load(program.text, tmp_path), arguments)
            assert (outcome.raised or (None,))[0] in allowed


def test_every_construct_is_generated() -> None:
    text = "\n".join(generate(seeded(s)).text for s in range(500))
    words = (
        "if elif else while for break continue return and or not assert print "
        "try except finally raise".split()
    )
    marks = [
        "+=",
        "] =",
        "enumerate(",
        "zip(",
        "range(",
        ", f1, f2 = ",
        "h1(",
        "in [",
        "in q0",
    ]
    assert [word for word in [*words, *marks] if word not in text] == []


def test_basic_programs_hold_nothing_else() -> None:
    text = "\n".join(generate(seeded(s, basic)).text for s in range(300))
    words = "try: except match with :=".split() + [" yield ", "lambda", "(j for", "[e "]
    assert [word for word in words if word in text] == []
    words = "if elif else while for break continue return assert print h1( +=".split()
    assert [word for word in words if word not in text] == []


SAME = [
    (1, 1),
    (np.float64("nan"), np.float64("nan")),
    ((1, (True,)), (1, (True,))),
    (np.arange(2), np.arange(2)),
]
DIFFERENT = [
    (1, 1.0),
    (1, True),
    (1, np.int32(1)),
    (np.int64(1), 1),
    (1, np.int64(1)),
    ((1, (True,)), (1, (np.True_,))),
    (0.0, -0.0),
    (np.arange(2), np.arange(2.0)),
    (np.int64(1), np.array(1)),
    (1, np.array(1)),
    ((1,), 1),
    ((1,), [1]),
    (None, 0),
]


@pytest.mark.parametrize(("python", "graph"), SAME)
def test_same_values_agree(python: Any, graph: Any) -> None:
    assert agree(python, graph)


@pytest.mark.parametrize(("python", "graph"), DIFFERENT)
def test_different_values_do_not_agree(python: Any, graph: Any) -> None:
    assert not agree(python, graph)


def test_arguments_are_compared_after_an_exception_too() -> None:
    python, graph = (Outcome(None, ("E", ""), "", (x,)) for x in (1, 2))
    found = disagreement(python, graph)
    assert found is not None
    assert found.what == "arguments"


def test_reduction_keeps_the_disagreement_and_little_else(tmp_path: Path) -> None:
    def checked(program: Program) -> Disagreement | None:
        return check(program, tmp_path, forgets_writes)

    programs = (generate(seeded(seed)) for seed in SEEDS)
    pairs = ((program, checked(program)) for program in programs)
    program, found = next((p, found) for p, found in pairs if found)
    small = reduced(program, checked, found)
    assert isinstance(checked(small), Disagreement)
    assert len(small.text.splitlines()) <= 4
