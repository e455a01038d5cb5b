"""Lists of lists and of tuples among the arguments, each one input: as in Python."""

import copy
import functools

import numpy as np
import pytest

import autograph as ag
from tests.tracer.test_whole_lists import KINDS, agree
from tracer.lookup import Lookup


def sums(rows):
    return [sum(row) for row in rows], len(rows), rows[-1][0]


def changed_rows(rows):
    for row in rows:
        row[0] = row[-1] + 1
    rows[0].append(rows[1].pop())
    return rows


def moved_rows(rows):
    rows.append([1])
    rows[0], rows[1] = rows[1], rows[0]
    kept = rows.pop(1)
    kept.append(2)
    return kept, rows[-1] is kept


def of_product(a, b):
    c = [[0.0] * len(b[0]) for _ in a]
    for i in range(len(a)):
        for j in range(len(b[0])):
            for k in range(len(b)):
                c[i][j] += a[i][k] * b[k][j]
    return c


def walked(edges, start):
    seen, queue = [False] * len(edges), [start]
    order = []
    while queue:
        at = queue.pop()
        if not seen[at]:
            seen[at] = True
            order.append(at)
            for other in edges[at]:
                queue.append(other)
    return order


def of_the_first(rows):
    best = rows[0]
    for row in rows:
        if sum(row) > sum(best):
            best = row
    return best


def fails_late(rows):
    for row in rows:
        row[0] += 1
        if len(row) > 40:
            raise ValueError(f"{len(row)} are too many")
    return rows[len(rows)]


def meets(rows, others):
    rows[0] = others[-1]
    others[0].append(5)
    return rows[0] is others[-1], rows, others


def grid_of(kind, count, size):
    numbers = iter(KINDS[kind](count * size))
    return [[next(numbers) for _ in range(size)] for _ in range(count)]


@pytest.mark.parametrize("kind", ["ints", "odd floats", "of two types", "big ints"])
@pytest.mark.parametrize(
    "program", [sums, changed_rows, moved_rows, of_the_first, fails_late]
)
def test_lists_of_lists_of_any_lengths(program, kind):
    sizes = [(2, 2), (3, 6), (4, 7), (2, 3), (3, 6), (2, 50)]
    agree(program, [(grid_of(kind, *size),) for size in sizes])


@pytest.mark.parametrize("kind", ["ints", "floats"])
def test_two_lists_of_lists(kind):
    sizes = [(2, 2), (4, 4), (5, 5), (6, 6), (5, 5)]
    for program in (of_product, meets):
        agree(program, [(grid_of(kind, *n), grid_of(kind, *n)) for n in sizes])


def test_rows_of_many_lengths():
    graphs = [[[1, 2], [0], [0, 3], []], [[1], [2], [0]], [[*range(20)], *[[0]] * 19]]
    agree(walked, [(copy.deepcopy(graph), 0) for graph in graphs * 3])


def test_one_trace_serves_all_lists_of_lists():
    staged = agree(changed_rows, [(grid_of("ints", n, 9),) for n in range(2, 9)])
    assert [row.signature for row in staged.traces()] == ["(rows: list[list[int]])"]


def test_the_callers_lists_stay_themselves():
    staged = ag.function(of_the_first)
    for size in (5, 6, 7):
        rows = grid_of("floats", size, 9)
        assert any(staged(rows) is row for row in rows)
    staged = ag.function(moved_rows)
    for size in (5, 6, 7):
        rows = grid_of("ints", size, 9)
        first, second, *others = rows
        kept, _ = staged(rows)
        assert kept is first
        assert rows[0] is second
        assert all(a is b for a, b in zip(others, rows[1:-1], strict=True))


@pytest.mark.parametrize(
    "program",
    [
        lambda rows: max(rows),
        lambda rows: sorted(rows)[0],
        lambda rows: sorted(rows, reverse=True)[1],
        lambda rows: rows.sort() or rows[0],
        lambda rows: rows.sort(key=sum) or rows[-1],
    ],
    ids=["max", "sorted", "reverse", "sort", "key"],
)
def test_rows_that_are_compared_stay_the_callers(program):
    staged = ag.function(program)
    for size in (5, 6, 7):
        rows = [row[::-1] for row in grid_of("ints", size, 9)]
        expected = program(list(rows))
        assert staged(list(rows)) is expected


@pytest.mark.parametrize(
    "program",
    [
        lambda edges: [e for e in edges if e is not edges[2]],
        lambda edges: np.concatenate(edges),
        lambda edges: np.concatenate([np.array(e) for e in edges]),
    ],
)
def test_what_asks_for_the_tuples_themselves_takes_them_apart(program):
    agree(program, [(edges_of(n),) for n in (6, 7, 8)])


def test_joined_rows():
    agree(np.concatenate, [(grid_of("ints", n, 5),) for n in (4, 5, 6)])
    agree(lambda rows: np.concatenate(rows), [(grid_of("ints", 5, 5),)] * 3)


def test_lists_of_lists_that_hold_one_list_twice():
    def twice(size):
        row = [0] * size
        return [row, row, [1] * size]

    staged = agree(changed_rows, [(twice(size),) for size in (9, 10, 11)])
    rows, others = grid_of("ints", 3, 9), grid_of("ints", 3, 9)
    for given in ((rows, others), (rows, rows), (rows, [others[0], rows[1], [2]])):
        ours, pythons = copy.deepcopy(given), copy.deepcopy(given)
        assert ag.function(meets)(*ours) == meets(*pythons)
        assert ours == pythons
    staged = ag.function(meets)
    for given in ((rows, others), (rows, others), (rows, [others[0], rows[1], [2]])):
        ours, pythons = copy.deepcopy(given), copy.deepcopy(given)
        assert staged(*ours) == meets(*pythons)
        assert ours == pythons


KEPT = [0.5] * 9


def test_a_row_that_is_met_by_two_ways_is_one():
    def changed(rows, others):
        rows[0][0] += 1
        return others[-1][0]

    def changed_with_kept(rows):
        rows[0][0] += 1
        return KEPT[0]

    staged, beside = ag.function(changed), ag.function(changed_with_kept)
    for n in (4, 5, 6, 7, 8):
        rows, others = grid_of("floats", n, 9), grid_of("floats", n, 9)
        assert staged(rows, others) == others[-1][0]
        assert staged(rows, [others[0], rows[0]]) == rows[0][0]
        assert beside(rows) == KEPT[0]
        assert beside([KEPT, *rows[1:]]) == KEPT[0]


def test_lists_of_lists_find_the_trace_without_the_long_way(monkeypatch):
    staged = ag.function(changed_rows)
    for n in (4, 5, 6):
        staged(grid_of("ints", n, 9))
    monkeypatch.setattr(Lookup, "call", None)
    ours, pythons = grid_of("ints", 7, 3), grid_of("ints", 7, 3)
    assert staged(ours) is ours
    assert ours == changed_rows(pythons)
    one = [0] * 9
    for other in ([one, one], [one, 1], [[], []], [(1,) * 20] * 2, [[1.5] * 20]):
        with pytest.raises(TypeError, match="not callable"):
            staged(other)


def test_a_trace_called_by_itself_takes_lists_of_lists():
    staged = ag.function(sums)
    staged(grid_of("ints", 4, 9))
    (trace,) = staged.concrete_functions
    assert trace([[1, 2], [3]]) == sums([[1, 2], [3]])
    for other in ([], [[]], [[1.5]], [[1], (1,)], [1]):
        with pytest.raises(TypeError):
            trace(other)


@pytest.mark.parametrize(
    "program",
    [
        lambda rows: (max(map(max, rows)), max(rows, key=sum), min(rows, key=len)),
        lambda rows: np.zeros(len(rows[0])) + rows[0] - rows[1],
        lambda rows: sum((np.ones(len(row)) * row for row in rows), np.zeros(6)),
        lambda rows: [row.pop() if row else 0 for row in rows][0] + rows[0][-1],
    ],
    ids=["extremes", "operators", "sums", "pop"],
)
def test_what_needs_no_lists_apart(program):
    staged = agree(program, [(grid_of("floats", n, 6),) for n in (5, 6, 7)])
    assert [row.signature for row in staged.traces()] == ["(rows: list[list[float]])"]


@pytest.mark.parametrize(
    "program",
    [
        lambda xs: max(xs, key=lambda x: -x),
        lambda xs: functools.reduce(lambda a, b: a * b, xs),
        lambda xs: np.ones(len(xs)) @ xs,
        lambda xs: [] if xs[0] > 0 else [].pop(),
        lambda xs: [1, 2][5] if xs[0] > 0 else 1,
        lambda xs: [1, 2].index(5) if xs[0] > 0 else 1,
    ],
)
def test_what_constants_raise_is_raised_of_lists_too(program):
    staged = agree(program, [([k + shift for k in range(20)],) for shift in (-1, 1, 2)])
    assert [row.signature for row in staged.traces()] == ["(xs: list[int])"]


# Tuples in lists.


def degrees(edges, count):
    held = [0.0] * count
    for a, b, weight in edges:
        held[a] += weight
        held[b] -= weight
    return held, edges[0], len(edges)


def sorted_edges(edges):
    edges.sort()
    edges.append(edges[0])
    return edges[-1], max(edges)


def shortest(graph, start):
    far = [1e9] * len(graph)
    far[start] = 0.0
    waiting = [(0.0, start)]
    while waiting:
        best = min(waiting)
        waiting.remove(best)
        length, at = best
        for other, weight in graph[at]:
            if length + weight < far[other]:
                far[other] = length + weight
                waiting.append((far[other], other))
    return far


def edges_of(count, kinds=(int, int, float)):
    return [
        tuple(kind(k * 7919 % 5 + i) for i, kind in enumerate(kinds))
        for k in range(count)
    ]


@pytest.mark.parametrize(
    "kinds", [(int, int, float), (float, float, float), (float, int, bool)]
)
def test_lists_of_tuples(kinds):
    for program in (sorted_edges, lambda edges: [b for a, b, c in edges if a > 2]):
        agree(program, [(edges_of(n, kinds),) for n in (2, 6, 9, 30, 7)])


def test_columns_of_tuples():
    def columns(edges):
        xs, ys = zip(*edges)
        return xs, sum(ys)

    staged = agree(columns, [(edges_of(n, (int, float)),) for n in (9, 12, 20)])
    assert len(staged.traces()) == 1


def test_one_trace_serves_all_lists_of_tuples():
    staged = agree(degrees, [(edges_of(n), 9) for n in (6, 7, 8, 60)])
    signatures = [row.signature for row in staged.traces()]
    assert signatures == ["(edges: list[tuple[int, int, float]], count: 9)"]


def test_lists_of_lists_of_tuples():
    graph = [[(1, 2.5), (2, 1.0)], [(3, 0.5)], [(1, 0.25), (3, 9.0)], []]
    longer = [*graph, *([(0, 1.0), (1, 2.0)] for _ in range(9))]
    staged = agree(shortest, [(g, 0) for g in (longer, longer[:9], graph, longer)])
    signatures = [row.signature for row in staged.traces()]
    assert signatures == ["(graph: list[list[tuple[int, float]]], start: 0)"]


@pytest.mark.parametrize(
    "edges",
    [
        [(1, 2), (1, 2, 3)] * 5,
        [(1, "a")] * 9,
        [()] * 20,
        [(1, 2), [1, 2]] * 5,
        [(1, 2.0), (1, 2)] * 5,
        [((1, 2), 3)] * 9,
    ],
)
def test_other_lists_of_tuples_are_taken_apart(edges):
    staged = agree(lambda edges: edges[::-1], [(edges,), (edges * 2,)])
    assert not any("list[tuple" in row.signature for row in staged.traces())
