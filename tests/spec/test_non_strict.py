"""Non-strictness: what nobody uses is not run, so it cannot fail; what is used fails
at the user's line.
"""

import traceback

import numpy as np
import pytest

import autograph as ag


def unused_take(x):
    np.take(x, [2])
    return x


def unused_item(x):
    x[2]
    return x


def unused_name(x):
    _y = x[2] * 2
    return x


def unused_in_a_branch(x):
    if x[0] >= 0:
        _y = np.take(x, [2])
        z = x + 1
    else:
        z = x
    return z


def unused_in_the_branch_that_is_not_read(x):
    z = x
    if x[0] >= 0:
        _y = x[2]
    else:
        _y = x[3]
    return z


def unused_in_a_loop(x):
    total = x * 0
    for i in range(x.astype(int)[0] + 3):
        np.take(x, [i + 2])
        total = total + i
    return total


def unused_in_a_while_loop(x):
    n = x[0]
    while n < 3:
        x[2]
        n += 1
    return n


def only_an_unused_loop_variable_needs_it(x):
    n, last = x[0], x[0]
    while n < 3:
        last = np.take(x, [2])[0] + last
        n += 1
    return n


def two_unused_loop_variables_need_each_other(x):
    n, a, b = x[0], x[0], x[0]
    while n < 3:
        a, b = b + 1, a + x[2]
        n += 1
    return n


def unused_in_a_loop_in_a_branch_in_a_loop(x):
    n = x[0]
    while n < 3:
        if n > 0:
            for row in x:
                x[2] + row
            n += 2
        else:
            n += 1
    return n


def unused_in_a_callee(x):
    def pair(v):
        return v, np.take(v, [2])

    kept, _ = pair(x)
    return kept


# The programs, and what each returns for np.zeros(1) when its unused part is not run.
PROGRAMS = {
    unused_take: [0.0],
    unused_item: [0.0],
    unused_name: [0.0],
    unused_in_a_branch: [1.0],
    unused_in_the_branch_that_is_not_read: [0.0],
    unused_in_a_loop: [3.0],
    unused_in_a_while_loop: 3.0,
    only_an_unused_loop_variable_needs_it: 3.0,
    two_unused_loop_variables_need_each_other: 3.0,
    unused_in_a_loop_in_a_branch_in_a_loop: 3.0,
    unused_in_a_callee: [0.0],
}
programs = pytest.mark.parametrize(
    ("program", "expected"), PROGRAMS.items(), ids=lambda x: getattr(x, "__name__", "")
)


@programs
def test_unused_failing_node_raises_in_python_and_not_in_the_graph(program, expected):
    with pytest.raises(IndexError):
        program(np.zeros(1))
    assert np.array_equal(ag.function(program)(np.zeros(1)), expected)


@programs
def test_unused_failing_node_is_not_in_the_graph(program, expected):
    graph = ag.function(program).get_concrete_function(np.zeros(1)).graph
    assert "take" not in [node.op.name for node in graph.walk()]
    indices = [node.attributes.get("index") for node in graph.walk()]
    assert (2,) not in indices
    assert (3,) not in indices


# --- What is used fails, at the user's line -------------------------------------------


def used_take(x, i):
    y = x + 1
    return np.take(y, [i])  # fails


def used_item(x, i):
    return x[i]  # fails


def used_in_a_branch(x, i):
    if i > 1:
        y = x[i]  # fails
    else:
        y = x[0]
    return y


def used_in_a_loop(x, i):
    total = x[0]
    while total < 4:
        total += 1 + x[i]  # fails
    return total


def used_by_print_only(x, i):
    print(x[i])  # fails
    return x


def used_by_a_variable_only(x, i):
    VARIABLE.assign(x[i])  # fails
    return x


def used_by_an_argument_only(x, i):
    x[i] = 1.0  # fails


def element(x, i):
    return x[i]  # fails


def used_in_a_callee(x, i):
    if x[0] == 0:
        return element(x, i)
    return x[0]


VARIABLE = ag.Variable(0.0)
FAILING = [
    used_take,
    used_item,
    used_in_a_branch,
    used_in_a_loop,
    used_by_print_only,
    used_by_a_variable_only,
    used_by_an_argument_only,
    used_in_a_callee,
]


def failure(function):
    """Type and text of the error, and file, line and text of its last frame."""
    with pytest.raises(Exception) as caught:  # noqa: PT011 - any, to compare
        function(np.zeros(1), np.int64(7))
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    kind = type(caught.value), str(caught.value)
    return kind, (last.filename, last.lineno, last.name, last.line)


@pytest.mark.parametrize("program", FAILING, ids=lambda program: program.__name__)
def test_used_failing_node_raises_pythons_error_at_the_users_line(program):
    kind, place = failure(ag.function(program))
    plain_kind, plain_place = failure(program)
    assert kind == plain_kind
    assert place == plain_place or program is used_take
    assert place[0] == __file__
    assert place[3].endswith("# fails")


@pytest.mark.parametrize("program", FAILING, ids=lambda program: program.__name__)
def test_failing_node_succeeds_where_python_does(program):
    ag.function(program)(np.ones(9), np.int64(7))
