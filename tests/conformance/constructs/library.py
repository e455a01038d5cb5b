"""math, operator, functools, itertools, copy, random, time."""

import collections
import copy
import functools
import itertools
import math
import operator
import random
import time

import numpy as np

from tests.conformance.constructs.rows import Rows

ROWS = Rows("math, operator, functools, itertools, copy, random, time")
ROW = [1.0, -2.0, 3.0]


@ROWS("math: roots, powers, logarithms", 2.0, 4.5)
def math_powers(x):
    return math.sqrt(x), math.exp(x), math.log(x), math.log(x, 2), math.pow(x, 2)


@ROWS("math: an error of the domain", 1.0, -1.0)
def math_error(x):
    try:
        return math.sqrt(x)
    except ValueError as error:
        return str(error)


@ROWS("math: floor, ceil, trunc, isnan, copysign, hypot, fsum", 2.5, -2.5)
def math_rounding(x):
    return (
        math.floor(x),
        math.ceil(x),
        math.trunc(x),
        math.isnan(x),
        math.copysign(1, x),
        math.hypot(x, 1.0),
        math.fsum([x, 1.0]),
    )


@ROWS("math: gcd, comb, factorial, isqrt", (12, 4), (5, 2))
def math_integers(n, k):
    return math.gcd(n, k), math.comb(n, k), math.factorial(k), math.isqrt(n)


@ROWS("operator", (1, 2), (2, 1))
def operators(a, b):
    f = operator.add if a > b else operator.mul
    return f(a, b), operator.lt(a, b), operator.itemgetter(1)([a, b])


@ROWS("functools.reduce", (ROW,), ([5.0],))
def reduces(x):
    return functools.reduce(lambda a, b: a + b if b > 0 else a, x)


@ROWS("functools.reduce with a first value", (ROW,), ([],))
def reduces_from(x):
    return functools.reduce(lambda a, b: a if a > b else b, x, 0.0)


@ROWS("functools.partial", 1.0, -1.0)
def partials(x):
    f = functools.partial(lambda a, b, c: a if b > 0 else c, x)
    return f(x, c=2.0)


@ROWS("itertools.chain", (ROW, [1.0]), ([], [1.0]))
def chains(x, y):
    total = 0.0
    for v in itertools.chain(x, y):
        if v > 0:
            total += v
    return total


@ROWS("itertools.product", ([1.0, 2.0], 2), ([1.0], 0))
def products(x, n):
    total = 0.0
    for v, i in itertools.product(x, range(n)):
        total = total * 2 + v + i
    return total


@ROWS("itertools.accumulate", (ROW,), ([],))
def accumulates(x):
    return list(itertools.accumulate(x, lambda a, b: a + b if b > 0 else a))


@ROWS("itertools.islice with a stop of data", (ROW, 2), (ROW, 0))
def islices(x, n):
    return [v for v in itertools.islice(x, n)]


@ROWS("itertools.count that data stop", 7.0, 1.0)
def counts(x):
    for i in itertools.count(1):
        x = x - i
        if x < 0:
            break
    return i, x


@ROWS("itertools.takewhile, dropwhile, pairwise", (ROW,), ([1.0],))
def takes(x):
    return (
        list(itertools.takewhile(lambda v: v > 0, x)),
        list(itertools.dropwhile(lambda v: v > 0, x)),
        list(itertools.pairwise(x)),
    )


@ROWS("copy.copy, copy.deepcopy", 1.0, -1.0)
def copies(x):
    items = [[x], x]
    shallow, deep = copy.copy(items), copy.deepcopy(items)
    if x > 0:
        items[0].append(2.0)
        items.append(x)
    return items, shallow, deep


@ROWS("random: new at each call", 1.0, -1.0)
def randoms(x):
    if x > 0:
        return random.random() + x, random.randint(1, 6)
    return np.float64(random.uniform(0, 1)), 0


@ROWS("random in a loop", 4, 0)
def randoms_in_loop(n):
    inside = 0
    for _ in range(n):
        if random.random() < 0.5:
            inside += 1
    return inside


@ROWS("np.random", 3, 0)
def numpy_randoms(n):
    total = np.random.rand(2)
    for _ in range(n):
        total = total + np.random.rand(2)
    return total


@ROWS("time: new at each call", 1.0, -1.0)
def times(x):
    start = time.perf_counter()
    while x < 5:
        x += 1
    return time.perf_counter() >= start, x


@ROWS("collections: deque, Counter, defaultdict, OrderedDict", 1.0, -1.0)
def collections_used(x):
    d = collections.defaultdict(float)
    if x > 0:
        d["a"] += x
    d["b"] += 2
    queue = collections.deque([x, 2.0])
    queue.appendleft(queue.pop())
    return d, list(queue), collections.OrderedDict(a=x)


@ROWS("collections.deque changed on one path", 1.0, -1.0)
def deques(x):
    queue = collections.deque([1.0])
    if x > 0:
        queue.append(x)
    return list(queue), len(queue)
