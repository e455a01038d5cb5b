"""Lowering: as long as the program is, and the same code each time."""

import sys

import numpy as np
import pytest

import autograph as ag


def chain(count):
    lines = [f"    x = np.tanh(x) * {1 + i / 64} + {i}" for i in range(count // 3)]
    return "\n".join(["def f(x):", *lines, "    return x"])


def many_arrays(count):
    names = [f"a{i}" for i in range(count // 2)]
    lines = [f"    {a} = x[:{4 + i % 20}] * {1 + i / 64}" for i, a in enumerate(names)]
    return "\n".join(["def f(x):", *lines, f"    return {names[0]}, {names[-1]}"])


def stencils(count):
    steps = ["    y = x.copy()", "    y[1:-1] = (x[:-2] + x[2:]) * 0.5", "    x = y"]
    return "\n".join(["def f(x):", *steps * (count // 6), "    return x"])


def in_branches(count):
    lines = [f"    if s > {i}.5:\n        s = s * 0.75 + x[{i}]" for i in range(count)]
    return "\n".join(["def f(x):", "    s = x[0]", *lines, "    return s"])


def calls_of_lowering(text, file):
    """How many Python functions are called to lower the function of a text."""
    file.write_text(text)
    scope = {"np": np}
    exec(compile(text, str(file), "exec"), scope)
    count = 0

    def look(frame, event, arg):
        nonlocal count
        count += event == "call"

    with ag.config(backend="native"):
        x = np.linspace(0.0, 1.0, 400)
        concrete = ag.function(scope["f"]).get_concrete_function(x)
        concrete.inspect("loops")  # what is asked once for a process
        sys.setprofile(look)
        try:
            concrete.inspect("loops")
        finally:
            sys.setprofile(None)
    return count


@pytest.mark.parametrize("program", [chain, many_arrays, stencils, in_branches])
def test_twice_as_many_steps_take_twice_as_long(program, tmp_path):
    few = calls_of_lowering(program(60), tmp_path / "few.py")
    many = calls_of_lowering(program(240), tmp_path / "many.py")
    assert few > 500
    assert many < 5 * few


@ag.function
def converges(x, y, z, out, n):
    for i in range(n):
        s = x[i] + y[i] * z[i]
        while s > 1.0:
            s = s * 0.5
        out[i] = s
    return out


@ag.function
def wanders(step, other, n):
    # Python's floats at first, then NumPy's.
    x, y, z, total = 0.0, 1.0, 2.0, 0.0
    for _ in range(n):
        total = x * y + y * z + z * x
        x, y, z = y + step, z + other, x + step
    return total


PROGRAMS = [
    (converges, (*(np.linspace(0.0, 9.0, 80) for _ in range(4)), np.int64(80))),
    (wanders, (np.float64(0.5), np.float64(0.25), np.int64(50))),
]


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_code_is_the_same_each_time(function, arguments):
    # Where it went by where objects lie, another process did not find what this one
    # has kept.
    with ag.config(backend="native"):
        concrete = function.get_concrete_function(*arguments)
        held = [concrete.inspect("loops")]
        for size in range(1, 12):
            held.append([object() for _ in range(size)])
            held.append(concrete.inspect("loops"))
    assert len({one for one in held if isinstance(one, str)}) == 1
    assert "no machine code" not in held[0]
