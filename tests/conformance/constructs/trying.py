"""try, raise and assert."""

import numpy as np

from tests.conformance.constructs.rows import Rows

ROWS = Rows("Statements: try, raise, assert")
ROW = [1.0, -2.0, 3.0]


class TooBigError(ValueError):
    """A user's exception."""

    def __init__(self, value):
        super().__init__(f"{value} is too big")
        self.value = value


@ROWS("raise", 1.0, -1.0)
def raises(x):
    if x < 0:
        raise ValueError("negative")
    return x


@ROWS("raise with data in its text", 1.0, -1.0)
def raises_data(x):
    if x < 0:
        raise ValueError(f"{x:.2f} is negative", x)
    return x


@ROWS("try, except around a raise that depends on data", 1.0, -1.0)
def excepts(x):
    try:
        if x < 0:
            raise ValueError("negative")
        y = x
    except ValueError:
        y = -x * 10
    return y


@ROWS("except of several types, of none, of a base class", 0, 1, 2, 3)
def excepts_types(n):
    try:
        if n == 0:
            raise KeyError("a")
        if n == 1:
            raise IndexError("b")
        if n == 2:
            raise TooBigError(n)
        return "none"
    except (KeyError, TypeError):
        return "key"
    except ValueError:
        return "value"
    except:  # noqa: E722
        return "bare"


@ROWS("except ... as, and what it holds", 1.0, 100.0)
def excepts_as(x):
    try:
        if x > 10:
            raise TooBigError(x)
    except TooBigError as error:
        print(error)
        return error.value, error.args
    return x


@ROWS("try, else", 1.0, -1.0)
def try_else(x):
    try:
        if x < 0:
            raise ValueError
    except ValueError:
        y = 0.0
    else:
        y = x + 1
    return y


@ROWS("try, finally", 1.0, -1.0)
def try_finally(x):
    try:
        if x < 0:
            raise ValueError("negative")
        x = x + 1
    finally:
        print("last", x)
    return x


@ROWS("an index that fails at run time", ([1.0, 2.0], 1), ([1.0, 2.0], 5))
def op_index(x, i):
    try:
        return x[i]
    except IndexError as error:
        print("caught:", error)
        return x[0]


@ROWS("a division that fails at run time", (6, 2), (6, 0))
def op_division(a, b):
    try:
        return int(a) // int(b)
    except ZeroDivisionError as error:
        return str(error)


@ROWS("shapes that fail at run time", ([1.0, 2.0], 1), ([1.0, 2.0], 3))
def op_shapes(x, n):
    try:
        return x + np.ones(n)
    except ValueError:
        return x


@ROWS("an error of an operation that nobody handles", ([1.0, 2.0], 1), ([1.0], 5))
def op_unhandled(x, i):
    y = x[i]
    return y + 1


@ROWS("raise ... from", 1.0, -1.0)
def raise_from(x):
    try:
        if x < 0:
            raise ValueError("inner")
    except ValueError as error:
        raise TypeError("outer") from error
    return x


@ROWS("raise again", (ROW, 1), (ROW, 9))
def raise_again(x, i):
    try:
        y = x[i]
    except IndexError:
        print("passing on")
        raise
    return y


@ROWS("try inside try", 0, 1, 2)
def try_inside_try(n):
    log = 0
    try:
        try:
            if n > 0:
                raise KeyError("k")
        except KeyError:
            log += 1
            if n > 1:
                raise ValueError("v") from None
        finally:
            log += 10
    except ValueError:
        log += 100
    return log


@ROWS("try inside a loop", (ROW,), ([1.0],))
def try_in_loop(x):
    total = 0.0
    for v in x:
        try:
            if v < 0:
                raise TooBigError(v)
            total += v
        except TooBigError as error:
            total -= error.value * 10
    return total


@ROWS("a loop inside try", (ROW,), ([1.0],))
def loop_in_try(x):
    total = 0.0
    try:
        for v in x:
            if v < 0:
                raise ValueError(total)
            total += v
    except ValueError:
        total = -total
    return total


@ROWS("what a failed try leaves behind", ([1.0, 2.0], 1), ([1.0, 2.0], 7))
def try_leaves(x, i):
    y = 0
    try:
        x[0] = 10
        y = 1
        x[i] = 20
        y = 2
    except IndexError:
        y += 100
    return y


@ROWS("arguments changed before an exception stay changed", ([1.0], 1.0), ([1.0], -1.0))
def changed_before(x, y):
    x[0] = 5.0
    if y < 0:
        raise ValueError("late")
    return y


@ROWS("except* (refused)", 1.0, -1.0)
def except_star(x):
    try:
        if x < 0:
            raise ValueError("negative")
    except* ValueError:
        x = -x
    return x


@ROWS("assert", 1.0, -1.0)
def asserts(x):
    assert x > 0
    return x


@ROWS("assert with a message of data", 1.0, -1.0)
def asserts_message(x):
    assert x > 0, f"{x} is not positive"
    return x


@ROWS("assert inside try", 1.0, -1.0)
def asserts_in_try(x):
    try:
        assert x > 0, ("not positive", x)
    except AssertionError as error:
        return error.args
    return x
