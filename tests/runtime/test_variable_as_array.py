"""Variables asked and changed as arrays are: plainly, and in a graph."""

import copy
import operator
import pickle

import numpy as np
import pytest

import autograph as ag

x = np.float64(2.0)


class Module:
    pass


def outcome(program, as_graph):
    """What the program gives or raises, and what its Variables hold afterwards."""
    v, w, module = ag.Variable(np.arange(4.0)), ag.Variable(1.0), Module()
    module.v = v
    called = ag.function(program) if as_graph else program
    try:
        result = repr(called(v, w, x, module))
    except Exception as error:
        result = f"{type(error).__name__}: {error}"
    return result, repr(v), repr(w), module.v is v


def check(program, v, result=None):
    plain = outcome(program, False)
    assert plain[1:] == (f"Variable(array({v}))", *plain[2:3], True)
    assert result is None or plain[0] == result
    assert outcome(program, True) == plain


def in_place(v, w, x, module):
    v += x
    v -= 1
    v *= 3
    v /= 2
    v **= 2
    v //= 1
    v %= 5
    return v


def attribute_in_place(v, w, x, module):
    module.v += x
    module.v[0] -= 1
    module.v *= 2


def in_loops_and_branches(v, w, x, module):
    while x < 5:
        module.v += x
        x += 1
        w += x
        v -= 1
    if x > 3:
        v *= 2
    else:
        w *= 2


def in_containers(v, w, x, module):
    held, listed = {"v": v}, [w]
    held["v"] += x
    listed[0] += x
    return held["v"] is v, listed[0] is w


def at_some_rounds(v, w, x, module):
    for i in range(4):
        if v[i] > x:
            np.add.at(v, [i], x)
        else:
            np.copyto(v, v * 2, where=[True, False, True, False])


def positions(v, w, x, module):
    w[...] = x
    w[()] += 1
    return w


def several_outputs(v, w, x, module):
    return np.divmod(np.arange(4.0) * x, 3, out=(v, None))[0] is v


CHANGING = {
    in_place: "[2., 4., 0., 1.]",
    attribute_in_place: "[ 2.,  6.,  8., 10.]",
    in_loops_and_branches: "[12., 14., 16., 18.]",
    in_containers: "[2., 3., 4., 5.]",
    at_some_rounds: "[ 0.,  1., 10.,  5.]",
    positions: "[0., 1., 2., 3.]",
    several_outputs: "[0., 0., 1., 2.]",
    lambda v, w, x, m: np.add(v, x, out=v) is v: "[2., 3., 4., 5.]",
    lambda v, w, x, m: np.add(x, 1, v) is v: "[3., 3., 3., 3.]",
    lambda v, w, x, m: np.sum(np.ones((2, 4)) * x, 0, None, v): "[4., 4., 4., 4.]",
    lambda v, w, x, m: np.clip(np.arange(4) * x, 0, 1, out=v): "[0., 1., 1., 1.]",
    lambda v, w, x, m: np.add.reduce(np.ones((2, 4)) * x, out=v): "[4., 4., 4., 4.]",
    lambda v, w, x, m: np.add.at(v, [0, 0], 1): "[2., 1., 2., 3.]",
    lambda v, w, x, m: np.copyto(v, x): "[2., 2., 2., 2.]",
    lambda v, w, x, m: np.put(v, [1], x): "[0., 2., 2., 3.]",
    lambda v, w, x, m: np.putmask(v, v > 1, x): "[0., 1., 2., 2.]",
    lambda v, w, x, m: np.cumsum(v, out=v): "[0., 1., 3., 6.]",
    lambda v, w, x, m: v.fill(x): "[2., 2., 2., 2.]",
    lambda v, w, x, m: (v.assign(-v.value), v.sort()): "[-3., -2., -1., -0.]",
    lambda v, w, x, m: (np.add(w, x, out=w) is w, np.copyto(w, w + x), w): (
        "[0., 1., 2., 3.]"
    ),
}


@pytest.mark.parametrize("program", CHANGING)
def test_what_writes_into_an_array_writes_into_a_variable(program):
    check(program, CHANGING[program])


FAILING = {
    "ValueError: operands could not be broadcast together with shapes (4,) (3,) "
    "(4,) ": lambda v, w, x, m: operator.iadd(v, np.ones(3)),
    "UFuncTypeError: Cannot cast ufunc 'add' output from dtype('complex128') to "
    "dtype('float64') with casting rule 'same_kind'": lambda v, w, x, m: np.add(
        v, 1j, out=v
    ),
    "AttributeError: 'Variable' object has no attribute 'foo'": (
        lambda v, w, x, m: v.foo
    ),
}


@pytest.mark.parametrize("text", FAILING)
def test_what_does_not_fit_changes_nothing(text):
    check(FAILING[text], "[0., 1., 2., 3.]", text)


READING = [
    lambda v, w, x, m: (v.sum(), v.mean(axis=0), v.max(), v.argmax(), v.any()),
    lambda v, w, x, m: (v.T, v.reshape(2, 2), v.astype(int), v.copy(), v.clip(0, 1)),
    lambda v, w, x, m: (v.size, v.nbytes, v.itemsize, v.tolist(), w.item(), v.dot(v)),
    lambda v, w, x, m: (round(w), round(w, 1), f"{w:.2f}", format(w), f"{v}"),
    lambda v, w, x, m: (hasattr(v, "sum"), hasattr(v, "foo"), getattr(v, "bar", 3)),
    lambda v, w, x, m: (np.asarray(w), np.real(w), np.copy(v), np.asarray(v, int)),
    lambda v, w, x, m: [type(a).__name__ for a in (np.asarray(v), np.ravel(v), v + 1)],
]


@pytest.mark.parametrize("program", READING)
def test_what_asks_an_array_asks_what_a_variable_holds(program):
    check(program, "[0., 1., 2., 3.]")


def test_an_array_made_of_a_variable_is_not_the_variables():
    v = ag.Variable([1.0, 2.0])
    for made in (np.asarray(v), v.reshape(2, 1), v.T, np.ravel(v), v.copy()):
        made[0] = 7
    assert v.tolist() == [1.0, 2.0]


def test_a_subclass_is_read_as_a_variable_is():
    class Weights(ag.Variable):
        pass

    weights = Weights([1.0, 2.0])
    f = ag.function(lambda x: np.add(weights, x) * weights)
    assert f(x).tolist() == [3.0, 8.0]


def test_copies_hold_a_value_of_their_own():
    v = ag.Variable([1.0, 2.0])
    made = copy.copy(v), copy.deepcopy(v), pickle.loads(pickle.dumps(v))
    v += 1
    assert [other.tolist() for other in made] == [[1.0, 2.0]] * 3


def test_dir_names_what_it_answers_for():
    assert {"assign", "sum", "fill", "T"} <= set(dir(ag.Variable(1.0)))


def into_an_argument(v, w, x, module):
    made = np.ones(4)
    same = made
    made += v
    made *= w
    made[0] -= w
    return same, same is made


def test_an_array_is_changed_in_place_by_a_variable():
    check(into_an_argument, "[0., 1., 2., 3.]")
    v, argument = ag.Variable([1.0, 2.0]), np.ones(2)

    @ag.function
    def add(a):
        a += v

    add(argument)
    add(argument)
    assert argument.tolist() == [3.0, 5.0]


def as_keys(v, w, x, module):
    momenta = {v: np.zeros(4), w: 0.5}
    for variable in (v, w):
        momenta[variable] = momenta[variable] + x
        variable.assign_add(momenta[variable])
    made = {(v, 1): x}
    if x > 1:
        momenta[w] += 1
    found = v in momenta, hash(v) == hash(v), made[v, 1], len({v, w})
    return list(momenta.values()), found


def test_variables_are_keys_of_dicts_as_the_objects_that_they_are():
    check(as_keys, "[2., 3., 4., 5.]")


class Momentum:
    def __init__(self):
        self.held = {}

    @ag.function
    def step(self, variable, gradient):
        if variable not in self.held:
            self.held[variable] = ag.Variable(np.zeros(variable.shape))
        self.held[variable].assign(0.9 * self.held[variable] + gradient)
        variable -= 0.1 * self.held[variable]
        return variable.read(), len(self.held)


def stepped():
    optimizer = Momentum()
    first, second = ag.Variable(np.ones(2)), ag.Variable(np.zeros(3))
    return [
        repr(optimizer.step(variable, np.ones(variable.shape)))
        for variable in (first, first, second, second, first)
    ]


def test_an_optimizer_keeps_a_variable_for_each_variable_that_it_meets():
    with ag.config(eager=True):
        plain = stepped()
    assert stepped() == plain
