"""What makes a call another one than warm ones: gone objects, memory, reads."""

import gc
import threading
import weakref

import numpy as np
import pytest

import autograph as ag
from tests.tracer.warm_calls import (
    Pair,
    Sub,
    X,
    Y,
    add,
    i,
    long_ways,
    scaled,
    store,
    total,
)

pytestmark = pytest.mark.usefixtures("others_set_aside")


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


def test_a_warm_trace_that_is_called_in_another_trace_is_part_of_it():
    total = ag.Variable(0.0)
    concrete = ag.function(lambda x: total.assign_add(x[0])).get_concrete_function(X)
    for _ in range(3):
        concrete(X)
    outer = ag.function(lambda n: concrete(X) + n)
    for turn in range(4, 8):
        assert outer(i(0)) == turn


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
