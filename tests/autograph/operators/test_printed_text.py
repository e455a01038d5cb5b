"""What libraries print: at each call, of the values, as Python prints it."""

import pprint
import sys
import threading
import traceback

import numpy as np
import pytest

import autograph as ag
from autograph.operators.printed_text import held_back
from runtime.build import Frame, building
from runtime.errors import PythonTypeError


def printing(x):
    pprint.pprint([x, "a"])
    if x > 0:
        pprint.pprint({"positive": x})
    return x


def telling(x):
    try:
        return [1.0][int(x) + 5]
    except IndexError:
        traceback.print_exc(limit=0)
    return x


def saving(x):
    np.savetxt(sys.stdout, np.ones(2) * x, fmt="%g")
    if x > 0:
        pprint.pprint(x, stream=sys.stderr)
    return x


def wrote(x, out):
    if x > 0:
        out.write(str(x))


def handing_on(x):
    wrote(x, sys.stdout)
    return x


@pytest.mark.parametrize("function", [printing, telling, saving, handing_on])
def test_a_library_prints_at_each_call_what_it_prints_in_python(function, capsys):
    staged = ag.function(function)
    for x in (np.float64(1.5), np.float64(-2.0), np.float64(1.5)):
        function(x)
        expected = capsys.readouterr()
        staged(x)
        assert capsys.readouterr() == expected


def test_what_the_users_functions_write_needs_no_python():
    with ag.config(strict=True):
        assert "write" in str(ag.function(handing_on).get_concrete_function(1.5).graph)


def test_a_trace_for_effects_of_its_own_prints_once(capsys):
    staged = ag.function(printing, python_effects="trace")
    staged(np.float64(1.5)), staged(np.float64(2.5))
    assert capsys.readouterr().out.splitlines()[0] == "[Tensor(float64[]), 'a']"


def test_other_threads_print_meanwhile(capsys):
    with building(Frame("f")), held_back(print):
        other = threading.Thread(target=print, args=("other",))
        other.start()
        other.join()
    assert capsys.readouterr().out == "other\n"


def test_what_is_held_back_says_that_it_prints(capsys):
    words = "print prints, which each call of it has to do"
    with pytest.raises(PythonTypeError, match=words):
        with building(Frame("f")), held_back(print):
            print("no")
    assert capsys.readouterr().out == ""


def test_what_python_raises_names_no_trace_as_its_cause():
    def failing(x):
        pprint.pprint(x)
        raise ValueError("no")

    for _ in range(2):
        with pytest.raises(ValueError, match="no") as raised:
            ag.function(failing)(np.float64(1.0))
        assert raised.value.__context__ is None
