"""Run a row of builtin_rows.py as plain Python and as a graph, and compare exactly."""

from __future__ import annotations

import contextlib
import copy
import io
import itertools
import random
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

import autograph as ag
from tests.conformance.builtin_rows import HEADER, USUAL, Row

_numbers = itertools.count()


def load(row: Row, folder: Path) -> Callable[..., Any]:
    """The function of a row, its text in a file of its own."""
    path = folder / f"row_{next(_numbers)}.py"
    source = HEADER + row.program()
    path.write_text(source)
    namespace: dict[str, Any] = {"__name__": path.stem}
    exec(compile(source, str(path), "exec"), namespace)
    function: Callable[..., Any] = namespace["program"]
    return function


def exact(value: Any) -> Any:
    """`value` as something that is equal when type, dtype, shape and bits are."""
    if isinstance(value, np.ndarray) and value.dtype.kind == "T":
        return ("ndarray", value.dtype.str, value.tolist())
    if isinstance(value, np.ndarray):
        return ("ndarray", value.dtype.str, value.shape, value.tobytes())
    if isinstance(value, (np.generic, float, complex)):
        return (type(value).__name__, repr(value))
    if isinstance(value, (list, tuple)):
        return (type(value).__name__, [exact(part) for part in value])
    if isinstance(value, dict):
        items = [(exact(key), exact(part)) for key, part in value.items()]
        return (type(value).__name__, items)
    if hasattr(value, "__dict__") and not isinstance(value, type):
        return (type(value).__name__, exact(vars(value)))
    return (type(value).__name__, repr(value))


def observe(function: Callable[..., Any], arguments: list[Any]) -> dict[str, Any]:
    """All that can be seen of a call."""
    own = copy.deepcopy(arguments)
    printed = io.StringIO()
    seen: dict[str, Any] = {"raised": None, "result": None, "value": None}
    with (
        contextlib.redirect_stdout(printed),
        np.errstate(all="ignore"),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        try:
            random.seed(7)
            seen["value"] = function(*own)
            seen["result"] = exact(seen["value"])
        except Exception as error:
            seen["raised"] = (type(error).__name__, str(error))
    seen["printed"] = printed.getvalue()
    return seen


def differences(row: Row, folder: Path) -> list[str]:
    """Where the graph does not do what Python does: a line for each arguments."""
    plain = load(row, folder)
    staged = ag.function(plain)
    found = []
    for number, usual in enumerate(USUAL):
        arguments = [usual[name] for name in row.arguments]
        python, graph = observe(plain, arguments), observe(staged, arguments)
        if python["raised"] and not graph["raised"]:
            # An op whose result is not used is not run; it fails when it is.
            graph = observe_unpruned(plain, arguments)
        what = differs(python, graph)
        if what == "result" and loosely(python["value"]) == loosely(graph["value"]):
            what = "type"
        if what:
            shown = graph["raised"] or graph.get(what, graph["result"])
            told = python["raised"] or python.get(what, python["result"])
            found.append(f"[{number}] {what}: {told} / graph: {shown}")
    return found


def differs(python: dict[str, Any], graph: dict[str, Any]) -> str:
    """What the two disagree on; "" where they agree."""
    for what in ("raised", "result", "printed"):
        if python[what] != graph[what]:
            return what
    return ""


def observe_unpruned(plain: Callable[..., Any], arguments: list[Any]) -> dict[str, Any]:
    """The outcome of a graph all of whose ops are run."""
    with (
        mock.patch("tracer.concrete.optimize", lambda graph: graph),
        mock.patch("tracer.tracing.writes", return_value=True),
    ):
        return observe(ag.function(plain), arguments)


def loosely(value: Any) -> Any:
    """`value` with numbers of all types the same: docs/limits.md, numbers that meet."""
    if isinstance(value, (list, tuple)):
        return [loosely(part) for part in value]
    if isinstance(value, dict):
        return {key: loosely(part) for key, part in value.items()}
    if isinstance(value, np.generic | bool | int | float | complex):
        return repr(complex(value))
    return exact(value)


def is_refusal(found: str) -> bool:
    """True when the graph says that it cannot do this."""
    return " / graph: ('TypeError'" in found
