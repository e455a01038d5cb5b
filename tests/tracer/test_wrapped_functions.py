"""What `functools.wraps` copies from a decorated function is what it is to users."""

import functools

import autograph as ag


def twice(x):
    return x * 2


def ten_times(x):
    return x * 10


def test_a_decorated_function_that_is_named_like_another_is_still_its_own():
    one, other = ag.function(twice), ag.function(ten_times)
    one.unit = "m"
    named = functools.wraps(one)(other)
    assert named is other
    assert (named(3.0), one(3.0)) == (30.0, 6.0)
    assert (named.__name__, named.unit) == ("twice", "m")
    assert named.__wrapped__ is one


def test_what_wraps_it_has_attributes_of_functions_alone():
    @functools.wraps(ag.function(twice))
    def wrapper(x):
        return ten_times(x)

    def plain(x):
        return ten_times(x)

    functools.update_wrapper(plain, functools.wraps(twice)(lambda x: x))
    assert {*vars(wrapper)} - {*plain.__dict__} <= {*functools.WRAPPER_ASSIGNMENTS}
    assert wrapper(3.0) == 30.0
