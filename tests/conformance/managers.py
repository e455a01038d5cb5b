"""The context managers of random programs."""

import contextlib


class Manager:
    def __init__(self, x0):
        self.x, self.depth = x0, 0

    def __enter__(self):
        if self.x > 2:
            self.depth += 1
        else:
            self.depth -= 1
        print("enter", self.depth)
        return (self.x * 2) % 97

    def __exit__(self, kind, error, traceback):
        self.depth = self.depth * 2 + self.x
        print("exit", kind is None, self.depth)
        return kind is not None and issubclass(kind, ValueError)


@contextlib.contextmanager
def managed(x0):
    print("before", x0)
    y0 = x0 + 1 if x0 > 1 else x0 - 1
    yield y0 % 97
    if y0 > 2:
        print("after", y0)
