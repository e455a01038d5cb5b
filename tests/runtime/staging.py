"""Staging a plain function for the tests of ops and of NumPy's functions on tensors."""

from __future__ import annotations

import copy
import io
import warnings
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import Any

import numpy as np

from runtime.backends.numpy import compile_graph
from runtime.build import Frame, building
from runtime.graph import Graph
from runtime.spec import TensorSpec, spec_of
from runtime.tensor import Tensor, value_of
from runtime.verify import verify

# How much of the arguments' shapes a trace is told.
STATIC = spec_of


def unknown_dims(x: Any) -> TensorSpec:
    """The spec of `x` with its sizes left open."""
    known = spec_of(x)
    return known.with_shape((None,) * len(known.shape or ()))


def unknown_rank(x: Any) -> TensorSpec:
    """The spec of `x`, if an array, with even its number of dims left open."""
    known = spec_of(x)
    return known if known.shape == () else known.with_shape(None)


def trace(
    function: Callable[..., Any],
    *args: Any,
    spec: Callable[[Any], TensorSpec] = STATIC,
) -> tuple[Graph, Callable[[list[Any]], Any]]:
    """The graph of `function(*args)`, and what puts its outputs in their structure."""
    frame = Frame("f")
    # As in the trace that is made once more.
    frame.trace.references = frame.trace.varies = True
    with building(frame):
        inputs = [
            Tensor(frame.add_input(spec(x)), scalar=not isinstance(x, np.ndarray))
            for x in args
        ]
        result = function(*inputs)
        leaves: list[Any] = []
        rebuild = _flatten((result, inputs), leaves)
        graph = frame.close([value_of(leaf) for leaf in leaves])
    verify(graph)
    return graph, lambda outputs: rebuild(iter(outputs))


def _flatten(part: Any, leaves: list[Any]) -> Callable[[Any], Any]:
    if isinstance(part, (tuple, list)):
        parts = [_flatten(one, leaves) for one in part]
        kind = type(part)
        if hasattr(kind, "_fields"):
            return lambda outputs: kind(*(one(outputs) for one in parts))
        return lambda outputs: kind(one(outputs) for one in parts)
    if part is None or isinstance(part, (str, np.dtype)):
        return lambda outputs: part
    leaves.append(part)
    return next


def stage(
    function: Callable[..., Any],
    *args: Any,
    spec: Callable[[Any], TensorSpec] = STATIC,
) -> Any:
    """(result, arguments afterwards) of `function` run as a graph."""
    graph, rebuild = trace(function, *args, spec=spec)
    given = copy.deepcopy(args)
    outputs = compile_graph(graph)(*given)
    for value, output in zip(graph.outputs, outputs, strict=True):
        check_spec(value.spec, output)
    return rebuild(outputs)


def check_spec(spec: TensorSpec, output: Any) -> None:
    """Assert that a graph's declared spec is true of what came out."""
    assert spec.describes(spec_of(output)), f"{spec!r} is not {spec_of(output)!r}"


def run(function: Callable[..., Any], *args: Any) -> tuple[Any, str]:
    """((result, arguments afterwards), what was printed), or the exception's type."""
    text = io.StringIO()
    with redirect_stdout(text), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            result = function(*args)
        except Exception as error:
            return type(error), str(error)
    return result, text.getvalue()


def assert_same(plain: Any, staged: Any) -> None:
    """Assert equal structure, types, dtypes, shapes and bits (any NaN is NaN)."""
    if isinstance(plain, (tuple, list)):
        assert type(plain) is type(staged)
        assert len(plain) == len(staged)
        for one, other in zip(plain, staged, strict=True):
            assert_same(one, other)
        return
    # A 0-d array may come back as the NumPy scalar that it holds, and the reverse.
    plain, staged = (
        x[()] if isinstance(x, np.ndarray) and x.ndim == 0 else x
        for x in (plain, staged)
    )
    assert type(plain) is type(staged), f"{type(plain)} became {type(staged)}"
    if isinstance(plain, (np.ndarray, np.generic)):
        assert plain.dtype == staged.dtype
        assert plain.shape == staged.shape
        np.testing.assert_array_equal(plain, staged)
    else:
        assert plain == staged or (plain != plain and staged != staged)


def check(
    function: Callable[..., Any],
    *args: Any,
    spec: Callable[[Any], TensorSpec] = STATIC,
    any_error: bool = False,
) -> None:
    """Assert that a function does the same plain and as a graph.

    Compared are results, the arguments afterwards, printed text, exception type.
    any_error: of several errors another one may come first
    """
    mine = copy.deepcopy(args)
    plain, text = run(lambda: (function(*mine), list(mine)))
    staged, staged_text = run(lambda: stage(function, *args, spec=spec))
    if isinstance(plain, type) and issubclass(plain, Exception):
        assert isinstance(staged, type), f"{plain} {text} is not raised"
        assert any_error or staged is plain, (
            f"{plain} {text} became {staged} {staged_text}"
        )
        return
    assert not isinstance(staged, type), f"it raised {staged}: {staged_text}"
    assert text == staged_text
    assert_same(plain, staged)
