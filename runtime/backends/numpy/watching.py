"""watching: lines around the steps of a generated program, for who looks how it runs.

A program that nobody watches has none of them. What is watched runs the same steps, in
the same memory; constants are not steps.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from runtime.graph import Node

if TYPE_CHECKING:
    from runtime.backends.numpy.emit import Writer
    from runtime.backends.numpy.program import Step


class Watch(ABC):
    """What is written around each step. Steps have numbers: the places in `nodes`."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []

    def enter(self, writer: Writer, step: Step) -> int:
        """Write what comes before a step; gives its number."""
        number = len(self.nodes)
        self.nodes.append(step.node)
        writer.write_step(self.before(writer, step, number), step)
        return number

    def leave(self, writer: Writer, step: Step, number: int) -> None:
        """Write what comes after it, while its inputs are still there."""
        writer.write_step(self.after(writer, step, number), step)

    @abstractmethod
    def before(self, writer: Writer, step: Step, number: int) -> str:
        """The line before a step."""

    @abstractmethod
    def after(self, writer: Writer, step: Step, number: int) -> str:
        """The line after it, once its outputs have names."""

    def around_native(
        self, writer: Writer, step: Step, called: str
    ) -> tuple[list[str], list[str]]:
        """Lines for a call of machine code, before it and where it was not refused.

        step: the loop, or the first of the steps; called: the global that holds it
        """
        return [], []
