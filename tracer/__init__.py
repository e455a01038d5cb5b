"""tracer: Python calls become Graphs. Knows nothing of source code."""

from tracer.function import Function as Function

__distribution__ = "autograph-numpy"
