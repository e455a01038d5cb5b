"""The NumPy executor: a graph becomes flat Python text over NumPy, compiled once."""

from runtime.backends.numpy.executor import compile_graph, explain, locate

__all__ = ["compile_graph", "explain", "locate"]
