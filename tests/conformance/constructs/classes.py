"""Classes made and used inside."""

import collections
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from tests.conformance.constructs.rows import Plain, Rows, argument

ROWS = Rows("Classes and objects")


class Base:
    """Something to derive from."""

    scale = 2.0

    def __init__(self, value):
        self.value = value

    def grown(self, by):
        if self.value > 0:
            return self.value + by
        return by

    @property
    def size(self):
        if self.value > 0:
            return self.value
        return -self.value

    @size.setter
    def size(self, value):
        self.value = value * 2 if value > 0 else value

    @classmethod
    def made(cls, value):
        return cls(value if value > 0 else -value)

    @staticmethod
    def limited(value):
        return value if value < 5 else 5.0


class Derived(Base):
    """A class that overrides."""

    def grown(self, by):
        if by > 1:
            return super().grown(by) * self.scale
        return super().grown(by)

    def __call__(self, x):
        return x * self.value if x > 0 else self.value


class Vector:
    """Operators of the user's."""

    def __init__(self, x):
        self.x = x

    def __add__(self, other):
        return Vector(self.x + other.x if other.x > 0 else self.x)

    def __iadd__(self, other):
        self.x += other
        return self

    def __eq__(self, other):
        return self.x == other.x

    def __hash__(self):
        return 0

    def __lt__(self, other):
        return self.x < other.x

    def __getitem__(self, i):
        return self.x if i > 0 else -self.x

    def __setitem__(self, i, value):
        if value > 0:
            self.x = value + i

    def __contains__(self, value):
        return self.x > value

    def __len__(self):
        return 3

    def __bool__(self):
        return bool(self.x > 0)

    def __neg__(self):
        return Vector(-self.x)

    def __abs__(self):
        return self.x if self.x > 0 else -self.x

    def __str__(self):
        return f"<{self.x}>"


@dataclass
class Point:
    x: float
    y: float = 1.0
    tags: list = field(default_factory=list)


class Pair(NamedTuple):
    first: float
    second: float


Loose = collections.namedtuple("Loose", "a b")


@ROWS("a class made inside", 1.0, -1.0)
def class_inside(x):
    class Counter:
        count = 0

        def up(self, v):
            if v > 0:
                self.count += 1
            return self

    return Counter().up(x).up(-x).up(x).count


@ROWS("objects made and changed inside a branch and a loop", 4, 0)
def objects_changed(n):
    base = Base(0)
    for i in range(n):
        if i > 1:
            base.value += i
        else:
            base.value -= 1
    return base.value


@ROWS(
    "attributes of an argument", Plain(Base(argument(3.0))), Plain(Base(argument(-1.0)))
)
def attributes_of_argument(base):
    if base.value > 0:
        base.value = base.value * 2
    return base.value


@ROWS("an attribute set on one path", 1.0, -1.0)
def attribute_on_path(x):
    base = Base(x)
    if x > 0:
        base.extra = x * 2
    return base.extra if hasattr(base, "extra") else None


@ROWS("methods", 1.0, -1.0)
def methods(x):
    return Base(x).grown(2.0)


@ROWS("inheritance and super()", (1.0, 2.0), (1.0, 0.5), (-1.0, 2.0))
def inherited(x, y):
    return Derived(x).grown(y)


@ROWS("properties and their setters", 1.0, -1.0)
def properties(x):
    base = Base(x)
    if base.size > 0:
        base.size = x
    base.size += 1
    return base.value


@ROWS("class methods and static methods", 1.0, -7.0)
def class_methods(x):
    return Derived.made(x).value, Base.limited(-x)


@ROWS("__call__", 1.0, -1.0)
def called(x):
    return Derived(x)(x + 1)


@ROWS("operators: __add__, __iadd__, __neg__, __abs__", 1.0, -1.0)
def operators(x):
    v = Vector(x)
    if x > 0:
        v += x
    return abs(-(v + Vector(x)))


@ROWS("comparison: __eq__, __lt__, __bool__, __contains__", 1.0, -1.0)
def comparisons(x):
    v, w = Vector(x), Vector(-x)
    if v < w:
        return "less"
    if v == w or 0.5 in v:
        return "in"
    if v:
        return "true"
    return "none"


@ROWS("__getitem__, __setitem__, __len__, __str__", 1.0, -1.0)
def subscripts(x):
    v = Vector(x)
    v[2] = x
    print(v, f"{v}")
    return v[1], v[-1], len(v)


@ROWS("objects chosen by data", 1.0, -1.0)
def objects_chosen(x):
    base = Base(x) if x > 0 else Derived(x)
    return base.grown(2.0), type(base).__name__


@ROWS("a method of one of two classes, chosen by data", 1.0, -1.0)
def methods_chosen(x):
    if x > 0:
        f = Base(x).grown
    else:
        f = Derived(-x).grown
    return f(3.0)


@ROWS("a dataclass, made, changed, replaced, returned", 1.0, -1.0)
def dataclasses_used(x):
    p = Point(x)
    if x > 0:
        p.y += x
        p.tags.append("up")
        p = replace(p, x=p.x * 2)
    return p


@ROWS(
    "a dataclass as argument", Plain(Point(argument(1.0))), Plain(Point(argument(-1.0)))
)
def dataclass_argument(p):
    if p.x > 0:
        p.y = p.y + p.x
    return p.y


@ROWS("named tuples", 1.0, -1.0)
def named_tuples(x):
    p = Pair(x, 2.0)
    if x > 0:
        p = p._replace(first=p.second * x)
    first, second = p
    return p, Loose(a=first, b=second)


@ROWS("isinstance and type of objects chosen by data", 1.0, -1.0)
def kinds_of_objects(x):
    thing = Point(x) if x > 0 else Pair(x, x)
    if isinstance(thing, tuple):
        return thing.first
    return thing.x


@ROWS("getattr, setattr, hasattr", 1.0, -1.0)
def attributes_by_name(x):
    base = Base(x)
    if x > 0:
        setattr(base, "value", x * 3)
    return getattr(base, "value"), getattr(base, "none", 5.0)
