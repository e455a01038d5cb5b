"""Attributes that a class gives, and properties kept under their own name."""

import numpy as np
import pytest

import autograph as ag


def made(**held):
    return type("Model", (), held)()


def adds_to_an_array(model, x):
    model.n += x
    return model.n.sum()


def adds_nothing(model, x):
    if x[0] > 0:
        model.n += 0
    return model.n


def sets_what_it_is(model, x):
    model.n = model.n
    return x


def deletes(model, x):
    del model.n
    return x


@pytest.mark.parametrize(
    ("function", "held"),
    [
        (adds_to_an_array, lambda: np.zeros(2)),
        (adds_nothing, lambda: 1),
        (sets_what_it_is, lambda: (1, 2)),
        (deletes, lambda: 1),
    ],
)
def test_an_attribute_of_a_class_is_given_to_the_object(function, held):
    plain, staged = made(n=held()), made(n=held())
    graph = ag.function(lambda x: function(staged, x))
    for x in (np.ones(2), -np.ones(2), np.ones(2)):
        assert told(graph, x) == told(lambda x: function(plain, x), x)
        assert repr(vars(staged)) == repr(vars(plain))
        assert repr(type(staged).n) == repr(type(plain).n)


def told(function, x):
    try:
        return repr(function(x))
    except AttributeError as error:
        return repr(error)


class Kept:
    """Has a property that it keeps under the property's name."""

    def __init__(self):
        self.n = 1

    @property
    def n(self):
        return self.__dict__["n"]

    @n.setter
    def n(self, value):
        self.__dict__["n"] = value


def test_a_property_may_keep_its_value_under_its_name():
    kept = Kept()

    @ag.function
    def counts(x):
        kept.n = kept.n + 1
        return x + kept.n

    assert [counts(1.0), counts(1.0), kept.n] == [3.0, 4.0, 3]


def test_an_object_made_in_the_function_may_keep_one_too():
    @ag.function
    def makes(x):
        kept = Kept()
        kept.n = x
        return kept.n * 2

    assert makes(np.float64(2.0)) == 4.0


@pytest.mark.parametrize(
    "function",
    [
        lambda x: set([69, 45, 59, 72, 60]),
        lambda x: {69, 45, 59, 72, 60},
        lambda x: {3, 99},
    ],
)
def test_a_set_leaves_in_the_order_in_which_it_was_made(function):
    staged = ag.function(function)
    for _ in range(2):
        assert [*staged(np.float64(1.0))] == [*function(1.0)]
