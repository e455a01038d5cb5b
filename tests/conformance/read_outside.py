"""Functions that read something outside of themselves, and what changes it later.

Globals, variables of enclosing functions, attributes of objects, classes and modules,
what lists, dicts and sets hold, functions and methods that are replaced.
"""

import collections
import copy
import dataclasses
import math
import operator
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

settings = types.ModuleType("users_settings")
scale: Any = 2.0
weights: Any = np.ones(3)
table: Any = {"a": 1, "b": [2, 3]}
sizes: Any = [1, 2, 3]
names: Any = {"x", "y"}
pair: Any = (1, [2, 3])
queue: Any = collections.deque([1, 2])
flag: Any = True
maybe: Any = None


class Base:
    rate: Any = 3.0

    def act(self, x):
        return x * self.rate

    @staticmethod
    def plus(x):
        return x + 1

    @classmethod
    def minus(cls, x):
        return x - cls.rate

    @property
    def half(self):
        return self.k / 2


class Model(Base):
    def __init__(self):
        self.k = 2
        self.w = np.ones(3)
        self.parts = [Part(1), Part(2)]
        self.options = {"deep": {"n": 1}}
        self.call = abs
        self.size = 3


class Part:
    __slots__ = ("__weakref__", "m")

    def __init__(self, m):
        self.m = m


@dataclasses.dataclass
class Config:
    lr: float = 0.5
    steps: int = 2


model: Any = Model()
config: Any = Config()
point: Any = [3, 4]
bag: Any = types.SimpleNamespace(depth=1)


def helper(x):
    return x + 1


def counted():
    return 1


CASES: list[Any] = []


def case(program: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator of what changes things; `program` is the function that reads them."""

    def note(changes: Callable[..., Any]) -> Callable[..., Any]:
        CASES.append(pytest.param(program, changes, id=changes.__name__))
        return changes

    return note


def put(name: str, value: Any) -> None:
    globals()[name] = value


@case(lambda x: x * scale)
def global_number():
    for value in (3.0, 3, 3.0, True, np.float32(3), -0.0, 0.0, 10**30, 1j, 4.0):
        yield put("scale", value)
    put("scale", 2.0)


@case(lambda x: x * scale if flag else x)
def global_flag():
    yield put("flag", False)
    yield put("flag", True)
    yield put("flag", 0)
    put("flag", True)


@case(lambda x: x * weights + weights.shape[0])
def global_array():
    for n in (3, 3, 3, 1, 3):
        yield put("weights", np.arange(n) + 2.0)
    put("weights", np.ones(3))


@case(lambda x: x if maybe is None else x * maybe)
def global_that_was_none():
    for value in (2.0, None, np.ones(3), None):
        yield put("maybe", value)


@case(lambda x: [x * table[key] for key in table if key != "b"] + table["b"])
def global_dict():
    yield table.update(a=5)
    yield table.update(c=6)
    yield table["b"].append(4)
    yield table.pop("c")
    yield put("table", {"b": [1], "a": 1})
    yield put("table", {"a": 1, "b": [1]})


@case(lambda x: sum(x.sum() * size for size in sizes) + len(sizes))
def global_list():
    yield sizes.append(4)
    sizes[0] = 7
    yield
    sizes[0] = 7.0
    yield
    yield put("sizes", [1])


@case(lambda x: x.sum() if "z" in names else x)
def global_set():
    yield names.add("z")
    yield names.discard("z")


@case(lambda x: x * pair[0] + pair[1][0])
def global_tuple_that_holds_a_list():
    pair[1][0] = 9
    yield
    yield put("pair", (2, [1]))


@case(lambda x: x * queue[0])
def global_deque():
    yield queue.rotate(1)
    yield queue.appendleft(5)


@case(lambda x: helper(x))
def global_function():
    old = helper
    yield put("helper", lambda x: x * 5)
    yield put("helper", old)


@case(lambda x: helper(x))
def code_of_a_function_that_is_called():
    code = helper.__code__
    helper.__code__ = (lambda x: x * 7).__code__
    yield
    helper.__code__ = code
    yield


@case(lambda x: x * model.k + model.rate)
def attribute():
    model.k = 5
    yield
    model.k = "a"
    yield
    model.k = 2
    model.rate = 1.5
    yield
    del model.rate
    yield
    Base.rate = 9.0
    yield
    Model.rate = 8.0
    yield
    del Model.rate
    Base.rate = 3.0
    yield
    put("model", Model())
    model.k = 11
    yield


@case(lambda x: x * model.w + model.size)
def attribute_that_is_an_array():
    for n in range(4):
        model.w = np.ones(3) + n
        yield
    model.size = 7
    yield


@case(lambda x: sum(part.m * x for part in model.parts))
def attributes_of_objects_in_a_list():
    model.parts[0].m = 7
    yield
    model.parts.append(Part(3))
    yield
    model.parts[0] = Part(9)
    yield


@case(lambda x: x * model.options["deep"]["n"])
def what_is_deep_inside():
    model.options["deep"]["n"] = 7
    yield
    model.options = {"deep": {"n": 2}}
    yield


@case(lambda x: model.act(x) + model.plus(x) + model.minus(x) + model.half)
def methods():
    act, plus, half = Base.act, Base.__dict__["plus"], Base.half
    Base.act = lambda self, x: x * 100
    yield
    Base.plus = staticmethod(lambda x: x + 100)
    yield
    Base.half = property(lambda self: 50)
    yield
    Base.act, Base.plus, Base.half = act, plus, half
    yield
    model.act = lambda x: x * 1000
    yield
    del model.act
    yield
    Model.act = lambda self, x: x * 10
    yield
    del Model.act
    yield


@case(lambda x: model.call(x))
def function_in_an_attribute():
    model.call = np.negative
    yield
    model.call = lambda x: x * 3
    yield


@case(lambda x: x * config.lr * config.steps)
def field_of_a_dataclass():
    config.lr = 0.25
    yield
    config.steps += 1
    yield
    yield put("config", Config(2.0, 3))


@case(lambda x: x * bag.depth * getattr(bag, "width", 1))
def attribute_of_a_namespace():
    bag.depth = 4
    yield
    bag.width = 5
    yield
    del bag.width
    yield


@case(lambda x: x * 2 if hasattr(bag, "late") else x)
def attribute_that_was_not_there():
    bag.late = 1
    yield
    del bag.late
    yield


@case(lambda x: x * bag.__dict__["depth"] * len(bag.__dict__))
def attributes_by_the_dict_of_an_object():
    bag.depth = 4
    yield
    bag.width = 5
    yield
    del bag.width
    yield


@case(lambda x: x * dataclasses.replace(config, lr=2.0).steps)
def dataclass_that_is_replaced():
    config.steps = 17
    yield


@case(lambda x: sum(dataclasses.asdict(config).values()) * x)
def dataclass_as_a_dict():
    config.steps = 18
    yield


@case(lambda x: (x, copy.copy(bag).depth, copy.deepcopy(config).steps))
def copies():
    config.steps = 20
    yield
    bag.depth = 8
    yield


@case(lambda x: x * operator.attrgetter("depth")(bag))
def attribute_by_an_attrgetter():
    bag.depth = 9
    yield


@case(lambda x: x * math.hypot(*point))
def global_that_a_library_gets():
    yield put("point", [5, 12])
    yield point.append(3)


@case(lambda x: x * vars(bag)["depth"])
def attribute_by_vars():
    bag.depth = 10
    yield


@case(lambda x: x * Base.rate)
def attribute_of_a_class():
    Base.rate = 4.0
    yield
    Base.rate = 3.0
    yield


@case(lambda x: x * settings.value * settings.inner.value)
def attribute_of_a_module():
    settings.value = 3
    yield
    settings.inner.value = 4
    yield


settings.value = 1
settings.inner = types.SimpleNamespace(value=2)


@case(lambda x: x * counted.calls if hasattr(counted, "calls") else x)
def attribute_of_a_function():
    counted.calls = 2
    yield
    counted.calls = 3
    yield
    del counted.calls


def in_a_branch(x):
    if x.sum() > 0:
        return x * scale
    return x - model.k


@case(in_a_branch)
def read_in_a_branch():
    yield put("scale", 5.0)
    model.k = 17
    yield
    yield put("scale", 2.0)


def size_from_outside(x):
    return np.zeros(model.k) + x.sum()


@case(size_from_outside)
def number_that_is_a_size():
    for k in (3, 4, 5, 6):
        model.k = k
        yield
