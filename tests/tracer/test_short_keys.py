"""Calls that find their trace quickly: as fast as is said, and never another trace.

Each danger: calls of one form are warm, and then comes one that looks like them.
"""

import collections
import copy
import enum
import gc
import threading
import weakref
from collections import OrderedDict, namedtuple
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import autograph as ag
from tracer.function import Function

X, Y = np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 6.0])
Pair = namedtuple("Pair", "a b")
Other = namedtuple("Other", "a b")
i = np.int64


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


class Number(enum.IntEnum):
    ONE = 1


@dataclass
class Layer:
    w: Any
    b: Any


@dataclass
class Deeper(Layer):
    pass


@dataclass(slots=True)
class Slim:
    w: Any
    b: Any


@dataclass(frozen=True, slots=True)
class Frozen:
    w: Any
    b: Any


class Sub(np.ndarray):
    pass


class Ordered(OrderedDict):
    pass


def told(thing: Any) -> Any:
    """What two equal things have in common: types, dtypes and bytes too."""
    kind = type(thing)
    if isinstance(thing, (np.ndarray, np.generic)):
        array = np.asarray(thing)
        return kind, array.dtype.str, array.shape, array.tobytes()
    if isinstance(thing, dict):
        return kind, [(key, told(value)) for key, value in thing.items()]
    if isinstance(thing, (tuple, list, collections.deque)):
        return kind, [told(part) for part in thing]
    if isinstance(thing, Layer):
        return kind, told(vars(thing))
    if isinstance(thing, (Slim, Frozen)):
        return kind, told(thing.w), told(thing.b)
    return kind, repr(thing)


def observe(function, args, kwargs=None):
    """All that a call gives and leaves."""
    own = copy.deepcopy((args, kwargs or {}))
    try:
        result = told(function(*own[0], **own[1]))
    except Exception as error:
        result = type(error), str(error)
    return result, told(own)


def long_ways(monkeypatch) -> list[Any]:
    """A list that gets an entry for each call that goes the long way."""
    found: list[Any] = []
    first = Function._first_call

    def noted(self, args, kwargs):
        found.append(args)
        return first(self, args, kwargs)

    monkeypatch.setattr(Function, "_first_call", noted)
    return found


def total(p):
    parts = list(p.values()) if isinstance(p, dict) else list(p)
    return parts[0] * 2 - parts[1], type(p).__name__, len(p)


def fields(p):
    return p.w * 2 - p.b, type(p).__name__


def named(p):
    return p.a * 2 - p.b, type(p).__name__


def scaled(x, n):
    return x * n, n


def kind(x, n):
    return x + 1, type(n).__name__, repr(n)


def add(x, y):
    return x + y, x is y


def store(x, y):
    x[0] = 7.0
    return x + y


def first_rows(x):
    v = x.reshape(-1)
    v[0] = 7.0
    return x.sum(), x.ndim


def kind_of(x):
    return str(x.dtype)


def label(p):
    return p.w, getattr(p, "label", None)


def append(xs, y):
    xs.append(y * 2)
    return len(xs)


def labelled():
    layer = Layer(X, Y)
    layer.label = "start"
    return layer


WARM: list[Any] = [
    # What is warm, and what comes then.
    (total, ((X, Y),), ([X, Y],), (Pair(X, Y),), ((X, Y, X),), ((X,) * 2,)),
    (total, ([X, Y],), ((X, Y),), ([X, i(3)],), ([X, 3],), ([X, Y, 1],)),
    (total, ({"a": X, "b": Y},), ({"b": X, "a": Y},), ({"a": X, "c": Y},)),
    (total, ({"a": X, "b": Y},), ({"a": X, "b": Y, "c": 1},), ({1: X, 2: Y},)),
    (total, ({"a": X, "b": Y},), (OrderedDict(b=X, a=Y),), (Ordered(a=X, b=Y),)),
    (total, (OrderedDict(a=X, b=Y),), (OrderedDict(b=X, a=Y),), (dict(a=X, b=Y),)),
    (total, ({1: X, 2: Y},), ({2: X, 1: Y},), ({1: Y, 2: X},)),
    (total, (collections.deque([X, Y]),), ([X, Y],)),
    (named, (Pair(X, Y),), (Other(X, Y),), (Pair(i(1), 2.5),)),
    (fields, (Layer(X, Y),), (Deeper(X, Y),), (Slim(X, Y),), (Layer(Y, X),)),
    (fields, (Slim(X, Y),), (Layer(X, Y),), (Frozen(X, 3),), (Slim(X, 3.0),)),
    (fields, (Frozen(X, Y),), (Frozen(X, 3),), (Frozen(i(1), Y),)),
    (scaled, (X, 3), (X, 3.0), (X, True), (X, i(3)), (X, np.int8(3)), (X, 3j)),
    (scaled, (X, 1), (X, True), (X, 1.0), (X, np.True_), (X, 1 + 0j), (X, 2**70)),
    (scaled, (X, True), (X, 1), (X, 1.0), (X, np.bool_(True)), (X, False)),
    (scaled, (X, 0.0), (X, -0.0), (X, 0), (X, False), (X, 0j), (X, float("nan"))),
    (scaled, (X, -0.0), (X, 0.0), (X, -0.0), (X, float("inf"))),
    (scaled, (X, 1j), (X, -1j), (X, complex(-0.0, 1)), (X, complex(0.0, 1))),
    (scaled, (X, i(2)), (X, np.array(2)), (X, np.int32(2)), (X, np.float64(2)), (X, 2)),
    (scaled, (X, np.array(2.0)), (X, np.float64(2)), (X, np.array([2.0]))),
    (scaled, (X, i(2)), (X[:2], i(2)), (X.astype("f4"), i(2)), (X.astype(">f8"), i(2))),
    (kind, (X, "a"), (X, "b"), (X, b"a"), (X, np.str_("a")), (X, None)),
    (kind, (X, None), (X, ...), (X, 0), (X, False)),
    (kind, (X, range(3)), (X, range(4)), (X, (0, 1, 2))),
    (kind, (X, Colour.RED), (X, Colour.BLUE), (X, 1)),
    (kind, (X, Number.ONE), (X, 1), (X, True)),
    (kind, (X, np.dtype("f8")), (X, np.dtype("f4")), (X, float)),
    (kind, (X, np.datetime64("2020-01-01")), (X, np.datetime64("2020-01-01", "s"))),
    (kind, (X, np.str_("ab")), (X, np.str_("abc")), (X, "ab")),
    (add, (X, Y), (X, X), (Y, X), (X, X)),
    (add, (X, X), (X, Y), (X, X.copy()), (X, 1.0), (i(1), i(1))),
    (store, (X, Y), (X, X), (X, X[::-1]), (X[1:], X[:-1]), (X, Y)),
    (first_rows, (np.ones((2, 3)),), (np.ones((3, 2)),), (np.ones(6),)),
    (kind_of, (np.datetime64("2020-01-01"),), (np.datetime64("2020-01-01", "s"),)),
    (kind_of, (np.zeros((), "i4,f8")[()],), (np.zeros((), "f8,i4")[()],)),
    (label, (Layer(X, Y),), (labelled(),), (Layer(X, 3),)),
    (first_rows, (np.ones((2, 3)),), (np.asfortranarray(np.ones((2, 3))),)),
    (append, ([X], Y), ([X, X], Y), ([], Y), ([X], X)),
]


@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("row", WARM, ids=lambda row: row[0].__name__)
def test_a_call_that_looks_like_the_warm_one_means_what_it_means(row, mixed):
    function, warm, *others = row
    staged = ag.function(function)
    for given in (warm, warm, warm, *others, warm, *others):
        assert observe(staged, given) == observe(function, given)
        if mixed:
            observe(staged, warm)


@pytest.mark.parametrize(
    ("function", "args", "kwargs"),
    [
        (add, (X,), {"y": Y}),
        (add, (), {"y": Y, "x": X}),
        (lambda x, y=2, *, z=3: x * y + z, (X,), {}),
        (lambda x, y=2, *, z=3: x * y + z, (X,), {"z": 4}),
        (lambda *xs, **k: xs[0] + k["a"] - k["b"], (X,), {"b": X, "a": Y}),
        (total, ({"a": X, "b": Y},), {}),
        (total, ((X, Y),), {}),
        (named, (Pair(X, Y),), {}),
        (fields, (Layer(X, Y),), {}),
        (fields, (Slim(X, Y),), {}),
        (store, (X, Y), {}),
        (scaled, (X, 0.0), {}),
        (kind, (X, Colour.RED), {}),
        (kind, (X, np.negative), {}),
        (lambda x, f: f(x), (X, np.negative), {}),
        (lambda x, f: f(x), (X, np.linalg.norm), {}),
        (lambda x, d: x.astype(d), (X, np.float32), {}),
        (append, ([X], Y), {}),
    ],
)
def test_warm_calls_go_the_short_way(function, args, kwargs, monkeypatch):
    staged = ag.function(function)
    observe(staged, args, kwargs)
    found = long_ways(monkeypatch)
    for _ in range(3):
        assert observe(staged, args, kwargs) == observe(function, args, kwargs)
    assert not found


def test_defaults_that_are_changed_in_place_are_looked_at():
    def read(x, table={"a": 1.0}, row=[2.0]):
        return x * table["a"] + row[0]

    staged = ag.function(read)
    for _ in range(3):
        assert staged(i(1)) == 3.0
    read.__defaults__[0]["a"] = 5.0
    assert staged(i(1)) == 7.0
    read.__defaults__[1].append(1.0)
    assert staged(i(1)) == 7.0
    del read.__defaults__[1][:]
    with pytest.raises(IndexError):
        staged(i(1))


def test_keywords_are_given_and_kept_in_their_order():
    @ag.function
    def order(x, *, last=1, **named):
        return list(named), last, named

    for _ in range(3):
        assert order(X, a=1, b=2)[:2] == (["a", "b"], 1)
        assert order(X, b=2, a=1)[:2] == (["b", "a"], 1)
        assert order(X, b=2, last=3)[:2] == (["b"], 3)
    one, two = order(X, a=1)[2], order(X, a=1)[2]
    assert one == two == {"a": 1}
    assert one is not two


def test_an_object_in_the_place_of_one_that_is_gone_is_another_one():
    class Thing:
        def __init__(self, size):
            self.size = size

    @ag.function
    def read(x, thing):
        return x * thing.size

    for size in range(1, 30):
        thing = Thing(float(size))
        for _ in range(3):
            assert read(i(1), thing) == size
        gone = weakref.ref(thing)
        del thing
        assert gone() is None


def test_objects_of_another_class_with_the_same_names():
    class Thing:
        def __init__(self, size):
            self.size = size

    class Callable(Thing):
        def __eq__(self, other):
            return True

        __hash__ = object.__hash__

    class NoHash(Thing):
        __hash__ = None

    def read(x, thing):
        return x * thing.size, type(thing).__name__

    staged = ag.function(read)
    things = [kind(n) for n, kind in enumerate((Thing, Callable, NoHash, Thing))]
    for thing in (*things, *things, *reversed(things)):
        assert staged(i(3), thing) == read(i(3), thing)


def test_what_is_read_outside_is_looked_at_by_quick_calls(monkeypatch):
    scale = 2.0

    @ag.function
    def read(p):
        return p["x"] * scale

    for _ in range(3):
        assert read({"x": i(1)}) == 2.0
    scale = 3.0
    for _ in range(3):
        assert read({"x": i(1)}) == 3.0
    scale = 2.0
    assert read({"x": i(1)}) == 2.0
    found = long_ways(monkeypatch)
    assert read({"x": i(1)}) == 2.0
    assert not found


def test_arrays_that_may_not_be_written_or_share_memory():
    staged = ag.function(store)
    for _ in range(3):
        staged(X.copy(), Y.copy())
    base = np.arange(6.0)
    x, y = base[1:4], base[2:5]
    expected = base.copy()
    result = store(expected[1:4], expected[2:5])
    assert staged(x, y).tolist() == result.tolist()
    assert base.tolist() == expected.tolist()
    locked = X.copy()
    locked.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        staged(locked, Y)
    assert locked.tolist() == X.tolist()


def test_an_array_that_may_not_be_written_and_is_not():
    def store_some(x, n):
        if n > 0:
            x[0] = 7.0
        return x + n

    staged = ag.function(store_some)
    for _ in range(3):
        staged(X.copy(), i(1))
    locked = X.copy()
    locked.flags.writeable = False
    assert staged(locked, i(0)).tolist() == X.tolist()


def test_an_array_outside_that_is_an_argument_too():
    held = np.zeros(3)

    def store_both(x):
        held[0] += 1.0
        x[0] += 1.0
        return held[0] + x[0]

    staged = ag.function(store_both)
    for _ in range(3):
        staged(np.zeros(3))
    assert (held[0], staged(held), held[0]) == (3.0, 10.0, 5.0)
    part = held[:2]
    assert (staged(part), held[0]) == (14.0, 7.0)


def test_a_list_that_is_passed_twice():
    def put(xs, ys):
        xs[0] = 5.0
        return ys[0]

    staged = ag.function(put)
    for _ in range(3):
        assert staged([1.0], [2.0]) == 2.0
        assert staged([1.0], [1.0]) == 1.0
    both = [1.0]
    assert staged(both, both) == 5.0
    assert staged([1.0], [1.0]) == 1.0


def test_a_signature_converts_what_is_not_of_its_dtype():
    number, rows = ag.TensorSpec((), float), ag.TensorSpec((None, 2), float)

    @ag.function(input_signature=[number, rows])
    def add_all(n, x):
        return n, x.sum(axis=0) + n

    exact = np.ones((3, 2))
    for _ in range(3):
        n, sums = add_all(2.0, exact)
        assert (type(n), n, sums.tolist()) == (np.float64, 2.0, [5.0, 5.0])
    numbers = (2, np.float32(2), np.int8(2), True, np.array(2.0), 2.5, -0.0)
    for given in (*numbers, *numbers):
        n, sums = add_all(given, exact)
        assert (type(n), n) == (np.float64, float(given))
        assert str(n) == str(np.float64(given))
    tables = ([[1, 2]], exact.astype("f4"), exact.astype(int), ((1, 2),))
    for rows_given in (*tables, *tables):
        sums = add_all(0.0, rows_given)[1]
        assert (sums.dtype, sums.tolist()) == (float, np.sum(rows_given, 0).tolist())
    for wrong in (np.ones((3, 3)), np.ones(2), "text", exact.astype(complex)):
        with pytest.raises(TypeError, match="does not fit"):
            add_all(0.0, wrong)
    with pytest.raises(TypeError, match="does not fit"):
        add_all("2.0", exact)


def test_only_the_default_itself_is_passed_beside_a_signature():
    spec = ag.TensorSpec([None], float)
    default = 300

    @ag.function(input_signature=[spec])
    def scaled_by(x, n=default):
        return x * n

    for _ in range(3):
        assert scaled_by(X, default).tolist() == scaled_by(X).tolist()
    with pytest.raises(TypeError, match="without a spec"):
        scaled_by(X, int("300"))


def test_a_trace_that_is_called_itself_stays_strict():
    concrete = ag.function(scaled).get_concrete_function(X, 3)
    for _ in range(3):
        assert concrete(X, 3)[0].tolist() == concrete(X)[0].tolist() == [3, 6, 9]
        assert concrete(n=3, x=X)[0].tolist() == [3, 6, 9]
    for wrong in (
        (X, 3.0),
        (X, True),
        (X, 4),
        (X.astype("f4"), 3),
        (X[:2], 3),
        (i(1), 3),
    ):
        with pytest.raises(TypeError, match="this trace was made for"):
            concrete(*wrong)
    twice = ag.function(store).get_concrete_function(X, Y)
    x = X.copy()
    for _ in range(3):
        twice(x, Y)
    with pytest.raises(TypeError, match="is passed twice"):
        twice(x, x)


def test_a_trace_that_is_called_itself_looks_at_what_it_has_read():
    scale = 2.0

    @ag.function
    def read(x):
        return x * scale

    concrete = read.get_concrete_function(X)
    for _ in range(3):
        assert concrete(X).tolist() == [2, 4, 6]
    scale = 3.0
    with pytest.raises(TypeError, match="what it reads outside has changed"):
        concrete(X)


def test_subclasses_of_arrays_are_not_taken_for_arrays():
    staged = ag.function(lambda x: type(x).__name__)
    for _ in range(3):
        assert staged(X) == "ndarray"
    assert staged(X.view(Sub)) == "Sub"
    assert staged(np.ma.masked_array(X)) == "MaskedArray"
    assert staged(np.array([None, 1])) == "ndarray"


def test_many_sizes_and_numbers_go_the_short_way(monkeypatch):
    def scaled_and_told(x, n):
        return x[:2] * n, n, (type(n), str(np.full(1, n).dtype))

    staged = ag.function(scaled_and_told)
    for n in range(5):
        staged(np.ones(n + 3), n)
    found = long_ways(monkeypatch)
    for n in range(20, 60):
        result, number, _ = staged(np.ones(n), n)
        assert (result.tolist(), number, type(number)) == ([n, n], n, int)
    assert not found
    for _ in range(2):
        for n in (2**63, True, 3.0, 3):
            assert staged(np.ones(3), n)[2] == scaled_and_told(np.ones(3), n)[2]


def test_a_failed_run_is_made_again_as_python_by_quick_calls_too():
    def fill(x, held, n):
        x += 1.0
        held[0] = n
        return x[n]

    staged = ag.function(fill)
    for _ in range(3):
        assert staged(X.copy(), [i(0)], i(1)) == 3.0
    x, held = X.copy(), [i(0)]
    with pytest.raises(IndexError, match="index 7 is out of bounds"):
        staged(x, held, i(7))
    assert (x.tolist(), held) == ([2, 3, 4], [7])


def test_sixteen_threads_with_mixed_forms_of_calls():
    staged, wrong = ag.function(total), []
    forms = [(X, Y), [X, Y], {"a": X, "b": Y}, {"b": X, "a": Y}, Pair(X, Y), [X, 3]]
    expected = [total(form) for form in forms]
    start = threading.Barrier(16)

    def work(offset):
        start.wait()
        for turn in range(40):
            at = (turn + offset) % len(forms)
            result = staged(forms[at])
            same = [np.array_equal(*pair) for pair in zip(result, expected[at])]
            if not all(same):
                wrong.append((forms[at], result))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_functions_and_traces_go_with_their_last_user():
    class Big:
        pass

    def make():
        big, held = Big(), ag.Variable(1.0)

        @ag.function
        def use(p, thing):
            held.assign_add(1.0)
            return p["x"] + held

        for _ in range(3):
            use({"x": X}, big)
        concrete = use.get_concrete_function({"x": X}, big)
        for _ in range(3):
            concrete({"x": X}, big)
        return weakref.ref(big), weakref.ref(held), weakref.ref(use)

    gone = make()
    gc.collect()
    assert [reference() for reference in gone] == [None] * 3


def test_what_a_trace_holds_goes_with_the_object_it_was_made_for():
    class Counter:
        def __init__(self):
            self.total = ag.Variable(0.0)

    @ag.function
    def count(p, counter):
        return counter.total.assign_add(p["x"])

    counter = Counter()
    for turn in range(3):
        assert count({"x": i(1)}, counter) == turn + 1
    gone = weakref.ref(counter), weakref.ref(counter.total)
    del counter
    gc.collect()
    assert [reference() for reference in gone] == [None] * 2


def test_settings_are_looked_at():
    staged = ag.function(lambda p: (type(p["x"]).__name__, p["x"] + 1))
    for _ in range(3):
        staged({"x": i(1)})
    runs = []
    with ag.config(eager=True):
        runs.append(staged({"x": i(1)}))
    assert runs == [("int64", 2)]


def test_a_trace_that_was_called_before_is_profiled():
    concrete = ag.function(add).get_concrete_function(X, Y)
    for _ in range(3):
        concrete(X, Y)
    assert concrete.profile(X, Y).timings
