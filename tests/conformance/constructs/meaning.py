"""What a construct means: order, laziness, numbers, errors."""

import numpy as np

from tests.conformance.constructs.rows import Rows

ROWS = Rows("Meaning")
ROW = [1.0, -2.0, 3.0]


@ROWS("the branch not taken is not run", (ROW, 9), (ROW, 1))
def lazy(x, i):
    if i < 3:
        y = x[i]
        print("inside")
    else:
        y = x[0]
    return y


@ROWS("the error of the path not taken never fires", 1.0, -1.0)
def no_error(x):
    if x > 0:
        y = x
    else:
        y = np.ones(2) + np.ones(3) if x < -5 else x
    return y


@ROWS("an unused operation that fails", ([1.0], 0), ([1.0], 5))
def unused_error(x, i):
    x[i]
    return x


@ROWS("integers of Python wrap as int64 in a loop", (10,), (62,))
def int64_wraps(n):
    k = np.int64(1)
    for _ in range(n):
        k = k * 2
    return k


@ROWS("integer division and modulo of negatives", (-7, 2), (7, -2))
def floor_division(a, b):
    return a // b, a % b, int(a) // int(b), int(a) % int(b)


@ROWS("float: nan, inf, -0.0", 0.0, -1.0)
def special_floats(x):
    y = -x
    return y, y == 0, np.float64("nan") == y, float("inf") * (x - 1), max(y, x)


@ROWS("small dtypes keep their kind", 3, -3)
def small_dtypes(n):
    x = np.int8(100)
    y = np.float32(0.1)
    if n > 0:
        y = y * 2
    return x + np.int8(1), y, y * n


@ROWS("Python numbers stay Python numbers", 3, -3)
def python_numbers(n):
    k = 0
    while n > 0:
        k += 1
        n -= 1
    return k, k / 2, k > 1


@ROWS("bool is not np.bool", 1.0, -1.0)
def python_bools(x):
    flag = False
    if x > 0:
        flag = True
    return flag, not flag, x > 0


@ROWS("the result is the argument itself", (ROW, 1.0))
def same_array(x, y):
    return x, x is x


@ROWS("order of prints, writes and errors", (ROW, 1), (ROW, 9))
def order(x, i):
    print("first")
    x[0] = 7.0
    print("second", x)
    y = x[i]
    print("third")
    return y


@ROWS("deeply nested", (ROW, 3), (ROW, 0))
def nested(x, n):
    total, words = np.float64(0.0), []
    for i in range(n):
        for v in x:
            if v > i:
                while total < 10:
                    total += v
                    try:
                        if total > 4:
                            raise ValueError(total)
                    except ValueError:
                        total += 1
                        words.append(total)
                        break
                    else:
                        continue
            elif v < 0:
                words.append(v)
                continue
        else:
            total += 0.5
    return total, words


@ROWS("warnings of NumPy", 1.0, note="the warning is silenced here, its value compared")
def numpy_warnings(x):
    with np.errstate(all="ignore"):
        y = x / (x - 1)
    return y
