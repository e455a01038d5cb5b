"""Comprehensions and generator expressions do as graphs what they do in Python."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.test_programs import comparable, outcome

i8, f8 = np.int64, np.float64
ROW = np.array([1.0, -2.0, 4.0, 3.0])
NONE = np.array([-1.0, -2.0])
TABLE = np.arange(6.0).reshape(2, 3)


def each_item(x):
    return [v * 2 for v in x], np.array([v + 1 for v in x]), [*(v - 1 for v in x)]


def nested_in_each_other(x):
    return [[u * w + i for u in x] for i, w in enumerate(x)]


def several_fors(x):
    return [v * i + j for v in x for i in range(3) if i != 1 for j in range(i)]


def targets_are_unpacked(x):
    pairs = [(i, (v, v * 2, v * 3)) for i, v in enumerate(x)]
    return [i + a + sum(rest) for i, (a, *rest) in pairs]


def too_many_to_unpack(x):
    return [a + b for a, b in [(v, v, v) for v in x]]


def dicts_and_sets(x):
    made = {k: v for k, v in zip([3, 1, 2], x)}
    return made, {k % 2 for k in made}, {k: v for k, v in made.items() if k > 1}


def of_columns(t):
    return [np.sum(t[:, j]) for j in range(t.shape[1])], [row.max() for row in t]


def the_target_is_its_own(x):
    v = 7
    return [v * 2 for v in x], v


def the_first_iterable_is_evaluated_outside(x):
    class Holder:
        items = (1, 2)
        twice = tuple([i * 2 for i in items])

    return [x for x in x], Holder.twice


def functions_see_the_last_target(x):
    return [f(1) for f in [lambda k: i * k + x[0] for i in range(3)]]


def defaults_keep_each_target(x):
    return [f() for f in [lambda i=i: i + x[0] for i in range(3)]]


def functions_of_two_fors(x):
    made = [lambda: (i, j, v) for i in range(2) for j, v in enumerate(x)]
    return [f() for f in made][:3]


def walrus_stays(x):
    made = [(last := v * 2) for v in x]
    return made, last


def walrus_in_a_test(x):
    return [y + 1 for i in range(4) if (y := i * 2) > 2], y + x[0]


def walrus_in_a_lambda(x):
    f = lambda y: [(z, z * y) for i in range(3) if (z := i + 1) > 1]
    return f(x[0])


def in_a_lambda(x):
    f = lambda a, b=2: [p * q * b for p, q in zip(a, a)]
    return f(x), f(x, 3)


def in_operands(x):
    return (x[0] > 0 and sum(i * v for i, v in enumerate(x))) or sum(v for v in x)


def in_a_branch(x):
    if x[0] > 0:
        made = [v * 2 for v in x]
    else:
        made = [v * 3 for v in x]
    return made


def in_a_loop(x):
    total = 0.0
    for v in x:
        total += sum([w * v for w in x])
    return total


def in_a_while_test(x, n):
    i = 0
    while any([v > i for v in x]) and i < n:
        i += 1
    return i


def sums(x):
    return sum(v for v in x if v > 0), sum((v for v in x), start=x[0])


def sum_of_a_range(n):
    return sum(i * i for i in range(n) if i % 2)


def sum_of_two(x):
    return sum(v * w for v in x if v > 0 for w in x if w > v)


def any_and_all(x):
    return any(v > 3 for v in x), all(v > -2 for v in x), all(v > 9 for v in ())


def any_stops(x):
    def looked_at(v):
        print("at", v)
        return v > 0

    return any(looked_at(v) for v in x), all(looked_at(v) for v in x)


def any_does_not_fail_after_its_end(x, i):
    return any(x[j] > 3 for j in range(i)), all(x[j] < 4 for j in range(i))


def witness(x):
    if any((found := v) > 3 for v in x):
        return found
    return -found


def extremes(x):
    return max(v for v in x if v < 4), min((v * v for v in x), key=lambda v: -v)


def extremes_with_a_default(x):
    return max((v for v in x if v > 0), default=f8(-1)), min((v for v in x), default=1)


def max_of_nothing(x):
    return max(v for v in x if v > 100)


def first(x):
    return next(v for v in x if v > 1)


def first_or(x):
    return next((i for i, v in enumerate(x) if v > 3), -1)


def known_items_one_by_one(x):
    g = (v * 2 for v in x)
    a = next(g)
    b, *c = g
    return a, b, c, list(g), next(g, None)


def gone_through_twice(x):
    g = (v for v in x)
    return sum(g), sum(g), list(g)


def consumed_in_branches(x):
    g = (v for v in x)
    return sum(g) if x[0] > 0 else max(g)


def made_early_and_used_late(x):
    k = 1.0
    g = (v * k for v in x)
    k = 2.0
    x = x[:1]
    for v in g:
        k += v
    return k, x


def evaluates_the_first_iterable_at_once(n):
    return (v for v in n)


def loop_over_some(x):
    total = 0.0
    for i, v in enumerate(w * 2 for w in x if w > 0):
        if v > 7:
            break
        total += i + v
    else:
        total = -total
    return total, v


def returns_from_inside(x):
    for v in (w for w in x if w > 1):
        for u in (v * w for w in x if w < 4):
            if u > 5:
                return u, v
    return x[0], x[1]


def continues(x):
    total = 0.0
    for v in (w * 2 for w in x if w > 0):
        if v < 3:
            continue
        total = total * 2 + v
    return total


def generator_of_generators(x):
    inner = (w * 2 for w in x if w > 0)
    outer = (v + 1 for v in inner if v < 8)
    return sum(outer)


def maps_and_filters(x):
    some = filter(lambda v: v > 0, x)
    return sum(map(lambda v: v if v < 3 else -v, some)), sum(filter(None, x))


def filter_of_a_generator(x):
    return max(filter(lambda v: v < 4, (w + 1 for w in x if w > 0)))


def zipped(x):
    return sum(a * b for a, b in zip(x, (v + 1 for v in x)))


def containers_of_generators(x):
    made = []
    made.extend(v * 2 for v in x)
    text = ",".join(str(i) for i in range(3))
    return made, text, tuple(v for v in x), dict((i, v) for i, v in enumerate(x))


def from_an_iterator(x):
    return np.fromiter((v * 2 for v in x), dtype=float)


def of_objects(x):
    class Layer:
        def __init__(self, w):
            self.w = w

        def __call__(self, y):
            return y * self.w

    layers = [Layer(i) for i in range(3)]
    return sum(layer.w * layer(x[0]) for layer in layers if layer.w)


def prints_in_order(x):
    def seen(v):
        print("see", v)
        return v

    for v in (seen(w) for w in x if seen(w) > 0):
        print("use", v)
        if v > 3:
            break


def changes_an_array(x):
    return sum(x.__setitem__(i, 0.0) or v for i, v in enumerate(x) if v > 2), x


PROGRAMS = [
    (each_item, (ROW,)),
    (nested_in_each_other, (ROW,)),
    (several_fors, (ROW,)),
    (targets_are_unpacked, (ROW,)),
    (too_many_to_unpack, (ROW,)),
    (dicts_and_sets, (ROW,)),
    (of_columns, (TABLE,)),
    (the_target_is_its_own, (ROW,)),
    (the_first_iterable_is_evaluated_outside, (ROW,)),
    (functions_see_the_last_target, (ROW,)),
    (defaults_keep_each_target, (ROW,)),
    (functions_of_two_fors, (ROW,)),
    (walrus_stays, (ROW,)),
    (walrus_in_a_test, (ROW,)),
    (walrus_in_a_lambda, (ROW,)),
    (in_a_lambda, (ROW,)),
    (in_operands, (ROW,)),
    (in_operands, (NONE,)),
    (in_a_branch, (ROW,)),
    (in_a_branch, (NONE,)),
    (in_a_loop, (ROW,)),
    (in_a_while_test, (ROW, i8(2))),
    (in_a_while_test, (ROW, i8(9))),
    (sums, (ROW,)),
    (sum_of_a_range, (i8(9),)),
    (sum_of_two, (ROW,)),
    (any_and_all, (ROW,)),
    (any_and_all, (NONE,)),
    (any_stops, (ROW,)),
    (any_stops, (NONE,)),
    (any_does_not_fail_after_its_end, (ROW, i8(9))),
    (any_does_not_fail_after_its_end, (NONE, i8(9))),
    (any_does_not_fail_after_its_end, (NONE, i8(2))),
    (witness, (ROW,)),
    (witness, (NONE,)),
    (extremes, (ROW,)),
    (extremes_with_a_default, (ROW,)),
    (extremes_with_a_default, (NONE,)),
    (max_of_nothing, (ROW,)),
    (first, (ROW,)),
    (first, (NONE,)),
    (first_or, (ROW,)),
    (first_or, (NONE,)),
    (known_items_one_by_one, (ROW,)),
    (gone_through_twice, (ROW,)),
    (consumed_in_branches, (ROW,)),
    (consumed_in_branches, (NONE,)),
    (made_early_and_used_late, (ROW,)),
    (evaluates_the_first_iterable_at_once, (i8(3),)),
    (loop_over_some, (ROW,)),
    (loop_over_some, (np.array([1.0, 2.0]),)),
    (loop_over_some, (NONE,)),
    (returns_from_inside, (ROW,)),
    (returns_from_inside, (NONE,)),
    (continues, (ROW,)),
    (generator_of_generators, (ROW,)),
    (maps_and_filters, (ROW,)),
    (filter_of_a_generator, (ROW,)),
    (filter_of_a_generator, (NONE,)),
    (zipped, (ROW,)),
    (containers_of_generators, (ROW,)),
    (from_an_iterator, (ROW,)),
    (of_objects, (ROW,)),
    (prints_in_order, (ROW,)),
    (changes_an_array, (ROW,)),
]


@pytest.mark.parametrize(
    ("function", "arguments"),
    PROGRAMS,
    ids=[f"{f.__name__}{i}" for i, (f, _) in enumerate(PROGRAMS)],
)
def test_a_comprehension_does_in_a_graph_what_it_does_in_python(
    function, arguments, capsys
):
    wanted = comparable(outcome(function, arguments))
    text = capsys.readouterr().out
    staged = ag.function(function)
    for _ in range(2):  # traced, and from the cache
        assert comparable(outcome(staged, arguments)) == wanted
        assert capsys.readouterr().out == text
