"""DOT: a scene in the language of Graphviz, for who wants another layout or tool.

A box with levels inside is a cluster: its title stands at the head, what it gives at
the foot, and dotted edges lead from the head to the inputs and from the returns to the
foot.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from runtime.graph import Graph
from runtime.view.scene import Item, Level, scene

DEFAULTS = (
    'node [shape=box style=filled fillcolor="#f6f8fa" fontname=monospace fontsize=10]',
    "edge [color=gray40 fontname=monospace fontsize=8]",
    "graph [color=gray fontname=monospace fontsize=10]",
)
COLOURS = {
    "input": "#ddf4ff",
    "constant": "#fff8c5",
    "effect": "#ffebe9",
    "return": "#dafbe1",
}


def to_dot(graph: Graph) -> str:
    """The graph in DOT, each node with its source line as its tooltip."""
    level = scene(graph)
    lines = [
        f"digraph {quoted(level.title)} {{",
        *(f"  {line}" for line in DEFAULTS),
        *(f"  {line}" for line in _Writer().level(level)),
        "}",
    ]
    return "\n".join(lines) + "\n"


def quoted(text: str) -> str:
    """`text` as a string of DOT, whose lines stay lines.

    >>> print(quoted('say "a\\\\b"'))
    "say \\"a\\\\b\\""
    """
    text = re.sub(r'([\\"])', r"\\\1", text)
    return '"' + text.replace("\n", "\\n") + '"'


class _Writer:
    """The numbers given so far."""

    def __init__(self) -> None:
        self.count = 0

    def fresh(self) -> str:
        self.count += 1
        return f"n{self.count}"

    def level(self, level: Level) -> Iterator[str]:
        """The nodes and edges of a level, its clusters inside."""
        yield from self._inside(level)[2]

    def _inside(self, level: Level) -> tuple[list[str], list[str], list[str]]:
        """The names of the inputs and of the return, and the lines."""
        entries, leaves, lines = [], [], []
        heads, feet = [], []
        for item in level.items:
            head, foot, written = self._item(item)
            heads.append(head)
            feet.append(foot)
            lines += written
        for name, item in zip(heads, level.items, strict=True):
            if item.kind == "input":
                entries.append(name)
            elif item.kind == "return":
                leaves.append(name)
        for edge in level.edges:
            way = f"{feet[edge.source]} -> {heads[edge.target]}"
            lines.append(f"{way} [label={quoted(edge.label)}]")
        for before, after in level.orders:
            lines.append(f"{feet[before]} -> {heads[after]} [style=dashed]")
        return entries, leaves, lines

    def _item(self, item: Item) -> tuple[str, str, list[str]]:
        """Where edges arrive and leave, and the lines of a box."""
        head = self.fresh()
        look = f' fillcolor="{COLOURS[item.kind]}"' if item.kind in COLOURS else ""
        if item.location is not None:
            look += f" tooltip={quoted(str(item.location))}"
        if not item.levels:
            label = "\n".join(filter(None, (item.title, *item.cells)))
            return head, head, [f"{head} [label={quoted(label)}{look}]"]
        lines = [
            f"subgraph cluster_{head} {{",
            f"  label={quoted(item.title)} color=mediumpurple",
            f"  {head} [label={quoted(item.title)} shape=plain{look}]",
        ]
        foot = self.fresh() if item.cells else head
        for level in item.levels:
            name = self.fresh()
            entries, leaves, inside = self._inside(level)
            lines += [
                f"  subgraph cluster_{name} {{",
                f"    label={quoted(level.title)} color=gray",
                *(f"    {line}" for line in inside),
                "  }",
                *(f"  {head} -> {entry} [style=dotted]" for entry in entries),
                *(
                    f"  {leaf} -> {foot} [style=dotted]"
                    for leaf in leaves
                    if foot != head
                ),
            ]
        if item.cells:
            lines.append(f"  {foot} [label={quoted(chr(10).join(item.cells))}]")
        lines.append("}")
        return head, foot, lines
