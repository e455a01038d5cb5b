"""Class statements in a decorated function: how the classes are called, and made of."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import Programs, check
from tracer import containers

NUMBERS = (np.float64(2.0),), (np.float64(-1.0),), (3,)
PROGRAMS = Programs()


class Outer:
    def makes(self, x):
        class Own:
            class Inner:
                def method(self):
                    return x

        return (
            *(Own.__qualname__, Own.Inner.__qualname__, Own.Inner.method.__qualname__),
            repr(Own),
        )

    def makes_in_a_branch(self, n):
        if n > 0:

            class Own:
                pass

        else:

            class Own:
                other = 1

        return Own.__qualname__, str(Own)


class Until:
    """An iterator, and not what one can be made of."""

    def __init__(self, end):
        self.end, self.at = end, 0

    def __next__(self):
        if self.at >= self.end:
            raise StopIteration
        self.at += 1
        return self.at


class Counted:
    there = 0

    def __init__(self):
        Counted.there += 1

    def __del__(self):
        Counted.there -= 1
        print("gone", Counted.there)


OUTER = Outer()


@PROGRAMS(*NUMBERS)
def in_a_method(x):
    return OUTER.makes(x)


@PROGRAMS((1,), (-1,))
def in_a_branch(n):
    return OUTER.makes_in_a_branch(n)


class Behind:
    """Reads all from another object."""

    def __init__(self, of):
        self.__of = of

    def __getattribute__(self, name):
        if name.startswith("_Behind__"):
            return object.__getattribute__(self, name)
        return getattr(self.__of, name)


class Named:
    def __init__(self):
        self.names = {"width": 3.0}
        self.height = 2.0

    def __getattribute__(self, name):
        names = super().__getattribute__("names")
        return names[name] if name in names else super().__getattribute__(name)


class Size:
    width = 4.0


@PROGRAMS(*NUMBERS)
def attributes_of_another_object(x):
    return Behind(Size()).width * x


@PROGRAMS(*NUMBERS)
def attributes_by_names(x):
    named = Named()
    named.height = x
    return named.width * x + named.height


@PROGRAMS(*NUMBERS)
def a_body_that_prints(x):
    print("before")

    class Own:
        print("in it", x)
        number = 3

    print("behind it")
    return Own.number * x


@PROGRAMS(*NUMBERS)
def a_body_that_reads_its_names_later(x):
    name = "the function's"

    class Own:
        name = "the class's"
        print(name) if x > 0 else print("not", name)
        name and print("and", name)
        print(__qualname__, 0 < len(name) < 3)
        [print(name, number) for number in range(2)]

    return Own.name, name, x


@PROGRAMS(*NUMBERS)
def without_iter_beside_a_star(x):
    class Items:
        def __iter__(self):
            return Until(2)

    try:
        first, *others = Items()
    except TypeError as error:
        return str(error), x
    return first, others


@PROGRAMS(*NUMBERS)
def no_iterable(x):
    try:
        first, second = Until(2)
    except TypeError as error:
        return str(error), x
    return first, second


@PROGRAMS(*NUMBERS)
def an_iterator_without_iter(x):
    class Items:
        def __iter__(self):
            return Until(2)

    first, second = Items()
    try:
        first, second, third = Items()
    except ValueError as error:
        return first + second + x, str(error)
    return third


@PROGRAMS(*NUMBERS)
def made_and_dropped(x):
    first = Counted()
    others = [Counted()]
    first = x * 2
    print(first, Counted.there, len(others))
    return first


@pytest.mark.parametrize(("program", "calls"), PROGRAMS)
def test_a_class_is_what_python_makes_of_it(program, calls):
    check(program, calls)


TOLD = []


class Told:
    @ag.function
    def __init_subclass__(cls, **words):
        TOLD.append((cls.__name__, words))

    @ag.function
    def __class_getitem__(cls, item):
        return cls.__name__, item

    @ag.function
    def __getattribute__(self, name):
        return object.__getattribute__(self, name)

    @ag.function
    def __del__(self):
        TOLD.append("gone")


def test_methods_that_python_calls_of_itself_may_be_decorated():
    class Own(Told, of=1):
        pass

    Own()
    assert TOLD == [("Own", {"of": 1}), "gone"]
    assert Own[3] == ("Own", 3)


class Row(list):
    @ag.function
    def __iter__(self):
        return iter([10, 20])


class Words(dict):
    @ag.function
    def values(self):
        return [7]

    @ag.function
    def keys(self):
        return ["other"]


class Single:
    @ag.function
    def __new__(cls, *given):
        made = super().__new__(cls)
        made.given = given
        return made


def test_methods_of_containers_may_be_decorated():
    row, words = Row([1, 2, 3]), Words(one=1)
    assert [*row] == [10, 20]
    assert len(row) == 3
    assert (words.values(), words.keys(), len(words)) == ([7], ["other"], 1)


def test_what_makes_objects_may_be_decorated():
    single = Single(3)
    assert single.given == (3,)
    assert single.__new__(Single).given == ()


class Measured(np.ndarray):
    @ag.function
    def __array_finalize__(self, obj):
        self.unit = getattr(obj, "unit", None)


@ag.function
def doubled(x):
    made = (x * 2).view(Measured)
    made.unit = "m"
    made[0] = 7
    return made


def test_what_numpy_calls_of_itself_may_be_decorated():
    made = doubled(np.arange(3.0))
    assert type(made) is Measured
    assert (made[1:].unit, made.tolist()) == ("m", [7.0, 2.0, 4.0])


class Telling(list):
    def extend(self, items):
        super().extend([*items, "told"])


@ag.function
def added_to(row, x):
    row.append(x)
    return len(row)


def test_a_list_is_given_its_items_by_no_method_of_its_class():
    row = Telling([1])
    for _ in range(3):
        added_to(row, 2)
    assert [*row] == [1, 2, 2, 2]
    containers.put(row, [3, 4])
    assert [*row] == [3, 4]
