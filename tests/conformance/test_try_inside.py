"""try statements inside and around everything else, against plain Python."""

import contextlib
import itertools
import math

import numpy as np
import pytest

from tests.conformance.trying import INDICES, Programs, check, i, x3

program = Programs()
IDX2 = [(i(a), i(b)) for a, b in itertools.product((0, 1, 2, 5), repeat=2)]


@program(*INDICES)
def deep_loops(x, n):
    t = x[0] * 0
    c = 0
    try:
        for a in range(n + 1):
            for b in range(n + 1):
                for d in range(2):
                    if a * b + d > 3:
                        t += x[a]
                    c += 1
                    t += x[d + a]
    except IndexError as e:
        print(e, c)
    return t, c


def fact(n):
    if n < 0:
        raise ValueError(f"neg {n}")
    if n == 0:
        return 1
    return n * fact(n - 1)


@program((i(3),), (i(-2),), (i(0),))
def recursion_in_try(n):
    try:
        return fact(n)
    except ValueError as e:
        print(e)
        return 0


def down(x, n):
    if n == 0:
        return x[0]
    try:
        y = x[n]
    except IndexError:
        print("deep", n)
        y = x[0]
    return y + down(x, n - 1)


@program((x3, i(2)), (x3, i(5)))
def try_in_recursion(x, n):
    return down(x, n)


@program(*INDICES)
def comprehension(x, n):
    try:
        return [x[k + n] for k in range(2)]
    except IndexError:
        return [x[0], x[1]]


def gen(x, n):
    for k in range(3):
        yield x[k + n]


@program(*INDICES)
def generator(x, n):
    t = x[0] * 0
    try:
        for v in gen(x, n):
            t += v
    except IndexError as e:
        print(e)
        t -= 100
    return t


@program(*INDICES)
def variables(x, n):
    v = 0
    try:
        print("a")
        v = 1
        x[n]
        print("b")
        v = 2
    finally:
        print("c", v)
    return v


@program(*IDX2)
def finally_break(a, b):
    x = np.arange(2.0)
    n = 0
    for k in range(4):
        try:
            n += 1
            x[a + k]
        except IndexError:
            n += 10
            x[b]
        finally:
            n += 100
            if n > 300:
                break
    return n


@program(*IDX2)
def finally_continue_swallows(a, b):
    x = np.arange(2.0)
    n = 0
    for k in range(3):
        try:
            x[a + k]
            n += 1
        finally:
            n += 100
            if k < 2:
                continue
    return n


@program(*IDX2)
def return_in_finally_swallows(a, b):
    x = np.arange(2.0)
    try:
        return x[a]
    finally:
        if b > 0:
            return x[0] - 7


@program(*IDX2)
def stored(a, b):
    x = np.arange(2.0)
    err = None
    try:
        x[a]
    except IndexError as e:
        err = e
    if err is not None:
        raise err
    return a


@program(*IDX2)
def chain(a, b):
    x = np.arange(2.0)
    try:
        try:
            return x[a]
        except IndexError as e:
            raise ValueError("v") from e
    except ValueError as e:
        print(repr(e), repr(e.__cause__))
        return x[0]


@program(*IDX2)
def context(a, b):
    x = np.arange(2.0)
    try:
        try:
            return x[a]
        except IndexError:
            return x[b]
    except IndexError as e:
        print(repr(e), e.__cause__)
        return x[0]


class Weird(ValueError):
    code = 5

    def __str__(self):
        return f"weird {self.args[0]}"


@program(*IDX2)
def own_str(a, b):
    try:
        if a > b:
            raise Weird(a)
        if b > a:
            raise Weird("b")
    except Weird as e:
        print(e, e.code)
        return str(e)
    return "" + str(a)


@program(*IDX2)
def key_error(a, b):
    try:
        if a > b:
            raise KeyError("k")
    except KeyError as e:
        print(e, e.args[0])
        return 1
    return 0


@program(*IDX2)
def passing(a, b):
    x = np.arange(2.0)
    try:
        x[a]
    except IndexError:
        pass
    else:
        x[0] = 9.0
    try:
        x[b] = 5.0
    except Exception:
        pass
    return x


@program(*IDX2)
def rows(a, b):
    x = np.arange(4.0).reshape(2, 2)
    try:
        r = x[a]
        r[0] = 50.0
        r[b] = 60.0
    except IndexError:
        x[0, 0] = -1.0
    return x


@program(*IDX2)
def obj(a, b):
    class C:
        """An object."""

    c = C()
    c.v = 0.0
    c.n = 0
    x = np.arange(2.0)
    try:
        c.n = 1
        c.v = x[a]
        c.n = 2
        c.v += x[b]
        c.n = 3
    except IndexError:
        c.n += 10
    return c.v, c.n


@program((np.float64(2.0),), (np.float64(-1.0),))
def math_domain(x):
    try:
        return math.sqrt(x)
    except ValueError as e:
        print(e)
        return -1.0


@program((np.array([1, 2, 3]), i(7)), (np.array([1, 2, 3]), i(0)))
def with_in_try(x, k):
    n = 0
    try:
        with contextlib.nullcontext():
            n = 1
            y = x[k]
            n = 2
    except IndexError:
        y = x[0]
    return y, n


@program((np.array([1, 2, 3]), i(7)), (np.array([1, 2, 3]), i(0)))
def try_in_with(x, k):
    n = 0
    with contextlib.nullcontext():
        try:
            n = 1
            return x[k]
        except IndexError:
            n = 2
    return n


@program(*IDX2)
def nested_fn_nonlocal(a, b):
    n = 0
    x = np.arange(2.0)

    def step(k):
        nonlocal n
        n += 1
        y = x[k]
        n += 1
        return y

    try:
        r = step(a) + step(b)
    except IndexError:
        r = x[0]
    return r, n


@program(*IDX2)
def walrus(a, b):
    x = np.arange(2.0)
    try:
        if x[a] > 0 and x[b] > 0:
            r = 1
        else:
            r = 2
    except IndexError:
        r = 3
    return r


@program(*IDX2)
def ternary(a, b):
    x = np.arange(2.0)
    try:
        r = x[a] if b > 1 else x[b]
    except IndexError:
        r = np.float64(3)
    return r


@program((np.array([3.0, 1.0]),), (np.array([0.0, 1.0]),))
def warnings_only(x):
    try:
        return x[1] / x[0]
    except ZeroDivisionError:
        return x[0]


@program((np.arange(3.0), np.arange(3.0)), (np.arange(3.0), np.arange(2.0)))
def unknown(x, y):
    try:
        z = x[x > 0] + y[y > 0]
        return z
    except ValueError as e:
        print(e)
    return x


@program(("12", i(1)), ("zz", i(1)))
def parse(s, k):
    try:
        n = int(s)
    except ValueError as e:
        print(e)
        n = k
    return n


@program(*IDX2)
def which_exception_it_is(a, b):
    x = np.arange(2.0)
    try:
        x[a]
    except IndexError as first:
        same = first
        print(same is first, first is None)
        try:
            x[b]
        except IndexError as second:
            print(second is first, second is not first)
    return a


@pytest.mark.parametrize(("function", "arguments"), program)
def test_a_handler_gets_what_it_gets_in_plain_python(function, arguments):
    check(function, arguments)
