"""Programs with the full text of the error that each causes.

`@says(text, *arguments)` above a function is a case: decorated and called with these
arguments, the function raises what `text` says. In the text FILE and N stand for the
test's file and a line number (the line's source is in the text), and a long line goes
on in lines that are indented by six.
"""

import re
import textwrap
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import autograph as ag

Program = Callable[..., Any]
INTERNAL = re.compile(
    r"ag__|Staging|StagedText|Maybe|Held|Frame|UNDEFINED|NoneType|CannotJoin|<undefined>"
)
MOST_LINES = 8


@dataclass(frozen=True)
class Case:
    """A function to call, and what it says.

    program: the function as it is written
    options: those of `ag.function`; None where it is called as it is written
    """

    name: str
    call: Program
    arguments: tuple[Any, ...]
    text: str
    file: str
    program: Program
    options: dict[str, Any] | None


class Cases(list[Case]):
    """The cases of one test file, in order."""

    def says(self, text: str, *arguments: Any, **options: Any) -> Any:
        """The case of the function below: decorated with these options and called."""

        def add(program: Program) -> Program:
            made = ag.function(**options)(program) if options else ag.function(program)
            return self._add(text, program, made, arguments, options)

        return add

    def plainly_says(self, text: str, *arguments: Any) -> Any:
        """The case of the function below, called as it is."""
        return lambda program: self._add(text, program, program, arguments, None)

    def _add(
        self,
        text: str,
        program: Program,
        made: Program,
        arguments: tuple[Any, ...],
        options: dict[str, Any] | None,
    ) -> Program:
        file, name = program.__code__.co_filename, program.__name__
        self.append(Case(name, made, arguments, text, file, program, options))
        return made


def raised(case: Case) -> BaseException:
    """What the case's program raises, or what a graph of it is refused with."""
    graph = getattr(case.call, "get_concrete_function", case.call)
    with warnings.catch_warnings(), ag.config(strict=True):
        # A call that is made as Python may say why.
        warnings.filterwarnings("ignore", "calls that reach this are run as Python")
        for ask in (case.call, graph):
            first = _raised(ask, case)
            if first is None:
                continue
            if case.options is not None:
                # A further call is refused by what is known of this one.
                again = _raised(ask, case)
                assert again is not None, "a second call raised nothing"
                assert _whole(again) == _whole(first)
            return first
    raise AssertionError(f"{case.name} raised nothing")


def _raised(ask: Program, case: Case) -> BaseException | None:
    # What runs as Python may change an array that other cases are given, too.
    given = (np.array(x) if type(x) is np.ndarray else x for x in case.arguments)
    try:
        ask(*given)
    except BaseException as error:
        return error
    return None


def _whole(error: BaseException) -> str:
    """All that a traceback shows."""
    return "".join(traceback.format_exception(error))


def said(case: Case, error: BaseException) -> str:
    """The message and notes, as a traceback ends with them."""
    whole = "".join(traceback.format_exception_only(error))
    return re.sub(r"line \d+", "line N", whole.replace(case.file, "FILE")).rstrip()


def unwrapped(text: str) -> str:
    """The text of a case as it is said."""
    return re.sub(r" *\n {6,}", " ", textwrap.dedent(text)).strip("\n")


def check(case: Case) -> None:
    """The full text is said, in the user's words, at a line of the user's file."""
    error = raised(case)
    text = said(case, error)
    assert text == unwrapped(case.text)
    # A program of the test may use such a name itself.
    assert set(INTERNAL.findall(text)) <= set(case.program.__code__.co_varnames)
    assert len(text.splitlines()) <= MOST_LINES


def line_of(error: BaseException) -> str:
    """The source of the line that the traceback ends at."""
    return traceback.extract_tb(error.__traceback__)[-1].line or ""
