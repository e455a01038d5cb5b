"""The classes of random programs."""

from dataclasses import dataclass, field


class Thing:
    def __init__(self, n, v=0.5):
        self.n, self.v, self.items = n, v, []

    def __repr__(self):
        return f"Thing({self.n}, {self.v}, {self.items})"

    def add(self, n):
        if n > 2:
            self.n = (self.n + n) % 97
        else:
            self.items.append(n)
        return self.n

    @property
    def size(self):
        return len(self.items) + 1 if self.n > 3 else len(self.items)


@dataclass
class Record:
    n: int
    v: float = 0.5
    items: list = field(default_factory=list)

    def add(self, n):
        self.v = (self.v + n) % 16.0
        return self.n

    @property
    def size(self):
        return self.n % 5


def thing(n, kind=Thing):
    return kind(n, 1.5)
