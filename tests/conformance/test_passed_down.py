"""Lists, dicts, objects and arrays that a recursion passes down and changes."""

import numpy as np
import pytest

from autograph.same import assert_same_as_python


class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y


def appended(n, out):
    def go(n, out):
        if n > 0:
            go(n - 1, out)
            out.append(n)
            if n > 1:
                out.append(-n)

    go(n, out)
    return out


def pushed_and_popped(n, path):
    def go(n, path):
        if n <= 0:
            return len(path)
        path.append(n)
        result = go(n - 1, path)
        path.pop()
        return result

    return go(n, path), path


def memo(n, _):
    def fib(n, memo):
        if n < 2:
            return n
        if memo[n] < 0:
            memo[n] = fib(n - 1, memo) + fib(n - 2, memo)
        return memo[n]

    return fib(n + 3, [-1] * 20)


def counted(n, _):
    def go(n, d):
        if n > 0:
            d["count"] += 1
            go(n - 1, d)

    d = {"count": 0}
    go(n, d)
    return d


def moved(n, _):
    def go(n, p):
        if n <= 0:
            return p.x
        p.x += 1
        return go(n - 1, p)

    p = Point(0.0, 1.0)
    return go(n, p), p.x


def written(n, _):
    def go(n, a):
        if n > 0:
            a[n % 3] += n
            go(n - 1, a)

    a = np.zeros(3)
    go(n, a)
    return a


@pytest.mark.parametrize(
    "program", [appended, pushed_and_popped, memo, counted, moved, written]
)
@pytest.mark.parametrize("levels", [3, 0])
def test_what_is_passed_down_is_the_very_one(program, levels):
    assert_same_as_python(program, np.int64(levels), [7])
