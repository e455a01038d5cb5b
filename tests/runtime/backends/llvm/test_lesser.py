"""The lesser of two floats that data tell: no jump, nothing noted, Python's own one."""

import platform
import re

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import lesser
from runtime.backends.llvm.loops import Block, Instruction, Local
from tests.conformance.harness import disagreement, observe
from tests.runtime.backends.llvm.compiling import agreeing, loops_of
from tools.bench.by_index.arrays import best_trade

NAN = float("nan")
SPECIAL = [0.0, -0.0, NAN, 1.0, -1.0, np.inf, -np.inf, 5e-324, -NAN, 2.5, 0.0, -0.0]
PROCESSORS = {
    "AVX-512": {"AVX512F": True, "AVX": True},
    "AVX": {"AVX": True},
    "neither": {},
}


def warped(a, b):
    n, m = len(a), len(b)
    d = np.full((n + 1, m + 1), np.inf)
    d[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            near = min(d[i - 1, j], d[i, j - 1], d[i - 1, j - 1])
            d[i, j] = abs(a[i - 1] - b[j - 1]) + near
    return d


def chosen(a, b):
    """Each order, either side first, of an element and of what came of the last."""
    n = len(a)
    found = np.zeros((4, n, n), a.dtype)
    for i in range(n):
        found[:, i, 0] = b[i]
        for j in range(1, n):
            x = a[(i + j) % n]
            y = found[0, i, j - 1]
            found[0, i, j] = x if x < y else y
            y = found[1, i, j - 1]
            found[1, i, j] = y if x <= y else x
            y = found[2, i, j - 1]
            found[2, i, j] = y if x > y else x
            best = found[3, i, j - 1]
            if x >= best:
                best = x
            found[3, i, j] = best / 2
    return found


def running(a, b):
    best = a[0]
    for i in range(len(a)):
        best = max(best, a[i] * 3 - b[i])
    return best


@pytest.fixture(params=PROCESSORS)
def processor(request, monkeypatch):
    if platform.machine().lower() not in ("x86_64", "amd64"):
        pytest.skip("another processor's instructions")
    wanted = PROCESSORS[request.param]
    if not all(lesser.features().get(name) for name in wanted):
        pytest.skip("this processor has no such instructions")
    monkeypatch.setattr(lesser, "features", lambda: wanted)
    return request.param


@pytest.mark.usefixtures("noted_in_machine_code")
@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize("function", [warped, chosen, running])
def test_the_lesser_float_is_pythons(function, dtype, processor):
    rows = np.random.default_rng(0).random(12) - 0.5
    with ag.config(backend="native"):
        staged = ag.function(function)
        for a in (rows, rows[::-1], np.array(SPECIAL)):
            given = a.astype(dtype), np.roll(a, 3).astype(dtype)
            found = disagreement(observe(function, given), observe(staged, given))
            assert found is None, f"{a}: {found.sentence}"


def weighed(a, b):
    total = 0.0
    for i in range(len(a)):
        total += (2.0 if a[i] > 0.5 else 0.25) * b[i]
    return total


def text_of(function):
    with ag.config(backend="native"):
        staged = ag.function(function)
        for _ in range(2):
            staged(np.arange(5.0), np.arange(5.0)[::-1].copy())
        return str(staged.inspect("llvm"))


@pytest.mark.usefixtures("noted_in_machine_code")
def test_what_data_tell_is_no_jump(processor):
    text, each, other = (text_of(one) for one in (warped, chosen, weighed))
    has_them = processor != "neither"
    assert ("sse2.min.sd" in text and "fcmp uno" in text) == has_them
    assert (lesser.JUMP in text) == (not has_them)
    both = {*re.findall(r"call .*@llvm.x86.sse2.(min|max).sd", each)}
    assert both == ({"min", "max"} if has_them else set())
    words = {"AVX-512": "avx512.mask.cmp.sd", "AVX": "sse41.blendvpd"}
    assert all((word in other) == (of == processor) for of, word in words.items())


def nearest(x, goal):
    far, at = np.inf, -1
    for i in range(len(x)):
        here = abs(x[i] - goal)
        if here < far:
            far, at = here, i
    return at


def kept_first(x, goal):
    low = goal
    for i in range(len(x)):
        if low <= x[i]:
            pass
        else:
            low = x[i]
    return low


def above(x, goal):
    total = 0.0
    for i in range(len(x)):
        if x[i] > goal:
            total = total + x[i]
    return total


@pytest.mark.parametrize(
    ("function", "count"), [(best_trade, 2), (nearest, 1), (kept_first, 0), (above, 0)]
)
def test_what_is_done_with_a_new_least_stands_behind_the_loop(function, count):
    x = np.random.default_rng(2).random(300)
    given = (x,) if function is best_trade else (x, np.float64(0.5))
    staged = agreeing(function, [given, (np.array([*SPECIAL, 3.0]), *given[1:])])
    (loop,) = loops_of(staged, given)
    inside = [*loop.lowered()[1].body.walk()]
    orders = lesser.Orders(inside)
    records = [one for one in inside if one.op == "if" and orders.is_record(one)]
    assert len(records) == count


def test_what_is_another_one_in_one_of_two_loops_is_the_same_in_none():
    a, b, c, test, out = (Local("double", name) for name in "abcto")
    same = Instruction("same", (out,), (a,))
    again = Instruction("same", (out,), (a,))
    for other in (
        Instruction("select", (out,), (test, a, b)),
        Instruction("same", (out,), (c,)),
    ):
        assert lesser.Orders([same, other]).root(out) is out
    assert lesser.Orders([same, again]).root(out) is a


def test_a_test_that_is_another_one_in_one_of_two_loops_chooses_nothing():
    a, b, c, out = (Local("double", name) for name in "abco")
    test = Local("i1", "t")
    sides = (Block([Instruction("move", (out,), (one,))]) for one in (a, b))
    branch = Instruction("if", (), (test,), tuple(sides))
    first, other = (
        Instruction("fcmp olt", (test,), (one, b), type="double") for one in (a, c)
    )
    (found,) = lesser.Orders([first, branch, first, branch]).chosen(branch)
    assert found.is_lesser
    assert not lesser.Orders([other, branch, first, branch]).chosen(branch)
