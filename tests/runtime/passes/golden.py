"""Golden tests of passes: program text in, program text out."""

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.graph import Graph
from runtime.spec import TensorSpec
from runtime.text import parse
from runtime.text_print import print_graph
from runtime.verify import verify

Pass = Callable[[Graph], Graph]


def check(rewrite: Pass, before: str, after: str, objects: Any = None) -> None:
    """`rewrite` makes `after` of `before`; names of values do not count."""
    found = verify(rewrite(verify(parse(before, objects))))
    wanted = verify(parse(after, objects))
    table = dict(objects or {})
    assert print_graph(found, table) == print_graph(wanted, table)


class FakeVariable:
    """What a read of a Variable needs to know of it."""

    def __init__(self) -> None:
        self.spec = TensorSpec((3,), np.float64)
