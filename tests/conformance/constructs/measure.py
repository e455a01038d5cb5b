"""Call the program of a row plain and as a graph: the same, refused, or wrong.

A refusal is an error that plain Python does not raise, told at a line of the user's
(its note names a line of the program's file) and before anything is printed, written or
returned. Anything else that differs is wrong.
"""

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import autograph as ag
from autograph.same import assert_same_as_python
from tests.conformance.constructs.justified import DECIDED, reason
from tests.conformance.constructs.rows import Row

FOLDER = str(Path(__file__).parent)


@dataclass(frozen=True)
class Verdict:
    """What was seen: `word` is same, refused, decided or wrong; `text` says how."""

    word: str
    text: str = ""


def measured(row: Row) -> Verdict:
    """The program called by itself, with each set of arguments."""
    graph = ag.function(row.program)
    return _worst(row, (_call(graph, args, row.keywords) for args in row.sets))


def measured_inside(row: Row) -> Verdict:
    """The program called inside an if inside a for, both depending on data."""
    if row.slow:
        return measured(row)
    graph = ag.function(inside(row.program))
    steps = np.array([0.0, 1.0, 1.0])
    calls = (_call(graph, (steps, *args), row.keywords) for args in row.sets)
    return _worst(row, calls)


def measured_native(row: Row) -> Verdict:
    """The program called by itself, with all that can be made machine code at once."""
    with ag.config(backend="native"):
        return measured(row)


def inside(program: Callable[..., Any]) -> Callable[..., Any]:
    """`program` in the middle of what depends on data; run twice."""

    def nested(steps, *args, **keywords):  # type: ignore[no-untyped-def] # it takes all that there is
        result = None
        for step in steps:
            if step > 0:
                result = program(*args, **keywords)
        return result

    return nested


def _worst(row: Row, verdicts: Iterable[Verdict]) -> Verdict:
    """The worst; a refusal is a refusal whatever the other arguments are."""
    worst = Verdict("same")
    for verdict in verdicts:
        if verdict.word == "refused":
            return verdict
        if verdict.word == "wrong":
            worst = Verdict("decided") if row.name in DECIDED else verdict
    return worst


def _call(graph: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> Verdict:
    quiet = warnings.catch_warnings(), np.errstate(all="ignore")
    with quiet[0], quiet[1], ag.config(strict=True):
        warnings.simplefilter("ignore")
        try:
            assert_same_as_python(graph, *args, **keywords)
        except AssertionError as error:
            if "is not the same as a graph" in str(error):
                return _told(error)
        except Exception:  # both raise it
            pass
    return Verdict("same")


def _told(error: AssertionError) -> Verdict:
    cause = error.__cause__
    if cause is None or not _is_refusal(cause, str(error)):
        return Verdict("wrong", str(error))
    first = str(cause).splitlines()[0] if str(cause) else ""
    text = f"{type(cause).__name__}: {first}"
    return Verdict("refused", text) if reason(text) else Verdict("wrong", str(error))


def _is_refusal(cause: BaseException, told: str) -> bool:
    """Whether it is told at the user's line; that Python has no such error is known."""
    notes = "\n".join(getattr(cause, "__notes__", []))
    lines = _lines(cause)
    printed = "printed text" in told
    return bool(FOLDER in notes or lines) and not (printed and _has_run(cause))


def _lines(error: BaseException) -> list[int]:
    """The lines of programs that the traceback passes."""
    found, trace = [], error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename.startswith(FOLDER) and code.co_filename != __file__:
            found.append(trace.tb_lineno)
        trace = trace.tb_next
    return found


def _has_run(error: BaseException) -> bool:
    """Whether the graph was already running."""
    trace = error.__traceback__
    while trace is not None:
        if "backends" in trace.tb_frame.f_code.co_filename:
            return True
        trace = trace.tb_next
    return False
