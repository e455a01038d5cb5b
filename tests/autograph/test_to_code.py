"""to_code: the text of the converted form, and that it means what the function does."""

import functools
import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
from autograph import operators
from tests.autograph.converters.samples import Sample, name, observe, same

HERE = Path(__file__).parent


def my_function(x):
    if np.sum(x) <= 1:
        return x * x
    else:
        return x - 1


TUTORIAL = """\
def my_function(x):
    def get_state():
        return ()

    def set_state(vars_):
        pass

    def if_body():
        return ag__.Return(x * x)

    def else_body():
        return ag__.Return(x - 1)
    return ag__.returned(ag__.if_stmt(ag__.converted_call(np.sum, (x,)) <= 1, if_body, else_body, get_state, set_state, (), 0))
"""  # noqa: E501 - the text is as it is printed


def collatz(n):
    """How many steps `n` takes."""
    count = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        count += 1
    return count


COLLATZ = '''\
def collatz(n):
    """How many steps `n` takes."""
    count = 0

    def get_state():
        return ag__.ldu(lambda: count), ag__.ldu(lambda: n)

    def set_state(vars_):
        nonlocal count, n
        count, n = vars_

    def loop_test():
        return n != 1

    def loop_body():
        nonlocal count, n
        n = ag__.if_exp(n % 2 == 0, lambda: n // 2, lambda: 3 * n + 1)
        count += 1
    ag__.while_stmt(loop_test, loop_body, get_state, set_state, ('count', 'n'), 2)
    return count
'''


def first_negative(x, *, default: int = -1) -> int:
    for i, value in enumerate(x):
        if value < 0:
            break
    else:
        i = default
    return i


FIRST_NEGATIVE = """\
def first_negative(x, *, default: int = -1) -> int:
    value: ag__.local

    def get_state():
        return ag__.ldu(lambda: i), ag__.ldu(lambda: value)

    def set_state(vars_):
        nonlocal i, value
        i, value = vars_
    else_body = ag__.nothing

    def loop_body(item):
        nonlocal i, value
        i, value = ag__.unpack(item, 2)

        def if_body():
            return ag__.BREAK
        return ag__.if_stmt(value < 0, if_body, else_body, get_state, set_state, (), 0)

    def loop_else():
        nonlocal i
        i = default
    ag__.for_stmt(ag__.converted_call(enumerate, (x,)), loop_body, get_state, set_state, ('i', 'value'), 1, loop_else)
    i = ag__.certain(i)
    return i
"""  # noqa: E501 - the text is as it is printed


def grade(x):
    if x > 9:
        return "A"
    if x > 7:
        mark = "B"
    elif x > 5:
        mark = "C"
    elif x > 3:
        mark = "D"
    else:
        mark = "E"
    return mark


GRADE = """\
def grade(x):
    mark: ag__.local

    def get_state():
        return ag__.ldu(lambda: mark),

    def set_state(vars_):
        nonlocal mark
        mark, = vars_

    def if_body():
        return ag__.Return('A')

    def else_body():
        def if_body_1():
            nonlocal mark
            mark = 'B'

        def else_body_1():
            ag__.if_stmt(x > 5, if_body_2, else_body_2, get_state, set_state, ('mark',), 1)

        def if_body_2():
            nonlocal mark
            mark = 'C'

        def else_body_2():
            ag__.if_stmt(x > 3, if_body_3, else_body_3, get_state, set_state, ('mark',), 1)

        def if_body_3():
            nonlocal mark
            mark = 'D'

        def else_body_3():
            nonlocal mark
            mark = 'E'
        ag__.if_stmt(x > 7, if_body_1, else_body_1, get_state, set_state, ('mark',), 1)
        return ag__.Return(mark)
    return ag__.returned(ag__.if_stmt(x > 9, if_body, else_body, get_state, set_state, ('mark',), 0))
"""  # noqa: E501 - the text is as it is printed


def quarter(x):
    return half(half(x))


def half(x):
    return x / 2 if x > 0 else helper.zero(x)


class helper:
    @staticmethod
    def zero(x):
        return x and 0


@ag.function
def uses_a_decorated_one(x):
    return decorated(x)


@ag.function
def decorated(x):
    return not x


class Model:
    def __init__(self):
        self.__scale = 2

    def method(self, x):
        self.last = x
        return self.__scale * x if x > 0 else super().__hash__()

    def __call__(self, x):
        return self.method(x) or 1


METHOD = """\
def method(self, x):
    ag__.set_attr(x, self, 'last')
    return ag__.if_exp(x > 0, lambda: ag__.get_attr(self, '_Model__scale') * x, lambda: ag__.converted_call(super(__class__, self).__hash__, ()))
"""  # noqa: E501 - the text is as it is printed

CALL = """\
def __call__(self, x):
    return ag__.or_(ag__.converted_call(self.method, (x,)), lambda: 1)
"""


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (my_function, TUTORIAL),
        (collatz, COLLATZ),
        (first_negative, FIRST_NEGATIVE),
        (grade, GRADE),
        (ag.function(collatz), COLLATZ),
        (functools.partial(collatz, 3), COLLATZ),
        (Model.method, METHOD),
        (Model().method, METHOD),
        (Model(), CALL),
        (lambda x: x and 1, "lambda x: ag__.and_(x, lambda: 1)\n"),
    ],
    ids=[
        "if",
        "while",
        "for",
        "elif",
        "decorated",
        "partial",
        "function",
        "bound",
        "object",
    ]
    + ["lambda"],
)
def test_the_text_of_the_converted_form(function: Any, text: str) -> None:
    assert ag.to_code(function) == text


def test_names_are_the_same_each_time() -> None:
    assert ag.to_code(first_negative) == ag.to_code(first_negative) == FIRST_NEGATIVE


def test_the_function_is_not_changed() -> None:
    before = first_negative.__code__
    ag.to_code(first_negative)
    assert first_negative.__code__ is before


def test_recursive_shows_the_functions_named_callees_first() -> None:
    assert ag.to_code(quarter, recursive=True) == "\n\n".join(
        [ag.to_code(half), ag.to_code(quarter)]
    )
    assert "def half" not in ag.to_code(quarter)


def test_recursive_goes_through_decorated_functions() -> None:
    assert ag.to_code(uses_a_decorated_one, recursive=True) == (
        "def decorated(x):\n    return ag__.not_(x)\n\n\n"
        "def uses_a_decorated_one(x):\n"
        "    return ag__.converted_call(decorated, (x,))\n"
    )


def test_recursive_goes_through_closures_and_ends_at_cycles() -> None:
    def even(n):
        return True if n == 0 else odd(n - 1)

    def odd(n):
        return False if n == 0 else even(n - 1)

    text = ag.to_code(even, recursive=True)
    assert text == f"{ag.to_code(odd)}\n\n{ag.to_code(even)}"


@pytest.mark.parametrize("thing", [3, np.sin, len, "text"])
def test_what_is_no_python_function_is_refused(thing: Any) -> None:
    with pytest.raises(TypeError) as caught:
        ag.to_code(thing)
    assert str(caught.value) == f"to_code takes a Python function, not {thing!r}"


def samples_of_every_construct() -> list[Sample]:
    modules = sorted(path.stem for path in (HERE / "converters").glob("test_*.py"))
    prefix = "tests.autograph.converters."
    loaded = [importlib.import_module(prefix + module) for module in modules]
    return [
        sample
        for module in loaded
        if hasattr(module, "samples")
        for sample in module.samples.all
    ]


def executed(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function that the text of the converted form defines."""
    names = {**function.__globals__, "ag__": operators}
    exec(ag.to_code(function), names)
    return names[function.__name__]


# `global` is another module's where the text is run.
ELSEWHERE = {"a_global_is_counted"}


@pytest.mark.parametrize(
    "sample",
    [s for s in samples_of_every_construct() if name(s) not in ELSEWHERE],
    ids=name,
)
def test_the_text_when_run_does_what_the_function_does(sample: Sample) -> None:
    again = executed(sample.function)
    for arguments in sample.calls:
        python = observe(sample.function, arguments)
        assert same(python, observe(again, arguments))
