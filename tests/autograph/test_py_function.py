"""ag.py_function with functions that use what the function around them has computed."""

import functools

import numpy as np
import pytest

import autograph as ag

SCALAR = ag.TensorSpec((), np.float64)
seen = []


def closure(x, y):
    k = y * 2
    return ag.py_function(lambda v: v * k, x, result=SCALAR)


def default(x, y):
    return ag.py_function(lambda v, w=y: v * w, x, result=SCALAR)


def partly(x, y):
    return ag.py_function(functools.partial(np.subtract, y), x, result=SCALAR)


def round_of_a_loop(x, y):
    total = 0.0
    for i in range(int(y)):
        total = total + ag.py_function(lambda v: v * i, x, result=SCALAR)
    return total


def on_a_path(x, y):
    def note(v):
        seen.append((v, y))

    if y > 3:
        ag.py_function(note, x, result=None)
    return x


@pytest.mark.parametrize(
    "program", [closure, default, partly, round_of_a_loop, on_a_path]
)
def test_it_gets_the_values_of_the_run(program):
    f = ag.function(program)
    for y in (3.0, 4.0):
        seen.clear()
        ours = f(np.float64(2.0), np.float64(y))
        ours_seen = list(seen)
        seen.clear()
        assert ours == program(np.float64(2.0), np.float64(y))
        assert ours_seen == seen


def test_a_call_inside_of_a_call_of_one_function():
    @ag.function
    def down(x, n):
        if n > 0:
            return ag.py_function(lambda v: down(v, n - 1), x, result=SCALAR) + 1
        return x

    assert [down(np.float64(1.0), n) for n in (3, 5, 5)] == [4.0, 6.0, 6.0]
    assert len(down.traces()) == 3


def test_a_variable_that_it_changes_is_refused():
    @ag.function
    def counted(x):
        count = x

        def add(v):
            nonlocal count
            count = count + v
            return count

        return ag.py_function(add, x, result=SCALAR), count

    with pytest.raises(NotImplementedError) as caught:
        counted(np.float64(2.0))
    assert str(caught.value) == (
        "a function that is called by ag.py_function changes a variable or a container "
        "of the decorated function, which would not be seen there"
    )


kept = []
count = 0


def changes_one_list(x):
    for v in x:
        ag.py_function(lambda v: kept.append(int(v)), v, result=None)
        kept.append(v)
    return len(kept)


def changes_by_a_method(x):
    for v in x:
        ag.py_function(kept.append, v, result=None)
        kept.append(v)


def note_count(v):
    kept.append((count, v))


def looks_at_a_global(x):
    global count
    for v in x:
        count += 1
        ag.py_function(note_count, v, result=None)


def looks_at_a_variable(x):
    n = 0

    def inner(v):
        nonlocal n
        n += v
        ag.py_function(lambda: kept.append(n), result=None)

    for v in x:
        inner(v)
    return n


class Run:
    def __init__(self):
        self.steps = self.told = 0

    def tell(self):
        kept.append(self.text())

    def text(self):
        return f"step {self.steps}"

    def tell_other(self, v):
        kept.append(v)


def looks_at_an_attribute(x):
    run = BOX[0]
    for _ in x:
        run.steps += 1
        ag.py_function(run.tell, result=None)
    return run.steps


BOX = [Run()]


@pytest.mark.parametrize(
    "program",
    [
        changes_one_list,
        changes_by_a_method,
        looks_at_a_global,
        looks_at_a_variable,
        looks_at_an_attribute,
    ],
)
def test_it_sees_and_changes_what_the_call_changes_outside(program):
    found = []
    for function in (program, ag.function(program)):
        globals().update(count=0, BOX=[Run()])
        kept.clear()
        results = [function(np.array([3.0, 1.0, 2.0])) for _ in range(2)]
        found.append((results, list(kept), count, BOX[0].steps))
    assert found[0] == found[1]


def test_a_graph_is_made_where_it_uses_other_attributes():
    run = Run()

    @ag.function
    def f(x):
        for v in x:
            run.steps += 1
            ag.py_function(run.tell_other, v, result=None)
        return x * 2

    kept.clear()
    f(np.ones(2))
    assert (run.steps, kept) == (2, [1.0, 1.0])
    assert len(f.concrete_functions) == 1
