"""Written: which nodes give the content that an array is given at once.

`x += y` makes the value `x + y` and writes it. The node remembers that, for a run that
writes it into the memory of x does what Python does, also where something fails later.
"""

from __future__ import annotations

from dataclasses import replace

from runtime.build import Frame
from runtime.graph import Value


def note_written(frame: Frame, before: Value, after: Value) -> None:
    """Note that an array has changed from one value to another just now."""
    at = len(frame.nodes) - 1
    while at >= 0 and frame.nodes[at].op.name == "constant":
        at -= 1
    if at < 0 or frame.trace.guards:
        return
    node, before = frame.nodes[at], frame.use(before)
    places = [place for place, one in enumerate(node.inputs) if one is before]
    if node.outputs == (after,) and places:
        frame.nodes[at] = replace(node, into=places[0])
