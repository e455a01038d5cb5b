"""What `functools.wraps` copies is what a function is to users, not how to call it."""

import contextlib
import functools
import inspect
import math
import warnings

import numpy as np
import pytest

import autograph as ag
from autograph.rules import why_left_alone


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


def repeated(function):
    """Takes an argument more than what it is around."""

    @functools.wraps(function)
    def inner(x, times=1):
        for _ in range(times):
            x = function(x)
        return x

    return inner


def with_ten(function):
    """Hands on an argument of its own, and all that it is given."""

    @functools.wraps(function)
    def inner(*args, **kwargs):
        return function(10.0, *args, **kwargs)

    return inner


def add(first, x, y=1):
    return first + x + y


def outcome(function, *args, **kwargs):
    try:
        return np.asarray(function(*args, **kwargs)).tolist()
    except TypeError as error:
        return str(error)


@pytest.mark.parametrize(
    ("function", "args", "kwargs"),
    [
        (repeated(twice), (np.ones(2), 3), {}),
        (repeated(twice), (np.ones(2),), {"times": 3}),
        (repeated(twice), (), {"times": 3}),
        (repeated(np.negative), (np.ones(2),), {"times": 3}),
        (with_ten(add), (np.ones(2),), {}),
        (with_ten(add), (np.ones(2),), {"y": 3}),
        (with_ten(add), (np.ones(2), 3), {}),
        (with_ten(add), (np.ones(2), 3, 4), {}),
    ],
)
def test_arguments_are_bound_to_the_parameters_of_what_is_called(
    function, args, kwargs
):
    decorated = ag.function(function)
    wanted = outcome(function, *args, **kwargs)
    got = [outcome(decorated, *args, **kwargs) for _ in range(3)]
    assert got == [wanted] * 3


def test_a_signature_that_is_set_for_users_binds_nothing():
    def inner(*args):
        return sum(args)

    inner.__signature__ = inspect.signature(twice)
    assert ag.function(inner)(1.0, 2.0) == 3.0


def test_what_hands_all_on_is_shown_with_the_parameters_of_what_it_is_around():
    decorated = ag.function(with_ten(add))
    assert repr(decorated) == "<Function add(first, x, y=1): 0 traces>"
    assert ag.function(with_ten(add), static_args=["y"])(1.0, y=2) == 13.0


def test_a_list_fills_the_parameters_of_what_is_called():
    @functools.wraps(twice)
    def inner(a, b, c):
        return a + b * c

    @ag.function
    def spread(x):
        return inner(*[v + 1 for v in x if v >= 0])

    assert spread(np.array([0.0, -1.0, 1.0, 2.0])) == 7.0
    assert outcome(spread, np.arange(4.0)) == outcome(inner, *range(4))


def test_what_is_around_a_function_of_a_library_is_converted():
    @functools.wraps(np.sin)
    def inner(x):
        return np.sin(x) if x.sum() > 0 else x

    @ag.function
    def call(x):
        return inner(x)

    for x in (np.ones(3), -np.ones(3)):
        assert np.array_equal(call(x), inner(x))
    assert why_left_alone(inner) is None


@contextlib.contextmanager
def unheard():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def test_a_manager_around_a_function_of_a_library_is_entered_by_each_run():
    decorated = unheard()(functools.partial(np.linalg.qr, mode="full"))

    @ag.function
    def call(x):
        return decorated(x)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(3):
            call(np.ones((2, 3)))


class Account:
    """Methods and objects that are decorated once more, and properties."""

    def __init__(self):
        self.owned = 1.0

    @ag.function
    def after(self, x, y=1.0):
        return self.owned + x * y

    def __call__(self, x):
        return self.owned - x

    def __eq__(self, other):
        return self.owned == other.owned

    __hash__ = None

    @ag.function
    @property
    def double(self):
        """Twice what is owned."""
        return self.owned * 2

    @double.setter
    def double(self, to):
        self.owned = to / 2

    @ag.function
    @functools.cached_property
    def kept(self):
        return self.owned + 1


@pytest.mark.parametrize("args", [(2.0,), (2.0, 3.0), (np.ones(2),)])
def test_bound_methods_are_bound_to_the_parameters_behind_the_instance(args):
    account = Account()
    decorated = ag.function(account.after)
    for _ in range(2):
        assert np.array_equal(decorated(*args), account.after(*args))
    partly = ag.function(functools.partial(account.after, y=2.0))
    assert partly(3.0) == 7.0


def test_an_object_is_decorated_whatever_its_equality_asks():
    assert ag.function(Account())(3.0) == -2.0


def test_a_list_of_the_run_is_no_arguments_of_a_function_in_c():
    @ag.function
    def length(x):
        return math.hypot(*[v for v in x if v > 1])

    with pytest.warns(RuntimeWarning, match="only when the graph runs"):
        assert length(np.array([3.0, 0.0, 4.0])) == 5.0


def test_properties_may_stand_below_the_decorator():
    account = Account()
    account.double = 6.0
    assert (account.double, account.kept, Account.double.__doc__) == (
        *(6.0, 4.0),
        "Twice what is owned.",
    )
    account.double = 8.0
    assert (account.double, account.kept) == (8.0, 4.0)


def test_a_dict_of_attributes_that_functions_have_otherwise_is_copied():
    @ag.function
    def dispatched(name, function):
        def inner(*args):
            return getattr(np, name)(*args)

        vars(inner).update(vars(function))
        inner.__signature__ = inspect.signature(function)  # made here: it is refused
        return inner

    made = dispatched("sum", np.sum)
    assert made(np.ones(3)) == 3.0
    assert vars(made)["__qualname__"] == "sum"
    assert made.__qualname__.endswith("inner")


class Tagged(property):
    """A property that is made of other things, and holds more."""

    def __init__(self, get, tag):
        super().__init__(get)
        self.tag = tag


class TaggedOnce(functools.cached_property):
    def __init__(self, get, tag):
        super().__init__(get)
        self.tag = tag


class Labelled:
    x = 2.0
    of_each = ag.function(Tagged(lambda self: self.x + 1, tag="a"))
    of_once = ag.function(TaggedOnce(lambda self: self.x + 2, tag="b"))


def test_properties_of_a_class_of_the_users_stay_what_they_are():
    kept, thing = vars(Labelled), Labelled()
    assert (thing.of_each, thing.of_once) == (3.0, 4.0)
    assert (kept["of_each"].tag, kept["of_once"].tag) == ("a", "b")
    assert (type(kept["of_each"]), type(kept["of_once"])) == (Tagged, TaggedOnce)
