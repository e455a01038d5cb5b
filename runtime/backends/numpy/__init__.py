"""The NumPy executor: a graph becomes flat Python text over NumPy, compiled once."""

from runtime.backends.numpy.executor import Run, compile_graph, explain, locate
from runtime.backends.numpy.regions import InPlace

__all__ = ["InPlace", "Run", "compile_graph", "explain", "locate"]
