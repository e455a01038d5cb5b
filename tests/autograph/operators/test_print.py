"""Printing in a graph: the text, the order and the number of times are Python's."""

import collections
import dataclasses
import io
import sys
from typing import Any

import numpy as np
import pytest

import autograph as ag

XY = np.array([1.0, 2.5])
Pair = collections.namedtuple("Pair", "first second")


@dataclasses.dataclass
class Layer:
    weight: Any


def kinds(x, n):
    print(x, n, x.sum(), x > 1, x.astype(np.float32)[0], x[:0], x[None])
    print(np.float32(1.5), np.array([1, 2]), 3, "text", None)


def containers(x, n):
    print([x, n, 1], (x,), {"a": x, 1: [n]}, Pair(n, "p"), Layer(n), [Layer(x)])


def separators(x, n):
    print(x, n, sep="|", end=";\n")
    print(n, end="")
    print()
    print(x, n, sep=str(n), flush=True)


def to_stderr(x, n):
    print("error", x, file=sys.stderr)
    print("output", n, file=sys.stdout)


def branches(x, n):
    if n > 2:
        print("main", n)
    elif n > 0:
        print("elif", x)
    else:
        print("else")
    print("after")


def loops(x, n):
    for i in range(n):
        print(i, end=" ")
        if i % 2:
            print("odd", x * i)
    while n > 0:
        n -= 2
        print("while", n)
    else:
        print("done")


def left_early(x, n):
    for i in range(n):
        print("round", i)
        if i == 1:
            print("leaving")
            return i
    print("stayed")
    return n


def f_strings(x, n):
    print(f"{x} {n} {n!r} {n:>5} {x!s:>12} {n=} {{}} {x.sum():.3f} {n:{n + 3}d}")
    print(f"{[x, n]} {Layer(n)} {'plain':>8}" + f" and {n}" + "!")


def formats(x, n):
    print("{} {:>4} {name}".format(x, n, name=n), "%s %d %5.1f" % (x, n, n))  # noqa: UP031, UP032
    print(str(n), repr(x), format(n, "04d"), ", ".join([f"{n}", "b", str(x)]))


def texts_in_names(x, n):
    text = f"<{n}"
    text += ">"
    if n > 1:
        which = f"big {n}"
    else:
        which = f"small {x}"
    print(text, which, [text])


PROGRAMS = [
    kinds,
    containers,
    separators,
    to_stderr,
    branches,
    loops,
    left_early,
    f_strings,
    formats,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_the_text_is_pythons_at_each_run(program, capsys):
    function = ag.function(program)
    for n in (3, 1, 0):
        given = XY * n, np.int64(n)
        expected = program(*given)
        plain = capsys.readouterr()
        assert function(*given) == expected
        assert capsys.readouterr() == plain
    assert len(function.concrete_functions) == 1


def test_texts_of_two_paths_may_have_other_words(capsys):
    for n in (1, 2):
        texts_in_names(XY, np.int64(n))
        expected = capsys.readouterr().out
        ag.function(texts_in_names)(XY, np.int64(n))
        assert capsys.readouterr().out == expected != ""


def test_texts_that_differ_in_values_are_joined(capsys):
    @ag.function
    def program(n):
        if n > 1:
            text = f"n is {n}"
        else:
            text = f"n is {n * 10}"
        print(text)
        return text, {"k": [str(n)]}

    assert program(np.int64(2)) == ("n is 2", {"k": ["2"]})
    assert program(np.int64(1)) == ("n is 10", {"k": ["1"]})
    assert capsys.readouterr().out == "n is 2\nn is 10\n"


def test_a_text_in_a_loop_is_that_of_each_round(capsys):
    @ag.function
    def program(n):
        for i in range(n):
            text = f"round {i}"
            print(text)

    program(np.int64(3))
    assert capsys.readouterr().out == "round 0\nround 1\nround 2\n"


def test_a_format_that_does_not_fit_fails_when_it_runs():
    @ag.function
    def program(x):
        if x > 0:
            return f"{x:d}"
        return f"{x:d}"

    with pytest.raises(ValueError, match="Unknown format code 'd' for object of type"):
        program(np.float64(1))


def test_effects_at_tracing_print_once_and_show_tensors_symbolically(capsys):
    @ag.function(python_effects="trace")
    def program(x):
        print("x is", x, f"{x}")
        if x.sum() > 0:
            print("positive")
        else:
            print("not")
        return x

    program(XY)
    once = capsys.readouterr().out
    assert once == "x is Tensor(float64[2]) Tensor(float64[2])\npositive\nnot\n"
    program(XY)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("effects", ["run", "trace"])
def test_ag_print_prints_at_each_run(effects, capsys):
    @ag.function(python_effects=effects)
    def program(x):
        if x.sum() > 0:
            ag.print("positive", x, f"<{x}>", sep=", ")
        return x

    program(XY)
    program(-XY)
    program(XY)
    assert capsys.readouterr().out == "positive, [1.  2.5], <[1.  2.5]>\n" * 2


def test_python_calls_keep_their_place_among_prints(capsys):
    def shout(x):
        print("called with", x)
        return x * 2

    @ag.function
    def program(n):
        total = n * 1.0
        for i in range(n):
            print("before", i)
            total = ag.py_function(shout, total, result=ag.TensorSpec((), float))
            print("after", total)
        return total

    assert program(np.int64(2)) == 8.0
    assert capsys.readouterr().out.splitlines() == [
        "before 0",
        "called with 2.0",
        "after 4.0",
        "before 1",
        "called with 4.0",
        "after 8.0",
    ]


def test_a_file_of_the_users_gets_the_text():
    file = io.StringIO()

    @ag.function
    def program(x):
        print("x", x, file=file)

    program(XY)
    program(XY * 2)
    assert file.getvalue() == "x [1.  2.5]\nx [2. 5.]\n"


def test_an_unused_failing_value_is_not_printed_nor_run(capsys):
    @ag.function
    def program(x, i):
        unused = x[i]  # noqa: F841
        print("fine")
        return x.sum()

    assert program(XY, np.int64(7)) == 3.5
    assert capsys.readouterr().out == "fine\n"


def test_messages_of_failures_are_made_by_the_run():
    @ag.function
    def program(n):
        assert n != 1, f"n is {n}"
        if n == 2:
            raise KeyError(f"key {n}", n)
        if n == 3:
            raise ValueError("n is {}".format(n)) from None  # noqa: UP032 - tried
        return n

    said = []
    for n in (1, 2, 3):
        with pytest.raises((AssertionError, KeyError, ValueError)) as caught:
            program(np.int64(n))
        said.append((caught.type, caught.value.args))
    assert said == [
        (AssertionError, ("n is 1",)),
        (KeyError, ("key 2", 2)),
        (ValueError, ("n is 3",)),
    ]


class Refused(Exception):
    def __init__(self, reason: str, *, value: Any) -> None:
        super().__init__(reason)
        self.value = value


def test_an_exception_of_the_users_carries_the_runs_values():
    @ag.function
    def program(x):
        if x > 1:
            raise Refused("too big", value=x)
        return x

    for x in (2.0, 3.0):
        with pytest.raises(Refused, match="too big") as caught:
            program(np.float64(x))
        assert caught.value.value == x
