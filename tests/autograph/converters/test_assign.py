"""Assignments: order of evaluation, chains, unpacking, stores."""

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


@samples(3)
def a_chain_assigns_left_to_right(x):
    box = [0, 0, 0]
    i = box[i_of(box)] = x
    return i, box


def i_of(box):
    print("index", box)
    return 1


@samples(2)
def a_chain_uses_the_name_just_assigned(x):
    items = [0, 0, 0]
    i = items[i] = 2
    return i, items, x


@samples(3, staged=False)
def the_value_comes_before_the_target(x):
    box = Box(x)
    say("box", box)[say("key", 1)] = say("value", x)
    say("object", box).value = say("new", x + 1)
    return box.items[1], box.value


@samples(3, staged=False)
def unpacking_evaluates_targets_in_order(x):
    box = Box(x)
    box[say("a", 1)], y, box[say("b", 2)] = x, x + 1, x + 2
    return box.items[1], y, box.items[2]


@samples(3)
def stars(x):
    first, *middle, last = x, 2, 3, x + 4
    *start, end = [1, x]
    return first, middle, last, start, end


@samples(3)
def nested_unpacking(x):
    (a, [b, *c]), d = (x, [2, 3, x]), 5
    return a, b, c, d


@samples([1, 2, 3])
def unpacking_an_array(x):
    a, b, c = x
    return a * 100 + b * 10 + c


@samples(3)
def unpacking_into_attributes_and_items(x):
    box = Box(0)
    items = [0, 0]
    box.value, (items[0], items[1]) = x, (x + 1, x + 2)
    return box.value, items


@samples(1, staged=False)
def too_few_to_unpack(x):
    a, b = (x,)
    return a, b


@samples([1, 2, 3], staged=False)
def too_many_to_unpack(x):
    items = [0]
    a, items[0] = x
    return a


@samples([1.0, 2.0, 3.0])
def slices_are_stored_into(x):
    x[1:] = x[:-1] * 2
    x[::2] = 0.5
    x[...] = x + 1
    return x


@samples(([1.0, 2.0, 3.0], 1))
def an_index_that_is_data(x, i):
    x[i] = 9.0
    x[i + 1] = x[i] * 2
    y = x[i:]
    return x, y


@samples(3)
def an_annotated_assignment(x):
    y: int = x + 1
    z: "nothing that exists"  # noqa: F722, F842
    box = Box(0)
    box.value: int = y
    return y, box.value


@samples(3)
def a_walrus(x):
    y = (z := x + 1) * 2
    return y, z


@samples((1, 2))
def a_swap(x, y):
    x, y = y, x
    return x, y


@samples(3)
def slots_of_nested_lists(x):
    table = [[1, 2], [3, 4]]
    table[1][0] = x
    table[0], table[1] = table[1], table[0]
    return table


@samples(3)
def a_dict_of_results(x):
    results = {}
    results["a"] = x
    results["b"] = x * 2
    return results


@samples([1, 2, 3], staged=False)
def a_store_into_a_list(x):
    x[0:2] = [7, 8, 9]
    x[-1] = 0
    return x


@samples("text", staged=False)
def a_store_that_is_refused(x):
    x[0] = "y"
    return x


@pytest.mark.parametrize("sample", samples.all, ids=name)
def test_a_converted_assignment_does_what_python_does(sample) -> None:
    sample.check_converted()


@pytest.mark.parametrize("sample", samples.staged, ids=name)
def test_a_staged_assignment_does_what_python_does(sample) -> None:
    sample.check_staged()
