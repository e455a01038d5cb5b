"""Lists, tuples, dicts, sets, changed in branches and loops."""

import numpy as np

from tests.conformance.constructs.rows import Plain, Rows, argument

ROWS = Rows("State: lists, tuples, dicts, sets")
ROW = [1.0, -2.0, 3.0]


@ROWS("list.append in a loop over data", (ROW,), ([],))
def list_append(x):
    found = []
    for v in x:
        if v > 0:
            found.append(v)
    return found


@ROWS("list.append on one path", 1.0, -1.0)
def list_append_once(x):
    items = [x]
    if x > 0:
        items.append(x * 2)
    return items, len(items)


@ROWS("list.extend, +=, +", (ROW,), ([-1.0],))
def list_extend(x):
    items = [0.0]
    for v in x:
        if v > 0:
            items.extend([v, v])
        else:
            items += (v,)
    return items + [1.0]


@ROWS("list.pop, insert, remove, clear", (ROW,), ([-1.0],))
def list_pop(x):
    items = [9.0, 8.0]
    for v in x:
        if v > 0:
            items.insert(0, v)
        else:
            items.pop()
    return items


@ROWS("list.pop of an empty list (an error)", 1, 5)
def list_pop_empty(n):
    items = [1, 2]
    while n > 0:
        items.pop()
        n -= 1
    return items


@ROWS("list.index, count", ([1, 2, 2], 2), ([1, 2, 2], 1))
def list_index(x, n):
    items = [v for v in x if v > 0]
    return items.index(n), items.count(n)


@ROWS("items and slices of a list, indexed by data", (ROW, 1), (ROW, -1))
def list_items(x, i):
    items = [v * 2 for v in x]
    items[i] = 0.0
    return items[i], items[i:], items[::-1], items


@ROWS("an item of a list of unlike things, indexed by data", 0, 1, 2)
def list_unlike(i):
    return [1.0, "two", None][i]


@ROWS("a slice of a list is assigned", (ROW, 1), (ROW, 2))
def list_slice_assigned(x, i):
    items = [v for v in x]
    items[i:] = [5.0]
    return items


@ROWS("lists of lists", (ROW,), ([],))
def lists_of_lists(x):
    rows = [[], []]
    for v in x:
        if v > 0:
            rows[0].append(v)
        else:
            rows[1].append(v)
    return rows


@ROWS("lists of lists that grow", 3, slow=True)
def lists_of_grown(n):
    rows = []
    for i in range(n):
        row = []
        for j in range(i):
            row.append(j)
        rows.append(row)
    return rows


@ROWS("a list as a stack of work", 5, 0)
def list_as_stack(n):
    stack, seen = [n], []
    while stack:
        v = stack.pop()
        seen.append(v)
        if v > 1:
            stack.append(v // 2)
            stack.append(v - 2)
    return seen


@ROWS("comparison, copy, multiplication of lists", 1, 2)
def list_operators(n):
    items = [1, n]
    other = items.copy()
    if n > 1:
        other.append(3)
    return items == other, items * 2, items < other


@ROWS("a list as argument, changed", (Plain([argument(1.0)]), 1.0), (Plain([]), -1.0))
def list_argument(items, x):
    if x > 0:
        items.append(x)
    return len(items)


@ROWS("tuples: built up, indexed, compared", 1, -1)
def tuples(n):
    t = (n, 2)
    if n > 0:
        t = t + (3,)
    return t, t[-1], t > (1, 2)


@ROWS("dict, values change", (ROW,), ([],))
def dict_values(x):
    d = {"up": 0, "down": 0}
    for v in x:
        d["up" if v > 0 else "down"] += 1
    return d


@ROWS("dict, a key added on one path", 1.0, -1.0)
def dict_key_added(x):
    d = {"a": x}
    if x > 0:
        d["b"] = x * 2
    return d, len(d), d.get("b", 0.0)


@ROWS("dict: a key that is missing (an error)", 1.0, -1.0)
def dict_key_missing(x):
    d = {"a": x}
    if x > 0:
        d["b"] = x
    return d["b"]


@ROWS("dict: get, setdefault, pop, update, |", 1.0, -1.0)
def dict_methods(x):
    d = {"a": x}
    if x > 0:
        d.update(b=x, c=2.0)
        d.pop("a")
    d.setdefault("a", 5.0)
    return d | {"z": x}, d.get("c"), list(d)


@ROWS("dict, keys of data", [1, 2, 1])
def dict_data_keys(x):
    counts = {}
    for v in x:
        counts[v] = counts.get(v, 0) + 1
    return counts


@ROWS("dict of constants, looked up by data", 1, 2, 7)
def dict_lookup(n):
    names = {1: "one", 2: "two"}
    return names.get(n, "many")


@ROWS("dict of lists", (ROW,), ([],))
def dict_of_lists(x):
    d = {"up": [], "down": []}
    for v in x:
        if v > 0:
            d["up"].append(v)
        else:
            d["down"].append(v)
    return d


@ROWS("sets of constants", 1.0, -1.0)
def sets(x):
    s = {"a"}
    if x > 0:
        s.add("b")
    return s, "b" in s, len(s), s | {"c"}


@ROWS("two names for one list", (ROW,), ([],))
def list_aliases(x):
    items = []
    other = items
    for v in x:
        if v > 0:
            items.append(v)
        else:
            other.append(-v)
    return items, other, items is other


@ROWS("a list inside two others", 1.0, -1.0)
def list_nested_alias(x):
    shared = [x]
    a, b = [shared], {"k": shared}
    if x > 0:
        a[0].append(2.0)
    b["k"][0] = 7.0
    return a, b, a[0] is b["k"]


@ROWS("a name bound to another list on one path", 1.0, -1.0)
def list_rebound(x):
    items = [x]
    kept = items
    if x > 0:
        items = [x, x]
    items.append(5.0)
    return items, kept, items is kept


@ROWS("a list that holds itself only while running", 1.0, -1.0)
def list_of_itself(x):
    items = [x]
    items.append(items)
    if x > 0:
        items[0] = 3.0
    return items[1][1][0], len(items)


@ROWS("arrays in lists, changed in place", ([1.0, 2.0], 1.0), ([1.0], -1.0))
def arrays_in_lists(x, y):
    items = [x, x.copy()]
    if y > 0:
        items[0][0] = 5.0
        items[1] += 1
    return items


@ROWS("lists against tuples on two paths", 1.0, -1.0)
def list_or_tuple(x):
    items = [x, 1.0] if x > 0 else (x, 2.0, 3.0)
    return items, len(items), sum(items), items[0]


@ROWS("ranges", 3, 0)
def ranges(n):
    r = range(n)
    return len(r), list(r), 2 in r


@ROWS("bytes and other constants", 1.0, -1.0)
def constants(x):
    b = b"ab" if x > 0 else bytearray(b"c")
    return b, len(b), np.pi if x > 0 else ...
