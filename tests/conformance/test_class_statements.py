"""Class statements in a decorated function: how the classes are called, and made of."""

import numpy as np
import pytest

from tests.conformance.trying import Programs, check

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


@pytest.mark.parametrize(("program", "calls"), PROGRAMS)
def test_a_class_is_what_python_makes_of_it(program, calls):
    check(program, calls)
