"""summary: event files of graphs for TensorBoard, written without TensorFlow."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from runtime.config import config
from runtime.view.events import write_graph
from runtime.view.tensorboard import graph_def
from tracer.concrete import ConcreteFunction
from tracer.log import LISTENERS


@contextmanager
def trace(logdir: str | os.PathLike[str]) -> Iterator[None]:
    """Write the graphs that are run in the block, with their loops and branches.

    logdir: the folder that `tensorboard --logdir` is given; made if it is not there

    >>> import tempfile, numpy as np, autograph as ag
    >>> double = ag.function(lambda x: x * 2)
    >>> with tempfile.TemporaryDirectory() as logdir:
    ...     with trace(logdir):
    ...         _ = double(np.ones(2))
    ...     [name.partition(".tfevents")[0] for name in os.listdir(logdir)]
    ['events.out']

    A block in which nothing is run writes nothing; one that raises writes what was run.
    """
    met: dict[ConcreteFunction, None] = {}
    LISTENERS.append(met.setdefault)
    try:
        with config.watched():
            yield
    finally:
        LISTENERS.remove(met.setdefault)
        if met:
            write_graph(logdir, graph_def([concrete.graph for concrete in met]))
