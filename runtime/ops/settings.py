"""Settings that NumPy reads when it computes: `np.errstate`, for a part of a graph."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from runtime.effects import WRITES_WORLD
from runtime.graph import Graph
from runtime.op import op


class _Open(threading.local):
    """The settings that graphs of this thread have entered and not left."""

    def __init__(self) -> None:
        self.entered: list[np.errstate] = []


_open = _Open()


def _enter(*, settings: Mapping[str, Any]) -> tuple[()]:
    made = np.errstate(**settings)
    made.__enter__()
    _open.entered.append(made)
    return ()


@op(kernel=_enter, effects=WRITES_WORLD)
def enter_errstate(*, settings: Mapping[str, Any]) -> tuple[()]:
    """`np.errstate(**settings)` for the nodes that follow, up to `leave_errstate`."""
    return ()


def _leave() -> tuple[()]:
    _open.entered.pop().__exit__(None, None, None)
    return ()


@op(kernel=_leave, effects=WRITES_WORLD)
def leave_errstate() -> tuple[()]:
    """The settings of before the last `enter_errstate`."""
    return ()


def has_settings(graph: Graph) -> bool:
    """True when a part of the graph has settings of its own."""
    return any(
        node.op is enter_errstate or any(map(has_settings, node.graphs))
        for node in graph.nodes
    )


def left_when_it_fails(run: Callable[..., Any]) -> Callable[..., Any]:
    """`run` of a graph with settings, which leaves none behind when it raises."""

    def guarded(*inputs: Any) -> Any:
        before = len(_open.entered)
        try:
            return run(*inputs)
        finally:
            while len(_open.entered) > before:
                _leave()

    return guarded
