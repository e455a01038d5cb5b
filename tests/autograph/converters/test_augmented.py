"""Augmented assignment: the target's parts once, the old value first."""

import pytest

from tests.autograph.converters.samples import Samples, name, say

samples = Samples()


class Box:
    """Its items can be seen being used: when it is traced, for no call names them."""

    def __init__(self, value):
        self.value = value
        self.items = {}

    def __getitem__(self, key):
        print("get", key)
        return self.items.get(key, 10)

    def __setitem__(self, key, value):
        print("set", key)
        self.items[key] = value


@samples(7)
def every_operator(x):
    y = x
    y += 3
    y -= 1
    y *= 5
    y //= 2
    y %= 17
    y **= 2
    y <<= 2
    y >>= 1
    y &= 255
    y |= 8
    y ^= 3
    z = y
    z /= 4
    return y, z


@samples([[1.0, 2.0], [3.0, 4.0]])
def matrices(x):
    x @= x
    return x


@samples(3, staged=False)
def the_parts_of_an_item_are_evaluated_once(x):
    box = Box(x)
    say("box", box)[say("key", 1)] += say("value", x)
    return box.items[1]


@samples(3)
def the_parts_of_an_attribute_are_evaluated_once(x):
    box = Box(x)
    say("box", box).value *= say("value", 2)
    return box.value


@samples(3)
def the_old_value_is_read_before_the_new_one_is_made(x):
    items = [x]

    def change():
        items[0] = 100
        return 1

    items[0] += change()
    return items


@samples([1.0, 2.0, 3.0])
def arrays_change_in_place(x):
    y = x
    y += 1
    y[1:] *= 2
    return x, y


@samples(([1, 2, 3], 1))
def an_index_that_is_data(x, i):
    x[i] += 5
    x[i - 1] -= x[i]
    return x


@samples(3)
def in_a_branch_and_a_loop(x):
    total = 0
    for i in range(4):
        if x > i:
            total += x
        total -= 1
    return total


@samples(3)
def a_list_grows_in_place(x):
    items = [x]
    same = items
    items += [x + 1]
    return items, same is items


@samples(3, -3)
def an_unbound_name(x):
    if x > 0:
        y = 1
    y += x
    return y


@samples(3, staged=False)
def a_tuple_item_is_refused(x):
    t = (x,)
    t[0] += 1
    return t


@samples(3, staged=False)
def a_wrong_operand(x):
    x += "text"
    return x


@samples(3)
def nested_targets(x):
    table = {"a": [[1, 2]]}
    table["a"][0][1] += x
    return table


@pytest.mark.parametrize("sample", samples.all, ids=name)
def test_a_converted_augmented_assignment_does_what_python_does(sample) -> None:
    sample.check_converted()


@pytest.mark.parametrize("sample", samples.staged, ids=name)
def test_a_staged_augmented_assignment_does_what_python_does(sample) -> None:
    sample.check_staged()
