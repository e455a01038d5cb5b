"""Objects of attrs' classes as arguments, made and changed: structures of fields."""

import contextlib
import gc
import weakref
from functools import partial

import numpy as np
import pytest

import autograph as ag
from autograph.same import assert_same_as_python

pytestmark = pytest.mark.usefixtures("others_set_aside")

attrs = pytest.importorskip("attrs", reason="attrs is not installed")


@attrs.define
class Point:
    x: object
    y: object = 2.0


@attrs.frozen
class Fixed:
    x: object
    _hidden: object = attrs.field(alias="secret", default=1.0)


@attrs.define(slots=False)
class InDict:
    x: object
    parts: list = attrs.Factory(list)


def doubled(value):
    return value * 2


@attrs.define
class Converted:
    x: object = attrs.field(converter=doubled)
    n: object = attrs.field(default=1, converter=doubled)


@attrs.define
class Checked:
    n: int = attrs.field(validator=attrs.validators.instance_of(int))


@attrs.define
class Longer(Point):
    z: object = 3.0


@attrs.define(eq=False)
class Layer:
    w: object

    def __call__(self, x):
        return np.tanh(x @ self.w)


@attrs.define
class Made:
    x: object
    total: object = attrs.field(init=False)

    def __attrs_post_init__(self):
        self.total = self.x.sum()


X = np.array([1.0, 2.0, 3.0])
CASES = []


def case(*makers):
    def note(program):
        CASES.append(pytest.param(program, makers, id=program.__name__))
        return program

    return note


def point(factor=1.0, y=2.0):
    return Point(X * factor, y)


@case(point, partial(point, -1.0), partial(point, 1.0, np.float64(3.0)))
def branches_on_a_field(p):
    if p.x[0] > 0:
        return p.x.sum() * p.y
    return np.float64(p.y)


@case(lambda: Fixed(X.copy()), lambda: Fixed(X.copy(), secret=np.float64(5.0)))
def reads_a_hidden_field(p):
    return p.x * 2 + p._hidden


@case(lambda: InDict(X.copy(), [np.float64(1.0), X * 2]))
def reads_a_list_inside(p):
    total = p.x
    for part in p.parts:
        total = total + part
    return total


@case(lambda: {"a": [point(), (point(2.0), 1)]})
def reads_deep_inside(nested):
    return nested["a"][0].x + nested["a"][1][0].x


@case(point)
def sets_fields(p):
    p.x = p.x + 1
    p.y = p.x.sum()


@case(point, partial(point, -1.0))
def sets_fields_in_branches(p):
    if p.x[0] > 0:
        p.x = p.x * 2
    else:
        p.y = p.y + 1
    return p


@case(lambda: InDict(X.copy()), lambda: InDict(-X))
def changes_what_a_field_holds(p):
    p.x[0] = 9.0
    p.parts.append(p.x.sum())


@case(lambda: Fixed(X.copy()))
def sets_a_field_of_a_frozen_one(p):
    p.x = 1


@case(partial(Converted, X), partial(Converted, -X))
def sets_what_is_converted(p):
    p.n = 5
    if p.x[0] > 0:
        p.x = p.x + 1


@case(partial(Checked, 3))
def sets_what_is_refused(p):
    p.n = "three"


@case(lambda: X, lambda: -X)
def makes_one_in_branches(x):
    if x[0] > 0:
        p = Point(x, 1.0)
    else:
        p = Point(-x, 2.0)
    return p


@case(lambda: X, lambda: -X)
def makes_one_in_each_round(x):
    p = Point(x, 0.0)
    while p.y < x[0] + 2:
        p = attrs.evolve(p, y=p.y + 1)
        p.x = p.x * 2
    return p


@case(lambda: X)
def makes_frozen_and_converted_ones(x):
    return Fixed(x, secret=x[0]), Converted(x, n=x.sum()), Made(x)


@case(point)
def asks_attrs_for_its_fields(p):
    return attrs.asdict(p), attrs.astuple(p)


@case(lambda: Longer(X.copy()), lambda: Longer(X.copy(), np.float64(1), 5.0))
def reads_inherited_fields(p):
    return p.x + p.y + p.z


@case(lambda: Point(np.float64(1), 5.0), lambda: Point(np.float64(2), 5.0))
def compares(p):
    if p == Point(1.0, 5.0):
        return 1
    return 0


@case(point)
def prints(p):
    print(p)
    return f"{p}"


@case(point)
def matches(p):
    match p:
        case Point(x=x, y=2.0):
            return x + 1
        case _:
            return p.x


FAILING = {
    sets_a_field_of_a_frozen_one: attrs.exceptions.FrozenInstanceError,
    sets_what_is_refused: TypeError,
}


@pytest.mark.parametrize(("program", "makers"), CASES)
def test_program_is_that_of_plain_python(program, makers):
    staged = ag.function(program)
    raised = FAILING.get(program, ())
    for make in (*makers, *makers):
        # What both raise is raised again.
        with contextlib.suppress(raised):
            assert_same_as_python(staged, make())
            assert not raised


def test_layer_of_attrs_is_called_with_the_weights_that_it_holds():
    call = ag.function(lambda layer, x: layer(x))
    first, second = Layer(np.eye(3)), Layer(np.zeros((3, 3)))
    assert np.array_equal(call(first, X), np.tanh(X))
    assert np.array_equal(call(second, X), np.zeros(3))
    assert len(call.concrete_functions) == 1


def test_objects_alike_share_a_trace_that_names_the_fields():
    f = ag.function(lambda p: p.x * p._hidden)
    for value in (1.0, 2.0):
        assert f(Fixed(X * value, secret=X)).tolist() == (X * value * X).tolist()
    (concrete,) = f.concrete_functions
    assert repr(concrete).endswith(
        "(p.x: float64[3], p._hidden: float64[3]) -> float64[3]>"
    )


def test_input_signature_may_be_of_attrs():
    spec = Fixed(
        ag.TensorSpec([None], np.float64), secret=ag.TensorSpec([], np.float64)
    )

    @ag.function(input_signature=[spec])
    def f(p):
        return p.x * p._hidden

    for n in (2, 3):
        assert f(Fixed(np.ones(n), secret=2)).tolist() == [2.0] * n
    with pytest.raises(TypeError, match="which is not nested as"):
        f((np.ones(2), 2.0))
    assert len(f.concrete_functions) == 1


def test_objects_that_were_passed_are_not_kept_alive():
    f = ag.function(lambda p: p.x + 1)
    passed = InDict(X.copy())
    f(passed)
    gone = weakref.ref(passed)
    del passed
    gc.collect()
    assert gone() is None


def test_exception_of_attrs_is_an_exception():
    @attrs.define
    class Problem(ValueError):
        where: object

    @ag.function
    def f(x):
        if x[0] > 0:
            raise Problem(3)
        return x

    with pytest.raises(Problem) as caught:
        f(X)
    assert caught.value.where == 3
    assert f(-X).tolist() == (-X).tolist()
