"""Names, shapes, dtypes."""

import numpy as np

from tests.conformance.constructs.rows import Rows

ROWS = Rows("State: names, None, shapes, dtypes")
ROW = [1.0, -2.0, 3.0]


@ROWS("None against a value", 1.0, -1.0)
def none_or_value(x):
    best = None
    if x > 0:
        best = x
    if best is None:
        return -1.0
    return best * 2


@ROWS("None against a value, in a loop", (ROW,), ([],))
def none_in_loop(x):
    best = None
    for v in x:
        if best is None or v > best:
            best = v
    return best


@ROWS("None that is read as a number (an error)", 1.0, -1.0)
def none_read(x):
    best = None
    if x > 0:
        best = x
    return best + 1


@ROWS("a name set on one path", 1.0, -1.0)
def name_on_path(x):
    if x > 0:
        y = x * 2
    if x > 0:
        return y
    return x


@ROWS("a name set on one path (an error when read)", 1.0, -1.0)
def name_unbound(x):
    if x > 0:
        y = x * 2
    return y


@ROWS("a name first set in a loop", 3, 0)
def name_in_loop(n):
    for i in range(n):
        last = i * 2
    return last if n > 0 else -1


@ROWS("text chosen by data", 1.0, -1.0)
def text_chosen(x):
    name = "up" if x > 0 else "down"
    print(name, len(name), name.upper())
    return name + "!" if name == "up" else name


@ROWS("functions chosen by data", 1.0, -1.0)
def function_chosen(x):
    f = np.sin if x > 0 else np.cos
    return f(x), f.__name__


@ROWS("classes, modules, dtypes chosen by data", 1.0, -1.0)
def class_chosen(x):
    kind = np.float32 if x > 0 else np.int64
    return np.zeros(2, kind), kind


@ROWS("numbers of several kinds on two paths", 1.0, -1.0)
def kinds_of_numbers(x):
    y = 1 if x > 0 else 2.5
    z = x if x > 0 else 3
    return y, z, y + z


@ROWS("a Python number against an array's", 1.0, -1.0)
def number_or_array(x):
    y = 0
    if x > 0:
        y = np.array([x, x])
    return y + 1


@ROWS("a dtype that changes from step to step", 3, 0)
def dtype_changes(n):
    total = 0
    for i in range(n):
        total = total + i * 0.5
    return total


@ROWS("dtypes on two paths", (ROW, 1.0), (ROW, -1.0))
def dtypes_on_paths(x, y):
    z = x.astype(np.float32) if y > 0 else x.astype(np.int64)
    return z, z.dtype, z * 2


@ROWS("a shape that changes from step to step", (ROW, 3), (ROW, 0))
def shape_changes(x, n):
    for _ in range(n):
        x = np.append(x, 0.0)
    return x


@ROWS("a rank that changes from step to step", (ROW, 2), (ROW, 0))
def rank_changes(x, n):
    for _ in range(n):
        x = x[None]
    return x.ndim, x


@ROWS("shapes on two paths", (ROW, 1.0), (ROW, -1.0))
def shapes_on_paths(x, y):
    z = x[:2] if y > 0 else x[None, :]
    return z.shape, z.sum()


@ROWS("arrays that shrink until nothing is left", (ROW,), ([],))
def shrinks(x):
    steps = 0
    while len(x) > 0:
        x = x[1:]
        steps += 1
    return steps


@ROWS("an array of the argument is changed in place", (ROW, 1.0), (ROW, -1.0))
def in_place(x, y):
    if y > 0:
        x[0] = y
        x += 1
    return None


@ROWS("views of an array are changed", (ROW, 1.0), (ROW, -1.0))
def views(x, y):
    part = x[1:]
    if y > 0:
        part[0] = 5.0
    return part, x


@ROWS("the argument or a copy of it, returned", (ROW, 1.0), (ROW, -1.0))
def argument_or_copy(x, y):
    return x if y > 0 else x.copy()


@ROWS(
    "one of two arrays is changed in place", ([1.0], [2.0], 1.0), ([1.0], [2.0], -1.0)
)
def one_of_two(x, y, c):
    z = x if c > 0 else y
    z[0] = 9.0
    return None


@ROWS("a name is another kind of thing at each step", 3, 0)
def kind_at_each_step(n):
    state = "start"
    while n > 0:
        if state == "start":
            state = None
        elif state is None:
            state = n
        else:
            state = "start"
        n -= 1
    return state


@ROWS("a state machine of words", "abba", "a")
def state_machine(text):
    state, count = "out", 0
    for letter in np.array([ord(c) for c in text]):
        if state == "out" and letter == 97:
            state = "in"
        elif state == "in" and letter == 98:
            state, count = "out", count + 1
    return state, count


@ROWS("text that grows in a loop", 3.0, 0.0)
def text_grows(x):
    text = ""
    while x > 0:
        text = text + "a"
        x = x - 1
    return text
