"""Run a row plain and as graphs: alone, in a branch in a loop, and with unknown sizes.

A verdict is "same", "refused" (an error that plain Python does not raise) or "wrong",
and what the call became: an op, a few, a host call, or nothing (known while tracing).
"""

from __future__ import annotations

import contextlib
import copy
import io
import linecache
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import autograph as ag
from autograph.differences import between, error_text
from runtime.graph import Graph
from runtime.op import OPS
from tests.conformance.numpy_calls.rows import ARGUMENTS, SIZED, Row

# A program by its form: {call} and {letters} are the row's, {sized} gives the arrays
# among the letters sizes that are not known before the run.
FORMS = {
    "alone": """
def program(_k, {letters}):
    {call}
""",
    "inside": """
def program(_k, {letters}):
    result = None
    for step in range(_k):
        if step > 96:
            {result}
    return result
""",
    "sized": """
def program(_k, {letters}):
    {sized}
    {call}
""",
}
_LAST = np.int64(99)


@dataclass(frozen=True)
class Verdict:
    """What was seen: word is same, refused or wrong; text says how."""

    word: str
    text: str = ""


def program(row: Row, form: str) -> Callable[..., Any]:
    """The function of a row in one of the forms."""
    letters = row.letters
    changes = row.section == "Functions that change an array"
    everything = f"[{', '.join(letters)}]"
    sized = "; ".join(f"{name} = {SIZED[name]}" for name in letters if name in SIZED)
    scipy = "import scipy\n" if "scipy." in row.text else ""
    source = f"import numpy as np\n{scipy}" + FORMS.get(form, form).format(
        letters=", ".join(letters),
        call=f"{row.text}; return {everything}" if changes else f"return {row.text}",
        result=f"{row.text}; result = {everything}"
        if changes
        else f"result = {row.text}",
        sized=sized or "pass",
    )
    file = f"<{form}: {row.text}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    namespace: dict[str, Any] = {"__name__": "numpy_calls"}
    exec(compile(source, file, "exec"), namespace)
    made: Callable[..., Any] = namespace["program"]
    return made


def plain_result(row: Row) -> Any:
    """What plain Python gives; None where it raises."""
    return observe(program(row, "alone"), row).result


def measured(row: Row, form: str = "alone") -> Verdict:
    """The program of a row, plain, as a new graph and as the same graph again.

    form: of FORMS, or the text of another
    """
    plain = program(row, form)
    graph = ag.function(plain)
    expected = observe(plain, row)
    for _ in range(2):
        verdict = compared(expected, observe(graph, row))
        if verdict.word != "same":
            return verdict
    return Verdict("same")


@dataclass(frozen=True)
class _Outcome:
    """What can be seen of a call."""

    result: Any
    raised: Exception | None
    printed: str
    arguments: list[Any]


def observe(function: Callable[..., Any], row: Row) -> _Outcome:
    """All that can be seen of a call with the row's arguments."""
    arguments = [_LAST, *(copy.copy(ARGUMENTS[name]) for name in row.letters)]
    printed, result, raised = io.StringIO(), None, None
    with (
        contextlib.redirect_stdout(printed),
        warnings.catch_warnings(),
        np.errstate(all="ignore"),
        ag.config(strict=True),
    ):
        warnings.simplefilter("ignore")
        np.random.seed(3)
        try:
            result = function(*arguments)
        except Exception as error:
            raised = error
    return _Outcome(result, raised, printed.getvalue(), arguments)


def compared(python: _Outcome, graph: _Outcome) -> Verdict:
    """The verdict on a graph's outcome."""
    if error_text(python.raised) != error_text(graph.raised):
        word = "refused" if python.raised is None else "wrong"
        return Verdict(word, error_text(graph.raised))
    told = list(between("the result", python.result, graph.result))
    told += between("the arguments", python.arguments, graph.arguments)
    told += between("printed", python.printed, graph.printed)
    return Verdict("wrong", "\n".join(told)) if told else Verdict("same")


def became(row: Row) -> str:
    """What the call is in the graph: op, composed, host call, constant; or refused."""
    arguments = [_LAST, *(copy.copy(ARGUMENTS[name]) for name in row.letters)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        staged = ag.function(program(row, "alone"))
        try:
            graph = staged.get_concrete_function(*arguments).graph
        except NotImplementedError:
            return "as Python"
        except Exception:
            return "refused"  # as plain Python does
    ops = set(_ops(graph))
    if ops & {"host_call", "apply"}:
        return "host call"
    if not ops - {"constant"}:
        return "constant"
    name = row.function.rpartition(".")[2]
    own = getattr(np, name, None)
    if any((OPS[op].numpy is own and own is not None) or op == name for op in ops):
        return "op"
    return "composed"


def _ops(graph: Graph) -> list[str]:
    found = []
    for node in graph.nodes:
        found.append(node.op.name)
        for inner in node.graphs:
            found.extend(_ops(inner))
    return found
