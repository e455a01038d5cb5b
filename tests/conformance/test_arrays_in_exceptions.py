"""An array that an exception holds is that array itself."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.told import BACKENDS, agreeing

X, Y = np.array([1.0, 2.0, 3.0]), np.array([-1.0, 5.0, 0.5])


def asked(x, y):
    try:
        raise ValueError(x)
    except ValueError as error:
        return error.args[0] is x, error.args[0] is y


def changed(x, y):
    try:
        if x[0] > 0:
            raise ValueError("many", x)
    except ValueError as error:
        error.args[1][0] = 9
    return x.sum()


def changed_on_the_way(x, y):
    z = y * 2
    try:
        z[0] = 7
        if x[0] > 0:
            raise ValueError(z)
        z[1] = 8
    except ValueError as error:
        part = error.args[0]
        part += 1
        z[2] = part[0] * 10
        return z, part, part is z
    return z, y, False


def one_of_two(x, y):
    try:
        if x[0] > y[0]:
            raise ValueError(x)
        raise ValueError(y)
    except ValueError as error:
        error.args[0][1] = 100
        which = error.args[0] is x
    return which, x + y


def in_a_loop(x, y):
    total = 0.0
    for k in range(len(x)):
        try:
            if x[k] > 1:
                raise ValueError(x, k)
            total += y[k]
        except ValueError as error:
            error.args[0][k] -= 1
            total += error.args[1]
    return total


class Held(Exception):
    def __init__(self, array, other):
        super().__init__("held")
        self.array, self.pair = array, (other, 1)


def as_attributes(x, y):
    try:
        if y[1] > 1:
            raise Held(x, y)
    except Held as error:
        error.array[:] = 4
        error.pair[0][0] = 5
        return error.array is x, error.pair[0] is y, str(error)
    return None


def check(array):
    if array[0] < 3:
        raise ValueError(array)


def of_a_call(x, y):
    try:
        check(x)
        check(y)
    except ValueError as error:
        given = error.args[0]
        given *= 2
    return x[0]


def raised_again(x, y):
    try:
        try:
            if x[0] > 0:
                raise ValueError(x)
        except ValueError as error:
            error.args[0][0] += 1
            raise
    except ValueError as error:
        error.args[0][0] *= 10
        return error.args[0] is x
    return False


def named_anew(x, y):
    try:
        if x[0] > 0:
            raise ValueError(x)
    except ValueError as error:
        x = y
        error.args[0][0] = 20
        return x is error.args[0]
    return None


def made_inside(x, y):
    try:
        z = x * 2
        if x[0] > 0:
            raise ValueError(z)
    except ValueError as error:
        error.args[0][0] = 9
        return z, error.args[0] is z
    return z


def of_a_part(x, y):
    try:
        if x[0] > 0:
            raise ValueError(x[1:])
    except ValueError as error:
        error.args[0][0] = 9
    return x.sum()


def made_by_a_turn(x, y):
    z = x * 2
    try:
        for _ in range(3):
            z = z + 1
            if z[0] > 3:
                raise ValueError(z)
    except ValueError as error:
        error.args[0][0] = 9
        return z, error.args[0] is z
    return z


def read_alone(x, y):
    try:
        z = x * 2
        if x[0] > 0:
            raise ValueError(z)
    except ValueError as error:
        return z + error.args[0]
    return z


PROGRAMS = [
    made_inside,
    of_a_part,
    made_by_a_turn,
    read_alone,
    asked,
    changed,
    changed_on_the_way,
    one_of_two,
    in_a_loop,
]
PROGRAMS += [as_attributes, of_a_call, raised_again, named_anew]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_an_array_in_an_exception_is_the_array(program, backend):
    agreeing(program, backend, (X, Y), (-X, Y), (Y, X), (X, X * 3), (X * 5, -Y))


def test_an_array_that_is_only_read_is_a_graphs():
    assert len(ag.function(read_alone).get_concrete_function(X, Y).graph.nodes) > 1


class Failed(Exception):
    """Decorated, with a base that keeps what it is given where no graph puts it."""

    @ag.function
    def __init__(self, state, place):
        super().__init__("failed", state)
        self.state, self.place = state, place + 1


def test_an_exception_whose_init_is_decorated_keeps_an_array():
    for k in range(3):
        with pytest.raises(Failed) as caught:
            raise Failed(X, np.float64(k))
        assert caught.value.args == ("failed", X)
        assert (caught.value.state is X, caught.value.place) == (True, k + 1)
