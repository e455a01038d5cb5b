"""`heapq` and `bisect` of lists whose items or length are known when the graph runs."""

import bisect
import heapq
from dataclasses import dataclass

import numpy as np
import pytest

from runtime.ops.heaps import STEPS
from tests.conformance.trying import Programs, check

i = np.int64
ints = np.array([3, 1, 2, 3, 3, 1, 5])
fl = np.array([3.0, 1.0, 2.5, -1.0])
PROGRAMS = Programs()


@PROGRAMS((fl,), (np.array([1.0]),))
def known(xs):
    h = []
    for x in xs:
        heapq.heappush(h, (x, 1))
    a = heapq.heappop(h)
    heapq.heapify(h)
    return a, h


@PROGRAMS((fl,), (np.array([1.0]),), (np.array([]),))
def of_array(xs):
    h = list(xs)
    heapq.heapify(h)
    return heapq.heappop(h), h


@PROGRAMS((fl, i(2)), (fl, i(0)), (fl, i(9)), (fl, i(-1)))
def largest(xs, n):
    h = [(x, k) for k, x in enumerate(xs) if x > 0]
    return (
        heapq.nlargest(n, h),
        heapq.nsmallest(2, h, key=lambda q: -q[0]),
        heapq.nlargest(n, [x for x in xs if x < 2]),
    )


@PROGRAMS((fl, i(2)), (fl, i(0)))
def replaced(xs, n):
    h = []
    for x in xs:
        if len(h) < n:
            heapq.heappush(h, (x, "a"))
        else:
            a = heapq.heappushpop(h, (x, "b"))
            print(a)
            if h:
                print(heapq.heapreplace(h, (x, "c")))
    return h


@PROGRAMS((fl, i(2)), (fl, i(0)))
def popped_empty(xs, n):
    h = []
    try:
        while n > 0:
            heapq.heappush(h, n)
            n -= 1
        while True:
            print(heapq.heappop(h))
    except IndexError as e:
        print(repr(e))
    try:
        heapq.heapreplace(h, (1, n))
    except IndexError as e:
        print(repr(e))
    return h


@PROGRAMS((fl, i(2)), (fl, i(0)))
def bisecting(xs, n):
    v = [x for x in xs if x > n]
    v.sort()
    return (
        bisect.bisect(v, 2.5),
        bisect.bisect_left(v, 2.5),
        bisect.bisect_right(v, n),
        bisect.bisect_left(v, 1.0, 0, len(v)),
        bisect.bisect_left(v, -1.0, key=lambda q: -q),
    )


@PROGRAMS((fl, i(2)), (fl, i(0)))
def insorting(xs, n):
    v = []
    for k, x in enumerate(xs):
        if x > n:
            bisect.insort(v, (x, k))
            bisect.insort_left(v, (x, -k), key=lambda q: q[0])
    return v


@dataclass(order=True)
class Job:
    cost: float
    name: int


@PROGRAMS((fl, i(2)), (fl, i(0)))
def jobs(xs, n):
    h = []
    for k, x in enumerate(xs):
        if x > n:
            heapq.heappush(h, Job(x, k))
    out = []
    while h:
        j = heapq.heappop(h)
        out.append(j.name)
    return out


@PROGRAMS(
    (np.array([[0, 1, 4], [0, 2, 1], [2, 1, 2], [1, 3, 5]]), i(4)),
)
def dijkstra(edges, n):
    adj = [[] for _ in range(n)]
    for a, b, w in edges:
        adj[a].append((b, w))
    dist = [float("inf")] * n
    dist[0] = 0
    prev = [-1] * n
    h = [(0, 0)]
    while h:
        d, u = heapq.heappop(h)
        if d > dist[u]:
            continue
        for v, w in adj[u]:
            nd = d + w
            if nd < dist[v]:
                dist[v] = nd
                prev[v] = u
                heapq.heappush(h, (nd, v))
    path = []
    k = n - 1
    while k >= 0:
        path.append(k)
        k = prev[k]
    return dist, path[::-1]


@PROGRAMS(
    (ints,),
)
def kway(xs):
    lists = [[], [], []]
    for x in xs:
        lists[x % 3].append(x)
    h = []
    for k, r in enumerate(lists):
        r.sort()
        if r:
            heapq.heappush(h, (r[0], k, 0))
    out = []
    while h:
        v, k, j = heapq.heappop(h)
        out.append(v)
        if j + 1 < len(lists[k]):
            heapq.heappush(h, (lists[k][j + 1], k, j + 1))
    return out


@PROGRAMS(
    (ints,),
)
def huffman(xs):
    h = []
    for k, x in enumerate(xs):
        heapq.heappush(h, (x, [k]))
    codes = [""] * len(xs)
    while len(h) > 1:
        a, left = heapq.heappop(h)
        b, right = heapq.heappop(h)
        for k in left:
            codes[k] = "0" + codes[k]
        for k in right:
            codes[k] = "1" + codes[k]
        heapq.heappush(h, (a + b, left + right))
    return codes


@PROGRAMS((ints, i(2)), (ints, i(100)))
def median(xs, n):
    low, high = [], []
    out = []
    for x in xs:
        heapq.heappush(low, -x)
        heapq.heappush(high, -heapq.heappop(low))
        if len(high) > len(low):
            heapq.heappush(low, -heapq.heappop(high))
        out.append(-low[0] if len(low) > len(high) else (high[0] - low[0]) / n)
    return out


@PROGRAMS((ints, i(2)), (ints, i(0)))
def extended(xs, n):
    out = []
    rows = [[] for _ in range(4)]
    for x in xs:
        if x > n:
            rows[x % 4].append(x)
    for r in rows:
        out.extend(r)
        out += r[::-1]
    return out


@pytest.mark.parametrize(("program", "calls"), PROGRAMS)
def test_heaps_and_sorted_lists_are_what_they_are_in_python(program, calls):
    check(program, calls)


@pytest.mark.parametrize("step", STEPS)
def test_the_order_of_items_is_that_of_heapq(step):
    for seed in range(40):
        found = np.random.default_rng(seed).integers(0, 9, 1 + seed)
        *heap, new = [(int(x), k) for k, x in enumerate(found)]
        if step == "heapify":
            heap = [*heap, new]
        else:
            heapq.heapify(heap)
        takes_item = step not in ("heapify", "heappop")
        whole = [*heap, new] if takes_item else [*heap]
        if not heap:
            continue
        gives = getattr(heapq, step)(heap, *([new] if takes_item else []))
        expected = heap if gives is None else [gives, *heap]
        assert [whole[at] for at in STEPS[step](whole)] == expected
