"""Run a generated program plain and as a graph, and say how the two disagree.

They agree when both return the same values, or raise the same type of exception with
the same message; print the same text; and leave the arguments in the same state. An op
that fails but is not used does not fail in the graph; so where Python raised, the graph
is run once more without its passes, and then has to raise too.
"""

import contextlib
import io
import itertools
import warnings
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

import autograph as ag
from tests.conformance.generator import Program
from tests.conformance.laid import copies

Function = Callable[..., Any]

_numbers = itertools.count()
IMPORTS = """\
import numpy as np

from tests.conformance.managers import Manager, managed
from tests.conformance.things import Record, Thing, thing
"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """All that can be observed of one call."""

    result: Any
    raised: tuple[str, str] | None
    printed: str
    arguments: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """What differs, in a word that similar cases share, and in a sentence."""

    what: str
    sentence: str
    python: Outcome
    refusal: str = ""


def load(text: str, folder: Path) -> Function:
    """The function `program` of a program, whose text is kept in a file of its own."""
    path = folder / f"program_{next(_numbers)}.py"
    source = f"{IMPORTS}\n\n{text}"
    path.write_text(source)
    namespace: dict[str, Any] = {"__name__": path.stem}
    exec(compile(source, str(path), "exec"), namespace)
    function: Function = namespace["program"]
    return function


def observe(function: Function, arguments: tuple[Any, ...]) -> Outcome:
    """Call `function` on a copy of `arguments`, with NumPy's warnings silenced.

    The arrays lie in memory as those of the arguments do.
    """
    own = copies(arguments)
    printed = io.StringIO()
    result, raised = None, None
    with (
        contextlib.redirect_stdout(printed),
        np.errstate(all="ignore"),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        try:
            result = function(*own)
        except Exception as error:
            raised = type(error).__name__, str(error)
    return Outcome(result, raised, printed.getvalue(), own)


def disagreement(python: Outcome, graph: Outcome) -> Disagreement | None:
    """How `graph` differs from `python`, or None where they agree."""
    rows: list[tuple[str, Any, Any]] = [
        ("exception", python.raised, graph.raised),
        ("printed text", python.printed, graph.printed),
        ("arguments", python.arguments, graph.arguments),
    ]
    if not python.raised:
        rows.insert(2, ("result", python.result, graph.result))
    for what, a, b in rows:
        if not agree(a, b):
            sentence = f"{what}:\n  in Python    {a!r}\n  in the graph {b!r}"
            refusal = graph.raised[1] if graph.raised else ""
            return Disagreement(what, sentence, python, refusal)
    return None


def agree(python: Any, graph: Any) -> bool:
    """Whether two values are of one type, one dtype and the same."""
    if isinstance(python, dict):
        same = type(graph) is type(python) and _factory(graph) is _factory(python)
        return same and agree(tuple(python.items()), tuple(graph.items()))
    if isinstance(python, tuple | list):
        return (
            type(graph) is type(python)
            and len(python) == len(graph)
            and all(map(agree, python, graph))
        )
    if isinstance(python, set | frozenset):
        # They are printed in an order, too.
        return type(graph) is type(python) and agree(tuple(python), tuple(graph))
    if python is None or isinstance(python, str | int):
        return type(graph) is type(python) and bool(python == graph)
    if isinstance(python, np.ndarray | np.generic):
        return type(python) is type(graph) and bits(python) == bits(graph)
    return type(python) is type(graph) and bits(python) == bits(graph)


def _factory(of: dict[Any, Any]) -> Any:
    return of.default_factory if isinstance(of, defaultdict) else None


def bits(value: Any) -> tuple[str, tuple[int, ...], bytes]:
    """The dtype, shape and bytes, with one NaN for all: Python has no say in theirs."""
    array = np.asarray(value)
    if array.dtype.kind == "f":
        array = np.where(np.isnan(array), np.nan, array)
    return array.dtype.str, array.shape, array.tobytes()


def check(
    program: Program,
    folder: Path,
    decorate: Callable[[Function], Function] = ag.function,
) -> Disagreement | None:
    """The first disagreement: traced, from the cache, and with other arguments.

    What is refused has to agree as Python, which a call is made as then.
    """
    with ag.config(strict=True):
        found = _disagreement(program, folder, decorate)
    if found and is_refused(found):
        with ag.config(strict=False):
            return _disagreement(program, folder, decorate) or found
    return found


def _disagreement(
    program: Program, folder: Path, decorate: Callable[[Function], Function]
) -> Disagreement | None:
    plain = load(program.text, folder)
    staged = decorate(plain)
    first, second = program.arguments
    for arguments in (first, first, second):
        python, graph = observe(plain, arguments), observe(staged, arguments)
        found = disagreement(python, graph)
        if found and not (
            python.raised and agrees_strictly(decorate(plain), arguments, python)
        ):
            return found
    return None


def agrees_strictly(
    staged: Function, arguments: tuple[Any, ...], python: Outcome
) -> bool:
    """Whether the graph raises what Python does when it runs every op, used or not."""
    with (
        mock.patch("tracer.concrete.optimize", lambda graph: graph),
        # What is raised while tracing waits for the ops before it.
        mock.patch("tracer.tracing.writes", return_value=True),
    ):
        graph = observe(staged, arguments)
    return agree(python.raised, graph.raised) and agree(python.printed, graph.printed)


# Refusals that docs/python.md tells of: the words that each starts with, and why. What
# they refuse is said at the user's line, before anything is computed.
REFUSED = {
    "this array may have been changed in place through another name": (
        "which of two arrays has been written depends on data; a copy is staged"
    ),
    "this changes an array that may be": (
        "which of two arrays is written depends on data; a copy is staged"
    ),
    "this changes what a loop, recursion or try may have left under two names": (
        "which of several dicts, lists or objects a name holds depends on data, and "
        "the loop that gives it another one changes it, too"
    ),
    "whether two names are one": (
        "which object each round has made is not carried; what it holds is"
    ),
    "a list is changed while something goes through it and a tensor": (
        "how many items are left depends on data; a copy is gone through"
    ),
    "a list is changed depending on data while something goes through it": (
        "how many items are left depends on data; a copy is gone through"
    ),
    "a list that holds itself, or that a function, a set or the like holds": (
        "what holds the list that each round makes is lost with another round"
    ),
    "this iterator is gone on with in a branch or loop that depends on data": (
        "how far an iterator has come that one path has made, another cannot know"
    ),
    "`.shape` of this tensor is known only at run time": (
        "an array of Python objects, as `np.where(x, x, None)` gives, has no known size"
    ),
}


def is_refused(found: Disagreement) -> bool:
    """True when the graph was refused for a documented reason, not run wrongly."""
    return found.refusal.startswith(tuple(REFUSED))
