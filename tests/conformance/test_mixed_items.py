"""Lists whose length depends on data, and whose items are of several kinds."""

import numpy as np
import pytest

from tests.conformance.trying import Programs, check

ROW = np.array([1.0, -2.0, 3.0, 0.5])
PROGRAMS = Programs()


@PROGRAMS((ROW,), (-ROW,), (ROW[:0],))
def tuples_and_words(x):
    log = []
    for v in x:
        if v > 0:
            log.append(("pos", v))
        else:
            log.append("neg")
    return log


@PROGRAMS((ROW,), (-ROW,))
def none_numbers_and_tuples(x):
    log = []
    for i, v in enumerate(x):
        if v > 2:
            log.append(None)
        elif v > 0:
            log.append(v)
        else:
            log.append((i, v))
    n = 0
    for e in log:
        if e is None:
            n += 100
        elif isinstance(e, tuple):
            n += e[0]
        else:
            n += e
    return log, len(log), n


@PROGRAMS((np.int64(3),), (np.int64(0),))
def pairs_or_numbers(n):
    out = []
    for i in range(n, -n, -2):
        for j in range(i):
            if j == 1:
                continue
            if i + j > 3:
                break
            out.append((i, j))
        else:
            out.append(i)
    return out


@PROGRAMS((ROW,), (-ROW,), (ROW * 0,))
def words_put_by_finally(x):
    log = []
    for i, v in enumerate(x):
        try:
            if v > 2:
                return log, "ret", i
            if v < -2:
                break
            if v == 0:
                continue
            log.append(i)
        finally:
            log.append(f"f{i}")
    else:
        return "else", log
    return "after", log


@PROGRAMS((ROW,))
def three_kinds_a_round(x):
    log = []
    for v in x:
        log.append("start")
        log.append((v, v))
        if v > 2:
            log.append([v])
    return log, log[0], log[-1], log[1]


@PROGRAMS((ROW,))
def asked_and_compared(x):
    log = []
    for v in x:
        if v > 0:
            log.append(v)
        else:
            log.append(None)
    return (
        log.index(None),
        log.count(None),
        None in log,
        3.0 in log,
        log == [1.0, None, 3.0, 0.5],
        log[1:3],
        log[::-1],
    )


@PROGRAMS((ROW,))
def choices_put_in(x):
    log = []
    for v in x:
        log.append("pos" if v > 0 else None)
        log.append(v if v > 1 else "small")
    last = log.pop()
    log.insert(0, (1, 2))
    log.extend([3, None])
    return log, last


@PROGRAMS((ROW,))
def comprehensions(x):
    return [v if v > 0 else None for v in x if v != 0.5], [
        ("a", v) if v > 0 else v for v in x if v < 3
    ]


def sub(v):
    yield -v
    if v < -1.5:
        yield "s"


def gen(x):
    for v in x:
        if v > 0:
            yield v
        elif v < -1:
            yield from sub(v)


@PROGRAMS((ROW,), (-ROW,))
def generators(x):
    return list(gen(x)), [v for v in gen(x) if v != "s"], "s" in gen(x), tuple(gen(x))


@PROGRAMS((ROW,))
def sorted_kinds(x):
    log = []
    for v in x:
        if v > 0:
            log.append(v)
        else:
            log.append("w")
    return sorted(log)


@PROGRAMS((ROW,))
def set_by_index(x):
    log = []
    for v in x:
        log.append(v if v > 0 else ("n", v))
        if len(log) > 2 and isinstance(log[0], tuple):
            break
    for k in range(len(log)):
        if isinstance(log[k], tuple):
            log[k] = log[k][1] * 10
    return log


@PROGRAMS((ROW,))
def a_stack_of_work(x):
    stack = [("visit", x[0])]
    out = []
    while stack:
        op, v = stack.pop()
        if op == "visit":
            stack.append(("emit", v))
            if v < 8:
                stack.append(("visit", v * 2))
        else:
            out.append(v)
    return out


@PROGRAMS((ROW,))
def a_program_of_operations(x):
    ops = []
    for v in x:
        if v > 2:
            ops.append(("push", v))
        elif v > 0:
            ops.append(("dup",))
        else:
            ops.append(("add", v, 1))
    st = [0.0]
    for op in ops:
        match op:
            case ("push", v):
                st.append(v)
            case ("dup",):
                st.append(st[-1])
            case ("add", a, b):
                st[-1] = st[-1] + a * b
    return st, ops


@PROGRAMS((ROW,))
def dicts_and_lists(x):
    tree = []
    for v in x:
        if v > 0:
            tree.append({"k": v})
        else:
            tree.append([v, [v]])
    return tree


@PROGRAMS((ROW, np.int64(2)), (ROW, np.int64(0)))
def deleted_by_data(x, n):
    items = [1.0, "a", (1, 2)]
    del items[n]
    return items, items[-1]


@PROGRAMS((ROW, np.int64(2)), (ROW, np.int64(0)))
def zipped_with_functions(x, n):
    total = 0.0
    for value, f in zip(x[:n], [abs, max]):
        total += f(value, 1.0) if f is max else f(value)
    return total


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_items_of_several_kinds_are_those_of_python(function, arguments):
    check(function, arguments)
