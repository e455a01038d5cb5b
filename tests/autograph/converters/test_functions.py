"""Functions inside functions: closures, scopes, comprehensions."""

import pytest

from tests.autograph.converters.samples import Samples, name, say

samples = Samples()


counter = 0


@samples(3)
def closures_over_a_loop_variable_see_its_last_value(x):
    functions = []
    for i in [1, 2, 3]:
        functions.append(lambda: i * x)
    return [f() for f in functions]


@samples(3)
def defaults_keep_the_value(x):
    functions = []
    for i in [1, 2, 3]:
        functions.append(lambda i=i: i * x)
    return [f() for f in functions]


@samples(3)
def a_closure_sees_later_assignments(x):
    def read():
        return y

    y = x
    first = read()
    y = x * 10
    return first, read()


@samples(3, -3)
def nonlocal_in_a_branch(x):
    total = 0

    def add(y):
        nonlocal total
        if y > 0:
            total = total + y
        else:
            total = total - 1

    add(x)
    add(x)
    return total


@samples(2)
def nested_three_deep(x):
    def a():
        y = x + 1

        def b():
            z = y + 1

            def c():
                return x, y, z

            return c()

        return b()

    return a()


@samples(5, staged=False)
def an_inner_function_that_recurses(n):
    def count(k):
        return [k, *count(k - 1)] if k else []

    return count(n)


@samples(3)
def comprehensions_have_their_own_scope(x):
    i = 100
    squares = [i * i for i in range(4)]
    pairs = {i: j for i in range(2) for j in range(i)}
    odd = sorted({i for i in range(5) if i % 2})
    return i, squares, pairs, odd, sum(i * x for i in range(3))


@samples(3)
def comprehensions_with_conditions_and_calls(x):
    def double(y):
        return y * 2 if y > 1 else y

    return [double(i) + x for i in range(4) if i != 2 and not i > 5]


@samples(3)
def a_walrus_in_a_comprehension(x):
    last = None
    doubled = [last := i * 2 for i in range(3)]
    return last, doubled, x


@samples(3)
def the_first_iterable_is_evaluated_outside(x):
    n = 2
    return [n for n in range(n)], n, x


@samples(3, -3)
def a_lambda_with_a_condition(x):
    sign = lambda y: 1 if y > 0 else -1 if y < 0 else 0
    return sign(x), sign(0)


@samples(3)
def defaults_are_evaluated_once(x):
    def f(y=say("default", x)):
        return y + 1

    return f() + f(1)


@samples(3)
def a_decorator_inside(x):
    def twice(function):
        return lambda y: function(function(y))

    @twice
    def add(y):
        return y + x

    return add(1)


@samples(3, staged=False)
def a_global_is_counted(x):
    global counter
    counter = 0
    for _ in range(x):
        counter += 1
    return counter


@samples(3)
def a_class_inside(x):
    class Point:
        def __init__(self, value):
            self.value = value

        def moved(self, by):
            if by > 0:
                return Point(self.value + by)
            return self

    return Point(x).moved(2).value


@samples(3, staged=False)
def a_generator_inside(x):
    def count(n):
        while n > 0:
            yield n
            n -= 1

    return list(count(x))


@samples(3)
def starred_parameters(x):
    def f(*args, k=1, **more):
        return len(args) + k + len(more)

    return f(1, 2, k=x, z=4)


@samples(1)
def a_docstring_and_annotations_stay(x):
    def f(y: int = 1) -> "int":
        """Doc."""
        return y

    return f.__doc__, sorted(f.__annotations__), f.__name__, f(x)


@pytest.mark.parametrize("sample", samples.all, ids=name)
def test_a_converted_nested_function_does_what_python_does(sample) -> None:
    sample.check_converted()


@pytest.mark.parametrize("sample", samples.staged, ids=name)
def test_a_staged_nested_function_does_what_python_does(sample) -> None:
    sample.check_staged()
