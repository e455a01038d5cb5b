"""runtime: graphs, what their ops mean, and how they are run. Needs only NumPy."""

from runtime import numpy_api

__all__ = ["numpy_api"]
__distribution__ = "autograph-numpy"
