"""Names: unbound, deleted, global, or called as generated ones are."""

import pytest

from tests.autograph.converters.samples import Samples, name

samples = Samples()


number = 5


@samples(1, -1)
def deleted_and_read(x):
    y = x
    del y
    if x > 0:
        return x
    return y  # noqa: F821


@samples(3)
def deleted_and_set_again(x):
    y = x
    del y
    y = x + 1
    for i in range(2):
        z = i
        del z
    return y


@samples(3)
def items_and_attributes_are_deleted(x):
    table = {"a": 1, "b": 2}
    del table["a"]
    items = [1, 2, 3]
    del items[0], items[-1]
    return table, items, x


@samples(1, -1)
def read_before_it_is_set(x):
    if x > 0:
        print(later)  # noqa: F821
    later = 1
    return later


@samples(3)
def a_global_is_read(x):
    return number + x if x > 0 else number


@samples(3, -1)
def an_unknown_global(x):
    if x > 0:
        return nowhere  # noqa: F821
    return x


@samples(0, 3)
def set_in_a_loop_only(n):
    for i in range(n):
        inside = i
    return inside


@samples(2, -2)
def generated_names(x):
    if_body = else_body = get_state = set_state = x
    vars_ = item = loop_body = loop_test = loop_else = rest = x + 1
    name = test = getter = setter = operand = value = exit_ = following = x + 2
    BODY = VALUE = CONDITION = NAMES = N = ORELSE = GET = SET = NAME = x + 3
    VARS = READS = GLOBALS = NONLOCALS = LEFT = RIGHT = X = KEY = OF = x + 4
    if x > 0:
        if_body += 1
        get_state, vars_ = vars_, get_state
        name, BODY, VALUE, VARS, X = BODY, VALUE, name, X, VARS
        READS, GLOBALS, NONLOCALS = 1, 2, 3
    else:
        else_body += 1
        set_state = item
        NAMES, N, GET, SET = 1, 2, 3, 4
    for item in range(3):
        loop_body += item
        getter, setter = setter, getter + 1
        if loop_body > 5:
            loop_else += 1
            break
        CONDITION = ORELSE = item
    while test > 0:
        test -= 1
        operand = value = exit_ = test
        if test == 1:
            rest = following = test
            break
    return (
        [if_body, else_body, get_state, set_state, vars_, item, loop_body, loop_test],
        [loop_else, rest, name, test, getter, setter, operand, value, exit_, following],
        [BODY, VALUE, CONDITION, NAMES, N, ORELSE, GET, SET, NAME],
        [VARS, READS, GLOBALS, NONLOCALS, LEFT, RIGHT, X, KEY, OF],
    )


@samples(2, -2)
def parameters_with_generated_names(vars_, item=1, name=2, BODY=3):
    for item in range(2):
        if vars_ > 0:
            name, BODY = BODY, name + item
        vars_ = vars_ - 1
    return vars_, item, name, BODY


@samples(2, -2)
def a_walrus_with_a_generated_name(x):
    operand = 0
    while (test := x) > 0 and x != 7:
        x = x - 1
        operand = test
    return operand, test


@pytest.mark.parametrize("sample", samples.all, ids=name)
def test_a_converted_name_does_what_python_does(sample) -> None:
    sample.check_converted()


@pytest.mark.parametrize("sample", samples.staged, ids=name)
def test_a_staged_name_does_what_python_does(sample) -> None:
    sample.check_staged()
