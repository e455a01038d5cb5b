"""if, elif, else: converted, and as a graph, they do what Python does."""

import pytest

from tests.autograph.converters.samples import Samples, name, say

samples = Samples()


@samples(1, 0, -2.5)
def both_branches(x):
    if x > 0:
        y = x + 1
    else:
        y = x - 1
    return y


@samples(1, -1)
def no_else(x):
    y = x
    if x > 0:
        y = y * 2
        y += x
    return y


@samples(5, 1, 0, -1)
def a_chain_evaluates_tests_until_one_holds(x):
    if say("first", x > 4):
        print("more than four")
    elif say("second", x > 0):
        print("positive")
    elif say("third", x == 0):
        print("zero")
    else:
        print("negative")
    return x


@samples((1, 1), (1, -1), (-1, 1), (-1, -1))
def nested(x, y):
    if x > 0:
        if y > 0:
            z = 1.0
        else:
            z = 2.0
    else:
        z = 3.0
        if y > 0:
            z = 4.0
    return z


@samples(3, -3)
def an_early_return(x):
    if x > 0:
        print("leaving")
        return x * 2
    print("staying")
    return x


@samples(3, 0, -3)
def returns_in_every_branch(x):
    if x > 0:
        return x
    elif x == 0:
        return x + 10
    else:
        return -x


@samples(8, 3, -3)
def a_return_two_ifs_deep(x):
    if x > 0:
        print("positive")
        if x > 5:
            return x
        x = x + 1
    x = x * 10
    return x


@samples(1, -1)
def a_name_set_on_one_path_only(x):
    if x > 0:
        only = x
    return only


@samples(1, -1)
def a_name_deleted_on_one_path(x):
    y = x
    if x > 0:
        del y
    return y


@samples(1, -1)
def a_name_set_and_never_read(x):
    if x > 0:
        unread = 1
    else:
        unread = "text"  # noqa: F841
    return x


@samples((1, 2), (-1, 2))
def names_swapped(x, y):
    if x > 0:
        x, y = y, x
    return x, y


@samples(1, -1)
def a_walrus_in_the_test(x):
    if (y := x + 1) > 1:
        return y
    return y * 10


@samples(1, -1, 0)
def a_walrus_in_an_elif(x):
    if (y := x) > 0:
        z = y
    elif (y := x + 5) > 4:
        z = y * 2
    else:
        z = y * 3
    return y, z


@samples(1, -1)
def pass_only(x):
    if x > 0:
        pass
    else:
        pass
    return x


@samples(1, -1)
def an_exception_in_a_branch(x):
    print("before")
    if x > 0:
        print("inside")
        raise ValueError("too large")
    print("after")
    return x


@samples(1, -1)
def an_exception_in_every_branch(x):
    if x > 0:
        raise ValueError("too large")
    else:
        raise KeyError("too small")


@samples([1.0, 2.0], [-1.0, 2.0])
def a_store_in_a_branch(x):
    if x[0] > 0:
        x[1] = 7.0
    else:
        x[0] = 3.0
    return x


@samples(1, -1)
def a_function_made_in_a_branch(x):
    if x > 0:

        def change(y):
            return y + x

        x = change(10)
    return x


@samples(1, -1, staged=False)
def a_function_chosen_by_a_branch(x):
    if x > 0:

        def change(y):
            return y + x

    else:

        def change(y):
            return y - x

    return change(10)


@samples(True, False, 1, 0, "", "a", [], [1], None, ((),), ((0,),), staged=False)
def truth_is_pythons(x):
    if x:
        return "true"
    return "false"


@samples(1, -1, staged=False)
def branches_of_different_kinds(x):
    if x > 0:
        y = "text"
    else:
        y = None
    return y


@samples("word", staged=False)
def a_test_that_raises(x):
    if x > 0:
        return x
    return x


@pytest.mark.parametrize("sample", samples.all, ids=name)
def test_a_converted_if_does_what_python_does(sample) -> None:
    sample.check_converted()


@pytest.mark.parametrize("sample", samples.staged, ids=name)
def test_a_staged_if_does_what_python_does(sample) -> None:
    sample.check_staged()
