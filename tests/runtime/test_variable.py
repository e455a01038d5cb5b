"""Variables: eager use as an array; in a graph, reads and writes in program order."""

import numpy as np
import pytest

import autograph as ag


def test_a_variable_is_used_as_an_array():
    v = ag.Variable([1, 2, 3])
    assert (v.dtype, v.shape, v.ndim, len(v)) == (np.int64, (3,), 1, 3)
    assert (v + 1).tolist() == (1 + v).tolist() == [2, 3, 4]
    assert np.sum(v) == 6
    assert np.concatenate([v, v]).shape == (6,)
    assert v[1:].tolist() == [2, 3]
    assert [int(x) for x in v] == [1, 2, 3]
    assert np.asarray(v).tolist() == [1, 2, 3]
    assert bool(ag.Variable(1.0))
    assert float(ag.Variable(2)) == 2.0


def test_a_variable_keeps_a_copy():
    start = np.zeros(2)
    v = ag.Variable(start)
    start[0] = 1
    v.value[1] = 1
    assert v.value.tolist() == [0.0, 0.0]


def test_assignments_give_the_new_value_in_the_variables_dtype():
    v = ag.Variable(1.0, dtype=np.float32)
    assert (v.assign(2), v.assign_add(0.5), v.assign_sub(1)) == (2.0, 2.5, 1.5)
    assert type(v.value) is np.float32
    assert v.assign(np.float64(1e-3)) == np.float32(1e-3)


def test_a_python_int_that_is_too_large_is_an_error():
    v = ag.Variable(np.int8(1))
    with pytest.raises(OverflowError, match="300"):
        v.assign(300)
    assert v.assign(100) == 100


@pytest.mark.parametrize(
    ("content", "error"),
    [(1.5, TypeError), ([1.5, 2.5], TypeError), (1j, TypeError), ([1], ValueError)],
)
def test_what_does_not_fit_is_refused_and_changes_nothing(content, error):
    v = ag.Variable([1, 2])
    with pytest.raises(error):
        v.assign(content)
    with pytest.raises(error):
        ag.function(lambda x: v.assign(x))(np.asarray(content))
    assert v.value.tolist() == [1, 2]


def test_a_dim_of_the_shape_may_be_left_open():
    v = ag.Variable(np.zeros(2), shape=[None])
    v.assign(np.zeros(5))
    assert v.shape == (5,)
    with pytest.raises(ValueError, match="cannot take a value of shape"):
        v.assign(1.0)


def test_reads_and_writes_keep_program_order():
    v = ag.Variable(1.0)

    @ag.function
    def program(x):
        before = v.read()
        v.assign(v * x)
        between = v + 0
        v.assign_add(1)
        return before, between, v.value

    assert program(np.float64(3)) == (1.0, 3.0, 4.0)
    assert program(np.float64(2)) == (4.0, 8.0, 9.0)
    assert v.value == 9.0


def test_a_write_in_a_branch_happens_when_it_is_taken():
    v = ag.Variable(0)

    @ag.function
    def program(x):
        if x > 0:
            v.assign_add(1)
        else:
            v.assign_add(10)
            v.assign(v * 2)
        return v.value

    assert [int(program(np.int64(x))) for x in (1, 1, -1, 1)] == [1, 2, 24, 25]


def test_writes_in_a_loop_happen_in_each_round():
    v = ag.Variable(0)
    seen = ag.Variable(np.zeros(3, np.int64))

    @ag.function
    def program(n):
        for i in range(n):
            v.assign_add(i)
            if v.value > 4:
                break
            seen.assign_add(v.value)
        while v.value > 3:
            v.assign_sub(2)
        return v.value

    assert program(np.int64(3)) == 3
    assert seen.value.tolist() == [4, 4, 4]
    assert program(np.int64(10)) == 2
    assert seen.value.tolist() == [11, 11, 11]


def test_a_write_nobody_reads_is_kept_and_a_read_nobody_uses_is_not():
    v = ag.Variable(0.0)

    @ag.function
    def program(x):
        v.value
        v.assign(x * 2)
        return x

    program(np.float64(3))
    assert v.value == 6.0
    names = [node.op.name for node in program.concrete_functions[0].graph.nodes]
    assert "read_variable" not in names


def test_functions_share_a_variable():
    v = ag.Variable(1.0)
    double = ag.function(lambda: v.assign(v * 2))
    read = ag.function(lambda x: x + v)
    double()
    assert read(np.float64(1)) == 3.0
    v.assign(10)
    assert read(np.float64(1)) == 11.0


def test_a_variable_is_told_by_identity():
    get = ag.function(lambda v, x: v + x)
    first, second = ag.Variable(1.0), ag.Variable(2.0)
    assert get(first, np.float64(1)) == 2.0
    assert get(second, np.float64(1)) == 3.0
    assert len(get.concrete_functions) == 2


def test_its_text_names_it():
    assert repr(ag.Variable(1.5, name="rate")) == "Variable('rate', array(1.5))"


def test_a_variable_is_printed_as_it_is_at_each_run(capsys):
    v = ag.Variable(1.0)

    @ag.function
    def f(x):
        v.assign_add(x)
        print(v)

    for _ in range(2):
        f(np.float64(1))
    assert capsys.readouterr().out == "Variable(array(2.))\nVariable(array(3.))\n"
