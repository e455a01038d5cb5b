"""Results that are views of what is known when the function is traced."""

import numpy as np
import pytest

import autograph as ag

TABLE = np.arange(6.0)


def whole_and_part():
    x = np.zeros(4)
    return x, x[1:3]


def of_a_list():
    x = np.array([1.0, 2.0, 3.0, 4.0])
    return x, x[::2], x[::2][1:]


def of_what_is_computed():
    x = np.arange(4.0) * 2
    x[1] = 5
    return [x[1:], {"turned": x[::-1]}]


def of_two_alike():
    return np.zeros(4), np.zeros(4)[1:]


def by_a_branch(c=True):
    x = np.arange(12.0).reshape(3, 4) + 1
    if c:
        return x[1:, ::2], x
    return x.T, x


def of_data(n=np.int64(1)):
    x = np.arange(12.0).reshape(3, 4) + 1
    return x[n:, ::2], x


def in_a_branch_of_data(n=np.int64(1)):
    x = np.ones((3, 4))
    y = np.zeros((3, 4))[:, ::2]
    if n > 0:
        y = x[:, ::2]
    return y


def made_in_a_branch_of_data(n=np.int64(1)):
    if n > 0:
        x = np.arange(12.0).reshape(3, 4) * 2
        return x[:, ::2], x
    x = np.array([[1.0, 2.0], [3.0, 4.0]])
    return x[:, ::-1], x


def without_gaps():
    return np.broadcast_to(np.arange(3.0), (2, 3)), np.arange(5.0)[::-1]


def of_the_users():
    return TABLE, TABLE[::2]


def parts(result):
    if isinstance(result, dict):
        return parts(list(result.values()))
    if isinstance(result, (list, tuple)):
        return [part for one in result for part in parts(one)]
    return [result]


def seen(function):
    arrays = parts(function())
    lying = [(a.tolist(), a.strides, a.flags.writeable) for a in arrays]
    return lying, [[np.shares_memory(a, b) for b in arrays] for a in arrays]


PROGRAMS = [
    whole_and_part,
    of_a_list,
    of_what_is_computed,
    of_two_alike,
    by_a_branch,
    of_data,
    in_a_branch_of_data,
    made_in_a_branch_of_data,
    without_gaps,
    of_the_users,
]


@pytest.mark.parametrize("backend", ["auto", "native", "numpy"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_results_that_are_views_share_and_lie_as_in_python(program, backend):
    compiled = ag.function(program)
    with ag.config(backend=backend):
        for _ in range(2):
            assert seen(compiled) == seen(program)


def test_what_is_written_into_a_result_is_not_there_in_the_next_call():
    compiled = ag.function(of_a_list)
    for _ in range(3):
        whole, part, _ = compiled()
        assert part.tolist() == [1.0, 3.0]
        whole[0] = 7
        assert part[0] == 7


def test_a_result_is_a_view_of_the_users_own_array():
    _, part = ag.function(of_the_users)()
    assert np.shares_memory(part, TABLE)


def known(order, copy):
    x = np.arange(3.0)
    y = np.array(x, copy=copy, order=order)
    x[0] = 9
    return y


@pytest.mark.parametrize("order", ["C", "F", "A", "K"])
@pytest.mark.parametrize("copy", [None, False, True])
def test_a_copy_of_none_is_the_array_itself_where_that_will_do(order, copy):
    def program(x):
        y = np.array(x, copy=copy, order=order)
        x[0] = 9
        return y, np.asarray(x, order=order, copy=copy)

    given = np.arange(3.0)
    results = ag.function(program)(given)
    assert [y.tolist() for y in results] == [
        y.tolist() for y in program(np.arange(3.0))
    ]
    assert [np.shares_memory(y, given) for y in results] == [not copy] * 2
    assert ag.function(known)(order, copy).tolist() == known(order, copy).tolist()
