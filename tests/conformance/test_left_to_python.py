"""What only Python sees or waits for: frames, objects that are gone, coroutines."""

import asyncio
import functools
import gc
import inspect
import io
import sys
import weakref

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import Programs, check

NUMBERS = (np.float64(2.0),), (3,)
PROGRAMS = Programs()


@PROGRAMS(*NUMBERS)
def names_in_a_frame(x):
    y = x * 2
    own = sys._getframe().f_locals["y"]
    return own + inspect.currentframe().f_locals["y"] + y


@PROGRAMS((np.ones(3),), (np.ones((2, 3)),))
def size_in_memory(x):
    return sys.getsizeof(x), sys.getsizeof(x + 1), sys.getsizeof(x[0] * 2)


class Thing:
    pass


class Hidden:
    def __init__(self, x):
        self.x = x

    def __dict__(self):
        return {"x": self.x}


@PROGRAMS(*NUMBERS)
def what_a_class_hides(x):
    hidden = Hidden(x)
    hidden.x += 1
    return hidden.x, hidden.__dict__()


def held_by(hidden):
    hidden.x += 1
    return hidden.x, hidden.__dict__()


def test_an_object_that_hides_what_it_holds_is_asked_in_python():
    staged, hidden = ag.function(held_by), Hidden(1)
    assert staged(hidden) == (2, {"x": 2})
    hidden.x = 5
    assert staged(hidden) == (6, {"x": 6})


@PROGRAMS(*NUMBERS)
def how_many_there_are(x):
    before = len(gc.get_objects())
    things = [Thing() for _ in range(50)]
    more = len(gc.get_objects()) - before
    found = [one for one in gc.get_objects() if type(one) is Thing]
    inside = [one for one in gc.get_referents(things) if one is things[0]]
    return more >= 50, len(found), len(inside), sys.getrefcount(things), x


@PROGRAMS(*NUMBERS)
def told_when_it_is_gone(x):
    thing = Thing()
    end = weakref.finalize(thing, print, "gone")
    print(end.alive, x)
    thing = x
    print(end.alive, thing)


@PROGRAMS(*NUMBERS)
def an_expression_that_waits(x):
    async def doubled(number):
        return number * 2 + x

    async def collected(given):
        return [one async for one in given]

    waiting = (await doubled(number) for number in range(3))
    return asyncio.run(collected(waiting))


async def added(number, more):
    return number + more


ONE_MORE = functools.partial(added, 1)


@PROGRAMS(*NUMBERS)
def a_partial_one_that_waits(x):
    return asyncio.run(ONE_MORE(x)), x


@PROGRAMS(*NUMBERS)
def an_expression_over_what_waits(x):
    async def numbers():
        yield 1
        yield x

    async def collected(given):
        return [one async for one in given]

    return asyncio.run(collected(one * 2 async for one in numbers()))


@PROGRAMS(*NUMBERS)
def closed_in_memory(x):
    text = io.BytesIO(b"abc")
    first = text.flush()
    text.close()
    try:
        text.flush()
    except ValueError as error:
        return first, str(error), x
    return None


@pytest.mark.parametrize(("program", "calls"), PROGRAMS)
def test_it_is_what_python_does(program, calls):
    check(program, calls)


def what_is_handled(x):
    own = ""
    try:
        raise KeyError(x)
    except KeyError:
        own = sys.exc_info()[0].__name__
    return own, str(sys.exc_info()[1]), x


def test_what_is_handled_where_it_is_called_is_asked_by_each_call():
    staged = ag.function(what_is_handled)
    for error in (ValueError("one"), ValueError("two")):
        assert staged(3) == ("KeyError", "None", 3)
        try:
            raise error
        except ValueError:
            assert staged(3) == ("KeyError", str(error), 3)


def handles_its_own(x):
    try:
        raise KeyError(3)
    except KeyError:
        name = sys.exc_info()[0].__name__
    return name, x * 2


def test_what_a_function_handles_itself_is_in_its_graph():
    staged = ag.function(handles_its_own)
    assert staged(np.float64(2.0)) == ("KeyError", 4.0)
    assert staged.concrete_functions
