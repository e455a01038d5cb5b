"""runtime: graphs, what their ops mean, and how they are run. Needs only NumPy."""

__distribution__ = "autograph-numpy"
