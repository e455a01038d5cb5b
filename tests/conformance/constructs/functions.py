"""Functions: definitions, closures, arguments, decorators, recursion."""

import functools

import numpy as np

from tests.conformance.constructs.rows import Plain, Rows

ROWS = Rows("Functions")
ROW = [1.0, -2.0, 3.0]


def twice(f):
    """A decorator of the user's."""

    @functools.wraps(f)
    def call(*args, **kwargs):
        return f(f(*args, **kwargs), **kwargs)

    return call


@twice
def grown(x, *, by=2.0):
    if x > 0:
        return x * by
    return x - by


def clipped(x, low=0.0, *rest, high=1.0, **more):
    if x < low:
        return low + len(rest)
    if x > high:
        return high + sum(more.values())
    return x


@ROWS("calls of functions with branches", (ROW,), ([0.5],))
def calls(x):
    total = 0.0
    for v in x:
        total += clipped(v)
    return total


@ROWS("nested def", 1.0, -1.0)
def nested_def(x):
    def half(v):
        if v > 0:
            return v / 2
        return v

    return half(x) + half(-x)


@ROWS("def on one path, called after", 1.0, -1.0)
def def_on_path(x):
    if x > 0:

        def f(v):
            return v + 1

    else:

        def f(v):
            return v * 10

    return f(x)


@ROWS("def inside a loop", (ROW,), ([1.0],))
def def_in_loop(x):
    total = 0.0
    for v in x:

        def scaled(w):
            return w * v if v > 0 else w

        total += scaled(2.0)
    return total


@ROWS("lambda", 1.0, -1.0)
def lambdas(x):
    f = lambda v: v * 2 if v > 0 else v
    g = lambda v, w=x: f(v) + w
    return g(x)


@ROWS("lambda chosen by data", 1.0, -1.0)
def chosen_lambda(x):
    f = (lambda v: v + 1) if x > 0 else (lambda v: v - 1)
    return f(x)


@ROWS("closures over the variables of a loop", (ROW,))
def closures_in_loop(x):
    functions = []
    for i in range(3):
        functions.append(lambda v: v * i if v > 0 else v)
    return [f(v) for f, v in zip(functions, x)]


@ROWS("closures kept as defaults", (ROW,))
def closures_as_defaults(x):
    functions = [lambda v, i=i: v * i if v > 0 else v for i in range(3)]
    return [f(v) for f, v in zip(functions, x)]


@ROWS("defaults are made once", 1.0, -1.0)
def defaults(x):
    def kept(v, into=[]):
        into.append(v)
        return len(into)

    kept(x)
    if x > 0:
        x = x + kept(x)
    return x, kept(x)


@ROWS("*args and **kwargs", (0.5, 1.0), (-1.0, 1.0), (7.0, 1.0))
def star_arguments(x, y):
    args, kwargs = (0.0, y, y), {"high": 2.0, "a": y}
    return clipped(x, *args, **kwargs)


@ROWS("*args and **kwargs of the decorated function", (1.0, 2.0), (-1.0, 2.0), k=2.0)
def star_parameters(x, *args, **kwargs):
    if x > 0:
        return args[0], kwargs
    return x, {}


@ROWS("positional-only and keyword-only parameters", (1.0, 2.0), (-1.0, 2.0))
def kinds_of_parameters(x, y):
    def f(a, /, b, *, c=1.0):
        return a if a > 0 else b * c

    return f(x, y, c=3.0) + f(x, b=y)


@ROWS("wrong arguments (an error)", 1.0, -1.0)
def wrong_arguments(x):
    if x > 0:
        return grown(x, 2, by=1)
    return x


@ROWS("decorators", 1.0, -1.0)
def decorated(x):
    @twice
    def f(v):
        return v + 1 if v > 0 else v - 1

    return f(x), grown(x, by=3.0)


@ROWS("a cached function", 2.0, -2.0)
def cached(x):
    @functools.lru_cache
    def table(n):
        return n * 2

    return x * table(3) if x > 0 else x


@ROWS("functions as arguments and results", 1.0, -1.0)
def higher_order(x):
    def compose(f, g):
        return lambda v: f(g(v))

    f = compose(np.exp, lambda v: v if v > 0 else v * 2)
    return f(x)


@ROWS("recursion as deep as Python knows", (1.0, Plain(3)), (-1.0, Plain(3)))
def plain_recursion(x, n):
    def power(x, n):
        if n == 0:
            return 1.0
        return power(x, n - 1) * (x if x > 0 else 2)

    return power(x, n)


@ROWS("recursion as deep as data say", 5, 0)
def recursion(n):
    def factorial(n):
        if n <= 1:
            return 1
        return n * factorial(n - 1)

    return factorial(n)


def even(n):
    return True if n == 0 else odd(n - 1)


def odd(n):
    return False if n == 0 else even(n - 1)


@ROWS("recursion of two functions in turn", 5, 4)
def mutual_recursion(n):
    return even(n)


@ROWS("recursion through two calls", 6, 1)
def fibonacci(n):
    def fib(n):
        return n if n < 2 else fib(n - 1) + fib(n - 2)

    return fib(n)


@ROWS("recursion that fills an array", (3, [0, 0, 0, 0]))
def recursion_in_place(n, out):
    def fill(n):
        out[n] = n * n
        if n > 0:
            fill(n - 1)

    fill(n)
    return out


@ROWS("recursion without an end (an error)", 1)
def endless(n):
    def forever(n):
        if n < 0:
            return n
        return forever(n + 1)

    return forever(n)


@ROWS("recursion whose results nest deeper (refused)", 3)
def deeper(n):
    def nested(n):
        return () if n <= 0 else (n, nested(n - 1))

    return nested(n)


@ROWS("async def", 1.0)
async def asynchronous(x):
    if x > 0:
        return x
    return -x
