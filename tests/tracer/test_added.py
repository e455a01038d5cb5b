"""Lists outside to which calls add, and of which they read nothing."""

import numpy as np
import pytest

import autograph as ag
from tests.tracer.entered import both_ways  # noqa: F401 # a fixture
from tests.tracer.outside_calls import X, both_do, told

pytestmark = pytest.mark.usefixtures("both_ways")


def losses(log):
    def f(x):
        log.append(x[0])
        return x * 2

    return f


def several(log):
    def f(x):
        for k in range(3):
            log.append(x[k % 2] + k)
        log.append(1.5)
        return log is None

    return f


def rows(log):
    def f(x):
        log.append((x[0], "a", 2))
        log.append((x[1], "a", 2))
        return len(x)

    return f


def arrays(log):
    def f(x):
        y = x + 1
        log.append(y)
        return y

    return f


def arguments(log):
    def f(x):
        log.append(x)
        return x

    return f


def views(log):
    def f(x):
        log.append(x[:1])
        return 0

    return f


def by_branch(log):
    def f(x):
        if x[0] > 0:
            log.append(x[0])
        return x

    return f


def counted(log):
    def f(x):
        log.append(x[0])
        return len(log)

    return f


def looped(log):
    def f(x):
        n = np.int64(2)
        while n > 0:
            log.append(x[0] * n)
            n -= 1
        return x

    return f


def last(log):
    def f(x):
        log.append(x[0])
        log.append(log[-1] + 1)
        return x

    return f


def failing(log):
    def f(x):
        log.append(x[0])
        i = np.int64(4) if x[0] > 5 else np.int64(0)
        return x[i]

    return f


ADDING = [losses, several, rows, arrays, arguments, views, by_branch, counted, looped]
ADDING += [last, failing]


@pytest.mark.parametrize("start", [[], [0.5], [1], ["a", None]], ids=str)
@pytest.mark.parametrize("make", ADDING)
def test_what_is_appended_is_what_python_appends(make, start):
    def steps(decorate):
        log = list(start)
        f = decorate(make(log))
        found = []
        for k in range(4):
            found.append(told(f, X + k))
        log.append("other")
        found += [told(f, X), told(f, X + 9)]
        kinds = [type(item) for item in log]
        return [*found, log, kinds]

    both_do(steps)


@pytest.mark.parametrize("make", [losses, several, rows, arrays])
def test_the_list_is_not_in_the_graph(make):
    log = []
    f = ag.function(make(log))
    f(X)
    (concrete,) = f.concrete_functions
    assert "list" not in str(concrete.graph)
    assert len(concrete.graph.inputs) == 1
    # So what else it holds asks for no other trace.
    log[:] = ["a", None]
    f(X)
    assert len(f.concrete_functions) == 1


def test_an_array_that_is_appended_and_returned_is_one():
    log = []
    f = ag.function(arrays(log))
    for _ in range(4):
        assert f(X) is log[-1]


def test_a_view_that_is_appended_shows_what_is_written_later():
    def steps(decorate):
        log, x = [], X.copy()
        f = decorate(views(log))
        for _ in range(3):
            f(x)
        x[0] = 9.0
        return log

    both_do(steps)


def test_one_list_by_two_names_gets_all_in_order():
    def steps(decorate):
        log = [0.0]

        @decorate
        def f(held, x):
            held.append(x)
            log.append(x + 1)
            return x

        x = np.float64(2)
        found = [f([1.0], x) for _ in range(3)]
        return [*found, f(log, x), log]

    both_do(steps)


def test_pairs_or_texts_are_added():
    class Account:
        def __init__(self, has):
            self.has, self.log = has, []

    def put(account, x):
        try:
            if x <= 0:
                raise ValueError(x)
            account.has += x
            account.log.append(("put", x))
        except ValueError:
            account.log.append("refused")
        return account.has

    staged = ag.function(put)
    for has, x in ((3, 2), (4, 5), (1.0, -1), (7, 7)):
        mine, plain = Account(has), Account(has)
        for _ in range(2):
            assert staged(mine, x) == put(plain, x)
        assert mine.log == plain.log
