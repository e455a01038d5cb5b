"""Eager: the user's own Python runs, with equal results; traces stay for afterwards."""

import sys
from dataclasses import dataclass

import numpy as np
import pytest

import autograph as ag
from runtime import workers
from tests.autograph.process import run
from tests.conformance.harness import agree, observe

X = np.array([3.0, -1.0, 2.0])


@ag.function
def clipped(x, low=0.0):
    total = 0
    for value in x:
        if value > low:
            total += value
        else:
            print("left out", value)
    x[0] = 9.0
    return total, x


@ag.function
def outer(x):
    return clipped(x, low=1.0)[0] + clipped(x[1:])[0]


@ag.function
def printed(x):
    ag.print("x is", x)
    return ag.py_function(lambda y: y * 2, x) + 1


@ag.function(input_signature=[ag.TensorSpec((None,), np.float32)])
def fitted(x):
    return x.dtype, x * 2


@ag.function
def failing(x):
    if x.sum() < 100:
        raise ValueError(f"{x.sum()} is small")
    return x


class Model:
    def __init__(self):
        self.count = ag.Variable(np.int64(0))

    @ag.function
    def step(self, x):
        self.count.assign(self.count + 1)
        return x * self.count

    @ag.function
    @classmethod
    def scaled(cls, x):
        return x * 2

    @ag.function
    @staticmethod
    def shifted(x):
        return x + 1


def steps(x):
    model = Model()
    made = model.step(x), model.step(x), model.scaled(x), Model.shifted(x)
    return (*made, model.count.value)


def fitted_list(x):
    dtype, made = fitted([float(item) for item in x])
    return str(dtype), made


PROGRAMS = [clipped, outer, printed, fitted_list, failing, steps]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_eager_and_graph_give_the_same(program):
    graph = observe(program, (X,))
    with ag.config(eager=True):
        eager = observe(program, (X,))
    assert agree(eager.raised, graph.raised)
    assert agree(eager.result, graph.result)
    assert agree(eager.printed, graph.printed)
    assert agree(eager.arguments, graph.arguments)


def test_the_functions_own_code_object_runs():
    seen = []

    @ag.function
    def looked_at(x):
        seen.append(sys._getframe().f_code)
        return x

    with ag.config(eager=True):
        looked_at(X)
        looked_at(X)
    assert seen == [looked_at.python_function.__code__] * 2
    assert looked_at.concrete_functions == []


def test_traced_functions_stay_traced_when_it_is_switched_back():
    traced = []

    @ag.function(python_effects="trace")
    def doubled(x):
        traced.append(x.shape)
        return x * 2

    doubled(X)
    concrete = doubled.concrete_functions
    ag.config.run_functions_eagerly(True)
    try:
        doubled(X)
        doubled(np.ones((2, 2)))
    finally:
        ag.config.run_functions_eagerly(False)
    doubled(X)
    # One trace, two calls that ran as Python, one call of the graph.
    assert traced == [(3,), (3,), (2, 2)]
    assert doubled.concrete_functions == concrete


def test_a_concrete_function_asked_for_is_traced_all_the_same():
    with ag.config(eager=True):
        concrete = outer.get_concrete_function(ag.TensorSpec((3,), np.float64))
    assert concrete(X.copy()) == outer.python_function(X.copy())


def test_what_no_graph_can_hold_runs_eagerly():
    @dataclass
    class Best:
        value: object = None

    @ag.function
    def found(x):
        kinds = {True: [1], False: {"b": x}}
        return Best(kinds[bool(x > 0)])

    with ag.config(eager=True):
        assert found(np.float64(-1.0)).value == {"b": -1.0}
    assert found(np.float64(-1.0)).value == {"b": -1.0}


def test_arguments_that_do_not_fit_say_the_same():
    messages = []
    for eager in (False, True):
        with ag.config(eager=eager):
            for call in (lambda: clipped(), lambda: fitted(np.ones((2, 2)))):
                with pytest.raises(TypeError) as caught:
                    call()
                messages.append(str(caught.value))
    assert messages[:2] == messages[2:]


def test_the_environment_makes_a_program_eager(tmp_path, monkeypatch):
    (tmp_path / "program.py").write_text(
        "import numpy as np\n"
        "import autograph as ag\n"
        "@ag.function\n"
        "def f(x):\n"
        "    print(type(x).__name__)\n"
        "    return {True: 'yes', False: 'no'}[bool(x > 0)]\n"
        "print(f(np.float64(1.0)), ag.config)\n"
    )
    monkeypatch.setenv("AUTOGRAPH_EAGER", "1")
    monkeypatch.setenv("AUTOGRAPH_TRACEBACKS", "full")
    done = run(tmp_path, "program.py")
    assert done.stdout == (
        "float64\nyes ag.config(eager=True, strict=False, tracebacks='full', "
        "traces=200, backend='auto', precise=True, "
        f"num_threads={workers.available()}, log='', cache_dir=None)\n"
    ), done.stderr
