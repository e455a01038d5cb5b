"""with, del, global, nonlocal, assignments, imports."""

import contextlib
import threading

import numpy as np

from tests.conformance.constructs.rows import Plain, Rows

ROWS = Rows("Statements: with, del, global, nonlocal, assignment, import")
ROW = [1.0, -2.0, 3.0]
counter = 0
latest = None


class Scale:
    """A context manager of the user's."""

    def __init__(self, by):
        self.by = by

    def __enter__(self):
        print("enter")
        return self

    def __exit__(self, kind, error, trace):
        print("exit", kind)
        return kind is KeyError


class Box:
    """Something with an attribute."""

    def __init__(self, value):
        self.value = value


@ROWS("with, around an if", 1.0, -1.0)
def with_around_if(x):
    with Scale(2.0) as scale:
        if x > 0:
            x = x * scale.by
        print(x)
    return x


@ROWS("with, inside an if and a loop", (ROW,), ([1.0],))
def with_inside_if(x):
    total = 0.0
    for v in x:
        if v > 0:
            with Scale(v) as scale:
                total += scale.by
    return total


@ROWS("with that handles an exception that depends on data", 1.0, -1.0)
def with_handles(x):
    y = 0
    with Scale(1.0):
        if x < 0:
            raise KeyError("k")
        y = 1
    return y


@ROWS("with of several managers, suppress", 1.0, -1.0)
def with_several(x):
    with Scale(1.0) as a, contextlib.suppress(ValueError):
        if x < 0:
            raise ValueError("v")
        x = x + a.by
    return x


@ROWS("with a library's manager around a branch", 1.0, -1.0)
def with_lock(x):
    with threading.Lock():
        if x > 0:
            x = x * 2
    return x


@ROWS("with a library's manager inside a branch (refused)", 1.0, -1.0)
def with_lock_inside(x):
    if x > 0:
        with threading.Lock():
            x = x * 2
    return x


@ROWS("with np.errstate", 1.0, 0.0)
def with_errstate(x):
    with np.errstate(divide="ignore"):
        if x >= 0:
            x = 1 / x
    return x


@ROWS("del of a name", 1.0, -1.0)
def del_name(x):
    y = x
    if x > 0:
        del y
        y = x * 2
    return y


@ROWS("del of a name on one path (an error when read)", 1.0, -1.0)
def del_on_one_path(x):
    y = x
    if x > 0:
        del y
    return y


@ROWS("del of an item, a key, an attribute", 1.0, -1.0)
def del_parts(x):
    items, d, box = [x, 2.0], {"a": x, "b": 1.0}, Box(x)
    if x > 0:
        del items[0]
        del d["a"]
    del box.value
    return items, d, hasattr(box, "value")


@ROWS("global", 1.0, -1.0)
def sets_global(x):
    global counter
    counter = 5
    if x > 0:
        counter = counter + 1
    return counter


@ROWS("global that is set to data", 1.0, -1.0)
def sets_global_data(x):
    global latest
    if x > 0:
        latest = x
    return x


@ROWS("nonlocal", (ROW,), ([1.0],))
def sets_nonlocal(x):
    count = 0

    def tell(v):
        nonlocal count
        if v > 0:
            count += 1

    for v in x:
        tell(v)
    return count


@ROWS("augmented assignment to a name", (1.0, 3), (-1.0, 3))
def augmented_name(x, n):
    y = x
    if x > 0:
        y += 1
        y *= n
        n //= 2
        n <<= 1
        y **= 2
    else:
        y -= n
        y /= 2
        n %= 2
        n |= 4
    return x, y, n


@ROWS("augmented assignment to an array is in place", ([1.0, 2.0], 1.0), ([1.0], -1.0))
def augmented_array(x, y):
    z = x
    if y > 0:
        z += y
        z[0] *= 3
    return x


@ROWS("augmented assignment to attributes, subscripts, slices", ([1.0, 2.0], 1.0))
def augmented_parts(x, y):
    box, d, items = Box(y), {"a": y}, [y, y]
    if y > 0:
        box.value += 1
        d["a"] *= 5
        items[1] -= 3
        items += [y]
        x[1:] += 7
    return box.value, d, items


@ROWS("assignment to subscripts and slices of arrays", (ROW, 1), (ROW, -1))
def assigned_slices(x, i):
    y = x.copy()
    if i > 0:
        y[i:] = 0
        y[0] = x[i]
    else:
        y[i] = 9
        y[y < 0] = 4
    return y


@ROWS("assignment to several targets", 1.0, -1.0)
def assigned_several(x):
    a = b = [x]
    if x > 0:
        a[0] = b_ = x * 2
        return a, b, b_
    return a, b, a is b


@ROWS("swap", (1.0, 2.0), (2.0, 1.0))
def swaps(x, y):
    if x > y:
        x, y = y, x
    return x, y


@ROWS("unpacking with stars", (ROW,), ([1.0],))
def unpacks(x):
    first, *rest = x
    if first > 0:
        *rest, last = [*rest, first]
    else:
        last = first
    return first, rest, last


@ROWS("unpacking of the wrong length (an error)", ([1.0, 2.0],), (ROW,))
def unpacks_wrong(x):
    a, b = x
    if a > b:
        a = b
    return a


@ROWS("walrus", (ROW, 2.0), ([1.0], 2.0))
def walrus(x, limit):
    if (total := np.sum(x)) > limit:
        total = -total
    while (total := total + 1) < 5:
        pass
    return total


@ROWS("walrus behind a short circuit (an error when read)", (1.0, 1.0), (-1.0, 1.0))
def walrus_short(x, y):
    if x > 0 and (z := y + 1) > 0:
        x = z
    return z


@ROWS("annotations, with and without a value", 1.0, -1.0)
def annotated(x):
    y: float
    z: np.float64 = x
    if x > 0:
        y = z
    else:
        y: float = -z
    return y


@ROWS("import inside", 4.0, -4.0)
def imports(x):
    import math
    from math import sqrt as root

    if x > 0:
        return root(x), math.pi
    return math.fabs(x), 0.0


@ROWS("import on one path", 1.0, -1.0)
def imports_on_path(x):
    if x > 0:
        import math

        x = math.exp(x)
    return x


@ROWS("a chain of attributes and subscripts", Plain(Box([Box(np.float64(1.0))])))
def chained(box):
    if box.value[0].value > 0:
        box.value[0].value += 1
        box.value[0].extra = box.value[0].value
    return box.value[0].value
