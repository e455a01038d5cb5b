"""An array of texts that a function makes holds what its methods write, by data."""

import numpy as np
import pytest

import autograph as ag


def fills(c, k):
    names = np.array(["a", "b", "c"])
    names.fill("z" if c else "q")
    return names == "z", names


def flat(c, k):
    names = np.array(["a", "b", "c"])
    names.flat[k] = "z"
    return names == "z", names


def flat_whole(c, k):
    names = np.array([["a", "b", "c"]])
    names.flat = "z" if c else "q"
    names.flat[k:] = "r"
    return names == "z", names


def puts(c, k):
    names = np.array(["a", "b", "c"])
    names.put(k, "z" if c else "q")
    return names == "z", names


def sorts(c, k):
    names = np.array(["c", "b", "a"])
    if c:
        names.sort()
    return names, names[0] == "a"


def in_a_branch(c, k):
    names = np.array(["a", "b"])
    if c:
        names.fill("z")
    else:
        names.flat[0] = "r"
    return names, names == "z"


def in_a_loop(c, k):
    names = np.array(["a", "b"])
    for _ in range(k):
        names.fill("z")
    return names, names == "z"


def objects(c, k):
    things = np.array([1, None, "a"], object)
    if c:
        things.fill(2)
    things.flat[k] = 5
    return things


PROGRAMS = (fills, flat, flat_whole, puts, sorts, in_a_branch, in_a_loop, objects)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda one: one.__name__)
def test_it_holds_what_it_holds_in_python(program):
    staged = ag.function(program)
    for c, k in ((1, 0), (0, 1), (1, 1), (0, 0)):
        given = np.int64(c), np.int64(k)
        assert repr(staged(*given)) == repr(program(*given))


def test_what_is_known_is_written_while_tracing():
    @ag.function
    def made(x):
        names = np.array(["b", "a"])
        names.sort()
        names.flat[1] = "z"
        return x + 1, names == "z"

    for _ in range(2):
        np.testing.assert_array_equal(made(np.ones(2))[1], [False, True])
    assert len(made.concrete_functions) == 1
